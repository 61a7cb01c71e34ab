"""One measure of many tables: the estimates that each table by itself has, and their intervals made together.

An interval of a proportion costs a few dozen calls of NumPy, whether it is of one table or of a thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from howsure.arrays import Floats
from howsure.data.encode import Label
from howsure.intervals.auc import auc_errors
from howsure.intervals.declare import Request
from howsure.intervals.declare import registry as methods
from howsure.intervals.proportion import Shares
from howsure.measures.declare import Measure
from howsure.measures.estimate.labels import SHARE, LabelBasis, label_basis
from howsure.results import Estimate, Interval
from howsure.tables import Confusion, ScoreTable

SHORT = 1 << 12  # scores of a table: of a longer one, what it costs to call NumPy is little beside the work


def estimate_tables(tables: Sequence[Confusion], measure: Measure, label: Label | None) -> list[Estimate] | None:
    """Estimate a measure of each table, of one class if it is of one; None where it is not a share of cases.

    The tables have the same classes. What weights or clusters change is not the business of this function.
    """
    first = tables[0]
    is_plain = all(one.squares is None and one.clusters is None and not one.fixed_rows for one in tables)
    is_same = all(one.labels == first.labels and one.counts.dtype.kind == "i" for one in tables)
    has_class = measure.scope == "class" and label is not None
    if not (measure.is_ratio and not measure.parameters and is_plain and is_same):
        return None
    if not has_class and measure.scope != "overall":
        return None
    batch = Confusion(np.stack([one.counts for one in tables]), first.labels)
    pattern, of = label_basis(batch, measure, label, None, {})
    with np.errstate(all="ignore"):
        values = pattern.evaluate(pattern.table.counts)
    values = np.where(np.isfinite(values), values, np.nan)
    successes, cases = (np.asarray(part, float) for part in pattern.ratios_of(pattern.table.counts))
    columns = (pattern.table.single(), values.tolist(), successes.tolist(), cases.tolist())
    return [_estimate(pattern, of, *row) for row in zip(*columns, strict=True)]


def _estimate(pattern: LabelBasis, of: str, table: Confusion, value: float, successes: float, n: float) -> Estimate:
    basis = LabelBasis(pattern.measure, table, None, pattern.parameters)
    basis.__dict__.update(value=value, ratio=(successes, n))  # which it would compute by itself, one at a time
    reason = basis.reason
    return Estimate(pattern.measure.name, value, round(n, 9), undefined=reason, of=of, basis=basis)


def rank_together(tables: Sequence[ScoreTable]) -> None:
    """Find the AUC of each table and its error at once; each table remembers what it would find by itself."""
    counted = [one for one in tables if one.positives.dtype.kind == one.negatives.dtype.kind == "i"]
    plain = [one for one in counted if one.squares is None and len(one) <= SHORT and one.n_positive and one.n_negative]
    found = auc_errors([(one.positives, one.negatives) for one in plain])
    for table, (pairs, ranks) in zip(plain, found, strict=True):
        table.__dict__["ranks"] = ranks
        table.counts.__dict__["concordant"] = np.asarray(pairs)


def make_intervals(estimates: Sequence[Estimate], confidence: float) -> None:
    """Make the default intervals of estimates at once, as far as they are of shares, and let each remember its own."""
    shares = [one for one in estimates if one.undefined is None and _is_share(one.basis)]
    ratios: Floats = np.array([cast("LabelBasis", one.basis).ratio for one in shares], np.float64).reshape(-1, 2)
    # At the ends of the range a power is taken, which of many numbers at once may differ in the last bit.
    inside = (ratios[:, 0] > 0) & (ratios[:, 0] < ratios[:, 1])
    if inside.sum() > 1:
        chosen = [one for one, is_inside in zip(shares, inside.tolist(), strict=True) if is_inside]
        _remember(chosen, ratios[inside], Request(confidence))


def _is_share(basis: Any) -> bool:
    """Tell a share of cases, which has an interval however few they are."""
    return isinstance(basis, LabelBasis) and basis.is_ratio


def _remember(estimates: Sequence[Estimate], ratios: Floats, request: Request) -> None:
    basis = Shares((ratios[:, 0], ratios[:, 1]))
    declared = methods[SHARE]
    modified, plain = (methods[name].make(basis, request) for name in (declared.name, declared.modifies))
    values = np.array([one.value for one in estimates])
    held = [request.hold(interval, values) for interval in (modified, plain)]
    is_plain = (modified.low == plain.low) & (modified.high == plain.high)
    low, high = (np.where(is_plain, getattr(held[1], end), getattr(held[0], end)) for end in ("low", "high"))
    names = np.where(is_plain, plain.method, modified.method)
    rows = zip(estimates, low.tolist(), high.tolist(), names.tolist(), strict=True)
    for one, lowest, highest, name in rows:
        if lowest <= highest:  # others have a reason, which is that of each
            one.remember(Interval(lowest, highest, request.confidence, name, request.side))
