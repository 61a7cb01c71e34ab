"""The headline of an assessment.

The first sentence gives the accuracy and the majority baseline. Further sentences describe the positive class, or the
best and worst of many classes; the ranking by the scores; the calibration of the probabilities; and the costs. Each
is left out where there is nothing to say, and none claims more than its interval supports.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.errors import HowsureError, counted, one_line
from howsure.measures import agreement, cost, probability, ranking
from howsure.present.value_text import grouped, number, shown_name, with_interval
from howsure.present.words import shorten
from howsure.tables import ClassScores, ScoreTable

if TYPE_CHECKING:
    from howsure.assessment.groups import AssessmentGroups
    from howsure.assessment.result import Assessment
    from howsure.results import Estimate, Interval

RANKING_WORDS = (  # each with the lowest AUC to which it applies
    (0.99, "almost perfectly"),
    (0.9, "very well"),
    (0.8, "well"),
    (0.7, "fairly well"),
    (0.0, "weakly"),
)
CALIBRATION_MARGIN = 0.05  # probabilities are called well calibrated only if the mean is known to this precision
LABEL_WIDTH = 40  # maximum width of a label, in columns
MAX_GROUPS = 12


def headline(a: Assessment, confidence: float = 0.95) -> list[str]:
    """Summarise an assessment in sentences, the most important first."""
    sentences = [_accuracy(a, confidence), *cluster_information(a["accuracy"], "for the accuracy, ")]
    if len(a.labels) > 2:
        sentences += _classes(a, confidence)
    if a.positive is not None:
        sentences += _positive_class(a, confidence)
    if a.scores is not None:
        sentences += _ranking(a, confidence) + _probabilities(a, confidence)
    return sentences + _costs(a, confidence)


def percent(value: float, digits: int = 1) -> str:
    """Format a proportion as "98.1 %"; rounding never gives 0 or 100 %."""
    text = f"{100 * value:.{digits}f}"
    if (float(text) == 100 and value < 1) or (float(text) == 0 and value > 0):
        text = f"{100 * value:.{digits + 1}f}"
        text = text if 0 < float(text) < 100 else ("under 0.01" if value < 0.5 else "over 99.99")
    return f"{'100' if value == 1 else '0' if value == 0 else text} %"


def percent_interval(interval: Interval) -> str:
    """Format the interval of a proportion as " [96.6, 98.9]"."""
    if math.isnan(interval.low):
        return ""
    for digits in (1, 2, 3):
        low, high = (f"{100 * end:.{digits}f}" if 0 < end < 1 else f"{100 * end:g}" for end in interval)
        if low != high or interval.low == interval.high:
            break
    return f" [{low}, {high}]"


def _proportion(estimate: Estimate, confidence: float) -> str:
    return f"{percent(estimate.value)}{percent_interval(estimate.interval(confidence))}"


def _value(estimate: Estimate, confidence: float) -> str:
    value, interval = with_interval(estimate.value, *estimate.interval(confidence))
    return f"{value.text} {interval}".rstrip()


def class_name(label: Any) -> str:
    """Name a class inside a sentence: text as it is, a number as "class 1"."""
    text = shorten(shown_name(label), LABEL_WIDTH)
    return text if isinstance(label, str) and any(map(str.isalpha, text)) else f"class {text}"


def _accuracy(a: Assessment, confidence: float) -> str:
    """State the accuracy next to the majority baseline."""
    estimate = a["accuracy"]
    details = [] if a.annotations is None else [a.annotations.text()]
    if a._is_weighted and a.prevalence is None:
        details.append(f"weighted; effective sample size {a.confusion.effective_n:,.1f}")
    clusters = "" if estimate.clusters is None else f" in {estimate.clusters:,} clusters"
    cases = f"{counted(a.n, 'case', comma=True)}{clusters}" + (f" ({'; '.join(details)})" if details else "")
    accuracy = f"Accuracy {_proportion(estimate, confidence)}"
    if a.prevalence is None:
        accuracy += f" on {cases}"
    else:
        prevalence = f"a prevalence of {percent(a.prevalence)} of {class_name(a.positive)}"
        accuracy += f" at {prevalence}, estimated from {cases}"
    truth = a.confusion.sums.truth
    frequent = class_name(a.labels[int(truth.argmax())])
    if (truth > 0).sum() < 2:
        return f"{accuracy}; the truth contains only {frequent}, so discrimination cannot be assessed."
    return f"{accuracy}; {_against_baseline(a, frequent, confidence)}."


def _against_baseline(a: Assessment, frequent: str, confidence: float) -> str:
    """Compare with always predicting the most frequent class."""
    baseline = a[agreement.majority_baseline.name].value
    low, high = a[agreement.improvement.name].interval(confidence)
    if math.isnan(low) or low > 0:
        return f"always answering {frequent}: {percent(baseline)}"
    if high < 0:
        comparison = "significantly worse than"
    else:
        comparison = "not significantly better than" if a["accuracy"].value > baseline else "no better than"
    return f"{comparison} always answering {frequent} ({percent(baseline)})"


def cluster_information(mean: Estimate, purpose: str = "") -> list[str]:
    """State how many independent cases would be as informative."""
    if mean.clusters is None or mean.undefined:
        return []
    these = f"{purpose}these {mean.n:,.0f}"
    if mean.effective_n > mean.n - 0.5:
        return [
            f"Cases within a cluster are no more alike than others: {these} are as informative as independent cases."
        ]
    return [
        f"Cases within a cluster are alike: {these} carry as much information as "
        f"{mean.effective_n:,.0f} independent ones."
    ]


def _positive_class(a: Assessment, confidence: float) -> list[str]:
    """State recall and precision of the positive class."""
    recall, precision = a["recall"], a["precision"]
    name = class_name(a.positive)
    if recall.undefined:
        return [f"{_no_case(a)} is {name}, so its recall is undefined."]
    if a.prevalence is None:
        cases = float(a.confusion.sums.truth[a.labels.index(a.positive)])
        name += f" ({grouped(cases)} {'case' if cases == 1 else 'cases'})"
    if precision.undefined:
        threshold = "" if a.threshold is None else f" at threshold {a.threshold:g}"
        return [f"{name}: none found ({_proportion(recall, confidence)}); never predicted{threshold}."]
    found = f"{percent(recall.value)} found{percent_interval(recall.interval(confidence))}"
    correct = percent_interval(precision.interval(confidence))
    return [f"{name}: {found}; {percent(precision.value)} of its positive predictions are correct{correct}."]


def _no_case(a: Assessment) -> str:
    """Begin a sentence on an absent class; name both if one was assumed."""
    is_implied = not a._classes.chosen and set(a.labels) == {0, 1}
    return f"{a.labels[0]} and {a.labels[1]} are taken as the two classes; no case" if is_implied else "No case"


def _classes(a: Assessment, confidence: float) -> list[str]:
    """State the lowest and highest recall and the most frequent error."""
    truth, hits = a.confusion.sums.truth, a.confusion.sums.hits
    present = np.flatnonzero(truth > 0)
    sentences = []
    if len(present) > 1:
        recalls = hits[present] / truth[present]
        lowest, highest = (a.labels[present[index]] for index in (int(recalls.argmin()), int(recalls.argmax())))
        if recalls.min() == recalls.max():
            sentences.append(f"Recall is the same for every class, {percent(float(recalls[0]))}.")
        else:
            ends = (_class_recall(a, label, confidence) for label in (lowest, highest))
            sentences.append("Recall is lowest for {} and highest for {}.".format(*ends))
    errors = a.confusion.counts * (1 - np.eye(a.confusion.k))
    if errors.sum() > 0 and a.confusion.squares is None:
        row, column = np.unravel_index(int(errors.argmax()), errors.shape)
        count, total = int(errors[row, column]), int(errors.sum())
        if count > 1:
            error = f"{class_name(a.labels[row])} predicted as {class_name(a.labels[column])}"
            sentences.append(f"Most frequent error: {error}, {count:,} of {total:,} errors.")
    return sentences


def _class_recall(a: Assessment, label: Any, confidence: float) -> str:
    recall = a.estimate("recall", label=label)
    cases = grouped(float(a.confusion.sums.truth[a.labels.index(label)]))
    interval = percent_interval(recall.interval(confidence))
    return f"{class_name(label)} ({percent(recall.value)} of {cases}{interval})"


def _ranking(a: Assessment, confidence: float) -> list[str]:
    """State how well the scores rank the cases."""
    auc = a[ranking.auc.name]
    if auc.undefined:
        return [f"AUC undefined: {auc.undefined}."] if (a.confusion.sums.truth > 0).sum() > 1 else []
    interval = auc.interval(confidence)
    is_average = isinstance(a.scores, ClassScores) and auc.of != str(a.positive)
    average = " on average over the classes" if is_average else ""
    if math.isnan(interval.low):
        reason = interval.notes[0] if interval.notes else "there are too few cases for an interval"
        return [f"AUC {number(auc.value)}{average}; {reason}."]
    value = f"AUC {_value(auc, confidence)}{average}"
    if interval.high < 0.5:
        return [f"The scores rank the cases the wrong way round: {value}."]
    if interval.low <= 0.5:
        return [f"The scores do not rank the cases significantly better than chance: {value}."]
    ranks = [
        next(rank for rank, (lowest, _) in enumerate(RANKING_WORDS) if area >= lowest)
        for area in (auc.value, interval.low)
    ]
    rank = "rank" if ranks[1] - ranks[0] <= 1 else "seem to rank"  # hedge if the interval reaches much lower
    how = "perfectly here" if auc.value == 1 else RANKING_WORDS[ranks[0]][1]
    return [f"The scores {rank} the cases {how}: {value}."]


def _probabilities(a: Assessment, confidence: float) -> list[str]:
    """State whether the probabilities are calibrated."""
    if not isinstance(a.scores, ScoreTable) or a[probability.brier.name].undefined or a.prevalence is not None:
        return []
    table = a.scores.effective()
    n, gap, error, z_brier = calibration(table.scores, table.positives, table.negatives)
    z_mean = _in_errors(gap, error)
    critical = NormalDist().inv_cdf(1 - (1 - confidence) / 4)  # two two-sided tests (Bonferroni)
    facts = f"predicted {percent(gap + table.n_positive / n)}, observed {percent(table.n_positive / n)}"
    if abs(z_brier) >= abs(z_mean) and abs(z_brier) > critical:
        how, frequency = ("extreme", "more") if z_brier > 0 else ("cautious", "less")
        return [f"Probabilities are too {how}: errors are {frequency} frequent than they predict."]
    if abs(z_mean) > critical:
        return [f"Probabilities are too {'high' if z_mean > 0 else 'low'} on average: {facts}."]
    return [f"Well calibrated on average: {facts}."] if critical * error <= CALIBRATION_MARGIN else []


def calibration(p: Any, positives: Any, negatives: Any) -> tuple[float, float, float, float]:
    """Test whether probabilities are calibrated, on average and case by case.

    Returns the number of cases, the mean probability minus the proportion of positives, the standard error of this gap
    if every probability were right, and Spiegelhalter's (1986) z of the Brier score under the same hypothesis:

    z = sum((y - p) (1 - 2 p)) / sqrt(sum((1 - 2 p)^2 p (1 - p))), above 0 if the score is worse than expected.
    """
    p, cases = p.astype(float), positives + negatives
    n, slope, surplus = float(cases.sum()), 1 - 2 * p, positives - cases * p
    variances = cases * p * (1 - p)
    gap, error = -float(surplus.sum()) / n, math.sqrt(variances.sum()) / n
    z = _in_errors(float((surplus * slope).sum()), math.sqrt((variances * slope**2).sum()))
    return n, gap, error, z


def _in_errors(value: float, error: float) -> float:
    """Divide by a standard error; infinite if an impossible event occurred."""
    return value / error if error else math.copysign(math.inf, value) if value else 0.0


def _costs(a: Assessment, confidence: float) -> list[str]:
    """State the mean cost, and the threshold that would be cheapest."""
    if a.costs is None:
        return []
    mean = a[cost.mean_cost.name]
    if mean.undefined:
        return [f"Mean cost undefined: {mean.undefined}."]
    sentence = f"Mean cost {_value(mean, confidence)} per case"
    if not a._has_costs():
        return [f"{sentence}."]
    try:
        choice = a.best_threshold()
    except HowsureError:
        return [f"{sentence}."]
    if not math.isfinite(choice.threshold):
        return [f"{sentence}; never answering {class_name(a.positive)} would be cheapest ({number(choice.value)})."]
    return [f"{sentence}; the cheapest threshold on these cases is {choice.shown} ({number(choice.value)})."]


def group_headline(groups: AssessmentGroups, confidence: float = 0.95) -> list[str]:
    """Summarise all groups together, then each group, the worst first."""
    accuracy = {group: assessment["accuracy"].value for group, assessment in groups.items()}
    ranked = sorted(groups.items(), key=lambda item: accuracy[item[0]])
    overall = groups.overall
    name = one_line(str(groups.name))
    total = f"Accuracy {_proportion(overall['accuracy'], confidence)} on {counted(overall.n, 'case', comma=True)}"
    worst, best = ranked[0][0], ranked[-1][0]
    if len(ranked) == 1:
        sentences = [f"{total}; all cases have the same {name}, {_group(worst)}."]
    else:
        low, high = accuracy[worst], accuracy[best]
        ends = f"from {percent(low)} ({_group(worst)}) to {percent(high)} ({_group(best)})"
        sentences = [f"{total}; by {name} {ends}, {100 * (high - low):.1f} points apart."]
    sentences += [_group_line(group, a, confidence) for group, a in ranked[:MAX_GROUPS]]
    left = len(ranked) - MAX_GROUPS
    if left > 0:
        sentences.append(f"{left} more {'group is' if left == 1 else 'groups are'} at least as accurate.")
    return sentences


def _group(group: Any) -> str:
    return shorten(one_line(str(group)), LABEL_WIDTH)


def _group_line(group: Any, a: Assessment, confidence: float) -> str:
    parts = [f"accuracy {_proportion(a['accuracy'], confidence)}"]
    if a.positive is not None and not a["recall"].undefined:
        parts.append(f"recall of {class_name(a.positive)} {_proportion(a['recall'], confidence)}")
    if a.scores is not None and not a[ranking.auc.name].undefined:
        parts.append(f"AUC {_value(a[ranking.auc.name], confidence)}")
    return f"{_group(group)} ({counted(a.n, 'case', comma=True)}): {', '.join(parts)}."
