"""Curves of a ranking: ROC, precision-recall, lift, gains and DET."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.curves.curve import Curve, Line
from howsure.curves.declare import curve
from howsure.kernels.ranking import BLOCK
from howsure.measures.declare import divide
from howsure.measures.ranking import auc, average_precision, equal_error_rate
from howsure.tables import ScoreTable

UNIT = np.array([0.0, 1.0])
DIAGONAL = Line("random", UNIT, UNIT)


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(Curve):
    """ROC curve, or another curve between opposite corners of the unit square.

    Examples
    --------
    >>> import howsure
    >>> type(howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).roc()).__name__
    'RocCurve'
    """


@curve(
    "ROC curve", "false positive rate", "recall (true positive rate)", lines=(DIAGONAL,), band=True,
    short="ROC", measure=auc, measure_title="AUC",
)  # fmt: skip
def roc(table: ScoreTable) -> Curve:
    """Recall against the false positive rate.

    Cases with tied scores make one diagonal step.
    """
    fpr, tpr = table.rates
    return RocCurve(fpr, tpr, table.thresholds, float(auc.value(table.counts)))


@curve(
    "Precision-recall curve", "recall", "precision", band=True, aliases=("pr_curve",),
    short="precision-recall", measure=average_precision, measure_title="average precision",
)  # fmt: skip
def precision_recall(table: ScoreTable) -> Curve:
    """Precision against recall, as a step function without interpolation.

    Its area is the average precision.
    """
    tp, fp = table.cumulated
    precision = np.add(tp, fp, out=fp)
    if precision[1] == 0:  # in a bootstrap replicate, the highest scores may not occur
        precision[precision == 0] = 1
    precision[0] = 1
    np.divide(tp, precision, out=precision)
    precision[0] = precision[1]  # undefined without predicted positives; start at that of the highest score
    blocks = [slice(start, start + BLOCK) for start in range(0, len(table), BLOCK)]
    area = sum(float((table.positives[part] * precision[1:][part]).sum()) for part in blocks)
    share, total = table.n_positive / table.n, tp[-1]
    recall = np.divide(tp, total, out=tp)
    lines = (Line(f"random: {100 * share:.3g} % are positive", UNIT, np.array([share, share])),)
    return Curve(recall, precision, table.thresholds, area / total, lines, steps="next")


@curve("Lift chart", "sample size", "positives in the sample", aliases=("lift_chart",))
def lift(table: ScoreTable) -> Curve:
    """Number of positives among the highest scores, by sample size.

    The measure of this name, ``a["lift(depth=0.1)"]``, is a ratio: the share of positives in the first tenth over that
    in a random tenth. `lift_ratio` is its curve.
    """
    tp, fp = table.cumulated
    size = np.add(tp, fp, out=fp)
    n, positives = table.n, table.n_positive
    lines = (
        Line("random", np.array([0.0, n]), np.array([0.0, positives])),
        Line("perfect", np.array([0.0, positives, n]), np.array([0.0, positives, positives])),
    )
    return Curve(size, tp, table.thresholds, lines=lines)


@curve("Lift", "share of all cases", "lift", lines=(Line("random", UNIT, np.ones(2)),))
def lift_ratio(table: ScoreTable) -> Curve:
    """Share of positives among the highest scores, relative to all cases.

    It is plotted against the share of cases selected. The measure ``a["lift(depth=0.1)"]`` is its height at 0.1.
    """
    tp, fp = (column[1:] for column in table.cumulated)
    size = tp + fp
    size = size / size[-1]
    share = divide(tp, tp + fp)
    ratio = divide(share, np.asarray(table.n_positive / table.n))
    return Curve(size, ratio, table.scores.astype(float))


@curve(
    "Cumulative gains", "share of all cases", "share of all positives", lines=(DIAGONAL,), band=True,
    aliases=("cumulative_gains",), short="gains",
)  # fmt: skip
def gain(table: ScoreTable) -> Curve:
    """Share of all positives among the highest scores, by share of cases."""
    tp, fp = table.cumulated
    size, recall = tp + fp, table.rates[1]
    size /= size[-1]
    share = table.n_positive / table.n
    lines = (Line("perfect", np.array([0.0, share, 1.0]), np.array([0.0, 1.0, 1.0])),)
    return Curve(size, recall, table.thresholds, float(np.trapezoid(recall, size)), lines)


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(Curve):
    """Detection error trade-off, on axes of normal deviates.

    Examples
    --------
    >>> import howsure
    >>> curve = howsure.assess([0, 1, 0, 1, 1], scores=[0.2, 0.7, 0.4, 0.9, 0.3]).det()
    >>> curve.x_title, curve.y_title
    ('false positive rate', 'false negative rate')
    """


@curve(
    "Detection error trade-off", "false positive rate", "false negative rate", short="DET",
    lines=(Line("random", np.linspace(0, 1, 101), np.linspace(1, 0, 101)),),
    measure=equal_error_rate, measure_title="equal error rate",
)  # fmt: skip
def det(table: ScoreTable) -> Curve:
    """False negative rate against the false positive rate.

    On axes of normal deviates, normally distributed scores give a straight line.
    """
    fpr, tpr = table.rates
    return DetCurve(fpr, 1 - tpr, table.thresholds)
