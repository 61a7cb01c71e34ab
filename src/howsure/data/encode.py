"""Turn a column of labels into small whole numbers, in about one pass over the memory.

Sorting (``np.unique``) costs n log n comparisons, and hashing Python objects one by one costs a cache
miss each. Classes are few, so a table that maps every key seen so far to its code, without collisions,
does better: multiply, shift, look up, and compare to be sure. Keys are the values themselves, a hash of
fixed-width text, or the address of the label object (labels repeated in an object array are mostly the
same object, and equal addresses mean equal labels).
"""

from __future__ import annotations

import itertools
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import IntArray, is_masked
from howsure.errors import HowsureError

Label = str | int | bool
Keys = NDArray[np.uint64]

CHUNK = 1 << 15  # rows worked on at a time: what fits in the second-level cache
SMALL = 10_000  # below this the plain ways are as fast
DENSE = 4  # numbers in the range of whole numbers for each row, up to which all of them are looked at
MOST_KEYS = 4096
MOST_WIDE = 1 << 16  # largest less smallest whole number for which a plain table is used
LARGEST = 2.0**53  # from here on a real number may stand for several whole numbers
MISSING = -1
LIBRARIES = ("pandas", "polars", "pyarrow")  # of data frames
KINDS = {str: "text", bool: "booleans", int: "whole numbers", float: "real numbers", bytes: "bytes"}


@dataclass(frozen=True, slots=True)
class Encoded:
    """Codes 0..k-1 into ``values``; ``MISSING`` where there is no label."""

    codes: IntArray
    values: list[Any]
    ordered: bool = False  # the values come in an order of their own, as the categories of a data frame do
    complete: bool = False  # has no missing label, so that nobody needs to look

    def present(self) -> list[Any]:
        """Give the values that occur, which of categories need not be all."""
        if not self.ordered:
            return self.values
        return [self.values[code] for code in _occurring(self.codes)]

    def positions(self, places: Mapping[Any, int]) -> IntArray:
        """Give the place of each row's value; a value that does not occur, as some categories do not, may have none."""
        lookup = [places.get(value, MISSING) for value in self.values]
        if lookup == list(range(len(lookup))):
            return self.codes
        signed = np.min_scalar_type(-1 - len(places))
        return np.asarray(np.array(lookup, signed)[self.codes])

    def take(self, rows: Any) -> Encoded:
        """Keep some rows, and only the values that still occur; categories with an order of their own all stay."""
        codes = self.codes[rows]
        if self.ordered:
            return Encoded(codes, self.values, ordered=True)
        present = _occurring(codes)
        lookup = np.full(len(self.values) + 1, MISSING, np.int32)
        lookup[present] = np.arange(len(present))
        return Encoded(lookup[codes], [self.values[code] for code in present])


def _occurring(codes: IntArray) -> list[int]:
    """Give the codes that occur, in order."""
    span = _present(codes)
    if span is None:
        found = np.unique(codes)
    else:
        low, present = span
        found = low + np.flatnonzero(present)
    return [code for code in found.tolist() if code != MISSING]


def merge_equal(codes: IntArray, values: Sequence[Any]) -> Encoded:
    """Make one label of equal ones: two ways to write a label, 1 and 1.0, are one label."""
    positions: dict[Any, int] = {}
    lookup = np.array([positions.setdefault(value, len(positions)) for value in values], np.int32)
    return Encoded(lookup[codes], list(positions), complete=True)


def encode(column: Any, name: str) -> Encoded:
    """Encode an array, a list, or a column of any data frame library. ``name`` is for error sentences."""
    try:
        return _encode(column, name)
    except TypeError as unhashable:
        raise HowsureError(f"`{name}` must hold text, whole numbers or booleans; {unhashable}.") from None


