"""Encoding: whatever the type and the path taken, codes and values say what was given."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.encode import MISSING, encode

LABELS = st.one_of(
    st.lists(st.text(max_size=5)),
    st.lists(st.integers(-5, 5)),
    st.lists(st.integers(-(2**62), 2**62)),
    st.lists(st.booleans()),
    st.lists(st.one_of(st.none(), st.text(max_size=2))),
)


def decode(column):
    encoded = encode(column, "truth")
    assert len(set(encoded.values)) == len(encoded.values)
    return [None if code == MISSING else encoded.values[code] for code in encoded.codes.tolist()]


@given(LABELS)
@settings(max_examples=200)
def test_round_trip_of_lists(labels):
    assert decode(labels) == labels
    assert decode(tuple(labels)) == labels


@given(st.one_of(st.lists(st.text(max_size=5)), st.lists(st.integers(-5, 5)), st.lists(st.booleans())))
@settings(max_examples=100)
def test_round_trip_of_frames(labels):
    assert decode(pd.Series(labels, dtype=object)) == labels
    if labels:
        assert decode(pl.Series(labels)) == labels
        assert decode(pa.array(labels)) == labels
        assert decode(pa.chunked_array([labels[:1], labels[1:]], type=pa.array(labels).type)) == labels


N = 50_000  # enough for the paths that large columns take


def large(kind, k):
    rng = np.random.default_rng(k)
    codes = rng.integers(0, k, N)
    names = {
        "text": np.array([f"label {i}" for i in range(k)]),
        "long text": np.array([f"a long label with the number {i} in it" for i in range(k)]),
        "bytes": np.array([f"b{i}".encode() for i in range(k)]),
        "small": np.arange(k) - 3,
        "wide": rng.integers(-(2**62), 2**62, k),
        "unsigned": np.arange(k, dtype=np.uint8 if k < 256 else np.uint32),
        "shared objects": np.array([f"label {i}" for i in range(k)], dtype=object),
    }
    return names[kind][codes]


@pytest.mark.parametrize("k", [1, 2, 10, 1000, 6000])
@pytest.mark.parametrize("kind", ["text", "long text", "bytes", "small", "wide", "unsigned", "shared objects"])
def test_large_columns(kind, k):
    column = large(kind, k)
    expected = [value.decode() if isinstance(value, bytes) else value for value in column.tolist()]
    assert decode(column) == expected


@pytest.mark.parametrize("with_pandas", [True, False])
def test_fresh_objects(with_pandas, monkeypatch):
    if not with_pandas:
        monkeypatch.delitem(sys.modules, "pandas")
    column = np.array([f"label {i % 7}" for i in range(N)], dtype=object)
    column[5] = None
    assert decode(column) == column.tolist()


def test_late_labels_and_missing_objects():
    column = np.array(["a"] * N, dtype=object)
    column[-1], column[40_000], column[7] = "b", "c", np.nan
    assert decode(column)[-1] == "b"
    assert decode(column)[40_000] == "c"
    assert decode(column)[7] is None
    text = np.array(["a"] * N, dtype="U3")
    text[-1] = "zzz"
    assert decode(text) == text.tolist()


def test_colliding_hashes_are_noticed(monkeypatch):
    from assay.data import encode as module

    monkeypatch.setattr(module, "_multipliers", lambda count: np.zeros(count, np.uint64))  # every text hashes to 0
    column = large("text", 10)
    assert decode(column) == column.tolist()


def test_real_numbers_that_are_whole():
    assert decode(np.array([1.0, 0.0, np.nan, 1.0])) == [1, 0, None, 1]
    assert decode([1.0, 0.0, 1]) == [1, 0, 1]
    assert decode(np.array([5.0, np.nan])) == [5, None]
    assert all(isinstance(value, int) for value in encode([1.0, 2.0], "truth").values)


def test_categories_keep_their_order():
    column = pd.Series(pd.Categorical(["lo", "hi", "lo"], categories=["lo", "mid", "hi"]))
    assert encode(column, "truth").values == ["lo", "mid", "hi"]
    assert decode(column) == ["lo", "hi", "lo"]
    assert encode(pl.Series(["lo", "hi"], dtype=pl.Enum(["lo", "mid", "hi"])), "truth").values == ["lo", "mid", "hi"]
    assert decode(pl.Series(["b", "a", None], dtype=pl.Categorical)) == ["b", "a", None]
    assert decode(pl.Series([1, None, 3])) == [1, None, 3]
    assert decode(pd.Series([1, None, 3], dtype="Int64")) == [1, None, 3]
    assert decode(pd.Series([True, None], dtype="boolean")) == [True, None]
    assert decode(pa.array(["x", None, "y"]).dictionary_encode()) == ["x", None, "y"]
    assert decode(pd.Index(["x", "y"])) == ["x", "y"]
    assert decode(iter(["x", "y"])) == ["x", "y"]
    assert decode(np.array([["x"], ["y"]])) == ["x", "y"]


def test_half_floats_are_labels_like_any_others():
    encoded = encode(np.array([1.0, 0.0, 1.0], np.float16), "truth")
    assert (encoded.values, encoded.codes.tolist()) == ([0, 1], [1, 0, 1])
