"""Estimates of measures of scores of more than two classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from howsure.arrays import Array
from howsure.data.predictions import Key
from howsure.errors import listing
from howsure.intervals.auc import Areas
from howsure.intervals.clustered import ClusterAware, ClusterSpread
from howsure.intervals.declare import NoBasis, Request, Smoothed, Span
from howsure.intervals.declare import registry as methods
from howsure.intervals.delta import NO_SPREAD, delta
from howsure.intervals.proportion import wilson_interval
from howsure.intervals.smoothed import ADDED, DOUBT
from howsure.kernels.ranking import placements
from howsure.kernels.score_bins import TOLERANCE
from howsure.kernels.table_bootstrap import draw_counts
from howsure.measures.declare import Measure, Ratio
from howsure.measures.estimate.by_cluster import by_cluster
from howsure.measures.estimate.influence import by_loss
from howsure.measures.estimate.labels import check_average, left_out_note
from howsure.measures.estimate.scores import estimate_scores
from howsure.results import Estimate, Interval
from howsure.tables import ClassScores, Clusters, ScoreCounts, ScoreRows

GROUPS = 512  # number of groups of scores for bootstrap replicates, for each class against the rest
MAX_PSEUDO_CASES = 1 << 22  # largest size of a table with pseudo-cases of all outcomes, to limit memory
DISTANCES = frozenset({"gaps", "bins"})  # kinds of evidence for measures that are biased upwards in every class
MINIMUM, ROUNDING = 10, 1e-9  # minimum number of cases in each class for the interval for a relative loss
REPLICATES = 200  # default number of bootstrap replicates, which are evaluated one by one


def estimate_classes(
    scores: ClassScores, measure: Measure, *, average: str | None = None, **parameters: Any
) -> Estimate:
    """Estimate a measure of whole rows of scores, or an average over classes."""
    measure.check(parameters)
    n = round(scores.n, 9)
    if measure.probability and not probabilities(scores.rows.scores):
        reason = (
            "the scores are not probabilities: some are outside the range from 0 to 1, or rows do not add up to 1 "
            "within 0.001"
        )
        return Estimate(measure.name, np.nan, n, reason, basis=NoBasis(reason))
    if measure.probability:
        scores = clipped(scores)
    basis = class_basis(scores, measure, average, parameters)
    rests_on = by_cluster(basis, scores.clusters)
    return Estimate(
        measure.name, basis.value, n, basis.reason, basis.of, basis.notes, parameters=basis.parameters, basis=rests_on
    )


def class_basis(scores: ClassScores, measure: Measure, average: str | None, parameters: dict[str, Any]) -> ClassBasis:
    """Return the basis for the measure and the average."""
    if average is None and measure.row_loss is not None:
        return LossBasis(scores, measure, parameters)
    if measure.scope == "rows":
        return ShareBasis(scores, measure, parameters) if measure.is_ratio else RowBasis(scores, measure, parameters)
    return AverageBasis(scores, measure, parameters, check_average(average))


@dataclass(frozen=True)
class ClassBasis(ClusterAware):
    """A measure of scores of several classes."""

    scores: ClassScores
    measure: Measure
    parameters: dict[str, Any]

    default_replicates = REPLICATES

    @property
    def default(self) -> str:
        return "bootstrap"

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({"replicates"})

    @property
    def of(self) -> str:
        return ""

    @property
    def setting(self) -> Mapping[str, Any]:
        sizes = self.sizes
        weighted = self.scores.square is not None
        return {
            "n": self.scores.n,
            "prevalence": float(sizes.min() / sizes.sum()),
            "classes": len(sizes),
            "weighted": weighted,
            "average": self.of.removesuffix(" average"),
        }

    @property
    def without_cases(self) -> str:
        """The reason why there is no interval if a class has no cases."""
        empty = [str(label) for label, size in zip(self.scores.labels, self.sizes, strict=True) if not size]
        return f"no case belongs to {empty[0]}" if empty else ""

    @property
    def sizes(self) -> Array:
        """The effective number of cases of each class."""
        rows = self.scores.rows
        sums, squares = (
            np.bincount(rows.truth, column, len(self.scores.labels)) for column in (rows.weight, self.scores.squares)
        )
        return np.divide(sums**2, squares, out=np.zeros(len(sums)), where=squares > 0)

    @property
    def span(self) -> Span:
        return self.measure.span(self.scores.n, self.parameters)

    @property
    def reason(self) -> str | None:
        return self.measure.undefined_when if np.isnan(self.value) else None

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    def evaluate(self, weight: Array) -> float:
        """Compute the measure with other weights for the cases."""
        rows = self.scores.rows
        return float(self.measure.value(rows.with_weight(weight), **self.parameters))

    @property
    def row_influence(self) -> Array | None:
        """The influence of each case with weight 1; None without a closed form."""
        return None

    @cached_property
    def cluster_spread(self) -> ClusterSpread | None:
        influence, scores = self.row_influence, self.scores
        if influence is None:
            return None
        clusters, squares = cast("Clusters", scores.clusters), scores.squares
        independent = float((squares * influence**2).sum())
        return ClusterSpread(clusters.sums(influence), independent, clusters.sizes, float(squares.sum()))

    def deflate(self, design_effect: float) -> ClassBasis:
        """Return the basis with weights divided by the design effect."""
        return replace(self, scores=self.scores.deflate(design_effect))

    def cluster_replicates(self, size: int, seed: int) -> Array:
        """Evaluate the measure on bootstrap samples of whole clusters."""
        clusters = cast("Clusters", self.scores.clusters)
        blocks = clusters.resampled(np.random.default_rng(seed), size)
        with np.errstate(all="ignore"):
            return np.array([self.evaluate(weight) for drawn in blocks for weight in drawn])

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Evaluate the measure on bootstrap samples of the cases."""
        merged = replace(self, scores=merge_cases(self.scores))
        rng, base = np.random.default_rng(seed), merged.scores.rows.weight.astype(float)
        centre = merged.evaluate(base)  # grouping the scores changes the value slightly
        with np.errstate(all="ignore"):
            drawn = [merged.evaluate(draw_counts(base, merged.scores.square, rng, 1)[0]) for _ in range(size)]
        return np.array(drawn) + (self.value - centre)

    def include_value(self, interval: Interval, request: Request) -> Interval:
        """Include the value; if both limits equal it, use the nearest replicates."""
        interval = super().include_value(interval, request)
        if interval.low != interval.high or interval.replicates is None or interval.seed is None:
            return interval
        drawn = self.replicates(interval.replicates, interval.seed)
        drawn = np.clip(drawn[np.isfinite(drawn)], *self.span)
        below, above = drawn[drawn < interval.low], drawn[drawn > interval.high]
        low = float(below.max()) if len(below) else interval.low
        return replace(interval, low=low, high=float(above.min()) if len(above) else interval.high)

    def equal_replicates(self, request: Request, method: str) -> Interval:
        """Return Wilson's interval, scaled to the range or to twice the value."""
        low, high = self.span
        if np.isinf(high):
            high = low + max(2 * (self.value - low), 2.0)
        share = wilson_interval(self.scores.n * (self.value - low) / (high - low), self.scores.n, request)
        note = "all replicates are equal, so this is Wilson's interval for the same number of cases"
        low, high = (low + (high - low) * end for end in share)
        return request.close(low, high, f"{method}-wilson", self.span, (note,))


