"""Encode columns of labels as small whole numbers."""

from __future__ import annotations

import itertools
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import IntArray
from howsure.errors import HowsureError

Label = str | int | bool

BLOCK = 1 << 16  # number of rows per block
SPARSE = 4  # a lookup table is used if the range of whole numbers is at most this multiple of their count
LARGEST = 2.0**53  # beyond this, a float may stand for several whole numbers
MISSING = -1
LIBRARIES = ("pandas", "polars", "pyarrow")  # data frame libraries
KINDS = {str: "text", bool: "booleans", int: "whole numbers", float: "real numbers", bytes: "bytes"}


@dataclass(frozen=True, slots=True)
class Encoded:
    """Codes 0..k-1 of ``values``, with `MISSING` for missing labels.

    Values are ``ordered`` if they are data frame categories, which have an order and need not all occur.
    """

    codes: IntArray
    values: list[Any]
    ordered: bool = False

    def present(self) -> list[Any]:
        """Return the values that occur."""
        return list(itertools.compress(self.values, self._occurring())) if self.ordered else self.values

    def positions(self, position_of: Mapping[Any, int]) -> IntArray:
        """Return the position of each row's value."""
        lookup = [position_of.get(value, MISSING) for value in self.values]
        if lookup == list(range(len(lookup))):
            return self.codes
        signed = np.min_scalar_type(-1 - len(position_of))
        return np.asarray(np.array(lookup, signed)[self.codes])

    def take(self, rows: Any) -> Encoded:
        """Keep the given rows; if not ordered, keep only values that occur."""
        kept = Encoded(self.codes[rows], self.values, self.ordered)
        if self.ordered:
            return kept
        occurring = kept._occurring()
        lookup = np.append(np.cumsum(occurring, dtype=np.int32) - np.int32(1), np.int32(MISSING))
        return Encoded(lookup[kept.codes], list(itertools.compress(self.values, occurring)))

    def _occurring(self) -> NDArray[np.bool_]:
        return _occurring(self.codes, MISSING, len(self.values) + 1)[1:]


def merge_equal(codes: IntArray, values: Sequence[Any]) -> Encoded:
    """Merge equal values, such as 1 and 1.0, into one label."""
    positions: dict[Any, int] = {}
    lookup = np.array([positions.setdefault(value, len(positions)) for value in values], np.int32)
    return Encoded(lookup[codes], list(positions))


def encode(column: Any, name: str) -> Encoded:
    """Encode an array, a list, or a column of a data frame."""
    try:
        return _encode(column, name)
    except TypeError as unhashable:
        raise HowsureError(f"`{name}` must hold text, whole numbers or booleans; {unhashable}.") from None


def _encode(column: Any, name: str) -> Encoded:
    if isinstance(column, Encoded):
        return column
    library = type(column).__module__.partition(".")[0]
    if library in LIBRARIES:
        return _encode_series(column, library, name)
    if isinstance(column, list | tuple):
        return _encode_objects(column)
    if isinstance(column, str) or (not hasattr(column, "__array__") and not hasattr(column, "__iter__")):
        raise HowsureError(f"`{name}` must be a column of labels, not {column!r}.")
    if isinstance(column, bytes | Mapping | set | frozenset):  # their items are not labels, or are unordered
        raise HowsureError(f"`{name}` must be a column of labels, not {type(column).__name__}.")
    if not hasattr(column, "__array__"):
        return _encode_objects(list(column))
    if isinstance(column, np.ma.MaskedArray):
        encoded = _encode_array(np.asarray(column.data), name)
        return Encoded(np.where(np.ma.getmaskarray(column).ravel(), MISSING, encoded.codes), encoded.values)
    return _encode_array(np.asarray(column), name)


def _encode_array(values: NDArray[Any], name: str) -> Encoded:
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        end = "; if these are scores, give them as `scores=`." if values.dtype.kind == "f" else "."
        raise HowsureError(f"`{name}` must be one column of labels, not an array of shape {values.shape}{end}")
    kind = values.dtype.kind
    if kind == "b":
        return Encoded(values.view(np.int8), [False, True])
    if kind in "iu":
        return _encode_integers(values)
    if kind == "f":
        return _encode_floats(values, name)
    if kind in "US":
        return _encode_text(values)
    if kind in "OT":
        return _encode_objects(values)
    raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {values.dtype}.")


