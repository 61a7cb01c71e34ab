"""Several truths of a case: each counts once, divided among its labels, and one truth is as it always was."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import howsure
from howsure.data.truths import Annotations
from howsure.tables import ScoreTable
from howsure.tables.paired import PairedTable

LABELS = np.array(["ham", "spam"])


def sample(n=120, annotators=3, seed=0, missing=0.2):
    """Labels of annotators, of whom some are missing, and two classifiers."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    codes = np.where(rng.random((n, annotators)) < 0.15, 1 - truth[:, None], truth[:, None])
    given = LABELS[codes].astype(object)
    gone = rng.random(given.shape) < missing
    gone[np.arange(n), rng.integers(0, annotators, n)] = False
    given[gone] = None
    one, other = (LABELS[np.where(rng.random(n) < share, 1 - truth, truth)] for share in (0.2, 0.25))
    return given, one, other


def close(a, b):
    """Two assessments say the same, but for the last digits of sums in another order."""
    one, other = (json.loads(json.dumps(each.to_dict())) for each in (a, b))
    _assert_close(one, other)


def _assert_close(one, other):
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            _assert_close(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            _assert_close(left, right)
    elif isinstance(one, float) and isinstance(other, float):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-12)
    else:
        assert one == other


def test_a_case_counts_once_and_its_labels_share_it():
    truth = [["a", "a", "b"], ["a", "a", "a"], ["b", "b", None], ["b", None, "a"]]
    a = howsure.assess(truth, ["a", "a", "b", "b"])
    third = Fraction(1, 3)
    counts = [[2 * third + 1, Fraction(1, 2)], [third, 1 + Fraction(1, 2)]]
    np.testing.assert_allclose(a.confusion.counts, np.array(counts, float), rtol=1e-12)
    assert a.n == 4
    assert a["accuracy"].n == 4
    assert a["accuracy"].value == pytest.approx(float((2 * third + 1 + 1 + Fraction(1, 2)) / 4), rel=1e-12)
    assert a["recall"].value == pytest.approx(float((1 + Fraction(1, 2)) / (1 + Fraction(1, 2) + third)), rel=1e-12)
    assert a.annotations == Annotations(3, 4, 0.5, pytest.approx(float((2 * third + 1 + 1 + Fraction(1, 2)) / 4)))
    assert a.ceiling == a.annotations.ceiling
    assert a.title == "4 cases, 3 annotators, 2 classes: a, b; positive: b, the second class by default"
    assert a["accuracy"].clusters is None
    assert a["accuracy"].effective_n == 4


def test_the_standard_error_is_that_of_the_mean_of_cases():
    given, one, _ = sample(missing=0)
    share = (given == one[:, None]).mean(1)
    accuracy = howsure.assess(given, one)["accuracy"]
    assert accuracy.value == pytest.approx(share.mean(), rel=1e-12)
    assert accuracy.standard_error == pytest.approx(share.std() / math.sqrt(len(share)), rel=1e-12)
    difference = howsure.compare(given, {"one": one, "none": np.full(len(one), "ham")}).difference
    apart = share - (given == "ham").mean(1)
    assert difference.value == pytest.approx(apart.mean(), rel=1e-12)
    seen = difference.standard_error
    assert seen == pytest.approx(apart.std(ddof=1) / math.sqrt(len(apart)), rel=1e-12)


@pytest.mark.parametrize("annotators", [1, 2, 5])
@pytest.mark.parametrize("kind", ["numbers", "text", "booleans", "categories"])
def test_annotators_who_agree_are_one_truth(annotators, kind):
    rng = np.random.default_rng(3)
    truth, predicted = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    if kind != "numbers":
        truth, predicted = (LABELS[one] if kind == "text" else one == 1 for one in (truth, predicted))
    if kind == "categories":
        truth, predicted = (pd.Categorical(one, categories=[True, False]) for one in (truth, predicted))
        table = pd.DataFrame({str(index): truth for index in range(annotators)})
    else:
        table = np.column_stack([truth] * annotators)
    plain = howsure.assess(truth, predicted)
    several = howsure.assess(table, predicted)
    assert several.to_dict() == plain.to_dict()
    assert str(several) == str(plain)
    assert several.ceiling == 1
    names = {"one": predicted, "other": np.roll(np.asarray(predicted), 1)}
    assert howsure.compare(table, names).to_dict() == howsure.compare(truth, names).to_dict()