@dataclass(frozen=True)
class RowBasis(ClassBasis):
    """A measure of whole rows of scores."""

    @property
    def lacking(self) -> str:
        return self.without_cases

    @property
    def offers(self) -> frozenset[str]:
        own = {methods[self.measure.interval[0]].needs} if self.measure.interval is not None else set()
        return frozenset({"replicates", *own})

    @property
    def default(self) -> str:
        return self.measure.default_interval

    @cached_property
    def areas(self) -> Areas:
        assert self.measure.interval is not None
        areas: Areas = self.measure.interval[1](self.scores)
        return areas

    @property
    def standard_error(self) -> float:
        return self.areas.error if "areas" in self.offers and self.reason is None else np.nan

    @cached_property
    def value(self) -> float:
        return self.evaluate(self.scores.rows.weight)

    @property
    def notes(self) -> tuple[str, ...]:
        tables = zip(self.scores.labels, self.scores.tables, strict=True)
        empty = [repr(label) for label, table in tables if not table.n_positive]
        return (f"no case belongs to {listing(empty)}, which is left out",) if empty and self.reason is None else ()


@dataclass(frozen=True)
class ShareBasis(RowBasis):
    """A proportion of the rows, such as top-k accuracy."""

    default = "modified-wilson"
    offers = frozenset({"ratio", "replicates"})

    notes = ()
    lacking = ""

    @cached_property
    def cluster_spread(self) -> ClusterSpread:
        """The variance between clusters, computed from the hits in each."""
        scores, clusters = self.scores, cast("Clusters", self.scores.clusters)
        codes, rows = cast("Key", scores.cluster).codes, scores.rows
        order = np.argsort(codes, kind="stable")
        hits = []
        for part in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
            own = ScoreRows(rows.truth[part], rows.scores[part], rows.weight[part])
            hits.append(float(cast("Ratio", self.measure.kernel(own, **self.parameters)).numerator))
        total, square = float(rows.weight.sum()), float(scores.squares.sum())
        sums = (np.array(hits) - self.value * clusters.sizes) / total
        independent = self.value * (1 - self.value) * square / total**2
        return ClusterSpread(sums, independent, clusters.sizes, square)

    @cached_property
    def value(self) -> float:
        ratio = self.measure.kernel(self.scores.rows, **self.parameters)
        assert isinstance(ratio, Ratio)
        return float(ratio.numerator) / float(ratio.denominator)

    @property
    def ratio(self) -> tuple[float, float]:
        return self.value * self.scores.n, self.scores.n


