"""The data sets of an experiment: features, classes and groups, with a fingerprint of all three."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import IntArray
from howsure.checks import check_index
from howsure.data.encode import Label, encode
from howsure.data.labels import Classes
from howsure.data.rows import count_rows
from howsure.errors import HowsureError, counted, listing


@dataclass(frozen=True, eq=False)
class Dataset:
    """The features, the class and the group of each case.

    Create it with `Dataset.of`.

    Attributes
    ----------
    X
        Features, with a row for each case: an array, a sparse matrix, a data frame, or anything else that the learners
        accept and that can be indexed by rows.
    y
        Labels: strings, whole numbers or booleans.
    codes
        The position of each case's label in ``labels``.
    labels
        The classes, sorted.
    groups
        The group of each case, or None. Cases in the same group are not independent.
    rows
        The number of cases.

    Examples
    --------
    >>> from howsure.experiment import Dataset
    >>> data = Dataset.of(([[1.0, 2.0], [0.5, 1.0], [0.0, 3.0]], ["y", "n", "y"]), "toy")
    >>> data.rows, data.columns, data.labels, data.codes.tolist()
    (3, 2, ('n', 'y'), [1, 0, 1])
    >>> len(data.fingerprint()) > 10
    True
    """

    X: Any = field(repr=False)
    y: NDArray[Any] = field(repr=False)
    codes: IntArray = field(repr=False)
    labels: tuple[Label, ...]
    groups: Any = field(default=None, repr=False)

    @classmethod
    def of(cls, data: Any, name: str) -> Dataset:
        """Create a data set from (X, y), (X, y, groups) or a scikit-learn bunch.

        Parameters
        ----------
        data
            The data set: a tuple, or an object with ``data`` and ``target`` as scikit-learn's loaders return.
        name
            The name of the data set in error messages.
        """
        if isinstance(data, Dataset):
            return data
        X, y, groups = _unpack(data, name)
        title = f"y of {name}"
        encoded = encode(y, title)
        if len(encoded.codes) and encoded.codes.min() < 0:
            missing = np.flatnonzero(encoded.codes < 0).tolist()
            raise HowsureError(f"`{title}` has no label at index {listing(missing)}; drop these rows.")
        rows = count_rows(X, f"X of {name}")
        group_rows = rows if groups is None else count_rows(groups, f"groups of {name}")
        for column, length in (("y", len(encoded.codes)), ("groups", group_rows)):
            if length != rows:
                raise HowsureError(
                    f"data set {name!r} has {counted(rows, 'row')} of X and {length} of {column}; they must be equal."
                )
        check_index({f"X of {name}": X, title: y, f"groups of {name}": groups})
        if not rows:
            raise HowsureError(f"data set {name!r} must hold at least one case, but it is empty.")
        labels = tuple(sorted(Classes.of({title: encoded}, None, None).labels))
        if invalid := [label for label in labels if not fits_files(label)]:
            raise HowsureError(f"data set {name!r} has the label {invalid[0]!r}, which no file can hold; change it.")
        codes = np.array([labels.index(value) for value in encoded.values], np.int64)[encoded.codes]
        return cls(X, np.array(labels)[codes], codes, labels, groups)

    @property
    def rows(self) -> int:
        return len(self.codes)

    @property
    def columns(self) -> int | None:
        """The number of features; None if X is not a table of numbers."""
        shape: Any = getattr(self.X, "shape", ())
        if len(shape) != 2 or not all(column.dtype.kind in "biuf" for column in _values(self.X)):
            return None
        return int(shape[1])

    def fingerprint(self) -> str:
        """Return a hash of features, labels and groups, to detect changes."""
        digest = hashlib.blake2b(digest_size=16)
        for column in (*_columns(self.X), self.y, *(() if self.groups is None else (np.asarray(self.groups),))):
            digest.update(f"{column.dtype.str} {column.shape}".encode())
            if column.dtype.kind in "OUT":
                digest.update("\x1f".join(map(repr, column.tolist())).encode("utf-8", "surrogatepass"))
            else:
                digest.update(np.ascontiguousarray(column).view(np.uint8).data)
        return digest.hexdigest()


def fits_files(text: object) -> bool:
    """Return whether files and NumPy arrays can store a string unchanged."""
    return "\0" not in str(text) and not re.search("[\ud800-\udfff]", str(text))


def _unpack(data: Any, name: str) -> tuple[Any, Any, Any]:
    if isinstance(data, Mapping) and {"data", "target"} <= set(data):
        return _indexable(data["data"], name), _class_names(data), data.get("groups")
    if isinstance(data, tuple | list) and len(data) in (2, 3):
        X, y, *rest = data
        return _indexable(X, name), y, rest[0] if rest else None
    raise HowsureError(f"data set {name!r} must be (X, y) or (X, y, groups), not {type(data).__name__}.")


def _class_names(bunch: Mapping[str, Any]) -> Any:
    """Return the target as class names if the bunch has them, else unchanged."""
    names, target = bunch.get("target_names"), bunch["target"]
    if names is None or np.asarray(target).dtype.kind not in "iu" or len(set(map(str, names))) != len(names):
        return target
    return np.asarray(names).astype(str)[np.asarray(target)]


def _indexable(X: Any, name: str) -> Any:
    if isinstance(X, str) or not (hasattr(X, "__len__") or hasattr(X, "shape")):
        raise HowsureError(f"data set {name!r} must have an X with one row for each case, not {type(X).__name__}.")
    if hasattr(X, "tocsr"):
        return X.tocsr()
    if isinstance(X, list | tuple):
        try:
            table = np.asarray(X) if not X or not isinstance(X[0], str) else np.asarray(X, object)
        except ValueError:
            raise HowsureError(f"data set {name!r} must have an X whose rows all have the same length.") from None
        return table.reshape(-1, 1) if table.ndim == 1 and table.dtype.kind in "biuf" else table
    return X


def _columns(X: Any) -> list[NDArray[Any]]:
    if hasattr(X, "indptr"):
        return [X.data, X.indices, X.indptr, np.array(X.shape)]
    if hasattr(X, "columns") and not callable(X.columns):
        names = np.array([str(name) for name in _column_names(X)], object)
        return [names, *_values(X)]
    return _values(X)


def _values(X: Any) -> list[NDArray[Any]]:
    """Return the arrays of a table: one for each column of a data frame."""
    if hasattr(X, "indptr"):
        return [X.data]
    if hasattr(X, "columns") and not callable(X.columns):
        return [np.asarray(X[name]) for name in _column_names(X)]
    return [np.asarray(X)]


def _column_names(X: Any) -> Any:
    """Return the column names, including those of a pyarrow table."""
    return X.column_names if type(X).__module__.partition(".")[0] == "pyarrow" else X.columns
