"""The prediction-powered mean of plain numbers."""

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
    """What a mean of measured values and judged ones rests on."""

    powered: Powered
    value: float

    default = "ppi-t"
    offers = frozenset({"judged"})

    @property
    def lacking(self) -> str:
        return "one value says nothing about its spread" if self.powered.cases.n_labelled < 2 else ""

    @property
    def standard_error(self) -> float:
        return math.sqrt(self.powered.variance)

    @property
    def evidence(self) -> Any:
        return self.powered


@known_arguments()
def prediction_powered_mean(values: ArrayLike, judged: ArrayLike, others: ArrayLike) -> JudgedEstimate:
    """Estimate a mean from few values and a judge's of these and of many other cases (PPI++).

    It is the mean of the values, plus lambda times (the judge's mean of the others less that of the same cases), with
    the lambda from 0 to 1 that makes the variance least: Angelopoulos, Duchi and Zrnic (2023).

    Parameters
    ----------
    values
        What people measured, a number for each of some cases.
    judged
        What the judge says of the same cases, in the same order.
    others
        What the judge says of other cases, drawn as the first were.

    Returns
    -------
    JudgedEstimate
        The mean, with intervals, and what the judge's values were worth.

    Examples
    --------
    >>> from howsure.judges import prediction_powered_mean
    >>> mean = prediction_powered_mean([1, 0, 1, 1, 0, 1], [1, 0, 1, 0, 0, 1], [1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1])
    >>> round(mean.value, 4), round(mean.tuning, 4)
    (0.7847, 0.4722)
    """
    known, same, rest = (_column(name, x) for name, x in (("values", values), ("judged", judged), ("others", others)))
    if not len(known):
        must("values", "at least one number", given=values)
    if len(same) != len(known):
        raise HowsureError(f"`judged` must have a number for each of {len(known)} values, not {len(same)}.")
    every = np.concatenate([same, rest])
    n, zeros = len(known), np.zeros(len(every), np.int64)
    truth = np.where(np.arange(len(every)) < n, 0, MISSING)
    cases = JudgedCases((0,), truth, zeros, None, np.ones(len(every), np.int64))
    mean = float(known.mean())
    human = np.concatenate([known - mean, np.zeros(len(rest))])
    apart = float(rest.mean() - same.mean()) if len(rest) else 0.0
    powered = Powered(cases, human, every - every.mean(), apart)
    value = mean + powered.tuning * apart
    alone = MeanOfJudged(powered.without_judge(), mean)
    return JudgedEstimate(NAME, value, n, basis=MeanOfJudged(powered, value), powered=powered, alone=alone)


def _column(name: str, values: ArrayLike) -> Floats:
    column = numbers(name, values)
    if column.ndim != 1 or not np.isfinite(column).all():
        must(name, "a column of finite numbers", given=values)
    return column
