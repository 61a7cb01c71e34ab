"""Adjust p-values for the number of hypotheses tested together: Holm, Hommel, Benjamini-Hochberg and others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import numbers, one_of
from howsure.errors import HowsureError
from howsure.present.result import Result
from howsure.present.sheet import Record
from howsure.present.value_text import jsonable

MOST = 9  # classifiers for Bergmann and Hommel's procedure: 21,147 partitions, and over five times as many for ten


@dataclass(frozen=True)
class Adjusted(Result):
    """Adjusted p-values in the order given; NaN where there was none. An array to NumPy.

    Attributes
    ----------
    method
        How they were adjusted.
    pvalues
        The adjusted p-values.
    raw
        Those given.
    notes
        What to know of them.

    Examples
    --------
    >>> from howsure.significance import adjust
    >>> adjusted = adjust([0.01, 0.04, 0.03], "holm")
    >>> adjusted.pvalues, adjusted.raw
    ((0.03, 0.06, 0.06), (0.01, 0.04, 0.03))
    """

    method: str
    pvalues: tuple[float, ...]
    raw: tuple[float, ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.pvalues)

    def __getitem__(self, index: int) -> float:
        return self.pvalues[index]

    def __iter__(self) -> Iterator[float]:
        return iter(self.pvalues)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.pvalues, dtype)

    @property
    def title(self) -> str:
        return f"p-values adjusted by {self.method}"

    def records(self) -> list[Record]:
        return [{"pvalue": raw, "adjusted": adjusted} for raw, adjusted in zip(self.raw, self.pvalues, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable(self.__dict__))

    def text(self) -> str:
        listed = ", ".join("n/a" if math.isnan(p) else f"{p:.3g}" for p in self.pvalues)
        return "\n".join([f"{self.method}: {listed}", *(f"  note: {note}" for note in self.notes)])


def adjust(
    pvalues: ArrayLike, method: str = "holm", *, pairs: Sequence[tuple[object, object]] | None = None
) -> Adjusted:
    """Adjust p-values so that each can be held against the level of the whole family.

    "bonferroni", "holm", "hochberg", "hommel", "sidak" and "holm-sidak" bound the probability of any false rejection;
    "bh" (Benjamini-Hochberg) and "by" (Benjamini-Yekutieli) the share of false ones among rejections. "shaffer" and
    "bergmann-hommel" are for all pairs of some classifiers, where not every combination of hypotheses can be true:
    ``pairs`` names them, otherwise they are in the order (1, 2), (1, 3), ..., (2, 3), ... The adjusted p-values of
    Bergmann and Hommel need not keep the order of the raw ones; all others do. A p-value that is NaN stays
    so and is not counted.

    Parameters
    ----------
    pvalues
        Those of all hypotheses that are tested together.
    method
        One of the names above.
    pairs
        For "shaffer" and "bergmann-hommel": the two classifiers of each p-value.

    Returns
    -------
    Adjusted
        In the order given.

    Examples
    --------
    >>> from howsure.significance import adjust
    >>> print(adjust([0.01, 0.04, 0.03]))
    holm: 0.03, 0.06, 0.06
    >>> print(adjust([0.01, 0.04, 0.03], "bergmann-hommel"))
    bergmann-hommel: 0.03, 0.04, 0.03
    """
    one_of("method", method, METHODS)
    raw = _check(pvalues)
    defined = ~np.isnan(raw)
    out = np.full(len(raw), math.nan)
    if method in OF_PAIRS:
        out[defined] = OF_PAIRS[method](raw, _number_of_classifiers(raw, method), pairs)[defined]
    elif defined.any():
        out[defined] = PLAIN[method](raw[defined])
    with np.errstate(invalid="ignore"):
        out = np.clip(np.fmax(out, raw), 0, 1)
    lost = int((~defined).sum())
    notes = (f"{lost} of {len(raw)} p-values are undefined and left out of the family",) if lost else ()
    return Adjusted(method, tuple(out.tolist()), tuple(raw.tolist()), notes)


def _check(pvalues: ArrayLike) -> Array:
    raw = numbers("pvalues", pvalues)
    if raw.ndim != 1 or not len(raw):
        raise HowsureError(f"`pvalues` must be a row of at least 1 number, not an array of shape {raw.shape}.")
    wrong = np.flatnonzero((raw < 0) | (raw > 1))
    if len(wrong):
        raise HowsureError(f"`pvalues` must be between 0 and 1, not {raw[wrong[0]]:g} at index {wrong[0]}.")
    return raw


def _stepped(kernel: Callable[[Array], Array], up: bool) -> Callable[[Array], Array]:
    """Apply a kernel to ascending p-values; from the smallest on, or up from the largest, none may undo the order."""

    def apply(raw: Array) -> Array:
        order = np.argsort(raw, kind="stable")
        adjusted = kernel(raw[order])
        out = np.empty(len(raw))
        out[order] = np.minimum.accumulate(adjusted[::-1])[::-1] if up else np.maximum.accumulate(adjusted)
        return out

    return apply


def _left(p: Array) -> Array:
    """How many hypotheses are left at each step: m, m - 1, ..., 1."""
    return np.arange(len(p), 0, -1.0)


def _sidak(p: Array, m: int | Array) -> Array:
    with np.errstate(divide="ignore"):  # a p-value of 1
        return np.asarray(-np.expm1(m * np.log1p(-p)))


def _bh(p: Array) -> Array:
    return p * len(p) / np.arange(1, len(p) + 1)


def _by(p: Array) -> Array:
    return _bh(p) * float((1 / np.arange(1, len(p) + 1)).sum())


def _hommel(p: Array) -> Array:
    """Simes' test of every intersection, by the algorithm of Wright (1992)."""
    m = len(p)
    out = np.full(m, (m * p / np.arange(1, m + 1)).min())
    for size in range(m - 1, 1, -1):
        last = p[m - size + 1 :]
        least = (size * last / np.arange(2, size + 1)).min()
        bounds = np.minimum(size * p, least)
        bounds[m - size + 1 :] = bounds[m - size]
        out = np.maximum(out, bounds)
    return np.asarray(np.maximum(out, p))


