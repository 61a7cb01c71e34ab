"""Estimates of measures of confusion tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from howsure.arrays import Array
from howsure.checks import one_of
from howsure.data.encode import Label
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, listing, must
from howsure.intervals.bootstrap import MAX_NUMBERS, acceleration
from howsure.intervals.clustered import ClusterAware, ClusterSpread
from howsure.intervals.declare import Basis, Request, Scaled, Span
from howsure.intervals.declare import registry as methods
from howsure.intervals.delta import delta
from howsure.intervals.mover import Moved, Reach
from howsure.intervals.proportion import z_value
from howsure.kernels.table_bootstrap import draw_counts
from howsure.measures.declare import Measure, Ratio, divide, registry
from howsure.measures.estimate import influence
from howsure.measures.estimate.by_cluster import by_cluster
from howsure.measures.estimate.moved import groups_of, moved_tables, smoothed_errors
from howsure.results import Estimate, Interval
from howsure.tables import BinaryCounts, Clusters, Confusion, LabelCounts

AVERAGES = ("macro", "micro", "weighted")
MAX_CLASSES = 40  # maximum number of classes for MOVER; with more, the delta method is as good, and faster
SHARE = "modified-wilson"  # default method for proportions
HALF, TINY = 0.5, 1e-9
ROUNDING = 1e-9  # relative rounding error of the effective number of cases with equal weights


@dataclass(frozen=True)
class LabelBasis(ClusterAware):
    """A measure of a confusion table.

    The measure is that of one class, an average over classes, or one of all classes at once. For one class, ``table``
    is the 2 x 2 table of that class and the rest.
    """

    measure: Measure
    table: Confusion
    average: str | None
    parameters: dict[str, Any]

    @property
    def is_ratio(self) -> bool:
        return self.measure.is_ratio and self.average is None and not self.table.fixed_rows

    @property
    def offers(self) -> frozenset[str]:
        counts = {"counts"} if self.table.k <= MAX_CLASSES else set()
        ratio = {"ratio"} if self.is_ratio else set()
        own = set() if self.own_method is None else {methods[self.own_method].needs}
        return frozenset({"error", "replicates", "acceleration", *counts, *ratio, *own})

    @property
    def own_method(self) -> str | None:
        """The measure's own method, if class sizes are random."""
        if self.measure.interval is None or self.table.fixed_rows or self.average is not None:
            return None
        return self.measure.interval[0]

    @cached_property
    def evidence(self) -> Any:
        assert self.measure.interval is not None
        return self.measure.interval[1](self.table, **self.parameters)

    @property
    def default(self) -> str:
        if self.is_ratio:
            return SHARE
        if self.own_method is not None:
            return self.own_method
        moves = self.measure.interval is None or self.measure.scope == "class"
        return "mover" if self.table.k <= MAX_CLASSES and moves else "delta-scaled"

    def evaluate(self, counts: Array) -> Array:
        """Compute the measure on tables with any leading shape."""
        if self.measure.scope == "overall":
            return self.measure.value(LabelCounts.of(counts), **self.parameters)
        c = BinaryCounts.of(counts)
        if self.average is None:
            first = BinaryCounts(c.tp[..., 0], c.fp[..., 0], c.fn[..., 0], c.tn[..., 0])
            return self.measure.value(first, **self.parameters)
        if self.average == "micro":
            return self.measure.value(_pooled(c), **self.parameters)
        by_class = self.measure.value(c, **self.parameters)
        weight = np.where(np.isnan(by_class), 0, 1 if self.average == "macro" else c.tp + c.fn)
        return divide((weight * np.where(np.isnan(by_class), 0, by_class)).sum(-1), weight.sum(-1))

    @cached_property
    def value(self) -> float:
        with np.errstate(all="ignore"):
            value = float(self.evaluate(self.table.counts))
        return value if np.isfinite(value) else np.nan

    @property
    def span(self) -> Span:
        return self.measure.span(float(np.max(self.table.n)), self.parameters)  # n is the same in all tables of a batch

    @property
    def n(self) -> float:
        """The number of cases, or the denominator of a proportion."""
        return self.ratio[1] if self.is_ratio else self.table.effective_n

    @property
    def setting(self) -> Mapping[str, Any]:
        table, sizes = self.table, self.table.counts.sum(-1)
        if table.fixed_rows or not table.n:
            return {}
        positive = sizes[0] if self.measure.scope == "class" and self.average is None else sizes.min()
        return {
            "n": float(table.effective_n),
            "prevalence": float(positive / sizes.sum()),
            "classes": table.k,
            "weighted": table.squares is not None,
            "average": self.average,
        }

    @property
    def reason(self) -> str | None:
        if not np.isnan(self.value):
            return None
        reason = self.measure.undefined_when or "there is no case"
        if self.average in ("macro", "weighted"):
            return f"it is undefined for every class{' that occurs' if self.average == 'weighted' else ''}: {reason}"
        return reason

    @property
    def notes(self) -> tuple[str, ...]:
        """A note on classes without a value, which an average omits."""
        if self.average in (None, "micro"):
            return ()
        by_class = self.measure.value(self.table.one_versus_rest, **self.parameters)
        left_out = [label for label, value in zip(self.table.labels, by_class, strict=True) if np.isnan(value)]
        return left_out_note(left_out, self.table.k, self.measure)

    def cells(self, counts: Array) -> Array:
        """Return the derivative of the value with respect to each cell."""
        if self.measure.scope == "overall":
            return influence.by_cell(self.measure, counts, self.parameters)
        c = BinaryCounts.of(counts)
        if self.average == "micro":
            slopes = influence.by_class(self.measure, _pooled(c), self.parameters)
            weight = np.ones(len(counts))
            parts = (slopes.tp, slopes.fp, slopes.fn, slopes.tn)
            return influence.spread(BinaryCounts(*(weight * part for part in parts)))
        slopes = influence.by_class(self.measure, c, self.parameters)
        by_class = self.measure.value(c, **self.parameters)
        defined = ~np.isnan(by_class)
        if self.average is None:
            weight = np.arange(len(counts)) == 0
        else:
            weight = defined * (1 if self.average == "macro" else c.tp + c.fn)
            weight = divide(weight, weight.sum())
        parts = (slopes.tp, slopes.fp, slopes.fn, slopes.tn)
        cells = influence.spread(BinaryCounts(*(weight * part for part in parts)))
        if self.average == "weighted":  # a case also changes the weight of its class
            support = (defined * (c.tp + c.fn)).sum()
            average = float(self.evaluate(counts))
            cells = cells + np.where(defined, by_class - average, 0)[:, None] / support
        return cells

    @cached_property
    def slopes(self) -> Array:
        """The derivative of the value with respect to each cell of the table."""
        return self.cells(self.table.counts)

    @cached_property
    def ratio(self) -> tuple[float, float]:
        """Successes and cases; effective numbers for real-valued weights."""
        x, n = self._ratio_of(self.table.counts)
        if self.table.squares is None or n == 0:
            return x, n
        x2, n2 = self._ratio_of(self.table.squares)
        p = x / n
        variance = ((1 - p) ** 2 * x2 + p**2 * (n2 - x2)) / n**2
        # Kish's number, or the one that gives the variance of the weighted proportion, if smaller
        effective = n**2 / n2
        if 0 < p < 1 and variance > 0:
            effective = min(effective, p * (1 - p) / variance)
        return min(p * effective, effective), effective

    def _ratio_of(self, counts: Array) -> tuple[float, float]:
        c: BinaryCounts | LabelCounts
        if self.measure.scope == "overall":
            c = LabelCounts.of(counts)
        else:
            every = BinaryCounts.of(counts)
            c = BinaryCounts(every.tp[..., 0], every.fp[..., 0], every.fn[..., 0], every.tn[..., 0])
        ratio = cast(Ratio, self.measure.kernel(c, **self.parameters))
        return float(ratio.numerator), float(ratio.denominator)

    @cached_property
    def standard_error(self) -> float:
        if np.isnan(self.value):
            return float("nan")
        table = self.table
        return influence.standard_error(self.slopes, table.counts, table.variances, table.fixed_rows)

    @property
    def too_few(self) -> Array:
        """The classes with fewer cases than an interval needs."""
        return self._of_each < self._least * (1 - ROUNDING)

    @property
    def _least(self) -> int:
        """The minimum number of cases in each class."""
        # Proportions need none, averages at least two. With more than two classes, a class may be missing where the
        # measure needs one case of each.
        least = self.measure.cases_of_each[1]
        if not least or self.average in ("micro", "weighted") or (self.measure.is_ratio and self.average is None):
            return 0
        least = least if self.average is None else max(least, 2)
        return 0 if least == 1 and self.table.k > 2 else least

    @property
    def _of_each(self) -> Array:
        """The effective number of cases of each true or predicted class."""
        sums = self.table.effective_sums(self.measure.cases_of_each[0])
        return sums if self.table.k > 1 else np.append(sums, 0.0)  # the other class has no cases

    @property
    def lacking(self) -> str:
        if self.is_unbounded and self.average in ("macro", "weighted"):
            return "an average of unbounded ratios is dominated by the largest one, so it has no interval"
        few = np.flatnonzero(self.too_few)
        if not len(few):
            return ""
        label, number = (*self.table.labels, "any other class")[few[0]], float(self._of_each[few[0]])
        is_true = self.measure.cases_of_each[0] == "truth"
        does, do = ("belongs to", "belong to") if is_true else ("was predicted as", "were predicted as")
        if number == 0:
            return f"no case {does} {label}"
        count = f"only one case {does} {label}"
        if number != 1:
            count = f"the effective number of cases that {do} {label} is {number:.2g}"
        return f"{count}; an interval needs at least {self._least}"

    @property
    def has_bounds(self) -> bool:
        """Whether there is an interval without a value: an infinite ratio has a lower limit."""
        return self.is_unbounded and self.average is None and not self.lacking

    @property
    def is_unbounded(self) -> bool:
        return self.span[0] == 0 and np.isinf(self.span[1])

    @property
    def cases(self) -> float:
        return float(self.table.effective_n)

    def moved(self, reach: Reach) -> Moved:
        """Return the values with each group of counts at its limits."""
        table, groups = (
            self.table,
            groups_of(self.table.k, None if self.average == "micro" else self.measure.error_axis),
        )
        start = table.counts * 1.0
        with np.errstate(all="ignore"):
            if self.is_unbounded:  # on the log scale, ratios of 0 or infinity need half a case in empty cells
                is_infinite = ~np.isfinite(np.log(self.evaluate(start)))
                start = np.where(is_infinite[..., None, None], np.maximum(start, HALF), start)
            value, ends = (self._centred(tables) for tables in (start, moved_tables(table, start, groups, reach)))
        z = reach.z
        return Moved(value, ends, np.asarray(z * z * self._of_pattern(groups, z)))

    def _centred(self, counts: Array) -> Array:
        """Compute the measure with pseudo-hits, which remove its bias."""
        if not self.measure.pseudo_hits:
            return self.evaluate(counts)
        hits = self.measure.pseudo_hits * np.eye(self.table.k)
        return self.evaluate(counts + hits * (counts.sum(-1, keepdims=True) > 0))

    def _of_pattern(self, groups: Array, z: float) -> float:
        """Return the variance due to the pattern of errors within groups."""
        together = groups[groups.sum((-1, -2)) > 1]
        if not len(together):
            return 0.0
        weight = smoothed_errors(self.table, groups, z)
        slopes = np.nan_to_num(self.cells(np.maximum(weight, TINY)))
        means = [np.average(slopes[group], weights=weight[group]) for group in together]
        return sum(
            float((weight * (slopes - mean) ** 2)[group].sum()) for group, mean in zip(together, means, strict=True)
        )

    @cached_property
    def cluster_spread(self) -> ClusterSpread:
        """The variance between clusters."""
        # A cluster's size is its number of cases in cells with an influence. Influences are computed with half a case
        # added to each cell, so that the cases of a class without errors also count.
        table, clusters = self.table, cast("Clusters", self.table.clusters)
        cells = self.slopes
        if table.fixed_rows:
            cells = influence.within_rows(cells, table.counts)
        matters = self.cells(table.counts + HALF) != 0
        squares = float((table.variances * matters).sum())
        return ClusterSpread(clusters.sums(cells), self.standard_error**2, clusters.sums(matters), squares)

    def deflate(self, design_effect: float) -> LabelBasis:
        """Return the basis with the table divided by the design effect."""
        return replace(self, table=self.table.deflate(design_effect))

    def cluster_replicates(self, size: int, seed: int) -> Array:
        """Evaluate the measure on bootstrap samples of whole clusters."""
        table, clusters = self.table, cast("Clusters", self.table.clusters)
        values = []
        for drawn in clusters.resampled(np.random.default_rng(seed), size):
            with np.errstate(all="ignore"):
                values.append(self.evaluate(self._with_rows(drawn.reshape(-1, table.k, table.k))))
        return np.concatenate(values)

    def _with_rows(self, drawn: Array) -> Array:
        """Scale the true classes to their sizes in the table, if these are fixed."""
        if not self.table.fixed_rows:
            return drawn
        rows, sizes = drawn.sum(2, keepdims=True), self.table.counts.sum(1)[:, None]
        return np.asarray(drawn * np.divide(sizes, rows, out=np.zeros(rows.shape), where=rows > 0))

    def without_spread(self, request: Request) -> Interval:
        """Return the delta interval for a smoothed table (Agresti and Coull)."""
        table = self.table if self.measure.matrix is not None else _two_classes(self.table)
        counts = _smoothed(table, z_value(request.alpha) ** 2)
        value = float(self.evaluate(counts))
        if np.isnan(value):
            return request.close(*self.span, "none", self.span, ("the data do not narrow the range of this measure",))
        error = influence.standard_error(self.cells(counts), counts, counts)
        interval = delta(value, error, self.span, request)
        note = "the table shows no sampling error, so z² cases, half of them correct, were added"
        low, high = min(interval.low, self.value), max(interval.high, self.value)
        return replace(interval, low=low, high=high, method="delta-smoothed", notes=(note,))

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Evaluate the measure on bootstrap samples (multinomial cells)."""
        table, rng = self.table, np.random.default_rng(seed)
        counts = table.counts.ravel().astype(float)
        squares = None if table.squares is None else table.squares.ravel()
        block = max(1, MAX_NUMBERS // counts.size)
        values = []
        for start in range(0, size, block):
            drawn = draw_counts(counts, squares, rng, min(block, size - start)).reshape(-1, table.k, table.k)
            with np.errstate(all="ignore"):
                values.append(self.evaluate(self._with_rows(drawn)))
        return np.concatenate(values)

    def acceleration(self) -> float:
        counts = self.table.counts * (self.table.effective_n / self.table.counts.sum())
        cells = self.slopes
        return acceleration(cells - (cells * counts).sum() / counts.sum(), counts)

    def equal_replicates(self, request: Request, method: str) -> Interval:
        interval = self.make_default(request)
        note = f"all replicates are equal, so {interval.method} replaces the {method} interval"
        return replace(interval, notes=(note, *interval.notes))


@shared_texts
def estimate(
    table: Confusion,
    measure: str | Measure,
    *,
    label: Label | None = None,
    average: str | None = None,
    **parameters: Any,
) -> Estimate:
    """Estimate a measure of a confusion table.

    Parameters
    ----------
    table
        A single table of counts.
    measure
        A name or alias, or a declared measure.
    label
        The class, for measures of one class.
    average
        "macro", "micro" or "weighted" average over all classes. The default for measures of one class is "macro".
    {measure_parameters}

    Returns
    -------
    Estimate
        The value with its intervals.

    Examples
    --------
    >>> from howsure import Confusion
    >>> from howsure.measures import estimate
    >>> table = Confusion([[88, 14, 18], [10, 40, 10], [2, 6, 12]], labels=["a", "b", "c"])
    >>> print(estimate(table, "kappa"))
    kappa: 0.492, 95 % interval [0.391, 0.591] (mover), n = 200
    >>> print(estimate(table, "recall", label="c"))
    recall (c): 0.600, 95 % interval [0.387, 0.781] (wilson), n = 20
    """
    declared = measure if isinstance(measure, Measure) else registry[measure]
    if not isinstance(table, Confusion):
        must("table", "a `Confusion`", given=table)
    declared.check(parameters)
    if table.counts.ndim != 2:
        raise HowsureError("`table` must be a single table, not a batch; select one with `[...]`.")
    if declared.scope not in ("class", "overall"):
        raise HowsureError(f"`{declared.name}` is a measure of scores, and there are only labels; give `scores=...`.")
    if declared.total_of is not None:
        mean = estimate(table, declared.total_of, **parameters)
        n = float(table.n)
        basis = Scaled(cast("Basis", mean.basis), n)
        return replace(mean, measure=declared.name, value=n * mean.value, basis=basis)
    plain, of = label_basis(table, declared, label, average, parameters)
    return Estimate(
        declared.name,
        plain.value,
        round(plain.n, 9),
        undefined=plain.reason,
        of=of,
        notes=plain.notes,
        parameters=shown_parameters(parameters),
        basis=by_cluster(plain, table.clusters),
    )


def label_basis(
    table: Confusion, measure: Measure, label: Label | None, average: str | None, parameters: dict[str, Any]
) -> tuple[LabelBasis, str]:
    """Return the basis of an estimate, and its class or average."""
    parameters = prepared(measure, parameters, table)
    if measure.scope == "overall":
        if label is not None or average is not None:
            raise HowsureError(
                f"`{measure.name}` is a measure of all classes at once; it takes neither `label` nor `average`."
            )
        return LabelBasis(measure, table, None, parameters), ""
    if label is not None:
        if average is not None:
            raise HowsureError("`label` and `average` are mutually exclusive; give one of them.")
        return LabelBasis(measure, table.against(label), None, parameters), str(label)
    if not measure.averaged:
        raise HowsureError(
            f"`{measure.name}` is a measure of one class, for which an average is not meaningful; give `label=...`."
        )
    average = check_average(average)
    return LabelBasis(measure, table, average, parameters), f"{average} average"


def check_average(average: str | None) -> str:
    """Validate the average; the default is "macro"."""
    if average is not None:
        one_of("average", average, AVERAGES)
    return average or "macro"


def shown_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that are numbers or strings."""
    return {key: value for key, value in parameters.items() if isinstance(value, str | int | float | bool)}


