"""Large columns of text are counted by their library, with the results of any other column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import howsure
from howsure.data.read.text_counts import LARGE, count_text

N = LARGE + 7
RNG = np.random.default_rng(4)
TRUTH = np.array(["ham", "spam", "Ham", "eggs"])[RNG.choice(4, N, p=[0.5, 0.3, 0.19, 0.01])]
PREDICTED = np.where(RNG.random(N) < 0.8, TRUTH, "ham")
MAKERS = {
    "polars": lambda column: pl.Series(column.tolist()),
    "pyarrow": lambda column: pa.array(column.tolist()),
    "large pyarrow": lambda column: pa.chunked_array([column[:50].tolist(), column[50:].tolist()], pa.large_string()),
    "pandas": lambda column: pd.Series(pa.array(column.tolist()), dtype=pd.StringDtype("pyarrow")),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_counts_are_those_of_the_rows(make):
    truth, predicted = make(TRUTH), make(PREDICTED)
    counts = count_text({"truth": truth, "predicted": predicted}, {})
    assert counts["weight"].sum() == N
    assert len(counts["truth"]) == 7
    result, expected = howsure.assess(truth, predicted), howsure.assess(TRUTH, PREDICTED)
    assert result.to_dict() == expected.to_dict()
    groups = make(np.where(np.arange(N) % 3, "a", "b"))
    by = howsure.assess(truth, predicted, by=groups)
    assert by.to_dict() == howsure.assess(TRUTH, PREDICTED, by=np.where(np.arange(N) % 3, "a", "b")).to_dict()


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_comparison_keeps_the_rows(make):
    other = np.where(RNG.random(N) < 0.7, TRUTH, "ham")
    pairs = [{"a": column(PREDICTED), "b": column(other)} for column in (make, np.asarray)]
    results = [howsure.compare(column(TRUTH), pair) for column, pair in zip((make, np.asarray), pairs, strict=True)]
    assert results[0].to_dict() == results[1].to_dict()


def test_other_columns_are_returned_unchanged():
    truth, predicted = pl.Series(TRUTH.tolist()), pl.Series(PREDICTED.tolist())
    missing = predicted.clone().scatter(5, None)
    columns = [
        {"truth": truth, "predicted": missing},
        {"truth": truth, "predicted": predicted, "weight": np.ones(N)},
        {"truth": truth, "predicted": predicted[:-1]},
        {"truth": truth[:50], "predicted": predicted[:50]},
        {"truth": truth, "predicted": pa.array(PREDICTED.tolist())},
    ]
    assert all(count_text(some, {}) == some for some in columns)
    with pytest.raises(howsure.HowsureError, match="at index 5"):
        howsure.assess(truth, missing)


def test_different_indexes_are_an_error():
    truth, predicted = (MAKERS["pandas"](column) for column in (TRUTH, PREDICTED))
    with pytest.raises(howsure.HowsureError, match="index"):
        howsure.assess(truth, predicted.sort_values())
