"""Is it really better: the right test for what is in hand, and a verdict that agrees with it."""

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure import Experiment, HowsureError, KFold, compare, plan
from howsure.comparison import compare_datasets, compare_folds, compare_predictions, gate
from howsure.intervals import hodges_lehmann, hodges_lehmann_estimate
from howsure.measures import registry
from howsure.measures.estimate.difference import difference_of
from howsure.significance import (
    cautious_paired_t,
    cochran_q,
    delong,
    five_by_two_f,
    iman_davenport,
    mcnemar,
    paired_delta,
    permutation,
    wilcoxon,
)
from howsure.tables import Design, FoldTable, PairedTable


def cases(n=300, seed=0, k=2, quality=(0.85, 0.8)):
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    return truth, [np.where(rng.random(n) < q, truth, rng.integers(k, size=n)) for q in quality]


def test_accuracy_of_two_is_compared_by_mcnemar():
    truth, (a, b) = cases()
    found = compare(truth, {"a": a, "b": b})
    only_a, only_b = int(((a == truth) & (b != truth)).sum()), int(((a != truth) & (b == truth)).sum())
    expected = mcnemar(only_b, only_a, n=300)
    assert found.test == expected
    assert found.difference.value == pytest.approx((a == truth).mean() - (b == truth).mean(), rel=1e-12)
    interval = found.difference.interval()
    assert interval.method == "tango"
    assert interval.low < found.difference.value < interval.high
    assert (interval.low > 0 or interval.high < 0) == (mcnemar(only_b, only_a, method="chi2").pvalue < 0.05)


def test_the_error_rate_is_the_mirror_of_accuracy():
    truth, (a, b) = cases()
    right, wrong = compare(truth, {"a": a, "b": b}), compare(truth, {"a": a, "b": b}, measure="error_rate")
    assert wrong.difference.value == pytest.approx(-right.difference.value, rel=1e-12)
    assert wrong.difference.interval().low == pytest.approx(-right.difference.interval().high, rel=1e-9)
    assert wrong.test.pvalue == right.test.pvalue
    assert wrong.records()[0]["a_better"] == pytest.approx(right.records()[0]["a_better"], abs=0.02)


@pytest.mark.parametrize("measure", ["f1", "kappa", "mcc", "precision", "balanced_accuracy", "recall"])
@pytest.mark.parametrize("k", [2, 3])
def test_the_standard_error_of_any_difference_is_that_of_the_bootstrap(measure, k):
    truth, (a, b) = cases(400, 1, k)
    found = compare(truth, {"a": a, "b": b}, measure=measure)
    predictions = [howsure.Predictions.of(truth, one, labels=range(k)) for one in (a, b)]
    difference = difference_of(*predictions, registry[measure])
    assert difference.value == pytest.approx(found.difference.value, rel=1e-12)
    rng = np.random.default_rng(3)
    drawn = []
    for _ in range(400):
        rows = rng.integers(400, size=400)
        drawn.append(
            np.subtract(*(howsure.assess(truth[rows], one[rows], labels=range(k))[measure].value for one in (a, b)))
        )
    assert difference.standard_error == pytest.approx(
        np.std(drawn), rel=0.15
    )  # 400 draws: the sd has an error of 3.5 %


def test_any_other_label_measure_is_compared_by_its_own_error():
    truth, (a, b) = cases()
    found = compare(truth, {"a": a, "b": b}, measure="f1")
    assert found.test == paired_delta(truth, a, b, measure="f1")
    assert found.difference.value == pytest.approx(f1_score(truth, a) - f1_score(truth, b), rel=1e-12)


def test_scores_are_compared_by_delong():
    rng = np.random.default_rng(2)
    truth = rng.integers(2, size=200)
    a, b = truth + rng.normal(size=200), truth + 2 * rng.normal(size=200)
    found = compare(truth, scores={"a": a, "b": b})
    assert found.measure == "auc"
    assert found.test == delong(truth, a, b, method="student")
    assert found.difference.value == pytest.approx(roc_auc_score(truth, a) - roc_auc_score(truth, b), rel=1e-9)
    half = compare(truth, scores={"a": a, "b": b}, measure="gini")
    assert half.difference.value == pytest.approx(2 * found.difference.value, rel=1e-9)
    soft = compare(truth, scores={"a": 1 / (1 + np.exp(-a)), "b": 1 / (1 + np.exp(-b))}, measure="brier")
    assert soft.better == "lower"
    assert "a is better than b" in soft.verdict or "No significant difference" in soft.verdict


def test_more_than_two_are_tested_together_and_in_pairs():
    truth, predicted = cases(400, 5, quality=(0.9, 0.8, 0.6))
    named = dict(zip("abc", predicted, strict=True))
    found = compare(truth, named)
    assert found.omnibus == cochran_q(np.column_stack([one == truth for one in predicted])) == found.test
    raw = [pair.test.pvalue for pair in found.pairs]
    assert [pair.name for pair in found.pairs] == ["a - b", "a - c", "b - c"]
    assert all(pair.adjusted >= p for pair, p in zip(found.pairs, raw, strict=True))
    assert found.ranking().names == ("a", "b", "c")
    assert found.ranking().tiers == (("a",), ("b",), ("c",))
    assert found.verdict.startswith("a has the best accuracy, ")
    assert "all classifiers together: Cochran's Q test, p < 0.001" in found.sheet().notes
    against = compare(truth, named, baseline="b")
    assert [pair.name for pair in against.pairs] == ["a - b", "c - b"]
    assert against.omnibus is None
    plain = compare(truth, named, adjust="none")
    assert [pair.adjusted for pair in plain.pairs] == raw


def test_identical_classifiers_are_told_so():
    truth, (a, _) = cases()
    for measure in ("accuracy", "f1", "kappa"):
        found = compare(truth, {"a": a, "b": a.copy()}, measure=measure)
        assert found.test.pvalue == 1
        assert found.difference.value == 0
        equal = measure != "kappa"  # its range is twice as wide, so 300 cases do not exclude a difference of 0.01
        assert ("a and b are practically equal: " in found.verdict) == equal
        assert ("No significant difference between a and b: " in found.verdict) == (not equal)
    few = compare(truth[:20], {"a": a[:20], "b": a[:20].copy()})
    assert few.verdict.startswith("No significant difference between a and b: ")
    scores = compare(truth, scores={"a": a * 1.0, "b": a * 1.0})
    assert scores.test.pvalue == 1
    assert scores.ranking().tiers == (("a", "b"),)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["accuracy", "f1", "mcc"]))