def _encode(column: Any, name: str) -> Encoded:
    if isinstance(column, Encoded):
        return column
    root = type(column).__module__.partition(".")[0]
    if root in LIBRARIES:
        if len(getattr(column, "shape", (0,))) != 1:
            raise HowsureError(f"`{name}` must be one column of labels, not a table of shape {column.shape}.")
        if not hasattr(column, "dtype") and not hasattr(column, "to_pylist"):
            raise HowsureError(f"`{name}` must be a column of labels, not {type(column).__name__}.")
        try:
            return _encode_series(column, root, name)
        except NotImplementedError:  # Arrow, of lists and structures
            raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {column.type}.") from None
    if isinstance(column, list | tuple):
        return _encode_array(_objects(column), name)
    if isinstance(column, str) or (not hasattr(column, "__array__") and not hasattr(column, "__iter__")):
        raise HowsureError(f"`{name}` must be a column of labels, not {column!r}.")
    if isinstance(column, bytes | Mapping | set | frozenset):  # which iterate over something else, or in any order
        raise HowsureError(f"`{name}` must be a column of labels, not {type(column).__name__}.")
    if not hasattr(column, "__array__"):
        return _encode(list(column), name)
    if is_masked(column):
        encoded = _encode_array(np.asarray(column.data), name)
        return Encoded(np.where(np.ma.getmaskarray(column).ravel(), MISSING, encoded.codes), encoded.values)
    return _encode_array(np.asarray(column), name)


def _objects(column: Sequence[Any]) -> NDArray[Any]:
    values = np.empty(len(column), dtype=object)
    values[:] = column
    return values


def _encode_array(values: NDArray[Any], name: str) -> Encoded:
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        end = "; if these are scores, give them as `scores=`." if values.dtype.kind == "f" else "."
        raise HowsureError(f"`{name}` must be one column of labels, not an array of shape {values.shape}{end}")
    kind = values.dtype.kind
    if kind == "b":
        return Encoded(values.view(np.int8), [False, True], complete=True)
    if kind in "iu":
        return _encode_integers(values)
    if kind == "f":
        return _encode_floats(values, name)
    if kind in "US":
        return _encode_text(values)
    if kind in "OT":
        return _encode_objects(values.astype(object, copy=False))
    raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {values.dtype}.")


def _encode_integers(values: NDArray[Any]) -> Encoded:
    span = _present(values)
    if span is None:
        word = np.uint64 if values.dtype.kind == "u" else np.int64
        keys = np.ascontiguousarray(values).astype(word, copy=False).view(np.uint64)
        return _encode_keys(values, lambda start, stop: keys[start:stop])
    low, present = span
    offsets = np.flatnonzero(present)
    if low == 0 and len(offsets) == len(present):
        codes = values.astype(np.int64, copy=False) if values.dtype.kind == "u" else values
        return Encoded(codes, offsets.tolist(), complete=True)
    lookup = np.cumsum(present, dtype=np.int32) - 1
    codes = lookup[_offsets(values, low)]
    return Encoded(codes, [int(offset) + low for offset in offsets], complete=True)


def _present(values: NDArray[Any]) -> tuple[int, NDArray[np.bool_]] | None:
    """Give the smallest value and which of those from it on occur; None where they are spread too wide.

    Once all values of the range were seen, a block that stays within it needs no closer look.
    """
    low, present = 0, np.zeros(0, dtype=bool)
    complete = False
    for start in range(0, len(values), CHUNK):
        block = values[start : start + CHUNK]
        least, most = int(block.min()), int(block.max())
        if not len(present) or least < low or most >= low + len(present):
            first, last = (least, most) if not len(present) else (min(low, least), max(low + len(present) - 1, most))
            if last - first >= MOST_WIDE:
                return None
            wider = np.zeros(last - first + 1, dtype=bool)
            wider[low - first : low - first + len(present)] = present
            low, present, complete = first, wider, False
        if not complete:
            present[_offsets(block, low)] = True
            complete = bool(present.all())
    return low, present


def _offsets(values: NDArray[Any], low: int) -> NDArray[np.int64]:
    """Give how far values lie above the smallest. Signed, 100 less -100 is no int8; unsigned, it never wraps round."""
    unsigned = values.view(values.dtype.str.replace("i", "u"))
    offsets: NDArray[Any] = unsigned - unsigned.dtype.type(low % 2 ** (8 * values.dtype.itemsize))
    whole: NDArray[np.int64] = offsets.view(np.int64) if offsets.itemsize == 8 else offsets.astype(np.int64)
    return whole