@dataclass(frozen=True)
class LossBasis(ClassBasis):
    """A mean loss, or a function of a mean loss and the class proportions."""

    default = "smoothed-loss"
    offers = frozenset({"error", "smoothed", "replicates"})

    @cached_property
    def losses(self) -> Array:
        assert self.measure.row_loss is not None
        return self.measure.row_loss(self.scores.rows)

    @cached_property
    def mean(self) -> float:
        return float(np.average(self.losses, weights=self.scores.rows.weight))

    @cached_property
    def value(self) -> float:
        return self.of_mean(self.mean, self.scores.rows.weight)

    @property
    def lacking(self) -> str:
        """The reason why a relative loss has no interval if a class has few cases."""
        if self.measure.of_mean is None or self.measure.increases_with_mean:
            return ""
        few = [label for label, size in zip(self.scores.labels, self.sizes, strict=True) if size < MINIMUM - ROUNDING]
        return self.without_cases or (
            f"fewer than {MINIMUM} cases belong to {few[0]}; an interval needs at least {MINIMUM} of each class"
            if few
            else ""
        )

    def of_mean(self, mean: float, weight: Array) -> float:
        """Compute the measure from a mean loss and the class proportions."""
        if self.measure.of_mean is None:
            return mean
        return float(self.measure.of_mean(np.asarray(mean), self.shares(weight), **self.parameters))

    def shares(self, weight: Array) -> Array:
        return np.asarray(np.bincount(self.scores.rows.truth, weight, len(self.scores.labels)) / weight.sum())

    @property
    def span(self) -> Span:
        if self.measure.of_mean is None or np.isinf(self.measure.range[1]):
            return self.loss_span if self.measure.of_mean is None else self.measure.range
        low, high = (self.of_mean(end, self.scores.rows.weight) for end in self.loss_span)
        return low, high

    @property
    def loss_span(self) -> Span:
        return self.measure.row_range(len(self.scores.labels))

    def evaluate(self, weight: Array) -> float:
        total = float(weight.sum())
        return self.of_mean(float((weight * self.losses).sum()) / total, weight) if total else np.nan

    @cached_property
    def smoothed(self) -> Smoothed:
        n = self.scores.n
        if len(self.losses) * len(self.scores.labels) ** 2 > MAX_PSEUDO_CASES:  # pseudo-cases would change little
            return Smoothed(self.value, self.standard_error, n - 1)
        basis, factor = (
            replace(self, scores=add_pseudo_cases(self.scores, ADDED, DOUBT)),
            np.sqrt((n + ADDED) / (n + ADDED - 1)),
        )
        if not self.measure.increases_with_mean:
            # The loss when predicting the class proportions of the same cases is too small by the factor 1 - 1 / n.
            raised = 1 - 1 / n if self.measure.of_mean is not None and self.parameters.get("prior") is None else 1.0
            centre = basis.of_mean(raised * basis.mean, basis.scores.rows.weight)
            return Smoothed(centre, basis.standard_error * factor, n - 1)
        error, weight = (
            replace(basis, measure=replace(self.measure, of_mean=None)).standard_error,
            self.scores.rows.weight,
        )
        return Smoothed(basis.mean, error * factor, n - 1, self.loss_span, lambda mean: self.of_mean(mean, weight))

    @cached_property
    def standard_error(self) -> float:
        return float(np.sqrt((self.scores.squares * self.row_influence**2).sum()))

    @property
    def row_influence(self) -> Array:
        rows = self.scores.rows
        moved = by_loss(self.measure, self.mean, self.shares(rows.weight), self.losses, rows.truth, self.parameters)
        return moved / float(rows.weight.sum())

    def without_spread(self, request: Request) -> Interval:
        """Return Wilson's interval for the loss as a fraction of the largest loss."""
        mean, n = self.mean, self.scores.n
        largest = min(self.loss_span[1], 2.0)
        share = wilson_interval(n * min(mean / largest, 1), n, request)
        scale = largest if mean <= 2 else mean
        low, high = min(share.low * scale, mean), max(share.high * scale, mean)
        if self.measure.of_mean is None:
            note = "all losses are equal, so this is Wilson's interval for the share of the largest loss"
            return replace(share, low=low, high=high, method="wilson-scaled", notes=(note,))
        note = "the losses show no sampling error, so this is Wilson's interval for the share of the largest loss"
        low, high = (self.of_mean(end, self.scores.rows.weight) for end in (low, high))
        return request.close(low, high, "wilson-scaled", self.span, (note,))

    def equal_replicates(self, request: Request, method: str) -> Interval:
        return self.without_spread(request)


