"""The headline: the answer in sentences that say no more than the intervals do."""

from __future__ import annotations

import math

import numpy as np
import pytest

import howsure
from howsure.assessment.headline import calibration, percent

TABLE = howsure.Confusion([[354, 3], [8, 204]], labels=["benign", "malignant"])  # logistic regression on breast cancer


def scored(odds, n=400, seed=0):
    """Give truth drawn from probabilities, and probabilities said: true log odds times ``odds``, plus an offset."""
    factor, offset = odds
    rng = np.random.default_rng(seed)
    log_odds = rng.normal(0, 1.5, n)
    truth = rng.random(n) < 1 / (1 + np.exp(-log_odds))
    return truth, 1 / (1 + np.exp(-(factor * log_odds + offset)))


def test_two_classes():
    assert howsure.assess(TABLE, positive="malignant").headline == (
        "Accuracy 98.1 % [96.6, 98.9] on 569 cases; always answering benign: 62.7 %.\n"
        "malignant (212 cases): 96.2 % found [92.7, 98.1]; 98.6 % of its positive predictions are correct [95.8, 99.7]."
    )


def test_thousands_are_set_apart_in_every_headline():
    large = howsure.Confusion([[11_000, 1_200], [1_000, 6_800]], labels=["benign", "malignant"])
    assert howsure.assess(large, positive="malignant").headline.startswith(
        "Accuracy 89.0 % [88.6, 89.4] on 20,000 cases; always answering benign: 61.0 %.\nmalignant (7,800 cases): "
    )
    many = np.diag([5_000, 5_000, 5_000]) + np.array([[0, 1_200, 0], [0, 0, 0], [0, 0, 0]])
    said = howsure.assess(howsure.Confusion(many, labels=["a", "b", "c"])).headline
    assert "a (80.6 % of 6,200 [" in said
    assert "a predicted as b, 1,200 of 1,200 errors." in said
    answers = howsure.assess(correct=np.arange(1_500) % 3 > 0)
    assert answers.headline.endswith("] on 1,500 cases.")
    two = howsure.agreement({"x": np.arange(2_000) % 2, "y": np.arange(2_000) % 2})
    assert " of 2,000 items" in two.headline
    assert "All ratings agree in 2,000 of 2,000 items with two or more ratings." in two.headline
    truth = [*["y", "n"] * 600, *[None] * 3_000]
    judged = howsure.assess(truth, judge=["y", "n"] * 2_100, positive="y")
    assert judged.headline.startswith("y: 50.0 % of 4,200 cases ")
    assert "1,200 human labels and 3,000 judge labels carry as much information as " in judged.headline


def test_many_classes():
    table = howsure.Confusion([[50, 0, 0], [0, 47, 3], [0, 4, 46]], labels=["setosa", "versicolor", "virginica"])
    assert howsure.assess(table).headline == (
        "Accuracy 95.3 % [90.7, 97.7] on 150 cases; always answering setosa: 33.3 %.\n"
        "Recall is lowest for virginica (92.0 % of 50 [81.2, 96.8]) and highest for setosa (100 % of 50 [92.9, 100]).\n"
        "Most frequent error: virginica predicted as versicolor, 4 of 7 errors."
    )
    same = howsure.assess(howsure.Confusion([[9, 1, 0], [0, 9, 1], [1, 0, 9]], labels=["a", "b", "c"])).headline
    assert "Recall is the same for every class, 90.0 %." in same
    assert "Most frequent error" not in same


def test_scores():
    truth, said = [0] * 6 + [1] * 4, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.55, 0.7, 0.8, 0.9]
    lines = howsure.assess(truth, scores=said).headline.splitlines()
    assert lines == [
        "Accuracy 90.0 % [59.6, 99.7] on 10 cases; not significantly better than always answering class 0 (60.0 %).",
        "class 1 (4 cases): 100 % found [47.3, 100]; 80.0 % of its positive predictions are correct [37.6, 99.5].",
        "The scores do not rank the cases significantly better than chance: AUC 0.958 [0.424, 0.999].",
    ]


