"""A learner that has changed is noticed on resuming, however it hides what it holds; one that has not is not."""

import functools
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.experiment.plan.describe import describe, differences


class Constant:
    """Predicts what it was told."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


class InSlots(Constant):
    __slots__ = ("label",)

    def __init__(self, label):
        self.label = label


class Private(Constant):
    __slots__ = ("__label",)

    def __init__(self, label):
        self.__label = label

    @property
    def label(self):
        return self.__label


class Taciturn(Constant):
    def __init__(self, label):
        self.label = label

    def __repr__(self):
        return "Taciturn()"


class Calls(Constant):
    def __init__(self, give):
        self.give = give

    @property
    def label(self):
        return self.give()


class Holder:
    def __init__(self, label):
        self.label = label

    def give(self):
        return self.label


class NoParameter(ClassifierMixin, BaseEstimator):
    """Keeps a setting that is no parameter."""

    def __init__(self, label):
        self.settings = {"label": label}

    def get_params(self, deep=True):
        return {}

    fit = Constant.fit

    def predict(self, X):
        return np.full(len(X), self.settings["label"])


def give(label):
    return label


KINDS = {
    "in slots": InSlots,
    "in a private slot": Private,
    "own repr": Taciturn,
    "no parameter": NoParameter,
    "bound method": lambda label: Calls(Holder(label).give),
    "partial": lambda label: Calls(functools.partial(give, label)),
    "closure": lambda label: Calls(lambda: label),
    "of an array": lambda label: Calls(np.array([label]).item),
    "nested": lambda label: Calls(functools.partial(give, [{"a": (label,)}][0]["a"][0])),
}
X, Y = np.arange(12.0).reshape(-1, 1), np.array([0, 1] * 6)


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_a_changed_learner_is_refused_on_resuming(tmp_path, make):
    def run(label):
        return howsure.Experiment({"it": make(label)}, {"d": (X, Y)}, howsure.KFold(2)).run(tmp_path, progress=False)

    first = run(0)
    assert first.failures().rows == []
    assert run(0).done == 2
    with pytest.raises(howsure.HowsureError, match=r"holds another experiment: learners\.it\."):
        run(1)


MODULE = """
import numpy as np
DEFAULT = {default}

def helper(x):
    return {helper}

class Base:
    def fit(self, X, y):
        return self

class Learner(Base):
    shift = {shift}

    def predict(self, X):
        # {comment}
        return np.full(len(X), helper(DEFAULT) + self.shift {code})
"""
SAME = {"default": 0, "helper": "x", "shift": 0, "comment": "", "code": ""}
SCRIPT = """
import sys, numpy as np
import mine, howsure
X, y = np.arange(12.0).reshape(-1, 1), np.array([0, 1] * 6)
try:
    howsure.Experiment({"it": mine.Learner()}, {"d": (X, y)}, howsure.KFold(2)).run(sys.argv[1], progress=False)
except howsure.HowsureError as error:
    print(error)
"""


def test_changed_code_of_the_users_own_is_noticed_and_a_changed_comment_is_not(tmp_path):
    def run(**changes):
        (tmp_path / "mine.py").write_text(MODULE.format(**{**SAME, **changes}))
        (tmp_path / "main.py").write_text(SCRIPT)
        command = [sys.executable, "-B", tmp_path / "main.py", tmp_path / "run"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert run() == ""
    assert run(comment="\n        # another line") == ""
    for change in ({"default": 1}, {"helper": "x + 0"}, {"shift": 1}, {"code": "+ 0"}):
        assert "holds another experiment: learners.it.class was 'mine.Learner " in run(**change), change
    assert run() == ""


def test_a_learner_that_was_fitted_meanwhile_is_the_same_learner():
    for learner in (GaussianNB(), DecisionTreeClassifier()):
        before = describe(learner)
        assert differences(before, describe(learner.fit(X, Y))) == []


def test_the_same_value_is_described_alike_in_another_process():
    code = """
    import datetime, decimal, enum, pathlib, re, sys
    import numpy as np
    from howsure.experiment.plan.describe import describe
    path = pathlib.Path("/a/b")
    if sys.argv[1] == "used":
        str(path), hash(path)
    print(describe([path, re.compile("a+"), datetime.date(2020, 1, 2), decimal.Decimal("1.5"), {"b", "a"}, np.sum, len,
        np.random.default_rng(0), object(), lambda x: x in {"p", "q"}, slice(1, 2), b"ab", 2j, np.float32, "x".join]))
    """
    texts = {
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code), how], capture_output=True, text=True, check=True
        ).stdout
        for how in ("new", "used")
    }
    assert len(texts) == 1
    assert "0x" not in texts.pop()


def test_one_and_one_point_zero_are_different_settings():
    assert differences({"a": 1}, {"a": 1.0}) == ["a was 1 and is 1.0"]
    assert differences(describe({1: 0}), describe({"1": 0})) == ["int 1 is gone", "1 is new"]


def test_what_holds_itself_is_described():
    value = Taciturn(0)
    value.me = [value]
    assert describe(value)["me"] == ["itself"]
