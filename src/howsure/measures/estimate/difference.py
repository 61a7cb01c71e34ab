"""The difference of a measure between two classifiers on the same cases: a measure of a paired table.

A measure's influence tells how much one more case in a cell of the table would change it. The difference of two
classifiers changes by the difference of their influences on that case, so its variance is a sum over cases, which keeps
the pairing: cases on which both err alike add nothing.
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
from howsure.intervals.declare import Basis, Request, Span, of_difference
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

REPLICATES = 1000  # for the standard error of a difference that has no closed form
OF_TESTS = 10_000  # replicates of a test that draws, unless a number is asked for
MOST_DRAWN = 250_000_000  # cases that such a test draws, as long as that leaves it REPLICATES
Values = tuple[Array, Array]  # of the first and of the second classifier, a batch of each


@dataclass(frozen=True)
class Difference(Basis):
    """A measure of the first classifier less that of the second; ``first`` and ``second`` are their own estimates."""

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
        """How many replicates a test draws by default: fewer where each takes very many cases."""
        return min(OF_TESTS, max(REPLICATES, MOST_DRAWN // max(self.n, 1)))

    @property
    def value(self) -> float:
        return self.first.value - self.second.value

    @property
    def n(self) -> int:
        return round(float(self.table.n))  # shares of cases may add up to a little less

    @property
    def reason(self) -> str | None:
        return self.first.undefined or self.second.undefined

    @property
    def is_testable(self) -> bool:
        """With the cases that a test adds there is a difference, even where there is none without them."""
        return self.reason is None

    @property
    def span(self) -> Span:
        return of_difference(self.measure.span(self.n, self.parameters))

    @cached_property
    def cluster_spread(self) -> ClusterSpread | None:
        """How far clusters move the difference; None where there are none, or no closed form tells."""
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

    def less(self, other: Any, table: Any) -> Any:
        """Give the difference of the first classifier here and the first one there, from the table of the two."""
        return replace(self, table=table, second=other.first)

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Give the values of both where each case's answers may have changed places."""
        raise NotImplementedError

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Give the values of both on cases drawn again with replacement."""
        raise NotImplementedError

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        return differences(self.resampled(np.random.default_rng(seed), size))

    @cached_property
    def standard_error(self) -> float:
        drawn = self.replicates(REPLICATES, self.seed)
        finite = drawn[np.isfinite(drawn)]
        with np.errstate(over="ignore"):  # an error larger than any number is infinite
            return float(finite.std()) if len(finite) else np.nan

    @cached_property
    def paired_error(self) -> PairedError:
        """The error that the difference is tested by, and that its interval is made of."""
        return PairedError(self.value, self.standard_error)

    def without_spread(self, request: Request) -> Interval:
        """Take what Tango's interval says of two that never disagree in as many cases, on the scale of the measure."""
        if np.isnan(self.standard_error):
            return request.undefined(self.paired_error.reason or "the difference has no standard error")
        share = tango(0, 0, self.n, request.confidence, request.side)
        low, high = (self.value + self.span[1] * end for end in share)
        note = "no spread is visible, so the interval is that of no disagreement in as many cases, on this scale"
        return request.close(low, high, "tango-scaled", self.span, (note,))


