"""Encoding: codes and values give back the labels of a column of any type."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import howsure
from howsure import HowsureError
from howsure.data.encode import MISSING, encode

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


N = 50_000


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


def test_fresh_objects():
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


BITS = {"int8": (-(2**7), 2**7 - 1), "int16": (-(2**15), 2**15 - 1), "int32": (-(2**31), 2**31 - 1),
        "int64": (-(2**63), 2**63 - 1), "uint8": (0, 2**8 - 1), "uint16": (0, 2**16 - 1), "uint32": (0, 2**32 - 1),
        "uint64": (0, 2**64 - 1)}  # fmt: skip
CONTAINERS = {
    "numpy": lambda labels, dtype: np.array(labels, dtype),
    "other byte order": lambda labels, dtype: np.array(labels, np.dtype(dtype).newbyteorder()),
    "every other": lambda labels, dtype: np.repeat(np.array(labels, dtype), 2)[::2],
    "list": lambda labels, dtype: list(np.array(labels, dtype)),
    "objects": lambda labels, dtype: np.array(labels, object),
    "pandas": lambda labels, dtype: pd.Series(labels, dtype=dtype),
    "pandas nullable": lambda labels, dtype: pd.Series(labels, dtype=dtype.replace("i", "I").replace("u", "U")),
    "pandas Arrow": lambda labels, dtype: pd.Series(labels, dtype=f"{dtype}[pyarrow]"),
    "polars": lambda labels, dtype: pl.Series(np.array(labels, dtype)),
    "Arrow": lambda labels, dtype: pa.array(labels, dtype),
    "Arrow chunks": lambda labels, dtype: pa.chunked_array([labels[:2], labels[2:]], type=dtype),
}


def spread(dtype):
    """Columns with the ends of the type, the middle, and both narrow and wide gaps."""
    low, high = BITS[dtype]
    middle = (low + high) // 2
    yield [low, high, low, middle]
    yield [low, low + 1, low]
    yield [high, high - 1, high]
    yield [low + 28, middle, high - 27, 100]  # for int8: -100, -1, 100, 100
    yield [middle - 50, middle + 50, middle + 51, middle - 50]


@pytest.mark.parametrize("n", [4, N])
@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_whole_numbers_of_every_size(container, dtype, n):
    for labels in spread(dtype):
        labels = (labels * (n // len(labels) + 1))[:n]
        assert decode(CONTAINERS[container](labels, dtype)) == labels


@pytest.mark.parametrize("dtype", ["Int64", "UInt64", "int64[pyarrow]"])
def test_large_whole_numbers_beside_a_gap(dtype):
    labels = [2**53 + 1, None, 2**53]
    assert decode(pd.Series(labels, dtype=dtype)) == labels
    assert decode(pl.Series(labels)) == labels
    assert decode([2**70, 2**70 + 1, None]) == [2**70, 2**70 + 1, None]


@given(st.sampled_from(list(BITS)), st.data())
@settings(max_examples=200)
def test_whole_numbers_of_any_spread(dtype, data):
    low, high = BITS[dtype]
    labels = data.draw(st.lists(st.integers(low, high), min_size=1))
    assert decode(np.array(labels, dtype)) == labels


@pytest.mark.parametrize("values", [np.array([2.0**53, 1]), np.array([2.0**24, 1], np.float32), pa.array([2.0**53])])
def test_real_numbers_that_may_stand_for_several_labels(values):
    with pytest.raises(HowsureError, match=r"^`truth` must not hold the real number [0-9.]+, which"):
        encode(values, "truth")


NO_COLUMNS = {
    "bytes": b"ab", "set": {1, 2}, "dict": {"a": 1}, "LazyFrame": pl.LazyFrame({"a": [1]}), "Int64Scalar": pa.scalar(1),
    "NAType": pd.NA, "None": None, "5": 5,
}  # fmt: skip


@pytest.mark.parametrize("name", NO_COLUMNS)
def test_what_is_no_column(name):
    with pytest.raises(HowsureError) as caught:
        encode(NO_COLUMNS[name], "truth")
    assert str(caught.value) == f"`truth` must be a column of labels, not {name}."


@pytest.mark.parametrize("column", [pa.array([[1], [2]]), pa.array([{"a": 1}]), pl.Series([[1]]), [[1], [2]]])
def test_what_is_no_label(column):
    with pytest.raises(HowsureError, match=r"^`truth` must hold text, whole numbers or booleans[,;] "):
        encode(column, "truth")


def test_categories_that_lack_a_class_do_not_put_it_last():
    """A matrix of costs is in the order of the classes; predictions often lack one."""
    truth, predicted = [0, 1, 2, 3, 2], pd.Series([0, 1, 3, 3, 0], dtype="category")
    costs = [[0, 1, 2, 3], [4, 0, 5, 6], [7, 8, 0, 9], [1, 2, 3, 0]]
    assessed = [howsure.assess(truth, column, costs=costs) for column in (predicted, predicted.tolist())]
    assert assessed[0].labels == assessed[1].labels == (0, 1, 2, 3)
    assert assessed[0]["mean_cost"].value == assessed[1]["mean_cost"].value == (9 + 7) / 5
    own = pd.Categorical(["high", "low"], categories=["low", "high"])
    assert howsure.assess(["high", "mid"], own).labels == ("low", "high", "mid")


NAMES = np.array(["beta", "Ümlaut", "alpha", "", "zz"])
TEXTS = {
    "polars String": lambda values: pl.Series(values, dtype=pl.String),
    "polars Categorical": lambda values: pl.Series(values, dtype=pl.String).cast(pl.Categorical),
    "polars Enum": lambda values: pl.Series(values, dtype=pl.Enum([*NAMES[::-1].tolist(), "unused"])),
    "pyarrow string": lambda values: pa.array(values, pa.string()),
    "pyarrow chunks": lambda values: pa.chunked_array([values[:7], values[7:]], pa.large_string()),
    "pyarrow dictionary": lambda values: pa.array(values, pa.string()).dictionary_encode(),
    "pyarrow dictionaries": lambda values: pa.chunked_array(
        [pa.array(some, pa.string()).dictionary_encode() for some in (values[:7], values[7:])]
    ),
    "pandas str": lambda values: pd.Series(values, dtype="str"),
    "pandas string": lambda values: pd.Series(values, dtype="string[pyarrow]"),
    "pandas Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas array": lambda values: pd.array(values, dtype="str"),
    "pandas categories": lambda values: pd.Series(values).astype(pd.CategoricalDtype([*NAMES[::-1], "unused"])),
}


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("n", [30, 20_000])
def test_text_of_data_frames(kind, n):
    values = [*NAMES[np.random.default_rng(n).integers(0, len(NAMES), n)].tolist(), "alpha", None, "zz"]
    column = TEXTS[kind](values)
    assert decode(column) == values
    assert np.issubdtype(encode(column, "truth").codes.dtype, np.signedinteger)
    with pytest.raises(HowsureError, match=rf"^`truth` has no label at index {n + 1}; "):
        howsure.assess(column, column)
    truth, predicted = values[:n], values[:n][::-1]
    expected = howsure.assess(truth, predicted)
    assessed = howsure.assess(TEXTS[kind](truth), TEXTS[kind](predicted))
    labels = [*NAMES[::-1], "unused"] if kind in ("polars Enum", "pandas categories") else sorted(NAMES)
    assert list(assessed.labels) == labels
    assert assessed["accuracy"].value == expected["accuracy"].value


@pytest.mark.parametrize("kind", ["polars String", "polars Categorical", "polars Enum", "pandas str"])
def test_a_column_of_missing_values_has_no_label(kind):
    encoded = encode(TEXTS[kind]([None, None]), "truth")
    assert encoded.codes.tolist() == [MISSING, MISSING]
    assert encoded.present() == []


def test_categories_of_other_columns_do_not_count():
    pl.Series([f"other {number}" for number in range(300)]).cast(pl.Categorical)
    encoded = encode(pl.Series(["b", None, "a", "b"]).cast(pl.Categorical), "truth")
    assert encoded.values == ["a", "b"]
    assert encoded.codes.tolist() == [1, MISSING, 0, 1]


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("rows", [4, 40_000])
def test_dictionaries_of_arrow_may_have_any_whole_numbers(signed, bits, rows):
    """Those of Polars are unsigned, and unsigned numbers have none for a missing label."""
    kind = getattr(pa, f"{'' if signed else 'u'}int{bits}")()
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, 1] * (rows // 4), kind), ["b", "a"])
    assert howsure.assess(column, column).confusion.counts.tolist() == [[3 * rows // 4, 0], [0, rows // 4]]
    missing = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 1] * (rows // 4), kind), ["b", "a"])
    with pytest.raises(HowsureError, match=r"^`predicted` has no label at index 1"):
        howsure.assess(column, missing)


@pytest.mark.parametrize("kind", ["pandas str", "pandas string", "pandas Arrow"])
def test_text_of_pandas_with_another_index_is_refused(kind):
    truth, predicted = TEXTS[kind](["a", "b", "a"]), TEXTS[kind](["a", "b", "a"])
    predicted.index = pd.Index([4, 5, 6])
    with pytest.raises(HowsureError, match=r"^`truth` and `predicted` have different indexes, \(0, 1, ...\) and"):
        howsure.assess(truth, predicted)