@dataclass(frozen=True)
class AverageBasis(ClassBasis):
    """An average over classes of a measure of each class against the rest."""

    average: str

    @property
    def of(self) -> str:
        return f"{self.average} average"

    @property
    def lacking(self) -> str:
        return self.without_cases if self.average == "macro" else ""

    @property
    def is_ranked(self) -> bool:
        return self.measure.of_auc is not None and self.average != "micro"

    @property
    def offers(self) -> frozenset[str]:
        own = {"class intervals"} if self.by_intervals else set()
        return frozenset({"replicates", "placements", "areas"} if self.is_ranked else {"replicates", *own})

    @property
    def by_intervals(self) -> bool:
        """Whether the interval combines the intervals for each class."""
        return self.measure.interval is not None and self.average != "micro"

    @property
    def default(self) -> str:
        return "delong-newcombe-mean" if self.is_ranked else "mover-mean" if self.by_intervals else "bootstrap"

    @property
    def is_made_by_chance(self) -> bool:
        return self.measure.interval is not None and methods[self.measure.interval[0]].needs in DISTANCES

    @property
    def of_classes(self) -> list[tuple[float, Estimate]]:
        """The weight and the estimate of each class."""
        sizes = np.array([table.n_positive for table in self.scores.tables])
        weight = np.where(np.isnan(self.by_class), 0, 1.0 if self.average == "macro" else sizes)
        classes = zip(self.scores.labels, self.scores.tables, weight / weight.sum(), strict=True)
        return [
            (float(share), estimate_scores(table, self.measure, of=str(label), **self.parameters))
            for label, table, share in classes
            if share
        ]

    @cached_property
    def by_class(self) -> Array:
        return np.array([float(self.measure.value(table.counts, **self.parameters)) for table in self.scores.tables])

    @cached_property
    def value(self) -> float:
        if self.average == "micro":
            return float(self.measure.value(self.scores.pooled.counts, **self.parameters))
        return _mean(self.by_class, np.array([table.n_positive for table in self.scores.tables]), self.average)

    @property
    def notes(self) -> tuple[str, ...]:
        if self.average == "micro" or np.isnan(self.value):
            return ()
        labels = zip(self.scores.labels, self.by_class, strict=True)
        left_out = [label for label, value in labels if np.isnan(value)]
        return left_out_note(left_out, len(self.scores.labels), self.measure)

    @cached_property
    def groups(self) -> list[tuple[Array, Array]]:
        """The score group of each case, and the scores of the groups, by class."""
        pairs = []
        for column, own in enumerate(self.scores.tables):
            thin = (self.scores.pooled if self.average == "micro" else own).thinned(GROUPS)
            group = np.searchsorted(-thin.scores, -self.scores.rows.scores[:, column], side="left")
            pairs.append((np.minimum(group, len(thin) - 1), thin.scores))
        return pairs

    def evaluate(self, weight: Array) -> float:
        counts = []
        for column, (group, scores) in enumerate(self.groups):
            is_class = self.scores.rows.truth == column
            parts = [np.bincount(group[rows], weight[rows], len(scores)) for rows in (is_class, ~is_class)]
            counts.append(ScoreCounts(parts[0], parts[1], scores))
        if self.average == "micro":
            positives, negatives = np.sum([[c.positives, c.negatives] for c in counts], axis=0)
            return float(self.measure.value(ScoreCounts(positives, negatives, counts[0].scores), **self.parameters))
        values = np.array([float(self.measure.value(c, **self.parameters)) for c in counts])
        return _mean(values, np.array([c.positives.sum() for c in counts]), self.average)

    @cached_property
    def standard_error(self) -> float:
        if not self.is_ranked or self.measure.of_auc is None or np.isnan(self.value):
            return float("nan")
        return float(np.sqrt((self.scores.squares * cast("Array", self.row_influence) ** 2).sum()))

    @property
    def row_influence(self) -> Array | None:
        if not self.is_ranked or self.measure.of_auc is None or np.isnan(self.value):
            return None
        return self.measure.of_auc[0] * auc_influence(self.scores, self.average)

    @cached_property
    def areas(self) -> Areas:
        slope, offset = self.measure.of_auc or (1.0, 0.0)
        factor = self.scores.n / float(self.scores.rows.weight.sum())
        tables = [table for table in self.scores.tables if table.n_positive and table.n_negative]
        sizes = tuple((factor * table.n_positive, factor * table.n_negative) for table in tables)
        shares = np.array([size[0] if self.average == "weighted" else 1.0 for size in sizes])
        mean = (self.value - offset) / slope
        return Areas(mean, self.standard_error / abs(slope), sizes, tuple(shares / shares.sum()), slope, offset)

    def without_spread(self, request: Request) -> Interval:
        slope, offset = self.measure.of_auc or (1.0, 0.0)
        least = min(min(table.n_positive, table.n_negative) for table in self.scores.tables if table.n_positive)
        share = wilson_interval(least * (self.value - offset) / slope, least, request)
        note = f"the ranks show no sampling error, so this is Wilson's interval for {least:g} cases (the rarest class)"
        low, high = (slope * end + offset for end in share)
        return replace(share, low=low, high=high, method="delong-wilson", notes=(note,))

    def from_placements(self, request: Request) -> Interval:
        if not (self.standard_error > NO_SPREAD and self.span[0] < self.value < self.span[1]):
            return self.without_spread(request)
        interval = delta(self.value, self.standard_error, self.span, request)
        return replace(interval, method=interval.method.replace("delta", "delong"))