def test_annotators_who_agree_may_have_labels_missing():
    rng = np.random.default_rng(4)
    truth, predicted = LABELS[rng.integers(0, 2, 60)], LABELS[rng.integers(0, 2, 60)]
    table = np.column_stack([truth] * 3).astype(object)
    table[::2, 0] = None
    table[1::2, 2] = None
    assert howsure.assess(table, predicted).to_dict() == howsure.assess(truth, predicted).to_dict()


def test_neither_the_order_of_rows_nor_of_annotators_nor_the_names_of_labels_matter():
    given, one, other = sample()
    a = howsure.assess(given, one)
    order = np.random.default_rng(5).permutation(len(one))
    close(howsure.assess(given[order], one[order]), a)
    close(howsure.assess(given[:, ::-1], one), a)
    renamed = np.vectorize({"ham": "mah", "spam": "paws", None: None}.get, otypes=[object])
    again = howsure.assess(renamed(given), renamed(one))
    for name in ("accuracy", "f1", "kappa"):
        assert again[name].value == a[name].value
        np.testing.assert_allclose(list(again[name].interval()), list(a[name].interval()), rtol=1e-12)
    first = howsure.compare(given, {"one": one, "other": other}, measure="f1")
    second = howsure.compare(given[order][:, ::-1], {"one": one[order], "other": other[order]}, measure="f1")
    assert second.test.pvalue == pytest.approx(first.test.pvalue, rel=1e-9)


def test_every_form_says_the_same(tmp_path):
    given, one, other = sample()
    a = howsure.assess(given, one)
    frame = pd.DataFrame(given, columns=list("abc")).assign(p=one, q=other)
    names = ["a", "b", "c"]
    forms = {
        "pandas": lambda: howsure.assess(frame[names], frame["p"]),
        "names": lambda: howsure.assess(names, "p", data=frame),
        "tuple of names": lambda: howsure.assess(tuple(names), "p", data=pl.from_pandas(frame)),
        "polars": lambda: howsure.assess(pl.from_pandas(frame)[names], one),
        "lazy": lambda: howsure.assess(names, "p", data=pl.from_pandas(frame).lazy()),
        "arrow": lambda: howsure.assess(pl.from_pandas(frame)[names].to_arrow(), one),
        "mapping": lambda: howsure.assess({name: frame[name] for name in names}, one),
        "rows": lambda: howsure.assess([list(row) for row in given], one),
        "columns": lambda: howsure.assess([list(column) for column in given.T], one),
        "arrays": lambda: howsure.assess(list(given.T), one),
        "mapping of data": lambda: howsure.assess(names, "p", data={name: frame[name].tolist() for name in frame}),
    }
    for name, form in forms.items():
        assert form().to_dict() == a.to_dict(), name
    frame.to_csv(tmp_path / "empty.csv", index=False)
    frame.to_csv(tmp_path / "na.csv", index=False, na_rep="NA")
    frame.to_parquet(tmp_path / "p.parquet")
    frame.to_json(tmp_path / "lines.jsonl", orient="records", lines=True)
    whole = howsure.compare(given, {"p": one, "q": other}, measure="kappa").to_dict()
    for file in tmp_path.iterdir():
        assert howsure.assess(names, "p", data=str(file)).to_dict() == a.to_dict(), file.name
        assert howsure.compare(names, ["p", "q"], data=str(file), measure="kappa").to_dict() == whole, file.name
    for data in (frame, pl.from_pandas(frame), pl.from_pandas(frame).lazy()):
        assert howsure.compare(names, ["p", "q"], data=data, measure="kappa").to_dict() == whole


def test_one_name_in_a_list_is_that_column(tmp_path):
    _, one, other = sample()
    frame = pd.DataFrame({"y": one, "p": other, "q": one[::-1]})
    frame.to_csv(tmp_path / "f.csv", index=False)
    for data in (frame, str(tmp_path / "f.csv")):
        assert howsure.assess(["y"], "p", data=data).to_dict() == howsure.assess("y", "p", data=data).to_dict()
        one_name, name = (howsure.compare(truth, ["p", "q"], data=data) for truth in (["y"], "y"))
        assert one_name.to_dict() == name.to_dict()


def test_a_list_of_labels_beside_data_is_a_list_of_labels():
    frame = pd.DataFrame({"p": ["a", "b", "a"], "a": 1, "b": 2})
    assert howsure.assess(["a", "b", "b"], "p", data=frame)["accuracy"].value == pytest.approx(2 / 3)