def _encode_floats(values: NDArray[Any], name: str) -> Encoded:
    missing = np.isnan(values)
    whole = np.where(missing, 0, values).astype(float, copy=False)
    largest = min(LARGEST, 2.0 ** (np.finfo(values.dtype).nmant + 1))  # half floats hold whole numbers up to 2048
    broken = np.flatnonzero((whole != np.floor(whole)) | (np.abs(whole) >= largest))
    if len(broken):
        raise not_labels(name, values[broken[0]])
    encoded = _encode_integers(whole.astype(np.int64))
    if not missing.any():
        return encoded
    # A 0 that only stood in for a missing label is no label.
    return Encoded(np.where(missing, MISSING, encoded.codes), encoded.values).take(slice(None))


def not_labels(name: str, value: Any) -> HowsureError:
    if float(value).is_integer():
        return HowsureError(
            f"`{name}` must hold labels as they are, not the real number {value}, which may stand for several whole "
            "numbers; give them as text or whole numbers."
        )
    return HowsureError(
        f"`{name}` must hold class labels, not real numbers such as {value}; "
        "if these are scores, give them as `scores=`."
    )


def _encode_text(values: NDArray[Any]) -> Encoded:
    """Fixed-width text: its bytes, seen as words, are hashed together into one key."""
    if not len(values) or not values.dtype.itemsize:
        return _encode_objects(values.astype(object))
    values = np.ascontiguousarray(values)
    unit: Any = np.uint32 if values.dtype.kind == "U" else np.uint8
    words = values.view(unit).reshape(len(values), -1)
    multipliers = _multipliers(words.shape[1])

    def keys(start: int, stop: int) -> Keys:
        total = np.zeros(stop - start, np.uint64)
        for word, multiplier in zip(words[start:stop].T, multipliers, strict=True):
            total = (total + word) * multiplier
        return total

    encoded = _encode_keys(values, keys, exact=False)
    if values.dtype.kind == "S":
        return Encoded(encoded.codes, [value.decode("utf-8", "backslashreplace") for value in encoded.values])
    return encoded


def _encode_keys(values: NDArray[Any], keys: Callable[[int, int], Keys], *, exact: bool = True) -> Encoded:
    coded = _code_keys(keys, len(values)) if len(values) >= SMALL else None
    if coded is not None:
        codes, first = coded
        distinct = values[first]
        if exact or _equal(values, distinct, codes):
            return Encoded(codes, distinct.tolist())
    dense = _encode_dense(values) if values.dtype.kind in "iu" and len(values) else None
    if dense is not None:
        return dense
    distinct, inverse = np.unique(values, return_inverse=True)
    return Encoded(inverse.astype(np.int32), distinct.tolist())


def _encode_dense(values: NDArray[Any]) -> Encoded | None:
    """Number whole numbers that lie close together, as those of clusters do, without a sort; None where they do not."""
    low, high = int(values.min()), int(values.max())
    if high - low >= DENSE * len(values):
        return None
    offset = (values - values.dtype.type(low)).astype(np.intp)
    seen = np.zeros(high - low + 1, bool)
    seen[offset] = True
    lookup = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return Encoded(lookup[offset], [low + place for place in np.flatnonzero(seen).tolist()])


def _equal(values: NDArray[Any], distinct: NDArray[Any], codes: IntArray) -> bool:
    """Check that every row equals the value its code stands for (two texts may share a hash)."""
    steps = range(0, len(values), CHUNK)
    return all(bool((values[i : i + CHUNK] == distinct[codes[i : i + CHUNK]]).all()) for i in steps)