def test_a_prevalence_and_costs():
    truth, said = scored((1, 0))
    a = howsure.assess(truth, scores=said)
    at = a.at_prevalence(0.02).headline
    assert " at a prevalence of 2.0 % of class True, estimated from 400 cases; " in at
    assert at.splitlines()[0].endswith("always answering class False (98.0 %).")
    assert "alibrated" not in at  # probabilities are those of the sample
    costs = howsure.Costs(false_negative=5, false_positive=1)
    costly = howsure.assess(truth, scores=said, costs=costs)
    choice = costly.best_threshold()
    assert costly.headline.splitlines()[-1] == (
        f"Mean cost {costly['mean_cost'].value:.3f} {costly['mean_cost'].interval()} per case; the cheapest threshold "
        f"on these cases is {choice.threshold:.3f} ({choice.value:.3f})."
    )


def test_weights():
    weight = np.where(np.arange(10) < 5, 0.5, 1.5)
    head = howsure.assess([0, 1] * 5, [0, 1] * 4 + [1, 0], weight=weight).headline
    assert " on 10 cases (weighted; effective sample size 8.0); " in head


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        (
            ["a"] * 9,
            ["a"] * 9,
            "Accuracy 100 % [70.1, 100] on 9 cases; the truth contains only a, so discrimination cannot be assessed.",
        ),
        (
            ["a"] * 9,
            ["b"] * 9,
            "Accuracy 0 % [0, 29.9] on 9 cases; the truth contains only a, so discrimination cannot be assessed.\n"
            "No case is b, so its recall is undefined.",
        ),
        (
            [0] * 9,
            [0] * 9,
            "Accuracy 100 % [70.1, 100] on 9 cases; the truth contains only class 0, so discrimination cannot be "
            "assessed.\n0 and 1 are taken as the two classes; no case is class 1, so its recall is undefined.",
        ),
        (
            ["a"] * 9 + ["b"],
            ["a"] * 10,
            "Accuracy 90.0 % [59.6, 99.7] on 10 cases; no better than always answering a (90.0 %).\n"
            "b (1 case): none found (0 % [0, 97.5]); never predicted.",
        ),
        (
            ["a"],
            ["a"],
            "Accuracy 100 % [2.5, 100] on 1 case; the truth contains only a, so discrimination cannot be assessed.",
        ),
    ],
)
def test_little_to_say(truth, predicted, expected):
    assert howsure.assess(truth, predicted).headline == expected


def test_shown_to_be_worse_than_the_guess():
    head = howsure.assess([0] * 80 + [1] * 20, [1] * 80 + [0] * 20).headline
    assert head.startswith(
        "Accuracy 0 % [0, 3.7] on 100 cases; significantly worse than always answering class 0 (80.0 %)."
    )


def test_the_wrong_way_round():
    truth = [0] * 50 + [1] * 50
    assert (
        "The scores rank the cases the wrong way round: AUC 0.000 ["
        in howsure.assess(truth, scores=np.linspace(1, 0, 100)).headline
    )
    alike = np.tile(np.linspace(0, 1, 50), 2)
    assert (
        " do not rank the cases significantly better than chance: AUC 0.500 ["
        in howsure.assess(truth, scores=alike).headline
    )


@pytest.mark.parametrize(
    ("odds", "said"),
    [
        ((1, 0), "Well calibrated on average: predicted "),
        ((3, 0), "Probabilities are too extreme: errors are more frequent than they predict."),
        ((0.2, 0), "Probabilities are too cautious: errors are less frequent than they predict."),
        ((1, 1), "Probabilities are too high on average: predicted "),
        ((1, -1), "Probabilities are too low on average: predicted "),
    ],
)
def test_probabilities_in_a_word(odds, said):
    truth, probabilities = scored(odds, 2000)
    assert said in howsure.assess(truth, scores=probabilities).headline


