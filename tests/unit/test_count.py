"""Counts of cells, whatever the type of the codes."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.kernels import count
from howsure.kernels.count import count_cells


def one_by_one(columns, sizes, weight):
    total = np.zeros(sizes)
    for row, cell in enumerate(zip(*columns, strict=True)):
        total[cell] += 1 if weight is None else weight[row]
    return total


@pytest.mark.parametrize("sizes", [(2, 2), (1, 1), (15, 17), (6, 6, 6), (2, 100, 2), (255,)])
@pytest.mark.parametrize("rows", [0, 1, 2, 7, 100, 1001])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, np.int64])
def test_cells_are_counted_as_one_by_one(sizes, rows, dtype, monkeypatch):
    monkeypatch.setattr(count, "BLOCK", 32)
    rng = np.random.default_rng(rows)
    columns = [rng.integers(0, min(size, np.iinfo(dtype).max + 1), 2 * rows).astype(dtype)[::2] for size in sizes]
    counted = count_cells(columns, sizes)
    assert counted.dtype == np.int64
    assert np.array_equal(counted, one_by_one(columns, sizes, None))
    for weight in (rng.integers(0, 5, rows), rng.random(rows)):
        sums = count_cells(columns, sizes, weight)
        assert sums.dtype == weight.dtype
        np.testing.assert_allclose(sums, one_by_one(columns, sizes, weight), rtol=1e-12)


@pytest.mark.parametrize("column", [0, 1])
def test_a_code_below_zero_is_never_counted(column):
    columns = [np.zeros(10, np.int8), np.zeros(10, np.int8)]
    columns[column][5] = -1
    with pytest.raises(ValueError, match="negative"):
        count_cells(columns, (3, 3))
