"""Adjusted p-values: Holm, Hommel, Benjamini-Hochberg and others."""

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

MAXIMUM = 9  # maximum for Bergmann and Hommel's procedure: 9 classifiers have 21,147 partitions, 10 have 115,975


@dataclass(frozen=True)
class Adjusted(Result):
    """Adjusted p-values, in the order of the raw ones.

    NaN p-values stay NaN. NumPy functions treat the object as an array.

    Attributes
    ----------
    method
        Name of the adjustment.
    pvalues
        Adjusted p-values.
    raw
        Raw p-values.
    notes
        Remarks, such as how many p-values are undefined.

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
    """Adjust p-values for the number of hypotheses that are tested together.

    Each adjusted p-value is compared with the level of the whole family. "bonferroni", "holm", "hochberg", "hommel",
    "sidak" and "holm-sidak" control the family-wise error rate, the probability of any false rejection. "bh"
    (Benjamini-Hochberg) and "by" (Benjamini-Yekutieli, for any dependence) control the false discovery rate, the
    expected proportion of false rejections. "shaffer" and "bergmann-hommel" control the family-wise error rate of all
    pairwise comparisons. They are more powerful than "holm", because not every combination of true hypotheses is
    possible.

    Adjusted p-values keep the order of the raw ones, except those of "bergmann-hommel". NaN stays NaN and does not
    count as a hypothesis.

    Parameters
    ----------
    pvalues
        P-values of all hypotheses that are tested together.
    method
        One of the names above.
    pairs
        For "shaffer" and "bergmann-hommel", the two classifiers of each p-value. Default: (1, 2), (1, 3), ..., (2, 3),
        and so on.

    Returns
    -------
    Adjusted
        The adjusted p-values, in the order of ``pvalues``.

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
    adjusted = np.full(len(raw), math.nan)
    if method in OF_PAIRS:
        adjusted[defined] = OF_PAIRS[method](raw, _number_of_classifiers(raw, method), pairs)[defined]
    elif defined.any():
        adjusted[defined] = PLAIN[method](raw[defined])
    with np.errstate(invalid="ignore"):
        adjusted = np.clip(np.fmax(adjusted, raw), 0, 1)
    undefined = int((~defined).sum())
    notes = (f"{undefined} of {len(raw)} p-values are undefined and left out of the family",) if undefined else ()
    return Adjusted(method, tuple(adjusted.tolist()), tuple(raw.tolist()), notes)


def _check(pvalues: ArrayLike) -> Array:
    raw = numbers("pvalues", pvalues)
    if raw.ndim != 1 or not len(raw):
        shape = f"an array of shape {raw.shape}"
        raise HowsureError(f"`pvalues` must be a one-dimensional array of at least 1 number, not {shape}.")
    wrong = np.flatnonzero((raw < 0) | (raw > 1))
    if len(wrong):
        raise HowsureError(f"`pvalues` must be between 0 and 1, not {raw[wrong[0]]:g} at index {wrong[0]}.")
    return raw


def _stepped(kernel: Callable[[Array], Array], up: bool) -> Callable[[Array], Array]:
    """Apply a kernel to the sorted p-values, and make the result monotone."""

    def apply(raw: Array) -> Array:
        order = np.argsort(raw, kind="stable")
        stepwise = kernel(raw[order])
        adjusted = np.empty(len(raw))
        adjusted[order] = np.minimum.accumulate(stepwise[::-1])[::-1] if up else np.maximum.accumulate(stepwise)
        return adjusted

    return apply


def _remaining(p: Array) -> Array:
    """Number of hypotheses that remain at each step: m, m - 1, ..., 1."""
    return np.arange(len(p), 0, -1.0)


def _sidak(p: Array, m: int | Array) -> Array:
    """1 - (1 - p)^m."""
    with np.errstate(divide="ignore"):  # p = 1
        return np.asarray(-np.expm1(m * np.log1p(-p)))


def _bh(p: Array) -> Array:
    return p * len(p) / np.arange(1, len(p) + 1)


def _by(p: Array) -> Array:
    return _bh(p) * float((1 / np.arange(1, len(p) + 1)).sum())


def _hommel(p: Array) -> Array:
    """Hommel's procedure, computed with Wright's algorithm (1992).

    It is the closed test in which Simes' test rejects an intersection of s hypotheses if min_i(s p_(i) / i) <= alpha.
    """
    m = len(p)
    adjusted = np.full(m, (m * p / np.arange(1, m + 1)).min())  # Simes' test of all m hypotheses
    for size in range(m - 1, 1, -1):
        last = p[m - size + 1 :]
        least = (size * last / np.arange(2, size + 1)).min()
        bounds = np.minimum(size * p, least)
        bounds[m - size + 1 :] = bounds[m - size]
        adjusted = np.maximum(adjusted, bounds)
    return np.asarray(np.maximum(adjusted, p))


