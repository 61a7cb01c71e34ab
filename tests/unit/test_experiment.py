"""What an experiment keeps, and what its results say."""

import json
import os
import random
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info, threadpool_limits

import howsure
from howsure import Experiment, ExperimentResult, HowsureError, KFold
from howsure.experiment.plan.describe import describe, differences
from howsure.experiment.store.contents import Contents, file_digest, own_names


@pytest.fixture(scope="module")
def cancer():
    """Two learners on repeated folds of the breast cancer data, both with scores."""
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
    return Experiment(learners, {"cancer": load_breast_cancer()}, KFold(4, repeats=2), seed=1).run(progress=False)


def run(learners, X, y, scheme=None, **options):
    learners = learners if isinstance(learners, dict) else {"it": learners}
    return Experiment(learners, {"d": (X, y)}, scheme or KFold(4), seed=0).run(progress=False, **options)


def small(k=2, n=40, seed=0):
    X, y = make_classification(n, 5, n_informative=4, n_redundant=0, n_classes=k, random_state=seed)
    return X, np.array(["a", "b", "c", "d"])[y]


def test_predictions_are_those_of_a_plain_loop(cancer):
    data = load_breast_cancer()
    y = data.target_names[data.target]
    splits = KFold(4, repeats=2).splits(y, seed=1)
    assert cancer.splits().fingerprint == splits.fingerprint
    predictions = cancer.predictions("bayes")
    index = 0
    for number, split in enumerate(splits):
        model = GaussianNB().fit(data.data[split.train], y[split.train])
        rows = slice(index, index + len(split.test))
        assert np.array_equal(predictions.fold.codes[rows], np.full(len(split.test), number))
        assert np.array_equal(
            np.array(predictions.classes.labels)[predictions.predicted[rows]], model.predict(data.data[split.test])
        )
        assert np.array_equal(predictions.scores[rows], model.predict_proba(data.data[split.test])[:, 1])
        index += len(split.test)
    assert index == predictions.rows


def test_values_of_splits_are_those_of_scikit_learn(cancer):
    data = load_breast_cancer()
    y = data.target_names[data.target]
    values = {name: cancer.scores(name)["bayes"] for name in ("accuracy", "f1", "auc")}
    for number, split in enumerate(cancer.splits()):
        model = GaussianNB().fit(data.data[split.train], y[split.train])
        truth, predicted = y[split.test], model.predict(data.data[split.test])
        score = model.predict_proba(data.data[split.test])[:, 1]
        assert values["accuracy"][number] == pytest.approx(accuracy_score(truth, predicted), rel=1e-12)
        assert values["f1"][number] == pytest.approx(f1_score(truth, predicted, pos_label="malignant"), rel=1e-12)
        assert values["auc"][number] == pytest.approx(roc_auc_score(truth == "malignant", score), rel=1e-12)


def test_the_mean_of_splits_and_the_pooled_value_stand_side_by_side(cancer):
    record = cancer.records(measures=["f1"])[0]
    table = cancer.scores("f1")
    assert record["mean"] == table["bayes"].mean()
    assert record["sd"] == table["bayes"].std(ddof=1)
    assert record["pooled"] == cancer.assess("bayes")["f1"].value != record["mean"]
    assert (record["t_low"], record["t_high"]) == (
        table.estimate("bayes").interval(method="t").low,
        table.estimate("bayes").interval(method="t").high,
    )
    corrected = table.estimate("bayes").interval(method="cautious-t")
    assert record["corrected_low"] == corrected.low < record["t_low"]
    assert table.estimate("bayes").interval() == corrected
    assert record["corrected_method"] == "cautious-t"
    assert "95 % cautious t" in cancer.sheet(measures=["f1"]).columns
    assert cancer.estimate("f1", "bayes", aggregate="pooled").value == record["pooled"]
    assert cancer.estimate("f1", "bayes").value == record["mean"]


def test_a_case_tested_in_every_repeat_counts_once(cancer):
    assessed = cancer.assess("tree")
    assert assessed.n == 569
    assert assessed.confusion.n == pytest.approx(569, rel=1e-12)
    assert assessed["accuracy"].n == pytest.approx(569, rel=1e-9)
    once = Experiment({"tree": DecisionTreeClassifier(max_depth=3)}, {"c": load_breast_cancer()}, KFold(4), seed=1)
    single = once.run(progress=False).assess()["accuracy"].interval()
    assert assessed["accuracy"].interval().width == pytest.approx(single.width, rel=0.15)
    assert assessed["auc"].interval().width > 0.01


