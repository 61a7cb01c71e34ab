"""Count the rows of lazy frames in Polars, DuckDB, Ibis, Dask or Spark.

The result has a row for each combination of labels, keys, and score or score bin, with its number of cases. A first
pass over the data finds missing values and the range of the numbers; a second pass counts.
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

# Names of computed columns.
ROWS, BIN, LOW, HIGH, TOTAL, SQUARE, SQUARES = (
    f"howsure_{name}" for name in ("rows", "bin", "low", "high", "total", "square", "squares")
)
CASE_SENSITIVE = ("polars", "dask")  # engines that distinguish `y` from `Y`, unlike SQL
EMPTY = "`data` must hold at least one case, but it is empty."


@dataclass(frozen=True)
class EngineColumns:
    """Columns by role, as the engine returns them, and the number of rows."""

    columns: dict[str, Any]
    rows: int
    library: str | None
    repeated: tuple[str, ...] = ()  # unused columns with repeated identifiers


def is_engine(frame: Any) -> bool:
    """Return whether data is a lazy frame."""
    import narwhals as nw

    return isinstance(nw.from_native(frame, pass_through=True), nw.LazyFrame)


def as_frame(data: Any) -> Any:
    """Convert DuckDB queries, and Arrow data sets and batches."""
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
    """Return a data set as a DuckDB scan, and batches as a table."""
    import pyarrow as pa

    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.RecordBatchReader):
        return data.read_all()
    if hasattr(data, "scanner"):
        refuse_alike(data.schema.names, data.schema.names)  # DuckDB would rename one of them
        return open_database().from_arrow(data)
    return data


@contextmanager
def _engine_errors() -> Iterator[None]:
    """Report any error from an engine in one sentence."""
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
    """Count the combinations of values in the columns of a lazy frame.

    Return None for groups, folds or clusters with real-valued weights, since their numbers of cases would be lost.
    """
    import narwhals as nw

    source: Any = nw.from_native(data)
    types = source.collect_schema()
    _check_columns(source, list(types), roles.items())
    whole = "weight" not in roles or types[roles["weight"]].is_integer()
    if not whole and any(role in KEYS for role in roles):
        return None
    frame = source.select(*(_column(role, name, whole) for role, name in roles.items()))
    summary = _summarise(frame, roles)
    by, sums = [_alias(role) for role in roles if role in (*LABELS, *KEYS)], [nw.len().alias(ROWS)]
    in_bins = "scores" in roles and (exact is False or (exact is None and summary["rows"] > EXACT_ROWS))
    if "scores" in roles:
        score, low, high = nw.col(_alias("scores")), float(summary["low"]), float(summary["high"])
        if threshold is None:
            threshold = default_threshold(low, high)
        elif types[roles["scores"]] == nw.Float32:
            threshold = float(np.float32(threshold))  # such as 0.7 in single precision
        bin_of = score
        if in_bins:
            bin_of = ScoreMap.of_range(low, high, threshold, lambda: _largest_finite(frame)).expression(score)
        frame = frame.with_columns(bin_of.alias(BIN))
        by, sums = [*by, BIN], [*sums, score.min().alias(LOW), score.max().alias(HIGH)]
    if "weight" in roles:
        weight = nw.col(_alias("weight"))
        frame = frame.filter(weight != 0).with_columns((weight * weight).alias(SQUARE))
        sums += [weight.sum().alias(TOTAL), nw.col(SQUARE).sum().alias(SQUARES)]
    counts = _collected(frame.group_by(*by).agg(*sums))
    rows = counts[ROWS].to_numpy()
    values = {role: counts[_alias(role)].to_native() for role in roles if role in (*LABELS, *KEYS)}
    values["weight"] = (counts[TOTAL].to_numpy() if "weight" in roles else rows).astype(np.int64 if whole else float)
    if not whole:
        values["square"] = counts[SQUARES].to_numpy().astype(float)
    if "scores" in roles:
        values["scores"], highest = (counts[name].to_numpy().astype(float) for name in (LOW, HIGH))
        if in_bins:
            values["scores"], values["tops"] = join_bins(counts[BIN].to_numpy(), values["scores"], highest)
        if "predicted" not in roles:
            values["threshold"] = threshold
    library = counts.implementation.value if counts.implementation.value in LIBRARIES else None
    repeated = () if "cluster" in roles else repeated_in_engine(source, roles.values())
    return EngineColumns(values, int(rows.sum()), library, repeated)


def _check_columns(frame: Any, columns: list[str], roles: Iterable[tuple[str, str]]) -> None:
    for role, name in roles:
        check_column(role, name, columns, "`data`")
    check_capitals(frame, columns, (name for _, name in roles))


def check_capitals(frame: Any, columns: list[str], names: Iterable[str]) -> None:
    """Reject names that the engine could confuse with those of other columns."""
    if frame.implementation.value not in CASE_SENSITIVE:
        refuse_alike(names, columns)


def _alias(role: str) -> str:
    return f"howsure_{role}"


def _column(role: str, name: str, whole: bool) -> Any:
    """Select a column under its alias, with the same type in all engines."""
    import narwhals as nw

    column = nw.col(name)
    if role == "scores":
        column = column.cast(nw.Float64)
    elif role == "weight":
        column = column.cast(nw.Int64 if whole else nw.Float64)
    return column.alias(_alias(role))


def count_labels(data: Any, truth: str, classifiers: Mapping[str, str], keys: Mapping[str, str]) -> EngineColumns:
    """Count the combinations of truth, classifiers' labels, and keys.

    In the result, the truth and the keys are given by role, and classifiers by name.
    """
    import narwhals as nw

    frame: Any = nw.from_native(data)
    roles = [("truth", truth), *(("predicted", name) for name in classifiers.values()), *keys.items()]
    _check_columns(frame, frame.collect_schema().names(), roles)
    aliases = {name: f"howsure_{index}" for index, name in enumerate(dict.fromkeys(name for _, name in roles))}
    frame = frame.select(*(nw.col(name).alias(alias) for name, alias in aliases.items()))
    counts = _collected(frame.group_by(*aliases.values()).agg(nw.len().alias(ROWS)))
    if not len(counts):
        raise HowsureError(EMPTY)
    for role, name in roles:
        column = counts[aliases[name]]
        missing = int(counts[ROWS].filter(column.is_null()).sum() or 0)
        if missing:
            _refuse_missing(role, name, counted(missing, "row"))
    rows = counts[ROWS].to_numpy().astype(np.int64)
    columns = {role: counts[aliases[name]].to_native() for role, name in {"truth": truth, **keys}.items()}
    columns["classifiers"] = {name: counts[aliases[column]].to_native() for name, column in classifiers.items()}
    return EngineColumns({**columns, "weight": rows}, int(rows.sum()), None)


def _summarise(frame: Any, roles: Mapping[str, str]) -> dict[str, Any]:
    """Return the number of rows and the ranges; reject missing values."""
    import narwhals as nw

    statistics = [nw.len().alias("rows")]
    for role in roles:
        column = nw.col(_alias(role))
        is_missing = column.is_null() | column.is_nan() if role == "scores" else column.is_null()
        statistics.append(is_missing.cast(nw.Int64).sum().alias(f"missing_{role}"))
        if role == "scores":
            statistics += [column.min().alias("low"), column.max().alias("high")]
        elif role == "weight":
            above = nw.when(column > 0).then(column).otherwise(None)
            statistics += [column.min().alias("least"), column.max().alias("most"), above.min().alias("smallest")]
    row = _collected(frame.select(*statistics))
    summary = {name: row[name].to_numpy()[0] for name in row.columns}
    if not summary["rows"]:
        raise HowsureError(EMPTY)
    for role, name in roles.items():
        if missing := int(summary[f"missing_{role}"] or 0):
            _refuse_missing(role, name, counted(missing, "row"))
    if "scores" in roles and np.isnan(float(summary["high"])):  # DuckDB may rely on file statistics, which ignore NaN
        _refuse_missing("scores", roles["scores"], "some rows")
    if "weight" in roles:
        _check_weights(roles["weight"], *(float(summary[name] or 0) for name in ("least", "smallest", "most")))
    return summary


def _largest_finite(frame: Any) -> float:
    import narwhals as nw

    size = nw.col(_alias("scores")).abs()
    finite = frame.select(size.alias(HIGH)).filter(nw.col(HIGH) <= LARGEST_FINITE)
    return float(_collected(finite.select(nw.col(HIGH).max()))[HIGH].to_numpy()[0] or 0)


def _check_weights(name: str, least: float, smallest: float, most: float) -> None:
    if not (np.isfinite(most) and least >= 0):
        raise HowsureError(f"`{name}` must be finite and non-negative, not {most if least >= 0 else least}.")
    if most == 0:
        raise HowsureError(f"`{name}` must have a value above 0; all are 0.")
    check_range(name, smallest, most)


def _refuse_missing(role: str, name: str, where: str) -> NoReturn:
    kind = "number" if role in NUMBERS else "label" if role in LABELS else role
    raise HowsureError(f"`{name}` has no {kind} in {where}; drop these rows or give them a {kind}.")


def _collected(frame: Any) -> Any:
    """Compute a lazy frame with a small result; Polars streams the data."""
    import narwhals as nw

    options = {"engine": "streaming"} if frame.implementation is nw.Implementation.POLARS else {}
    with _engine_errors():
        return frame.collect(**options)