def _number_of_classifiers(raw: Array, method: str) -> int:
    k = (1 + math.isqrt(1 + 8 * len(raw))) // 2
    if k * (k - 1) // 2 != len(raw):
        raise HowsureError(
            f"`pvalues` must have one value per pair of classifiers for {method!r}: 1, 3, 6, 10, ..., not {len(raw)}."
        )
    return k


def _possible_true_counts(k: int) -> Array:
    """Return the possible numbers of equal pairs of k classifiers, ascending.

    They are S(k) = union over j of {comb(j, 2) + s : s in S(k - j)}, with S(0) = S(1) = {0} (Shaffer 1986).
    """
    sets = [1]  # bit s of sets[n] is set if s is in S(n)
    for n in range(1, k + 1):
        sets.append(0)
        for j in range(1, n + 1):
            sets[n] |= sets[n - j] << math.comb(j, 2)
    return np.array([size for size in range(math.comb(k, 2) + 1) if sets[k] >> size & 1])


def _shaffer(raw: Array, k: int, pairs: object) -> Array:
    """Holm's procedure with the largest possible number of true hypotheses.

    This number can be smaller than the number of remaining hypotheses, because not all of them can be true (Shaffer
    1986).
    """
    defined = int((~np.isnan(raw)).sum())
    order = np.argsort(raw, kind="stable")[:defined]  # NaN comes last
    counts, remaining = _possible_true_counts(k), len(raw) - np.arange(defined)
    largest = counts[np.searchsorted(counts, remaining, side="right") - 1]
    factors = np.minimum(largest, remaining - (len(raw) - defined))
    adjusted = np.full(len(raw), math.nan)
    adjusted[order] = np.maximum.accumulate(factors * raw[order])
    return adjusted


def _bergmann_hommel(raw: Array, k: int, pairs: Sequence[tuple[object, object]] | None) -> Array:
    """Maximum of |I| min(p_i) over exhaustive sets I with each hypothesis.

    See Bergmann and Hommel (1988).
    """
    if k > MAXIMUM:
        raise HowsureError(f"'bergmann-hommel' allows at most {MAXIMUM} classifiers, not {k}; use 'shaffer' or 'holm'.")
    position = {both: index for index, both in enumerate(_columns(k, len(raw), pairs))}
    order = np.array([position[both] for both in combinations(range(k), 2)])
    p = raw[order]
    adjusted = np.zeros(len(raw))
    for hypotheses in _exhaustive_sets(k):
        defined = [index for index in hypotheses if not np.isnan(p[index])]
        if defined:
            adjusted[defined] = np.maximum(adjusted[defined], len(defined) * p[defined].min())
    in_raw_order = np.empty(len(raw))
    in_raw_order[order] = adjusted
    return in_raw_order


def _columns(k: int, m: int, pairs: Sequence[tuple[object, object]] | None) -> list[tuple[int, int]]:
    """Return the indices of the two classifiers in each hypothesis."""
    if pairs is None:
        return list(combinations(range(k), 2))
    names = list(dict.fromkeys(name for both in pairs for name in both))
    columns = [tuple(sorted(names.index(name) for name in both)) for both in pairs]
    if len(names) != k or sorted(columns) != list(combinations(range(k), 2)):
        raise HowsureError(f"`pairs` must be the {m} pairs of {k} classifiers, each once.")
    return [(both[0], both[1]) for both in columns]


def _exhaustive_sets(k: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of pairs that can be exactly the true hypotheses.

    Each set holds the pairs within the parts of a partition of the k classifiers.
    """
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
    "holm": _stepped(lambda p: p * _remaining(p), up=False),
    "hochberg": _stepped(lambda p: p * _remaining(p), up=True),
    "hommel": _stepped(_hommel, up=False),
    "sidak": lambda raw: _sidak(raw, len(raw)),
    "holm-sidak": _stepped(lambda p: _sidak(p, _remaining(p)), up=False),
    "bh": _stepped(_bh, up=True),
    "by": _stepped(_by, up=True),
}
OF_PAIRS: dict[str, Callable[[Array, int, Any], Array]] = {"shaffer": _shaffer, "bergmann-hommel": _bergmann_hommel}
METHODS = (*PLAIN, *OF_PAIRS)
# Authors and reference of each method, for the methods paragraph of a paper.
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
# Level of each of m hypotheses in single-step methods; stepwise methods have none that is known in advance.
SINGLE_STEP: dict[str, Callable[[float, int], float]] = {
    "none": lambda level, m: level,
    "bonferroni": lambda level, m: level / m,
    "sidak": lambda level, m: -math.expm1(math.log1p(-level) / m),
}


def level_of_each(method: str, level: float, m: int) -> float | None:
    """Return the level of each hypothesis; None for stepwise methods."""
    return SINGLE_STEP[method](level, m) if method in SINGLE_STEP else None
