"""A comparison at hand in the lab: samples like its own, in which the two are equal, and in which they are not."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.cli import main
from howsure.lab import like
from howsure.lab.like_comparison import half_cases

RNG = np.random.default_rng(3)
TRUTH = (RNG.random(150) < 0.2).astype(int)
LABELS = {name: np.where(RNG.random(150) < right, TRUTH, 1 - TRUTH) for name, right in (("a", 0.95), ("b", 0.7))}
SCORES = {name: RNG.normal(apart * TRUTH) for name, apart in (("a", 2.0), ("b", 0.5))}


@pytest.mark.parametrize("measure", ["accuracy", "f1", "specificity", "mcc"])
def test_labels_are_drawn_from_the_table_with_the_cases_that_the_test_adds(measure):
    comparison = howsure.compare(TRUTH, LABELS, measure=measure)
    equal, apart = like(comparison, rounds=400).rows
    assert equal.difference == 0
    assert equal.rate.value < 0.06 + 3 * equal.rate.error
    observed = comparison.pair().difference.value
    assert apart.difference == pytest.approx(observed, abs=0.05)  # halves of cases draw it towards 0
    assert abs(apart.difference) < abs(observed)
    assert apart.rate.value > 0.5
    assert apart.coverage == pytest.approx(0.95, abs=0.04)


def test_the_class_of_the_measure_is_that_of_the_comparison():
    turned = howsure.compare(TRUTH, LABELS, measure="recall", positive=0)
    assert like(turned, rounds=50).rows[1].difference == pytest.approx(turned.difference.value, abs=0.03)


def test_scores_are_as_far_apart_as_their_areas():
    comparison = howsure.compare(TRUTH, scores=SCORES)
    equal, apart = like(comparison, rounds=100).rows
    assert equal.difference == 0
    assert apart.difference == pytest.approx(comparison.difference.value, abs=1e-3)
    assert apart.rate.value > 0.5


def test_more_classes_are_drawn_too():
    truth = RNG.integers(0, 3, 90)
    guesses = {name: np.where(RNG.random(90) < 0.7, truth, RNG.integers(0, 3, 90)) for name in "ab"}
    equal, _ = like(howsure.compare(truth, guesses, measure="f1"), rounds=60).rows
    assert equal.rate.value < 0.06 + 3 * equal.rate.error
    assert half_cases(3).sum() == pytest.approx(3)  # half a case for each of two classifiers, in three classes


@pytest.mark.long
def test_splits_are_simulated_with_learners_that_stand_in():
    experiment = howsure.Experiment(
        learners={"tree": DecisionTreeClassifier(max_depth=1), "bayes": GaussianNB()},
        datasets={"some": (RNG.normal(size=(60, 3)), np.arange(60) % 2)},
        resampling=howsure.KFold(5),
    )
    result = like(experiment.run().compare(), rounds=10)
    assert [row.population for row in result.rows] == [
        "two equal nearest mean learners", "two equal tree learners", "two equal nearest neighbour learners"
    ]  # fmt: skip
    assert {row.test for row in result.rows} == {"corrected_paired_t"}
    assert "60 cases, KFold(folds=5" in result.title


def test_what_cannot_be_simulated_is_refused():
    with pytest.raises(howsure.HowsureError, match="`comparison` must be a result of `compare`"):
        like(TRUTH)
    with pytest.raises(howsure.HowsureError, match="is undefined for this comparison"):
        like(howsure.compare([0, 0, 0], {"a": [0, 0, 1], "b": [0, 1, 1]}, measure="recall"))
    with pytest.raises(howsure.HowsureError, match="`rounds` must be"):
        like(howsure.compare(TRUTH, LABELS), rounds=0)


@pytest.fixture
def file(tmp_path):
    rows = ["y,a,b", *(f"{y},{a},{b}" for y, a, b in zip(TRUTH, *LABELS.values(), strict=True))]
    path = tmp_path / "predictions.csv"
    path.write_text("\n".join(rows))
    return [str(path), "--truth", "y", "--predicted", "a", "--predicted", "b"]


def test_the_command_line_says_the_verdict_and_what_the_lab_found(file):
    result = CliRunner().invoke(main, ["compare", *file, "--measure", "f1", "--lab"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("a is better than b")
    assert "Delta test for equal classifiers like these: type I error rate" in " ".join(result.output.split())
    rows = json.loads(CliRunner().invoke(main, ["compare", *file, "--lab", "--json"]).output)["rows"]
    assert [row["test"] for row in rows] == ["mcnemar", "mcnemar"]
    for other in ("--tests", "--methods"):
        assert CliRunner().invoke(main, ["compare", *file, "--lab", other]).exit_code == 2


def test_the_lab_tests_pairs_at_the_command_line():
    options = ["lab", "f1", "--n", "50", "--prevalence", "0.2", "--rounds", "100", "--pair", "equal", "--json"]
    (row,) = json.loads(CliRunner().invoke(main, options).output)["rows"]
    assert (row["test"], row["rounds"], row["difference"]) == ("paired_delta", 100, 0)
    for wrong in (["--slope", "2"], ["--method", "wald"], ["--test", "delong"]):
        assert CliRunner().invoke(main, [*options, *wrong]).exit_code == 2
    assert CliRunner().invoke(main, ["lab", "f1", "--correlation", "0.5"]).exit_code == 2