def _number_of_classifiers(raw: Array, method: str) -> int:
    k = (1 + math.isqrt(1 + 8 * len(raw))) // 2
    if k * (k - 1) // 2 != len(raw):
        raise HowsureError(
            f"`pvalues` must be of all pairs of classifiers for {method!r}, so 1, 3, 6, 10 or more, not {len(raw)}."
        )
    return k


def _possible(k: int) -> Array:
    """How many of the pairs of k classifiers can be equal at once (Shaffer 1986), ascending."""
    sets = [1]  # bit s of the n-th number says whether s pairs of n classifiers can
    for n in range(1, k + 1):
        sets.append(0)
        for j in range(1, n + 1):
            sets[n] |= sets[n - j] << math.comb(j, 2)
    return np.array([size for size in range(math.comb(k, 2) + 1) if sets[k] >> size & 1])


def _shaffer(raw: Array, k: int, pairs: object) -> Array:
    defined = int((~np.isnan(raw)).sum())
    order = np.argsort(raw, kind="stable")[:defined]  # NaN comes last
    sizes, left = _possible(k), len(raw) - np.arange(defined)
    true = np.minimum(sizes[np.searchsorted(sizes, left, side="right") - 1], left - (len(raw) - defined))
    out = np.full(len(raw), math.nan)
    out[order] = np.maximum.accumulate(true * raw[order])
    return out


