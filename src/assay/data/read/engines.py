"""Data that stay where they are: lazy frames of Polars, DuckDB, Ibis, Dask and Spark are counted by their engine.

What comes out are the distinct combinations of labels, keys and score, or bin of a score, each with the number of its
cases. One pass looks at the range of the numbers and for what is missing, a second one counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from assay.data.encode import LIBRARIES
from assay.data.predictions import KEYS, LABELS, check_range
from assay.data.read.column_names import check_column
from assay.data.read.identifiers import repeated_in_engine
from assay.data.scores import EXACT_ROWS, default_threshold
from assay.errors import AssayError, counted
from assay.kernels.score_bins import ScoreMap, join_bins


@dataclass(frozen=True)
class EngineColumns:
    """Distinct combinations by role, in the engine's own form, and how many rows there were."""

    columns: dict[str, Any]
    rows: int
    library: str | None
    repeated: tuple[str, ...] = ()  # columns that look like identifiers, with values that repeat


def is_engine(data: Any) -> bool:
    """Tell whether data are those of an engine, which need not be read to be counted."""
    import narwhals as nw

    return isinstance(nw.from_native(as_frame(data), pass_through=True), nw.LazyFrame)


def as_frame(data: Any) -> Any:
    """Let a connection of DuckDB with a query, a data set or batches of Arrow be what Narwhals knows."""
    root = type(data).__module__.partition(".")[0]
    if isinstance(data, tuple) and len(data) == 2 and hasattr(data[0], "sql") and isinstance(data[1], str):
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
        import duckdb

        return duckdb.connect(":memory:").from_arrow(data)
    return data


def count_engine(
    data: Any, roles: Mapping[str, Any], threshold: float | None = None, exact: bool | None = None
) -> EngineColumns | None:
    """Count the named columns of a lazy frame.

    None where groups, folds or clusters have real-valued weights: how many cases each has would be lost.
    """
    import narwhals as nw

    source: Any = nw.from_native(as_frame(data))
    columns = source.collect_schema()
    for role, name in roles.items():
        check_column(role, name, list(columns), "`data`")
    whole = "weight" in roles and columns[roles["weight"]].is_integer()
    if "weight" in roles and not whole and any(role in KEYS for role in roles):
        return None
    aliases = {role: f"assay_{role}" for role in roles}
    chosen = []
    for role, alias in aliases.items():
        column = nw.col(roles[role])
        chosen.append((column.cast(nw.Float64) if role == "scores" else column).alias(alias))
    frame = source.select(*chosen)
    if "weight" in roles:
        frame = frame.with_columns(nw.col(aliases["weight"]).cast(nw.Int64 if whole else nw.Float64))
    seen = _survey(frame, aliases, roles)
    if "weight" in roles:
        frame = frame.filter(nw.col(aliases["weight"]) != 0)
    by = [alias for role, alias in aliases.items() if role in (*LABELS, *KEYS)]
    sums: list[Any] = [nw.len().alias("assay_rows")]
    score_map = None
    if "scores" in roles:
        low, high = float(seen["low"]), float(seen["high"])
        if threshold is None:
            threshold = default_threshold(low, high)
        elif columns[roles["scores"]] == nw.Float32:
            threshold = float(np.float32(threshold))  # 0.7 as single precision has it
        place = nw.col(aliases["scores"])
        if exact is False or (exact is None and seen["rows"] > EXACT_ROWS):
            score_map = ScoreMap.of_range(low, high, threshold)
            place = score_map.expression(place)
        frame = frame.with_columns(place.alias("assay_place"))
        by.append("assay_place")
        sums += [
            nw.col(aliases["scores"]).min().alias("assay_low"),
            nw.col(aliases["scores"]).max().alias("assay_high"),
        ]
    if "weight" in roles:
        weight = nw.col(aliases["weight"])
        frame = frame.with_columns((weight * weight).alias("assay_square"))
        sums += [weight.sum().alias("assay_sum"), nw.col("assay_square").sum().alias("assay_squares")]
    found = _collected(frame.group_by(*by).agg(*sums))
    if not len(found):
        raise AssayError("`data` must hold at least one case with a weight above 0, and has none.")
    values = {role: found[alias].to_native() for role, alias in aliases.items() if role in (*LABELS, *KEYS)}
    rows = found["assay_rows"].to_numpy()
    values["weight"] = (found["assay_sum"].to_numpy() if "weight" in roles else rows).astype(
        float if "weight" in roles and not whole else np.int64
    )
    if "weight" in roles and not whole:
        values["square"] = found["assay_squares"].to_numpy().astype(float)
    if "scores" in roles:
        lowest, highest = (found[name].to_numpy().astype(float) for name in ("assay_low", "assay_high"))
        if score_map is not None:
            lowest, values["tops"] = join_bins(found["assay_place"].to_numpy(), lowest, highest)
        values["scores"] = lowest
        if "predicted" not in roles:
            values["threshold"] = threshold
    library = found.implementation.value
    repeated = () if "cluster" in roles else repeated_in_engine(source, roles.values())
    return EngineColumns(values, int(rows.sum()), library if library in LIBRARIES else None, repeated)