def test_swapping_the_classifiers_mirrors_the_result(seed, measure):
    truth, (a, b) = cases(60, seed)
    one = compare(truth, {"a": a, "b": b}, measure=measure)
    other = compare(truth, {"b": b, "a": a}, measure=measure)
    assert other.difference.value == pytest.approx(-one.difference.value, rel=1e-12, abs=1e-15)
    assert other.test.pvalue == pytest.approx(one.test.pvalue, rel=1e-9)
    assert 0 <= one.test.pvalue <= 1
    assert other.difference.interval().low == pytest.approx(-one.difference.interval().high, rel=1e-9, abs=1e-12)


def test_labels_and_columns_of_a_frame_or_a_file(tmp_path):
    import pandas as pd

    truth, (a, b) = cases()
    names = np.array(["no", "yes"])
    frame = pd.DataFrame({"y": names[truth], "a": names[a], "b": names[b], "s": a + 0.1, "t": b + 0.2})
    path = tmp_path / "f.csv"
    frame.to_csv(path, index=False)
    expected = compare(truth, {"a": a, "b": b}).test
    assert compare("y", {"a": "a", "b": "b"}, data=frame).test == expected
    assert compare("y", ["a", "b"], data=frame).test == expected
    assert compare("y", ["a", "b"], data=path).test == expected
    assert compare("y", scores=["s", "t"], data=path).test == compare(truth, scores={"s": a + 0.1, "t": b + 0.2}).test
    rare = compare(["a", "b", "c"] * 9, {"one": ["a", "b", "c"] * 9, "two": ["a", "b", "b"] * 9})
    assert rare.difference.value == pytest.approx(1 / 3)  # a class that one of them never predicts


@pytest.fixture(scope="module")
def folds():
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "vote": DummyClassifier()}
    return Experiment(learners, {"cancer": load_breast_cancer()}, KFold(5, repeats=2), seed=0).run(progress=False)


def test_learners_on_repeated_splits_are_compared_by_the_cautious_t(folds):
    found = folds.compare("accuracy")
    table = folds.scores("accuracy")
    pair = found.pair("bayes", "tree")
    assert pair.test == cautious_paired_t(table["bayes"], table["tree"], table.design.ratio, table.repeat)
    assert pair.difference.value == pytest.approx((table["bayes"] - table["tree"]).mean())
    interval = pair.difference.interval()
    assert (interval.low > 0 or interval.high < 0) == (pair.test.pvalue < 0.05)
    assert pair.bayesian.left + pair.bayesian.rope + pair.bayesian.right == pytest.approx(1)
    reasons = {test.name: reason for test, reason in found.tests_valid.invalid}
    assert "it assumes independent splits" in reasons["paired_t"]
    assert "repeated predictions of the same case are not independent" in reasons["mcnemar"]
    assert "is better than vote" in found.verdict or "not significantly better than" in found.verdict
    assert found.tests("bayes", "tree").rows[0][0] == pair.test.method
    assert folds.compare("auc", baseline="vote").pairs[0].b == "vote"


@pytest.mark.parametrize(
    ("test", "method"),
    [
        ("cautious_paired_t", "cautious-t"),
        ("corrected_paired_t", "corrected-t"),
        ("corrected_paired_t_folds", "corrected-t-folds"),
        ("corrected_paired_t_once", "corrected-t-once"),
    ],
)
def test_a_test_of_splits_is_chosen_by_its_name(folds, test, method):
    found = folds.compare("accuracy", test=test)
    assert {pair.test.test.name for pair in found.pairs} == {test}
    assert {pair.difference.interval(method=method).method for pair in found.pairs} == {method}
    for pair in found.pairs:
        assert pair.difference.methods[0] == method
        low, high = pair.difference.interval()
        assert (low > 0 or high < 0) == (pair.test.pvalue < 0.05)
    assert found.tests("bayes", "tree").rows[0][4] == "*"


def test_a_test_that_is_not_valid_for_the_splits_is_refused(folds):
    with pytest.raises(howsure.HowsureError, match=r"`test` must be one of 'cautious_paired_t', .* not 'paired_t'"):
        folds.compare("accuracy", test="paired_t")
    once = Experiment({"a": GaussianNB(), "b": DummyClassifier()}, {"iris": load_iris()}, howsure.Holdout())
    with pytest.raises(howsure.HowsureError, match="leave it out"):
        once.run(progress=False).compare(test="corrected_paired_t")


@pytest.fixture(scope="module")
def halves():
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    return Experiment(learners, {"iris": load_iris()}, howsure.FiveByTwo(), seed=0).run(progress=False)


def test_halves_can_be_compared_by_the_five_by_two_f(halves):
    found, table = halves.compare(test="five_by_two_f"), halves.scores("accuracy")
    differences = (table["bayes"] - table["tree"]).reshape(5, 2)
    assert found.test == five_by_two_f(differences)
    for shift, inside in ((0.999, True), (1.001, False)):  # the interval holds what the test would not reject
        high = found.difference.interval().high
        centre = float(differences.mean())
        moved = five_by_two_f(differences - centre - shift * (high - centre))
        assert (moved.pvalue > 0.05) == inside
    assert "two-sided" not in found.methods_text()  # an F test has no sides
    assert ", two-sided, at the 5 % level." in halves.compare().methods_text()


def test_one_split_is_compared_by_its_cases():
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    result = Experiment(learners, {"cancer": load_breast_cancer()}, howsure.Holdout(), seed=0).run(progress=False)
    assert result.compare().test.method.startswith("McNemar's test")
    assert result.compare("auc").test.method == "DeLong's test"


