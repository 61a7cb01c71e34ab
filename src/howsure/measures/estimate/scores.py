"""Estimates of measures of score tables, with the evidence for intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from howsure.arrays import Array
from howsure.errors import HowsureError, must
from howsure.intervals.auc import auc_interval
from howsure.intervals.bootstrap import MAX_NUMBERS, acceleration, bounds
from howsure.intervals.clustered import ClusterAware, ClusterSpread, between
from howsure.intervals.declare import NoBasis, Ranks, Request, Smoothed, Span
from howsure.intervals.declare import registry as methods
from howsure.intervals.delta import delta
from howsure.intervals.proportion import z_value
from howsure.intervals.smoothed import ADDED, DOUBT
from howsure.kernels.ranking import BLOCK
from howsure.measures.declare import Measure, registry
from howsure.measures.estimate.by_cluster import by_cluster
from howsure.measures.estimate.influence import by_loss
from howsure.present.value_text import number
from howsure.results import Estimate, Interval
from howsure.tables import Clusters, ScoreCounts, ScoreTable

GROUPS = 1024  # neighbouring scores are merged into at most this many groups for the bootstrap
LEFT_OUT = 512  # number of groups of scores for the jackknife, which leaves out one case from each group
REPLICATES = 1000  # default number of replicates of bootstrap intervals


@dataclass(frozen=True)
class ScoreBasis(ClusterAware):
    """A measure of a score table, with weights scaled to effective cases."""

    measure: Measure
    table: ScoreTable
    parameters: dict[str, Any]
    original: ScoreTable | None = None  # the table before scaling

    default_replicates = REPLICATES

    @property
    def offers(self) -> frozenset[str]:
        ranks = {"ranks", "placements"} if self.measure.of_auc is not None else set()
        losses = {"error", "smoothed"} if self.measure.loss is not None else set()
        own = {methods[self.measure.interval[0]].needs} if self.measure.interval is not None else set()
        return frozenset({"replicates", "acceleration", "strata", *ranks, *losses, *own})

    @property
    def default(self) -> str:
        return self.measure.default_interval

    def evaluate(self, counts: ScoreCounts) -> Array:
        return self.measure.value(counts, **self.parameters)

    @cached_property
    def value(self) -> float:
        """The value, moved into the range if rounding put it outside."""
        with np.errstate(all="ignore"):
            value = float(self.evaluate((self.table if self.original is None else self.original).counts))
        if not np.isfinite(value):
            return np.nan
        low, high = self.span
        return min(max(value, low), high) if low - 1e-9 < value < high + 1e-9 else value

    @cached_property
    def span(self) -> Span:
        return self.measure.span(self.table.n, self.parameters)

    @cached_property
    def bound(self) -> float:
        table = self.table if self.original is None else self.original
        if table.tops is None or np.isnan(self.value):
            return 0.0
        with np.errstate(all="ignore"):
            if self.measure.bin_limits is not None:
                ends = self.measure.bin_limits(table, **self.parameters)
            else:
                best, worst = (float(self.evaluate(extreme.counts)) for extreme in table.extremes())
                ends = best, worst
        return float(max(abs(end - self.value) for end in ends))

    @property
    def setting(self) -> Mapping[str, Any]:
        weighted = self.original is not None and self.original.squares is not None
        return {"n": self.table.n, "prevalence": float(self.shares[1]), "classes": 2, "weighted": weighted}

    @property
    def reason(self) -> str | None:
        return self.measure.undefined_when if np.isnan(self.value) else None

    @cached_property
    def ranks(self) -> Ranks:
        slope, offset = self.measure.of_auc or (1.0, 0.0)
        table, original = self.table, self.original
        counted = table if original is None or original.squares is not None else original
        return replace(table.ranks, slope=slope, offset=offset, least=min(counted.n_positive, counted.n_negative))

    def from_placements(self, request: Request) -> Interval:
        return auc_interval(self.ranks, request, "delong")

    @cached_property
    def standard_error(self) -> float:
        if np.isnan(self.value):
            return float("nan")
        if self.measure.of_auc is not None:
            return abs(self.ranks.slope) * self.ranks.error
        if self.measure.loss is None:  # some kinds of evidence include a variance
            variance = getattr(self.evidence, "variance", np.nan) if self.measure.interval is not None else np.nan
            return float(np.sqrt(variance))
        table, variance = self.table, 0.0
        squares = table.squares or (table.positives, table.negatives)
        for start in range(0, len(table), BLOCK):
            part = slice(start, start + BLOCK)
            losses = self.measure.loss(table.scores[part].astype(float))
            for square, loss, position in zip(squares, losses, (1, 0), strict=True):
                influence = by_loss(self.measure, self.mean, self.shares, loss, np.asarray(position), self.parameters)
                variance = variance + (square[part] * influence**2).sum()
        return float(np.sqrt(variance)) / table.n

    def loss_influence(self, scores: Array, flags: Array) -> Array:
        """Return n times the influence of each case on a measure of losses."""
        assert self.measure.loss is not None
        losses = np.where(flags, *self.measure.loss(scores))
        return by_loss(self.measure, self.mean, self.shares, losses, flags.astype(int), self.parameters)

    @cached_property
    def evidence(self) -> Any:
        assert self.measure.interval is not None
        return self.measure.interval[1](self.table, **self.parameters)

    @cached_property
    def smoothed(self) -> Smoothed:
        basis = replace(self, table=self.table.with_pseudo_cases(ADDED, DOUBT), original=None)
        factor, freedom = np.sqrt(basis.table.n / (basis.table.n - 1)), self.table.n - 1
        if not self.measure.increases_with_mean:
            return Smoothed(basis.value, basis.standard_error * factor, freedom)
        # The measure increases with the mean, so the limits of the mean are transformed.
        error = replace(basis, measure=replace(self.measure, of_mean=None)).standard_error
        return Smoothed(basis.mean, error * factor, freedom, self.measure.loss_range, self.of_mean)

    def of_mean(self, mean: float) -> float:
        """Compute the measure from a mean loss and the class proportions."""
        assert self.measure.of_mean is not None
        return float(self.measure.of_mean(np.asarray(mean), self.shares, **self.parameters))

    @cached_property
    def shares(self) -> Array:
        """The proportions of the negative and positive classes."""
        return np.array([self.table.n_negative, self.table.n_positive]) / self.table.n

    @cached_property
    def mean(self) -> float:
        """The mean loss, of which the value may be a function."""
        if self.measure.loss is None or (self.measure.of_mean is None and not self.measure.increases_with_mean):
            return self.value
        counts, losses = (
            (self.table.positives, self.table.negatives),
            self.measure.loss(self.table.scores.astype(float)),
        )
        return float(sum((count * loss).sum() for count, loss in zip(counts, losses, strict=True)) / self.table.n)

    @cached_property
    def influence(self) -> Array:
        """Influences of positives at each score, followed by those of negatives."""
        table, scores = self.table, self.table.scores.astype(float)
        if self.measure.of_auc is not None:
            ranks = self.ranks
            below = 1 - (table.fp - table.negatives / 2) / ranks.n_negative
            above = (table.tp - table.positives / 2) / ranks.n_positive
            parts = (below - ranks.area) / ranks.n_positive, (above - ranks.area) / ranks.n_negative
            return ranks.slope * np.concatenate(parts)
        if self.measure.loss is not None:
            flags = np.repeat([True, False], len(table))
            return self.loss_influence(np.concatenate([scores, scores]), flags) / table.n
        if self.measure.influence is not None:
            return np.concatenate(self.measure.influence(table.counts)) / table.n
        return self._left_out

    @property
    def _left_out(self) -> Array:
        """Influences computed by the jackknife, with scores merged into groups."""
        coarse = replace(self.table, clusters=None).thinned(LEFT_OUT)
        counts = np.concatenate([coarse.positives, coarse.negatives]).astype(float)
        m, least = len(coarse), np.minimum(1, counts)
        left = np.tile(counts, (2 * m, 1))
        left[np.diag_indices(2 * m)] -= least
        with np.errstate(all="ignore"):
            values = self.evaluate(ScoreCounts(left[:, :m], left[:, m:], coarse.scores))
            whole = float(self.evaluate(coarse.counts))
            change = np.nan_to_num(np.where(least > 0, (whole - values) / least, 0.0))
        change -= np.average(change, weights=counts)
        group = np.minimum(np.searchsorted(-coarse.scores, -self.table.scores, side="left"), m - 1)
        return np.concatenate([change[group], change[m + group]])

    @cached_property
    def cluster_spread(self) -> ClusterSpread:
        """The variance between clusters; for areas, that of Obuchowski (1997)."""
        if self.table.grouped is not self.table:
            return replace(self, table=self.table.grouped, original=self.original or self.table).cluster_spread
        clusters, table = cast("Clusters", self.table.clusters), self.table
        squares = np.concatenate(table.squares or (table.positives, table.negatives))
        sums, independent = clusters.sums(self.influence), float((squares * self.influence**2).sum())
        if self.measure.of_auc is None:
            return ClusterSpread(sums, independent, clusters.sizes, float(squares.sum()))
        is_positive = np.arange(2 * len(table)) < len(table)
        sizes = [clusters.sums(of_class) for of_class in (is_positive, ~is_positive)]
        parts = [clusters.sums(self.influence * of_class) for of_class in (is_positive, ~is_positive)]
        own = [between(part, int((size > 0).sum())) for part, size in zip(parts, sizes, strict=True)]
        n = len(clusters)
        variance = sum(own) + 2 * float((parts[0] * parts[1]).sum()) * n / max(n - 1, 1)
        shares = np.maximum(*(size / size.sum() for size in sizes))
        return ClusterSpread(sums, independent, clusters.sizes, float(squares.sum()), shares, max(variance, 0.0))

    def deflate(self, design_effect: float) -> ScoreBasis:
        """Return the basis with the table divided by the design effect."""
        table = self.table.grouped.deflate(design_effect)
        return replace(self, table=table.effective(), original=self.original or self.table)

    def cluster_replicates(self, size: int, seed: int) -> Array:
        """Evaluate the measure on bootstrap samples of whole clusters."""
        table = self.thinned.table
        clusters, m, values = cast("Clusters", table.clusters), len(table), []
        for drawn in clusters.resampled(np.random.default_rng(seed), size):
            with np.errstate(all="ignore"):
                values.append(self.evaluate(ScoreCounts(drawn[:, :m], drawn[:, m:], table.scores)))
        return np.concatenate(values) + (self.value - self.thinned.value)

    def without_spread(self, request: Request) -> Interval:
        """Return the delta interval after adding z² cases with extreme losses."""
        value, n, span = self.mean, self.table.n, self.measure.loss_range
        added = z_value(request.alpha) ** 2
        worst = min(span[1], 2 * max(value, float(np.log(2))))
        mean = (n * value + added * worst / 2) / (n + added)
        variance = (n * (value - mean) ** 2 + added / 2 * (mean**2 + (worst - mean) ** 2)) / (n + added)
        interval = delta(mean, float(np.sqrt(variance / (n + added))), span, request)
        note = (
            "the losses show no sampling error, so z² cases were added, half with a loss of 0 and half with a large one"
        )
        low, high = min(interval.low, value), max(interval.high, value)
        if self.measure.of_mean is not None:
            ends = np.array([low, high])
            low, high = self.measure.of_mean(ends, np.tile(self.shares, (2, 1)), **self.parameters)
        return request.close(low, high, "delta-smoothed", self.span, (note,))

    @cached_property
    def thinned(self) -> ScoreBasis:
        """The measure of a table with merged scores, for the bootstrap."""
        return replace(self, table=self.table.thinned(GROUPS), original=None)

    @property
    def replicate_notes(self) -> tuple[str, ...]:
        groups = len(self.thinned.table)
        return (f"scores were merged into {groups} groups for the bootstrap",) if groups < len(self.table) else ()

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Evaluate the measure on bootstrap samples of the thinned table."""
        return self.thinned.redrawn(size, seed, stratified=stratified) + (self.value - self.thinned.value)

    def redrawn(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Evaluate the measure on bootstrap samples of this table."""
        rng, block = np.random.default_rng(seed), max(1, MAX_NUMBERS // (2 * len(self.table)))
        values = []
        for start in range(0, size, block):
            positives, negatives = self.table.resample(rng, min(block, size - start), stratified=stratified)
            with np.errstate(all="ignore"):
                values.append(self.evaluate(ScoreCounts(positives, negatives, self.table.scores)))
        return np.concatenate(values)

    def acceleration(self) -> float:
        """Return the jackknife estimate of the acceleration, over score groups."""
        table = self.thinned.table.thinned(256)
        counts = np.concatenate([table.positives, table.negatives]).astype(float)
        cells, m = np.flatnonzero(counts), len(table)
        left = np.tile(counts, (len(cells), 1))
        left[np.arange(len(cells)), cells] -= np.minimum(1, counts[cells])
        with np.errstate(all="ignore"):
            values = self.evaluate(ScoreCounts(left[:, :m], left[:, m:], table.scores))
        finite = np.isfinite(values)
        centre = np.average(values[finite], weights=counts[cells][finite])
        return acceleration(centre - values[finite], counts[cells][finite])

    def equal_replicates(self, request: Request, method: str) -> Interval:
        """Return a bootstrap interval after adding z² cases across all scores."""
        table = self.thinned.table.smoothed(z_value(request.alpha) ** 2)
        drawn = replace(self.thinned, table=table).redrawn(request.replicates, request.seed)
        low, high, notes = bounds(drawn, self.value, request, "percentile")
        low, high = min(low, self.value), max(high, self.value)
        if low == high:  # half of the replicates are at an end of the range, so use the nearest other one
            low, high = (float(drawn[drawn < low].max(initial=low)), float(drawn[drawn > high].min(initial=np.inf)))
            high = low if np.isinf(high) else high
        note = "all replicates are equal, so z² cases were added, spread over all scores"
        interval = request.close(low, high, f"{method}-smoothed", self.span, (*self.replicate_notes, note, *notes))
        return replace(interval, replicates=request.replicates, seed=request.seed)


def estimate_scores(table: ScoreTable, measure: str | Measure, *, of: str = "", **parameters: Any) -> Estimate:
    """Estimate a measure of a score table.

    Parameters
    ----------
    table
        The scores of one class against the rest.
    measure
        A name or alias, or a declared measure.
    of
        The name of the class.
    **parameters
        Parameters of the measure, such as ``depth``.

    Returns
    -------
    Estimate
        The value with its intervals.

    Examples
    --------
    >>> from howsure import ScoreTable
    >>> from howsure.measures import estimate_scores
    >>> table = ScoreTable.from_scores([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.3])
    >>> print(estimate_scores(table, "auc"))
    auc: 0.889, 95 % interval [0.088, 0.998] (delong-newcombe), n = 6
    """
    declared = measure if isinstance(measure, Measure) else registry[measure]
    if not isinstance(table, ScoreTable):
        must("table", "a `ScoreTable`", given=table)
    if declared.scope != "score":
        raise HowsureError(f"`{declared.name}` is a measure of labels, not of scores.")
    declared.check(parameters)
    of = str(of)
    if declared.probability:
        if not table.is_probability:
            reason = "the scores are not probabilities: some are outside the range from 0 to 1"
            return Estimate(declared.name, np.nan, table.n, reason, of, basis=NoBasis(reason))
        table = table.clipped
    basis = ScoreBasis(declared, table.effective(), parameters, table)
    notes: tuple[str, ...] = ()
    if declared.of_auc is not None and basis.reason is None:
        slope, offset = declared.of_auc
        if basis.value < slope / 2 + offset:
            inverted = number(slope + 2 * offset - basis.value)
            notes = (f"worse than random: inverting the scores gives {inverted}",)
    remark = (
        declared.remark(basis.value, **parameters) if declared.remark is not None and basis.reason is None else None
    )
    notes = notes if remark is None else (*notes, remark)
    n, rests_on = round(basis.table.n, 9), by_cluster(basis, table.clusters)
    return Estimate(declared.name, basis.value, n, basis.reason, of, notes, parameters=parameters, basis=rests_on)