def test_leave_one_out_misleads_a_majority_vote():
    """The paradox of the textbook: 10 against 10, and the vote errs on every case."""
    X, y = np.zeros((20, 1)), np.repeat(["no", "yes"], 10)
    vote = {"vote": DummyClassifier(strategy="most_frequent")}
    alone = Experiment(vote, {"even": (X, y)}, howsure.LeaveOneOut(), seed=0).run(progress=False)
    assert alone.assess()["error_rate"].value == 1.0
    assert alone.scores("error_rate").estimate("vote").value == 1.0
    (finding,) = alone.findings
    assert finding.code == "A010"
    assert "wrong on every case" in finding.message
    assert str(finding) in alone.text(width=1000)
    folds = Experiment(vote, {"even": (X, y)}, KFold(10), seed=0).run(progress=False)
    assert folds.assess()["error_rate"].value == 0.5
    assert folds.findings == ()
    assert "95 % corrected t" in folds.sheet().columns
    why = "no interval, because all values are equal, so the standard error is unknown"
    assert folds.sheet(measures=["accuracy"]).notes == (f"accuracy of vote: {why}",)
    assert folds.records(measures=["accuracy"])[0]["note"] == why
    assert why in folds.to_csv(measures=["accuracy"])


def test_a_fold_without_a_class_says_why_and_the_pooled_value_is_there():
    X, y = small(2, 30)
    y = np.array(["a"] * 27 + ["b"] * 3)
    result = run(LogisticRegression(), X, y, KFold(6))
    table = result.scores("auc")
    lacking = [number for number, split in enumerate(result.splits()) if "b" not in y[split.test]]
    assert len(lacking) == 3
    assert np.flatnonzero(np.isnan(table["it"])).tolist() == lacking
    assert table.undefined[lacking[0], "it"] == "all cases are of one class, so there is nothing to rank"
    (note,) = table.estimate("it").notes
    assert note.startswith("3 of 6 splits have no value, because all cases are of one class")
    assert 0 <= result.assess()["auc"].value <= 1
    assert result.scores("recall").estimate("it").n == 3


def test_leave_one_out_has_no_auc_in_any_split_but_a_pooled_one():
    X, y = small(2, 24)
    result = run(LogisticRegression(), X, y, howsure.LeaveOneOut())
    estimate = result.scores("auc").estimate("it")
    assert np.isnan(estimate.value)
    assert estimate.undefined == "all cases are of one class, so there is nothing to rank"
    assert 0 <= result.assess()["auc"].value <= 1
    assert result.scores("accuracy").estimate("it").value == pytest.approx(result.assess()["accuracy"].value)


@pytest.mark.parametrize("kind", ["text", "whole", "bool", "categorical"])
def test_labels_of_any_kind(kind):
    X, y = small(2)
    labels = {
        "text": y,
        "whole": (y == "b") * 7 - 3,
        "bool": y == "b",
        "categorical": pd.Series(pd.Categorical(y, categories=["b", "a"], ordered=True)),
    }[kind]
    result = run(GaussianNB(), X, labels)
    assert result.assess()["accuracy"].value == run(GaussianNB(), X, y).assess()["accuracy"].value
    assert ExperimentResult.open(result.folder).assess().labels == tuple(sorted(set(np.asarray(labels).tolist())))


@pytest.mark.parametrize("form", ["pandas", "polars", "list", "csr", "csc"])
def test_features_of_any_form(form):
    X, y = small(2)
    forms = {
        "pandas": pd.DataFrame(X, columns=list("uvwxy"), index=range(100, 140)),
        "polars": pl.DataFrame(X, schema=list("uvwxy")),
        "list": X.tolist(),
        "csr": sparse.csr_array(X),
        "csc": sparse.csc_array(X),
    }
    expected = run(DecisionTreeClassifier(), X, y).predictions()
    for jobs in (1, 2):
        predictions = run(DecisionTreeClassifier(), forms[form], y, n_jobs=jobs).predictions()
        assert np.array_equal(predictions.predicted, expected.predicted)


