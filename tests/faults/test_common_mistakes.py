"""Mistakes that everybody makes once: each is refused with the remedy, or a finding tells of it."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure import HowsureError
from howsure.data.read.join import join_files
from howsure.errors import counted

ANSWERS = {"yes": True, "no": False}
TRUTH = ["yes", "no", "no", "yes", "no", "yes"] * 5
SCORES = np.random.default_rng(0).random(30)


def codes(assessment):
    return {finding.code for finding in assessment.findings}


# Labels that are written in two ways


def columns_of(kind, tmp_path, n=30):
    """Give truth and predictions, in text that shares no label, and where they are to be found."""
    truth, predicted = (TRUTH * n)[:n], [str(ANSWERS[label]) for label in (TRUTH * n)[:n]]
    if kind == "arrays":
        return truth, predicted, None
    if kind == "frame":
        return "y", "p", pl.DataFrame({"y": truth, "p": predicted})
    if kind == "csv":
        path = tmp_path / "f.csv"
        path.write_text("y,p\n" + "".join(f"{y},{p}\n" for y, p in zip(truth, predicted, strict=True)))
    elif kind == "json lines":
        path = tmp_path / "f.jsonl"
        path.write_text("".join(json.dumps({"y": y, "p": p}) + "\n" for y, p in zip(truth, predicted, strict=True)))
    else:
        path = tmp_path / "f.parquet"
        pl.DataFrame({"y": truth, "p": predicted}).write_parquet(path)
    return "y", "p", path


KINDS = ["arrays", "frame", "csv", "json lines", "parquet"]


@pytest.mark.parametrize("kind", KINDS)
def test_labels_without_one_in_common_are_refused(kind, tmp_path):
    truth, predicted, data = columns_of(kind, tmp_path)
    names = ("truth", "predicted") if kind == "arrays" else ("y", "p")
    with pytest.raises(HowsureError) as refused:
        howsure.assess(truth, predicted, data=data)
    assert str(refused.value) == (
        f"`{names[0]}` holds 'no', 'yes' and `{names[1]}` 'False', 'True', and no label is in both; write each class "
        "in one way, or name all classes with `labels=` if these are different classes."
    )
    named = howsure.assess(truth, predicted, data=data, labels=["no", "yes", "False", "True"])
    assert named["accuracy"].value == 0


@pytest.mark.parametrize("kind", KINDS)
def test_so_are_those_of_one_classifier_among_several(kind, tmp_path):
    truth, predicted, data = columns_of(kind, tmp_path)
    for call in (
        lambda: howsure.compare(truth, {"right": truth, "odd": predicted}, data=data),
        lambda: howsure.gate(truth, baseline=truth, candidate=predicted, data=data),
    ):
        with pytest.raises(HowsureError, match="and no label is in both"):
            call()


def test_the_whole_data_count_not_their_beginning(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p\n" + "yes,True\nno,False\n" * 100_000 + "True,True\n")
    assert howsure.assess("y", "p", data=path).labels == ("False", "True", "no", "yes")


def test_one_label_or_one_in_common_is_no_mistake():
    assert howsure.assess(["a", "b"] * 9, ["c"] * 18).labels == ("a", "b", "c")
    assert howsure.assess(["a", "b"] * 9, ["b", "c"] * 9).labels == ("a", "b", "c")


def test_categories_that_do_not_occur_are_no_labels_in_common():
    both = pd.CategoricalDtype(["a", "b", "c", "d"])
    with pytest.raises(HowsureError, match="`truth` holds 'a', 'b' and `predicted` 'c', 'd', and no label is in both"):
        howsure.assess(pd.Series(["a", "b"] * 9, dtype=both), pd.Series(["c", "d"] * 9, dtype=both))


@pytest.mark.parametrize(("truth", "predicted"), [([True, False], ["yes", "no"]), ([0, 1], ["0", "1"])])
def test_labels_of_two_kinds_are_refused_as_such(truth, predicted):
    with pytest.raises(HowsureError, match="give both in one form"):
        howsure.assess(truth * 5, predicted * 5)


# Rows that pandas would pair by their names

Y, P = pd.Series(TRUTH), pd.Series(SCORES)
LATER = range(30, 60)
UNPAIRED = {
    "labels": (lambda: howsure.assess(Y, Y.set_axis(LATER)), "truth", "predicted"),
    "scores": (lambda: howsure.assess(Y, scores=P.set_axis(LATER)), "truth", "scores"),
    "a column for each class": (
        lambda: howsure.assess(Y, scores=pd.DataFrame({"no": 1 - P, "yes": P}).set_axis(LATER)),
        "truth",
        "scores",
    ),
    "weights": (lambda: howsure.assess(Y, Y, weight=P.set_axis(LATER)), "predicted", "weight"),
    "groups": (lambda: howsure.assess(Y, Y, by=Y.set_axis(LATER)), "predicted", "by"),
    "columns of a mapping": (lambda: howsure.assess("y", "p", data={"y": Y, "p": Y.set_axis(LATER)}), "y", "p"),
    "a classifier": (lambda: howsure.compare(Y, {"a": Y, "b": Y.set_axis(LATER)}), "truth", "b"),
    "a candidate": (lambda: howsure.gate(Y, baseline=Y, candidate=Y.set_axis(LATER)), "truth", "candidate"),
    "a table": (lambda: howsure.Confusion.from_labels(Y, Y.set_axis(LATER)), "truth", "predicted"),
    "a score table": (
        lambda: howsure.ScoreTable.from_scores(Y == "yes", P.set_axis(LATER)),
        "positive",
        "scores",
    ),
    "a test of pairs": (lambda: howsure.significance.wilcoxon(P, P.set_axis(LATER)), "a", "b"),
    "a test of areas": (lambda: howsure.significance.delong(Y == "yes", P, P.set_axis(LATER)), "a", "b"),
    "a test of many": (
        lambda: howsure.significance.friedman({"a": P, "b": P.set_axis(LATER)}),
        "scores['a']",
        "scores['b']",
    ),
    "a data set": (
        lambda: howsure.Experiment(
            {"it": DummyClassifier()}, {"d": (P.to_frame(), Y.set_axis(LATER))}, howsure.KFold(2)
        ),
        "X of d",
        "y of d",
    ),
    "the bootstrap": (
        lambda: howsure.resampling.bootstrap_error(DummyClassifier(), P.to_frame(), Y.set_axis(LATER), rounds=2),
        "X",
        "y",
    ),
}


@pytest.mark.parametrize("what", UNPAIRED)
def test_rows_with_other_names_are_refused(what):
    call, first, second = UNPAIRED[what]
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == (
        f"`{first}` and `{second}` have different indexes, (0, 1, ...) and (30, 31, ...); put both in the same order "
        "with `.loc`, or pass arrays with `.to_numpy()` to pair the rows by position."
    )


def test_equal_indexes_are_paired_and_arrays_have_none():
    moved = Y.set_axis(LATER)
    assert howsure.assess(moved, moved.copy())["accuracy"].value == 1
    assert howsure.assess(moved, TRUTH)["accuracy"].value == 1
    assert howsure.assess(moved, Y.to_numpy(), weight=moved.index.to_series())["accuracy"].value == 1
    assert howsure.significance.kruskal_wallis({"a": P, "b": P.set_axis(LATER)}).pvalue > 0.99  # not of the same rows


# Percentages


@pytest.mark.parametrize("kind", ["arrays", "frame", "csv"])
def test_scores_from_0_to_100_are_told_and_never_divided(kind, tmp_path):
    labels = ["yes", "no", "no"] * 10
    percent = np.round(50 * SCORES + 50 * (np.array(labels) == "yes"), 1)
    truth, scores, data = labels, percent, None
    if kind != "arrays":
        truth, scores, data = "y", "p", pl.DataFrame({"y": labels, "p": percent})
    if kind == "csv":
        data.write_csv(tmp_path / "f.csv")
        data = tmp_path / "f.csv"
    a = howsure.assess(truth, scores=scores, data=data)
    low, high = percent.min(), percent.max()
    (message,) = [finding.message for finding in a.findings if finding.code == "A015"]
    assert message == (
        f"the scores, from {low:.3g} to {high:.3g}, look like percentages, but the threshold is 0; divide them by 100, "
        "or give `threshold=50`"
    )
    assert a.threshold == 0
    assert a.scores.scores.max() == high
    assert a["accuracy"].value < 0.5
    assert not any("invert" in finding.message for finding in a.findings)
    assert "A015" not in codes(howsure.assess(truth, scores=scores, data=data, threshold=50))
    assert "A015" in codes(howsure.assess(truth, scores=scores, data=data, threshold=0.5))


def test_scores_all_on_one_side_of_the_threshold_are_told():
    messages = {
        finding.code: finding.message
        for finding in howsure.assess(TRUTH, scores=np.linspace(0, 1.0000002, 30)).findings
    }
    assert messages["A014"] == (
        "all scores, from 0 to 1, are at or above the threshold 0, so every case is predicted positive; they look like "
        "probabilities that slightly exceed 1: clip them, or give `threshold=0.5`"
    )
    rare = howsure.assess(TRUTH, scores=SCORES / 4)
    assert "A014" in codes(rare)
    assert "A014" not in codes(rare.at(0.1))


def test_decision_values_are_told_from_probabilities():
    a = howsure.assess(TRUTH, scores=8 * SCORES - 4)
    assert a.threshold == 0
    assert "A016" in codes(a)
    assert "A016" not in codes(howsure.assess(TRUTH, scores=8 * SCORES - 4, threshold=1))
    assert not codes(howsure.assess(TRUTH, scores=SCORES)) & {"A014", "A015", "A016"}


PERCENT = {
    "confidence": lambda: howsure.assess(TRUTH, TRUTH)["accuracy"].interval(confidence=95),
    "alpha": lambda: howsure.compare(TRUTH, {"a": TRUTH, "b": TRUTH[::-1]}, alpha=95),
    "share": lambda: howsure.assess(TRUTH, TRUTH).at_prevalence(95),
    "discordant": lambda: howsure.plan.mcnemar(difference=0.1, discordant=95, n=100),
    "p0": lambda: howsure.significance.binomial_test(3, 10, 95),
}


@pytest.mark.parametrize("name", PERCENT)
def test_a_percentage_for_a_share_is_refused_with_the_share(name):
    with pytest.raises(HowsureError) as refused:
        PERCENT[name]()
    assert str(refused.value) == f"`{name}` must be a number between 0 and 1, not 95; did you mean 0.95?"


OTHER_PERCENT = {
    "prior": (
        lambda: howsure.Costs(false_negative=1, false_positive=1, prior=20),
        "`prior` must be between 0 and 1, not 20; did you mean 0.2?",
    ),
    "depth": (
        lambda: howsure.assess(TRUTH, scores=SCORES)["lift(depth=10)"],
        "`depth` must be above 0 and at most 1, not 10; did you mean 0.1?",
    ),
    "test": (lambda: howsure.Holdout(test=30), "`test` must be a share between 0 and 1, not 30; did you mean 0.3?"),
    "pruning": (
        lambda: howsure.learners.prune(DecisionTreeClassifier().fit([[0], [1]], [0, 1]), confidence=25),
        "`confidence` must be a number between 0 and 1, not 25; did you mean 0.25?",
    ),
    "no percentage": (
        lambda: howsure.assess(TRUTH, TRUTH)["accuracy"].interval(confidence=1.5),
        "`confidence` must be a number between 0 and 1, not 1.5.",
    ),
}


@pytest.mark.parametrize("what", OTHER_PERCENT)
def test_so_are_others(what):
    call, sentence = OTHER_PERCENT[what]
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == sentence


# Sentences in English


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (counted(1, "row"), "1 row"),
        (counted(3, "class"), "3 classes"),
        (counted(1, "row", "is"), "1 row is"),
        (counted(0, "row", "has"), "0 rows have"),
        (counted(1, "task", "was", of=20), "1 of 20 tasks was"),
        (counted(1, "task", "is", of=1), "1 of 1 task is"),
        (counted(2.5, "case", "occurs"), "2.5 cases occur"),
    ],
)
def test_numbers_nouns_and_verbs_agree(made, said):
    assert made == said


def test_several_are_and_one_is(tmp_path):
    """Cases that only one of two files has, by their keys."""
    for name, keys in {"a": range(9), "b": range(4)}.items():
        (tmp_path / f"{name}.csv").write_text("case,y,p\n" + "".join(f"{key},{key % 2},0\n" for key in keys))
    (tmp_path / "c.csv").write_text("case,y,p\n" + "".join(f"{key},{key % 2},0\n" for key in range(5)))
    for other, missing in {"a": "4, 5, 6 and 2 more are", "c": "4 is"}.items():
        with pytest.raises(HowsureError) as refused:
            join_files(
                {"b": str(tmp_path / "b.csv"), other: str(tmp_path / f"{other}.csv")},
                "y",
                "p",
                scores=False,
                key="case",
            )
        assert str(refused.value) == f"'b' and '{other}' must hold the same cases, but {missing} in only one of them."
    with pytest.raises(HowsureError, match="`truth` has 1 row and `predicted` has 2;"):
        howsure.assess(["a"], ["a", "b"])


def test_no_sentence_forgets_that_several_are_not_one():
    """A listing may name several things, and a number may be 1: `agree` and `counted` know."""
    root = Path(howsure.__file__).parent
    for path in root.rglob("*.py"):
        text = path.read_text()
        assert not re.search(r"listing\([^{}]*\)\} (is|was|has)\b", text), path
        assert not re.search(r"at least 1 \w+s\b", text), path
        assert not re.search(r"HowsureError\(f.*has \{[^{}]*\} (rows|values)\b", text), path


# Keywords

MISTYPED = {
    "assess": (
        lambda: howsure.assess(TRUTH, TRUTH, positve="yes"),  # type: ignore[call-overload]
        "`assess` has no argument 'positve'; did you mean 'positive'?",
    ),
    "compare": (
        lambda: howsure.compare(TRUTH, {"a": TRUTH, "b": TRUTH}, mesure="f1"),  # type: ignore[call-arg]
        "`compare` has no argument 'mesure'; did you mean 'measure'?",
    ),
    "gate": (
        lambda: howsure.gate(TRUTH, baseline=TRUTH, candidate=TRUTH, margn=0.1),
        "`gate` has no argument 'margn'; did you mean 'margin'?",
    ),
    "an option that a gate passes on": (
        lambda: howsure.gate(TRUTH, baseline=TRUTH, candidate=TRUTH, alfa=0.1),
        "`gate` has no argument 'alfa'; did you mean 'alpha'?",
    ),
    "interval": (
        lambda: howsure.assess(TRUTH, TRUTH)["recall"].interval(confidnce=0.9),  # type: ignore[call-arg]
        "`interval` has no argument 'confidnce'; did you mean 'confidence'?",
    ),
    "experiment": (
        lambda: howsure.Experiment(lerners={}),  # type: ignore[call-arg]
        "`Experiment` has no argument 'lerners'; did you mean 'learners'?",
    ),
    "estimate": (
        lambda: howsure.assess(TRUTH, TRUTH).estimate("recall", averge="macro"),
        "`recall` has no parameter 'averge'; did you mean 'average'?",
    ),
    "a name of scikit-learn": (
        lambda: howsure.assess(y_true=TRUTH, y_pred=TRUTH),  # type: ignore[call-overload]
        "`assess` has no argument 'y_true'; did you mean 'truth'?",
    ),
    "nothing like it": (lambda: howsure.assess(TRUTH, TRUTH, zzz=1), "`assess` has no argument 'zzz'."),  # type: ignore[call-overload]
}


@pytest.mark.parametrize("what", MISTYPED)
def test_a_mistyped_keyword_is_refused_with_the_one_that_was_meant(what):
    call, sentence = MISTYPED[what]
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == sentence
    assert isinstance(refused.value, TypeError) or what == "estimate"


WIDE = {
    "margin": lambda: howsure.gate(TRUTH, baseline=TRUTH, candidate=TRUTH, margin=5),
    "rope": lambda: howsure.compare(TRUTH, {"a": TRUTH, "b": TRUTH}, rope=5),
}


@pytest.mark.parametrize("name", [*WIDE, "equivalence"])
def test_a_difference_as_wide_as_the_measure_is_no_margin(name):
    """With a margin of 5 every classifier would pass."""
    c = howsure.compare(TRUTH, {"a": TRUTH, "b": TRUTH})
    with pytest.raises(HowsureError) as refused:
        WIDE.get(name, lambda: c.equivalence(5))()
    named = name if name in WIDE else "margin"
    assert (
        str(refused.value)
        == f"`{named}` must be below 1, the largest possible difference in accuracy, not 5; did you mean 0.05?"
    )
    assert howsure.compare(TRUTH, {"a": TRUTH, "b": TRUTH}, rope=1.5, measure="kappa").names == ("a", "b")


def test_plan_and_gate_are_at_the_top():
    assert {"plan", "gate", "assess", "compare"} <= set(dir(howsure))
    assert howsure.plan.__all__ == [
        *("auc", "auc_half_width", "corrected_t", "friedman", "half_width"),
        *("labels", "mcnemar", "non_inferiority", "proportions", "repeats"),
    ]
    assert howsure.plan.mcnemar(difference=0.02, discordant=0.1, power=0.8).n == 1945


# Other habits

HABITS = {
    "a file alone": (
        lambda: howsure.assess("predictions.csv"),
        "`truth` must be a column of labels, or with `data=`, a file or a data frame, its name, not 'predictions.csv'.",
    ),
    "scores of all classes as labels": (
        lambda: howsure.assess(TRUTH, np.column_stack([1 - SCORES, SCORES])),
        "`predicted` must be one column of labels, not an array of shape (30, 2); if these are scores, give them as "
        "`scores=`.",
    ),
    "a list of columns": (
        lambda: howsure.compare(TRUTH, [np.array(TRUTH), np.array(TRUTH)]),
        "`predicted` must be a mapping of names to columns, such as {'tree': ..., 'bayes': ...}, not list.",
    ),
    "a column for each argument": (
        lambda: howsure.compare(TRUTH, TRUTH, TRUTH),
        "`y` belongs to fitted models, as in `compare({'a': model, 'b': other}, X, y)`; give predictions as "
        "`compare(truth, {'a': ..., 'b': ...})`.",
    ),
}


@pytest.mark.parametrize("what", HABITS)
def test_habits_of_other_libraries_are_refused_with_ours(what):
    call, sentence = HABITS[what]
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == sentence


def test_a_measure_is_not_an_attribute():
    a = howsure.assess(TRUTH, TRUTH)
    with pytest.raises(AttributeError, match=r"^measures are accessed in brackets: a\['sensitivity'\]$"):
        _ = a.sensitivity
    with pytest.raises(AttributeError, match=r"^'Assessment' object has no attribute 'sensitive'$"):
        _ = a.sensitive
    assert pickle.loads(pickle.dumps(a))["accuracy"].value == 1


def test_an_experiment_says_what_it_is():
    e = howsure.Experiment({"it": DummyClassifier()}, {"d": ([[0], [1]] * 5, TRUTH[:10])}, howsure.KFold(2))
    assert repr(e) == "Experiment(1 learner, 1 data set, KFold(folds=2, repeats=1, stratified=True), seed 0)"
