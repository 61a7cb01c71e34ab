"""Assessment of 10 million labels in data frames, compared with the group-by of the library."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import howsure
from benchmarks.measure import Comparison, compare, peer
from howsure.arrays import Array

N = 10_000_000
K = 5
NAMES = [f"class_{number}" for number in range(K)]


def run() -> list[Comparison]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, K, N)
    predicted = np.where(rng.random(N) < 0.8, truth, rng.integers(0, K, N))
    rows = []
    for kind, (make, library, wanted) in KINDS.items():
        pair = {"truth": make(truth), "predicted": make(predicted)}
        counted = partial(COUNTERS[library], pair)
        assert howsure.assess(**pair).confusion.counts.sum() == N
        name = f"{peer(library)} group-by"
        rows.append(compare(f"assess 10 million labels: {kind}", partial(_assessed, pair), counted, name, wanted))
    return rows


def _assessed(pair: dict[str, Any]) -> howsure.Assessment:
    return howsure.assess(pair["truth"], pair["predicted"])


def _text(codes: Array) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes), NAMES).cast(pa.string())


# How a column is made from codes, the library, and the promised ratio. A column is encoded by its library and the codes
# are counted, which takes longer than a group-by of text, but less time than one of categories.
KINDS: dict[str, tuple[Callable[[Array], Any], str, float]] = {
    "polars String": (lambda codes: pl.Series(_text(codes)), "polars", 0.8),
    "polars Categorical": (lambda codes: pl.Series(_text(codes)).cast(pl.Categorical), "polars", 0.1),
    "polars Enum": (lambda codes: pl.Series(_text(codes)).cast(pl.Enum(NAMES)), "polars", 0.7),
    "pyarrow string": (_text, "pyarrow", 0.8),
    "pyarrow dictionary": (lambda codes: _text(codes).dictionary_encode(), "pyarrow", 0.9),
    "pandas object": (lambda codes: pd.Series(np.array(NAMES, object)[codes], dtype=object), "pandas", 0.6),
    "pandas string": (lambda codes: pd.Series(_text(codes), dtype="str"), "pandas", 2),
    "pandas categorical": (lambda codes: pd.Series(pd.Categorical.from_codes(codes, NAMES)), "pandas", 5),
}
COUNTERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "polars": lambda pair: pl.DataFrame(pair).group_by("truth", "predicted").len(),
    "pyarrow": lambda pair: pa.table(pair).group_by(["truth", "predicted"]).aggregate([([], "count_all")]),
    "pandas": lambda pair: pd.DataFrame(pair).groupby(["truth", "predicted"], observed=True, sort=False).size(),
}
