"""Difference in a measure between two classifiers on the same cases.

The influence of a case on the difference is the difference between its influences on the two measures. The variance of
the difference is the sum of the squared influences, which accounts for the pairing: cases with equal predictions add
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from howsure.arrays import Array
from howsure.data import Predictions
from howsure.data.encode import Label
from howsure.errors import HowsureError
from howsure.intervals.bootstrap import acceleration
from howsure.intervals.clustered import ClusterSpread, of_cases
from howsure.intervals.declare import Basis, Request, Span, difference_span
from howsure.intervals.delta import delta
from howsure.intervals.difference import tango
from howsure.kernels.ranking import placements
from howsure.measures.declare import Measure
from howsure.measures.estimate.classes import estimate_classes
from howsure.measures.estimate.labels import HALF, LabelBasis, estimate, label_basis
from howsure.measures.estimate.paired_error import (
    PairedError,
    cautious_covariance,
    centred,
    covariance_of_areas,
    degrees_of_freedom,
    of_influence,
    of_labels,
    one_case,
    too_few,
)
from howsure.measures.estimate.scores import ScoreBasis, estimate_scores
from howsure.results import Estimate, Interval
from howsure.tables import ClassScores, ScoreRows, ScoreTable
from howsure.tables.paired import PairedScores, PairedTable, check_paired

REPLICATES = 1000  # number of replicates for a standard error that has no closed form
OF_TESTS = 10_000  # default number of replicates of permutation and bootstrap tests
MAX_DRAWN = 250_000_000  # maximum number of cases that a test draws, which limits its replicates (min. REPLICATES)
Values = tuple[Array, Array]  # values of the first and the second classifier


@dataclass(frozen=True)
class Difference(Basis):
    """The measure of the first classifier minus that of the second."""

    measure: Measure
    parameters: dict[str, Any]
    table: Any
    first: Estimate
    second: Estimate
    seed: int = 0
    average: str | None = None

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({"error", "replicates", "paired error"})

    @property
    def default(self) -> str:
        return "paired-delta"

    @property
    def test_replicates(self) -> int:
        """The default number of replicates of a test, lower for many cases."""
        return min(OF_TESTS, max(REPLICATES, MAX_DRAWN // max(self.n, 1)))

    @property
    def value(self) -> float:
        return self.first.value - self.second.value

    @property
    def n(self) -> int:
        return round(float(self.table.n))  # sums of weights may be slightly lower

    @property
    def reason(self) -> str | None:
        return self.first.undefined or self.second.undefined

    @property
    def is_testable(self) -> bool:
        """Whether there is a difference after adding the pseudo-cases of a test."""
        return self.reason is None

    @property
    def span(self) -> Span:
        return difference_span(self.measure.span(self.n, self.parameters))

    @cached_property
    def cluster_spread(self) -> ClusterSpread | None:
        """The variance between clusters; None without clusters or a closed form."""
        return None

    @property
    def clusters(self) -> int | None:
        clusters = self.table.by_cluster
        return None if clusters is None or clusters.shared else len(clusters)

    @property
    def design_effect(self) -> float | None:
        if self.clusters is None:
            return None
        return np.nan if self.cluster_spread is None else self.cluster_spread.design_effect

    def minus(self, other: Any, table: Any) -> Any:
        """Return the difference between the first classifiers of two differences."""
        return replace(self, table=table, second=other.first)

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Return both classifiers' values after randomly exchanging predictions."""
        raise NotImplementedError

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Return both classifiers' values on bootstrap samples."""
        raise NotImplementedError

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        return differences(self.resampled(np.random.default_rng(seed), size))

    @cached_property
    def standard_error(self) -> float:
        drawn = self.replicates(REPLICATES, self.seed)
        finite = drawn[np.isfinite(drawn)]
        with np.errstate(over="ignore"):  # a huge error is infinite
            return float(finite.std()) if len(finite) else np.nan

    @cached_property
    def paired_error(self) -> PairedError:
        """The standard error for the test and the default interval."""
        return PairedError(self.value, self.standard_error)

    def without_spread(self, request: Request) -> Interval:
        """Return Tango's interval for no disagreement, on the measure's scale."""
        if np.isnan(self.standard_error):
            return request.undefined(self.paired_error.reason or "the difference has no standard error")
        share = tango(0, 0, self.n, request.confidence, request.side)
        low, high = (self.value + self.span[1] * end for end in share)
        note = (
            "the data show no sampling error, so this is Tango's interval for no disagreement in as many cases, scaled"
        )
        return request.close(low, high, "tango-scaled", self.span, (note,))


