"""Curves of a ranking: what is found, and at which price, as the threshold falls."""

from __future__ import annotations

import numpy as np

from assay.arrays import Array
from assay.curves.curve import Curve, Line
from assay.curves.declare import curve
from assay.kernels.ranking import BLOCK
from assay.measures.declare import divide
from assay.measures.ranking import auc
from assay.tables import ScoreTable
from assay.tables.scores import MOST_KEPT

UNIT = np.array([0.0, 1.0])
DIAGONAL = Line("random", UNIT, UNIT)


def spare(table: ScoreTable, column: Array) -> Array | None:
    """Give a column to write over where the table is too large to remember it, so that no other is needed."""
    return column if len(table) >= MOST_KEPT else None


@curve("ROC curve", "false positive rate", "recall (true positive rate)", lines=(DIAGONAL,), band=True)
def roc(table: ScoreTable) -> Curve:
    """Recall against the false positive rate; cases with equal scores make one step, straight across."""
    fpr, tpr = table.rates
    return Curve(fpr, tpr, table.thresholds, float(auc.value(table.counts)))


@curve("Precision-recall curve", "recall", "precision", band=True, aliases=("pr_curve",))
def precision_recall(table: ScoreTable) -> Curve:
    """Precision against recall, a step function: between two thresholds nothing is interpolated.

    Its area is the average precision.
    """
    tp, fp = table.cumulated
    precision = np.add(tp, fp, out=spare(table, fp))
    if precision[1] == 0:  # of a replicate, several scores may come before the first case
        precision[precision == 0] = 1
    precision[0] = 1
    np.divide(tp, precision, out=precision)
    precision[0] = precision[1]  # at recall 0 there are no cases; the curve begins at that of the highest score
    blocks = [slice(start, start + BLOCK) for start in range(0, len(table), BLOCK)]
    area = sum(float((table.positives[part] * precision[1:][part]).sum()) for part in blocks)
    share, total = table.n_positive / table.n, tp[-1]
    recall = np.divide(tp, total, out=spare(table, tp))
    lines = (Line("random", UNIT, np.array([share, share])),)
    return Curve(recall, precision, table.thresholds, area / total, lines, steps=True)


@curve("Lift chart", "sample size", "positives in the sample", aliases=("lift_chart",))
def lift(table: ScoreTable) -> Curve:
    """Positives found in the sample of highest scores against its size, in counts.

    The measure of this name, ``a["lift(depth=0.1)"]``, is a ratio: how many times more positives the first tenth has
    than a random tenth. `lift_ratio` is its curve.
    """
    tp, fp = table.cumulated
    size = np.add(tp, fp, out=spare(table, fp))
    n, positives = table.n, table.n_positive
    lines = (
        Line("random", np.array([0.0, n]), np.array([0.0, positives])),
        Line("perfect", np.array([0.0, positives, n]), np.array([0.0, positives, positives])),
    )
    return Curve(size, tp, table.thresholds, lines=lines)


@curve("Lift", "share of all cases", "lift", lines=(Line("random", UNIT, np.ones(2)),))
def lift_ratio(table: ScoreTable) -> Curve:
    """How many times more positives the sample of highest scores has than a random one, against its share of all cases.

    The measure ``a["lift(depth=0.1)"]`` is its height at 0.1.
    """
    tp, fp = (column[1:] for column in table.cumulated)
    size = tp + fp
    size = size / size[-1]
    share = divide(tp, tp + fp)
    ratio = divide(share, np.asarray(table.n_positive / table.n))
    return Curve(size, ratio, table.scores.astype(float))


@curve(
    "Cumulative gains", "share of all cases", "share of all positives", lines=(DIAGONAL,), band=True,
    aliases=("cumulative_gains",),
)  # fmt: skip
def gain(table: ScoreTable) -> Curve:
    """Share of all positives found against the share of cases looked at."""
    tp, fp = table.cumulated
    size, recall = tp + fp, table.rates[1]
    size /= size[-1]
    share = table.n_positive / table.n
    lines = (Line("perfect", np.array([0.0, share, 1.0]), np.array([0.0, 1.0, 1.0])),)
    return Curve(size, recall, table.thresholds, float(np.trapezoid(recall, size)), lines)


@curve(
    "Detection error trade-off", "false positive rate", "false negative rate", lines=(Line("random", UNIT, UNIT[::-1]),)
)
def det(table: ScoreTable) -> Curve:
    """False negative rate against the false positive rate."""
    fpr, tpr = table.rates
    return Curve(fpr, 1 - tpr, table.thresholds)