@pytest.mark.parametrize("k", [2, 3])
def test_scores_of_decision_functions(k):
    X, y = small(k, 60)
    result = run(LinearSVC(), X, y)
    assert set(result.tasks["score_kind"]) == {"decision"}
    split = result.splits()[0]
    model = LinearSVC(random_state=None)
    expected = clone(model).set_params(random_state=0).fit(X[split.train], y[split.train])
    scores = result.predictions().scores[: len(split.test)]
    assert scores.shape == ((len(split.test),) if k == 2 else (len(split.test), 3))
    assert np.sign(scores.ravel()[0]) == np.sign(np.ravel(expected.decision_function(X[split.test]))[0])
    assert 0 <= result.assess()["auc"].value <= 1
    if k == 2:
        first = result.predictions(positive="a").scores
        assert np.array_equal(first, -result.predictions().scores)


def test_scores_of_pairs_of_classes_are_left_out():
    X, y = small(3, 60)
    result = run(SVC(decision_function_shape="ovo"), X, y)
    assert result.assess().scores is None  # three pairs of three classes only look like a score for each class
    X, y = small(4, 80)
    assert run(SVC(decision_function_shape="ovo"), X, y).assess().scores is None  # six pairs do not


def test_a_class_that_was_not_in_training_has_no_chance():
    X, y = small(3, 30)
    y = np.array(["a"] * 14 + ["b"] * 15 + ["c"])
    result = run(GaussianNB(), X, y, KFold(5))
    predictions = result.predictions()
    case = np.flatnonzero(np.array(predictions.classes.labels)[predictions.truth] == "c")
    assert predictions.scores[case][0, 2] == 0.0
    assert result.failures().rows == []