def test_no_word_on_probabilities_without_evidence():
    truth, probabilities = scored((1, 0), 30)
    for scores in (probabilities, probabilities * 10):  # the second are no probabilities
        head = howsure.assess(truth, scores=scores).headline
        assert "Probabilities" not in head
        assert "calibrated" not in head


def test_right_probabilities_are_seldom_blamed():
    """Two questions at the 5 % level together: in 400 samples at most 35 false words (4 standard errors above 20)."""
    blamed = 0
    for seed in range(400):
        truth, said = scored((1, 0), 300, seed)
        blamed += "Probabilities are too" in howsure.assess(truth, scores=said).headline
    assert blamed <= 20 + 4 * math.sqrt(400 * 0.05 * 0.95)


def test_the_statistics_of_calibration():
    """Spiegelhalter's z by its own formula, case by case."""
    truth, said = scored((1.5, 0.2), 200)
    n, gap, error, z = calibration(said, truth.astype(float), 1.0 - truth)
    assert n == 200
    assert gap == pytest.approx(said.mean() - truth.mean(), rel=1e-12)
    assert error == pytest.approx(np.sqrt((said * (1 - said)).sum()) / 200, rel=1e-12)
    expected = ((truth - said) * (1 - 2 * said)).sum() / np.sqrt(((1 - 2 * said) ** 2 * said * (1 - said)).sum())
    assert z == pytest.approx(expected, rel=1e-12)
    certain = calibration(np.array([0.0, 1.0]), np.array([1.0, 5.0]), np.array([5.0, 0.0]))
    assert certain[3] == math.inf  # a case called impossible happened


def test_groups_worst_first():
    truth = ["b"] * 30 + ["m"] * 30
    predicted = ["b"] * 20 + ["m"] * 10 + ["m"] * 30
    site = (["north"] * 15 + ["south"] * 15) * 2
    groups = howsure.assess(truth, predicted, by=site)
    assert groups.headline.splitlines() == [
        "Accuracy 83.3 % [72.0, 90.7] on 60 cases; by group from 66.7 % (south) to 100 % (north), 33.3 points apart.",
        "south (30 cases): accuracy 66.7 % [48.8, 80.8], recall of m 100 % [79.6, 100].",
        "north (30 cases): accuracy 100 % [88.6, 100], recall of m 100 % [79.6, 100].",
    ]
    assert groups.to_dict()["headline"] == groups.headline.splitlines()
    many = howsure.assess(truth, predicted, by=[f"g{index % 20}" for index in range(60)])
    assert many.headline.splitlines()[-1] == "8 more groups are at least as accurate."


def test_findings_of_groups_name_their_group_in_one_way():
    groups = howsure.assess(["a"] * 9 + ["b"], ["a"] * 10, by=["x"] * 5 + ["y"] * 5)
    told = [str(finding) for finding in groups.findings]
    assert all(": group x: " in line or ": group y: " in line for line in told)
    assert all(line in groups.text(width=1000).splitlines() for line in told)
    assert set(told) <= set(groups.notes)


def test_pooled_assessments_of_experiments_have_one():
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    made = howsure.Experiment({"bayes": GaussianNB()}, {"iris": load_iris()}, howsure.KFold(3), seed=0)
    assert " on 150 cases" in made.run(progress=False).assess("bayes").headline


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.5, "50.0 %"), (1, "100 %"), (0, "0 %"), (0.9999, "99.99 %"), (0.99999, "over 99.99 %"), (1e-6, "under 0.01 %")],
)
def test_percent_never_says_all_or_nothing_of_less(value, expected):
    assert percent(value) == expected


def test_a_class_without_a_name_is_named():
    a = howsure.assess(["", "b", "", "b"] * 20, ["", "b", "b", "b"] * 20)
    assert a.headline.splitlines()[0].endswith("always answering (empty): 50.0 %.")
