"""The headline of an assessment: how good is it, and how sure are we, in a few sentences.

The first says how many cases are right, and what a guess without looking would get. The next ones are on the positive
class, or on the best and the least found of many; on the ranking; on the probabilities; and on the costs. Each is there
where it has something to say, and none says more than its interval does.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.errors import HowsureError, one_line
from howsure.measures import agreement, cost, probability, ranking
from howsure.present.value_text import grouped, number, shown_name, with_interval
from howsure.present.words import shorten
from howsure.tables import ClassScores, ScoreTable

if TYPE_CHECKING:
    from howsure.assessment.groups import AssessmentGroups
    from howsure.assessment.result import Assessment
    from howsure.results import Estimate, Interval

# From which AUC on scores are said to rank so.
RANKS = ((0.99, "almost perfectly"), (0.9, "very well"), (0.8, "well"), (0.7, "fairly well"), (0.0, "weakly"))
CLOSE = 0.05  # within this the average probability must be known, to be called about right
LONGEST = 40  # columns of a label
MOST_GROUPS = 12


def headline(a: Assessment, confidence: float = 0.95) -> list[str]:
    """Give the sentences that answer the question, the most important first."""
    sentences = [_right(a, confidence), *worth_in_words(a["accuracy"], " to accuracy")]
    if len(a.labels) > 2:
        sentences += _classes(a, confidence)
    if a.positive is not None:
        sentences += _positive(a, confidence)
    if a.scores is not None:
        sentences += _ranking(a, confidence) + _probabilities(a, confidence)
    return sentences + _costs(a, confidence)


def percent(value: float, digits: int = 1) -> str:
    """Write a share as "98.1 %", and one that is nearly all or nothing not as all or nothing."""
    text = f"{100 * value:.{digits}f}"
    if (float(text) == 100 and value < 1) or (float(text) == 0 and value > 0):
        text = f"{100 * value:.{digits + 1}f}"
        text = text if 0 < float(text) < 100 else ("under 0.01" if value < 0.5 else "over 99.99")
    return f"{'100' if value == 1 else '0' if value == 0 else text} %"


def percent_interval(interval: Interval) -> str:
    """Write an interval of a share as "[96.6, 98.9]", or nothing where there is none."""
    if math.isnan(interval.low):
        return ""
    for digits in (1, 2, 3):
        low, high = (f"{100 * end:.{digits}f}" if 0 < end < 1 else f"{100 * end:g}" for end in interval)
        if low != high or interval.low == interval.high:
            break
    return f" [{low}, {high}]"


def _share(estimate: Estimate, confidence: float) -> str:
    return f"{percent(estimate.value)}{percent_interval(estimate.interval(confidence))}"


def _value(estimate: Estimate, confidence: float) -> str:
    value, interval = with_interval(estimate.value, *estimate.interval(confidence))
    return f"{value.text} {interval}".rstrip()


def class_name(label: Any) -> str:
    """Name a class inside a sentence: a number as "class 1"."""
    text = shorten(shown_name(label), LONGEST)
    return text if isinstance(label, str) and any(map(str.isalpha, text)) else f"class {text}"


def _right(a: Assessment, confidence: float) -> str:
    """Say how many cases are right, beside what always saying the most frequent class would get."""
    accuracy, baseline = a["accuracy"], a[agreement.majority_baseline.name]
    weighed = a._is_weighted and a.prevalence is None
    about = [] if a.annotations is None else [a.annotations.text()]
    about += [f"weighed; worth {a.confusion.effective_n:,.1f} of equal weight"] if weighed else []
    worth = f" ({'; '.join(about)})" if about else ""
    within = "" if accuracy.clusters is None else f" in {accuracy.clusters:,} clusters"
    cases = f"{grouped(a.n)} {'case' if a.n == 1 else 'cases'}{within}{worth}"
    interval = percent_interval(accuracy.interval(confidence))
    if a.prevalence is None:
        right = f"{percent(accuracy.value)} of {cases} {'is' if a.n == 1 else 'are'} right{interval}"
    else:
        share = f"a share of {percent(a.prevalence)} of {class_name(a.positive)}"
        right = f"{percent(accuracy.value)} of the cases would be right{interval} with {share}, judged by {cases}"
    truth = a.confusion.sums.truth
    frequent = class_name(a.labels[int(truth.argmax())])
    if (truth > 0).sum() < 2:
        return f"{right}; all cases are {frequent}, so nothing is told apart."
    return f"{right}; always saying {frequent}: {percent(baseline.value)}{_against(a, confidence)}."


def worth_in_words(mean: Estimate, to: str = "") -> list[str]:
    """Say what cases that come in clusters are worth: to accuracy, or to the measure that is asked about."""
    if mean.clusters is None or mean.undefined:
        return []
    if mean.effective_n > mean.n - 0.5:
        return [f"The cases of a cluster are no more alike than others, and worth as many independent ones{to}."]
    return [f"As the cases of a cluster are alike, they are worth {mean.effective_n:,.0f} independent ones{to}."]


def _against(a: Assessment, confidence: float) -> str:
    """Say so where the classifier is not shown to be better than the guess, or shown to be worse."""
    low, high = a[agreement.improvement.name].interval(confidence)
    if math.isnan(low) or low > 0:
        return ""
    return ", which is better" if high < 0 else ", which is not shown to be worse"


def _positive(a: Assessment, confidence: float) -> list[str]:
    """Say how much of the positive class is found, and how much to trust an alarm."""
    recall, precision = a["recall"], a["precision"]
    name = class_name(a.positive)
    if recall.undefined:
        return [f"{_no_case(a)} is {name}, so what is found of it cannot be said."]
    cases = grouped(float(a.confusion.sums.truth[a.labels.index(a.positive)])) if a.prevalence is None else ""
    found = f"{name}{f' ({cases})' if cases else ''}: finds {_share(recall, confidence)}"
    if precision.undefined:
        return [f"{found}, since it is never predicted."]
    true = f"{percent(precision.value)} of its alarms are true{percent_interval(precision.interval(confidence))}"
    return [f"{found}, and {true}."]


def _no_case(a: Assessment) -> str:
    """Say where a class comes from that no case has: data of nothing but 0 have a class 1, which nobody named."""
    implied = not a._classes.chosen and set(a.labels) == {0, 1}
    return f"{a.labels[0]} and {a.labels[1]} are taken for two classes; no case" if implied else "No case"


def _classes(a: Assessment, confidence: float) -> list[str]:
    """Say which of many classes is found best and least, and which two are mistaken most."""
    truth, hits = a.confusion.sums.truth, a.confusion.sums.hits
    present = np.flatnonzero(truth > 0)
    sentences = []
    if len(present) > 1:
        recalls = hits[present] / truth[present]
        ends = [a.labels[present[index]] for index in (int(recalls.argmin()), int(recalls.argmax()))]
        least, most = (_found(a, label, confidence) for label in ends)
        if recalls.min() == recalls.max():
            sentences.append(f"Finds the same share of every class, {percent(float(recalls[0]))}.")
        else:
            sentences.append(f"Found least: {least}; most: {most}.")
    errors = a.confusion.counts * (1 - np.eye(a.confusion.k))
    if errors.sum() > 0 and a.confusion.squares is None:
        row, column = np.unravel_index(int(errors.argmax()), errors.shape)
        count, total = int(errors[row, column]), int(errors.sum())
        if count > 1:
            said = f"{class_name(a.labels[row])} taken for {class_name(a.labels[column])}"
            sentences.append(f"Most frequent error: {said}, {count:,} of {total:,} errors.")
    return sentences


def _found(a: Assessment, label: Any, confidence: float) -> str:
    recall = a.estimate("recall", label=label)
    cases = grouped(float(a.confusion.sums.truth[a.labels.index(label)]))
    interval = percent_interval(recall.interval(confidence))
    return f"{class_name(label)}, {percent(recall.value)} of {cases}{interval}"


def _ranking(a: Assessment, confidence: float) -> list[str]:
    """Say how well the scores rank, and whether that is more than guessing would do."""
    auc = a[ranking.auc.name]
    if auc.undefined:
        return [f"No AUC: {auc.undefined}."] if (a.confusion.sums.truth > 0).sum() > 1 else []
    interval = auc.interval(confidence)
    several = " on average over the classes" if isinstance(a.scores, ClassScores) and auc.of != str(a.positive) else ""
    if math.isnan(interval.low):
        why = interval.notes[0] if interval.notes else "there are too few cases for an interval"
        return [f"AUC {number(auc.value)}{several}; {why}."]
    value = f"AUC {_value(auc, confidence)}{several}"
    if interval.high < 0.5:
        return [f"Ranks the wrong way round: {value}."]
    if interval.low <= 0.5:
        return [f"Not shown to rank better than guessing: {value}."]
    steps = [next(step for step, (least, _) in enumerate(RANKS) if area >= least) for area in (auc.value, interval.low)]
    ranks = "Ranks" if steps[1] - steps[0] <= 1 else "Seems to rank"  # where the interval reaches far below
    how = "perfectly on these cases" if auc.value == 1 else RANKS[steps[0]][1]
    return [f"{ranks} {how}: {value}."]


def _probabilities(a: Assessment, confidence: float) -> list[str]:
    """Say whether the probabilities are too high, too low or too extreme, where the cases show it."""
    if not isinstance(a.scores, ScoreTable) or a[probability.brier.name].undefined or a.prevalence is not None:
        return []
    table = a.scores.effective()
    n, gap, error, extreme = calibration(table.scores, table.positives, table.negatives)
    high = _in_errors(gap, error)
    limit = NormalDist().inv_cdf(1 - (1 - confidence) / 4)  # two questions, each with two sides
    said, happened = percent(gap + table.n_positive / n), percent(table.n_positive / n)
    facts = f"{said} on average, and {happened} happened"
    if abs(extreme) >= abs(high) and abs(extreme) > limit:
        how, often = ("extreme", "more") if extreme > 0 else ("cautious", "less")
        return [f"Probabilities are too {how}: it errs {often} often than they say."]
    if abs(high) > limit:
        return [f"Probabilities are too {'high' if high > 0 else 'low'}: {facts}."]
    return [f"Probabilities are about right: {facts}."] if limit * error <= CLOSE else []


def calibration(p: Any, positives: Any, negatives: Any) -> tuple[float, float, float, float]:
    """Give the cases, the mean probability less the share of positives with its error, and Spiegelhalter's z.

    Both errors are those to be expected if every probability were right. The z is of the Brier score: above 0 where it
    is higher than expected.
    """
    p, cases = p.astype(float), positives + negatives
    n, slope, surplus = float(cases.sum()), 1 - 2 * p, positives - cases * p
    variances = cases * p * (1 - p)
    gap, error = -float(surplus.sum()) / n, math.sqrt(variances.sum()) / n
    z = _in_errors(float((surplus * slope).sum()), math.sqrt((variances * slope**2).sum()))
    return n, gap, error, z


def _in_errors(value: float, error: float) -> float:
    """Divide by a standard error; what was called certain and happened otherwise is beyond any."""
    return value / error if error else math.copysign(math.inf, value) if value else 0.0


def _costs(a: Assessment, confidence: float) -> list[str]:
    """Say what the errors cost, and which threshold would be cheapest."""
    if a.costs is None:
        return []
    paid = a[cost.mean_cost.name]
    if paid.undefined:
        return [f"No cost: {paid.undefined}."]
    said = f"Costs {_value(paid, confidence)} a case"
    if not a._has_costs():
        return [f"{said}."]
    try:
        choice = a.best_threshold()
    except HowsureError:
        return [f"{said}."]
    if not math.isfinite(choice.threshold):
        return [f"{said}; never saying {class_name(a.positive)} would be cheapest ({number(choice.value)})."]
    cheapest = f"a threshold of {choice.shown} would be cheapest on these cases ({number(choice.value)})"
    return [f"{said}; {cheapest}."]


def group_headline(groups: AssessmentGroups, confidence: float = 0.95) -> list[str]:
    """Give the spread of the accuracy over the groups, and a line for each, the worst first."""
    accuracy = {group: assessment["accuracy"] for group, assessment in groups.items()}
    ranked = sorted(groups.items(), key=lambda item: accuracy[item[0]].value)
    overall = groups.overall
    name = one_line(str(groups.name))
    together = f"{_share(overall['accuracy'], confidence)} of {grouped(overall.n)} cases are right"
    if len(ranked) == 1:
        sentences = [f"{together}; all are of one {name}, {class_name(ranked[0][0])}."]
    else:
        worst, best = ranked[0][0], ranked[-1][0]
        low, high = accuracy[worst].value, accuracy[best].value
        ends = [percent(low), percent(high)]
        points = 100 * (high - low)
        spread = f"from {ends[0]} ({_group(worst)}) to {ends[1]} ({_group(best)}), {points:.1f} points apart"
        sentences = [f"{together}; by {name} {spread}."]
    sentences += [_group_line(group, a, confidence) for group, a in ranked[:MOST_GROUPS]]
    left = len(ranked) - MOST_GROUPS
    return sentences + ([f"and {left} better ones."] if left > 0 else [])


def _group(group: Any) -> str:
    return shorten(one_line(str(group)), LONGEST)


def _group_line(group: Any, a: Assessment, confidence: float) -> str:
    parts = [f"{_share(a['accuracy'], confidence)} right"]
    if a.positive is not None and not a["recall"].undefined:
        parts.append(f"finds {_share(a['recall'], confidence)} of {class_name(a.positive)}")
    if a.scores is not None and not a[ranking.auc.name].undefined:
        parts.append(f"AUC {_value(a[ranking.auc.name], confidence)}")
    return f"{_group(group)} ({grouped(a.n)}): {', '.join(parts)}."
