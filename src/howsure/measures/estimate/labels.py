"""From a confusion table and a measure to an `Estimate`: value, undefined or not, and every interval it can have."""

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
from howsure.intervals.bootstrap import MOST_NUMBERS, acceleration
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
MOST_CLASSES = 40  # of which every count is moved; with more, the delta method is as good and quicker
SHARE = "modified-wilson"  # the method that suits a share of cases
HALF, TINY = 0.5, 1e-9
ROUNDING = 1e-9  # by which weights that are alike may seem to be worth less


@dataclass(frozen=True)
class LabelBasis(ClusterAware):
    """A measure of a confusion table: of one class, of an average, or of all classes at once.

    For a class, ``table`` is already folded to that class and the rest, in this order.
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
        counts = {"counts"} if self.table.k <= MOST_CLASSES else set()
        ratio = {"ratio"} if self.is_ratio else set()
        own = set() if self.own_method is None else {methods[self.own_method].needs}
        return frozenset({"error", "replicates", "acceleration", *counts, *ratio, *own})

    @property
    def own_method(self) -> str | None:
        """The method that the measure alone has, which takes the numbers of cases of the classes as drawn."""
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
        return "mover" if self.table.k <= MOST_CLASSES and moves else "delta-scaled"

    def evaluate(self, counts: Array) -> Array:
        """Compute the measure on any batch of tables of this shape."""
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
        return self.measure.span(float(np.max(self.table.n)), self.parameters)  # the same in all tables of a batch

    @property
    def n(self) -> float:
        """Cases behind the value."""
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
            return f"of every class {'that occurs ' if self.average == 'weighted' else ''}it holds that {reason}"
        return reason

    @property
    def notes(self) -> tuple[str, ...]:
        """Say which classes an average leaves out, because they have no value."""
        if self.average in (None, "micro"):
            return ()
        by_class = self.measure.value(self.table.one_versus_rest, **self.parameters)
        left_out = [label for label, value in zip(self.table.labels, by_class, strict=True) if np.isnan(value)]
        return left_out_note(left_out, self.table.k, self.measure)

    def cells(self, counts: Array) -> Array:
        """Derivative of the value by each cell of the table."""
        if self.measure.scope == "overall":
            return influence.by_cell(self.measure, counts, self.parameters)
        c = BinaryCounts.of(counts)
        if self.average == "micro":
            slopes = influence.by_class(self.measure, _pooled(c), self.parameters)
            ones = np.ones(len(counts))
            parts = (slopes.tp, slopes.fp, slopes.fn, slopes.tn)
            return influence.spread(BinaryCounts(*(part * ones for part in parts)))
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
        if self.average == "weighted":  # a case also adds to the weight of its own class
            support = (defined * (c.tp + c.fn)).sum()
            average = float(self.evaluate(counts))
            cells = cells + np.where(defined, by_class - average, 0)[:, None] / support
        return cells

    @cached_property
    def slopes(self) -> Array:
        """Derivative of the value by each cell, in the table as it is."""
        return self.cells(self.table.counts)

    @cached_property
    def ratio(self) -> tuple[float, float]:
        """Successes out of how many cases; for real-valued weights, out of their effective number."""
        x, n = self._ratio_of(self.table.counts)
        if self.table.squares is None or n == 0:
            return x, n
        x2, n2 = self._ratio_of(self.table.squares)
        p = x / n
        variance = ((1 - p) ** 2 * x2 + p**2 * (n2 - x2)) / n**2
        effective = n**2 / n2  # Kish's number; with few cases the variance is itself unsure, so it can only lower it
        if 0 < p < 1 and variance > 0:
            effective = min(effective, p * (1 - p) / variance)
        return min(p * effective, effective), effective

    def _ratio_of(self, counts: Array) -> tuple[float, float]:
        numerator, denominator = self.ratios_of(counts)
        return float(numerator), float(denominator)

    def ratios_of(self, counts: Array) -> tuple[Array, Array]:
        """Successes and cases of any batch of tables of this shape."""
        c: BinaryCounts | LabelCounts
        if self.measure.scope == "overall":
            c = LabelCounts.of(counts)
        else:
            every = BinaryCounts.of(counts)
            c = BinaryCounts(every.tp[..., 0], every.fp[..., 0], every.fn[..., 0], every.tn[..., 0])
        ratio = cast(Ratio, self.measure.kernel(c, **self.parameters))
        return ratio.numerator, ratio.denominator

    @cached_property
    def standard_error(self) -> float:
        if np.isnan(self.value):
            return float("nan")
        table = self.table
        return influence.standard_error(self.slopes, table.counts, table.variances, table.fixed_rows)

    @property
    def too_few(self) -> Array:
        """Tell which classes have fewer cases than the measure needs of each."""
        return self._of_each < self._least * (1 - ROUNDING)

    @property
    def _least(self) -> int:
        """How many cases of each class there must be: a share of cases needs none, an average two of each.

        With more than two classes, what needs one case of each can do without a class.
        """
        least = self.measure.cases_of_each[1]
        if not least or self.average in ("micro", "weighted") or (self.measure.is_ratio and self.average is None):
            return 0
        least = least if self.average is None else max(least, 2)
        return 0 if least == 1 and self.table.k > 2 else least

    @property
    def _of_each(self) -> Array:
        """How many cases of each class there are, or are predicted, as the measure counts them."""
        sums = self.table.effective_sums(self.measure.cases_of_each[0])
        return sums if self.table.k > 1 else np.append(sums, 0.0)  # there is no other class

    @property
    def lacking(self) -> str:
        if self.is_unbounded and self.average in ("macro", "weighted"):
            return "an average of ratios without an upper end is that of the largest, and no interval of it holds"
        few = np.flatnonzero(self.too_few)
        if not len(few):
            return ""
        label, number = (*self.table.labels, "any other class")[few[0]], float(self._of_each[few[0]])
        is_true = self.measure.cases_of_each[0] == "truth"
        does, do = ("belongs to", "belong to") if is_true else ("was predicted as", "were predicted as")
        if number == 0:
            return f"no case {does} {label}, so nothing is known of it"
        how_many = f"only one case {does}" if number == 1 else f"cases that are worth {number:.2g} {do}"
        return f"{how_many} {label}, and an interval holds from {self._least} on"

    @property
    def has_bounds(self) -> bool:
        """A ratio to nothing is infinite, and yet bounded from below."""
        return self.is_unbounded and self.average is None and not self.lacking

    @property
    def is_unbounded(self) -> bool:
        return self.span[0] == 0 and np.isinf(self.span[1])

    @property
    def cases(self) -> float:
        return float(self.table.effective_n)

    def moved(self, reach: Reach) -> Moved:
        """Move each count; how far the value depends on where the errors of a group lie adds to the variance."""
        table, groups = (
            self.table,
            groups_of(self.table.k, None if self.average == "micro" else self.measure.error_axis),
        )
        start = table.counts * 1.0
        with np.errstate(all="ignore"):
            if self.is_unbounded:  # no ratio starts at 0 or at infinity
                stuck = ~np.isfinite(np.log(self.evaluate(start)))
                start = np.where(stuck[..., None, None], np.maximum(start, HALF), start)
            value, ends = (self._centred(tables) for tables in (start, moved_tables(table, start, groups, reach)))
        z = reach.z
        return Moved(value, ends, np.asarray(z * z * self._of_pattern(groups, z)))

    def _centred(self, counts: Array) -> Array:
        """Compute the measure with as many hits more in each class that occurs as take its bias away."""
        if not self.measure.pseudo_hits:
            return self.evaluate(counts)
        hits = self.measure.pseudo_hits * np.eye(self.table.k)
        return self.evaluate(counts + hits * (counts.sum(-1, keepdims=True) > 0))

    def _of_pattern(self, groups: Array, z: float) -> float:
        """Variance from where the errors that are moved together lie."""
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
        """How far the clusters of the table move the value.

        Every cell bears on it that would with half a case more in each, so that no case of a class that is all right
        seems to tell nothing.
        """
        table, clusters = self.table, cast("Clusters", self.table.clusters)
        cells = self.slopes
        if table.fixed_rows:
            cells = influence.within_rows(cells, table.counts)
        bears = self.cells(table.counts + HALF) != 0
        squares = float((table.variances * bears).sum())
        return ClusterSpread(clusters.sums(cells), self.standard_error**2, clusters.sums(bears), squares)

    def deflate(self, design_effect: float) -> LabelBasis:
        """Give the same measure of a table of so many times fewer independent cases."""
        return replace(self, table=self.table.worth(design_effect))

    def cluster_replicates(self, size: int, seed: int) -> Array:
        """Redraw whole clusters."""
        table, clusters = self.table, cast("Clusters", self.table.clusters)
        values = []
        for drawn in clusters.resampled(np.random.default_rng(seed), size):
            with np.errstate(all="ignore"):
                values.append(self.evaluate(self._with_rows(drawn.reshape(-1, table.k, table.k))))
        return np.concatenate(values)

    def _with_rows(self, drawn: Array) -> Array:
        """Give each true class the cases that it has in the table, where their shares are fixed."""
        if not self.table.fixed_rows:
            return drawn
        rows, wanted = drawn.sum(2, keepdims=True), self.table.counts.sum(1)[:, None]
        return np.asarray(drawn * np.divide(wanted, rows, out=np.zeros(rows.shape), where=rows > 0))

    def without_spread(self, request: Request) -> Interval:
        """Take the error of a smoothed table, where this one has none (all right, all wrong)."""
        table = self.table if self.measure.matrix is not None else _two_classes(self.table)
        counts = _smoothed(table, z_value(request.alpha) ** 2)
        value = float(self.evaluate(counts))
        if np.isnan(value):
            return request.close(*self.span, "none", self.span, ("nothing narrows the range of this measure here",))
        error = influence.standard_error(self.cells(counts), counts, counts)
        interval = delta(value, error, self.span, request)
        note = "no sampling error is visible in the table, so z² cases, half right and half wrong, were added"
        low, high = min(interval.low, self.value), max(interval.high, self.value)
        return replace(interval, low=low, high=high, method="delta-smoothed", notes=(note,))

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Redraw the cells: resampling n cases is one multinomial draw over them. A seed gives the same in any blocks.

        Where the shares of the classes are fixed, each row of the table keeps its sum.
        """
        table, rng = self.table, np.random.default_rng(seed)
        counts = table.counts.ravel().astype(float)
        squares = None if table.squares is None else table.squares.ravel()
        block = max(1, MOST_NUMBERS // counts.size)
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
    """Estimate a measure of a table: of one class, or of an average over the classes, where it has those.

    Parameters
    ----------
    table
        The counts, a single table.
    measure
        A name or alias, or a declared measure.
    label
        The class it is of.
    average
        "macro", "micro" or "weighted", over all classes; default of a measure of one class: "macro".
    {measure_parameters}

    Returns
    -------
    Estimate
        The value, and how sure it is.

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
        raise HowsureError("a batch of tables has no single estimate; take one table with `[...]`.")
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
    """Give what an estimate rests on, and the class or the average it is of."""
    parameters = prepared(measure, parameters, table)
    if measure.scope == "overall":
        if label is not None or average is not None:
            raise HowsureError(f"`{measure.name}` is of all classes at once: it takes neither a label nor an average.")
        return LabelBasis(measure, table, None, parameters), ""
    if label is not None:
        if average is not None:
            raise HowsureError("`label` and `average` exclude each other: a class has no average.")
        return LabelBasis(measure, table.against(label), None, parameters), str(label)
    if not measure.averaged:
        raise HowsureError(f"`{measure.name}` is of one class, and its average says nothing; give `label=...`.")
    average = check_average(average)
    return LabelBasis(measure, table, average, parameters), f"{average} average"


def check_average(average: str | None) -> str:
    """Give the average asked for, by default the macro one."""
    if average is not None:
        one_of("average", average, AVERAGES)
    return average or "macro"


def shown_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Keep the parameters that fit into a name: numbers and words, not matrices."""
    return {key: value for key, value in parameters.items() if isinstance(value, str | int | float | bool)}


def left_out_note(labels: list[Label], k: int, measure: Measure) -> tuple[str, ...]:
    """Say which classes an average leaves out, where it is of some of them."""
    if not labels or len(labels) == k:
        return ()
    names = listing([repr(label) for label in labels])
    return (f"averaged over {k - len(labels)} of {k} classes; left out: {names} ({measure.undefined_when})",)


def prepared(measure: Measure, parameters: dict[str, Any], table: Confusion) -> dict[str, Any]:
    """Turn what a user gives for a matrix into an array in the order of the table's classes."""
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
            "`weights` must be of disagreement, 0 on the diagonal and nowhere negative; weights of agreement become "
            "those by `1 - weights`."
        )
    return {**parameters, measure.matrix: matrix}


def _two_classes(table: Confusion) -> Confusion:
    """Let a table of one class have another, so that there is something to be wrong about."""
    return table if table.k > 1 else Confusion(np.pad(table.counts * 1.0, (0, 1)), (*table.labels, "another class"))


def _smoothed(table: Confusion, added: float) -> Array:
    """Add cases, half of them right and half wrong, spread like the classes: Agresti and Coull's idea for any table."""
    effective = table.counts * (table.effective_n / table.counts.sum())
    share = (effective.sum(0) + effective.sum(1)) / (2 * effective.sum())
    share = (share + 1 / len(share)) / 2  # a class not seen yet may still come
    right, wrong = np.diag(share), np.outer(share, share)
    np.fill_diagonal(wrong, 0)
    return np.asarray(effective + added * (right + wrong / max(wrong.sum(), 1e-300)) / 2)


def _pooled(c: BinaryCounts) -> BinaryCounts:
    return BinaryCounts(*(part.sum(-1) for part in (c.tp, c.fp, c.fn, c.tn)))