def _encode_objects(values: NDArray[Any]) -> Encoded:
    if len(values) >= SMALL:
        addresses = np.frombuffer(np.ascontiguousarray(values), dtype=np.uintp).astype(np.uint64, copy=False)
        sample = addresses[:: max(1, len(addresses) // MOST_KEYS)]
        if len(np.unique(sample)) <= MOST_KEYS // 4:
            coded = _code_keys(lambda start, stop: addresses[start:stop], len(values))
            if coded is not None:
                codes, first = coded
                inner = _encode_hashable(values[first])
                return Encoded(inner.codes[codes], inner.values)
        if "pandas" in sys.modules:  # one fresh object per row: its compiled hash table is the fastest there is
            return _encode_by_pandas(values)
    return _encode_hashable(values)


def _encode_by_pandas(values: NDArray[Any]) -> Encoded:
    pandas = sys.modules["pandas"]
    codes, distinct = pandas.factorize(values)
    if int(pandas.__version__.partition(".")[0]) < 3:  # these read no text further than a NUL
        there = codes != MISSING
        if np.any(np.asarray(distinct, object)[codes[there]] != values[there]):
            return _encode_hashable(values)
    return Encoded(codes, [whole_label(value) for value in distinct])


def _encode_hashable(values: NDArray[Any]) -> Encoded:
    table: defaultdict[Any, int] = defaultdict(itertools.count().__next__)
    codes = np.fromiter(map(table.__getitem__, values), np.int32, count=len(values))
    lookup = np.full(len(table), MISSING, np.int32)
    distinct: list[Any] = []
    for value, code in table.items():
        if not is_missing(value):
            lookup[code] = len(distinct)
            distinct.append(whole_label(value))
    return Encoded(lookup[codes], distinct)


def plain_label(label: Any) -> Any:
    """Give a label as Python's own type, as JSON and comparisons want it."""
    return label.item() if isinstance(label, np.generic) else label


def whole_label(value: Any) -> Any:
    """Give a label as Python's own type, and 1.0 as 1: columns with gaps come as real numbers."""
    value = plain_label(value)
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST else value


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and pandas' NA, none of which equal themselves."""
    if value is None:
        return True
    same = value == value
    return same is not True and not (isinstance(same, np.bool_) and same)


def _code_keys(keys: Callable[[int, int], Keys], n: int) -> tuple[IntArray, IntArray] | None:
    """Give each row the code of its key, and the first row of each code; None where keys are too many."""
    codes = np.empty(n, np.int32)
    seen, first = np.empty(0, np.uint64), np.empty(0, np.int64)
    lookup, multiplier, shift = np.zeros(1, np.int32), np.uint64(0), np.uint64(63)
    for start in range(0, n, CHUNK):
        stop = min(start + CHUNK, n)
        key = keys(start, stop)
        while True:
            code = lookup[(key * multiplier) >> shift]
            is_new = seen[code] != key if len(seen) else np.ones(len(key), bool)
            if not is_new.any():
                break
            rows = np.flatnonzero(is_new)
            new, positions = np.unique(key[rows], return_index=True)
            seen = np.concatenate([seen, new])
            first = np.concatenate([first, rows[positions] + start])
            table = _collision_free(seen)
            if table is None:
                return None
            lookup, multiplier, shift = table
        codes[start:stop] = code
    return codes, first


def _collision_free(seen: Keys) -> tuple[NDArray[np.int32], np.uint64, np.uint64] | None:
    """Find a multiplier whose top bits differ for all keys seen so far, and the table from bits to code."""
    if len(seen) > MOST_KEYS:
        return None
    bits = min(22, max(12, 2 * len(seen).bit_length()))
    shift = np.uint64(64 - bits)
    for multiplier in _multipliers(64):
        slots = (seen * multiplier) >> shift
        if len(np.unique(slots)) == len(seen):
            lookup = np.zeros(1 << bits, np.int32)
            lookup[slots] = np.arange(len(seen), dtype=np.int32)
            return lookup, multiplier, shift
    return None


def _multipliers(count: int) -> Keys:
    """Fixed odd numbers with well-mixed bits, so that the same labels always take the same path."""
    return np.random.default_rng(0x5EED).integers(0, 1 << 63, size=count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def _encode_series(column: Any, root: str, name: str) -> Encoded:
    """Use the data frame library's own encoder: it knows its memory best."""
    if root == "pandas":
        if isinstance(getattr(column, "dtype", None), sys.modules["pandas"].CategoricalDtype):
            categories = getattr(column, "cat", column)
            return Encoded(np.asarray(categories.codes), list(map(whole_label, categories.categories)), ordered=True)
        if column.dtype.kind in "biuf" and (isinstance(column.dtype, np.dtype) or not column.hasnans):
            return _encode_array(column.to_numpy(), name)
        if "pyarrow" in sys.modules and column.dtype in ("str", "string", "string[pyarrow]"):
            return _encode_series(sys.modules["pyarrow"].array(column, from_pandas=True), "pyarrow", name)
        if column.dtype == object:
            return _encode_by_pandas(column.to_numpy())
        codes, distinct = column.factorize()
        return Encoded(codes, [whole_label(value) for value in distinct])
    if root == "polars":
        return _encode_polars(column, name)
    arrow = sys.modules["pyarrow"]
    if arrow.types.is_floating(column.type):
        return _encode_array(np.asarray(column), name)
    encoded = column if hasattr(column, "indices") else column.dictionary_encode()
    if hasattr(encoded, "combine_chunks"):
        encoded = encoded.combine_chunks()
    indices = encoded.indices
    if arrow.types.is_unsigned_integer(indices.type):  # as Polars has them
        indices = indices.cast(arrow.int64())
    codes = indices.fill_null(MISSING).to_numpy(zero_copy_only=False)
    return Encoded(codes, list(map(whole_label, encoded.dictionary.to_pylist())))


def _encode_polars(column: Any, name: str) -> Encoded:
    polars = sys.modules["polars"]
    if isinstance(column.dtype, polars.Enum):
        return Encoded(_physical(column), column.dtype.categories.to_list(), ordered=True)
    if column.dtype == polars.Categorical:
        return _encode_categories(column)
    if column.dtype == polars.String and len(column) > SMALL:
        numbered = _numbered(column)
        return Encoded(_physical(numbered), numbered.dtype.categories.to_list())
    if (column.dtype.is_numeric() or column.dtype == polars.Boolean) and not (
        column.null_count() or column.dtype.is_decimal() or "128" in str(column.dtype)
    ):
        return _encode_array(column.to_numpy(), name)
    return _encode_objects(_objects(column.to_list()))


def _numbered(column: Any) -> Any:
    """Number texts of Polars in their order; those of the first rows are mostly all, so that others are sought last."""
    polars = sys.modules["polars"]
    with suppress(polars.exceptions.InvalidOperationError):  # there is a text that is not among the first
        return column.cast(polars.Enum(column.head(SMALL).drop_nulls().unique().sort()))
    return column.cast(polars.Enum(column.drop_nulls().unique().sort()))


def _physical(column: Any) -> IntArray:
    """Give the numbers of categories, signed, so that one that is missing has a number too."""
    polars = sys.modules["polars"]
    numbers = column.to_physical()
    wider = {polars.UInt8: polars.Int16, polars.UInt16: polars.Int32}.get(numbers.dtype, polars.Int64)
    codes: IntArray = numbers.cast(wider).fill_null(MISSING).to_numpy()
    return codes


def _encode_categories(column: Any) -> Encoded:
    """Number categories, which Polars numbers as they come, in the order of their texts."""
    polars = sys.modules["polars"]
    present = column.drop_nulls().unique()
    texts, numbers = present.cast(polars.String).to_list(), present.to_physical().to_numpy()
    order = sorted(range(len(texts)), key=texts.__getitem__)
    lookup = np.full(int(numbers.max(initial=0)) + 2, MISSING, np.int32)  # the last for what is missing
    lookup[numbers[order]] = np.arange(len(order))
    codes = column.to_physical()
    if column.null_count():
        codes = codes.cast(polars.UInt32).fill_null(len(lookup) - 1)
    return Encoded(lookup[codes.to_numpy()], [texts[index] for index in order])