def left_out_note(labels: list[Label], k: int, measure: Measure) -> tuple[str, ...]:
    """Return a note on the classes that an average omits."""
    if not labels or len(labels) == k:
        return ()
    names = listing([repr(label) for label in labels])
    return (f"averaged over {k - len(labels)} of {k} classes; left out: {names} ({measure.undefined_when})",)


def prepared(measure: Measure, parameters: dict[str, Any], table: Confusion) -> dict[str, Any]:
    """Convert a matrix parameter to an array in the order of the classes."""
    if measure.matrix is None:
        return parameters
    option = parameters[measure.matrix]
    k = table.k
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(float)
    if isinstance(option, str):
        one_of(measure.matrix, option, ("linear", "quadratic"))
        matrix = distance if option == "linear" else distance**2
    else:
        try:
            matrix = np.asarray(option, float)
        except (TypeError, ValueError):
            raise HowsureError(f"`{measure.matrix}` must be a table of numbers, not {option!r}.") from None
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise HowsureError(
            f"`{measure.matrix}` must be a table of {k} x {k} numbers, one for each true class (rows) and "
            f"predicted class (columns), not an array of shape {matrix.shape}."
        )
    if measure.matrix == "weights" and (matrix.diagonal().any() or (matrix < 0).any()):
        raise HowsureError(
            "`weights` must be weights of disagreement: 0 on the diagonal and non-negative; for weights of agreement "
            "use `1 - weights`."
        )
    return {**parameters, measure.matrix: matrix}


def _two_classes(table: Confusion) -> Confusion:
    """Add an empty class to a table of one class."""
    return table if table.k > 1 else Confusion(np.pad(table.counts * 1.0, (0, 1)), (*table.labels, "another class"))


def _smoothed(table: Confusion, added: float) -> Array:
    """Add cases, half of them correct, with the frequencies of the classes."""
    effective = table.counts * (table.effective_n / table.counts.sum())
    share = (effective.sum(0) + effective.sum(1)) / (2 * effective.sum())
    share = (share + 1 / len(share)) / 2  # a class without cases in the sample may also occur
    right, wrong = np.diag(share), np.outer(share, share)
    np.fill_diagonal(wrong, 0)
    return np.asarray(effective + added * (right + wrong / max(wrong.sum(), 1e-300)) / 2)


def _pooled(c: BinaryCounts) -> BinaryCounts:
    return BinaryCounts(*(part.sum(-1) for part in (c.tp, c.fp, c.fn, c.tn)))
