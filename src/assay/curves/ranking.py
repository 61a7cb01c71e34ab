"""Curves of a ranking: what is found, and at which price, as the threshold falls."""

from __future__ import annotations

import numpy as np

from assay.arrays import Array
from assay.curves.curve import Curve, Line
from assay.measures.declare import divide
from assay.measures.ranking import auc, ks_distance
from assay.tables import ScoreTable
from assay.tables.counts import BLOCK
from assay.tables.scores import MOST_KEPT

DIAGONAL = np.array([0.0, 1.0])


def spare(table: ScoreTable, column: Array) -> Array | None:
    """Give a column to write over where the table is too large to remember it, so that no other is needed."""
    return column if len(table) >= MOST_KEPT else None


def roc(table: ScoreTable) -> Curve:
    """Give recall against the false positive rate; cases with equal scores make one step, straight across."""
    fpr, tpr = table.rates
    return Curve(
        "roc", fpr, tpr, table.thresholds, float(auc.value(table.counts)),
        "false positive rate", "recall (true positive rate)", "ROC curve", (Line("random", DIAGONAL, DIAGONAL),),
    )  # fmt: skip


def precision_recall(table: ScoreTable) -> Curve:
    """Give precision against recall, a step function: between two thresholds nothing is interpolated.

    Its area is the average precision.
    """
    tp, fp = table.found
    precision = np.add(tp, fp, out=spare(table, fp))
    if precision[1] == 0:  # of a replicate, several scores may come before the first case
        precision[precision == 0] = 1
    precision[0] = 1
    np.divide(tp, precision, out=precision)
    precision[0] = precision[1]  # at recall 0 there are no cases; the curve begins at that of the highest score
    blocks = [slice(start, start + BLOCK) for start in range(0, len(table), BLOCK)]
    area = sum(float((table.positives[part] * precision[1:][part]).sum()) for part in blocks)
    share, total = table.n_positive / table.n, tp[-1]
    return Curve(
        "precision_recall", np.divide(tp, total, out=spare(table, tp)), precision, table.thresholds, area / total,
        "recall", "precision",
        "Precision-recall curve", (Line("random", DIAGONAL, np.array([share, share])),), steps=True,
    )  # fmt: skip


def lift(table: ScoreTable) -> Curve:
    """Give the positives found in the sample of highest scores against its size, in counts."""
    found, others = table.found
    size = np.add(found, others, out=spare(table, others))
    n, positives = table.n, table.n_positive
    return Curve(
        "lift", size, found, table.thresholds, float("nan"), "sample size", "positives in the sample", "Lift chart",
        (
            Line("random", np.array([0.0, n]), np.array([0.0, positives])),
            Line("perfect", np.array([0.0, positives, n]), np.array([0.0, positives, positives])),
        ),
    )  # fmt: skip


def lift_ratio(table: ScoreTable) -> Curve:
    """Give how many times more positives the sample of highest scores has than a random one, against its share."""
    tp, fp = (column[1:] for column in table.found)
    size = tp + fp
    size = size / size[-1]
    share = divide(tp, tp + fp)
    ratio = divide(share, np.asarray(table.n_positive / table.n))
    return Curve(
        "lift_ratio", size, ratio, table.scores.astype(float), float("nan"), "share of all cases", "lift", "Lift",
        (Line("random", DIAGONAL, np.ones(2)),),
    )  # fmt: skip


def gain(table: ScoreTable) -> Curve:
    """Give the share of all positives found against the share of cases looked at."""
    tp, fp = table.found
    size, found = tp + fp, table.rates[1]
    size /= size[-1]
    share = table.n_positive / table.n
    return Curve(
        "gain", size, found, table.thresholds, float(np.trapezoid(found, size)), "share of all cases",
        "share of all positives", "Cumulative gains",
        (
            Line("random", DIAGONAL, DIAGONAL),
            Line("perfect", np.array([0.0, share, 1.0]), np.array([0.0, 1.0, 1.0])),
        ),
    )  # fmt: skip


def det(table: ScoreTable) -> Curve:
    """Give the false negative rate against the false positive rate: the detection error trade-off."""
    fpr, tpr = table.rates
    return Curve(
        "det", fpr, 1 - tpr, table.thresholds, float("nan"), "false positive rate", "false negative rate",
        "Detection error trade-off", (Line("random", DIAGONAL, DIAGONAL[::-1]),),
    )  # fmt: skip


def ks(table: ScoreTable) -> Curve:
    """Give the distance between the shares of positives and negatives at or above a threshold, against it."""
    fpr, tpr = (column[1:] for column in table.rates)
    distance = float(ks_distance.value(table.counts))
    return Curve(
        "ks", table.scores.astype(float), tpr - fpr, table.scores.astype(float), float("nan"), "threshold",
        "recall less false positive rate", f"Kolmogorov-Smirnov distance {distance:.3f}",
        extra={"tpr": tpr, "fpr": fpr},
    )  # fmt: skip
