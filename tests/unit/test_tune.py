"""Train, validate, test: what is chosen on what, and who looked at the test cases."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

from howsure import HowsureError, KFold, TrainValidationTest
from howsure.selection import tune
from howsure.tuning.touch_log import append_touch, make_touch, read_touches

X, Y = load_iris(return_X_y=True)
NAMED = np.array(["setosa", "versicolor", "virginica"])[Y]
GRID = {"n_neighbors": [1, 5, 15, 70]}
SPLIT = TrainValidationTest().splits(NAMED, seed=3)[0]


class Watched(ClassifierMixin, BaseEstimator):
    """Writes down which rows it sees, by the number in their first column."""

    def __init__(self, log="", wrong=0):
        self.log = log
        self.wrong = wrong

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self._note("fit", X)
        return self

    def predict(self, X):
        self._note("predict", X)
        return np.roll(self.classes_, self.wrong)[X[:, 0].astype(int) * 0]

    def _note(self, what, X):
        with open(self.log, "a") as file:
            file.write(json.dumps([what, self.wrong, X[:, 0].astype(int).tolist()]) + "\n")


def seen(log):
    return [tuple(json.loads(line)) for line in Path(log).read_text().splitlines()]


def test_no_learner_sees_a_test_case_before_the_test(tmp_path):
    numbered, log = np.column_stack([np.arange(150), X]), str(tmp_path / "log")
    result = tune(Watched(log), {"wrong": [0, 1]}, numbered, NAMED, seed=3)
    str(result)
    result.to_dict()
    for what, _, rows in seen(log):
        assert set(rows) <= set(SPLIT.train) | set(SPLIT.validation)
        if what == "fit":
            assert set(rows) == set(SPLIT.train)
    before = len(seen(log))
    assert result.touches == ()
    result.test()
    after = seen(log)[before:]
    assert [set(rows) for what, _, rows in after if what == "fit"] == [set(SPLIT.train) | set(SPLIT.validation)]
    assert set(SPLIT.test) in [set(rows) for what, _, rows in after if what == "predict"]
    assert {wrong for _, wrong, _ in after} == {result.parameters["wrong"]}
    assert [len(rows) for what, _, rows in seen(log) if what == "fit"] == [75, 75, 113]
    assert result.model is result.model
    assert set(seen(log)[-1][2]) == set(range(150))


def test_the_choice_by_hand():
    result = tune(KNeighborsClassifier(), GRID, X, NAMED, seed=3)
    by_hand = []
    for k in GRID["n_neighbors"]:
        model = KNeighborsClassifier(k).fit(X[SPLIT.train], NAMED[SPLIT.train])
        by_hand.append(float((model.predict(X[SPLIT.validation]) == NAMED[SPLIT.validation]).mean()))
    assert [record["accuracy"] for record in result.records()] == by_hand
    assert result.parameters == {"n_neighbors": GRID["n_neighbors"][int(np.argmax(by_hand))]}
    both = np.sort(np.concatenate([SPLIT.train, SPLIT.validation]))
    model = KNeighborsClassifier(**result.parameters).fit(X[both], NAMED[both])
    expected = float((model.predict(X[SPLIT.test]) == NAMED[SPLIT.test]).mean())
    assert "on the test cases" not in str(result)
    assessed = result.test()
    assert assessed["accuracy"].value == expected
    assert assessed["accuracy"].n == len(SPLIT.test)
    assert f"on the test cases: {assessed['accuracy']}" in result.text(width=1000)
    assert result.to_dict()["test"]["value"] == expected
    whole = KNeighborsClassifier(**result.parameters).fit(X, NAMED)
    np.testing.assert_array_equal(result.model.predict(X), whole.predict(X))


def test_the_first_row_is_the_chosen_one():
    result = tune(KNeighborsClassifier(), {"n_neighbors": list(range(1, 31, 2))}, X, Y, measure="error_rate")
    sheet = result.sheet()
    assert sheet.title.startswith("15 settings of KNeighborsClassifier on the validation cases, TrainValidationTest(")
    assert sheet.rows[0][0] == result.parameters["n_neighbors"]
    values = [row[1] for row in sheet.rows]
    assert values == sorted(values)
    assert "and 3 more" in str(result).splitlines()
    assert result.frame().shape == (15, 6)
    assert "<table>" in result._repr_html_()


def test_touches_without_a_folder_are_counted_on_the_object():
    result = tune(KNeighborsClassifier(), GRID, X, Y)
    assert result.findings == ()
    first = result.test()
    assert len(result.touches) == 1
    assert result.findings == ()
    assert "test cases used once on " in result.text(width=1000)
    assert result.test() is first
    (said,) = result.findings
    assert said.code == "A011"
    assert said.message == (
        "the test cases were used 2 times, always with KNeighborsClassifier"
        f"(n_neighbors={result.parameters['n_neighbors']}): this is harmless if nothing is changed afterwards"
    )
    assert str(said) in result.text(width=1000)


def test_touches_are_counted_over_runs_grids_and_features(tmp_path):
    for grid, features, count in ((GRID, X, 1), ({"n_neighbors": [3]}, X, 2), ({"n_neighbors": [3]}, X[:, :2], 3)):
        result = tune(KNeighborsClassifier(), grid, features, NAMED, folder=tmp_path)
        assert len(result.touches) == count - 1
        result.test()
        assert len(result.touches) == count
    lines = [json.loads(line) for line in (tmp_path / "touches.jsonl").read_text().splitlines()]
    assert [line["parameters"] for line in lines[1:]] == [{"n_neighbors": 3}] * 2
    assert len({line["test"] for line in lines}) == 1
    assert lines[0]["data"] == lines[1]["data"] != lines[2]["data"]
    assert lines[0]["rows"] == len(result._test_rows)
    assert datetime.fromisoformat(lines[0]["time"]).utcoffset().total_seconds() == 0
    (finding,) = result.findings
    assert finding.message.startswith("the test cases were used 3 times, with 2 models (KNeighborsClassifier(")
    assert result.to_dict()["findings"] == [finding.to_dict()]
    other = tune(KNeighborsClassifier(), GRID, X, NAMED, seed=1, folder=tmp_path)  # other test cases
    assert other.touches == ()


def test_a_second_run_fits_nothing_again(tmp_path):
    one, two = (tune(KNeighborsClassifier(), GRID, X, NAMED, folder=tmp_path) for _ in range(2))
    np.testing.assert_array_equal(one.validation.tasks["fit_seconds"], two.validation.tasks["fit_seconds"])
    assert one.records() == two.records()


def test_a_torn_line_is_left_out_and_swallows_nothing(tmp_path):
    append_touch(tmp_path, make_touch("a", setting="1"))
    with open(tmp_path / "touches.jsonl", "a") as file:
        file.write('{"time": "2026-')
    assert len(read_touches(tmp_path, "a")) == 1
    append_touch(tmp_path, make_touch("a", setting="2"))
    append_touch(tmp_path, make_touch("b", setting="3"))
    assert [touch["setting"] for touch in read_touches(tmp_path, "a")] == ["1", "2"]
    assert read_touches(tmp_path / "nowhere", "a") == []


def test_settings_that_fail_are_reported_and_never_chosen():
    result = tune(KNeighborsClassifier(), {"n_neighbors": [1000, 5]}, X, Y)
    assert result.parameters == {"n_neighbors": 5}
    assert result.records()[0]["note"].startswith("ValueError: Expected n_neighbors")
    assert "ValueError" in str(result)


def test_groups_stay_together():
    groups = np.arange(150) // 5
    result = tune(KNeighborsClassifier(), GRID, X, Y, groups=groups)
    split = TrainValidationTest().splits(Y, groups=groups)[0]
    assert set(groups[result._test_rows]).isdisjoint(groups[split.train])
    assert result.test()["accuracy"].n == len(split.test)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda: tune(KNeighborsClassifier(), GRID, X, Y, resampling=KFold(5)),
            "`resampling` must be a TrainValidationTest(...), not KFold(folds=5, repeats=1, stratified=True).",
        ),
        (
            lambda: tune(KNeighborsClassifier(), {}, X, Y),
            "`grid` must be a mapping of parameters to lists of values, such as {'C': [1, 10]}, not {}.",
        ),
        (
            lambda: tune(KNeighborsClassifier(), {"p": [1], "k": [1]}, X, Y),
            "`parameter` must be one of 'algorithm', 'leaf_size', 'metric', 'metric_params', 'n_jobs', 'n_neighbors', "
            "'p', 'weights', not 'k'.",
        ),
        (
            lambda: tune(KNeighborsClassifier(), GRID, X, Y, measure="acuracy"),
            "`measure` must be the name of a measure, not 'acuracy'; did you mean 'accuracy'?",
        ),
    ],
)
def test_mistakes(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask()
    assert str(caught.value) == sentence


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "touches.jsonl").mkdir()
    result = tune(KNeighborsClassifier(), {"n_neighbors": [3]}, X, Y, folder=tmp_path)
    with pytest.raises(HowsureError, match=r"touches\.jsonl' cannot be written: is a directory\.$"):
        result.test()
