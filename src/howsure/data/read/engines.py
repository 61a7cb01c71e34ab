"""Data that stay where they are: lazy frames of Polars, DuckDB, Ibis, Dask and Spark are counted by their engine.

What comes out are the distinct combinations of labels, keys and score, or bin of a score, each with the number of its
cases. One pass looks at the range of the numbers and for what is missing, a second one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from howsure.data.encode import LIBRARIES
from howsure.data.predictions import KEYS, LABELS, NUMBERS, check_range
from howsure.data.read.column_names import check_column, refuse_alike
from howsure.data.read.identifiers import repeated_in_engine
from howsure.data.scores import EXACT_ROWS, default_threshold
from howsure.errors import HowsureError, counted
from howsure.kernels.score_bins import LARGEST_FINITE, ScoreMap, join_bins
from howsure.sql import open_database

# Names of our own, of what the engine computes.
ROWS, PLACE, LOW, HIGH, TOTAL, SQUARE, SQUARES = (
    f"howsure_{name}" for name in ("rows", "place", "low", "high", "total", "square", "squares")
)
KNOW_CAPITALS = ("polars", "dask")  # for SQL `y` and `Y` are one name
EMPTY = "`data` must hold at least one case, and it is empty."


@dataclass(frozen=True)
class EngineColumns:
    """Distinct combinations by role, in the engine's own form, and how many rows there were."""

    columns: dict[str, Any]
    rows: int
    library: str | None
    repeated: tuple[str, ...] = ()  # columns that look like identifiers, with values that repeat


def is_engine(frame: Any) -> bool:
    """Tell whether a frame is one of an engine, which need not be read to be counted."""
    import narwhals as nw

    return isinstance(nw.from_native(frame, pass_through=True), nw.LazyFrame)


def as_frame(data: Any) -> Any:
    """Let a connection of DuckDB with a query, a data set or batches of Arrow be what Narwhals knows."""
    root = type(data).__module__.partition(".")[0]
    if isinstance(data, tuple) and len(data) == 2 and hasattr(data[0], "sql") and isinstance(data[1], str):
        with _engine_errors():
            return data[0].sql(data[1])
    if root == "pyarrow" and not hasattr(data, "column_names"):
        return _of_arrow(data)
    if isinstance(data, list) and data and type(data[0]).__module__.partition(".")[0] == "pyarrow":
        import pyarrow as pa

        return pa.Table.from_batches(data)
    return data


def _of_arrow(data: Any) -> Any:
    """Let DuckDB scan a data set; what can be read once only becomes a table."""
    import pyarrow as pa

    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.RecordBatchReader):
        return data.read_all()
    if hasattr(data, "scanner"):
        refuse_alike(data.schema.names, data.schema.names)  # DuckDB would give one of them another name
        return open_database().from_arrow(data)
    return data


@contextmanager
def _engine_errors() -> Iterator[None]:
    """Say in one sentence what an engine refuses, whatever its errors are."""
    try:
        yield
    except HowsureError:
        raise
    except Exception as error:
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise HowsureError(f"`data` cannot be counted by its engine: {reason.rstrip('.')}.") from error


def count_engine(
    data: Any, roles: Mapping[str, str], threshold: float | None = None, exact: bool | None = None
) -> EngineColumns | None:
    """Count the named columns of a lazy frame.

    None where groups, folds or clusters have real-valued weights: how many cases each has would be lost.
    """
    import narwhals as nw

    source: Any = nw.from_native(data)
    types = source.collect_schema()
    _check_columns(source, list(types), roles.items())
    whole = "weight" not in roles or types[roles["weight"]].is_integer()
    if not whole and any(role in KEYS for role in roles):
        return None
    frame = source.select(*(_column(role, name, whole) for role, name in roles.items()))
    seen = _survey(frame, roles)
    by, sums = [_alias(role) for role in roles if role in (*LABELS, *KEYS)], [nw.len().alias(ROWS)]
    in_bins = "scores" in roles and (exact is False or (exact is None and seen["rows"] > EXACT_ROWS))
    if "scores" in roles:
        score, low, high = nw.col(_alias("scores")), float(seen["low"]), float(seen["high"])
        if threshold is None:
            threshold = default_threshold(low, high)
        elif types[roles["scores"]] == nw.Float32:
            threshold = float(np.float32(threshold))  # 0.7 as single precision has it
        place = score
        if in_bins:
            place = ScoreMap.of_range(low, high, threshold, lambda: _largest_finite(frame)).expression(score)
        frame = frame.with_columns(place.alias(PLACE))
        by, sums = [*by, PLACE], [*sums, score.min().alias(LOW), score.max().alias(HIGH)]
    if "weight" in roles:
        weight = nw.col(_alias("weight"))
        frame = frame.filter(weight != 0).with_columns((weight * weight).alias(SQUARE))
        sums += [weight.sum().alias(TOTAL), nw.col(SQUARE).sum().alias(SQUARES)]
    found = _collected(frame.group_by(*by).agg(*sums))
    rows = found[ROWS].to_numpy()
    values = {role: found[_alias(role)].to_native() for role in roles if role in (*LABELS, *KEYS)}
    values["weight"] = (found[TOTAL].to_numpy() if "weight" in roles else rows).astype(np.int64 if whole else float)
    if not whole:
        values["square"] = found[SQUARES].to_numpy().astype(float)
    if "scores" in roles:
        values["scores"], highest = (found[name].to_numpy().astype(float) for name in (LOW, HIGH))
        if in_bins:
            values["scores"], values["tops"] = join_bins(found[PLACE].to_numpy(), values["scores"], highest)
        if "predicted" not in roles:
            values["threshold"] = threshold
    library = found.implementation.value if found.implementation.value in LIBRARIES else None
    repeated = () if "cluster" in roles else repeated_in_engine(source, roles.values())
    return EngineColumns(values, int(rows.sum()), library, repeated)