@dataclass(frozen=True)
class LabelDifference(Difference):
    """The difference of a measure of labels, from a `PairedTable`; ``bases`` are what the two estimates rest on."""

    table: PairedTable
    bases: tuple[LabelBasis, LabelBasis] = field(kw_only=True)
    fixed_classes: bool = False  # the shares of the classes were given, not sampled

    def less(self, other: LabelDifference, table: PairedTable) -> LabelDifference:
        return replace(self, table=table, second=other.first, bases=(self.bases[0], other.bases[0]))

    @property
    def offers(self) -> frozenset[str]:
        return super().offers | {"acceleration", *(("discordant",) if self.is_counted else ())}

    @property
    def is_counted(self) -> bool:
        """It is a difference of independent cases that are right or wrong."""
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
        """How far each combination of truth, first and second prediction moves the difference from what it is."""
        truth, first, second = self.table.cells.T
        cells = [basis.cells(basis.table.counts) for basis in self.bases]
        influence = np.asarray(cells[0][truth, first] - cells[1][truth, second])
        # What is random is how a case differs from the mean: of all cases, or of its class where classes are fixed.
        return centred(influence, self.table.counts, truth if self.fixed_classes else np.zeros_like(truth))

    @cached_property
    def cluster_spread(self) -> ClusterSpread | None:
        clusters, counts = self.table.by_cluster, self.table.counts
        if clusters is None:
            return None
        independent, sizes = float((counts * self.influence**2).sum()), clusters.sums(self._bears)
        spread = ClusterSpread(clusters.sums(self.influence), independent, sizes, float((counts * self._bears).sum()))
        return of_cases(spread) if clusters.shared else spread

    @property
    def _bears(self) -> Array:
        """The cells of which a case may move the difference: not those that neither measure depends on."""
        truth, first, second = self.table.cells.T
        one, other = (basis.cells(basis.table.counts + HALF) != 0 for basis in self.bases)
        return np.asarray(one[truth, first] | other[truth, second])

    @cached_property
    def standard_error(self) -> float:
        if self.cluster_spread is not None:
            return float(np.sqrt(self.cluster_spread.variance))
        return float(np.sqrt((self.table.counts * self.influence**2).sum()))

    @cached_property
    def paired_error(self) -> PairedError:
        """The error of the table, or of one of as many independent cases as the clusters are worth."""
        spread = self.cluster_spread
        if spread is None:
            return of_labels(self.table, self.bases, fixed_classes=self.fixed_classes, on_log=self.on_log)
        effect = spread.cautious_effect
        bases = [replace(basis, table=basis.table.fewer(effect)) for basis in self.bases]
        error = of_labels(self.table.worth(effect), bases, fixed_classes=self.fixed_classes, on_log=self.on_log)
        if np.isinf(spread.freedom):
            return error
        return replace(error, df=spread.freedom if error.df is None else min(error.df, spread.freedom))

    @property
    def on_log(self) -> bool:
        """It is a ratio, as the likelihood ratios are."""
        return self.measure.range == (0, np.inf)

    @property
    def is_testable(self) -> bool:
        """A ratio to nothing has no value, and yet one with half a case more, if each class has its cases."""
        return self.reason is None or (self.on_log and not any(basis.lacking for basis in self.bases))

    def acceleration(self) -> float:
        if self.cluster_spread is not None:
            return acceleration(self.cluster_spread.sums, np.ones(self.cluster_spread.clusters))
        return acceleration(self.influence, self.table.counts)

    @property
    def test_replicates(self) -> int:
        return OF_TESTS  # cells are drawn, not cases

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        evaluate = self.bases[0].evaluate
        return ((evaluate(a), evaluate(b)) for a, b in self.table.swapped(rng, size))

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        evaluate = self.bases[0].evaluate
        return ((evaluate(a), evaluate(b)) for a, b in self.table.resampled(rng, size, by_truth=self.fixed_classes))