@dataclass(frozen=True)
class LabelDifference(Difference):
    """The difference in a measure of labels, with the bases of both estimates."""

    table: PairedTable
    bases: tuple[LabelBasis, LabelBasis] = field(kw_only=True)
    fixed_classes: bool = False  # class sizes are not random

    def minus(self, other: LabelDifference, table: PairedTable) -> LabelDifference:
        return replace(self, table=table, second=other.first, bases=(self.bases[0], other.bases[0]))

    @property
    def offers(self) -> frozenset[str]:
        return super().offers | {"acceleration", *(("discordant",) if self.is_counted else ())}

    @property
    def is_counted(self) -> bool:
        """Whether this is a difference between proportions of independent cases."""
        return self.measure.of_accuracy is not None and self.clusters is None and not self.table.shared

    @property
    def default(self) -> str:
        return "tango" if self.is_counted else "paired-delta"

    @property
    def discordant(self) -> tuple[float, float, float]:
        lost, won = self.table.discordant
        slope, _ = self.measure.of_accuracy or (1.0, 0.0)
        return (lost, won, self.n) if slope > 0 else (won, lost, self.n)

    @property
    def influence(self) -> Array:
        """The centred influence of each combination of truth and predictions."""
        truth, first, second = self.table.cells.T
        cells = [basis.cells(basis.table.counts) for basis in self.bases]
        influence = np.asarray(cells[0][truth, first] - cells[1][truth, second])
        return centred(influence, self.table.counts, truth if self.fixed_classes else np.zeros_like(truth))

    @cached_property
    def cluster_spread(self) -> ClusterSpread | None:
        clusters, counts = self.table.by_cluster, self.table.counts
        if clusters is None:
            return None
        independent, sizes = float((counts * self.influence**2).sum()), clusters.sums(self._matters)
        spread = ClusterSpread(clusters.sums(self.influence), independent, sizes, float((counts * self._matters).sum()))
        return of_cases(spread) if clusters.shared else spread

    @property
    def _matters(self) -> Array:
        """The cells on which at least one of the measures depends."""
        truth, first, second = self.table.cells.T
        of_first, of_second = (basis.cells(basis.table.counts + HALF) != 0 for basis in self.bases)
        return np.asarray(of_first[truth, first] | of_second[truth, second])

    @cached_property
    def standard_error(self) -> float:
        if self.cluster_spread is not None:
            return float(np.sqrt(self.cluster_spread.variance))
        return float(np.sqrt((self.table.counts * self.influence**2).sum()))

    @cached_property
    def paired_error(self) -> PairedError:
        """The standard error based on the effective number of independent cases."""
        spread = self.cluster_spread
        if spread is None:
            return of_labels(self.table, self.bases, fixed_classes=self.fixed_classes, on_log=self.on_log)
        effect = spread.cautious_effect
        bases = [replace(basis, table=basis.table.divided_by(effect)) for basis in self.bases]
        error = of_labels(self.table.deflate(effect), bases, fixed_classes=self.fixed_classes, on_log=self.on_log)
        if np.isinf(spread.freedom):
            return error
        return replace(error, df=spread.freedom if error.df is None else min(error.df, spread.freedom))

    @property
    def on_log(self) -> bool:
        """Whether the measure is a ratio, such as a likelihood ratio."""
        return self.measure.range == (0, np.inf)

    @property
    def is_testable(self) -> bool:
        """Whether there is a difference, or a ratio that pseudo-cases make defined."""
        return self.reason is None or (self.on_log and not any(basis.lacking for basis in self.bases))

    def acceleration(self) -> float:
        if self.cluster_spread is not None:
            return acceleration(self.cluster_spread.sums, np.ones(self.cluster_spread.clusters))
        return acceleration(self.influence, self.table.counts)

    @property
    def test_replicates(self) -> int:
        return OF_TESTS  # draws of cells do not depend on the number of cases

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        evaluate = self.bases[0].evaluate
        return ((evaluate(a), evaluate(b)) for a, b in self.table.swapped(rng, size))

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        evaluate = self.bases[0].evaluate
        return ((evaluate(a), evaluate(b)) for a, b in self.table.resampled(rng, size, by_truth=self.fixed_classes))


