"""Measures of one class against the rest."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array
from howsure.intervals.odds import Odds
from howsure.measures.declare import Ratio, divide, measure
from howsure.tables import BinaryCounts, Confusion

INFINITY = float("inf")


@measure(
    "Precision",
    formula="tp / (tp + fp)",
    range=(0, 1),
    best=1,
    undefined_when="no case was predicted as this class",
    aliases=("positive_predictive_value", "ppv", "accuracy_on_class"),
    error_axis="predicted",
    cases_of_each=("predicted", 2),
)
def precision(c: BinaryCounts) -> Ratio:
    """Share of the cases predicted as the class that belong to it."""
    return Ratio(c.tp, c.tp + c.fp)


@measure(
    "Recall",
    formula="tp / (tp + fn)",
    range=(0, 1),
    best=1,
    undefined_when="no case belongs to this class",
    aliases=("sensitivity", "true_positive_rate", "tpr", "hit_rate", "coverage"),
    error_axis="truth",
    cases_of_each=("truth", 2),
)
def recall(c: BinaryCounts) -> Ratio:
    """Share of the cases of the class that are predicted as it."""
    return Ratio(c.tp, c.tp + c.fn)


@measure(
    "Specificity",
    formula="tn / (tn + fp)",
    range=(0, 1),
    best=1,
    undefined_when="every case belongs to this class",
    aliases=("true_negative_rate", "tnr", "selectivity"),
    cases_of_each=("truth", 2),
)
def specificity(c: BinaryCounts) -> Ratio:
    """Share of the cases of other classes that are not predicted as the class."""
    return Ratio(c.tn, c.tn + c.fp)


@measure(
    "Negative predictive value",
    formula="tn / (tn + fn)",
    range=(0, 1),
    best=1,
    undefined_when="every case was predicted as this class",
    aliases=("npv",),
    cases_of_each=("predicted", 2),
)
def negative_predictive_value(c: BinaryCounts) -> Ratio:
    """Share of the cases not predicted as the class that do not belong to it."""
    return Ratio(c.tn, c.tn + c.fn)


@measure(
    "False positive rate",
    formula="fp / (fp + tn)",
    range=(0, 1),
    best=0,
    undefined_when="every case belongs to this class",
    aliases=("fpr", "false_alarm", "false_alarm_rate", "fall_out"),
    follows_from=(specificity,),
    cases_of_each=("truth", 2),
)
def false_positive_rate(c: BinaryCounts) -> Ratio:
    """Share of the cases of other classes that are predicted as the class."""
    return Ratio(c.fp, c.fp + c.tn)


@measure(
    "False negative rate",
    formula="fn / (fn + tp)",
    range=(0, 1),
    best=0,
    undefined_when="no case belongs to this class",
    aliases=("fnr", "miss_rate"),
    follows_from=(recall,),
    error_axis="truth",
    cases_of_each=("truth", 2),
)
def false_negative_rate(c: BinaryCounts) -> Ratio:
    """Share of the cases of the class that are not predicted as it."""
    return Ratio(c.fn, c.fn + c.tp)


@measure(
    "False discovery rate",
    formula="fp / (fp + tp)",
    range=(0, 1),
    best=0,
    undefined_when="no case was predicted as this class",
    aliases=("fdr",),
    follows_from=(precision,),
    error_axis="predicted",
    cases_of_each=("predicted", 2),
)
def false_discovery_rate(c: BinaryCounts) -> Ratio:
    """Share of the cases predicted as the class that do not belong to it."""
    return Ratio(c.fp, c.fp + c.tp)


@measure(
    "False omission rate",
    formula="fn / (fn + tn)",
    range=(0, 1),
    best=0,
    undefined_when="every case was predicted as this class",
    follows_from=(negative_predictive_value,),
    cases_of_each=("predicted", 2),
)
def false_omission_rate(c: BinaryCounts) -> Ratio:
    """Share of the cases not predicted as the class that belong to it."""
    return Ratio(c.fn, c.fn + c.tn)


@measure(
    "F1",
    spoken="F1",
    formula="2 * tp / (2 * tp + fp + fn)",
    range=(0, 1),
    best=1,
    undefined_when="no case belongs to this class or was predicted as it",
    aliases=("f1_score", "f_score", "f_measure", "dice"),
    cases_of_each=("truth", 1),
)
def f1(c: BinaryCounts) -> Array:
    """Harmonic mean of precision and recall."""
    return divide(2 * c.tp, 2 * c.tp + c.fp + c.fn)


@measure(
    "F-beta",
    spoken="F-beta",
    formula="(1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)",
    range=(0, 1),
    best=1,
    undefined_when="no case belongs to this class or was predicted as it",
    aliases=("fbeta", "fbeta_score"),
    limits={"beta": ("a number above 0", lambda value: 0 < value < INFINITY)},
    cases_of_each=("truth", 1),
)
def f_beta(c: BinaryCounts, beta: float) -> Array:
    """F measure in which recall has ``beta`` times the weight of precision."""
    return divide((1 + beta**2) * c.tp, (1 + beta**2) * c.tp + beta**2 * c.fn + c.fp)


@measure(
    "Jaccard",
    formula="tp / (tp + fp + fn)",
    range=(0, 1),
    best=1,
    undefined_when="no case belongs to this class or was predicted as it",
    aliases=("jaccard_index", "iou", "critical_success_index", "threat_score"),
    follows_from=(f1,),
    cases_of_each=("truth", 1),
)
def jaccard(c: BinaryCounts) -> Ratio:
    """Cases of the class predicted as it, as a share of all with either label."""
    return Ratio(c.tp, c.tp + c.fp + c.fn)


@measure("Prevalence", formula="(tp + fn) / n", range=(0, 1), best=None, averaged=False, aliases=("base_rate",))
def prevalence(c: BinaryCounts) -> Ratio:
    """Share of the cases that belong to the class."""
    return Ratio(c.tp + c.fn, c.n)


@measure(
    "Predicted prevalence",
    formula="(tp + fp) / n",
    range=(0, 1),
    best=None,
    averaged=False,
    aliases=("predicted_positive_rate", "detection_prevalence"),
)
def predicted_prevalence(c: BinaryCounts) -> Ratio:
    """Share of the cases that are predicted as the class."""
    return Ratio(c.tp + c.fp, c.n)


@measure(
    "Informedness",
    formula="tp / (tp + fn) + tn / (tn + fp) - 1",
    range=(-1, 1),
    best=1,
    undefined_when="no case belongs to this class, or every case does",
    aliases=("youden_j", "youden", "bookmaker_informedness"),
    follows_from=(recall, specificity),
    cases_of_each=("truth", 2),
)
def informedness(c: BinaryCounts) -> Array:
    """Recall plus specificity minus 1: 0 for guessing, 1 if all are correct."""
    return divide(c.tp, c.tp + c.fn) + divide(c.tn, c.tn + c.fp) - 1


@measure(
    "Markedness",
    formula="tp / (tp + fp) + tn / (tn + fn) - 1",
    range=(-1, 1),
    best=1,
    undefined_when="no case was predicted as this class, or every case was",
    aliases=("delta_p",),
    follows_from=(precision, negative_predictive_value),
    cases_of_each=("predicted", 2),
)
def markedness(c: BinaryCounts) -> Array:
    """Precision plus negative predictive value minus 1."""
    return divide(c.tp, c.tp + c.fp) + divide(c.tn, c.tn + c.fn) - 1


@measure(
    "Positive likelihood ratio",
    formula="(tp / (tp + fn)) / (fp / (fp + tn))",
    range=(0, INFINITY),
    best=INFINITY,
    undefined_when="there is no false positive, or one of the two classes is empty",
    aliases=("lr_plus", "plr", "lr+"),
    follows_from=(recall, specificity),
    cases_of_each=("truth", 2),
)
def positive_likelihood_ratio(c: BinaryCounts) -> Array:
    """Factor by which a positive prediction raises the odds of the class."""
    return divide(c.tp * (c.fp + c.tn), c.fp * (c.tp + c.fn))


@measure(
    "Negative likelihood ratio",
    formula="(fn / (tp + fn)) / (tn / (fp + tn))",
    range=(0, INFINITY),
    best=0,
    undefined_when="there is no true negative, or one of the two classes is empty",
    aliases=("lr_minus", "nlr", "lr-"),
    follows_from=(recall, specificity),
    cases_of_each=("truth", 2),
)
def negative_likelihood_ratio(c: BinaryCounts) -> Array:
    """Factor by which a negative prediction lowers the odds of the class."""
    return divide(c.fn * (c.fp + c.tn), c.tn * (c.tp + c.fn))


def _odds(table: Confusion) -> Odds:
    """Return the effective counts of a table of the class and the rest."""
    counts, scale = table.counts * 1.0, 1.0
    if table.squares is not None:
        # Real-valued weights count as Kish's effective number of cases, or as the number that gives the variance of the
        # log odds ratio, the sum of 1 / count, if it is smaller.
        inverse = np.divide(1, counts, out=np.zeros(counts.shape), where=counts > 0)
        variance = float((table.squares * inverse**2).sum())
        scale = table.effective_n / float(table.n)
        scale = min(scale, float(inverse.sum()) / variance) if variance > 0 else scale
    cells = scale * counts
    return Odds(cells[..., 0, 0], cells[..., 0, 1], cells[..., 1, 0], cells[..., 1, 1])


@measure(
    "Diagnostic odds ratio",
    formula="(tp * tn) / (fp * fn)",
    range=(0, INFINITY),
    best=INFINITY,
    undefined_when="there is no false positive or no false negative",
    aliases=("dor", "odds_ratio"),
    follows_from=(recall, specificity),
    cases_of_each=("truth", 2),
    df_per_count=8,
    interval=("cornfield", _odds),
)
def diagnostic_odds_ratio(c: BinaryCounts) -> Array:
    """Odds of a positive prediction in the class, divided by the odds outside."""
    return divide(c.tp * c.tn, c.fp * c.fn)