@dataclass(frozen=True)
class ScoreDifference(Difference):
    """The difference of a measure of the scores of one class, from `PairedScores`."""

    table: PairedScores
    alone: tuple[ScoreDifference, ScoreDifference] | None = field(
        default=None, kw_only=True
    )  # with what is of each by itself

    def less(self, other: ScoreDifference, table: PairedScores) -> ScoreDifference:
        return replace(self, table=table, second=other.first, alone=(self, other))

    @cached_property
    def placements(self) -> tuple[Array, Array]:
        """The placements of all cases by the first and by the second classifier."""
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
        """How each case moves the measure of the first and of the second; None where there is no closed form."""
        if self.measure.loss is None and self.measure.influence is None:
            return None
        if self.alone is not None:
            one, other = (alone.influences for alone in self.alone)
            return None if one is None or other is None else (one[0], other[0])
        first, second = self.table.scores
        moved = self._influence(first)
        return moved, moved if second is first else self._influence(second)

    def _influence(self, scores: Array) -> Array:
        flags = self.table.flags
        table = ScoreTable.from_scores(flags, scores)
        if self.measure.influence is None:
            with np.errstate(over="ignore", invalid="ignore"):  # of scores too large to be squared
                return ScoreBasis(self.measure, table, self.parameters).loss_influence(scores, flags)
        of_positives, of_negatives = self.measure.influence(table.counts)
        position = len(table.scores) - 1 - np.searchsorted(table.scores[::-1], scores)
        return np.where(flags, of_positives[position], of_negatives[position])

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """Positive and negative cases."""
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
            moved = (first - second - (first - second).mean()) / self.n
        else:
            flags, apart = self.table.flags, self.placements[0] - self.placements[1]
            sizes = np.where(flags, *self.sizes)
            means = np.where(flags, *(apart[those].mean() if those.any() else 0.0 for those in (flags, ~flags)))
            moved = self.measure.of_auc[0] * (apart - means) / sizes
            shares = np.maximum(*(clusters.sums(those) / max(those.sum(), 1) for those in (flags, ~flags)))
        return ClusterSpread(clusters.sums(moved), float((moved**2).sum()), clusters.sizes, float(self.n), shares)

    @cached_property
    def standard_error(self) -> float:
        if self.cluster_spread is not None:
            return np.nan if one_case(*self.sizes) else float(np.sqrt(self.cluster_spread.variance))
        if self.measure.of_auc is not None:
            return self._error_of_placements()
        if self.influences is None:
            return super().standard_error
        with np.errstate(over="ignore", invalid="ignore"):  # an error larger than any number is infinite
            return float((self.influences[0] - self.influences[1]).std() / np.sqrt(self.n))

    def _error_of_placements(self) -> float:
        if one_case(*self.sizes):
            return np.nan
        flags = self.table.flags
        apart = self.placements[0] - self.placements[1]
        variance = sum(float(one.var(ddof=1)) / len(one) for one in (apart[flags], apart[~flags]))
        slope, _ = self.measure.of_auc or (1.0, 0.0)
        return abs(slope) * float(np.sqrt(variance))

    def _cautious_error(self, effect: float) -> float:
        """The error that allows for areas near 1; none where none is visible."""
        if not self._error_of_placements() > 0:
            return 0.0
        flags, placed = self.table.flags, np.array(self.placements)
        covariance, worth = effect * covariance_of_areas(placed, flags), [size / effect for size in self.sizes]
        raised = cautious_covariance(placed[:, flags].mean(1), covariance, *worth)
        slope, _ = self.measure.of_auc or (1.0, 0.0)
        return abs(slope) * float(np.sqrt(max(raised[0, 0] + raised[1, 1] - 2 * raised[0, 1], 0.0)))

    def _error_of_means(self, otherwise: PairedError, effect: float) -> PairedError:
        """Test what the measure is a function of, the mean loss: on the same cases both are equal or neither is.

        The difference and its error are brought to the scale of the measure by their ratio to those of the means.
        """
        loss, flags = self.measure.loss, self.table.flags
        assert loss is not None
        with np.errstate(over="ignore", invalid="ignore"):  # of scores too large to be squared
            apart = np.where(flags, *loss(self.table.first)) - np.where(flags, *loss(self.table.second))
            mean = float(apart.mean())
            tested, ratio = of_influence(mean, apart, flags, effect=effect), self.value / mean if mean else np.nan
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
            apart, bounded = self.influences[0] - self.influences[1], bool(np.isfinite(self.measure.loss_range[1]))
            tested = of_influence(self.value, apart, self.table.flags, bounded=bounded, effect=effect)
            tested = tested if self.measure.of_mean is None else self._error_of_means(tested, effect)
            return replace(tested, df=min(cast("float", tested.df), freedom))
        if self.measure.of_auc is not None:
            error = max(self._error_of_placements() * np.sqrt(effect), self._cautious_error(effect))
        else:
            # What is no smooth function of the cases varies more, or less, when they are drawn again: the wider counts.
            swapped = _spread(differences(self.swapped(np.random.default_rng(self.seed), REPLICATES)))
            error = max(self.standard_error, swapped)
        return PairedError(self.value, error, min(degrees_of_freedom(*self.sizes), freedom))

    def from_placements(self, request: Request) -> Interval:
        if not self.standard_error > 1e-12:
            return self.without_spread(request)
        interval = delta(self.value, self.standard_error, self.span, request)
        return replace(interval, method=interval.method.replace("delta", "delong"))

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Exchange scores; where only their order counts, ranks within each classifier.

        Scores of classifiers on different scales are not exchangeable, their ranks are (Bandos, Rockette and Gur 2005).
        """
        table = self.table.ranked() if self.measure.ranks else self.table
        if self.table.is_long:
            return iter(table.joined_together.swapped(rng, size, self._value))
        return ((self._value(a), self._value(b)) for a, b in table.swapped(rng, size))

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Draw cases again; where joining scores moves a value a little, it is moved back."""
        if not self.table.is_long:
            return ((self._value(a), self._value(b)) for a, b in self.table.resampled(rng, size))
        joined = self.table.joined_apart
        moved = [
            one.value - float(self._value(seen))
            for one, seen in zip((self.first, self.second), joined.seen, strict=True)
        ]
        drawn = joined.resampled(rng, size, self._value)
        return ((a + moved[0], b + moved[1]) for a, b in drawn)

    def _value(self, counts: Any) -> Array:
        return self.measure.value(counts, **self.parameters)