@dataclass(frozen=True)
class ScoreDifference(Difference):
    """The difference in a measure of the scores of one class."""

    table: PairedScores
    alone: tuple[ScoreDifference, ScoreDifference] | None = field(default=None, kw_only=True)  # each with itself

    def minus(self, other: ScoreDifference, table: PairedScores) -> ScoreDifference:
        return replace(self, table=table, second=other.first, alone=(self, other))

    @cached_property
    def placements(self) -> tuple[Array, Array]:
        """The placements of all cases by the first and the second classifier."""
        if self.alone is not None:
            return self.alone[0].placements[0], self.alone[1].placements[0]
        first, second = self.table.scores
        placed = placements(self.table.flags, first)
        return placed, placed if second is first else placements(self.table.flags, second)

    @property
    def offers(self) -> frozenset[str]:
        return super().offers | ({"placements"} if self.measure.of_auc is not None else frozenset())

    @cached_property
    def influences(self) -> tuple[Array, Array] | None:
        """The influences of cases on both measures; None without a closed form."""
        if self.measure.loss is None and self.measure.influence is None:
            return None
        if self.alone is not None:
            first, second = (alone.influences for alone in self.alone)
            return None if first is None or second is None else (first[0], second[0])
        scores = self.table.scores
        influence = self._influence(scores[0])
        return influence, influence if scores[1] is scores[0] else self._influence(scores[1])

    def _influence(self, scores: Array) -> Array:
        flags = self.table.flags
        table = ScoreTable.from_scores(flags, scores)
        if self.measure.influence is None:
            with np.errstate(over="ignore", invalid="ignore"):  # squares of large scores
                return ScoreBasis(self.measure, table, self.parameters).loss_influence(scores, flags)
        of_positives, of_negatives = self.measure.influence(table.counts)
        position = len(table.scores) - 1 - np.searchsorted(table.scores[::-1], scores)
        return np.where(flags, of_positives[position], of_negatives[position])

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The numbers of positives and negatives."""
        positive = int(self.table.flags.sum())
        return positive, self.n - positive

    @cached_property
    def cluster_spread(self) -> ClusterSpread | None:
        clusters = self.table.by_cluster
        if clusters is None or (self.measure.of_auc is None and self.influences is None):
            return None
        shares = None
        if self.measure.of_auc is None:
            first, second = cast("tuple[Array, Array]", self.influences)
            influence = (first - second - (first - second).mean()) / self.n
        else:
            flags, differences = self.table.flags, self.placements[0] - self.placements[1]
            both, sizes = (flags, ~flags), np.where(flags, *self.sizes)
            means = np.where(flags, *(differences[rows].mean() if rows.any() else 0.0 for rows in both))
            influence = self.measure.of_auc[0] * (differences - means) / sizes
            shares = np.maximum(*(clusters.sums(rows) / max(rows.sum(), 1) for rows in both))
        independent = float((influence**2).sum())
        return ClusterSpread(clusters.sums(influence), independent, clusters.sizes, float(self.n), shares)

    @cached_property
    def standard_error(self) -> float:
        if self.cluster_spread is not None:
            return np.nan if one_case(*self.sizes) else float(np.sqrt(self.cluster_spread.variance))
        if self.measure.of_auc is not None:
            return self._error_of_placements()
        if self.influences is None:
            return super().standard_error
        with np.errstate(over="ignore", invalid="ignore"):  # a huge error is infinite
            return float((self.influences[0] - self.influences[1]).std() / np.sqrt(self.n))

    def _error_of_placements(self) -> float:
        if one_case(*self.sizes):
            return np.nan
        flags = self.table.flags
        differences = self.placements[0] - self.placements[1]
        variance = sum(float(part.var(ddof=1)) / len(part) for part in (differences[flags], differences[~flags]))
        slope, _ = self.measure.of_auc or (1.0, 0.0)
        return abs(slope) * float(np.sqrt(variance))

    def _cautious_error(self, effect: float) -> float:
        """Return the error for areas near 1; 0 if DeLong's error is 0."""
        if not self._error_of_placements() > 0:
            return 0.0
        flags, placed = self.table.flags, np.array(self.placements)
        covariance, sizes = effect * covariance_of_areas(placed, flags), [size / effect for size in self.sizes]
        raised = cautious_covariance(placed[:, flags].mean(1), covariance, *sizes)
        slope, _ = self.measure.of_auc or (1.0, 0.0)
        return abs(slope) * float(np.sqrt(max(raised[0, 0] + raised[1, 1] - 2 * raised[0, 1], 0.0)))

    def _error_of_means(self, otherwise: PairedError, effect: float) -> PairedError:
        """Return the error of the mean loss, on the scale of the measure."""
        # On the same cases the measures of two classifiers are equal if and only if their mean losses are.
        loss, flags = self.measure.loss, self.table.flags
        assert loss is not None
        with np.errstate(over="ignore", invalid="ignore"):  # squares of large scores
            losses = np.where(flags, *loss(self.table.first)) - np.where(flags, *loss(self.table.second))
            mean = float(losses.mean())
            tested, ratio = of_influence(mean, losses, flags, effect=effect), self.value / mean if mean else np.nan
        if not (abs(mean) > 1e-12 and np.isfinite(ratio)):
            return otherwise
        return replace(tested, value=tested.value * ratio, error=tested.error * abs(ratio))

    @cached_property
    def paired_error(self) -> PairedError:
        reason = one_case(*self.sizes) or too_few(self.n, self.measure.least_n_to_test)
        if reason:
            return PairedError(self.value, np.nan, reason=reason)
        spread = self.cluster_spread
        effect = 1.0 if spread is None else spread.cautious_effect
        freedom = np.inf if self.clusters is None else self.clusters - 1.0 if spread is None else spread.freedom
        if self.influences is not None:
            influence, bounded = self.influences[0] - self.influences[1], bool(np.isfinite(self.measure.loss_range[1]))
            tested = of_influence(self.value, influence, self.table.flags, bounded=bounded, effect=effect)
            tested = tested if self.measure.of_mean is None else self._error_of_means(tested, effect)
            return replace(tested, df=min(cast("float", tested.df), freedom))
        if self.measure.of_auc is not None:
            error = max(self._error_of_placements() * np.sqrt(effect), self._cautious_error(effect))
        else:
            # For measures that are not smooth, the bootstrap error may be too small, so also use the permutation error.
            swapped = _spread(differences(self.swapped(np.random.default_rng(self.seed), REPLICATES)))
            error = max(self.standard_error, swapped)
        return PairedError(self.value, error, min(degrees_of_freedom(*self.sizes), freedom))

    def from_placements(self, request: Request) -> Interval:
        if not self.standard_error > 1e-12:
            return self.without_spread(request)
        interval = delta(self.value, self.standard_error, self.span, request)
        return replace(interval, method=interval.method.replace("delta", "delong"))

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Exchange scores, or ranks if only the order matters."""
        # Scores on different scales are not exchangeable, but ranks are (Bandos, Rockette and Gur 2005).
        table = self.table.ranked() if self.measure.ranks else self.table
        if self.table.is_long:
            return iter(table.joined_together.swapped(rng, size, self._value))
        return ((self._value(a), self._value(b)) for a, b in table.swapped(rng, size))

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Return both classifiers' values on bootstrap samples."""
        if not self.table.is_long:
            return ((self._value(a), self._value(b)) for a, b in self.table.resampled(rng, size))
        joined = self.table.joined_apart
        shifts = [  # merging the scores changes the values slightly
            estimate.value - float(self._value(merged))
            for estimate, merged in zip((self.first, self.second), joined.seen, strict=True)
        ]
        drawn = joined.resampled(rng, size, self._value)
        return ((a + shifts[0], b + shifts[1]) for a, b in drawn)

    def _value(self, counts: Any) -> Array:
        return self.measure.value(counts, **self.parameters)


