"""From a table and a measure to an `Estimate`: value, undefined or not, and every interval it can have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np

from assay.arrays import Array
from assay.checks import check_replicates, tail
from assay.data.encode import Label
from assay.errors import AssayError, listing, must_be_one_of
from assay.intervals.delta import delta
from assay.intervals.proportion import methods as proportions
from assay.intervals.proportion import z_value
from assay.intervals.resampling import METHODS as RESAMPLED
from assay.intervals.resampling import MOST_NUMBERS, acceleration, bounds
from assay.measures.declare import Measure, Ratio, divide, registry
from assay.measures.estimate import influence
from assay.registry import canonical
from assay.results import Estimate, Interval, Made
from assay.tables import BinaryCounts, Confusion, LabelCounts

AVERAGES = ("macro", "micro", "weighted")


@dataclass(frozen=True)
class Target:
    """One number to be estimated: a measure of one table, of a class or an average where it has them.

    For a class, ``table`` is already folded to that class and the rest, in this order.
    """

    measure: Measure
    table: Confusion
    average: str | None
    parameters: dict[str, Any]

    @property
    def is_ratio(self) -> bool:
        return self.measure.is_ratio and self.average is None and not self.table.fixed_rows

    def values(self, counts: Array) -> Array:
        """Evaluate on any batch of tables of this shape."""
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
            value = float(self.values(self.table.counts))
        return value if np.isfinite(value) else np.nan

    @cached_property
    def left_out(self) -> list[Label]:
        """Classes that an average leaves out, because they have no value."""
        if self.average in (None, "micro"):
            return []
        by_class = self.measure.value(self.table.one_versus_rest, **self.parameters)
        return [label for label, value in zip(self.table.labels, by_class, strict=True) if np.isnan(value)]

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
            average = float(self.values(counts))
            cells = cells + np.where(defined, by_class - average, 0)[:, None] / support
        return cells

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
        c: BinaryCounts | LabelCounts
        if self.measure.scope == "overall":
            c = LabelCounts.of(counts)
        else:
            every = BinaryCounts.of(counts)
            c = BinaryCounts(every.tp[0], every.fp[0], every.fn[0], every.tn[0])
        found = cast(Ratio, self.measure.kernel(c, **self.parameters))
        return float(found.numerator), float(found.denominator)


def estimate(
    table: Confusion,
    measure: str | Measure,
    *,
    label: Label | None = None,
    average: str | None = None,
    **parameters: Any,
) -> Estimate:
    """Estimate a measure of a table: of one class, or of an average over the classes, where it has those.

    Examples
    --------
    >>> from assay import Confusion
    >>> from assay.measures import estimate
    >>> table = Confusion([[88, 14, 18], [10, 40, 10], [2, 6, 12]], labels=["a", "b", "c"])
    >>> print(estimate(table, "kappa"))
    kappa: 0.492, 95 % interval [0.392, 0.591] (delta), n = 200
    >>> print(estimate(table, "recall", label="c"))
    recall (c): 0.600, 95 % interval [0.387, 0.781] (wilson), n = 20
    """
    declared = registry[measure] if isinstance(measure, str) else measure
    declared.check(parameters)
    if table.counts.ndim != 2:
        raise AssayError("a batch of tables has no single estimate; take one table with `[...]`.")
    if declared.scope not in ("class", "overall"):
        raise AssayError(f"`{declared.name}` is a measure of scores, and there are only labels; give `scores=...`.")
    told = shown_parameters(parameters)
    parameters = prepared(declared, parameters, table)
    if declared.total_of is not None:
        return _total(estimate(table, declared.total_of, **parameters), declared, float(table.n))
    of = ""
    if declared.scope == "overall":
        if label is not None or average is not None:
            raise AssayError(f"`{declared.name}` is of all classes at once: it takes neither a label nor an average.")
    elif label is not None:
        if average is not None:
            raise AssayError("`label` and `average` exclude each other: a class has no average.")
        table, of = table.against(label), str(label)
    else:
        if not declared.averaged:
            raise AssayError(f"`{declared.name}` is of one class, and its average says nothing; give `label=...`.")
        average = average or "macro"
        if average not in AVERAGES:
            must_be_one_of("average", AVERAGES, given=average)
        of = f"{average} average"
    target = Target(declared, table, average, parameters)
    n = target.ratio[1] if target.is_ratio else table.effective_n
    return Estimate(
        declared.name,
        target.value,
        round(n, 9),
        undefined=_reason(target),
        of=of,
        notes=_notes(target),
        parameters=told,
        basis=Made(partial(interval, target)),
    )


def shown_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Keep the parameters that fit into a name: numbers and words, not matrices."""
    return {key: value for key, value in parameters.items() if isinstance(value, str | int | float | bool)}


