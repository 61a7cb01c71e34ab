"""Prediction-powered mean of plain numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Floats
from howsure.checks import known_arguments, numbers
from howsure.data.encode import MISSING
from howsure.errors import HowsureError, must
from howsure.intervals.declare import Basis
from howsure.judges.estimate import JudgedEstimate
from howsure.measures.estimate.judged import Powered
from howsure.tables.judged import JudgedCases

NAME = "mean"


@dataclass(frozen=True)
class MeanOfJudged(Basis):
    """Basis of a mean from human values and a judge's values."""

    powered: Powered
    value: float

    default = "ppi-t"
    offers = frozenset({"judged"})

    @property
    def lacking(self) -> str:
        return "one value has no standard deviation" if self.powered.cases.n_labelled < 2 else ""

    @property
    def standard_error(self) -> float:
        return math.sqrt(self.powered.variance)

    @property
    def evidence(self) -> Any:
        return self.powered


@known_arguments()
def prediction_powered_mean(values: ArrayLike, judged: ArrayLike, others: ArrayLike) -> JudgedEstimate:
    """Estimate a mean from a few human and many judge values (PPI++).

    The estimate is mean(``values``) + lambda (mean(``others``) - mean(``judged``)), with the lambda from 0 to 1 that
    minimises the variance (Angelopoulos, Duchi and Zrnic 2023). It is consistent even if the judge is often wrong.

    Parameters
    ----------
    values
        Human values of some cases.
    judged
        Values of the judge for the same cases, in the same order.
    others
        Values of the judge for other cases from the same population.

    Returns
    -------
    JudgedEstimate
        The mean with its intervals, and the number of human values with the same information.

    Examples
    --------
    >>> from howsure.judges import prediction_powered_mean
    >>> mean = prediction_powered_mean([1, 0, 1, 1, 0, 1], [1, 0, 1, 0, 0, 1], [1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1])
    >>> round(mean.value, 4), round(mean.tuning, 4)
    (0.7847, 0.4722)
    """
    human_values, same, rest = (
        _column(name, column) for name, column in (("values", values), ("judged", judged), ("others", others))
    )
    n = len(human_values)
    if not n:
        must("values", "at least one number", given=values)
    if len(same) != n:
        raise HowsureError(f"`judged` must have a number for each of the {n} values, not {len(same)}.")
    every = np.concatenate([same, rest])
    zeros = np.zeros(len(every), np.int64)
    truth = np.where(np.arange(len(every)) < n, 0, MISSING)
    cases = JudgedCases((0,), truth, zeros, None, np.ones(len(every), np.int64))
    mean = float(human_values.mean())
    human = np.concatenate([human_values - mean, np.zeros(len(rest))])
    gap = float(rest.mean() - same.mean()) if len(rest) else 0.0
    powered = Powered(cases, human, every - every.mean(), gap)
    value = mean + powered.tuning * gap
    alone = MeanOfJudged(powered.without_judge(), mean)
    return JudgedEstimate(NAME, value, n, basis=MeanOfJudged(powered, value), powered=powered, alone=alone)


def _column(name: str, values: ArrayLike) -> Floats:
    column = numbers(name, values)
    if column.ndim != 1 or not np.isfinite(column).all():
        must(name, "a column of finite numbers", given=values)
    return column