@dataclass(frozen=True)
class RowDifference(Difference):
    """The difference of a measure of the scores of many classes, which are compared case by case."""

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
    """Give the difference of a measure on a paired table: of the class ``label``, or of an average of the classes."""
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
        first, second = (estimate(one, measure, label=label, average=average, **options) for one in tables)
        one, other = (label_basis(confusion, measure, label, average, options)[0] for confusion in tables)
        return LabelDifference(measure, one.parameters, table, first, second, seed, one.average, bases=(one, other))
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
    """Give the difference of a measure of two classifiers: of the positive class where there is one, else averaged."""
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
    """Give the difference of each pair of names; what concerns one classifier alone is computed once, not per pair."""
    alone = {
        name: difference_of(one, one, measure, parameters=parameters, seed=seed) for name, one in predictions.items()
    }
    first = next(iter(predictions.values()))
    for one in predictions.values():
        check_paired(first, one)
    table = next(iter(alone.values())).table
    if isinstance(table, PairedScores):
        for a, b in pairs:
            yield alone[a].less(alone[b], replace(alone[a].table, second=alone[b].table.first))
        return
    # Of a measure of one class, all other classes are one, as they are in the tables.
    folded, target = table.labels != first.classes.labels, first.classes.labels.index(table.labels[0])
    columns = {name: one.decided() for name, one in predictions.items()}
    truth = first.truth
    if folded:
        columns = {name: (column != target).view(np.int8) for name, column in columns.items()}
        truth = (truth != target).view(np.int8)
    for a, b in pairs:
        codes, cases = (truth, columns[a], columns[b]), (first.weight, first.cluster)
        both = PairedTable.of_checked(codes, table.labels, *cases, shared=first.case is not None)
        yield alone[a].less(alone[b], both)


def _of_rows(
    table: PairedScores, scores: Array, measure: Measure, average: str | None, parameters: dict[str, Any]
) -> Estimate:
    rows = ScoreRows(table.truth, scores, np.ones(table.n))
    return estimate_classes(ClassScores(rows, table.labels), measure, average=average, **parameters)


def _spread(drawn: Array) -> float:
    finite = drawn[np.isfinite(drawn)]
    return float(finite.std()) if len(finite) else np.nan


def differences(values: Iterator[Values]) -> Array:
    """Subtract the values of the second classifier from those of the first, over all blocks of replicates."""
    with np.errstate(all="ignore"):
        return np.concatenate([first - second for first, second in values])
