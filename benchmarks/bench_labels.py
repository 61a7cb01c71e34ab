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
    inputs: dict[str, Any] = {
        "object array, labels shared": names[codes],
        "object array, every label its own object": np.array([f"class_{i}" for i in codes.tolist()], dtype=object),
        "fixed-width text array": names.astype(str)[codes],
        "pandas text column": pd.Series(names[codes], dtype="str"),
        "pandas categorical column": pd.Series(pd.Categorical.from_codes(codes, names)),
        "whole numbers": codes,
    }
    rows = []
    for name, column in inputs.items():
        encoded = encode(column, "truth")
        assert [encoded.values[code] for code in encoded.codes[:100]] == list(column[:100])
        ours, theirs = partial(encode, column, "truth"), partial(pd.factorize, column)
        rows.append(
            compare(f"encode 10 million labels: {name}", ours, theirs, f"{peer('pandas')} factorize", 1, repeats=3)
        )
    return rows
