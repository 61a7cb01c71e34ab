"""Measures of probabilities: losses and calibration errors."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.errors import HowsureError
from howsure.intervals.calibration import ADDED, Bins, Gaps
from howsure.intervals.relative_loss import PSEUDO_CASES, Losses, RelativeLoss
from howsure.intervals.smoothed import DOUBT
from howsure.kernels.ranking import BLOCK
from howsure.measures.declare import Ratio, Span, divide, measure
from howsure.tables import ScoreCounts, ScoreRows, ScoreTable


def _is_count(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) > 0


BINS: tuple[str, Callable[[Any], bool]] = ("a whole number above 0", _is_count)
INFINITY = float("inf")
TINY = float(np.finfo(float).eps)  # smallest probability in the log loss, as in scikit-learn


def squared_loss(scores: Array) -> tuple[Array, Array]:
    with np.errstate(over="ignore"):  # some scores that are not probabilities overflow
        return (1 - scores) ** 2, scores**2


def logarithmic_loss(scores: Array) -> tuple[Array, Array]:
    return -np.log(np.maximum(scores, TINY)), -np.log(np.maximum(1 - scores, TINY))


def squared_row_loss(c: ScoreRows) -> Array:
    """Sum over the classes of squared differences, from 0 to 2."""
    of_class = c.scores[np.arange(len(c.truth)), c.truth]
    return np.asarray((c.scores**2).sum(1) - 2 * of_class + 1)


def logarithmic_row_loss(c: ScoreRows) -> Array:
    return np.asarray(-np.log(np.clip(c.scores[np.arange(len(c.truth)), c.truth], TINY, 1)))


def absolute_loss(scores: Array) -> tuple[Array, Array]:
    return 1 - scores, scores


def mean_absolute_row_loss(c: ScoreRows) -> Array:
    """Mean over the classes of absolute differences, from 0 to 2 / k."""
    of_class = c.scores[np.arange(len(c.truth)), c.truth]
    return np.asarray((c.scores.sum(1) - of_class + np.abs(1 - of_class)) / c.scores.shape[1])


def mean_squared_row_loss(c: ScoreRows) -> Array:
    """Mean over the classes of squared differences, from 0 to 2 / k."""
    return np.asarray(squared_row_loss(c) / c.scores.shape[1])


def mean_row_range(k: int) -> tuple[float, float]:
    return 0.0, 2 / k


def root(mean: Array, shares: Array) -> Array:
    return np.asarray(np.sqrt(mean))


def relative_absolute(mean: Array, shares: Array, prior: Any = None) -> Array:
    """Divide a mean absolute error by the error of predicting the prior."""
    # Predicting the prior has the error 2 (1 - prior[c]) / k for a case of class c.
    guess = _prior(prior, shares)
    return divide(mean, 2 * (1 - (shares * guess).sum(-1)) / shares.shape[-1])


def root_relative_squared(mean: Array, shares: Array, prior: Any = None) -> Array:
    """Return the root of a mean squared error relative to that of the prior."""
    guess = _prior(prior, shares)
    baseline = (1 - 2 * (shares * guess).sum(-1) + (guess**2).sum(-1)) / shares.shape[-1]
    return np.asarray(np.sqrt(divide(mean, baseline)))


def _is_prior(value: Any) -> bool:
    if value is None:
        return True
    try:
        shares = np.asarray(value, float)
    except (TypeError, ValueError):
        return False
    adds_up = shares.ndim == 0 or (shares.ndim == 1 and abs(float(shares.sum()) - 1) <= 1e-3)
    return bool(adds_up and ((shares >= 0) & (shares <= 1)).all())


PRIOR: tuple[str, Callable[[Any], bool]] = (
    "the share of the positive class, or shares of all classes that sum to 1",
    _is_prior,
)


def _prior(prior: Any, shares: Array) -> Array:
    """Return the prior of each class, by default the class proportions."""
    if prior is None:
        return shares
    guess, k = np.asarray(prior, float), shares.shape[-1]
    if guess.ndim == 0 and k == 2:
        guess = np.array([1 - guess, guess])
    if guess.shape != (k,):
        raise HowsureError(f"`prior` must have a share for each of the {k} classes, in their order, not {prior!r}.")
    return np.asarray(guess / guess.sum())


def _mean(c: ScoreCounts, loss: Callable[[Array], tuple[Array, Array]]) -> Array:
    """Return the mean loss over all cases."""
    total = np.zeros(c.positives.shape[:-1])
    for start in range(0, len(c.scores), BLOCK):
        part = slice(start, start + BLOCK)
        of_positive, of_negative = loss(c.scores[part].astype(float))
        # A dot product is avoided, since its last bits depend on the number of threads.
        total = total + (c.positives[..., part] * of_positive + c.negatives[..., part] * of_negative).sum(-1)
    return divide(total, c.n)


def _shares(c: ScoreCounts) -> Array:
    """Return the proportions of the negative and positive classes."""
    return divide(np.stack([c.n_negative, c.n_positive], -1), np.asarray(c.n)[..., None])


@measure(
    "Brier score",
    spoken="Brier score",
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
    """Mean squared difference between positive probability and outcome."""
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
    """Mean of -log of the probability of the true class (at least 2.2e-16)."""
    return _mean(c, logarithmic_loss)


@measure(
    "Mean absolute error",
    formula="(sum(positives * (1 - scores)) + sum(negatives * scores)) / n",
    range=(0, 1),
    best=0,
    probability=True,
    loss=absolute_loss,
    row_loss=mean_absolute_row_loss,
    row_loss_range=mean_row_range,
    aliases=("mae", "absolute_loss", "mean_absolute_distance"),
)
def mean_absolute_error(c: ScoreCounts) -> Array:
    """Mean absolute difference between probability and outcome, as in Weka."""
    return _mean(c, absolute_loss)


@measure(
    "Root mean squared error",
    formula="sqrt((sum(positives * (1 - scores)**2) + sum(negatives * scores**2)) / n)",
    range=(0, 1),
    best=0,
    probability=True,
    loss=squared_loss,
    row_loss=mean_squared_row_loss,
    row_loss_range=mean_row_range,
    of_mean=root,
    increases_with_mean=True,
    aliases=("rmse", "root_mean_square_error"),
    follows_from=(brier,),
)
def root_mean_squared_error(c: ScoreCounts) -> Array:
    """Root of the mean squared difference between probability and outcome."""
    return root(_mean(c, squared_loss), _shares(c))


def _relative_loss(
    table: ScoreTable, loss: Callable[[Array], tuple[Array, Array]], of_mean: Callable[..., Array], prior: Any
) -> RelativeLoss:
    """Return the losses of both classes, with pseudo-cases added."""
    smoothed = table.with_pseudo_cases(PSEUDO_CASES, DOUBT)
    squares = smoothed.squares or (smoothed.positives, smoothed.negatives)
    columns = zip(loss(smoothed.scores.astype(float)), (smoothed.positives, smoothed.negatives), squares, strict=True)
    positives, negatives = (Losses(*column) for column in columns)

    def value(share: float, of_positives: float, of_negatives: float) -> float:
        mean = share * of_positives + (1 - share) * of_negatives
        return float(of_mean(np.asarray(mean), np.array([1 - share, share]), prior))

    return RelativeLoss(table.n, table.n_positive / table.n, positives, negatives, value)


@measure(
    "Relative absolute error",
    formula="(sum(positives * (1 - scores)) + sum(negatives * scores))"
    " / (sum(positives) * (1 - prior) + sum(negatives) * prior)",
    range=(0, INFINITY),
    best=0,
    probability=True,
    loss=absolute_loss,
    row_loss=mean_absolute_row_loss,
    row_loss_range=mean_row_range,
    of_mean=relative_absolute,
    interval=("mover-loss", lambda table, prior=None: _relative_loss(table, absolute_loss, relative_absolute, prior)),
    limits={"prior": PRIOR},
    undefined_when="predicting the class shares for every case makes no errors",
    aliases=("rae",),
    follows_from=(mean_absolute_error,),
)
def relative_absolute_error(c: ScoreCounts, prior: Any = None) -> Array:
    """Mean absolute error divided by that of predicting the class shares.

    ``prior`` contains these shares in the order of the classes, or only that of the positive class; the default is the
    shares among the cases. Weka prints percentages, and uses the shares in the training data after adding one case to
    each class.
    """
    return relative_absolute(_mean(c, absolute_loss), _shares(c), prior)


@measure(
    "Root relative squared error",
    formula="sqrt((sum(positives * (1 - scores)**2) + sum(negatives * scores**2))"
    " / (sum(positives) * (1 - prior)**2 + sum(negatives) * prior**2))",
    range=(0, INFINITY),
    best=0,
    probability=True,
    loss=squared_loss,
    row_loss=mean_squared_row_loss,
    row_loss_range=mean_row_range,
    of_mean=root_relative_squared,
    interval=(
        "mover-loss",
        lambda table, prior=None: _relative_loss(table, squared_loss, root_relative_squared, prior),
    ),
    limits={"prior": PRIOR},
    undefined_when="predicting the class shares for every case makes no errors",
    aliases=("rrse",),
    follows_from=(brier,),
)
def root_relative_squared_error(c: ScoreCounts, prior: Any = None) -> Array:
    """Root mean squared error divided by that of predicting the class shares.

    ``prior`` is as for ``relative_absolute_error``. Weka prints percentages.
    """
    return root_relative_squared(_mean(c, squared_loss), _shares(c), prior)


@measure(
    "Expected calibration error",
    formula="mean over the cases of |share of positives - mean probability| of their bin",
    range=(0, 1),
    best=None,
    better="lower",
    probability=True,
    aliases=("ece",),
    least_n_to_test=200,
    limits={"bins": BINS},
    interval=("folded-normal", lambda table, bins=10: _gaps_with_variances(table.counts, bins)),
    bin_limits=lambda table, bins=10: _mean_gap_within_bins(table, bins),
)
def expected_calibration_error(c: ScoreCounts, bins: int = 10) -> Array:
    """Mean gap between probability and frequency, over bins of equal width."""
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
    least_n_to_test=float("inf"),
    limits={"bins": BINS},
    interval=("bins-together", lambda table, bins=10: _bins(table.counts, bins)),
    bin_limits=lambda table, bins=10: _largest_gap_within_bins(table, bins),
)
def maximum_calibration_error(c: ScoreCounts, bins: int = 10) -> Array:
    """Largest gap between probability and frequency, over bins of equal width."""
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
    """Share of cases whose class is among the ``k`` with the highest scores.

    Ties go to the earlier class.
    """
    of_class = c.scores[np.arange(len(c.truth)), c.truth][:, None]
    earlier = np.arange(c.scores.shape[1]) < c.truth[:, None]
    rank = (c.scores > of_class).sum(1) + ((c.scores == of_class) & earlier).sum(1)
    return Ratio(c.weight[rank < k].sum(), c.weight.sum())


def bin_of(scores: Array, bins: int) -> Array:
    """Return the bin of equal width; an edge belongs to the upper bin."""
    return np.searchsorted(np.arange(1, bins) / bins, scores.astype(float), side="right")


def _uncertain(table: ScoreTable, bins: int) -> tuple[Array, Array, Array]:
    """Return what a table of binned scores implies for calibration bins."""
    # Cases whose score interval contains an edge of a calibration bin may be in either bin. The rows are, for each bin,
    # the number of other cases and the sum of their gaps, the largest error of that sum, and the number of uncertain
    # cases.
    assert table.tops is not None
    weight, low, high = table.positives + table.negatives, table.scores.astype(float), table.tops.astype(float)
    first, last = bin_of(low, bins), bin_of(high, bins)
    certain = first == last
    sums = [
        np.bincount(first[certain], column[certain], bins)
        for column in (weight, table.positives - weight * low, weight * (high - low))
    ]
    uncertain = np.zeros(bins)
    for start, end, cases in zip(first[~certain], last[~certain], weight[~certain], strict=True):
        uncertain[start : end + 1] += cases
    return np.stack(sums[:2]), sums[2], uncertain


def _mean_gap_within_bins(table: ScoreTable, bins: int) -> Span:
    """Return the smallest and largest mean gaps; uncertain cases add up to 1."""
    (_, gap), slack, uncertain = _uncertain(table, bins)
    gap, n = np.abs(gap), table.n
    return float(np.maximum(gap - slack - uncertain, 0).sum()) / n, float((gap + slack + uncertain).sum()) / n


def _largest_gap_within_bins(table: ScoreTable, bins: int) -> Span:
    (cases, gap), slack, uncertain = _uncertain(table, bins)
    used = cases + uncertain > 0
    all_cases, gap, error = (cases + uncertain)[used], np.abs(gap[used]), (slack + uncertain)[used]
    return float((np.maximum(gap - error, 0) / all_cases).max()), float(((gap + error) / all_cases).max())


def _bins_in_order(scores: Array, bins: int) -> tuple[Array, Array]:
    """Return the nonempty bins, in descending order, and their starts."""
    edges = np.arange(1, bins) / bins
    ends = len(scores) - np.searchsorted(
        scores[::-1].astype(float, copy=False), edges
    )  # number of scores at or above each edge
    starts = np.append(ends, 0)  # a bin starts after all scores at or above its upper edge
    sizes = np.append(len(scores), ends) - starts
    used = np.flatnonzero(sizes)[::-1]
    return used, starts[used]


def _bin_sums(c: ScoreCounts, bins: int) -> tuple[Array, Array, Array]:
    """Return the bins, their starts, and the cases, positives and score sum of each bin."""
    used, starts = _bins_in_order(c.scores, bins)
    total = c.positives + c.negatives
    return (
        used,
        starts,
        np.stack([np.add.reduceat(column, starts, -1) for column in (total, c.positives, total * c.scores)]),
    )


def _gaps_with_variances(c: ScoreCounts, bins: int) -> Gaps:
    _, starts, sums = _bin_sums(c, bins)
    cases, positives, expected = (column[::-1][sums[0][::-1] > 0] for column in sums)
    scores = c.scores.astype(float, copy=False)
    spread = (c.positives + c.negatives) * scores
    spread *= 1 - scores
    share, believed = positives / cases, np.add.reduceat(spread, starts)[::-1][sums[0][::-1] > 0] / cases
    added = ADDED * cases / cases.sum()
    smoothed = (positives + added / 2) / (cases + added)
    variances = np.maximum(believed, share * (1 - share))
    gaps = np.abs(share - expected / cases)
    return Gaps(cases, gaps, variances, np.maximum(variances, smoothed * (1 - smoothed)))


def _bins(c: ScoreCounts, bins: int) -> Bins:
    used, _, used_sums = _bin_sums(c, bins)
    sums = np.zeros((3, bins))
    sums[:, used] = used_sums
    cases, positives, expected = (column[sums[0] > 0] for column in sums)
    unseen = np.flatnonzero(sums[0] == 0)
    farthest = np.maximum(1 - unseen / bins, (unseen + 1) / bins).max(initial=0.0)
    return Bins(cases, positives / cases, expected / cases, len(unseen), float(farthest))


def _gaps(c: ScoreCounts, bins: int) -> tuple[Array, Array]:
    """Return the number of cases and the calibration gap of each nonempty bin."""
    n, positives, expected = _bin_sums(c, bins)[2]
    return n, np.abs(np.divide(positives - expected, n, out=np.zeros(n.shape), where=n > 0))
