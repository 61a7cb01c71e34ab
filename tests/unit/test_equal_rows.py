"""Labels in data frames are counted by the library, or by its numbers, and give what they gave one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import howsure
from howsure.data import encode as encoding
from howsure.data.encode import MISSING, encode
from howsure.data.read import equal_rows
from howsure.data.read.equal_rows import count_rows

NAMES = np.array(["beta", "Ümlaut", "alpha", "", "zz"])
KINDS: dict[str, Any] = {
    "polars String": lambda values: pl.Series(values, dtype=pl.String),
    "polars Categorical": lambda values: pl.Series(values, dtype=pl.String).cast(pl.Categorical),
    "polars Enum": lambda values: pl.Series(values, dtype=pl.Enum([*NAMES[::-1].tolist(), "unused"])),
    "pyarrow string": lambda values: pa.array(values, pa.string()),
    "pyarrow chunks": lambda values: pa.chunked_array([values[:7], values[7:]], pa.large_string()),
    "pyarrow dictionary": lambda values: pa.array(values, pa.string()).dictionary_encode(),
    "pyarrow dictionary in a chunk": lambda values: pa.chunked_array(
        [pa.array(values, pa.string()).dictionary_encode()]
    ),
    "pyarrow dictionaries": lambda values: pa.chunked_array(
        [pa.array(some, pa.string()).dictionary_encode() for some in (values[:7], values[7:])]
    ),
    "pandas str": lambda values: pd.Series(values, dtype="str"),
    "pandas string": lambda values: pd.Series(values, dtype="string[pyarrow]"),
    "pandas Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas array": lambda values: pd.array(values, dtype="str"),
    "pandas categories": lambda values: pd.Series(values).astype(pd.CategoricalDtype([*NAMES[::-1], "unused"])),
}
AS_THEY_ARE = {"pyarrow dictionaries", "pandas categories"}  # which are numbered as quickly, or not alike
if int(pd.__version__.partition(".")[0]) < 3:  # where such text is Python's
    AS_THEY_ARE |= {"pandas str", "pandas array"}


def texts(n: int, seed: int) -> list[str]:
    return list(NAMES[np.random.default_rng(seed).integers(0, len(NAMES), n)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", [False, True])
def test_counted_rows_give_what_all_rows_give(kind: str, by: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    make, n = KINDS[kind], 300
    truth, predicted, group = (make(texts(n, seed)) for seed in (1, 2, 3))
    options = {"by": group} if by else {}
    one_by_one = howsure.assess(truth, predicted, **options)
    monkeypatch.setattr(equal_rows, "SMALL", 10)
    counted = howsure.assess(truth, predicted, **options)
    assert counted.to_dict() == one_by_one.to_dict()
    assert counted.text() == one_by_one.text()
    assert type(counted.frame()) is type(one_by_one.frame())


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_counted_indeed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equal_rows, "SMALL", 10)
    columns = {"truth": KINDS[kind](texts(200, 1)), "predicted": KINDS[kind](texts(200, 2)), "scores": None}
    counted = count_rows(columns, {})
    if kind in AS_THEY_ARE:
        assert counted == columns
        return
    assert len(counted["truth"]) == len(counted["predicted"]) == len(counted["weight"]) <= len(NAMES) ** 2
    assert counted["weight"].sum() == 200


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_numbers_of_categories_are_counted_without_a_group_by(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One category comes late, and others not at all."""
    monkeypatch.setattr(equal_rows, "SMALL", 10)
    without = replace(equal_rows.LIBRARIES[library], count=lambda columns: pytest.fail("grouped"))
    monkeypatch.setitem(equal_rows.LIBRARIES, library, without)
    codes = np.array([1, 3] * 20 + [2])
    values = ["unused", "b", "c", "a"]
    if library == "polars":
        column: Any = pl.Series([values[code] for code in codes], dtype=pl.Enum(values))
    else:
        column = pa.DictionaryArray.from_arrays(pa.array(codes, pa.uint8()), values)
    counted = count_rows({"truth": column, "predicted": column}, {})
    labels = [str(value) for value in counted["truth"].to_pylist()] if library == "pyarrow" else list(counted["truth"])
    assert dict(zip(labels, counted["weight"].tolist(), strict=True)) == {"b": 20, "c": 1, "a": 20}
    assert howsure.assess(column, column).confusion.n == 41