def test_several_data_sets_count_once_each():
    rng = np.random.default_rng(0)
    data = {}
    for number in range(8):
        X = rng.normal(size=(60, 4))
        y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=60) > 1).astype(int)
        data[f"d{number}"] = (X, y)
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "vote": DummyClassifier()}
    result = Experiment(learners, data, KFold(5), seed=0).run(progress=False)
    found = result.compare()
    means = np.array([[result.scores("accuracy", name).estimate(one).value for one in learners] for name in data])
    assert found.omnibus == iman_davenport(means, names=list(learners))
    assert found.pair("bayes", "tree").test == wilcoxon(means[:, 0], means[:, 1])
    assert found.generalises == "new data sets of this kind"
    assert found.ranks.names == tuple(learners)
    assert found.ranks.cd > 0
    assert result.compare(dataset="d3").generalises.startswith("these learners on data of this kind")
    errors = result.compare("error_rate")
    assert errors.pair("bayes", "tree").test.pvalue == pytest.approx(found.pair("bayes", "tree").test.pvalue)
    assert errors.omnibus.pvalue == pytest.approx(found.omnibus.pvalue)


def test_splits_without_a_value_are_left_out_and_said_so():
    table = (
        Experiment({"a": GaussianNB(), "b": DecisionTreeClassifier()}, {"iris": load_iris()}, KFold(5), seed=0)
        .run(progress=False)
        .scores("accuracy")
    )
    table.values[2, 1] = np.nan
    found = compare_folds(table, "higher")
    assert "1 split without a value for both learners was left out" in found.test.notes
    table.values[:, 1] = np.nan
    none = compare_folds(table, "higher")
    assert np.isnan(none.test.pvalue)
    assert none.verdict == "a and b cannot be compared by accuracy: no split has a value for both learners."
    assert compare_datasets([table, replace(table, dataset="again")], "higher").verdict.startswith(
        "a and b cannot be compared by accuracy: "
    )


def test_every_surface_tells_the_same(folds):
    found = folds.compare("accuracy")
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["verdict"] == found.verdict
    assert [one["pvalue"] for one in told["pairs"]] == [pair.test.pvalue for pair in found.pairs]
    assert found.frame()["difference"].tolist() == [pair.difference.value for pair in found.pairs]
    assert found.verdict in " ".join(str(found).split())
    odd = compare([0, 1] * 20, {"<script>": [0, 1] * 20, "b": [1, 0] * 20})
    assert "<script>" not in odd._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "`compare` needs either `predicted` or `scores`."),
        ({"predicted": {"a": [0, 1]}}, "`predicted` must name at least two classifiers to compare, not 1."),
        (
            {"predicted": 3},
            "`predicted` must be a mapping of names to columns, such as {'tree': ..., 'bayes': ...}, not int.",
        ),
        (
            {"predicted": {"a": [0, 1], "b": [0, 1]}, "alpha": 2},
            "`alpha` must be a number between 0 and 1, not 2; did you mean 0.02?",
        ),
        ({"predicted": {"a": [0, 1], "b": [0, 1]}, "alpha": "x"}, "`alpha` must be a number between 0 and 1, not 'x'."),
        ({"predicted": {"a": [0, 1], "b": [0, 1]}, "rope": -1}, "`rope` must be 0 or above, not -1."),
        (
            {"predicted": {"a": [0, 1], "b": [0, 1]}, "adjust": "holmm"},
            "`adjust` must be one of 'bonferroni', 'holm', 'hochberg', 'hommel', 'sidak', 'holm-sidak', 'bh', 'by', "
            "'shaffer', 'bergmann-hommel', 'none', not 'holmm'; did you mean 'holm'?",
        ),
        (
            {"predicted": {"a": [0, 1], "b": [0, 1]}, "baseline": "c"},
            "`baseline` must be one of 'a', 'b', not 'c'.",
        ),
        (
            {"predicted": {"a": [0, 1], "b": [0, 1]}, "measure": "auc"},
            "`auc` needs scores of two classes; give `scores=...`.",
        ),
        (
            {"predicted": {"a": [0, 1], "b": [0, 1, 1]}},
            "`truth` has 2 rows and `b` has 3; they must be of equal length.",
        ),
        (
            {"predicted": {"a": [0, 1], "b": [0, 1]}, "measure": "prevalence"},
            "`prevalence` has no better or worse values, so it cannot be used to compare.",
        ),
    ],
)
def test_refusals(arguments, said):
    with pytest.raises(HowsureError) as refused:
        compare([0, 1], **arguments)
    assert str(refused.value) == said


def test_a_gate_opens_when_no_loss_is_shown():
    truth, (good, poor) = cases(1000, 3, quality=(0.9, 0.8))
    found = compare(truth, {"old": poor, "new": good})
    better = gate(found, "new", "old", superior=True)
    assert better.passed
    assert better.bound > 0
    assert better.verdict.startswith("new is better than old: accuracy ")
    back = gate(found, "old", "new", margin=0.01)
    assert not back.passed
    assert back.gain == pytest.approx(-better.gain)
    assert back.verdict.startswith("Not shown: old may be worse than new by more than 1 point: accuracy ")
    assert str(better).startswith("PASS  new is better than old: accuracy ")
    assert str(back).startswith("FAIL  Not shown: old may be worse than new by more than 1 point:")
    errors = gate(compare(truth, {"old": poor, "new": good}, measure="error_rate"), "new", "old", superior=True)
    assert errors.bound == pytest.approx(better.bound, rel=1e-9)
    same = compare(truth, {"old": good, "new": good.copy()})
    assert gate(same, "new", "old", margin=0.01).passed
    not_better = gate(same, "new", "old", superior=True)
    assert not not_better.passed
    assert not_better.verdict.startswith("Not shown: new may be no better than old: ")
    with pytest.raises(HowsureError) as refused:
        gate(found, "new", "old", margin=-1)
    assert str(refused.value) == "`margin` must be a number, 0 or above, not -1."
    with pytest.raises(HowsureError, match="exclude each other: superiority is a gain above 0"):
        gate(found, "new", "old", margin=0.1, superior=True)


