"""Measures of ranking, which do not depend on a threshold."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.intervals.auc import Areas
from howsure.intervals.average_precision import Precision
from howsure.intervals.crossing import WINDOW, Crossing, Distance
from howsure.intervals.partial_area import PartialArea
from howsure.intervals.top_share import TopShare
from howsure.kernels.class_pairs import areas_against_others
from howsure.kernels.ranking import BLOCK, Block, cumulate
from howsure.measures.declare import Span, divide, measure
from howsure.tables import ClassScores, ScoreCounts, ScoreRows, ScoreTable
from howsure.tables.scores import first_rows

SHARE = ("between 0 and 1", lambda value: 0 <= value <= 1)
DEPTH = ("above 0 and at most 1", lambda value: 0 < value <= 1)
FLAG = ("True or False", lambda value: isinstance(value, bool | np.bool_))
AXIS = ("'x' or 'y'", lambda value: value in ("x", "y"))
TINY = 1e-300
INFINITY = float("inf")
ONE_CLASS = "all cases are of one class, so there is nothing to rank"


@measure(
    "Area under the ROC curve",
    spoken="AUC",
    formula="sum(negatives * (tp - positives / 2)) / (sum(positives) * sum(negatives))",
    range=(0, 1),
    best=1,
    undefined_when=ONE_CLASS,
    aliases=("roc_auc", "auroc", "area_under_roc", "c_statistic", "concordance"),
    of_auc=(1.0, 0.0),
)
def auc(c: ScoreCounts) -> Array:
    """Probability that a positive scores higher than a negative (ties: 1/2)."""
    return divide(c.concordant, c.n_positive * c.n_negative)


@measure(
    "Gini coefficient",
    spoken="Gini coefficient",
    formula="2 * sum(negatives * (tp - positives / 2)) / (sum(positives) * sum(negatives)) - 1",
    range=(-1, 1),
    best=1,
    undefined_when=ONE_CLASS,
    aliases=("gini_coefficient", "accuracy_ratio", "somers_d"),
    of_auc=(2.0, -1.0),
    follows_from=(auc,),
)
def gini(c: ScoreCounts) -> Array:
    """Twice the area under the ROC curve minus 1: 0 for guessing."""
    return 2 * divide(c.concordant, c.n_positive * c.n_negative) - 1


def _influence_on_average_precision(c: ScoreCounts) -> tuple[Array, Array]:
    """Return the influences of a positive and a negative at each score."""
    own, raised, lowered = _changes_of_precision(c)
    scale = divide(c.n_positive + c.n_negative, c.n_positive)
    return (own + raised - average_precision.value(c)) * scale, -scale * lowered


def _changes_of_precision(c: ScoreCounts) -> tuple[Array, Array, Array]:
    """Return the precision at each score, and its changes with one more case.

    The changes are those of the precision at this and all lower scores, summed over positives: the increase due to one
    more positive, and the decrease due to one more negative.
    """
    own, raised, lowered = (np.empty(len(c.scores)) for _ in range(3))
    for block in c.blocks():
        called = block.tp + block.fp
        called[called <= 0] = 1  # the highest scores may have weight 0
        np.divide(block.tp, called, out=own[block.part])
        np.square(called, out=called)
        np.divide(block.positives * block.fp, called, out=raised[block.part])
        np.divide(block.positives * block.tp, called, out=lowered[block.part])
    raised, lowered = (column[:0:-1] for column in cumulate(raised[::-1], lowered[::-1]))
    return own, raised, lowered


def _precision(table: ScoreTable) -> Precision:
    c = table.counts
    n, value = float(c.n_positive), float(average_precision.value(c))
    own, raised, lowered = _changes_of_precision(c)
    squares = table.squares or (table.positives, table.negatives)
    variance = of_a_negative = 0.0
    for start in range(0, len(table), BLOCK):  # in blocks that fit in the cache
        part = slice(start, start + BLOCK)
        of_positive, of_negative = own[part] + raised[part], lowered[part] ** 2
        of_positive -= value
        of_positive *= of_positive
        of_positive *= squares[0][part]
        variance += float(of_positive.sum()) + float((squares[1][part] * of_negative).sum())
        of_a_negative += float((c.positives[part] * of_negative).sum())
    return Precision(value, n, float(c.n_negative), variance / n**2, of_a_negative / n**3)


def _precision_within_bins(table: ScoreTable) -> Span:
    """Return the lowest and highest average precision of binned scores."""
    # At best, all positives of a bin have equal scores above its negatives, and the precision at one threshold. At
    # worst, they have distinct scores below its negatives. A bin with a single score has only one precision.
    tp, fp, positives = table.tp, table.fp, table.positives
    called, single = np.maximum(tp + fp, TINY), table.tops == table.scores
    exact = positives * tp / called
    best = positives * np.nan_to_num(divide(tp, tp + fp - table.negatives))
    # The precision at the i-th of these positives is at least its mean between i - 1 and i, an integral.
    worst = positives - fp * np.log(called / np.maximum(called - positives, TINY))
    ends = (np.where(single, exact, np.where(fp > 0, worst, positives)), np.where(single, exact, best))
    low, high = (float(end[positives > 0].sum() / positives.sum()) for end in ends)
    return low, high


@measure(
    "Average precision",
    formula="sum(positives * tp / maximum(tp + fp, tiny)) / sum(positives)",
    range=(0, 1),
    best=1,
    influence=_influence_on_average_precision,
    undefined_when="no case is positive",
    aliases=("ap", "area_under_precision_recall", "pr_auc"),
    interval=("logit-precision", _precision),
    bin_limits=_precision_within_bins,
)
def average_precision(c: ScoreCounts) -> Array:
    """Precision at each threshold, weighted by the number of positives there.

    It is a sum of steps without interpolation. Some programs, such as yardstick, report a trapezoidal area, a
    different number, as ``pr_auc``.
    """
    return divide(np.asarray(sum(map(_weighed_precision, c.blocks()))), c.n_positive)


def _largest_distance(table: ScoreTable) -> Distance:
    c = table.counts
    row = int(np.abs(c.recall - c.fall_out).argmax())
    at = float(c.recall[row]), float(c.fall_out[row])
    return Distance(abs(at[0] - at[1]), *at, float(c.n_positive), float(c.n_negative))


@measure(
    "Kolmogorov-Smirnov distance",
    spoken="KS distance",
    formula="max(abs(tp / sum(positives) - fp / sum(negatives)))",
    range=(0, 1),
    best=1,
    undefined_when=ONE_CLASS,
    aliases=("ks", "kolmogorov_smirnov"),
    interval=("smirnov", _largest_distance),
)
def ks_distance(c: ScoreCounts) -> Array:
    """Largest difference between the shares of both classes above a score."""
    difference = c.recall - c.fall_out
    return np.asarray(np.abs(difference, out=difference).max(-1))


def _crossing(table: ScoreTable) -> Crossing:
    c = table.counts
    fpr, recall = c.fall_out, c.recall

    def gap(row: IntArray) -> Array:  # false positive rate minus false negative rate, which increases
        return np.asarray(fpr[row] - (1 - recall[row]))

    def at(row: int) -> tuple[float, float]:  # before the first score no case is predicted positive
        return (0.0, 1.0) if row < 0 else (float(fpr[row]), float(1 - recall[row]))

    first, after = first_rows(gap, len(fpr), np.array([-WINDOW, np.nextafter(WINDOW, 1)])).tolist()
    ends = (at(first - 1), at(after - 1)) if first < after else (at(-1), at(len(fpr) - 1))
    passed = (ends[0][1] - ends[1][1]) * c.n_positive, (ends[1][0] - ends[0][0]) * c.n_negative
    value = float(equal_error_rate.value(c))
    return Crossing(value, float(c.n_positive), float(c.n_negative), float(passed[0]), float(passed[1]))


@measure(
    "Equal error rate",
    formula="where the false positive rate meets the false negative rate, on the straight lines of the ROC curve",
    range=(0, 1),
    best=0,
    undefined_when=ONE_CLASS,
    aliases=("eer",),
    interval=("wilson-crossing", _crossing),
)
def equal_error_rate(c: ScoreCounts) -> Array:
    """Rate at which false positive and false negative rates are equal."""
    fpr, fnr = c.fall_out, 1 - c.recall
    after = np.expand_dims((fpr >= fnr).argmax(-1), -1)  # the gap increases from -1
    (a, b), (misses, fewer) = (_around(rate, after, start) for rate, start in ((fpr, 0.0), (fnr, 1.0)))
    low, high = a - misses, b - fewer
    share = np.where(high > low, -low / np.where(high > low, high - low, 1), 0)
    return np.asarray(np.where(np.isnan(fpr[..., -1] + fnr[..., -1]), np.nan, a + share * (b - a)))


def _partial_range(n: float, high: float, low: float = 0.0, axis: str = "x", corrected: bool = True) -> Span:
    """Return the range; a corrected area may be far below 0."""
    low, high = (low, high) if axis == "x" else (1 - high, 1 - low)
    least = (high**2 - low**2) / 2
    return ((1 - least / (high - low - least)) / 2 if corrected else 0.0), 1.0


def _below_the_diagonal(value: float, corrected: bool = True, **_: float | str) -> str | None:
    if not corrected or value >= 0.5:
        return None
    return "the curve is below the diagonal there, where the correction is not meaningful; use corrected=False"


@measure(
    "Partial area under the ROC curve",
    spoken="partial AUC",
    formula="area under the ROC curve between two false positive rates (or two recalls), divided by its largest value,"
    " or corrected so that guessing gives 1/2",
    range=(-INFINITY, 1),
    best=1,
    undefined_when=ONE_CLASS,
    aliases=("pauc", "partial_roc_auc"),
    limits={"low": SHARE, "high": SHARE, "axis": AXIS, "corrected": FLAG},
    constraint=("`low` must be below `high`.", lambda high, low=0.0, **_: low < high),
    within=_partial_range,
    remark=_below_the_diagonal,
    interval=("logit-partial", lambda table, **parameters: _partial_area(table, **parameters)),
)
def partial_auc(c: ScoreCounts, high: float, low: float = 0.0, axis: str = "x", corrected: bool = True) -> Array:
    """Area under a part of the ROC curve.

    The part is between two false positive rates (``axis`` "x") or two recalls ("y"). If ``corrected``, the area is
    rescaled so that guessing gives 1/2 and a perfect curve 1 (McClish 1989), otherwise it is a share of the window.
    """
    fpr, tpr = c.fall_out, c.recall
    start = np.zeros((*fpr.shape[:-1], 1))
    x, y = np.concatenate([start, fpr], -1), np.concatenate([start, tpr], -1)
    if axis == "y":  # exchange the axes
        x, y, low, high = 1 - y[..., ::-1], 1 - x[..., ::-1], 1 - high, 1 - low
    area = _area_between(x, y, low, high)
    width, least = high - low, (high**2 - low**2) / 2
    height = (1 + (area - least) / (width - least)) / 2 if corrected else area / width
    return np.asarray(np.where(np.isnan(fpr[..., -1] + tpr[..., -1]), np.nan, height))


def _area_between(x: Array, y: Array, low: float, high: float) -> Array:
    """Return the area under piecewise linear curves between two abscissae."""
    run, rise = np.diff(x), np.diff(y)
    slope = np.divide(rise, run, out=np.zeros(run.shape), where=run > 0)
    left, right = np.clip(x[..., :-1], low, high), np.clip(x[..., 1:], low, high)
    middle = y[..., :-1] + slope * ((left + right) / 2 - x[..., :-1])
    return np.asarray(((right - left) * middle).sum(-1))


def _partial_area(
    table: ScoreTable, high: float, low: float = 0.0, axis: str = "x", corrected: bool = True
) -> PartialArea:
    """Return the area, and the variance due to the cases of each class."""
    c = table.counts
    columns = [c.positives, c.negatives, *(table.squares or (c.positives, c.negatives))]
    if axis == "y":
        columns, low, high = [columns[index][::-1] for index in (1, 0, 3, 2)], 1 - high, 1 - low
    positives, negatives, *squares = columns
    n, width, least = (float(positives.sum()), float(negatives.sum())), high - low, (high**2 - low**2) / 2
    x, y = (np.concatenate([[0.0], np.cumsum(column) / column.sum()]) for column in (negatives, positives))
    of_positives, of_negatives = _window_right_of(x, low, high) / width, _height_inside(x, y, low, high) / width
    share = float((positives * of_positives).sum()) / n[0]
    height = float((negatives * of_negatives).sum()) / n[1]
    variances = (
        float((squares[0] * (of_positives - share) ** 2).sum()) / n[0] ** 2,
        float((squares[1] * (of_negatives - height) ** 2).sum()) / n[1] ** 2,
    )
    slope = width / (width - least) / 2 if corrected else 1.0
    offset = (1 - least / (width - least)) / 2 if corrected else 0.0
    return PartialArea(share, variances, n, width, slope, offset)


def _window_right_of(x: Array, low: float, high: float) -> Array:
    """Return the mean fraction of the window to the right of each step."""

    def total(at: Array) -> Array:
        inside = np.clip(at, low, high)
        return np.asarray((high - low) * np.minimum(at, low) + high * (inside - low) - (inside**2 - low**2) / 2)

    run = np.diff(x)
    return np.asarray(np.divide(np.diff(total(x)), run, out=high - np.clip(x[:-1], low, high), where=run > 0))


def _height_inside(x: Array, y: Array, low: float, high: float) -> Array:
    """Return the mean height of each step, using the window's ends outside it."""
    run, rise = np.diff(x), np.diff(y)
    slope = np.divide(rise, run, out=np.zeros(run.shape), where=run > 0)
    left, right = np.clip(x[:-1], low, high), np.clip(x[1:], low, high)
    inside = (right - left) * (y[:-1] + slope * ((left + right) / 2 - x[:-1]))
    at_low, at_high = np.interp([low, high], x, y)
    outside = at_low * np.diff(np.minimum(x, low)) + at_high * np.diff(np.maximum(x, high))
    return np.asarray(np.divide(inside + outside, run, out=np.zeros(run.shape), where=run > 0))