def test_scores_groups_weights_and_clusters_go_with_their_cases():
    given, one, _ = sample(300)
    rng = np.random.default_rng(6)
    site, weight, repeats = rng.integers(0, 3, 300), rng.random(300) + 0.5, rng.integers(0, 4, 300)
    groups = howsure.assess(given, one, by=site)
    for name in (0, 1, 2):
        close(groups[name], howsure.assess(given[site == name], one[site == name]))
    share = np.array([np.mean([label == said for label in row if label]) for row, said in zip(given, one, strict=True)])
    weighed = howsure.assess(given, one, weight=weight)
    assert weighed["accuracy"].value == pytest.approx(np.average(share, weights=weight), rel=1e-12)
    assert weighed.n == 300
    rows = np.repeat(np.arange(300), repeats)
    close(howsure.assess(given, one, weight=repeats), howsure.assess(given[rows], one[rows]))
    close(howsure.assess(given, one, weight=np.ones(300)), howsure.assess(given, one))
    patient = np.arange(300) // 5
    by_patient = howsure.assess(given, one, cluster=patient)["accuracy"]
    assert by_patient.clusters == 60
    assert by_patient.value == pytest.approx(share.mean(), rel=1e-12)
    close(howsure.assess(given, one, cluster=np.arange(300)), howsure.assess(given, one))
    scores = rng.random(300)
    a = howsure.assess(given, scores=scores)
    assert a.n == 300
    labels = [[label for label in row if label] for row in given]
    sizes = np.array(list(map(len, labels)))
    ranked = ScoreTable.from_scores(
        np.concatenate(labels) == "spam", np.repeat(scores, sizes), weight=np.repeat(1 / sizes, sizes)
    )
    assert a["auc"].value == pytest.approx(howsure.measures.estimate_scores(ranked, "auc").value, rel=1e-12)
    low, high = a["auc"].interval()
    assert low < a["auc"].value < high


def test_soft_truths_are_the_limit_of_many_annotators():
    rng = np.random.default_rng(7)
    votes = rng.multinomial(4, [0.5, 0.3, 0.2], 80)
    labels = np.array(["x", "y", "z"])
    table = np.array([np.repeat(labels, row) for row in votes])
    predicted = labels[rng.integers(0, 3, 80)]
    soft = howsure.assess(howsure.SoftTruth(votes / 4, labels=labels), predicted)
    several = howsure.assess(table, predicted)
    for name in ("accuracy", "f1", "kappa", "mcc"):
        assert soft[name].value == pytest.approx(several[name].value, rel=1e-12)
        np.testing.assert_allclose(list(soft[name].interval()), list(several[name].interval()), rtol=1e-9)
    assert soft.ceiling == pytest.approx((votes.max(1) / 4).mean(), rel=1e-12)
    assert soft.title.startswith("80 cases, shares of the classes as truth, 3 classes")
    sure = howsure.SoftTruth(np.eye(3)[rng.integers(0, 3, 80)], labels=labels)
    plain = labels[sure.shares.argmax(1)]
    assert howsure.assess(sure, predicted).to_dict() == howsure.assess(plain, predicted).to_dict()
    frame = pd.DataFrame(votes / 4, columns=list("xyz"))
    assert howsure.assess(howsure.SoftTruth(frame), predicted).to_dict() == soft.to_dict()
    assert (
        howsure.assess(howsure.SoftTruth({name: frame[name] for name in frame}), predicted).to_dict() == soft.to_dict()
    )


def test_annotators_who_disagree_are_a_finding_with_a_ceiling():
    table = [["a", "a", "b"]] * 3 + [["a", "a", "a"], ["b", "b", "b"]] * 5
    a = howsure.assess(table, ["a"] * 13)
    assert [str(finding) for finding in a.findings if finding.code == "A025"] == [
        "A025: annotators disagree on 23 % of the cases, so no classifier can agree with all of them; the highest "
        "possible accuracy is 0.923"
    ]
    assert a.to_dict()["annotations"] == {"annotators": 3, "cases": 13, "contested": 3 / 13, "ceiling": 12 / 13}
    few = howsure.assess([["a", "a", "b"]] + [["a", "a", "a"], ["b", "b", "b"]] * 8, ["a"] * 17)
    assert not [finding for finding in few.findings if finding.code == "A025"]
    soft = howsure.assess(howsure.SoftTruth([[0.5, 0.5], [1.0, 0.0]], labels=["a", "b"]), ["a", "b"])
    assert [finding.message for finding in soft.findings if finding.code == "A025"] == [
        "50 % of the cases have several true classes, so no classifier can be right on all of them; the highest "
        "possible accuracy is 0.750"
    ]


