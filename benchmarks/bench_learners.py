"""Bagging, forests and boosting against scikit-learn's at the same settings; ours judge out-of-bag cases besides."""

from __future__ import annotations

from functools import partial
from typing import Any

from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from assay.learners import AdaBoost, Bagging, RandomForest
from benchmarks.measure import Comparison, in_turn, peer

WANTED = 1 / 1.1
SIZE = "n = 50,000 x 20"


def run() -> list[Comparison]:
    X, y = make_classification(50_000, 20, n_informative=10, flip_y=0.1, random_state=0)
    tree, stump = DecisionTreeClassifier(), DecisionTreeClassifier(max_depth=1)
    shared: dict[str, Any] = {"random_state": 0, "n_jobs": 2}
    pairs: dict[str, tuple[Any, Any, int]] = {
        "forest of 100": (RandomForest(100, **shared), RandomForestClassifier(100, **shared), 2),
        "the same, both out of bag": (
            RandomForest(100, **shared),
            RandomForestClassifier(100, oob_score=True, **shared),
            2,
        ),
        "20 bagged trees": (Bagging(tree, 20, **shared), BaggingClassifier(tree, 20, **shared), 2),
        "50 boosted stumps": (AdaBoost(stump, 50, random_state=0), AdaBoostClassifier(stump, random_state=0), 2),
    }
    rows = []
    for name, (ours, theirs, rounds) in pairs.items():
        spent = in_turn(partial(ours.fit, X, y), partial(theirs.fit, X, y), rounds)
        rows.append(Comparison(f"{name}, fit, {SIZE}", *spent, peer("scikit-learn"), WANTED))
        spent = in_turn(partial(ours.predict, X), partial(theirs.predict, X), 20)
        rows.append(Comparison(f"{name}, predict, {SIZE}", *spent, peer("scikit-learn"), WANTED))
        agree = (ours.predict(X) == theirs.predict(X)).mean()
        print(f"  {name}: the same class for {agree:.2%} of the cases")
    return rows