@measure(
    "Lift",
    formula="share of positives among the cases with the highest scores, divided by their share among all",
    range=(0, INFINITY),
    within=lambda _, depth: (0.0, 1 / depth),
    best=None,
    better="higher",
    undefined_when="no case is positive",
    aliases=("lift_at_depth",),
    limits={"depth": DEPTH},
    interval=("mover-top", lambda table, depth: _top_share(table, depth, 1 / depth)),
)
def lift(c: ScoreCounts, depth: float) -> Array:
    """Share of positives in the top ``depth`` of cases, relative to all cases."""
    return divide(_gain(c, depth), np.asarray(depth))


@measure(
    "Cumulative gain",
    formula="share of all positives that is among the cases with the highest scores",
    range=(0, 1),
    best=None,
    better="higher",
    undefined_when="no case is positive",
    aliases=("gain_at_depth", "capture_rate"),
    limits={"depth": DEPTH},
    interval=("mover-top", lambda table, depth: _top_share(table, depth)),
)
def gain(c: ScoreCounts, depth: float) -> Array:
    """Share of all positives that are in the top ``depth`` of cases."""
    return _gain(c, depth)


def _top_share(table: ScoreTable, depth: float, scale: float = 1.0) -> TopShare:
    c = table.counts
    # Linear interpolation between scores spreads ties evenly, as `_gain` does.
    cases, positives = (np.concatenate([[0.0], column / column[-1]]) for column in (c.tp + c.fp, c.tp))

    def gain(at: float) -> float:
        return float(np.interp(at, cases, positives))

    return TopShare(gain, depth, float(c.n_positive), float(c.n_negative), scale)


