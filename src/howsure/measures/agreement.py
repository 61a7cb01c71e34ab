"""Measures of all classes at once, such as accuracy and kappa."""

from __future__ import annotations

from functools import partial

import numpy as np

from howsure.arrays import Array
from howsure.intervals.majority import Baselines
from howsure.measures.declare import Matrix, Ratio, divide, measure
from howsure.tables import Confusion, LabelCounts

INFINITY = float("inf")


@measure(
    "Accuracy",
    formula="sum(hits) / n",
    range=(0, 1),
    best=1,
    aliases=("success_rate", "acc", "fraction_correct"),
    of_accuracy=(1.0, 0.0),
)
def accuracy(c: LabelCounts) -> Ratio:
    """Share of the cases that are classified correctly."""
    return Ratio(c.hits.sum(-1), c.n)


@measure(
    "Error rate",
    formula="(n - sum(hits)) / n",
    range=(0, 1),
    best=0,
    aliases=("zero_one_loss", "hamming_loss", "hamming", "misclassification_rate"),
    of_accuracy=(-1.0, 1.0),
    follows_from=(accuracy,),
)
def error_rate(c: LabelCounts) -> Ratio:
    """Share of the cases that are misclassified (zero-one loss, Hamming loss)."""
    return Ratio(c.n - c.hits.sum(-1), c.n)


@measure(
    "Balanced accuracy",
    formula="mean(hits[truth > 0] / truth[truth > 0])",
    range=(0, 1),
    best=1,
    aliases=("bacc", "average_recall"),
    error_axis="truth",
    cases_of_each=("truth", 2),
)
def balanced_accuracy(c: LabelCounts) -> Array:
    """Mean recall of the classes that occur."""
    recalls = divide(c.hits, c.truth)
    occurs = ~np.isnan(recalls)
    return divide(np.where(occurs, recalls, 0).sum(-1), occurs.sum(-1))


@measure(
    "Geometric mean of recalls",
    formula="prod((hits[truth > 0] / truth[truth > 0]) ** (1 / sum(truth > 0)))",
    range=(0, 1),
    best=1,
    aliases=("g_mean", "gmean", "geometric_mean_score"),
    error_axis="truth",
    cases_of_each=("truth", 2),
    pseudo_hits=0.5,
)
def geometric_mean(c: LabelCounts) -> Array:
    """Geometric mean of the recalls of the classes that occur."""
    recalls = divide(c.hits, c.truth)
    occurs = ~np.isnan(recalls)
    exponent = divide(np.ones(occurs.shape[:-1]), occurs.sum(-1))
    return np.asarray(np.prod(np.where(occurs, recalls, 1) ** exponent[..., None], axis=-1))


@measure(
    "Cohen's kappa",
    formula="(sum(hits) / n - sum(truth * predicted) / n**2) / (1 - sum(truth * predicted) / n**2)",
    range=(-1, 1),
    best=1,
    undefined_when="all cases are of one class and predicted as it, so the expected agreement is 1",
    aliases=("cohen_kappa", "heidke_skill_score"),
    cases_of_each=("truth", 1),
)
def kappa(c: LabelCounts) -> Array:
    """Agreement beyond chance, as a share of the largest possible value."""
    chance = (c.truth * c.predicted).sum(-1)
    return divide(c.hits.sum(-1) * c.n - chance, c.n * c.n - chance)


@measure(
    "Weighted kappa",
    formula="1 - sum(weights * cells) / sum(weights * outer(truth, predicted) / n)",
    range=(-INFINITY, 1),
    best=1,
    undefined_when="the expected weighted disagreement is 0",
    aliases=("cohen_weighted_kappa",),
)
def weighted_kappa(c: LabelCounts, weights: Matrix) -> Array:
    """Cohen's kappa with weighted disagreements."""
    expected = np.einsum("...i,ij,...j->...", c.truth, weights, c.predicted)
    return 1 - divide(c.weigh(weights) * c.n, expected)


@measure(
    "Matthews correlation coefficient",
    spoken="MCC",
    formula="(sum(hits) * n - sum(truth * predicted)) / sqrt((n**2 - sum(predicted**2)) * (n**2 - sum(truth**2)))",
    range=(-1, 1),
    best=1,
    undefined_when="all cases are of one class, or all are predicted as one class",
    aliases=("matthews_correlation", "matthews_corrcoef", "phi"),
)
def mcc(c: LabelCounts) -> Array:
    """Correlation between true and predicted classes (Gorodkin's R_K)."""
    covariance = c.hits.sum(-1) * c.n - (c.truth * c.predicted).sum(-1)
    square = c.n * c.n
    spread = (square - (c.truth * c.truth).sum(-1)) * (square - (c.predicted * c.predicted).sum(-1))
    return divide(covariance, np.sqrt(spread))


@measure(
    "Majority baseline",
    formula="max(truth) / n",
    range=(0, 1),
    best=None,
    aliases=("baseline_accuracy", "no_information_rate", "null_accuracy"),
)
def majority_baseline(c: LabelCounts) -> Ratio:
    """Accuracy of always predicting the most frequent class."""
    return Ratio(c.truth.max(-1), c.n)


def _baselines(table: Confusion, *, relative: bool) -> Baselines:
    """Return effective counts with each class as the baseline."""
    c, scale = LabelCounts.of(table.counts), table.effective_n / float(table.n)
    gained, lost = c.hits.sum() - c.hits, c.truth - c.hits
    return Baselines(scale * gained, scale * lost, scale * (c.n - c.truth), table.effective_n, relative)


@measure(
    "Improvement over the majority baseline",
    formula="(sum(hits) - max(truth)) / n",
    range=(-1, 1),
    best=None,
    better="higher",
    aliases=("improvement_over_baseline",),
    follows_from=(accuracy, majority_baseline),
    interval=("mover-majority", partial(_baselines, relative=False)),
)
def improvement(c: LabelCounts) -> Array:
    """Accuracy minus that of always predicting the most frequent class."""
    return divide(c.hits.sum(-1) - c.truth.max(-1), c.n)


@measure(
    "Relative improvement over the majority baseline",
    formula="(sum(hits) - max(truth)) / (n - max(truth))",
    range=(-INFINITY, 1),
    best=1,
    undefined_when="all cases are of one class, so the baseline makes no errors",
    aliases=("error_reduction",),
    follows_from=(accuracy, majority_baseline),
    interval=("mover-majority", partial(_baselines, relative=True)),
)
def relative_improvement(c: LabelCounts) -> Array:
    """Share of the errors of the majority baseline that are avoided."""
    baseline = c.truth.max(-1)
    return divide(c.hits.sum(-1) - baseline, c.n - baseline)