def test_a_gate_of_several_measures_and_groups_opens_only_when_all_pass():
    truth, (good, poor) = cases(1000, 3, quality=(0.95, 0.7))
    site = np.where(np.arange(1000) < 600, "north", "south")
    both = gate(truth, good, poor, measure=["accuracy", "recall"], by=site, margin=0.01)
    assert both.passed
    assert [(part.measure, part.group) for part in both.parts] == [
        *(("accuracy", "north"), ("accuracy", "south"), ("recall", "north"), ("recall", "south"))
    ]
    rows = site == "south"
    alone = gate(truth[rows], good[rows], poor[rows], margin=0.01)
    assert both.parts[1] == replace(alone.parts[0], group="south")
    assert both.bound == min(part.bound for part in both.parts)
    said = " ".join(str(both).split())
    assert said.startswith("PASS candidate is no worse than baseline by more than 0.01 in all 4 checks; the worst: ")
    worse = good.copy()
    worse[900:] = 1 - worse[900:]
    one = gate(truth, worse, poor, by=site, margin=0.01)
    assert [part.passed for part in one.parts] == [True, False]
    assert not one.passed
    assert one.bound == one.parts[1].bound
    assert "in 1 of 2 checks; the worst: group south, accuracy " in one.verdict
    assert one.to_markdown().startswith(
        "**FAIL: Not shown: candidate may be worse than baseline by more than 0.01 in 1 of 2 checks"
    )
    assert [record["passed"] for record in one.records()] == [True, False]
    assert json.loads(json.dumps(one.to_dict()))["parts"][1]["group"] == "south"


def test_a_gate_without_an_interval_is_closed_and_says_why():
    truth, (good, poor) = cases(200, 3)
    site = np.where(np.arange(200) < 190, "all", "none")
    truth[190:], good[190:], poor[190:] = 0, 0, 0
    found = gate(truth, good, poor, measure="recall", by=site, margin=0.9)
    assert [part.passed for part in found.parts] == [True, False]
    assert found.worst.reason == "candidate: no case belongs to this class"
    assert np.isnan(found.bound)
    assert "; no interval: candidate: no case belongs to this class" in found.verdict
    assert found.to_dict()["bound"] is None
    values = np.array([[0.9, 0.8]] * 5)  # no spread, so nothing is known of the error of the difference
    design = Design(KFold(5), 100, 5, 1, 80.0, 20.0, 0.8, 1.0)
    table = FoldTable(values, ("new", "old"), "x", "accuracy", design, np.zeros(5, int), np.zeros(5, int))
    constant = gate(compare_folds(table, "higher"), "new", "old", superior=True)
    assert not constant.passed
    assert "all values are equal" in constant.verdict


def outcomes(gains, losses, n):
    """Labels of a candidate and a baseline of which one only is right so often, and the truth."""
    truth = np.arange(n) % 2
    new, old = truth.copy(), truth.copy()
    old[:gains], new[gains : gains + losses] = 1 - old[:gains], 1 - new[gains : gains + losses]
    return truth, new, old


def test_a_closed_gate_says_how_many_cases_would_open_it():
    found = gate(*outcomes(20, 18, 400), margin=0.01)
    planned = plan.non_inferiority(power=0.8, margin=0.01, difference=0.005, discordant=38 / 400)
    assert found.worst.needed == pytest.approx(planned.n, rel=0.03)  # a normal formula beside the exact power
    said = f"About {found.worst.needed:,} cases would be needed to pass with probability 0.8 if the true gain is "
    assert found.outlook == f"{said}0.5 points, as observed."
    nearly = gate(*outcomes(20, 22, 400), margin=0.006)
    assert nearly.worst.needed > 10 * 400
    assert nearly.outlook.startswith(
        f"More cases will hardly help: about {nearly.worst.needed:,} cases would be needed "
    )
    assert " ".join(str(found).split()).endswith(f"(tango, n = 400). {found.outlook}")
    assert found.to_markdown().endswith(f"\n- {found.outlook}")
    assert found.outlook in found.to_html()
    assert found.to_dict()["outlook"] == found.outlook
    assert found.to_dict()["needed"] == found.records()[0]["needed"] == found.worst.needed
    unlucky = gate(*outcomes(18, 24, 400), margin=0.01)  # what was seen would never do, and 0 is not excluded
    assert unlucky.outlook.endswith("if the true gain is 0.")
    n = plan.non_inferiority(power=0.8, margin=0.01, discordant=42 / 400).n
    assert unlucky.worst.needed == pytest.approx(n, rel=0.03)
    for hopeless in (gate(*outcomes(5, 40, 400), margin=0.01), gate(*outcomes(18, 20, 400), superior=True)):
        assert (hopeless.passed, hopeless.outlook, hopeless.worst.needed) == (False, "", None)
        assert "About" not in str(hopeless)
    assert gate(*outcomes(40, 5, 400)).outlook == ""
    never_apart = gate(*outcomes(0, 0, 100), margin=0.01)
    assert 100 < never_apart.worst.needed < 1000