def _encode_integers(values: NDArray[Any]) -> Encoded:
    codes, distinct = number_values(values)
    return Encoded(codes, distinct.tolist())


def number_values(values: NDArray[Any]) -> tuple[IntArray, NDArray[Any]]:
    """Return the codes of whole numbers, and the sorted distinct numbers."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, -1)
    size = high - low + 1
    if size > SPARSE * len(values) + BLOCK:
        distinct, codes = np.unique(values, return_inverse=True)
        return codes.astype(np.int32), distinct
    occurring = _occurring(values, low, size)
    distinct = np.flatnonzero(occurring)
    if low == 0 and len(distinct) == size:
        return values.astype(np.int64, copy=False) if values.dtype.kind == "u" else values, distinct
    lookup = np.cumsum(occurring, dtype=np.int32) - np.int32(1)
    return lookup[_offsets(values, low)], distinct.astype(values.dtype) + values.dtype.type(low)


def _occurring(values: NDArray[Any], low: int, size: int) -> NDArray[np.bool_]:
    """Return which of the whole numbers in [low, low + size) occur."""
    occurring = np.zeros(size, dtype=bool)
    for start in range(0, len(values), BLOCK):
        occurring[_offsets(values[start : start + BLOCK], low)] = True
        if occurring.all():
            break
    return occurring


def _offsets(values: NDArray[Any], low: int) -> NDArray[np.int64]:
    """Return the differences from the lowest value, modulo 2**64."""
    return np.asarray(values.astype(np.int64, copy=False) - np.array(low, values.dtype).astype(np.int64))


def _encode_floats(values: NDArray[Any], name: str) -> Encoded:
    missing = np.isnan(values)
    present = values[~missing]
    largest = min(LARGEST, 2.0 ** (np.finfo(values.dtype).nmant + 1))  # half-precision floats are exact up to 2048
    broken = np.flatnonzero((present != np.floor(present)) | (np.abs(present) >= largest))
    if len(broken):
        raise not_labels(name, present[broken[0]])
    encoded = _encode_integers(present.astype(np.int64))
    codes = np.full(len(values), MISSING, np.int32)
    codes[~missing] = encoded.codes
    return Encoded(codes, encoded.values)


def not_labels(name: str, value: Any) -> HowsureError:
    if float(value).is_integer():
        return HowsureError(
            f"`{name}` must not hold the real number {value}, which may stand for several whole "
            "numbers; give labels as text or whole numbers."
        )
    return HowsureError(
        f"`{name}` must hold class labels, not real numbers such as {value}; "
        "if these are scores, give them as `scores=`."
    )


def _encode_text(values: NDArray[Any]) -> Encoded:
    """Encode fixed-width text, in ascending order."""
    blocks = (values[start : start + BLOCK].tolist() for start in range(0, len(values), BLOCK))
    encoded = _encode_objects(itertools.chain.from_iterable(blocks))
    label_of = {text: _decoded(text) for text in sorted(encoded.values)}
    position_of = {label: position for position, label in enumerate(dict.fromkeys(label_of.values()))}
    codes = encoded.positions({text: position_of[label] for text, label in label_of.items()})
    return Encoded(codes, list(position_of))


def _decoded(text: str | bytes) -> str:
    return text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else text


def _encode_objects(values: Iterable[Any]) -> Encoded:
    """Encode Python objects in the order in which they first occur."""
    table: defaultdict[Any, int] = defaultdict(itertools.count().__next__)
    codes = np.fromiter(map(table.__getitem__, values), np.int32)
    lookup = np.full(len(table), MISSING, np.int32)
    distinct: list[Any] = []
    for value, code in table.items():
        if not is_missing(value):
            lookup[code] = len(distinct)
            distinct.append(whole_label(value))
    return Encoded(lookup[codes], distinct)


def plain_label(label: Any) -> Any:
    """Return a label as a built-in Python type, for JSON and comparisons."""
    return label.item() if isinstance(label, np.generic) else label


def whole_label(value: Any) -> Any:
    """Return a label as a built-in Python type, and 1.0 as 1."""
    value = plain_label(value)
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST else value


def is_missing(value: Any) -> bool:
    """Return whether a value is None or, like NaN, not equal to itself."""
    if value is None:
        return True
    same = value == value
    return same is not True and not (isinstance(same, np.bool_) and same)


def _encode_series(column: Any, library: str, name: str) -> Encoded:
    if len(getattr(column, "shape", (0,))) != 1:
        raise HowsureError(f"`{name}` must be one column of labels, not a table of shape {column.shape}.")
    if not hasattr(column, "dtype") and not hasattr(column, "to_pylist"):
        raise HowsureError(f"`{name}` must be a column of labels, not {type(column).__name__}.")
    if library == "pandas":
        return _encode_pandas(column, name)
    return _encode_polars(column, name) if library == "polars" else _encode_arrow(column, name)


def _encode_pandas(column: Any, name: str) -> Encoded:
    pandas = sys.modules["pandas"]
    if isinstance(column.dtype, pandas.CategoricalDtype):
        categories = getattr(column, "cat", column)
        return Encoded(np.asarray(categories.codes), list(map(whole_label, categories.categories)), ordered=True)
    if column.dtype.kind in "biuf" and (isinstance(column.dtype, np.dtype) or not column.hasnans):
        return _encode_array(column.to_numpy(), name)
    if column.dtype == object:
        return _encode_objects(column.to_numpy())
    codes, distinct = column.factorize()
    return Encoded(codes, list(map(whole_label, distinct)))


def _encode_arrow(column: Any, name: str) -> Encoded:
    arrow = sys.modules["pyarrow"]
    if arrow.types.is_floating(column.type):
        return _encode_array(np.asarray(column), name)
    try:
        encoded = column if hasattr(column, "indices") else column.dictionary_encode()
    except NotImplementedError:  # Arrow cannot encode lists and structures
        raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {column.type}.") from None
    if hasattr(encoded, "combine_chunks"):
        encoded = encoded.combine_chunks()
    indices = encoded.indices
    if arrow.types.is_unsigned_integer(indices.type):  # unsigned integers cannot be `MISSING`
        indices = indices.cast(arrow.int64())
    codes = indices.fill_null(MISSING).to_numpy(zero_copy_only=False)
    return Encoded(codes, list(map(whole_label, encoded.dictionary.to_pylist())))


def _encode_polars(column: Any, name: str) -> Encoded:
    polars = sys.modules["polars"]
    if isinstance(column.dtype, polars.Enum):
        return _encode_enum(column, ordered=True)
    if column.dtype == polars.Categorical:
        return _encode_categorical(column)
    if column.dtype == polars.String:
        return _encode_enum(column.cast(polars.Enum(column.drop_nulls().unique(maintain_order=True))))
    if (column.dtype.is_numeric() or column.dtype == polars.Boolean) and not (
        column.null_count() or column.dtype.is_decimal() or "128" in str(column.dtype)
    ):
        return _encode_array(column.to_numpy(), name)
    return _encode_objects(column.to_list())


def _encode_categorical(column: Any) -> Encoded:
    """Encode arbitrarily numbered categories in ascending order of their text."""
    present = column.drop_nulls()
    numbers, distinct = number_values(present.to_physical().to_numpy())
    row_of = np.zeros(len(distinct), np.int64)
    row_of[numbers] = np.arange(len(numbers))
    texts = present.gather(row_of).cast(sys.modules["polars"].String).to_list()
    order = sorted(range(len(texts)), key=texts.__getitem__)
    position_of = np.empty(len(texts), np.int32)
    position_of[order] = np.arange(len(texts))
    codes = np.full(len(column), MISSING, np.int32)
    codes[column.is_not_null().to_numpy()] = position_of[numbers]
    return Encoded(codes, [texts[index] for index in order])


def _encode_enum(column: Any, ordered: bool = False) -> Encoded:
    polars = sys.modules["polars"]
    numbers = column.to_physical()
    signed = {polars.UInt8: polars.Int16, polars.UInt16: polars.Int32}.get(numbers.dtype, polars.Int64)
    codes = numbers.cast(signed).fill_null(MISSING).to_numpy()
    return Encoded(codes, column.dtype.categories.to_list(), ordered)
