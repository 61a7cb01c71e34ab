"""One ROC curve of several folds: pooled, averaged vertically, or averaged by threshold (Fawcett 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np

from assay.curves.band import height
from assay.curves.curve import Curve, Line
from assay.curves.ranking import roc
from assay.errors import AssayError, must_be_one_of
from assay.tables import ScoreTable

HOW = ("pooled", "vertical", "threshold")


def average_roc(tables: Sequence[ScoreTable], how: str = "vertical", points: int = 101) -> Curve:
    """Average the ROC curves of folds.

    "pooled" counts all folds together, as if their scores were on one scale; "vertical" averages the recall at each
    false positive rate; "threshold" averages both rates at each threshold. The last two carry the standard
    deviation over the folds (``sd``, and ``sd_x`` for the other rate).
    """
    if how not in HOW:
        must_be_one_of("how", HOW, given=how)
    whole = [table for table in tables if table.n_positive and table.n_negative]
    if not whole:
        raise AssayError("no fold has both positives and negatives, so there is no ROC curve to average.")
    left = len(tables) - len(whole)
    notes = (f"{left} of {len(tables)} folds have one class only and are left out",) if left else ()
    if how == "pooled":
        return roc(reduce(add, tables))
    spread = 1 if len(whole) > 1 else 0
    diagonal = np.array([0.0, 1.0])
    lines = (Line("random", diagonal, diagonal),)
    if how == "vertical":
        grid = np.linspace(0, 1, points)
        heights = np.array([height(roc(table), grid) for table in whole])
        heights, grid = np.hstack([np.zeros((len(whole), 1)), heights]), np.append(0, grid)
        mean = heights.mean(0)
        return Curve(
            "roc", grid, mean, np.full(points + 1, np.nan), float(np.trapezoid(mean, grid)), "false positive rate",
            "recall", f"ROC curve, vertical average of {len(whole)} folds", lines,
            {"sd": heights.std(0, ddof=spread)}, notes,
        )  # fmt: skip
    scores = np.unique(np.concatenate([table.scores.astype(float) for table in whole]))[::-1]
    chosen = scores[np.unique(np.linspace(0, len(scores) - 1, points).astype(int))]
    both = []
    for table in whole:
        place = np.searchsorted(-table.scores.astype(float), -chosen, side="right")
        both.append([column[place] for column in table.rates])
    x, y = np.mean(both, axis=0)
    deviations = np.std(both, axis=0, ddof=spread)
    x, y = np.append(0, x), np.append(0, y)
    return Curve(
        "roc", x, y, np.append(np.inf, chosen), float(np.trapezoid(y, x)), "false positive rate", "recall",
        f"ROC curve, threshold average of {len(whole)} folds", lines,
        {"sd": np.append(0, deviations[1]), "sd_x": np.append(0, deviations[0])}, notes,
    )  # fmt: skip