@pytest.mark.parametrize("measure", ["accuracy", "error_rate", "f1", "auc"])
@pytest.mark.parametrize("in_clusters", [False, True])
def test_with_the_cases_that_a_gate_asks_for_it_mostly_opens(measure, in_clusters):
    """Samples drawn from the one at hand, by clusters: 0.8 of the gates open, and 0.045 is the Monte Carlo error."""
    truth, new, old = outcomes(21, 20, 300)
    order = np.random.default_rng(0).permutation(300)  # clusters are of any cases
    truth, new, old = truth[order], new[order], old[order]
    rng, size = np.random.default_rng(1), 3 if in_clusters else 1
    noise = rng.normal(size=(2, 300)) * 0.6
    new, old = (new + noise[0], old + noise[1]) if measure == "auc" else (new, old)
    options = {"measure": measure, "margin": 0.02, "scores": measure == "auc"}

    def decide(rows):
        cluster = np.arange(len(rows)) // size if in_clusters else None
        return gate(truth[rows], new[rows], old[rows], **options, cluster=cluster)

    closed = decide(np.arange(300))
    assert not closed.passed
    part = closed.worst
    assert part.needed_clusters == (-(-part.needed // size) if in_clusters else None)
    clusters, opened = np.arange(300).reshape(-1, size), 0
    for _ in range(80):
        opened += decide(rng.choice(clusters, -(-part.needed // size)).ravel()).passed
    assert 0.62 < opened / 80 < 0.98


def test_the_farthest_of_several_checks_says_how_many_cases():
    truth, new, old = outcomes(20, 18, 400)
    site = np.where(np.arange(400) % 4 < 3, "north", "south")
    found = gate(truth, new, old, by=site, margin=0.02)
    failed = [part for part in found.parts if not part.passed]
    assert len(failed) == 2
    farthest = max(failed, key=lambda part: part.needed / part.n)
    assert found.outlook.startswith(
        f"For accuracy, group {farthest.group}, about {farthest.needed} cases would be needed to pass with "
    )
    assert found.outlook in " ".join(str(found).split())


def test_a_gate_never_shows_a_negative_0():
    truth, (good, _) = cases(100, 3)
    for measure in ("accuracy", "error_rate", "f1"):
        same = gate(truth, good, good.copy(), margin=0.1, measure=measure)
        assert "-0.0 " not in str(same)
        assert "-0.000" not in str(same) + same.to_csv() + same.to_markdown()
        assert '"gain": 0.0' in json.dumps(same.to_dict())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"measure": []}, "`measure` must be a name or several names of measures, not []."),
        ({"measure": [3]}, "`measure` must be a name or several names of measures, not [3]."),
        ({"by": [1, 2]}, "`truth` has 100 rows and `by` has 2; they must be of equal length."),
    ],
)
def test_refusals_of_a_gate(arguments, said):
    truth, (good, poor) = cases(100, 3)
    with pytest.raises(HowsureError) as refused:
        gate(truth, good, poor, **arguments)
    assert str(refused.value) == said
    with pytest.raises(HowsureError, match="a comparison has its own options; leave out `measure`"):
        gate(compare(truth, {"a": good, "b": poor}), "a", "b", measure="recall")


def test_equivalence_is_two_one_sided_tests():
    truth, (a, _) = cases(2000, 1)
    other = a.copy()
    other[:4] = 1 - other[:4]
    found = compare(truth, {"a": a, "b": other})
    assert found.equivalence(0.05).startswith("a and b differ by less than 0.05 in accuracy (90 % interval")
    assert found.equivalence(0.0001).startswith("Not shown: a and b may differ by 0.0001 or more in accuracy")
    with pytest.raises(HowsureError) as refused:
        found.equivalence(0)
    assert str(refused.value) == "`margin` must be a number above 0, not 0."


def fold_table(values, scheme=None, measure="accuracy"):
    values = np.asarray(values, float)
    splits = (scheme or KFold(len(values))).splits(100)
    parts = (np.array([getattr(split, part) for split in splits]) for part in ("repeat", "fold"))
    return FoldTable(values, ("new", "old"), splits.fingerprint, measure, splits.design, *parts)


@pytest.mark.parametrize("scheme", [KFold(10), KFold(5, repeats=2), howsure.FiveByTwo()])
@pytest.mark.parametrize("test", [None, "five_by_two_f"])
def test_equal_values_in_every_fold_are_no_proof_of_equal_classifiers(scheme, test):
    if test and not isinstance(scheme, howsure.FiveByTwo):
        return
    noise = np.random.default_rng(0).normal(0.8, 0.02, 10)
    found = compare_folds(fold_table(np.column_stack([noise, noise]), scheme), "higher", test=test)
    assert found.test.pvalue == 1
    assert np.isnan([*found.difference.interval()]).all()
    reason = "all values are equal, so the standard error is unknown"
    assert found.difference.interval().notes == (reason,)
    assert found.verdict.startswith("No significant difference between new and old: accuracy ")
    assert found.records()[0]["note"] == f"{reason}; all differences are 0, so there is nothing to test"
    assert found.equivalence(0.1) == (
        "Not shown: new and old may differ by 0.1 or more in accuracy (there is no 90 % interval of new - old: "
        f"{reason})"
    )


def test_differences_that_vary_by_rounding_alone_do_not_vary():
    old = np.array([0.1, 0.2, 0.3, 0.5, 0.7])
    pair = compare_folds(fold_table(np.column_stack([old + 0.1, old])), "higher").pairs[0]
    assert np.ptp((old + 0.1) - old) > 0
    assert pair.difference.value == 0.1
    assert np.isnan(pair.effect)


def test_the_reason_why_a_value_has_no_interval_stands_below_the_table():
    values = np.column_stack([np.linspace(0.7, 0.8, 5), np.full(5, 0.5)])
    found = compare_folds(fold_table(values), "higher")
    note = "old: no interval, because all values are equal, so the standard error is unknown"
    assert found.values_sheet().notes == found.ranking().sheet().notes[-1:] == (note,)
    assert note in found.text(width=1000)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_effect_sizes_have_the_direction_of_the_difference_that_is_shown(better):
    noise = np.random.default_rng(1).normal(0, 0.02, 10)
    values = np.column_stack([np.linspace(0.7, 0.8, 10) - 0.05 + noise, np.linspace(0.7, 0.8, 10)])
    found = compare_folds(fold_table(values, measure="kappa"), better)
    (pair,) = found.pairs
    first, second = found.oriented(pair)["names"]
    turn = 1 if first == "new" else -1
    assert turn == (-1 if better == "higher" else 1)
    assert found.records()[0]["Cohen's_d_of_pairs"] == pair.effect == -pair.reversed_effect < 0
    assert f"Cohen's d of pairs {turn * pair.effect:.3f}; " in found.text(width=1000)
    assert found.sheet().records()[0]["difference"] == f"{first} - {second}"
    assert found.oriented(pair)["difference"] == turn * pair.difference.value


def test_the_odds_ratio_has_the_direction_of_the_difference_that_is_shown():
    truth, new, old = outcomes(5, 20, 200)
    found = compare(truth, {"new": new, "old": old})
    assert found.pairs[0].effect == 0.25
    assert found.pairs[0].reversed_effect == 4
    assert "old - new" in found.text()
    assert "odds ratio of discordant cases 4.000" in found.text(width=1000)
    assert found.records()[0]["odds_ratio_of_discordant_cases"] == 0.25  # of a and b, as the record has them
    against = compare(truth, {"new": new, "old": old}, baseline="old").text(width=1000)
    assert "new - old" in against
    assert "odds ratio of discordant cases 0.250" in against
    never = compare(*(lambda truth, new, old: (truth, {"new": new, "old": old}))(*outcomes(0, 20, 200)))
    assert (never.pairs[0].effect, never.pairs[0].reversed_effect) == (0, np.inf)


def test_effect_sizes():
    truth, (a, b) = cases()
    odds = compare(truth, {"a": a, "b": b})
    only_a, only_b = ((a == truth) & (b != truth)).sum(), ((a != truth) & (b == truth)).sum()
    assert odds.pairs[0].effect == pytest.approx(only_a / only_b)
    rates = compare(truth, {"a": a, "b": b}, measure="kappa")
    assert rates.effect_name == "standardised difference"
    assert np.sign(rates.pairs[0].effect) == np.sign(rates.difference.value)


def test_a_note_quotes_what_simulations_said_of_its_test(folds):
    truth, (a, b) = cases()

    def notes(found):
        return "\n".join(found.sheet().notes)

    found = compare(truth, {"a": a, "b": b})
    assert "simulated type-I error at the 5 % level: " in notes(found)
    assert "simulated" not in found.verdict
    assert "simulated" not in notes(compare(truth, {"a": a, "b": b}, alpha=0.01))  # another level was not simulated
    assert "simulated" not in notes(folds.compare())  # nor were five folds
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    ten = Experiment(learners, {"iris": load_iris()}, KFold(10), seed=0).run(progress=False)
    assert re.search(
        r": exchangeable classifiers, 100 cases, [a-z ]+, KFold\(folds=10, repeats=1\)\)", notes(ten.compare())
    )


def test_no_visible_spread_does_not_make_sure():
    """Twenty cases on which two rankings agree say little, however alike they are."""
    few = compare([0, 1] * 10, scores={"a": [0.5] * 20, "b": [0.5] * 20})
    interval = few.difference.interval()
    assert interval.low < -0.05
    assert interval.high > 0.05
    assert interval.method == "tango-scaled"
    assert not gate(few, "a", "b", margin=0.01).passed
    many = compare([0, 1] * 5000, scores={"a": [0.5] * 10_000, "b": [0.5] * 10_000})
    assert gate(many, "a", "b", margin=0.01).passed
    opposite = compare([0, 1] * 10, {"a": [0, 1] * 10, "b": [1, 0] * 10}, measure="mcc")
    assert opposite.difference.interval().low < 2 == opposite.difference.interval().high


def test_costs_are_compared_too():
    truth, (a, b) = cases()
    costs = howsure.Costs(false_negative=5, false_positive=1)
    found = compare(truth, {"a": a, "b": b}, measure="mean_cost", costs=costs)
    expected = [howsure.assess(truth, one, costs=costs)["mean_cost"].value for one in (a, b)]
    assert found.difference.value == pytest.approx(expected[0] - expected[1], rel=1e-12)
    assert found.better == "lower"
    assert found.values["a"].value == expected[0]


def test_costs_with_a_prior_are_compared_as_they_are_assessed():
    truth, a, b = (np.random.default_rng(seed).integers(0, 2, 200) for seed in (1, 2, 3))
    costs = howsure.Costs(false_negative=5, false_positive=1, prior=0.02)
    found = compare(truth, {"a": a, "b": b}, measure="mean_cost", costs=costs)
    expected = [howsure.assess(truth, one, costs=costs)["mean_cost"].value for one in (a, b)]
    assert [found.values[name].value for name in "ab"] == pytest.approx(expected, rel=1e-12)
    assert found.difference.value == pytest.approx(expected[0] - expected[1], rel=1e-9)
    three = howsure.Costs(1 - np.eye(3), labels=[0, 1, 2], prior=[0.5, 0.3, 0.2])
    with pytest.raises(HowsureError, match=r"^`prior` must be 0 for 2, because no case has this class\.$"):
        compare(truth, {"a": a, "b": np.where(b, b, 2)}, measure="mean_cost", costs=three)


def test_costs_and_priors_follow_their_labels_and_say_all_they_know():
    costs = howsure.Costs([[0, 1, 2], [3, 0, 4], [5, 6, 0]], labels=["c", "a", "b"], prior=[0.5, 0.2, 0.3])
    assert costs.priors(["a", "b", "c"]).tolist() == [0.2, 0.3, 0.5]
    assert costs.matrix(["a", "b", "c"]).tolist() == [[0, 4, 3], [6, 0, 5], [1, 2, 0]]
    told = "labels=['c', 'a', 'b'], prior=[0.5, 0.2, 0.3])"
    assert repr(costs) == f"Costs([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]], {told}"
    named = howsure.Costs(false_negative=5, false_positive=1, true_positive=-2, prior=0.1)
    told = "false_negative=5.0, false_positive=1.0, true_positive=-2.0, true_negative=0.0, prior=[0.1]"
    assert repr(named) == f"Costs({told})"
    assert repr(howsure.Costs(false_negative=5, false_positive=1)) == "Costs(false_negative=5.0, false_positive=1.0)"


def test_costs_are_compared_on_a_single_split_too():
    learners = {"stump": DecisionTreeClassifier(max_depth=1), "bayes": GaussianNB()}
    result = Experiment(learners, {"cancer": load_breast_cancer(return_X_y=True)}, howsure.Holdout()).run()
    costs = howsure.Costs(false_negative=1, false_positive=5)
    found = result.compare("mean_cost", costs=costs)
    expected = {name: result.assess(name, costs=costs)["mean_cost"].value for name in learners}
    assert {name: one.value for name, one in found.values.items()} == pytest.approx(expected, rel=1e-12)


def of_datasets(count, seed=0, folds=5):
    rng = np.random.default_rng(seed)
    data = {}
    for number in range(count):
        X = rng.normal(size=(60, 4))
        data[f"d{number}"] = (X, (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=60) > 1).astype(int))
    learners = {"bayes": GaussianNB(), "vote": DummyClassifier()}
    return Experiment(learners, data, KFold(folds), seed=0).run(progress=False)