def test_categories_are_counted_by_numbers_that_begin_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of newer versions of Polars do while other columns have categories too."""
    monkeypatch.setattr(equal_rows, "SMALL", 10)
    without = replace(equal_rows.POLARS, count=lambda columns: pytest.fail("grouped"))
    monkeypatch.setitem(equal_rows.LIBRARIES, "polars", without)
    others = pl.Series([f"another {number}" for number in range(300)]).cast(pl.Categorical)
    column = pl.Series(["late", "later", "late"] * 10).cast(pl.Categorical)
    counted = count_rows({"truth": column, "predicted": column}, {})
    assert dict(zip(counted["truth"], counted["weight"].tolist(), strict=True)) == {"late": 20, "later": 10}
    assert len(others) == 300


def test_categories_with_a_missing_one_or_far_apart_are_not_counted_by_their_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(equal_rows, "SMALL", 4)
    monkeypatch.setattr(equal_rows, "count_cells", lambda *columns: pytest.fail("counted"))
    for kind in ("polars Categorical", "polars Enum", "pyarrow dictionary"):
        column = KINDS[kind](["alpha", "beta", None, "beta"])
        columns = {"truth": column, "predicted": column}
        assert count_rows(columns, {}) == columns
    holding_none = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1]), ["alpha", "beta", None])
    columns = {"truth": holding_none, "predicted": holding_none}
    assert count_rows(columns, {}) == columns
    far_apart = pa.DictionaryArray.from_arrays(pa.array([0, 99_999] * 2), [str(number) for number in range(100_000)])
    columns = {"truth": far_apart, "predicted": far_apart}
    assert count_rows(columns, {}) == columns


def test_numbers_of_very_many_categories_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equal_rows, "SMALL", 10)
    column = pl.Series([f"class {number}" for number in range(16)] * 3, dtype=pl.Categorical)
    counted = count_rows({"truth": column, "predicted": column}, {})
    assert sorted(counted["truth"].to_list()) == sorted(set(column.to_list()))
    assert counted["weight"].tolist() == [3] * 16


@pytest.mark.parametrize("kind", ["pandas str", "pandas string", "pandas Arrow"])
def test_texts_of_pandas_with_one_missing_or_another_index_are_refused(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(equal_rows, "SMALL", 3)
    make = KINDS[kind]
    with pytest.raises(howsure.HowsureError, match=r"^`truth` has no label at index 2; "):
        howsure.assess(make(["a", "b", None, "b"]), make(["a", "b", "a", "b"]))
    other = make(["a", "b", "a", "b"])
    other.index = pd.Index([4, 5, 6, 7])
    frame = {"truth": make(["a", "b", "a", "b"]), "predicted": other}
    with pytest.raises(
        howsure.HowsureError, match=r"^`truth` and `predicted` have different indexes, \(0, 1, ...\) and"
    ):
        howsure.assess(**frame)


@pytest.mark.parametrize(
    "change",
    [
        {"weight": np.ones(200)},
        {"scores": np.ones(200)},
        {"cluster": np.arange(200)},
        {"predicted": None},
        {"predicted": texts(200, 2)},
        {"predicted": pl.Series([None, *texts(199, 2)])},
        {"predicted": pl.Series(texts(199, 2))},
        {"group": pl.Series(np.arange(200.0))},
    ],
)
def test_rows_with_more_to_them_stay_as_they_are(change: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equal_rows, "SMALL", 10)
    columns = {"truth": pl.Series(texts(200, 1)), "predicted": pl.Series(texts(200, 2)), **change}
    assert count_rows(columns, {}) == columns


def test_a_missing_label_is_found_in_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equal_rows, "SMALL", 3)
    with pytest.raises(howsure.HowsureError) as refused:
        howsure.assess(pl.Series(["a", "b", "a", None]), pl.Series(["a", "b", "a", "b"]))
    assert str(refused.value) == "`truth` has no label at index 3; drop these rows or give them a label."


def test_classifiers_are_compared_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({name: texts(300, seed) for seed, name in enumerate(("y", "one", "other"))})
    before = howsure.compare("y", ["one", "other"], data=frame).to_dict()
    monkeypatch.setattr(equal_rows, "SMALL", 10)
    assert howsure.compare("y", ["one", "other"], data=frame).to_dict() == before


@pytest.mark.parametrize("kind", ["polars String", "polars Categorical", "polars Enum"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("rare", [False, True])
def test_texts_of_polars_are_numbered_in_their_order(
    kind: str, missing: bool, rare: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "SMALL", 20)
    values: list[str | None] = ["beta", "alpha"] * 20 + (["zz"] if rare else []) + ([None] if missing else [])
    encoded = encode(KINDS[kind](values), "truth")
    if kind == "polars Enum":
        assert encoded.ordered
    else:
        assert encoded.values == sorted({value for value in values if value is not None})
    assert [None if code == MISSING else encoded.values[code] for code in encoded.codes] == values
    assert np.issubdtype(encoded.codes.dtype, np.signedinteger)


@pytest.mark.parametrize("kind", ["polars String", "polars Categorical", "polars Enum"])
def test_a_column_of_nothing_has_no_label(kind: str) -> None:
    encoded = encode(KINDS[kind]([None, None]), "truth")
    assert encoded.codes.tolist() == [MISSING, MISSING]
    assert encoded.present() == []


def test_categories_that_other_columns_have_do_not_count() -> None:
    pl.Series([f"other {number}" for number in range(300)]).cast(pl.Categorical)
    encoded = encode(pl.Series(["b", None, "a", "b"]).cast(pl.Categorical), "truth")
    assert encoded.values == ["a", "b"]
    assert encoded.codes.tolist() == [1, MISSING, 0, 1]


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("rows", [4, 40_000])
def test_dictionaries_of_arrow_may_have_any_whole_numbers(signed: bool, bits: int, rows: int) -> None:
    """Those of Polars are unsigned, and unsigned numbers have none for what is missing."""
    kind = getattr(pa, f"{'' if signed else 'u'}int{bits}")()
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, 1] * (rows // 4), kind), ["b", "a"])
    assert howsure.assess(column, column).confusion.counts.tolist() == [[3 * rows // 4, 0], [0, rows // 4]]
    missing = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 1] * (rows // 4), kind), ["b", "a"])
    with pytest.raises(howsure.HowsureError, match=r"^`predicted` has no label at index 1"):
        howsure.assess(column, missing)
