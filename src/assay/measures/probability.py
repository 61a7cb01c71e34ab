"""Measures of probabilities: whether they are right, not only whether they rank."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.kernels.ranking import BLOCK
from assay.measures.declare import Ratio, divide, measure
from assay.tables import ScoreCounts, ScoreRows


def _is_count(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) > 0


BINS: tuple[str, Callable[[Any], bool]] = ("a whole number above 0", _is_count)
INFINITY = float("inf")
TINY = float(np.finfo(float).eps)  # a certain and wrong prediction costs -log of this, as in scikit-learn


def squared_loss(scores: Array) -> tuple[Array, Array]:
    return (1 - scores) ** 2, scores**2


def logarithmic_loss(scores: Array) -> tuple[Array, Array]:
    return -np.log(np.maximum(scores, TINY)), -np.log(np.maximum(1 - scores, TINY))


def squared_row_loss(c: ScoreRows) -> Array:
    """Sum over the classes of the squared distance, from 0 to 2."""
    told = c.scores[np.arange(len(c.truth)), c.truth]
    return np.asarray((c.scores**2).sum(1) - 2 * told + 1)


def logarithmic_row_loss(c: ScoreRows) -> Array:
    return np.asarray(-np.log(np.clip(c.scores[np.arange(len(c.truth)), c.truth], TINY, 1)))


def _mean(c: ScoreCounts, loss: Callable[[Array], tuple[Array, Array]]) -> Array:
    """Mean loss over all cases, in blocks of scores."""
    total = np.zeros(c.positives.shape[:-1])
    for start in range(0, len(c.scores), BLOCK):
        part = slice(start, start + BLOCK)
        of_positive, of_negative = loss(c.scores[part].astype(float))
        # Products and sums, not a dot product, whose last bits depend on the number of threads.
        total = total + (c.positives[..., part] * of_positive + c.negatives[..., part] * of_negative).sum(-1)
    return divide(total, c.n)


@measure(
    "Brier score",
    formula="(sum(positives * (1 - scores)**2) + sum(negatives * scores**2)) / n",
    range=(0, 1),
    best=0,
    probability=True,
    loss=squared_loss,
    row_loss=squared_row_loss,
    row_loss_range=(0, 2),
    aliases=("brier_score", "brier_score_loss"),
)
def brier(c: ScoreCounts) -> Array:
    """Mean squared distance of the probability from what happened (of the positive class, so from 0 to 1)."""
    return _mean(c, squared_loss)


@measure(
    "Log loss",
    formula="-(sum(positives * log(clip(scores, tiny, 1))) + sum(negatives * log(clip(1 - scores, tiny, 1)))) / n",
    range=(0, INFINITY),
    best=0,
    probability=True,
    loss=logarithmic_loss,
    row_loss=logarithmic_row_loss,
    aliases=("cross_entropy", "logarithmic_loss", "negative_log_likelihood"),
)
def log_loss(c: ScoreCounts) -> Array:
    """Mean of -log of the probability given to what happened, no probability counting below 2.2e-16."""
    return _mean(c, logarithmic_loss)


@measure(
    "Expected calibration error",
    formula="mean over the cases of |share of positives - mean probability| of their bin",
    range=(0, 1),
    best=None,
    better="lower",
    probability=True,
    aliases=("ece",),
    limits={"bins": BINS},
)
def expected_calibration_error(c: ScoreCounts, bins: int = 10) -> Array:
    """Mean distance between probability and frequency, over bins of equal width."""
    n, gap = _gaps(c, bins)
    return divide((n * gap).sum(-1), n.sum(-1))


@measure(
    "Maximum calibration error",
    formula="largest |share of positives - mean probability| of a bin",
    range=(0, 1),
    best=None,
    better="lower",
    probability=True,
    aliases=("mce",),
    limits={"bins": BINS},
)
def maximum_calibration_error(c: ScoreCounts, bins: int = 10) -> Array:
    """Largest distance between probability and frequency, over bins of equal width."""
    return np.asarray(_gaps(c, bins)[1].max(-1))


@measure(
    "Top-k accuracy",
    formula="share of the cases whose class is among the k with the highest scores",
    range=(0, 1),
    best=1,
    aliases=("top_k", "top_k_accuracy_score"),
    limits={"k": BINS},
)
def top_k_accuracy(c: ScoreRows, k: int) -> Ratio:
    """Share of the cases whose class is among the ``k`` with the highest scores; ties go to the earlier class."""
    told = c.scores[np.arange(len(c.truth)), c.truth][:, None]
    earlier = np.arange(c.scores.shape[1]) < c.truth[:, None]
    rank = (c.scores > told).sum(1) + ((c.scores == told) & earlier).sum(1)
    return Ratio(c.weight[rank < k].sum(), c.weight.sum())


def bin_of(scores: Array, bins: int) -> Array:
    """Bin of equal width that a probability falls into; one on an edge belongs to the upper bin."""
    return np.searchsorted(np.arange(1, bins) / bins, scores.astype(float), side="right")


def _gaps(c: ScoreCounts, bins: int) -> tuple[Array, Array]:
    """Cases of each bin that has any, and how far its mean probability is from its share of positives."""
    place = bin_of(c.scores, bins)
    starts = np.flatnonzero(np.append(True, place[1:] != place[:-1]))
    n = np.add.reduceat(c.positives + c.negatives, starts, axis=-1)
    positives = np.add.reduceat(c.positives, starts, axis=-1)
    expected = np.add.reduceat((c.positives + c.negatives) * c.scores, starts, axis=-1)
    return n, np.abs(np.divide(positives - expected, n, out=np.zeros(n.shape), where=n > 0))