def _check_columns(frame: Any, known: list[str], roles: Iterable[tuple[str, str]]) -> None:
    for role, name in roles:
        check_column(role, name, known, "`data`")
    check_capitals(frame, known, (name for _, name in roles))


def check_capitals(frame: Any, known: list[str], names: Iterable[str]) -> None:
    """Refuse names for which the engine could take another of the ``known`` columns."""
    if frame.implementation.value not in KNOW_CAPITALS:
        refuse_alike(names, known)


def _alias(role: str) -> str:
    return f"howsure_{role}"


def _column(role: str, name: str, whole: bool) -> Any:
    """Choose a column, under a name of our own; numbers are of one type wherever they are counted."""
    import narwhals as nw

    column = nw.col(name)
    if role == "scores":
        column = column.cast(nw.Float64)
    elif role == "weight":
        column = column.cast(nw.Int64 if whole else nw.Float64)
    return column.alias(_alias(role))


def count_labels(data: Any, truth: str, classifiers: Mapping[str, str], keys: Mapping[str, str]) -> EngineColumns:
    """Count the combinations of the truth, the labels of several classifiers, and keys: what paired tables are made of.

    Columns come back by role, those of the classifiers by their names.
    """
    import narwhals as nw

    frame: Any = nw.from_native(data)
    roles = [("truth", truth), *(("predicted", name) for name in classifiers.values()), *keys.items()]
    _check_columns(frame, frame.collect_schema().names(), roles)
    aliases = {name: f"howsure_{index}" for index, name in enumerate(dict.fromkeys(name for _, name in roles))}
    frame = frame.select(*(nw.col(name).alias(alias) for name, alias in aliases.items()))
    found = _collected(frame.group_by(*aliases.values()).agg(nw.len().alias(ROWS)))
    if not len(found):
        raise HowsureError(EMPTY)
    for role, name in roles:
        column = found[aliases[name]]
        missing = int(found[ROWS].filter(column.is_null()).sum() or 0)
        if missing:
            _refuse_missing(role, name, counted(missing, "row"))
    rows = found[ROWS].to_numpy().astype(np.int64)
    of_roles = {"truth": truth, **keys}
    columns = {role: found[aliases[name]].to_native() for role, name in of_roles.items()}
    columns["classifiers"] = {name: found[aliases[column]].to_native() for name, column in classifiers.items()}
    return EngineColumns({**columns, "weight": rows}, int(rows.sum()), None)


def _survey(frame: Any, roles: Mapping[str, str]) -> dict[str, Any]:
    """Look at all rows once: how many there are, the range of the numbers, and what is missing."""
    import narwhals as nw

    looks = [nw.len().alias("rows")]
    for role in roles:
        column = nw.col(_alias(role))
        is_missing = column.is_null() | column.is_nan() if role == "scores" else column.is_null()
        looks.append(is_missing.cast(nw.Int64).sum().alias(f"missing_{role}"))
        if role == "scores":
            looks += [column.min().alias("low"), column.max().alias("high")]
        elif role == "weight":
            above = nw.when(column > 0).then(column).otherwise(None)
            looks += [column.min().alias("least"), column.max().alias("most"), above.min().alias("smallest")]
    found = _collected(frame.select(*looks))
    seen = {name: found[name].to_numpy()[0] for name in found.columns}
    if not seen["rows"]:
        raise HowsureError(EMPTY)
    for role, name in roles.items():
        if missing := int(seen[f"missing_{role}"] or 0):
            _refuse_missing(role, name, counted(missing, "row"))
    if "scores" in roles and np.isnan(float(seen["high"])):  # DuckDB takes `is_nan` for false where a file says so
        _refuse_missing("scores", roles["scores"], "some rows")
    if "weight" in roles:
        _check_weights(roles["weight"], *(float(seen[name] or 0) for name in ("least", "smallest", "most")))
    return seen


def _largest_finite(frame: Any) -> float:
    import narwhals as nw

    size = nw.col(_alias("scores")).abs()
    found = _collected(frame.select(size.alias(HIGH)).filter(nw.col(HIGH) <= LARGEST_FINITE).select(nw.col(HIGH).max()))
    return float(found[HIGH].to_numpy()[0] or 0)


def _check_weights(name: str, least: float, smallest: float, most: float) -> None:
    """Refuse weights by the least, the smallest above 0, and the greatest."""
    if not (np.isfinite(most) and least >= 0):
        raise HowsureError(f"`{name}` must be finite and not negative, not {most if least >= 0 else least}.")
    if most == 0:
        raise HowsureError(f"`{name}` must have a value above 0; all are 0.")
    check_range(name, smallest, most)


def _refuse_missing(role: str, name: str, where: str) -> NoReturn:
    kind = "number" if role in NUMBERS else "label" if role in LABELS else role
    raise HowsureError(f"`{name}` has no {kind} in {where}; drop these rows or give them a {kind}.")


def _collected(frame: Any) -> Any:
    """Compute a lazy frame, which is small by then; Polars streams."""
    import narwhals as nw

    options = {"engine": "streaming"} if frame.implementation is nw.Implementation.POLARS else {}
    with _engine_errors():
        return frame.collect(**options)