def test_over_data_sets_the_interval_belongs_to_the_test():
    result = of_datasets(8)
    found = result.compare()
    means = np.array(
        [[result.scores("accuracy", f"d{i}").estimate(one).value for one in found.names] for i in range(8)]
    )
    apart = means[:, 0] - means[:, 1]
    interval = found.difference.interval()
    assert interval.method == "hodges-lehmann"
    assert (interval.low, interval.high) == tuple(hodges_lehmann(apart))
    assert found.difference.value == pytest.approx(hodges_lehmann_estimate(apart), rel=1e-12)
    assert (interval.low > 0 or interval.high < 0) == (found.test.pvalue < 0.05)
    assert "can never reach" not in found.verdict
    assert found.difference.methods == ("hodges-lehmann",)  # a t interval is of the mean, another quantity


@pytest.mark.parametrize("count", [2, 3, 5])
def test_too_few_data_sets_are_judged_one_by_one(count):
    """With n data sets the smallest p-value of the signed-rank test is 2 / 2^n: six are needed for the 5 % level."""
    found = of_datasets(count).compare()
    assert f"With {count} data sets this test can never reach the 5 % level" in found.verdict
    assert list(found.by_dataset) == [f"d{i}" for i in range(count)]
    assert all(f"{name}: " in found.verdict for name in found.by_dataset)
    assert ("All data sets together: " in found.verdict) == (
        count >= 3
    )  # fewer say nothing of a distribution of data sets
    assert tuple(found.difference.interval()) == (-np.inf, np.inf)  # nothing is known
    assert found.to_dict()["datasets"]["d1"]["measure"] == "accuracy"
    six = of_datasets(6).compare()
    assert "can never reach" not in six.verdict


