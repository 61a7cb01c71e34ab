"""Predictions that are too many to be held are read piece by piece, and the results are the same."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from howsure import Experiment, ExperimentResult, KFold
from howsure.experiment.store import read, stored_experiment


class Fails(ClassifierMixin, BaseEstimator):
    """Fails where the first row is missing from the training rows."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if X[0, 0] != 0:
            raise ValueError("no first row")
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


def run(folder, classes, groups, repeats):
    rng = np.random.default_rng(4)
    y = rng.choice(classes, 90, p=[0.6, *[0.4 / (classes - 1)] * (classes - 1)])  # no tie for the last digit to decide
    X = y[:, None] + rng.normal(size=(90, 3)).round(1)
    X[0, 0] = 0
    data = (X, y, np.arange(90) // 6) if groups else (X, y)
    learners = {"bayes": GaussianNB(), "ridge": RidgeClassifier(), "fails": Fails()}
    return Experiment(learners, {"d": data}, KFold(5, repeats=repeats), seed=2).run(folder, progress=False)


@pytest.fixture
def few_at_once(monkeypatch):
    """Hold no more than 40 predictions at a time, and list how many were read."""
    lengths = []

    def counted(*arguments):
        found = read.read_predictions(*arguments)
        lengths.append(sum(len(columns["row"]) for columns in found.values()))
        return found

    monkeypatch.setattr(stored_experiment, "AT_ONCE", 40)
    monkeypatch.setattr(read, "AT_ONCE", 40)
    monkeypatch.setattr(stored_experiment, "read_predictions", counted)
    return lengths


@pytest.mark.parametrize(("classes", "groups", "repeats"), [(2, False, 1), (3, False, 2), (2, True, 2)])
def test_pieces_add_up_to_the_whole(tmp_path, few_at_once, monkeypatch, classes, groups, repeats):
    with monkeypatch.context() as undone:
        undone.setattr(stored_experiment, "AT_ONCE", 10**6)
        undone.setattr(read, "AT_ONCE", 10**6)
        whole = run(tmp_path / "run", classes, groups, repeats)
        expected = (
            whole.records(measures=["accuracy", "f1", "auc", "brier"]),
            [whole.assess(name).to_dict() for name in ("bayes", "ridge")],
            str(whole.compare()),
            whole.notes,
        )
        assert 2 * 90 * repeats < few_at_once[0] < 3 * 90 * repeats  # all at once, but for what failed
        assert len(few_at_once) == 1
    few_at_once.clear()
    part = ExperimentResult.open(tmp_path / "run")
    assert part.stored.is_large("bayes", "d")
    records = part.records(measures=["accuracy", "f1", "auc", "brier"])
    for one, other in zip(records, expected[0], strict=True):
        assert one.keys() == other.keys()
        for name, value in other.items():
            # Sums of shares such as 1/3 depend on the order of adding in their last digits.
            assert one[name] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-9, nan_ok=True)), name
    for name, told in zip(("bayes", "ridge"), expected[1], strict=True):
        assert plain(part.assess(name).to_dict()) == pytest.approx(plain(told), rel=1e-9, nan_ok=True)
    assert (str(part.compare()), part.notes) == expected[2:]
    part.report(tmp_path / "page.html")
    assert 0 < max(few_at_once) <= 40
    assert part.predictions("bayes").rows == 90 * repeats  # where they themselves are asked for, they are all there


def plain(tree, path=""):
    """The numbers of nested values by where they stand."""
    if isinstance(tree, dict):
        if str(tree.get("method", "")).startswith("bootstrap"):
            return {}  # which clusters are drawn depends on their order
        return {key: value for name, item in tree.items() for key, value in plain(item, f"{path}/{name}").items()}
    if isinstance(tree, list | tuple):
        return plain(dict(enumerate(tree)), path)
    return {path: tree} if isinstance(tree, int | float) else {}


def test_splits_are_read_piece_by_piece(tmp_path, few_at_once):
    whole = run(tmp_path / "run", 2, True, 3)
    lengths = []
    fetch = read.fetch

    def counted(database, query):
        columns = fetch(database, query)
        lengths.append(len(next(iter(columns.values()))))
        return columns

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(read, "fetch", counted)
        part = ExperimentResult.open(tmp_path / "run")
        splits, groups = part.splits(), part.stored.groups("d")
    assert splits.fingerprint == whole.splits().fingerprint == whole.plan["datasets"]["d"]["splits_fingerprint"]
    assert np.array_equal(groups, np.arange(90) // 6)
    assert max(lengths) == 90  # a group for each row; of the rows of 15 splits never as many
    assert len(lengths) > 7