def test_no_interval_is_without_width_where_every_case_is_as_right_as_another():
    table = np.array([["a", "b"]] * 40)
    a = howsure.assess(table, ["a"] * 40)
    assert a["accuracy"].value == 0.5
    assert a["accuracy"].standard_error == 0
    low, high = a["accuracy"].interval()
    assert low < 0.4 < 0.6 < high


def test_judges_are_compared_by_every_measure_of_labels():
    given, one, other = sample()
    for measure in ("accuracy", "error_rate", "f1", "recall", "kappa", "mcc", "balanced_accuracy"):
        c = howsure.compare(given, {"judge 1": one, "judge 2": other}, measure=measure)
        assert c.difference.value == pytest.approx(c.values["judge 1"].value - c.values["judge 2"].value, abs=1e-12)
        low, high = c.difference.interval()
        assert low < c.difference.value < high
        assert (low > 0 or high < 0) == (c.test.pvalue < 0.05)
        assert c.test.method.startswith("delta test")
    assert c.sizes == "120 paired cases (3 annotators)"
    assert c.notes[0].startswith("annotators disagree on ")
    assert "counted for each of them in proportion to the number of annotators" in c.methods_text()
    assert [str(pair.test.test.name) for pair in c.pairs] == ["paired_delta"]
    three = howsure.compare(given, {"1": one, "2": other, "3": one[::-1]})
    assert three.omnibus is None
    assert len(three.pairs) == 3
    str(three)
    howsure.gate(given, baseline=one, candidate=other)


def test_the_lab_does_not_simulate_several_truths():
    given, one, other = sample()
    c = howsure.compare(given, {"one": one, "other": other})
    with pytest.raises(howsure.HowsureError) as error:
        howsure.lab.like(c)
    assert str(error.value) == "cases with several true labels cannot be simulated."
    assert not c.test.measured().is_known
    assert not c.values["one"].measured().is_known


def test_the_same_answers_do_not_differ():
    given, one, _ = sample()
    c = howsure.compare(given, {"one": one, "again": one})
    assert c.test.pvalue == 1
    assert c.difference.value == 0