def _total(mean: Estimate, declared: Measure, n: float) -> Estimate:
    """Give a sum over all cases: n times the mean, with n times its interval."""
    scaled = partial(_scaled, mean.basis.interval, n)
    return replace(mean, measure=declared.name, value=n * mean.value, basis=Made(scaled))


def _scaled(make_interval: Callable[..., Interval], n: float, *args: Any, **kwargs: Any) -> Interval:
    found = make_interval(*args, **kwargs)
    return replace(found, low=n * found.low, high=n * found.high)


def prepared(measure: Measure, parameters: dict[str, Any], table: Confusion) -> dict[str, Any]:
    """Turn what a user gives for a matrix into an array in the order of the table's classes."""
    if measure.matrix is None:
        return parameters
    given = parameters[measure.matrix]
    k = table.k
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(float)
    if isinstance(given, str):
        if given not in ("linear", "quadratic"):
            must_be_one_of(measure.matrix, ("linear", "quadratic"), given=given)
        matrix = distance if given == "linear" else distance**2
    else:
        try:
            matrix = np.asarray(given, float)
        except (TypeError, ValueError):
            raise AssayError(f"`{measure.matrix}` must be a table of numbers, not {given!r}.") from None
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise AssayError(
            f"`{measure.matrix}` must be a table of {k} x {k} numbers, one for each true class (rows) and "
            f"predicted class (columns), not an array of shape {matrix.shape}."
        )
    if measure.matrix == "weights" and (matrix.diagonal().any() or (matrix < 0).any()):
        raise AssayError(
            "`weights` must be of disagreement, 0 on the diagonal and nowhere negative; weights of agreement become "
            "those by `1 - weights`."
        )
    return {**parameters, measure.matrix: matrix}


def _reason(target: Target) -> str | None:
    if not np.isnan(target.value):
        return None
    reason = target.measure.undefined_when or "there is no case"
    if target.average in ("macro", "weighted"):
        return f"of every class {'that occurs ' if target.average == 'weighted' else ''}it holds that {reason}"
    return reason


def _notes(target: Target) -> tuple[str, ...]:
    left_out, k = target.left_out, target.table.k
    if not left_out or len(left_out) == k:
        return ()
    named = listing([repr(label) for label in left_out])
    return (f"averaged over {k - len(left_out)} of {k} classes; left out: {named} ({target.measure.undefined_when})",)


def interval(target: Target, confidence: float, method: str, side: str, *, replicates: int, seed: int) -> Interval:
    """Give the interval of a target by a named method; "auto" picks one that suits the measure."""
    tail(confidence, side)
    known = ["auto", "delta", *RESAMPLED, *(proportions if target.is_ratio else ())]
    method = canonical(method).replace("_", "-") if isinstance(method, str) else method
    if method not in known:
        must_be_one_of("method", known, given=method)
    if np.isnan(target.value):
        return Interval(np.nan, np.nan, confidence, "none", side, notes=(_reason(target) or "",))
    if method in RESAMPLED:
        return _resampled(target, confidence, method, side, replicates, seed)
    if method == "auto":
        return _wilson(target, confidence, side) if target.is_ratio else _linear(target, confidence, side)
    if method == "delta":
        error = _error(target)
        found = delta(target.value, error, _span(target), confidence, side, plain=True)
        return found if error > 0 else replace(found, notes=("no sampling error is visible in the table",))
    return proportions[method](*target.ratio, confidence, side)


