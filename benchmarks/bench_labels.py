"""Encoding of 10 million labels, compared with ``pandas.factorize``."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.measure import Comparison, compare, peer
from howsure.data.encode import encode

N = 10_000_000
K = 10


def run() -> list[Comparison]:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, K, N)
    names = np.array([f"class_{i}" for i in range(K)], dtype=object)
    inputs: dict[str, tuple[Any, float]] = {
        "object array, labels shared": (names[codes], 0.5),
        "object array, every label its own object": (np.array([f"class_{i}" for i in codes.tolist()], object), 0.4),
        "fixed-width text array": (names.astype(str)[codes], 0.8),
        "pandas text column": (pd.Series(names[codes], dtype="str"), 0.8),
        "pandas categorical column": (pd.Series(pd.Categorical.from_codes(codes, names)), 1),
        "whole numbers": (codes, 1),
    }
    rows = []
    for name, (column, wanted) in inputs.items():
        encoded = encode(column, "truth")
        assert [encoded.values[code] for code in encoded.codes[:100]] == list(column[:100])
        ours, theirs = partial(encode, column, "truth"), partial(pd.factorize, column)
        rows.append(
            compare(f"encode 10 million labels: {name}", ours, theirs, f"{peer('pandas')} factorize", wanted, repeats=3)
        )
    return rows
