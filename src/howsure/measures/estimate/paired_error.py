"""Standard errors for tests of the difference between two classifiers.

The delta method gives a standard error of 0 if the sample shows no variation: if both classifiers find all three
positives, the recalls seem to be exact. So pseudo-cases are added, equally for both classifiers. For labels, each class
gets half a case that only the first classifier gets right, and half a case that only the second does (for accuracy,
Bonett and Price 2012). For losses, one case is added with the largest difference between losses, half of it for each
classifier, or two cases if losses are unbounded. With few positives or negatives, Student's distribution replaces the
normal one. Other methods and their error rates are in docs/decisions/2026-11-17-tests-of-two-classifiers.md.
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

HALF = 0.5  # weight of the pseudo-case for each classifier
CAUTION = 0.25  # weight of the AUC variance that follows from the AUC alone


@dataclass(frozen=True)
class PairedError:
    """A difference with the standard error for its test.

    ``value`` is shrunk towards 0 by pseudo-cases. ``df`` is None for the normal distribution. If ``on_log``, value and
    error are those of logarithms of ratios. ``reason`` says why there is no error, test or interval.
    """

    value: float
    error: float
    df: float | None = None
    on_log: bool = False
    reason: str = ""

    def reach(self, alpha: float) -> float:
        """Return the half-width of the interval with error ``alpha`` on each side."""
        from scipy.special import ndtri, stdtrit

        return float(-(ndtri(alpha) if self.df is None else stdtrit(self.df, alpha)) * self.error)


def degrees_of_freedom(n_positive: float, n_negative: float) -> float:
    """Return Welch-Satterthwaite degrees of freedom for equal variances."""
    # They depend only on the class sizes, since the variance within a few positives is unknown.
    parts = np.array([1 / n_positive, 1 / n_negative])
    return float(parts.sum() ** 2 / (parts**2 / (np.array([n_positive, n_negative]) - 1)).sum())


def covariance_of_areas(placed: Array, flags: Array) -> Array:
    """Return DeLong's covariance of areas, computed from rows of placements."""
    parts = []
    for of_class in (flags, ~flags):
        centred = np.stack([row[of_class] for row in placed])  # faster than placed[:, of_class]
        centred -= centred.mean(1, keepdims=True)
        n = int(of_class.sum())
        parts.append(centred @ centred.T / (max(n - 1, 1) * n))
    return np.asarray(parts[0] + parts[1])


def cautious_covariance(areas: Array, covariance: Array, n_positive: float, n_negative: float) -> Array:
    """Return DeLong's covariance with larger variances near an area of 1."""
    # Near 1, a few positives with low scores cause most of the variance, and the sample may contain none. So a quarter
    # of the excess of the variance that follows from the area alone is added to each variance. The whole excess would
    # leave no power; a quarter keeps the level even if the scores of one classifier have twice the standard deviation.
    observed = covariance.diagonal()
    expected = np.array([error_by_area(float(area), n_positive, n_negative) ** 2 for area in areas])
    spread = np.sqrt(np.outer(observed, observed))
    correlation = np.divide(covariance, spread, out=np.eye(len(areas)), where=spread > 0)
    raised = np.maximum(observed, expected)
    mixed = (1 - CAUTION) * covariance + CAUTION * correlation * np.sqrt(np.outer(raised, raised))
    return np.asarray(mixed)


def one_case(n_positive: float, n_negative: float) -> str:
    """Return the reason why there is no test if a class has fewer than two cases."""
    for n, title in ((n_positive, "positive"), (n_negative, "negative")):
        if n < 2:
            return f"cannot be tested: {'one' if n else 'no'} {title} case"
    return ""


def too_few(n: int, least: float) -> str:
    """Return the reason why a biased measure is not tested with few cases."""
    if n >= least:
        return ""
    remedy = "no valid test is known" if math.isinf(least) else f"a test needs at least {least:g} cases"
    return f"cannot be tested: the measure is biased, by a different amount for each classifier; {remedy}"


def of_labels(table: PairedTable, bases: Sequence[LabelBasis], *, fixed_classes: bool, on_log: bool) -> PairedError:
    """Return the error for a measure of labels, with pseudo-cases."""
    # The wrong prediction of a pseudo-case is spread over all other classes.
    k = table.k
    wrong = HALF * (1 - np.eye(k)) / max(k - 1, 1)
    counts = [basis.table.counts + HALF * np.eye(k) + wrong for basis in bases]
    values = [float(basis.evaluate(table_counts)) for basis, table_counts in zip(bases, counts, strict=True)]
    slopes = [basis.cells(table_counts) for basis, table_counts in zip(bases, counts, strict=True)]
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
    of_a_count = bases[0].measure.df_per_count
    df = float(freedom_of_ratio(of_a_count, *counts)) if of_a_count and k == 2 else None
    return PairedError(values[0] - values[1], math.sqrt(float((weight * spread**2).sum())), df, on_log)


def freedom_of_ratio(of_a_count: float, *counts: Array) -> Array:
    """Return the degrees of freedom for a ratio, based on its smallest count."""
    return np.asarray(of_a_count * np.min([table.min((-1, -2)) for table in counts], axis=0))


def centred(influence: Array, weight: Array, stratum: IntArray) -> Array:
    """Return the influences minus the weighted mean of their stratum."""
    mean = divide(np.bincount(stratum, weight * influence), np.bincount(stratum, weight))
    return np.asarray(influence - mean[stratum])


def of_influence(
    value: float, influence: Array, flags: Array, *, bounded: bool = True, effect: float = 1.0
) -> PairedError:
    """Return the error of a mean of influences, with pseudo-cases.

    One pseudo-case is added, or two for losses that are not ``bounded``. ``effect`` is the design effect.
    """
    n_positive = float(flags.sum())
    n_negative = len(influence) - n_positive
    reason = one_case(n_positive, n_negative)
    if reason:
        return PairedError(value, math.nan, reason=reason)
    tested = with_more(value, influence, effect, 1 if bounded else 2)
    return replace(tested, df=degrees_of_freedom(n_positive, n_negative))


def with_more(value: float, influence: Array, effect: float = 1.0, added: int = 1) -> PairedError:
    """Return the error after adding cases with the largest difference."""
    n, spread = len(influence) / effect, influence - influence.mean()
    error = math.sqrt(float((spread**2).sum() / effect + added * np.abs(spread).max() ** 2)) / (n + added)
    return PairedError(value * n / (n + added), error)