def _error(target: Target) -> float:
    table = target.table
    return influence.standard_error(target.cells(table.counts), table.counts, table.variances, table.fixed_rows)


def _wilson(target: Target, confidence: float, side: str) -> Interval:
    return proportions["wilson"](*target.ratio, confidence, side)


def _span(target: Target) -> tuple[float, float]:
    return target.measure.span(float(target.table.n), target.parameters)


def _linear(target: Target, confidence: float, side: str) -> Interval:
    """Delta method; where it has no width or no room (all right, all wrong), that of a smoothed table."""
    table, span = target.table, _span(target)
    error = _error(target)
    if error > 1e-12 and np.isfinite(error) and span[0] < target.value < span[1]:
        return delta(target.value, error, span, confidence, side)
    counts = _smoothed(
        _two_classes(table) if target.measure.matrix is None else table, z_value(tail(confidence, "two-sided")) ** 2
    )
    value = float(target.values(counts))
    if np.isnan(value):
        return Interval(*span, confidence, "none", side, notes=("nothing narrows the range of this measure here",))
    error = influence.standard_error(target.cells(counts), counts, counts)
    found = delta(value, error, span, confidence, side)
    low, high = min(found.low, target.value), max(found.high, target.value)
    note = "no sampling error is visible in the table, so z² cases, half right and half wrong, were added"
    return Interval(low, high, confidence, "delta-smoothed", side, notes=(note,))


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


def _resampled(target: Target, confidence: float, method: str, side: str, replicates: int, seed: int) -> Interval:
    """Bootstrap the cells: resampling n cases is one multinomial draw over them."""
    check_replicates(replicates, seed)
    drawn = replicate(target, replicates, seed)
    kept = drawn[np.isfinite(drawn)]
    if not len(kept) or np.ptp(kept) == 0:
        found = interval(target, confidence, "auto", side, replicates=replicates, seed=seed)
        note = f"the {method} interval has no width, because every replicate is equal; {found.method} stands in"
        return Interval(found.low, found.high, confidence, found.method, side, notes=(note, *found.notes))
    a = 0.0
    if method == "bca":
        counts = target.table.counts * (target.table.effective_n / target.table.counts.sum())
        cells = target.cells(target.table.counts)
        a = acceleration(cells - (cells * counts).sum() / counts.sum(), counts)
    low, high, notes = bounds(drawn, target.value, confidence, side, method, a)
    lowest, highest = _span(target)
    low = lowest if side == "upper" else max(low, lowest)
    high = highest if side == "lower" else min(high, highest)
    return Interval(low, high, confidence, method, side, replicates, seed, notes)


def replicate(target: Target, replicates: int, seed: int) -> Array:
    """Draw bootstrap values of a target, the same for a seed however the work is divided."""
    table, draw = target.table, np.random.default_rng(seed)
    there = np.flatnonzero(table.counts)
    counts = table.counts.ravel()[there].astype(float)
    block = max(1, MOST_NUMBERS // table.counts.size)
    values = []
    for start in range(0, replicates, block):
        size = min(block, replicates - start)
        tables = np.zeros((size, table.counts.size))
        if table.squares is None:
            tables[:, there] = draw.multinomial(round(counts.sum()), counts / counts.sum(), size)
        else:
            # Rubin's bootstrap gives each case an exponential weight. The sum over the cases of a cell has
            # the cell's weight as its mean and the squared weights as its variance: a gamma variable.
            squares = table.squares.ravel()[there]
            tables[:, there] = draw.gamma(counts**2 / squares, squares / counts, (size, len(there)))
            if table.fixed_rows:
                by_row = tables.reshape(size, table.k, table.k)
                rows = by_row.sum(2, keepdims=True)
                by_row *= np.divide(table.counts.sum(1)[:, None], rows, out=np.zeros(rows.shape), where=rows > 0)
        with np.errstate(all="ignore"):
            values.append(target.values(tables.reshape(size, table.k, table.k)))
    return np.concatenate(values)


def _pooled(c: BinaryCounts) -> BinaryCounts:
    return BinaryCounts(*(part.sum(-1) for part in (c.tp, c.fp, c.fn, c.tn)))
