"""What a scheme is: a recipe for splits, made from the classes and groups of the rows and a seed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from assay.arrays import IntArray
from assay.data.encode import encode
from assay.data.rows import count_rows
from assay.errors import AssayError, must
from assay.registry import Registry
from assay.resampling.splits import Entry, Splits

registry: Registry[type[Scheme]] = Registry("scheme", "docs/resampling.md lists them")


@dataclass(frozen=True)
class Rows:
    """What a scheme divides: the classes and groups of the rows, as codes, and a source of chance."""

    n: int
    classes: IntArray | None
    groups: IntArray | None
    rng: np.random.Generator


@dataclass(frozen=True)
class Scheme:
    """A recipe for splits. Subclasses say how entries are made from rows."""

    grouped: ClassVar[bool] = True  # it can keep groups together

    def __init_subclass__(cls, *, listed: bool = True) -> None:
        super().__init_subclass__()
        if listed:
            registry.add(cls.__name__, cls)

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        """Divide the rows of ``truth``, a column of classes, or a number of rows where there are none.

        Examples
        --------
        >>> from assay import KFold
        >>> KFold(2).splits(["a", "b", "a", "b"], seed=0)[0].test
        array([1, 2])
        """
        rows = _rows(truth, groups, seed)
        if groups is not None and not self.grouped:
            raise AssayError(f"{self} cannot keep groups together; leave out `groups`.")
        return Splits(rows.n, tuple(self._entries(rows)), str(self))

    def _entries(self, rows: Rows) -> list[Entry]:
        raise NotImplementedError

    def splitter(self, seed: int = 0) -> Splitter:
        """Give an object that scikit-learn takes as ``cv``."""
        return Splitter(self, seed)

    def to_dict(self) -> dict[str, Any]:
        return {"scheme": type(self).__name__, **{one.name: getattr(self, one.name) for one in fields(self)}}

    def __str__(self) -> str:
        told = [f"{one.name}={getattr(self, one.name)!r}" for one in fields(self)]
        return f"{type(self).__name__}({', '.join(told)})"


@dataclass(frozen=True)
class Splitter:
    """A scheme with its seed, in the form in which scikit-learn takes cross-validators."""

    scheme: Scheme
    seed: int = 0

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        truth = count_rows(X) if y is None else y
        return ((one.train, one.test) for one in self.scheme.splits(truth, groups=groups, seed=self.seed))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        if X is None and y is None:
            raise AssayError("the number of splits may depend on the rows; give X or y.")
        return len(self.scheme.splits(count_rows(X) if y is None else y, groups=groups, seed=self.seed))


def _rows(truth: Any, groups: Any, seed: int) -> Rows:
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        must("seed", "a whole number, 0 or above", given=seed)
    rng = np.random.default_rng(np.random.SeedSequence(int(seed)))
    if isinstance(truth, Integral) and not isinstance(truth, bool):
        n, classes = int(truth), None
    else:
        classes = _codes(truth, "truth")
        n = len(classes)
    if n < 1:
        raise AssayError("`truth` must hold at least one case, and it is empty.")
    grouped = None if groups is None else _codes(groups, "groups")
    if grouped is not None and len(grouped) != n:
        raise AssayError(f"`truth` has {n} rows and `groups` has {len(grouped)}; they must be of equal length.")
    return Rows(n, classes, grouped, rng)


def _codes(column: Any, name: str) -> IntArray:
    """Number the values in the order of their first row, so that their names do not matter."""
    codes = encode(column, name).codes
    if len(codes) and codes.min() < 0:
        raise AssayError(f"`{name}` has no value at index {int((codes < 0).argmax())}; drop such rows.")
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse])
