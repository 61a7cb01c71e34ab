"""Base class of resampling schemes, which split rows given their classes, their groups and a seed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from howsure.arrays import IntArray
from howsure.checks import check_seed, check_whole
from howsure.data.encode import Encoded, encode
from howsure.data.rows import count_rows
from howsure.errors import HowsureError, counted
from howsure.registry import Registry
from howsure.resampling.index_sets import Entry, Splits

registry: Registry[type[Scheme]] = Registry("scheme", "`list(howsure.resampling.registry)` lists them")

MAX_ROWS = 2**53


@dataclass(frozen=True)
class RowsToSplit:
    """Codes of the classes and groups of the rows, and a random generator."""

    n: int
    classes: IntArray | None
    groups: IntArray | None
    rng: np.random.Generator


@dataclass(frozen=True)
class Scheme:
    """A resampling scheme. Subclasses define how rows are split.

    Examples
    --------
    >>> import howsure
    >>> scheme = howsure.KFold(5, repeats=2)
    >>> isinstance(scheme, howsure.resampling.Scheme), len(scheme.splits([0, 1] * 10))
    (True, 10)
    >>> scheme.to_dict()
    {'scheme': 'KFold', 'folds': 5, 'repeats': 2, 'stratified': True}
    """

    grouped: ClassVar[bool] = True  # whether the scheme can keep groups together

    def __init_subclass__(cls, *, listed: bool = True) -> None:
        super().__init_subclass__()
        if listed:
            registry.add(cls.__name__, cls)

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        """Split rows into training and test sets.

        Parameters
        ----------
        truth
            The classes of the rows, or the number of rows.
        groups
            The group of each row. Rows in the same group are never split between training and test.
        seed
            The same seed gives the same splits.

        Returns
        -------
        Splits
            The rows of every split, with a fingerprint.

        Examples
        --------
        >>> from howsure import KFold
        >>> KFold(2).splits(["a", "b", "a", "b"], seed=0)[0].test
        array([1, 2])
        """
        rows = _rows_to_split(truth, groups, seed)
        if groups is not None and not self.grouped:
            raise HowsureError(f"{self} cannot keep groups together; leave out `groups`.")
        return Splits(rows.n, tuple(self._entries(rows)), self)

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        raise NotImplementedError

    def splitter(self, seed: int = 0) -> Splitter:
        """Return a cross-validator for the ``cv`` argument of scikit-learn.

        Parameters
        ----------
        seed
            The same seed gives the same splits.

        Returns
        -------
        Splitter
            An object with ``split`` and ``get_n_splits``.

        Examples
        --------
        >>> from howsure import KFold
        >>> from sklearn.model_selection import cross_val_score
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = [[i % 7, i % 2] for i in range(40)], [i % 2 for i in range(40)]
        >>> cross_val_score(GaussianNB(), X, y, cv=KFold(4).splitter(seed=1)).tolist()
        [1.0, 1.0, 1.0, 1.0]
        """
        return Splitter(self, seed)

    def to_dict(self) -> dict[str, Any]:
        """Return the name and parameters as plain values for JSON."""
        return {"scheme": type(self).__name__, **{field.name: getattr(self, field.name) for field in fields(self)}}

    def __str__(self) -> str:
        values = [f"{field.name}={getattr(self, field.name)!r}" for field in fields(self)]
        return f"{type(self).__name__}({', '.join(values)})"


@dataclass(frozen=True)
class StoredScheme(Scheme, listed=False):
    """A stored scheme that cannot be restored, represented by its text."""

    text: str

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        raise HowsureError(f"{self.text} was read from a file, which stores its splits but not the scheme itself.")

    def __str__(self) -> str:
        return self.text


def restore_scheme(values: Any, text: str) -> Scheme:
    """Restore a scheme from its `to_dict`, or keep its text if it is unknown."""
    if isinstance(values, dict) and values.get("scheme") in registry:
        parameters = {name: value for name, value in values.items() if name != "scheme"}
        try:
            scheme = registry[values["scheme"]](**parameters)
        except (TypeError, HowsureError):  # the scheme was stored by another version
            return StoredScheme(text)
        return scheme if str(scheme) == text else StoredScheme(text)
    return StoredScheme(text)


@dataclass(frozen=True)
class Splitter:
    """A cross-validator for scikit-learn: a scheme with its seed."""

    scheme: Scheme
    seed: int = 0

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        truth = count_rows(X) if y is None else y
        return ((split.train, split.test) for split in self.scheme.splits(truth, groups=groups, seed=self.seed))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        if X is None and y is None:
            raise HowsureError("the number of splits may depend on the rows; give `X` or `y`.")
        return len(self.scheme.splits(count_rows(X) if y is None else y, groups=groups, seed=self.seed))


def _rows_to_split(truth: Any, groups: Any, seed: int) -> RowsToSplit:
    rng = np.random.default_rng(np.random.SeedSequence(check_seed(seed)))
    if isinstance(truth, Integral) and not isinstance(truth, bool):
        n, classes = check_whole("truth", truth, 0, MAX_ROWS), None
    else:
        classes = _codes(truth, "truth")
        n = len(classes)
    if n < 1:
        raise HowsureError("`truth` must hold at least one case, but it is empty.")
    group_codes = None if groups is None else _codes(groups, "groups")
    if group_codes is not None and len(group_codes) != n:
        rows = counted(n, "row")
        raise HowsureError(f"`truth` has {rows} and `groups` has {len(group_codes)}; they must be of equal length.")
    return RowsToSplit(n, classes, group_codes, rng)


def encode_complete(column: Any, name: str) -> Encoded:
    """Encode a column; raise an error if a value is missing."""
    encoded = encode(column, name)
    if len(encoded.codes) and encoded.codes.min() < 0:
        raise HowsureError(f"`{name}` has no value at index {int((encoded.codes < 0).argmax())}; drop such rows.")
    return encoded


def _codes(column: Any, name: str) -> IntArray:
    """Number values by first occurrence, so that their names do not matter."""
    _, first, inverse = np.unique(encode_complete(column, name).codes, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse])