def test_intervals_over_splits_and_data_sets_stay_within_the_range_of_the_measure():
    costs = howsure.Costs(false_negative=5, false_positive=1)
    result = of_datasets(3)
    for options, most in (({"measure": "accuracy"}, 1), ({"measure": "mean_cost", "costs": costs}, 5)):
        table = result.scores(dataset="d0", **options)
        assert table.span == (0, most)
        found = result.compare(**options)
        intervals = [estimate.interval(0.9999) for estimate in found.values.values()]
        intervals += [table.estimate(name).interval(0.9999) for name in table.learners]
        assert all(0 <= interval.low < interval.high <= most for interval in intervals)
        assert min(interval.low for interval in intervals) == 0 or max(interval.high for interval in intervals) == most
        differences = [one.difference for one in found.by_dataset.values()]
        assert all(-most <= low < high <= most for low, high in (one.interval(0.9999) for one in differences))


def test_differences_take_the_methods_that_apply_and_no_others():
    truth, (a, b) = cases()
    difference = compare(truth, {"a": a, "b": b}).difference
    assert difference.methods[0] == "tango"
    with pytest.raises(HowsureError, match=r"^`method` must be one of 'auto', 'tango', .*, not 'nonsense'\.$"):
        difference.interval(method="nonsense")
    drawn = difference.interval(method="bca", replicates=2000)
    plain = difference.interval()
    assert abs(drawn.low - plain.low) < plain.width / 2
    assert drawn.replicates == 2000


def test_one_sided_intervals_of_five_by_two_folds(halves):
    found = halves.compare(test="five_by_two_f")
    both, lower = found.difference.interval(0.9), found.difference.interval(0.95, side="lower")
    assert lower.method == "5x2 F"
    assert lower.high == 1
    assert lower.low == pytest.approx(both.low, rel=1e-12)  # 5 % beyond it, as beyond each end of 90 %


def test_files_of_labels_are_counted_and_say_the_same_as_rows(tmp_path, monkeypatch):
    """One group-by of truth and predictions is all that a comparison of labels needs."""
    import pandas as pd

    import howsure.data.read.join as join

    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=400)
    columns = {name: np.where(rng.random(400) < 0.7, truth, rng.integers(3, size=400)) for name in ("a", "b", "c")}
    pd.DataFrame({"y": truth, **columns}).to_csv(tmp_path / "p.csv", index=False)
    monkeypatch.setattr(join, "read_file", None)  # rows are not read
    for measure in ("accuracy", "f1", "kappa"):
        rows = compare(truth, columns, measure=measure)
        file = compare("y", list(columns), data=str(tmp_path / "p.csv"), measure=measure)
        assert file.notes == rows.notes
        for one, other in zip(file.records(), rows.records(), strict=True):
            for key, value in one.items():
                assert value == (pytest.approx(other[key], rel=1e-9) if isinstance(value, float) else other[key]), key
        assert file.omnibus == rows.omnibus


def test_only_whole_number_weights_can_be_paired():
    truth, (a, b) = cases()
    weight = np.random.default_rng(1).integers(1, 4, len(truth))
    both = {name: howsure.Predictions.of(truth, one, weight=weight) for name, one in (("a", a), ("b", b))}
    rows = np.repeat(np.arange(len(truth)), weight)
    repeated = compare(truth[rows], {"a": a[rows], "b": b[rows]}, measure="f1")
    assert compare_predictions(both, "f1").records() == repeated.records()
    scores = [np.clip(one * 0.3 + 0.7 * np.random.default_rng(2).random(len(one)), 0, 1) for one in (a, b)]
    ranked = {
        name: howsure.Predictions.of(truth, scores=one, weight=weight) for name, one in zip("ab", scores, strict=True)
    }
    whole = compare(truth[rows], scores={"a": scores[0][rows], "b": scores[1][rows]})
    assert compare_predictions(ranked, "auc").difference.value == pytest.approx(whole.difference.value, rel=1e-12)
    real = {name: howsure.Predictions.of(truth, one, weight=weight / 7) for name, one in (("a", a), ("b", b))}
    with pytest.raises(
        HowsureError, match=r"^two classifiers must be compared with whole-number weights, the same for both\.$"
    ):
        compare_predictions(real, "f1")