def add_pseudo_cases(scores: ClassScores, added: float, doubt: float) -> ClassScores:
    """Add pseudo-cases with the total weight ``added`` (see `smoothed`)."""
    # Each case is repeated with all outcomes, weighted by its probabilities and, for the fraction `doubt`, equally.
    # Real-valued weights are scaled so that their sum is the effective number of cases.
    rows, k = scores.rows, len(scores.labels)
    factor = scores.n / rows.weight.sum()
    weight, squares = rows.weight * factor, scores.squares * factor**2
    each = weight * (added / scores.n)
    extra = (each[:, None] * ((1 - doubt) * rows.scores + doubt / k)).ravel()
    truth = np.concatenate([rows.truth, np.tile(np.arange(k), len(each))])
    columns = np.concatenate([rows.scores, np.repeat(rows.scores, k, axis=0)])
    joined = ScoreRows(truth, columns, np.concatenate([weight, extra]))
    return ClassScores(joined, scores.labels, np.concatenate([squares, extra]))


def merge_cases(scores: ClassScores) -> ClassScores:
    """Sort and merge equal cases, so that samples do not depend on row order."""
    truth, columns, weight = scores.rows.truth, scores.rows.scores, scores.rows.weight
    order = np.lexsort((truth, *columns.T))
    order = order[weight[order] > 0]
    truth, columns = truth[order], columns[order]
    differs = (columns[1:] != columns[:-1]).any(1) | (truth[1:] != truth[:-1])
    starts = np.flatnonzero(np.append(True, differs))
    square = None if scores.square is None else np.add.reduceat(scores.square[order], starts)
    rows = ScoreRows(truth[starts], columns[starts], np.add.reduceat(weight[order], starts))
    return ClassScores(rows, scores.labels, square)


