"""ROC curves of folds: pooled, or averaged (Fawcett 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from howsure.checks import MAX_POINTS, check_type, check_whole, one_of
from howsure.curves.band import height
from howsure.curves.curve import Curve
from howsure.curves.ranking import RocCurve, roc
from howsure.errors import HowsureError, counted
from howsure.tables import ScoreTable
from howsure.tables.scores import add_score_tables


@dataclass(frozen=True, eq=False, repr=False)
class AverageCurve(RocCurve):
    """Average of the ROC curves of folds; ``sd`` is their standard deviation.

    Attributes
    ----------
    parts
        The curves of the folds.

    Examples
    --------
    >>> from howsure import ScoreTable, curves
    >>> tables = [ScoreTable.from_scores([1, 1, 0, 0], scores) for scores in ([4, 3, 2, 1], [4, 2, 3, 1])]
    >>> average = curves.average_roc(tables)
    >>> len(average.parts), sorted(average.extra)
    (2, ['sd'])
    """

    parts: tuple[Curve, ...] = ()


HOW = ("pooled", "vertical", "threshold")


def average_roc(tables: Sequence[ScoreTable], how: str = "vertical", points: int = 101) -> Curve:
    """Average the ROC curves of folds.

    "pooled" ranks the scores of all folds together, which assumes a common scale. "vertical" averages the recall at
    each false positive rate. "threshold" averages both rates at each threshold. The last two include the standard
    deviation over the folds (``sd``, and ``sd_x`` for the false positive rate).

    Parameters
    ----------
    tables
        The scores of each fold.
    how
        "vertical", "threshold" or "pooled".
    points
        The number of points at which the curves are averaged.

    Returns
    -------
    Curve
        The average, with the curves of the folds as its ``parts``; or a single pooled curve.

    Examples
    --------
    >>> from howsure import ScoreTable, curves
    >>> tables = [ScoreTable.from_scores([1, 1, 0, 0], scores) for scores in ([4, 3, 2, 1], [4, 2, 3, 1])]
    >>> curves.average_roc(tables).area, curves.average_roc(tables, "pooled").area
    (0.9375, 0.875)
    """
    one_of("how", how, HOW)
    check_whole("points", points, 2, MAX_POINTS)
    check_type("tables", tables, (list, tuple), "a list of score tables, one for each fold")
    for table in tables:
        check_type("tables", table, ScoreTable, "score tables, one for each fold")
    complete = [table for table in tables if table.n_positive and table.n_negative]
    if not complete:
        raise HowsureError("no fold has both positives and negatives, so there is no ROC curve to average.")
    if how == "pooled":
        return roc(add_score_tables(tables))
    curve = (_vertical if how == "vertical" else _by_threshold)(complete, points)
    parts = tuple(roc(table) for table in complete)
    left_out = len(tables) - len(complete)
    return replace(
        curve, area=float(np.trapezoid(curve.y, curve.x)), lines=roc.lines, name=roc.name, x_title=roc.x_title,
        y_title=roc.y_title, title=f"ROC curve, {how} average of {len(complete)} folds", short="mean ROC",
        measure_title="AUC", parts=parts, n=round(sum(part.n for part in parts), 9),
        notes=(f"{counted(left_out, 'fold', of=len(tables))} left out, with only one class",) if left_out else (),
    )  # fmt: skip


def _vertical(tables: Sequence[ScoreTable], points: int) -> AverageCurve:
    grid = np.linspace(0, 1, points)
    heights = np.array([np.append(0, height(roc(table), grid)) for table in tables])
    deviation = heights.std(0, ddof=min(len(tables) - 1, 1))
    return AverageCurve(np.append(0, grid), heights.mean(0), np.full(points + 1, np.nan), extra={"sd": deviation})


def _by_threshold(tables: Sequence[ScoreTable], points: int) -> AverageCurve:
    scores = np.unique(np.concatenate([table.scores.astype(float) for table in tables]))[::-1]
    chosen = scores[np.unique(np.linspace(0, len(scores) - 1, points).astype(int))]
    rates = []
    for table in tables:
        index = np.searchsorted(-table.scores.astype(float), -chosen, side="right")
        rates.append([np.append(0, column[index]) for column in table.rates])
    x, y = np.mean(rates, axis=0)
    sd_x, sd = np.std(rates, axis=0, ddof=min(len(tables) - 1, 1))
    return AverageCurve(x, y, np.append(np.inf, chosen), extra={"sd": sd, "sd_x": sd_x})