class Wilful(ClassifierMixin, BaseEstimator):
    """Draws from the global generators, and tells how many threads it may use."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.drawn_ = np.random.random() + random.random()  # noqa: NPY002
        self.threads_ = max((pool["num_threads"] for pool in threadpool_info()), default=1)
        self.jobs_ = joblib.effective_n_jobs(-1)
        return self

    def predict(self, X):
        if self.threads_ != 1 or self.jobs_ != 1:
            raise RuntimeError(f"{self.threads_} threads and {self.jobs_} jobs")
        return self.classes_[(np.arange(len(X)) * self.drawn_ * 100).astype(int) % len(self.classes_)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_learner_has_one_thread_and_its_own_chance(jobs):
    X, y = small(2)
    np.random.seed(5)  # noqa: NPY002
    random.seed(5)
    expected = (np.random.random(), random.random())  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    random.seed(5)
    result = run({"one": Wilful(), "two": Wilful()}, X, y, n_jobs=jobs)
    assert result.failures().rows == []
    assert (np.random.random(), random.random()) == expected  # the user's generators go on as before  # noqa: NPY002
    assert np.array_equal(result.predictions("one").predicted, result.predictions("two").predicted)
    assert np.array_equal(result.predictions("one").predicted, run(Wilful(), X, y).predictions().predicted)


class Greedy(Wilful):
    """Leaves all libraries with two threads."""

    def predict(self, X):
        answers = super().predict(X)
        threadpool_limits(2)
        return answers


@pytest.mark.parametrize("jobs", [1, 2])
def test_threads_that_a_learner_leaves_are_not_those_of_the_next(jobs):
    X, y = small(2)
    before = [pool["num_threads"] for pool in threadpool_info()]
    result = run({"greedy": Greedy(), "wilful": Wilful()}, X, y, n_jobs=jobs)
    assert result.failures().rows == []
    assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_random_states_are_set_where_left_open():
    X, y = small(2, 60)
    learners = {
        "open": make_pipeline(StandardScaler(), RandomForestClassifier(3)),
        "same": make_pipeline(StandardScaler(), RandomForestClassifier(3)),
        "fixed": make_pipeline(StandardScaler(), RandomForestClassifier(3, random_state=7)),
    }
    result = run(learners, X, y, n_jobs=2)
    scores = {name: result.predictions(name).scores for name in learners}
    assert np.array_equal(scores["open"], scores["same"])
    split = result.splits()[1]
    rows = slice(len(result.splits()[0].test), len(result.splits()[0].test) + len(split.test))
    by_hand = clone(learners["fixed"]).fit(X[split.train], y[split.train]).predict_proba(X[split.test])[:, 1]
    assert np.array_equal(scores["fixed"][rows], by_hand)
    assert not np.array_equal(scores["fixed"], scores["open"])
    alone = run({"open": learners["open"]}, X, y)
    assert np.array_equal(alone.predictions().scores, scores["open"])  # who else takes part does not matter


def test_each_task_keeps_what_it_cost_and_what_came_of_it():
    X, y = small(2, 60)
    learners = {
        "tree": DecisionTreeClassifier(max_depth=2),
        "forest": RandomForestClassifier(4, max_depth=2),
        "logit": make_pipeline(StandardScaler(), LogisticRegression()),
        "svc": SVC(),
        "search": GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=2),
        "vote": DummyClassifier(),
    }
    result = run(learners, X, y)
    tasks = result.tasks

    def of(learner, column):
        return tasks[column][tasks["learner"] == learner]

    kinds = {name: of(name, "complexity_of")[0] for name in learners}
    assert kinds == {
        "tree": "leaves", "forest": "leaves", "logit": "coefficients", "svc": "support vectors", "search": "leaves",
        "vote": "",
    }  # fmt: skip
    assert (of("tree", "complexity") <= 4).all()
    assert (of("logit", "complexity") == 6).all()
    assert np.isnan(of("vote", "complexity").astype(float)).all()
    assert (of("tree", "depth") == 2).all()
    assert {json.loads(one)["max_depth"] for one in of("search", "chosen")} <= {1, 2}
    for column in ("fit_seconds", "predict_seconds", "model_bytes"):
        assert (tasks[column] > 0).all(), column
    assert (of("forest", "model_bytes") > of("tree", "model_bytes")).all()
    split = result.splits()[0]
    seen = of("tree", "training_error")[0]
    assert 0 <= seen <= result.assess("tree")["error_rate"].value + 0.2
    assert seen * len(split.train) == pytest.approx(round(seen * len(split.train)))
    profile = result.profile()
    assert [row[0] for row in profile.rows] == list(learners)
    assert "memory" in profile.columns
    assert result.preference(weights={"error_rate": 1, "fit_seconds": 1}).winner in learners


def test_warnings_of_a_learner_are_kept_not_shown():
    X, y = small(2)
    result = run(LogisticRegression(max_iter=1), X, y)
    assert all("ConvergenceWarning" in said for said in result.tasks["warnings"])


@pytest.mark.parametrize("action", ["ignore", "error", "once"])
def test_what_is_kept_of_warnings_is_not_for_the_caller_to_filter(action):
    X, y = small(2)
    with warnings.catch_warnings():
        warnings.simplefilter(action)
        filters = list(warnings.filters)
        result = run(LogisticRegression(max_iter=1), X, y, KFold(2))
        assert warnings.filters == filters
    assert not any(result.tasks["failure"])
    assert all("ConvergenceWarning" in said for said in result.tasks["warnings"])


def test_odd_names_are_only_names(tmp_path):
    X, y = small(2)
    names = [
        "<script>alert(1)</script>",
        "a/b\\c",
        "a b\\c",
        "'; DROP TABLE x; --",
        'say "hi"',
        "50 %",
        "é ü",
        "..",
        "A/b c",
    ]
    y = np.where(y == "a", "<b>'\"", "score row")
    experiment = Experiment({name: GaussianNB() for name in names}, dict.fromkeys(names, (X, y)), KFold(2), seed=0)
    result = experiment.run(tmp_path / "it's", progress=False)
    assert len({*(tmp_path / "it's" / "predictions").iterdir()}) == len(names)
    expected = run(GaussianNB(), X, y, KFold(2)).assess()["accuracy"].value
    for name in names:
        assert result.assess(name, name)["accuracy"].value == expected
    assert "<script>" not in result._repr_html_()
    assert ExperimentResult.open(tmp_path / "it's").datasets == tuple(names)
    json.dumps(result.to_dict(), allow_nan=False)


def test_any_splitter_of_scikit_learn_is_taken():
    X, y = small(2)
    result = run(GaussianNB(), X, y, ShuffleSplit(3, test_size=0.25, random_state=1))
    expected = [test for _, test in ShuffleSplit(3, test_size=0.25, random_state=1).split(X)]
    assert [np.sort(split.test).tolist() for split in result.splits()] == [np.sort(test).tolist() for test in expected]
    assert result.scores("accuracy").design.test == 10


@pytest.mark.parametrize("scheme", [howsure.RepeatedHoldout(5), howsure.Bootstrap(5), KFold(3, repeats=2)])
def test_in_a_split_every_case_counts_once_however_often_it_is_tested(scheme):
    X, y = small(2, 50)
    result = run(GaussianNB(), X, y, scheme)
    expected = [
        (GaussianNB().fit(X[split.train], y[split.train]).predict(X[split.test]) == y[split.test]).mean()
        for split in result.splits()
    ]
    np.testing.assert_array_equal(result.scores("accuracy")["it"], expected)


def test_bootstrap_and_resubstitution():
    X, y = small(2)
    drawn = run(DecisionTreeClassifier(), X, y, howsure.Bootstrap(8))
    assert drawn.assess().confusion.n == pytest.approx((drawn.splits().times_tested > 0).sum())
    again = run(DecisionTreeClassifier(), X, y, howsure.Resubstitution())
    assert again.assess()["accuracy"].value == 1.0
    assert again.scores("accuracy").estimate("it").interval().low != again.scores("accuracy").estimate("it").value


def test_groups_stay_together():
    X, y = small(2)
    groups = np.arange(40) // 4
    result = Experiment({"it": GaussianNB()}, {"d": (X, y, groups)}, KFold(5), seed=0).run(progress=False)
    for split in result.splits():
        assert not set(groups[split.train]) & set(groups[split.test])


def test_several_data_sets(tmp_path):
    iris = load_iris()
    data = {"iris": iris, "two": small(2, 50)}
    result = Experiment({"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}, data, KFold(3), seed=0).run(
        tmp_path, progress=False
    )
    assert result.assess("bayes", "iris").labels == ("setosa", "versicolor", "virginica")
    assert {row[0] for row in result.sheet().rows} == {"iris", "two"}
    assert len(result.frame(measures=["accuracy"])) == 4
    with pytest.raises(HowsureError) as refused:
        result.assess("bayes")
    assert str(refused.value) == "`dataset` must be given, since there are several: 'iris', 'two'."
    with pytest.raises(HowsureError) as refused:
        result.assess("tre", "iris")
    assert str(refused.value) == "`learner` must be one of 'bayes', 'tree', not 'tre'; did you mean 'tree'?"


def test_an_unfinished_folder_can_be_read(tmp_path):
    X, y = small(2)
    experiment = Experiment({"it": GaussianNB()}, {"d": (X, y)}, KFold(4), seed=0)
    whole = experiment.run(tmp_path / "whole", progress=False)
    from howsure.experiment.run.workers import choose_workers, run_tasks
    from howsure.experiment.store.write import FolderWriter

    plan = experiment.plan
    jobs = [plan.task_input(task, plan.pickled(), None) for task in plan.tasks()][:3]
    with FolderWriter(tmp_path / "part", plan).opened() as writer:
        workers = choose_workers(1, None, list(plan.datasets.values()), str(writer.scratch))
        writer.write_plan()
        for outcome in run_tasks(jobs, workers):
            writer.add(outcome)
    part = ExperimentResult.open(tmp_path / "part")
    assert (part.done, part.total) == (3, 4)
    assert "3 of 4 tasks done" in part.title
    table = part.scores("accuracy")
    assert np.array_equal(table["it"][:3], whole.scores("accuracy")["it"][:3])
    assert table.undefined == {(3, "it"): "the task is not finished yet"}
    assert experiment.run(tmp_path / "part", progress=False).done == 4
    for name in ("tasks.parquet", "predictions/d.parquet"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_other_versions_are_noted(tmp_path):
    X, y = small(2)
    experiment = Experiment({"it": GaussianNB()}, {"d": (X, y)}, KFold(2), seed=0)
    experiment.run(tmp_path, progress=False)
    plan = json.loads((tmp_path / "plan.json").read_text())
    plan["environment"]["numpy"] = "1.0"
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    Contents(tmp_path, [(name, file_digest(tmp_path / name)) for name in own_names(tmp_path)]).tidy()
    with pytest.warns(UserWarning, match="this run was started with other versions: numpy was '1.0' and is "):
        experiment.run(tmp_path, progress=False)


GOOD = {"it": GaussianNB()}
DATA = {"d": (np.zeros((4, 1)), [0, 1, 0, 1])}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (({}, DATA), "`learners` must be a mapping such as {'name': ...}, with at least one entry."),
        (([GaussianNB()], DATA), "`learners` must be a mapping such as {'name': ...}, with at least one entry."),
        (({1: GaussianNB()}, DATA), "`learners` must have strings as names, not 1."),
        (
            ({"it": GaussianNB}, DATA),
            "learner 'it' must be an object with `fit` and `predict`, not <class 'sklearn.naive_bayes.GaussianNB'>.",
        ),
        ((GOOD, {"d": 3}), "data set 'd' must be (X, y) or (X, y, groups), not int."),
        ((GOOD, {"d": (np.zeros((3, 1)), [0, 1])}), "data set 'd' has 3 rows of X and 2 of y; they must be equal."),
        ((GOOD, {"d": (np.zeros((0, 1)), [])}), "data set 'd' must hold at least one case, but it is empty."),
        ((GOOD, {"d": (np.zeros((2, 1)), ["a", None])}), "`y of d` has no label at index 1; drop these rows."),
        (
            (GOOD, DATA, "KFold"),
            "`resampling` must be a scheme such as KFold(10), or an object with a `split` method, not 'KFold'.",
        ),
        ((GOOD, DATA, KFold(2), -1), "`seed` must be a whole number, 0 or above, not -1."),
    ],
)  # fmt: skip
def test_refusals(arguments, said):
    with pytest.raises(HowsureError) as refused:
        Experiment(*arguments)
    assert str(refused.value) == said


def test_refusals_of_a_run(tmp_path):
    experiment = Experiment(GOOD, DATA, KFold(2))
    with pytest.raises(HowsureError) as refused:
        experiment.run(time_limit=0)
    assert str(refused.value) == "`time_limit` must be a number of seconds above 0, not 0."
    with pytest.raises(HowsureError) as refused:
        experiment.run(n_jobs=0)
    assert str(refused.value) == "`n_jobs` must be a whole number other than 0, up to 10,000, not 0."
    with pytest.raises(HowsureError) as refused:
        ExperimentResult.open(tmp_path)
    assert str(refused.value) == f"{str(tmp_path)!r} holds no experiment: there is no plan.json in it."
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(HowsureError, match=r"plan.json' is not listed in SHA256SUMS, so the folder was damaged"):
        ExperimentResult.open(tmp_path)


class Liar:
    def fit(self, X, y):
        return self

    def predict(self, X):
        return ["who?"] * len(X)


def test_a_label_that_is_no_class_is_a_failure():
    result = run(Liar(), *small(2))
    failure = "HowsureError: the learner predicted 'who?', which is not a class of the data"
    assert result.failures().rows[0][4] == failure


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(1, 3))
def test_every_row_is_predicted_once_in_every_repeat(seed, folds, repeats):
    X, y = small(3, 45)
    scheme = KFold(folds, repeats=repeats)
    result = Experiment({"it": GaussianNB()}, {"d": (X, y)}, scheme, seed=seed).run(progress=False)
    assert (result.splits().times_tested == repeats).all()
    assert (
        result.splits().fingerprint == scheme.splits(y, seed=seed).fingerprint == result.scores("accuracy").fingerprint
    )
    assert result.predictions().rows == 45 * repeats


def test_learners_of_two_runs_are_paired_only_on_the_same_splits():
    X, y = small(2)
    one, other = run({"bayes": GaussianNB()}, X, y), run({"tree": DecisionTreeClassifier()}, X, y)
    both = one.scores("accuracy").join(other.scores("accuracy"))
    assert both.learners == ("bayes", "tree")
    assert np.array_equal(both["tree"], other.scores("accuracy")["tree"])
    apart = Experiment({"tree": DecisionTreeClassifier()}, {"d": (X, y)}, KFold(4), seed=1).run(progress=False)
    with pytest.raises(
        HowsureError, match=r"^the tables have different splits, \w+ and \w+, so values are not paired\.$"
    ):
        one.scores("accuracy").join(apart.scores("accuracy"))
    with pytest.raises(HowsureError) as refused:
        one.scores("accuracy").join(other.scores("f1"))
    assert str(refused.value) == "the tables have different measures, accuracy and f1, so values are not paired."
    with pytest.raises(HowsureError) as refused:
        one.scores("accuracy").join(one.scores("accuracy"))
    assert str(refused.value) == "both tables have a learner 'bayes'; rename one of them."


def test_labels_that_differ_in_case_alone_keep_their_own_scores(tmp_path):
    X, y = small()
    result = run(GaussianNB(), X, np.where(y == "a", "Yes", "yes"), folder=tmp_path / "run")
    plain = run(GaussianNB(), X, y)
    assert np.array_equal(result.scores("auc").values, plain.scores("auc").values)
    assert result.predictions().classes.labels == ("Yes", "yes")


@pytest.mark.parametrize("name", ["run[1]", "ru*n", "split=7", "seed=0", "it's \n ☃"])
def test_the_name_of_a_folder_is_only_a_name(tmp_path, name):
    X, y = small()
    plain = run(GaussianNB(), X, y, folder=tmp_path / "ruxn")  # a pattern would take this one in as well
    result = run(GaussianNB(), X, y, folder=tmp_path / name)
    assert np.array_equal(result.scores("auc").values, plain.scores("auc").values)
    written, wanted = (one.folder / "predictions/d.parquet" for one in (result, plain))
    assert written.read_bytes() == wanted.read_bytes()


def test_a_data_set_whose_name_ends_like_another_keeps_its_own_predictions():
    X, y = small()
    other = small(3, 60)
    result = Experiment({"it": GaussianNB()}, {"a": (X, y), "b-a": other}, KFold(4)).run(progress=False)
    assert result.assess("it", "a").confusion.labels == ("a", "b")
    assert result.assess("it", "b-a").confusion.labels == ("a", "b", "c")
    names = Experiment({"it": GaussianNB()}, {"x": (X, y), "x_3": (X, y), "X": (X, y)}).plan.files
    assert len({name.lower() for name in names}) == 3


class Predicts(BaseEstimator, ClassifierMixin):
    """Predicts what a function makes of the number of rows."""

    def __init__(self, make):
        self.make = make

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.make(self.classes_, len(X))


@pytest.mark.parametrize(
    "make", [lambda c, n: c[:1].repeat(n - 1), lambda c, n: c[0], lambda c, n: None, lambda c, n: np.full((n, 2), c[0])]
)
def test_a_wrong_number_of_predictions_is_a_failure(make):
    X, y = small()
    learners = {"odd": Predicts(make), "bayes": GaussianNB()}
    result = Experiment(learners, {"d": (X, y)}, KFold(4), training_error=False).run(progress=False)
    assert {row[1] for row in result.failures().rows} == {"odd"}
    assert "the learner returned predictions of shape" in result.failures().rows[0][-1]
    assert np.isfinite(result.scores("accuracy")["bayes"]).all()


def test_a_step_that_changes_its_rows_does_not_change_ours():
    X, y = small()
    steps = [make_pipeline(StandardScaler(copy=copy), LogisticRegression()) for copy in (True, False)]
    result = run(dict(zip("ab", steps, strict=True)), X * 50 + 30, y)
    assert np.array_equal(*result.scores("auc").values.T)
    assert np.array_equal(*np.split(result.tasks["training_error"], 2))


class Moves(Predicts):
    def fit(self, X, y):
        os.chdir("/")
        os.environ["HOWSURE_MOVED"] = "1"
        np.seterr(all="raise")
        return super().fit(X, y)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_learner_does_to_its_process_is_undone(tmp_path, monkeypatch, jobs):
    monkeypatch.chdir(tmp_path)
    X, y = small()
    before = np.geterr()
    result = run({"moves": Moves(lambda c, n: c[:1].repeat(n)), "bayes": GaussianNB()}, X, y, folder="r", n_jobs=jobs)
    assert tmp_path.cwd() == tmp_path
    assert np.geterr() == before
    assert "HOWSURE_MOVED" not in os.environ
    monkeypatch.chdir("/")  # the result still knows where its files are
    assert result.done == 8
    assert len(result.failures().rows) == 0


class DrawsSlowly(Predicts):
    def predict(self, X):
        time.sleep(0.002)
        return np.random.choice(self.classes_, len(X))  # noqa: NPY002


def test_two_runs_in_threads_do_not_share_their_chance(tmp_path):
    X, y = small()
    with ThreadPoolExecutor(3) as pool:
        futures = [pool.submit(run, DrawsSlowly(None), X, y, folder=tmp_path / str(number)) for number in range(3)]
    files = {one.result().folder / "predictions/d.parquet" for one in futures}
    assert len({file.read_bytes() for file in files}) == 1


def test_cases_of_failed_tasks_are_not_counted():
    X, y = small()

    def sometimes(classes, n):
        if np.random.random() < 0.5:  # noqa: NPY002
            raise ValueError("no")
        return classes[:1].repeat(n)

    result = Experiment({"it": Predicts(sometimes)}, {"d": (X, y)}, KFold(8), training_error=False).run(progress=False)
    failed = len(result.failures().rows)
    assert 0 < failed < 8
    assert result.assess()["accuracy"].n == 40 - 5 * failed


def test_descriptions_are_the_same_in_another_process_and_tell_functions_apart():
    assert describe({"b", "a", "c"}) == ["a", "b", "c"]
    assert describe(np.array(["a", "b"], object)) == ["a", "b"]
    assert describe(np.random.RandomState(0)) == describe(np.random.RandomState(0))
    assert describe(np.random.RandomState(0)) != describe(np.random.RandomState(1))
    two, other, three = lambda X: X[:, :2], lambda X: X[:, :2], lambda X: X[:, :3]
    assert describe(two) == describe(other) != describe(three)
    steps = [describe(make_pipeline(StandardScaler(with_mean=mean), GaussianNB())) for mean in (True, False)]
    assert differences(*steps) == ["steps.1.2.with_mean was True and is False"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (([[1, 2], [3]] * 5, [0, 1] * 5), "an X whose rows all have the same length"),
        ((np.zeros((4, 1)), ["a", "b\0", "a", "a"]), "which no file can hold"),
        ((np.zeros((4, 1)), ["a", "\ud800", "a", "a"]), "which no file can hold"),
        ((np.zeros((4, 1)), ["a", "b", "a", "a"], 5), "groups of d"),
    ],
)
def test_refused_data(data, said):
    with pytest.raises(HowsureError, match=said):
        Experiment({"it": GaussianNB()}, {"d": data})


def test_texts_of_a_loader_are_not_padded():
    data = {"data": ["good", "bad " * 1000], "target": np.array([0, 1])}
    assert Experiment({"it": GaussianNB()}, {"d": data}).plan.datasets["d"].X.dtype == object


def test_sparse_features_of_another_width_have_another_fingerprint():
    y = [0, 1, 0]
    some = [sparse.csr_matrix(([1.0], ([0], [0])), shape=(3, width)) for width in (2, 3)]
    fingerprints = [Experiment({"it": GaussianNB()}, {"d": (X, y)}).plan.datasets["d"].fingerprint() for X in some]
    assert fingerprints[0] != fingerprints[1]


@pytest.mark.parametrize("backend", ["sequential", "threading", "multiprocessing"])
def test_backends_without_processes_that_can_be_ended_are_refused(backend):
    X, y = small()
    with joblib.parallel_config(backend=backend, n_jobs=2), pytest.raises(HowsureError, match="use 'loky', or 'dask'"):
        run(GaussianNB(), X, y, time_limit=60)


def test_groups_of_a_data_set_are_clusters_of_its_predictions(tmp_path):
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(24), 10)
    y = (rng.random(24) < 0.5)[groups].astype(int)
    X = rng.normal(size=(240, 2)) + rng.normal(size=(24, 2))[groups] + y[:, None]
    learners = {"bayes": GaussianNB()}
    told, untold = (
        Experiment(learners, {"data": data}, KFold(4, repeats=2), seed=0).run(tmp_path / name, progress=False)
        for name, data in (("told", (X, y, groups)), ("untold", (X, y)))
    )
    accuracy = told.assess("bayes")["accuracy"]
    assert accuracy.clusters == 24
    assert accuracy.interval().width > 1.5 * untold.assess("bayes")["accuracy"].interval().width
    assert untold.assess("bayes")["accuracy"].clusters is None
    again = ExperimentResult.open(tmp_path / "told").assess("bayes")["accuracy"]
    assert tuple(again.interval()) == tuple(accuracy.interval())
