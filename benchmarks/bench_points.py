"""Points of a curve of a million scores as a data frame and as CSV, compared with pandas."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

import howsure
from benchmarks.measure import Comparison, compare, peer

N = 1_000_000


def run() -> list[Comparison]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, N)
    curve = howsure.assess(truth, scores=rng.random(N) / 2 + truth * 0.3).roc()
    columns = curve.columns()
    frame = pd.DataFrame(columns)
    peers = {name: f"{peer('pandas')} DataFrame of the columns" for name in ("pandas", "polars", "pyarrow")}
    rows = [
        compare(f"a million points as a frame of {library}", partial(curve.frame, library), _framed(columns), name, 0.1)
        for library, name in peers.items()
    ]
    assert curve.to_csv().splitlines()[1:3] == ["0.0,0.0,inf", _line(frame.iloc[1])]
    written = partial(frame.to_csv, index=False)
    rows.append(compare("a million points as CSV", curve.to_csv, written, f"{peer('pandas')} to_csv", 2, repeats=3))
    return rows


def _framed(columns: dict[str, howsure.arrays.Array]) -> partial[pd.DataFrame]:
    return partial(pd.DataFrame, columns)


def _line(row: pd.Series) -> str:
    return ",".join(repr(float(value)) for value in row)