@pytest.mark.parametrize(
    ("truth", "predicted", "sentence"),
    [
        (
            [["a", "b"], [None, None], ["a", "a"]], list("aba"),
            "`truth` has no label from any annotator at index 1; drop these rows or give them a label.",
        ),
        (
            [["a", "b"], ["a"], ["a", "a"]], list("aba"),
            "`truth` must have a label from each annotator for each case, but there are 2 at index 0 and 1 at index 1; "
            "write None where an annotator gave no label.",
        ),
        (
            [["a", "b", "a"], ["a", "b"]], list("aba"),
            "`truth` must have a label for each of the 3 predictions from each annotator, but its lists have 3 labels, "
            "2 labels; write None where an annotator gave no label.",
        ),
        (
            [["a", "b"], ["a", "b"]], list("ab"),
            "`truth` is 2 lists of 2 labels, which may belong to cases or to annotators; give a mapping of "
            "annotators to columns, or an array with a row for each case.",
        ),
        (
            np.array([["a", "b", "a"], ["a", "b", "b"]]), list("aba"),
            "`truth` must have a row for each case and a column for each annotator, but it has as many columns (3) "
            "as there are predictions; transpose it.",
        ),
        (
            {"ann": ["a", "b", "a"], "bob": ["a", "b"]}, list("aba"),
            "`truth` has 3 rows from 'ann' and 2 from 'bob'; they must be of equal length.",
        ),
        ({}, list("aba"), "`truth` must have a column for each annotator, but it has none."),
        (
            np.array([["a", "b"]] * 4), list("aba"),
            "`truth` has 4 rows and `predicted` has 3; they must be of equal length.",
        ),
        (np.empty((0, 2)), [], "`truth` must hold at least one case, but it is empty."),
        (
            [[["a"], ["b"]]] * 3, list("aba"),
            "`truth` must hold text, whole numbers or booleans; unhashable type: 'list'.",
        ),
        (
            [np.zeros((2, 2)), np.zeros((2, 2))], list("ab"),
            "`truth` must be one column for each annotator, not a list of tables.",
        ),
        (
            np.array([[0.5, 1.0]] * 3), list("aba"),
            "`truth` must hold class labels, not real numbers such as 0.5; if these are scores, give them as "
            "`scores=`.",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_in_words(truth, predicted, sentence):
    with pytest.raises(howsure.HowsureError) as error:
        howsure.assess(truth, predicted)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("shares", "labels", "sentence"),
    [
        (
            [[0.5, 0.5], [0.7, 0.2]], ["a", "b"],
            "`shares` of each case must add up to 1, but those at index 1 add up to 0.9; divide counts by their sum.",
        ),
        ([[0.5, 0.5], [1.2, -0.2]], ["a", "b"], "`shares` must be between 0 and 1, not -0.2 at index 1."),
        ([[0.5, 0.5]], None, "`labels` must name the classes, in the order of the columns of `shares`."),
        ([[0.5, 0.5]], ["a"], "`labels` must be 2 different classes, one for each column of `shares`."),
        ([[0.5, 0.5]], ["a", "a"], "`labels` must be 2 different classes, one for each column of `shares`."),
        (
            [0.5, 0.5], ["a", "b"],
            "`shares` must have a row for each case and a column for each class, not the shape (2,).",
        ),
        ({"a": [0.5], "b": [0.5, 1]}, None, "`shares` must be columns of equal length, one for each class."),
    ],
)  # fmt: skip
def test_shares_that_are_none_are_refused_in_words(shares, labels, sentence):
    with pytest.raises(howsure.HowsureError) as error:
        howsure.SoftTruth(shares, labels)
    assert str(error.value) == sentence


def test_columns_of_data_that_are_not_there_or_there_twice_are_refused():
    frame = pd.DataFrame({"a": list("xyx"), "b": list("xxx"), "p": list("xyy")})
    with pytest.raises(howsure.HowsureError, match=r"`truth` must be a column of `data`, not 'c'"):
        howsure.assess(["a", "c"], "p", data=frame)
    with pytest.raises(howsure.HowsureError) as error:
        howsure.assess(["a", "a"], "p", data=frame)
    assert str(error.value) == "`truth` must be different columns, one for each annotator, not ['a', 'a']."


def test_scores_are_not_compared_with_several_truths():
    given, one, _ = sample()
    scores = {"one": np.random.default_rng(1).random(len(one)), "other": np.random.default_rng(2).random(len(one))}
    with pytest.raises(howsure.HowsureError) as error:
        howsure.compare(given, scores=scores)
    assert str(error.value) == (
        "measures of scores need one true label for each case, but some cases have several; compare by a "
        "measure of labels, or give one label for each case."
    )
    assert howsure.compare(given, scores=scores, measure="f1").difference.n == len(one)


def test_tables_of_shared_cases_add_up_and_cannot_be_counted():
    given, one, _ = sample()
    first, second = (howsure.assess(given[part], one[part]).confusion for part in (slice(0, 50), slice(50, None)))
    whole = howsure.assess(given, one).confusion
    both = first + second
    np.testing.assert_allclose(both.counts, whole.counts, rtol=1e-12)
    assert len(both.clusters) == 120
    estimates = [howsure.measures.estimate(table, "f1", label="spam") for table in (both, whole)]
    np.testing.assert_allclose(list(estimates[0].interval()), list(estimates[1].interval()), rtol=1e-9)
    table = PairedTable.from_codes([0, 1, 0], [0, 0, 1], [1, 1, 1], ["a", "b"], np.array([0.5, 0.5, 1.0]), shared=True)
    with pytest.raises(howsure.HowsureError) as error:
        _ = table.discordant
    assert str(error.value) == "with several true labels, a prediction may be partly correct, not right or wrong."


def test_the_bootstrap_draws_whole_cases():
    given, one, other = sample(200, missing=0)
    share = (given == one[:, None]).mean(1)
    low, high = howsure.assess(given, one)["accuracy"].interval(method="bootstrap", seed=1)
    width = 2 * 1.96 * share.std() / math.sqrt(200)
    assert high - low == pytest.approx(width, rel=0.05)  # 10,000 replicates, and steps of a third of a case
    seen = howsure.compare(given, {"one": one, "other": other}).difference
    low, high = seen.interval(method="bootstrap", seed=1)
    assert high - low == pytest.approx(2 * 1.96 * seen.standard_error, rel=0.05)
