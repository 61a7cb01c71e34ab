"""A learner that takes its time and leaves word of every fit, for the tests that kill what runs it."""

import os
import time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from howsure import Experiment, KFold


class SlowLearner(ClassifierMixin, BaseEstimator):
    def __init__(self, seconds=0.0, log=None, random_state=None):
        self.seconds = seconds
        self.log = log
        self.random_state = random_state

    def fit(self, X, y):
        if self.log is not None:
            with open(self.log, "a") as file:
                file.write(f"{self.seconds} {X.sum():.17g}\n")
        time.sleep(self.seconds)
        self.classes_ = np.unique(y)
        self.weights_ = np.random.default_rng(self.random_state).normal(size=(X.shape[1], len(self.classes_)))
        return self

    def predict_proba(self, X):
        raised = np.exp(X @ self.weights_)
        return raised / raised.sum(1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(1)]


class Troublesome(SlowLearner):
    """Fits well, but for the training sets without a given row: there it does what ``trouble`` says."""

    def __init__(self, trouble="", row=0.0, seconds=0.0, log=None, random_state=None):
        super().__init__(seconds, log, random_state)
        self.trouble = trouble
        self.row = row

    def fit(self, X, y):
        if self.row not in X[:, 0]:
            if self.trouble == "raise":
                raise ValueError("no <script> today")
            if self.trouble == "hang":
                time.sleep(1000)
            if self.trouble == "die":
                os._exit(3)
        return super().fit(X, y)


def experiment(seconds=0.0, log=None, repeats=2):
    rng = np.random.default_rng(5)
    data = {name: (rng.normal(size=(60, 4)), rng.choice(["a", "b", "c"], size=60)) for name in ("noise", "more")}
    learners = {"slow": SlowLearner(seconds, log), "slower": SlowLearner(2 * seconds, log)}
    return Experiment(learners, data, KFold(10, repeats=repeats), seed=3)