def test_a_paired_table_is_tested_as_its_columns_are():
    truth, (a, b) = cases()
    table = PairedTable.from_codes(truth, a, b, (0, 1))
    assert permutation(table, measure="f1") == permutation(truth, a, b, "f1")
    assert permutation(table, measure="f1", positive=0) == permutation(truth, a, b, "f1", positive=0)
    halves = [PairedTable.from_codes(truth[rows], a[rows], b[rows], (0, 1)) for rows in (slice(0, 90), slice(90, None))]
    merged = halves[0] + halves[1]
    assert merged.discordant == table.discordant
    np.testing.assert_array_equal(merged.counts, table.counts)
    stacked = PairedTable(table.cells, np.stack([table.counts, 2 * table.counts]), table.labels)  # as of two clusters
    np.testing.assert_array_equal(stacked.confusions()[0].counts[0], table.confusions()[0].counts)
    np.testing.assert_array_equal(stacked.against(1).counts[1], 2 * table.against(1).counts)
    for mistake in ({"positive": "zz"}, {"labels": [5, 6]}, {"a": a, "b": b}):
        with pytest.raises(HowsureError):
            permutation(table, measure="f1", **mistake)
    with pytest.raises(HowsureError, match="positions in the 2 labels"):
        PairedTable.from_codes([0, 5], [0, 1], [1, 0], (0, 1))


def test_mistakes_with_pairs_gates_and_costs_are_said():
    truth, (a, b) = cases()
    found = compare(truth, {"a": a, "b": b})
    for ask in (lambda: found.pair("a"), lambda: gate(found), lambda: gate(found, "a", "b", margin=np.inf)):
        with pytest.raises(HowsureError):
            ask()
    with pytest.raises(HowsureError, match="does not depend on `costs`"):
        compare(truth, {"a": a, "b": b}, costs=[[0, 5], [1, 0]])
    tables = [of_datasets(1).scores("accuracy")] * 2
    with pytest.raises(HowsureError, match="different names"):
        compare_datasets(tables, "higher")


def test_a_prior_makes_the_classes_fixed():
    """The cost in use is a sum of class means, each times a share that is known: class counts add no variance."""
    costs = howsure.Costs([[0, 1], [10, 0]], prior=[0.95, 0.05])
    rng = np.random.default_rng(0)
    drawn, errors = [], []
    for round_ in range(200):
        truth = rng.integers(2, size=200)
        a = np.where(truth == 1, rng.random(200) < 0.2, rng.random(200) > 0.98).astype(int)
        b = np.where(truth == 1, rng.random(200) < 0.98, rng.random(200) > 0.5).astype(int)
        found = compare(truth, {"a": a, "b": b}, measure="mean_cost", costs=costs, seed=1)
        drawn.append(found.difference.value)
        errors.append(found.difference.standard_error)
        if round_ == 0:
            resampled = found.difference.interval(method="bootstrap", replicates=2000)
            assert resampled.width == pytest.approx(found.difference.interval().width, rel=0.1)
            assert found.values["a"].to_dict() == howsure.assess(truth, a, costs=costs)["mean_cost"].to_dict()
    assert np.mean(errors) == pytest.approx(np.std(drawn), rel=0.15)  # 200 rounds: the sd has an error of 5 %


def test_one_sided_intervals_without_spread_leave_out_as_much_as_two_sided_ones():
    table = howsure.assess([0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 2])["f1"]
    assert table.interval(0.9, side="lower").low == pytest.approx(table.interval(0.8).low, rel=1e-12)
    constant = howsure.assess([0, 1] * 5, scores=[0.5] * 10)["brier"]
    assert constant.interval(0.9, side="upper").high == pytest.approx(constant.interval(0.8).high, rel=1e-12)


def test_many_classifiers_are_compared_without_keeping_draws() -> None:
    import pickle

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 300)
    predicted = {f"m{i}": np.where(rng.random(300) < 0.2 + 0.005 * i, 1 - truth, truth) for i in range(30)}
    c = howsure.compare(truth, predicted)
    assert len(c.pairs) == 435
    assert not any("bayesian" in vars(pair) for pair in c.pairs)  # found on demand
    sheet = c.sheet()
    assert len(sheet) == 200
    assert sheet.notes[0] == "235 lower-ranked pairs are not shown; frame(), CSV and JSON have all"
    best = c.ranking().names[0]
    assert all(best in row[0].split(" - ") for row in sheet.rows[:29])
    assert len(c.records()) == 435
    draws = 50_000 * 8
    assert all(len(pickle.dumps(pair.bayesian)) < draws / 10 for pair in c.pairs[:5])
    few = howsure.compare(truth, {name: predicted[name] for name in ("m0", "m7")})  # the same numbers in any company
    of_all = ("low", "high", "confidence_of_each", "adjusted", "outcome", "better")  # of all pairs together
    alone, among = ({k: v for k, v in one.items() if k not in of_all} for one in (few.records()[0], c.records()[6]))
    assert alone == among
    found, expected = few.pairs[0].bayesian, c.pairs[6].bayesian
    assert found is not None
    assert expected is not None
    assert tuple(found.interval()) == tuple(expected.interval())


@pytest.mark.parametrize("measure", ["accuracy", "f1", "kappa", "auc", "brier"])
def test_pairs_of_many_are_the_pairs_of_two(measure: str) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 120)
    scores = {f"m{i}": np.round(np.clip(truth * 0.3 + rng.random(120) * (0.7 + 0.1 * i), 0, 1), 2) for i in range(4)}
    kind: dict[str, Any] = {"scores": scores}
    if measure in ("accuracy", "f1", "kappa"):
        kind = {"predicted": {name: (column > 0.5).astype(int) for name, column in scores.items()}}
    every = howsure.compare(truth, **kind, measure=measure, adjust="none").records()
    (name, columns), *_ = kind.items()
    for record in every:
        two: dict[str, Any] = {name: {key: columns[key] for key in (record["a"], record["b"])}}
        assert howsure.compare(truth, **two, measure=measure, adjust="none").records() == [record]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize(
    "names",
    [["old", "new"], ["tree", "bayes", "logistic"], [f"model number {i} of a list with long names" for i in range(10)]],
)
def test_no_line_is_wider_than_asked_for(names: list[str], width: int) -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 200)
    predicted = {name: np.where(rng.random(200) < 0.7 + 0.02 * i, truth, 1 - truth) for i, name in enumerate(names)}
    every: list[dict[str, Any]] = [{}, {"adjust": "holm"}, {"baseline": names[0]}, {"measure": "f1"}]
    for options in every:
        found = compare(truth, predicted, **options)
        for text in (found.text(width=width), gate(found, names[1], names[0]).text(width=width)):
            assert max(map(len, text.splitlines())) <= width
            assert found.names[0] in " ".join(text.split()) or len(names) == 10