def _mean(values: Array, support: Array, average: str) -> float:
    weight = np.where(np.isnan(values), 0, 1.0 if average == "macro" else support)
    return float((weight * np.nan_to_num(values)).sum() / weight.sum()) if weight.sum() else np.nan


def probabilities(matrix: Array, tolerance: float = 1e-3) -> bool:
    """Return whether all rows are probabilities that sum to 1."""
    inside = matrix.min() >= -TOLERANCE and matrix.max() <= 1 + TOLERANCE
    return bool(inside and np.abs(matrix.sum(1) - 1).max() <= tolerance)


def clipped(scores: ClassScores) -> ClassScores:
    """Clip probabilities that are outside [0, 1] by rounding."""
    rows = scores.rows
    if rows.scores.min() >= 0 and rows.scores.max() <= 1:
        return scores
    return ClassScores(ScoreRows(rows.truth, np.clip(rows.scores, 0, 1), rows.weight), scores.labels, scores.square)


def auc_influence(scores: ClassScores, average: str) -> Array:
    """Return the influence of each case on an average of one-versus-rest AUCs."""
    # The areas of the classes are correlated, since they are based on the same cases. Adding up the influences of a
    # case on all of them is equivalent to using DeLong's covariance matrix.
    truth, weight = scores.rows.truth, scores.rows.weight.astype(float)
    parts: list[tuple[Array, Array, float, float]] = []  # influence, in class, area, class size
    for column, table in enumerate(scores.tables):
        if not (table.n_positive and table.n_negative):
            continue
        is_class = truth == column
        placed = placements(is_class, scores.rows.scores[:, column], weight, scores.rows.order(column))
        n_positive, n_negative = float(weight[is_class].sum()), float(weight[~is_class].sum())
        area = float((weight * placed)[is_class].sum() / n_positive)
        influence = np.where(is_class, (placed - area) / n_positive, (placed - area) / n_negative)
        parts.append((influence, is_class, area, n_positive))
    support = np.array([part[3] for part in parts])
    weights = np.ones(len(parts)) if average == "macro" else support
    mean = float(np.average([part[2] for part in parts], weights=weights))
    total = np.zeros(len(truth))
    for (influence, is_class, area, _), share in zip(parts, weights / weights.sum(), strict=True):
        total += share * influence
        if average == "weighted":
            total += is_class * (area - mean) / support.sum()
    return total