@dataclass(frozen=True)
class RowDifference(Difference):
    """The difference in a measure of the scores of several classes."""

    table: PairedScores

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        table = self.table.ranked() if self.measure.ranks else self.table
        return map(self._values, table.swapped_rows(rng, size))

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        return map(self._values, self.table.resampled_rows(rng, size))

    def _values(self, table: PairedScores) -> Values:
        first, second = (
            np.array([_of_rows(table, scores, self.measure, self.average, self.parameters).value])
            for scores in (table.first, table.second)
        )
        return first, second


def difference(
    table: PairedTable | PairedScores,
    measure: Measure,
    *,
    label: Label | None = None,
    average: str | None = None,
    parameters: dict[str, Any] | None = None,
    seed: int = 0,
) -> Difference:
    """Return the difference in a measure on a paired table."""
    options = parameters or {}
    if isinstance(table, PairedTable):
        if measure.scope in ("score", "rows"):
            raise HowsureError(
                f"`{measure.name}` is a measure of scores, and there are only labels; give `scores=...`."
            )
        if measure.scope == "overall" or average is not None:
            label = None
        if label is not None:
            table = table.against(label)
        tables = table.confusions()
        first, second = (estimate(each, measure, label=label, average=average, **options) for each in tables)
        a, b = (label_basis(each, measure, label, average, options)[0] for each in tables)
        return LabelDifference(measure, a.parameters, table, first, second, seed, a.average, bases=(a, b))
    if table.positive is None:
        first, second = (_of_rows(table, scores, measure, average, options) for scores in (table.first, table.second))
        return RowDifference(measure, options, table, first, second, seed, average)
    if measure.scope == "rows":
        raise HowsureError(f"`{measure.name}` needs a column of scores for each of more than two classes.")
    if average is not None:
        raise HowsureError(f"`{measure.name}` is of one class here, and has no average.")
    of = str(table.labels[table.positive])
    first = estimate_scores(ScoreTable.from_scores(table.flags, table.first), measure, of=of, **options)
    second = first
    if table.second is not table.first:
        second = estimate_scores(ScoreTable.from_scores(table.flags, table.second), measure, of=of, **options)
    return ScoreDifference(measure, options, table, first, second, seed)