def _gain(c: ScoreCounts, depth: float) -> Array:
    """Return the share of positives in the top cases, with ties spread evenly."""
    tp, total = c.tp, c.tp + c.fp
    cut = depth * total[..., -1:]
    index = np.minimum((total < cut).sum(-1, keepdims=True), total.shape[-1] - 1)
    here, before = (np.take_along_axis(column, index, -1) for column in (total, total - c.positives - c.negatives))
    above = np.take_along_axis(tp - c.positives, index, -1)
    step = np.take_along_axis(c.positives, index, -1)
    share = np.where(here > before, (cut - before) / np.where(here > before, here - before, 1), 1)
    return divide((above + share * step)[..., 0], tp[..., -1])


def _mean_of_pairs(scores: ClassScores) -> Areas:
    """Return Hand and Till's AUC as a mean over classes, with influences."""
    rows, weight = scores.rows, scores.rows.weight.astype(float)
    sizes = np.bincount(rows.truth, weight, len(scores.labels))
    present = np.flatnonzero(sizes > 0)
    pairs, total, influence = len(present) * (len(present) - 1), 0.0, np.zeros(len(weight))
    for own in present.tolist():
        areas, placements = areas_against_others(own, rows.truth, rows.scores[:, own], weight, sizes, rows.order(own))
        total += float(areas.sum())
        areas[own] = areas.sum()  # a case of the class has placements in the pairs with all other classes
        influence += placements - areas[rows.truth]
    influence = np.divide(influence, sizes[rows.truth] * max(pairs, 1), out=np.zeros(len(weight)), where=weight > 0)
    factor, n = scores.n / weight.sum(), float(weight.sum())
    shares = (1 / len(present),) * len(present)
    error = float(np.sqrt((scores.squares * influence**2).sum()))
    mean = total / pairs if pairs else np.nan
    return Areas(mean, error, tuple((factor * sizes[c], factor * (n - sizes[c])) for c in present), shares)