def count_labels(data: Any, truth: str, classifiers: Mapping[str, str], keys: Mapping[str, str]) -> EngineColumns:
    """Count the combinations of the truth, the labels of several classifiers, and keys: what paired tables are made of.

    Columns come back by role, those of the classifiers by their names.
    """
    import narwhals as nw

    frame: Any = nw.from_native(as_frame(data))
    roles = [("truth", truth), *(("predicted", name) for name in classifiers.values()), *keys.items()]
    known = frame.collect_schema().names()
    for role, name in roles:
        check_column(role, name, known, "`data`")
    aliases = {name: f"assay_{index}" for index, name in enumerate(dict.fromkeys(name for _, name in roles))}
    frame = frame.select(*(nw.col(name).alias(alias) for name, alias in aliases.items()))
    found = _collected(frame.group_by(*aliases.values()).agg(nw.len().alias("assay_rows")))
    if not len(found):
        raise AssayError("`data` must hold at least one case, and it is empty.")
    for role, name in roles:
        column = found[aliases[name]]
        missing = int(found["assay_rows"].filter(column.is_null()).sum() or 0)
        if missing:
            _refuse_missing(name, "label" if role in LABELS else role, missing)
    rows = found["assay_rows"].to_numpy().astype(np.int64)
    of_roles = {"truth": truth, **keys}
    columns = {role: found[aliases[name]].to_native() for role, name in of_roles.items()}
    columns["classifiers"] = {name: found[aliases[column]].to_native() for name, column in classifiers.items()}
    return EngineColumns({**columns, "weight": rows}, int(rows.sum()), None)


def _refuse_missing(name: str, kind: str, rows: int) -> NoReturn:
    raise AssayError(f"`{name}` has no {kind} in {counted(rows, 'row')}; drop these rows or give them a {kind}.")


def _survey(frame: Any, aliases: Mapping[str, str], roles: Mapping[str, Any]) -> dict[str, Any]:
    """Look at all rows once: how many there are, the range of the numbers, and what is missing."""
    import narwhals as nw

    looks = [nw.len().alias("rows")]
    for role, alias in aliases.items():
        column = nw.col(alias)
        is_missing = column.is_null() | column.is_nan() if role == "scores" else column.is_null()
        looks.append(is_missing.cast(nw.Int64).sum().alias(f"missing_{role}"))
        if role == "scores":
            looks += [column.min().alias("low"), column.max().alias("high")]
        if role == "weight":
            looks += [column.min().alias("least"), column.max().alias("most")]
            looks.append(nw.when(column > 0).then(column).otherwise(None).min().alias("smallest"))
    found = _collected(frame.select(*looks))
    seen = {name: found[name].to_numpy()[0] for name in found.columns}
    if not seen["rows"]:
        raise AssayError("`data` must hold at least one case, and it is empty.")
    for role in aliases:
        missing = int(seen[f"missing_{role}"] or 0)
        if missing:
            kind = "number" if role in ("scores", "weight") else "label" if role in LABELS else role
            _refuse_missing(roles[role], kind, missing)
    if "scores" in aliases and np.isnan(float(seen["high"])):  # DuckDB takes `is_nan` for false where a file says so
        raise AssayError(f"`{roles['scores']}` has no number in some rows; drop these rows or give them a number.")
    if "weight" in aliases:
        least, most = float(seen["least"]), float(seen["most"])
        if not (np.isfinite(most) and least >= 0):
            raise AssayError(
                f"`{roles['weight']}` must be finite and not negative, not {most if least >= 0 else least}."
            )
        if most == 0:
            raise AssayError(f"`{roles['weight']}` must have a value above 0; all are 0.")
        check_range(roles["weight"], float(seen["smallest"]), most)
    return seen


def _collected(frame: Any) -> Any:
    """Compute a lazy frame, which is small by then; Polars streams."""
    import narwhals as nw

    options = {"engine": "streaming"} if frame.implementation is nw.Implementation.POLARS else {}
    return frame.collect(**options)