def difference_of(
    first: Predictions,
    second: Predictions,
    measure: Measure,
    *,
    average: str | None = None,
    parameters: dict[str, Any] | None = None,
    seed: int = 0,
) -> Difference:
    """Return the difference for the positive class, or for an average."""
    table: PairedTable | PairedScores
    if measure.scope in ("score", "rows"):
        table = PairedScores.from_predictions(first, second, all_classes=measure.scope == "rows")
        label = None
    else:
        table = PairedTable.from_predictions(first, second)
        label = first.classes.positive if average is None else None
    return difference(table, measure, label=label, average=average, parameters=parameters, seed=seed)


def differences_of(
    predictions: Mapping[str, Predictions],
    pairs: Sequence[tuple[str, str]],
    measure: Measure,
    *,
    parameters: dict[str, Any] | None = None,
    seed: int = 0,
) -> Iterator[Difference]:
    """Return the difference between each pair of classifiers."""
    # Each classifier is also compared with itself, so that its own estimates are computed once, not for each pair.
    alone = {
        name: difference_of(own, own, measure, parameters=parameters, seed=seed) for name, own in predictions.items()
    }
    first = next(iter(predictions.values()))
    for other in predictions.values():
        check_paired(first, other)
    table = next(iter(alone.values())).table
    if isinstance(table, PairedScores):
        for a, b in pairs:
            yield alone[a].minus(alone[b], replace(alone[a].table, second=alone[b].table.first))
        return
    # For measures of one class, the tables merge all other classes.
    folded, target = table.labels != first.classes.labels, first.classes.labels.index(table.labels[0])
    columns = {name: own.decided() for name, own in predictions.items()}
    truth = first.truth
    if folded:
        columns = {name: (column != target).view(np.int8) for name, column in columns.items()}
        truth = (truth != target).view(np.int8)
    for a, b in pairs:
        codes, cases = (truth, columns[a], columns[b]), (first.weight, first.cluster)
        both = PairedTable.of_checked(codes, table.labels, *cases, shared=first.case is not None)
        yield alone[a].minus(alone[b], both)


def _of_rows(
    table: PairedScores, scores: Array, measure: Measure, average: str | None, parameters: dict[str, Any]
) -> Estimate:
    rows = ScoreRows(table.truth, scores, np.ones(table.n))
    return estimate_classes(ClassScores(rows, table.labels), measure, average=average, **parameters)


def _spread(drawn: Array) -> float:
    finite = drawn[np.isfinite(drawn)]
    return float(finite.std()) if len(finite) else np.nan


def differences(values: Iterator[Values]) -> Array:
    """Return the differences between both values over all blocks of replicates."""
    with np.errstate(all="ignore"):
        return np.concatenate([first - second for first, second in values])