def _bergmann_hommel(raw: Array, k: int, pairs: Sequence[tuple[object, object]] | None) -> Array:
    if k > MOST:
        raise HowsureError(f"'bergmann-hommel' takes up to {MOST} classifiers, not {k}; use 'shaffer' or 'holm'.")
    position = {both: index for index, both in enumerate(_columns(k, len(raw), pairs))}
    order = np.array([position[both] for both in combinations(range(k), 2)])
    p = raw[order]
    adjusted = np.zeros(len(raw))
    for group in _exhaustive(k):
        counted = [index for index in group if not np.isnan(p[index])]
        if counted:
            adjusted[counted] = np.maximum(adjusted[counted], len(counted) * p[counted].min())
    out = np.empty(len(raw))
    out[order] = adjusted
    return out


def _columns(k: int, m: int, pairs: Sequence[tuple[object, object]] | None) -> list[tuple[int, int]]:
    """Say which two classifiers, by number, each hypothesis is of."""
    if pairs is None:
        return list(combinations(range(k), 2))
    names = list(dict.fromkeys(name for both in pairs for name in both))
    columns = [tuple(sorted(names.index(name) for name in both)) for both in pairs]
    if len(names) != k or sorted(columns) != list(combinations(range(k), 2)):
        raise HowsureError(f"`pairs` must be the {m} pairs of {k} classifiers, each once.")
    return [(both[0], both[1]) for both in columns]


def _exhaustive(k: int) -> tuple[tuple[int, ...], ...]:
    """Sets of pairs that can be all true and all others false: those within the parts of a partition."""
    number = {both: index for index, both in enumerate(combinations(range(k), 2))}

    def partitions(item: int, parts: list[list[int]]) -> Iterator[list[list[int]]]:
        if item == k:
            yield parts
            return
        for part in parts:
            part.append(item)
            yield from partitions(item + 1, parts)
            part.pop()
        yield from partitions(item + 1, [*parts, [item]])

    return tuple(tuple(number[a, b] for part in parts for a, b in combinations(part, 2)) for parts in partitions(0, []))


PLAIN: dict[str, Callable[[Array], Array]] = {
    "bonferroni": lambda raw: raw * len(raw),
    "holm": _stepped(lambda p: p * _left(p), up=False),
    "hochberg": _stepped(lambda p: p * _left(p), up=True),
    "hommel": _stepped(_hommel, up=False),
    "sidak": lambda raw: _sidak(raw, len(raw)),
    "holm-sidak": _stepped(lambda p: _sidak(p, _left(p)), up=False),
    "bh": _stepped(_bh, up=True),
    "by": _stepped(_by, up=True),
}
OF_PAIRS: dict[str, Callable[[Array, int, Any], Array]] = {"shaffer": _shaffer, "bergmann-hommel": _bergmann_hommel}
METHODS = (*PLAIN, *OF_PAIRS)
# Whose method it is, and where it was published, as a paper has to say.
AUTHORS = {
    "bonferroni": ("Bonferroni", ""),
    "holm": ("Holm", "Holm 1979"),
    "hochberg": ("Hochberg", "Hochberg 1988"),
    "hommel": ("Hommel", "Hommel 1988"),
    "sidak": ("Sidak", "Sidak 1967"),
    "holm-sidak": ("Holm and Sidak", "Sidak 1967"),
    "bh": ("Benjamini and Hochberg", "Benjamini and Hochberg 1995"),
    "by": ("Benjamini and Yekutieli", "Benjamini and Yekutieli 2001"),
    "shaffer": ("Shaffer", "Shaffer 1986"),
    "bergmann-hommel": ("Bergmann and Hommel", ""),
}
# What a single step leaves to each of m hypotheses; in several steps it depends on the p-values of the others.
SINGLE_STEP: dict[str, Callable[[float, int], float]] = {
    "none": lambda level, m: level,
    "bonferroni": lambda level, m: level / m,
    "sidak": lambda level, m: -math.expm1(math.log1p(-level) / m),
}


def level_of_each(method: str, level: float, m: int) -> float | None:
    """Give the level at which each of ``m`` hypotheses is tested so that ``level`` is that of all; None by steps."""
    return SINGLE_STEP[method](level, m) if method in SINGLE_STEP else None
