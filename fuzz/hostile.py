"""Invalid or unusual values, created anew for each use."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa


class Odd:
    """An object without any behaviour."""

    def __repr__(self) -> str:
        return "Odd()"


SMALL_HOSTILE: list[Callable[[], Any]] = [
    lambda: None, lambda: True, lambda: 0, lambda: -1, lambda: 0.5, lambda: math.nan, lambda: math.inf, lambda: 1j,
    lambda: "", lambda: "text", lambda: "\x1b[31m", lambda: b"bytes", list, dict, set, Odd, lambda: object,
    lambda: [1, 2, 3], lambda: ["a"], lambda: [None], lambda: np.array([]), lambda: np.array(3),
    lambda: np.float32(0.5), lambda: np.int8(3), lambda: np.bool_(True), lambda: decimal.Decimal("0.5"),
    lambda: dt.date(2020, 1, 1), lambda: np.datetime64("2020-01-01"), lambda: slice(3),
    lambda: (i for i in range(3)), lambda: lambda: 1, lambda: [[1, 2], [3]], lambda: float, lambda: "1",
    lambda: np.nan,
]  # fmt: skip
HOSTILE: list[Callable[[], Any]] = [
    *SMALL_HOSTILE, lambda: 10**30, lambda: -(10**30), lambda: 1e308, lambda: -1e308, lambda: 5e-324, lambda: 2**53,
    lambda: 2**63, lambda: 10**400, lambda: [math.nan] * 5, lambda: [math.inf, 1.0, 2.0], lambda: [1, "a", None],
    lambda: np.zeros((0, 3)), lambda: np.zeros((2, 2, 2)), lambda: np.array([1 + 2j, 3]),
    lambda: np.array([1, 2, 3], dtype=object), lambda: np.array(["a", "b"]), lambda: "x" * 10_000,
    lambda: np.array([1.0, 2.0, 3.0], dtype=">f8"), lambda: np.ma.masked_array([1, 2, 3], [False, True, False]),
    lambda: pd.Series([1, None]), lambda: pd.DataFrame({"a": [1, 2], "b": [3, 4]}), lambda: pl.Series([1, 2, None]),
    lambda: pl.DataFrame({"a": [1]}), lambda: pa.array([1, None]), lambda: pa.table({"a": [1]}),
    lambda: [True, False], lambda: {"a": 1}, lambda: {1: 2, "1": 3}, lambda: np.array([127, -128], np.int8),
    lambda: np.float64("nan"), lambda: memoryview(b"abc"), lambda: range(5), lambda: "\0", lambda: "a\nb",
    lambda: pd.NaT, lambda: pd.NA, lambda: np.array([], dtype=object), lambda: [[]],
    lambda: np.array(["2020"], "M8[D]"),
]  # fmt: skip