@measure(
    "Hand and Till's AUC",
    spoken="Hand and Till's AUC",
    formula="mean over pairs of classes of the AUC of either class's scores among the cases of both",
    range=(0, 1),
    best=1,
    undefined_when="fewer than two classes have cases",
    aliases=("auc_ovo", "hand_till", "auc_one_versus_one", "multiclass_auc"),
    interval=("delong-newcombe-mean", _mean_of_pairs),
    ranks_columns=True,
)
def auc_hand_till(c: ScoreRows) -> Array:
    """Mean area under the ROC curve over all pairs of classes that occur."""
    weight = c.weight.astype(float)
    sizes = np.bincount(c.truth, weight, c.scores.shape[1])
    present = np.flatnonzero(sizes > 0).tolist()
    areas = [
        areas_against_others(own, c.truth, c.scores[:, own], weight, sizes, c.order(own)).areas.sum() for own in present
    ]
    pairs = len(present) * (len(present) - 1)
    return np.asarray(sum(areas) / pairs if pairs else np.nan)


def _weighed_precision(block: Block) -> Array:
    called = np.maximum(block.tp + block.fp, TINY)  # a bootstrap sample may have no cases yet
    return np.asarray((block.positives * (block.tp / called)).sum(-1))


def _around(rate: Array, after: Array, start: float) -> tuple[Array, Array]:
    """Return a rate at each row and the previous one (``start`` for the first)."""
    before, here = (np.take_along_axis(rate, index, -1)[..., 0] for index in (np.maximum(after - 1, 0), after))
    return np.where(after[..., 0] == 0, start, before), here
