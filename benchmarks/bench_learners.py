"""Bagging, forests and boosting, compared with scikit-learn; those of Howsure include out-of-bag estimates."""

from __future__ import annotations

from functools import partial
from typing import Any

from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.measure import Comparison, compare, peer
from howsure.learners import AdaBoost, Bagging, RandomForest

WANTED = 1 / 1.1
SIZE = "n = 50,000 x 20"


def run() -> list[Comparison]:
    X, y = make_classification(50_000, 20, n_informative=10, flip_y=0.1, random_state=0)
    tree, stump = DecisionTreeClassifier(), DecisionTreeClassifier(max_depth=1)
    shared: dict[str, Any] = {"random_state": 0, "n_jobs": 2}
    forest, sklearn = RandomForest(100, **shared), peer("scikit-learn")
    pairs: dict[str, tuple[Any, Any]] = {
        "forest of 100": (forest, RandomForestClassifier(100, **shared)),
        "the same, both out of bag": (forest, RandomForestClassifier(100, oob_score=True, **shared)),
        "20 bagged trees": (Bagging(tree, 20, **shared), BaggingClassifier(tree, 20, **shared)),
        "50 boosted stumps": (AdaBoost(stump, 50, random_state=0), AdaBoostClassifier(stump, random_state=0)),
    }
    rows = []
    for name, (ours, theirs) in pairs.items():
        works = partial(ours.fit, X, y), partial(theirs.fit, X, y)
        rows.append(compare(f"{name}, fit, {SIZE}", *works, sklearn, WANTED, repeats=2, warm=False))
        works = partial(ours.predict, X), partial(theirs.predict, X)
        rows.append(compare(f"{name}, predict, {SIZE}", *works, sklearn, WANTED, repeats=10))
        agree = (ours.predict(X) == theirs.predict(X)).mean()
        print(f"  {name}: the same class for {agree:.2%} of the cases")
    return rows
