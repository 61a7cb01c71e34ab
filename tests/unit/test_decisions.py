"""From scores to decisions: thresholds, costs, and another prevalence."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import howsure
from howsure import Confusion, Costs, HowsureError
from howsure.measures import estimate

RTOL = 1e-12  # the same counts, divided in another order
SEEDS = range(4)


def example(seed, n=120, weighted=None, decimals=2):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.35
    positive[:2] = True, False
    scores = np.clip(rng.normal(0.4 + 0.25 * positive, 0.2), 0, 1).round(decimals)
    weight = {None: None, "whole": rng.integers(1, 5, n), "real": rng.uniform(0.1, 3, n)}[weighted]
    return np.where(positive, "yes", "no"), scores, weight


def assess(seed, labels=None, **options):
    extra = {key: options.pop(key) for key in ("costs", "threshold") if key in options}
    truth, scores, weight = example(seed, **options)
    return howsure.assess(truth, scores=scores, weight=weight, positive="yes", labels=labels, **extra)


def tables_by_hand(truth, scores, weight=None):
    """Decide at each threshold, count case by case."""
    w = np.ones(len(scores)) if weight is None else weight
    for threshold in [math.inf, *sorted(set(scores.tolist()), reverse=True)]:
        called = scores >= threshold
        yes = truth == "yes"
        cells = [[w[~yes & ~called].sum(), w[~yes & called].sum()], [w[yes & ~called].sum(), w[yes & called].sum()]]
        yield threshold, np.array(cells)


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("name", ["f1", "accuracy", "kappa", "informedness"])
@pytest.mark.parametrize("seed", SEEDS)
def test_best_threshold_by_brute_force(seed, name, weighted):
    truth, scores, weight = example(seed, weighted=weighted)
    label = {"label": "yes"} if name in ("f1", "informedness") else {}
    best, where = -math.inf, []
    for threshold, cells in tables_by_hand(truth, scores, weight):
        value = estimate(Confusion(cells, ["no", "yes"]), name, **label).value
        if value > best + 1e-12:
            best, where = value, [threshold]
        elif abs(value - best) <= 1e-12:
            where.append(threshold)
    choice = assess(seed, weighted=weighted).best_threshold(name)
    assert choice.value == pytest.approx(best, rel=1e-9)
    assert choice.threshold in where
    if weighted is None:
        assert choice.threshold == where[0]  # of equals the highest
    assert choice.measure == name


@pytest.mark.parametrize("prior", [None, 0.02, 0.5, 0.9])
@pytest.mark.parametrize("labels", [["no", "yes"], ["yes", "no"]])
@pytest.mark.parametrize("seed", SEEDS)
def test_cheapest_threshold_by_brute_force(seed, prior, labels):
    truth, scores, _ = example(seed)
    costs = Costs(false_negative=7, false_positive=2, true_positive=1, true_negative=-0.5, prior=prior)
    share = (truth == "yes").mean() if prior is None else prior
    every = {}
    for threshold, cells in tables_by_hand(truth, scores):
        rates = cells / cells.sum(1, keepdims=True)
        every[threshold] = (1 - share) * (rates[0] @ [-0.5, 2]) + share * (rates[1] @ [7, 1])
    choice = assess(seed, labels=labels).best_threshold(costs=costs)
    lowest = min(every.values())
    assert choice.value == pytest.approx(lowest, rel=1e-9)
    assert every[choice.threshold] == pytest.approx(lowest, rel=1e-9)
    same = assess(seed, labels=labels, costs=costs).best_threshold()
    assert same.threshold == choice.threshold


@pytest.mark.parametrize("given", ["plain matrix", "Costs", "named Costs"])
def test_a_cost_matrix_is_in_the_order_of_the_labels(given):
    """The same costs, written in the order of the labels, mean the same whichever class comes first."""
    choices = []
    for labels in (["no", "yes"], ["yes", "no"]):
        matrix = [[0, 1], [9, 0]] if labels[0] == "no" else [[0, 9], [1, 0]]  # a missed "yes" costs 9
        costs = {"plain matrix": matrix, "Costs": Costs(matrix), "named Costs": Costs(matrix, labels=labels)}[given]
        a = assess(2, labels=labels, costs=costs)
        best = a.best_threshold()
        choices.append((best.threshold, best.value, a.best_threshold(costs=costs).threshold))
        assert a.at(best.threshold)["mean_cost"].value == pytest.approx(best.value, rel=1e-12)
    assert choices[0] == pytest.approx(choices[1], rel=1e-12)


def test_shares_in_the_order_of_the_labels():
    choices = []
    for labels, prior in ((["no", "yes"], [0.9, 0.1]), (["yes", "no"], [0.1, 0.9])):
        a = assess(2, labels=labels)
        best = a.best_threshold(costs=Costs(false_negative=5, false_positive=1, prior=prior))
        choices.append((best.threshold, best.value))
    single = assess(2).best_threshold(costs=Costs(false_negative=5, false_positive=1, prior=0.1))
    assert choices[0] == pytest.approx((single.threshold, single.value), rel=1e-12)
    assert choices[1] == pytest.approx(choices[0], rel=1e-12)


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_interval_of_a_choice(seed, weighted):
    a = assess(seed, weighted=weighted)
    for name in ("f1", "accuracy", "informedness"):
        choice = a.best_threshold(name)
        interval = choice.interval()
        assert choice.threshold in interval
        assert interval.high > interval.low
        assert interval == a.best_threshold(name).interval()
        assert float(choice) == choice.threshold
        wide = a.best_threshold(name, confidence=0.99).interval()
        assert wide.low <= interval.low
        assert wide.high >= interval.high
    assert "optimistic" in str(choice)
    assert choice.to_dict()["interval"]["method"] == "bootstrap"


def test_the_interval_of_a_choice_does_not_depend_on_the_scale_of_weights():
    truth, scores, weight = example(1, weighted="real")
    choices = [
        howsure.assess(truth, scores=scores, weight=weight * scale, positive="yes").best_threshold("f1").interval()
        for scale in (1.0, 2.0**-10, 2.0**10)  # exact, so that draws are the same
    ]
    assert choices[0] == choices[1] == choices[2]


def test_the_interval_of_a_choice_narrows_with_cases():
    """The argmax settles slowly; 64 times as many cases give it less than half the room."""
    few, many = (assess(5, n=n).best_threshold("informedness").interval().width for n in (100, 6400))
    assert many < few / 2


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda a: a.best_threshold(), "`best_threshold` needs either a measure or costs."),
        (
            lambda a: a.best_threshold("f1", costs=[[0, 1], [1, 0]]),
            "`best_threshold` needs either a measure or costs.",
        ),
        (lambda a: a.best_threshold("auc"), "`auc` does not depend on a threshold."),
        (
            lambda a: a.best_threshold("f1", confidence=95),
            "`confidence` must be a number between 0 and 1, not 95; did you mean 0.95?",
        ),
        (lambda a: a.at("high"), "`threshold` must be a number, not 'high'."),
        (lambda a: a.at(math.nan), "`threshold` must be a number, not nan."),
        (lambda a: a.at_prevalence(0), "`share` must be a number between 0 and 1, not 0."),
        (lambda a: a.at_prevalence(1.5), "`share` must be a number between 0 and 1, not 1.5."),
    ],
)
def test_mistakes(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask(assess(1))
    assert str(caught.value) == sentence


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
@pytest.mark.parametrize("labels", [["no", "yes"], ["yes", "no"]])
@pytest.mark.parametrize("threshold", [0.0, 0.31, 0.5, 0.77, 1.0, -math.inf, math.inf])
def test_at_a_threshold_is_assessing_labels_made_by_hand(threshold, labels, weighted):
    truth, scores, weight = example(3, weighted=weighted)
    predicted = np.where(scores >= threshold, "yes", "no")
    by_hand = howsure.assess(truth, predicted, weight=weight, positive="yes", labels=labels)
    direct = howsure.assess(truth, scores=scores, weight=weight, positive="yes", labels=labels, threshold=threshold)
    moved = assess(3, labels=labels, weighted=weighted).at(threshold)
    for a in (direct, moved):
        assert a.threshold == threshold
        np.testing.assert_allclose(a.confusion.counts, by_hand.confusion.counts, rtol=RTOL)
        assert a.confusion.labels == by_hand.confusion.labels
        for name in ("accuracy", "recall", "precision", "kappa", "f1"):
            one, other = a[name], by_hand[name]
            np.testing.assert_allclose(one.value, other.value, rtol=1e-10, atol=1e-13)
            ours, theirs = one.interval(), other.interval()
            np.testing.assert_allclose((ours.low, ours.high), (theirs.low, theirs.high), rtol=1e-9, atol=1e-13)
        assert a["auc"].value == direct["auc"].value  # the ranking stays


@pytest.mark.parametrize(
    ("scores", "limit"), [([0.1, 0.5, 0.9], 0.5), ([-2.0, 0.0, 3.0], 0.0), ([0, 1, 1], 0.5), ([0.2, 0.3, 1.2], 0.0)]
)
def test_the_threshold_by_default(scores, limit):
    a = howsure.assess([0, 1, 1], scores=scores)
    assert a.threshold == limit
    np.testing.assert_array_equal(a.confusion.counts, a.at(limit).confusion.counts)
    assert a.confusion.counts[:, 1].sum() == (np.array(scores) >= limit).sum()


@pytest.mark.parametrize("labels", [["no", "yes"], ["yes", "no"]])
@pytest.mark.parametrize("share", [0.01, 0.2, 0.6])
@pytest.mark.parametrize("weighted", [None, "whole", "real"])
def test_at_another_prevalence(share, labels, weighted):
    a = assess(4, labels=labels, weighted=weighted)
    deployed = a.at_prevalence(share)
    recall, specificity = a["recall"].value, a["specificity"].value
    assert deployed["recall"].value == pytest.approx(recall, rel=RTOL)
    assert deployed["specificity"].value == pytest.approx(specificity, rel=RTOL)
    hits, alarms = share * recall, (1 - share) * (1 - specificity)
    assert deployed["precision"].value == pytest.approx(hits / (hits + alarms), rel=1e-10)
    right = (1 - share) * specificity
    npv = right / (right + share * (1 - recall))
    assert deployed["negative_predictive_value"].value == pytest.approx(npv, rel=1e-10)
    assert deployed["accuracy"].value == pytest.approx(hits + right, rel=1e-10)
    assert deployed["auc"].value == a["auc"].value


def test_at_the_prevalence_of_the_sample_nothing_changes():
    a = assess(4)
    deployed = a.at_prevalence(float((example(4)[0] == "yes").mean()))
    for name in ("precision", "accuracy", "f1", "kappa", "mcc"):
        assert deployed[name].value == pytest.approx(a[name].value, rel=1e-10)


@pytest.mark.parametrize("labels", [["no", "yes"], ["yes", "no"]])
def test_mean_cost_where_the_classifier_is_to_be_used(labels):
    costs = Costs(false_negative=50, false_positive=3, prior=0.02)
    a = assess(4, labels=labels, costs=costs)
    expected = 0.02 * 50 * (1 - a["recall"].value) + 0.98 * 3 * (1 - a["specificity"].value)
    assert a["mean_cost"].value == pytest.approx(expected, rel=1e-10)
    assert a["mean_cost"].value in a["mean_cost"].interval()
    # asking for the same prevalence twice is asking once
    twice = a.at_prevalence(0.02)["mean_cost"]
    assert twice.value == pytest.approx(expected, rel=1e-10)
    one, other = a["mean_cost"].interval(), twice.interval()
    assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-9)


def test_another_threshold_at_another_prevalence():
    """The order of asking does not matter, and neither question forgets the other."""
    a = assess(4)
    one, other = a.at_prevalence(0.05).at(0.4), a.at(0.4).at_prevalence(0.05)
    for name in ("precision", "accuracy", "recall"):
        assert one[name].value == pytest.approx(other[name].value, rel=1e-10)
        assert one[name].interval().width == pytest.approx(other[name].interval().width, rel=1e-9)
    sample, deployed = a.best_threshold("accuracy"), a.at_prevalence(0.05).best_threshold("accuracy")
    assert deployed.value == pytest.approx(a.at(deployed.threshold).at_prevalence(0.05)["accuracy"].value, rel=1e-9)
    assert deployed.threshold >= sample.threshold  # where positives are rare, fewer are called so


def resampled(cells, share, measure, draws=40_000, seed=0):
    """Draw each class for itself, as many cases as there are, and put both together by their shares."""
    rng = np.random.default_rng(seed)
    (tn, fp), (fn, tp) = cells
    recall = rng.binomial(tp + fn, tp / (tp + fn), draws) / (tp + fn)
    alarms = rng.binomial(fp + tn, fp / (fp + tn), draws) / (fp + tn)
    return measure(recall, alarms, share)


@pytest.mark.parametrize("share", [0.05, 0.3])
@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        ("precision", lambda r, a, s: s * r / (s * r + (1 - s) * a)),
        ("negative_predictive_value", lambda r, a, s: (1 - s) * (1 - a) / ((1 - s) * (1 - a) + s * (1 - r))),
        ("accuracy", lambda r, a, s: s * r + (1 - s) * (1 - a)),
        ("recall", lambda r, a, s: r),
    ],
)
def test_the_error_at_a_prevalence_against_a_simulation(name, by_hand, share):
    """Both classes are large, so that the delta method is exact to a few per cent; the simulation is to 0.4 %."""
    cells = np.array([[900, 300], [120, 680]])
    shifted = howsure.assess(Confusion(cells, ["no", "yes"]), positive="yes").at_prevalence(share)[name]
    interval = shifted.interval(method="delta")
    error = interval.width / (2 * 1.959963984540054)
    simulated = resampled(cells, share, by_hand).std()
    assert error == pytest.approx(simulated, rel=0.03)
    bootstrap = shifted.interval(method="bootstrap", replicates=4000)
    assert bootstrap.width == pytest.approx(interval.width, rel=0.1)


@pytest.mark.parametrize("weighted", [None, "real"])
def test_which_label_comes_first_makes_no_difference(weighted):
    one, other = (assess(5, labels=labels, weighted=weighted) for labels in (["no", "yes"], ["yes", "no"]))
    assert one.positive == other.positive == "yes"
    assert one.scores == other.scores
    for name in ("auc", "average_precision", "brier", "recall", "precision", "accuracy", "kappa"):
        assert one[name].value == pytest.approx(other[name].value, rel=1e-12)
        a, b = one[name].interval(), other[name].interval()
        assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-9)
    assert one.best_threshold("f1").to_dict() == other.best_threshold("f1").to_dict()
    assert one.best_threshold("kappa").threshold == other.best_threshold("kappa").threshold
    np.testing.assert_array_equal(one.roc().y, other.roc().y)
    np.testing.assert_array_equal(one.at(0.4).confusion.counts, np.asarray(other.at(0.4).confusion.counts)[::-1, ::-1])


def test_either_class_may_be_positive():
    """Scores are of the class that is called positive."""
    truth, scores, _ = example(6)
    yes = howsure.assess(truth, scores=scores, positive="yes")
    no = howsure.assess(truth, scores=1 - scores, positive="no")
    assert no["auc"].value == pytest.approx(yes["auc"].value, rel=RTOL)
    assert no["brier"].value == pytest.approx(yes["brier"].value, rel=1e-9)
    assert yes.estimate("auc", label="no").value == pytest.approx(no["auc"].value, rel=RTOL)
    assert yes.estimate("brier", label="no").value == pytest.approx(no["brier"].value, rel=1e-9)
    assert yes.estimate("average_precision", label="no").value == pytest.approx(no["average_precision"].value, rel=1e-9)


def test_nothing_positive_may_be_best():
    """Where alarms are dear and scores worthless, calling no one is the cheapest, and is said so."""
    a = howsure.assess([0, 1, 0, 0], scores=[0.9, 0.1, 0.8, 0.7])
    choice = a.best_threshold(costs=Costs(false_negative=1, false_positive=100))
    assert choice.threshold == math.inf
    assert choice.notes == ("calling no case positive is best",)
    assert json.loads(json.dumps(choice.to_dict(), allow_nan=False))["threshold"] == "inf"
    assert str(choice)


def test_costs_drive_the_curves():
    """One `Costs`: the line of equal cost, the place on the cost curve and that on the decision curve."""
    costs = howsure.Costs(false_negative=4, false_positive=1, prior=0.2)
    slope, probability, threshold = costs.trade((0, 1), 1, 0.5)
    assert slope == pytest.approx((0.8 * 1) / (0.2 * 4))
    assert probability == pytest.approx(0.2 * 4 / (0.2 * 4 + 0.8 * 1))
    assert threshold == pytest.approx(1 / 5)
    assert costs.trade((1, 0), 1, 0.5) == (slope, probability, threshold)
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 300)
    scores = np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1)
    a = howsure.assess(truth, scores=scores, costs=costs)
    line = {line.name: line for line in a.roc_hull().lines}["equal cost"]
    assert np.diff(line.y)[0] / np.diff(line.x)[0] == pytest.approx(slope)
    assert {line.name: line for line in a.cost_curve().lines}["these costs"].x[0] == pytest.approx(probability)
    assert {line.name: line for line in a.decision_curve().lines}["these costs"].x[0] == pytest.approx(threshold)
    assert "these costs" not in {line.name for line in howsure.assess(truth, scores=scores).cost_curve().lines}
    # the threshold of lowest cost is the one at which the line touches the hull
    note = a.roc_hull().notes[0]
    chosen = a.at(a.best_threshold().threshold)
    assert f"recall {chosen['recall'].value:.3f}" in note


def test_one_sided_intervals_of_a_threshold():
    choice = assess(5).best_threshold("f1")
    both, lower, upper = choice.interval(0.9), choice.interval(0.95, side="lower"), choice.interval(0.95, side="upper")
    assert (lower.low, upper.high) == (both.low, both.high)  # 5 % beyond either
    assert lower.high == np.inf
    assert (lower.side, upper.side) == ("lower", "upper")
    assert choice.interval(0.05, "basic", "lower").low >= upper.low
