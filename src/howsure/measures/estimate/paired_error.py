"""The standard error by which the difference of two classifiers is tested, and what it is compared with.

The delta method sees no error where a sample happens to hold none: with three positives that both classifiers find, the
recalls seem to be known. So a little is added to what was seen, as much to one side as to the other: to labels half a
case that only the first classifier gets right in each class, and half a case that only the second does (for accuracy
that is the idea of Bonett and Price 2012); to losses one case, half of it for each, as different as the most different
one, or two where losses have no end. And where positives or negatives are few, Student's distribution stands in for the
normal one. What was tried, and how often each form is wrong, is in docs/decisions/2026-11-16-equal-not-exchangeable.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.intervals.auc import error_by_area
from howsure.measures.declare import divide
from howsure.measures.estimate.labels import LabelBasis
from howsure.tables import PairedTable

HALF = 0.5  # of a case, added on each side
CAUTION = 0.25  # how far variances of areas are raised


@dataclass(frozen=True)
class PairedError:
    """A difference, its standard error, and the degrees of freedom of the error; none where the normal serves.

    ``value`` is nearer to 0 than what was seen where cases were added. ``on_log`` says that both are of logarithms, as
    suits ratios. ``reason`` says why there is no error, and so no test and no interval.
    """

    value: float
    error: float
    df: float | None = None
    on_log: bool = False
    reason: str = ""

    def reach(self, alpha: float) -> float:
        """How far the interval goes that leaves ``alpha`` out on each side."""
        from scipy.special import ndtri, stdtrit

        return float(-(ndtri(alpha) if self.df is None else stdtrit(self.df, alpha)) * self.error)


def degrees_of_freedom(n_positive: float, n_negative: float) -> float:
    """Welch and Satterthwaite's, of a sum of two means whose cases vary alike in either class.

    Taken from the sizes alone: with three positives, how much they vary is what is not known.
    """
    parts = np.array([1 / n_positive, 1 / n_negative])
    return float(parts.sum() ** 2 / (parts**2 / (np.array([n_positive, n_negative]) - 1)).sum())


def covariance_of_areas(placed: Array, flags: Array) -> Array:
    """DeLong's covariance of areas, from where each classifier (rows) places each case (columns)."""
    parts = []
    for those in (flags, ~flags):
        centred = np.stack([row[those] for row in placed])  # row by row, which NumPy does several times faster
        centred -= centred.mean(1, keepdims=True)
        n = int(those.sum())
        parts.append(centred @ centred.T / (max(n - 1, 1) * n))
    return np.asarray(parts[0] + parts[1])


def cautious_covariance(areas: Array, covariance: Array, n_positive: float, n_negative: float) -> Array:
    """Raise DeLong's variances of areas a quarter of the way to those that follow from the areas alone.

    Near 1 a few positives that score low make most of an area's variance, and a sample may hold none of them. With the
    whole way nothing would be left of the power; a quarter keeps the level where scores of one spread twice as far.
    """
    seen = covariance.diagonal()
    expected = np.array([error_by_area(float(area), n_positive, n_negative) ** 2 for area in areas])
    spread = np.sqrt(np.outer(seen, seen))
    correlation = np.divide(covariance, spread, out=np.eye(len(areas)), where=spread > 0)
    raised = np.maximum(seen, expected)
    mixed = (1 - CAUTION) * covariance + CAUTION * correlation * np.sqrt(np.outer(raised, raised))
    return np.asarray(mixed)


def one_case(n_positive: float, n_negative: float) -> str:
    """Say which class has too few cases for its spread to be seen; nothing where both have two."""
    for n, title in ((n_positive, "positive"), (n_negative, "negative")):
        if n < 2:
            return f"cannot be tested: {'one' if n else 'no'} {title} case"
    return ""


def too_few(n: int, least: float) -> str:
    """Say that chance makes a measure worse, by more than could be allowed for; nothing from ``least`` cases on."""
    if n >= least:
        return ""
    remedy = "no test was found that allows for it" if math.isinf(least) else f"a test holds from {least:g} cases on"
    return f"cannot be tested: chance alone makes its value worse, and not alike for the two; {remedy}"


def of_labels(table: PairedTable, bases: Sequence[LabelBasis], *, fixed_classes: bool, on_log: bool) -> PairedError:
    """The error of a measure of labels, with half a case more on each side in each class.

    Its wrong answer may be any other class.
    """
    k = table.k
    wrong = HALF * (1 - np.eye(k)) / max(k - 1, 1)
    counts = [basis.table.counts + HALF * np.eye(k) + wrong for basis in bases]
    values = [float(basis.evaluate(one)) for basis, one in zip(bases, counts, strict=True)]
    slopes = [basis.cells(one) for basis, one in zip(bases, counts, strict=True)]
    if on_log:
        slopes = [slope / value for slope, value in zip(slopes, values, strict=True)]
        values = [math.log(value) for value in values]
    first, second = slopes
    cells = np.concatenate(
        [
            first[table.cells[:, 0], table.cells[:, 1]] - second[table.cells[:, 0], table.cells[:, 2]],
            (first.diagonal()[:, None] - second).ravel(),
            (first - second.diagonal()[:, None]).ravel(),
        ]
    )
    weight = np.concatenate([table.counts, wrong.ravel(), wrong.ravel()])
    classes = np.repeat(np.arange(k), k)
    truth = np.concatenate([table.cells[:, 0], classes, classes])
    spread = centred(cells, weight, truth if fixed_classes else np.zeros_like(truth))
    of_a_count = bases[0].measure.freedom_of_a_count
    df = float(freedom_of_ratio(of_a_count, *counts)) if of_a_count and k == 2 else None
    return PairedError(values[0] - values[1], math.sqrt(float((weight * spread**2).sum())), df, on_log)


def freedom_of_ratio(of_a_count: float, *counts: Array) -> Array:
    """Degrees of freedom of the logarithm of a ratio: so many for each case of its smallest count."""
    return np.asarray(of_a_count * np.min([one.min((-1, -2)) for one in counts], axis=0))


def centred(influence: Array, weight: Array, stratum: IntArray) -> Array:
    """How far each case's influence is from the mean of its stratum: what is random."""
    mean = divide(np.bincount(stratum, weight * influence), np.bincount(stratum, weight))
    return np.asarray(influence - mean[stratum])


def of_influence(
    value: float, influence: Array, flags: Array, *, bounded: bool = True, effect: float = 1.0
) -> PairedError:
    """The error of a mean of each case's influence, with one case more that is as different as the most different.

    Of losses that are not ``bounded``, a case that the sample does not have may differ more than any that it has: two
    cases are added. With a design ``effect`` cases are worth so many times fewer.
    """
    n_positive = float(flags.sum())
    n_negative = len(influence) - n_positive
    reason = one_case(n_positive, n_negative)
    if reason:
        return PairedError(value, math.nan, reason=reason)
    tested = with_more(value, influence, effect, 1 if bounded else 2)
    return replace(tested, df=degrees_of_freedom(n_positive, n_negative))


def with_more(value: float, influence: Array, effect: float = 1.0, added: int = 1) -> PairedError:
    """Add cases that are as different as the most different one, half of them for each classifier."""
    n, spread = len(influence) / effect, influence - influence.mean()
    error = math.sqrt(float((spread**2).sum() / effect + added * np.abs(spread).max() ** 2)) / (n + added)
    return PairedError(value * n / (n + added), error)
