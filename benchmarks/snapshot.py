"""A snapshot of what the public surface gives, to show that a change of the inside leaves every number as it was.

``python -m benchmarks.snapshot OUT.json`` writes it; ``python -m benchmarks.snapshot --diff BEFORE.json AFTER.json``
tells what was added, removed and changed, and ends with 1 if anything was changed.

Only promised names are used, so that the same script runs on either side of the change. What raises is kept as the
class of its error. Long arrays are kept as their size and a weighted sum, which can be compared with a tolerance;
labels and row numbers as a hash. Times and sizes in memory, which differ from run to run, are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from operator import attrgetter, getitem, methodcaller
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import assay

METHODS = (
    *("wilson", "wald", "clopper-pearson", "agresti-coull", "jeffreys", "mid-p", "delta", "delong", "hanley-mcneil"),
    *("bootstrap", "basic", "bca"),
)
AVERAGES = ("macro", "micro", "weighted")
SIDES = ("two-sided", "lower", "upper")
ALTERNATIVES = ("two-sided", "less", "greater")
PROMISED = (  # of an estimate, a test and an interval
    ("value", "n", "undefined"),
    ("statistic", "pvalue", "df", "difference", "alternative", "method"),
    ("low", "high", "method"),
)
VOLATILE = re.compile("second|memory|bytes|time|model size|touch|folder")


def plain(value: Any) -> Any:
    """Turn a result into what JSON can hold."""
    if isinstance(value, str | int | None):  # bool is an int
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items() if not VOLATILE.search(str(key))}
    if isinstance(value, list | tuple) and not hasattr(value, "to_dict"):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    for names in PROMISED:
        if all(hasattr(value, name) for name in names):
            return {name: plain(getattr(value, name)) for name in names}
    return plain(value.to_dict())


def called(value: Any) -> Any:
    """Read what may be a property or a method."""
    return value() if callable(value) else value


def rows(table: Any) -> Any:
    """Read a table as records, whichever library its data frame is of."""
    native = table.frame() if hasattr(table, "frame") else table
    return (
        native if isinstance(native, list | tuple) else list(nw.from_native(native, eager_only=True).rows(named=True))
    )


def checksum(values: Any) -> dict[str, Any]:
    flat = np.asarray(values, float).ravel()
    finite = np.isfinite(flat)
    weights = 1 + np.arange(flat.size) % 13 / 7
    return {"size": flat.size, "finite": int(finite.sum()), "sum": math.fsum((flat * weights)[finite])}


def digest(*arrays: Any) -> str:
    return hashlib.sha256(json.dumps([plain(np.asarray(a)) for a in arrays if a is not None]).encode()).hexdigest()[:16]


class Snapshot:
    """Values by key. What is asked for is called here, so that an error is a value like any other."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def made(self, key: str, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Call, and give the result, or None after an error that was kept."""
        try:
            return function(*args, **options)
        except Exception as error:  # any: which one it is belongs to the snapshot
            self.values[key] = {"error": type(error).__name__}
            return None

    def add(self, key: str, function: Callable[..., Any], *args: Any, **options: Any) -> None:
        found = self.made(key, lambda: plain(function(*args, **options)))
        if key not in self.values:
            self._keep(key, found)

    def _keep(self, key: str, found: Any) -> None:
        items = enumerate(found) if isinstance(found, list) else found.items() if isinstance(found, dict) else ()
        if key in self.values:
            raise KeyError(f"{key} is there already")
        if not found or not isinstance(found, list | dict):
            self.values[key] = found
        for name, item in items:
            self._keep(f"{key}/{name}", item)

    def estimate(self, key: str, function: Callable[..., Any], *args: Any, methods: Any = (), **options: Any) -> None:
        found = self.made(key, function, *args, **options)
        if found is None:
            return
        self.add(key, lambda: found)
        for confidence, side in product((0.95, 0.8), SIDES):
            self.add(f"{key}/{side} {confidence}", found.interval, confidence, side=side)
        for method in methods:
            self.add(f"{key}/{method}", found.interval, method=method, replicates=200, seed=1)

    def curve(self, key: str, function: Callable[..., Any], *args: Any, **options: Any) -> None:
        found = self.made(key, function, *args, **options)
        if found is None:
            return
        self.add(f"{key}/area", attrgetter("area"), found)
        self.add(key, lambda: {name: checksum(getattr(found, name)) for name in ("x", "y", "thresholds")})
        if "band" in options:
            self.add(f"{key}/frame", lambda: [checksum(list(row.values())) for row in rows(found)[::20]])

    def comparison(self, key: str, function: Callable[..., Any], *args: Any, **options: Any) -> None:
        found = self.made(key, function, *args, **options)
        if found is None:
            return
        for name in ("test", "verdict", "values"):
            self.add(f"{key}/{name}", attrgetter(name), found)
        self.estimate(f"{key}/difference", attrgetter("difference"), found, methods=("bootstrap", "bca"))
        self.add(f"{key}/ranking", lambda: called(found.ranking))
        self.add(f"{key}/frame", rows, found)
        self.add(f"{key}/tests", lambda: rows(found.tests()))


def two_classes() -> dict[str, Any]:
    rng = np.random.default_rng(7)
    truth = rng.choice(["no", "yes"], 200, p=[0.65, 0.35])
    scores, other, worse = (
        np.clip(0.45 + gap * (truth == "yes") + 0.2 * rng.normal(size=200), 0.01, 0.99) for gap in (0.2, 0.15, 0.02)
    )
    predicted = {name: np.where(s >= 0.5, "yes", "no") for name, s in (("a", scores), ("b", other), ("c", worse))}
    weight, whole, site = rng.uniform(0.2, 3, 200), rng.integers(0, 4, 200), rng.choice(["north", "south", "west"], 200)
    by_score = {"a": scores, "b": other, "c": worse}
    return {"truth": truth, "scores": by_score, "predicted": predicted, "real": weight, "whole": whole, "site": site}


def more_classes(k: int) -> tuple[Any, Any, Any, list[str]]:
    """Truth, predicted labels, a column of scores for each class, and the names of the classes."""
    rng = np.random.default_rng(k)
    names = list("abcde"[:k])
    truth = rng.choice(k, 180, p=np.arange(1, k + 1) / (k * (k + 1) / 2))
    scores = rng.dirichlet(np.ones(k), 180) + 0.5 * np.eye(k)[truth]
    scores /= scores.sum(axis=1, keepdims=True)
    labels = np.array(names)
    return (
        labels[truth],
        labels[np.where(rng.random(180) < 0.2, rng.integers(k, size=180), scores.argmax(1))],
        scores,
        names,
    )


def cases(n: int = 90, k: int = 2, seed: int = 0) -> tuple[Any, Any]:
    """Features and classes for learners."""
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    return rng.normal(size=(n, 4)) + 0.7 * y[:, None] * np.array([1, 0.5, 0, -1]), y


def assessments() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The inputs of every measure, by name."""
    two = two_classes()
    truth, scores, predicted = two["truth"], two["scores"]["a"], two["predicted"]["a"]
    costs = assay.Costs(false_negative=5, false_positive=1)
    yes = {"positive": "yes"}
    yield "2 labels", partial(assay.assess, truth, predicted)
    yield "2 labels, other positive", partial(assay.assess, truth, predicted, positive="no")
    yield "2 scores", partial(assay.assess, truth, scores=scores, **yes)
    yield (
        "2 scores, ties, costs",
        partial(assay.assess, truth, scores=scores.round(1), costs=costs, threshold=0.4, **yes),
    )
    for kind in ("real", "whole"):
        yield f"2 labels, {kind} weight", partial(assay.assess, truth, predicted, weight=two[kind], costs=costs, **yes)
        yield f"2 scores, {kind} weight", partial(assay.assess, truth, scores=scores, weight=two[kind], **yes)
    for k in (3, 5):
        truth, predicted, scores, names = more_classes(k)
        weight = np.random.default_rng(k).uniform(0.5, 2, len(truth))
        matrix = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).tolist()
        yield f"{k} labels", partial(assay.assess, truth, predicted)
        yield f"{k} labels, weight, costs", partial(assay.assess, truth, predicted, weight=weight, costs=matrix)
        yield f"{k} scores", partial(assay.assess, truth, scores=scores, labels=names)
        yield f"{k} scores, weight", partial(assay.assess, truth, scores=scores, labels=names, weight=weight)
    yield (
        "never predicted",
        partial(assay.assess, ["a", "b", "c", "a", "b"], ["a", "b", "b", "a", "a"], labels=list("abcd")),
    )
    yield "one class", partial(assay.assess, ["a"] * 12, ["a"] * 10 + ["b"] * 2, labels=["b", "a"])
    yield "perfect", partial(assay.assess, ["a", "b"] * 15, scores=[0.2, 0.9] * 15, positive="b")
    yield "constant", partial(assay.assess, ["a", "b"] * 15, scores=[0.5] * 30, positive="b")


def assess(snap: Snapshot) -> None:
    asked = ("f_beta(beta=2)", "partial_auc(high=0.2)", "lift(depth=0.1)", "gain(depth=0.3)", "top_k_accuracy(k=2)")
    for title, make in assessments():
        key = f"assess/{title}"
        a = snap.made(key, make)
        if a is None:
            continue
        snap.add(f"{key}/confusion", attrgetter("confusion.counts"), a)
        snap.add(f"{key}/chance", attrgetter("counts"), a.chance())
        snap.add(f"{key}/per_class", rows, a.per_class())
        snap.add(f"{key}/frame", rows, a)
        for name in (*assay.measures.names(), *asked):
            snap.estimate(f"{key}/{name}", getitem, a, name, methods=METHODS)
            for average in AVERAGES:
                snap.estimate(f"{key}/{name}/{average}", a.estimate, name, average=average)
            for label in a.confusion.labels:
                snap.estimate(f"{key}/{name}/of {label}", a.estimate, name, label=label)
        for weights in ("linear", "quadratic"):
            snap.estimate(f"{key}/weighted_kappa/{weights}", a.estimate, "weighted_kappa", weights=weights)


def groups(snap: Snapshot) -> None:
    two = two_classes()
    for kind, given in (("labels", {"predicted": two["predicted"]["a"]}), ("scores", {"scores": two["scores"]["a"]})):
        found = snap.made(f"groups/{kind}", assay.assess, two["truth"], by=two["site"], positive="yes", **given)
        for site, name in product(("north", "south", "west"), assay.measures.names()):
            snap.estimate(f"groups/{kind}/{site}/{name}", getitem, found[site], name)
        snap.add(f"groups/{kind}/frame", rows, found)


def curves(snap: Snapshot) -> None:
    names = ("roc", "precision_recall", "lift", "gain", "calibration", "cost_curve", "decision_curve")
    more = ("roc_hull", "det", "ks", "lift_ratio", "densities")  # not promised, but shown in the guide
    for title, make in assessments():
        if "scores" not in title:
            continue
        a = make()
        for label, name in product(a.confusion.labels, (*names, *more)):
            snap.curve(f"curves/{title}/{name}/{label}", methodcaller(name, label=label), a)
        if title.startswith("2"):
            for name, band in product(("roc", "precision_recall", "gain"), ("pointwise", "simultaneous")):
                snap.curve(f"curves/{title}/{name}/{band}", getattr(a, name), band=band)
            thresholds(snap, f"thresholds/{title}", a)


def thresholds(snap: Snapshot, key: str, a: Any) -> None:
    for threshold, name in product((0.1, 0.3, 0.7), ("recall", "precision", "accuracy", "kappa", "auc", "brier")):
        snap.estimate(f"{key}/{threshold}/{name}", getitem, a.at(threshold=threshold), name)
    for name in ("f1", "accuracy", "kappa", "balanced_accuracy", "f_beta(beta=2)", "recall", "prevalence"):
        snap.add(f"{key}/best/{name}", a.best_threshold, name)
    for prior in (None, 0.02, 0.6):
        costs = assay.Costs(false_negative=5, false_positive=1, prior=prior)
        snap.add(f"{key}/best/costs {prior}", a.best_threshold, costs=costs)


def intervals(snap: Snapshot) -> None:
    two, rng = two_classes(), np.random.default_rng(3)
    values, yes, scores = rng.normal(0.8, 0.05, 12), two["truth"] == "yes", two["scores"]["a"]
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        (name, counts, {})
        for name in ("wilson", "wald", "clopper_pearson", "agresti_coull", "jeffreys", "mid_p")
        for counts in ((0, 10), (1, 10), (5, 10), (10, 10), (75, 100), (3, 1000), (999, 1000), (0, 0), (2.5, 7.5))
    ]
    calls += [("mean_t", (values,), {}), ("mean_z", (values,), {}), ("mean_z", (values,), {"sigma": 0.04})]
    calls += [
        ("corrected_t", (values, 1 / 9), {}),
        ("newcombe_paired", (40, 8, 3, 9), {}),
        ("delong", (yes, scores), {}),
    ]
    calls += [("newcombe", counts, {}) for counts in ((56, 70, 48, 80), (0, 10, 10, 10), (5, 5, 3, 9))]
    calls += [("tango", counts, {}) for counts in ((15, 25, 200), (0, 0, 50), (0, 9, 30))]
    calls += [("bootstrap", (values,), {"method": method, "seed": 2}) for method in ("bootstrap", "basic", "bca")]
    for place, (name, args, options) in enumerate(calls):
        for confidence, side in product((0.5, 0.8, 0.95, 0.99), SIDES):
            ask = methodcaller(name, *args, confidence=confidence, side=side, **options)
            snap.add(f"intervals/{name}/{place}/{side} {confidence}", ask, assay.intervals)


def significance(snap: Snapshot) -> None:
    two, rng = two_classes(), np.random.default_rng(11)
    a = rng.normal(0.8, 0.04, 10).round(3)
    b = (a + rng.normal(-0.015, 0.02, 10)).round(3)
    scores = np.column_stack([a, b, b + 0.01, a - 0.03]) + rng.normal(0, 0.01, (10, 4)).round(3)
    table, right = {name: scores[:, place] for place, name in enumerate("wxyz")}, rng.random((40, 3)) < (0.8, 0.7, 0.6)
    yes, first, second = two["truth"] == "yes", two["scores"]["a"], two["scores"]["b"]
    labels = (two["truth"], two["predicted"]["a"], two["predicted"]["b"])
    halves = rng.normal(0.01, 0.02, (5, 2))
    sided: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("z_test", (a, 0.78, 0.04), {}), ("t_test", (a, 0.78), {}), ("sign_test", (a, b), {}), ("paired_t", (a, b), {}),
        *(("binomial_test", given, {}) for given in ((12, 100, 0.2), (0, 9, 0.5))), ("normal_test", (12, 100, 0.2), {}),
        *(("mcnemar", (25, 15), {"method": m}) for m in ("exact", "mid-p", "chi2", "chi2-corrected", "auto")),
        *(("mcnemar", counts, {}) for counts in ((0, 0), (3, 0), (200, 150))), ("wilcoxon", (a, b), {}),
        ("wilcoxon", (a, b.round(2)), {}), ("corrected_paired_t", (a, b), {"ratio": 1 / 9}), ("paired_t", (a, a), {}),
        ("five_by_two_t", (halves,), {}), ("delong", (yes, first, second), {}), ("permutation", labels, {}),
        ("permutation", labels, {"measure": "f1", "positive": "yes", "replicates": 500}),
        ("bootstrap_difference", labels, {"replicates": 500}), ("contrast", (scores, [1, 1, -1, -1]), {}),
    ]  # fmt: skip
    many = (
        "anova",
        "repeated_anova",
        "kruskal_wallis",
        "friedman",
        "iman_davenport",
        "quade",
        "newman_keuls",
        "tukey",
        "nemenyi",
    )
    plain_calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        *((name, (given,), {}) for name in many for given in (table, scores, scores.round(2))),
        *((name, (table,), {"control": "w"}) for name in ("bonferroni_dunn", "dunnett", "critical_difference")),
        *((name, (scores.round(2),), {"ties": False}) for name in ("friedman", "iman_davenport")),
        ("five_by_two_f", (halves,), {}), ("cochran_q", (right,), {}), ("critical_difference", (table,), {}),
        ("bayesian_correlated_t", (a, b), {"rho": 0.1, "rope": 0.01}), ("bayesian_signed_rank", (a, b), {"rope": 0.01}),
        ("bayesian_sign", (a, b), {"rope": 0.01}), ("equivalence", (0.01, 0.02, 0.05), {}),
        ("non_inferiority", (0.01, 0.02, 0.05), {}), ("delong_unpaired", (yes, first, yes[::-1], second), {}),
        *(
            ("adjust", ([0.001, 0.012, 0.02, 0.04, 0.3, 0.8],), {"method": method})
            for method in ("bonferroni", "holm", "hochberg", "hommel", "sidak", "bh", "by", "shaffer", "bergmann-hommel")
        ),
    ]  # fmt: skip
    plain_calls += [
        (n, args, {**given, "alternative": side}) for (n, args, given), side in product(sided, ALTERNATIVES)
    ]
    for place, (name, args, given) in enumerate(plain_calls):
        snap.add(f"significance/{name}/{place}", methodcaller(name, *args, **given), assay.significance)


def plans(snap: Snapshot) -> None:
    shared = ({"power": 0.8, "difference": 0.04}, {"n": 600, "difference": 0.04}, {"n": 600, "power": 0.9})
    guessed: dict[str, dict[str, Any]] = {
        "mcnemar": {"discordant": 0.1},
        "proportions": {"proportion": 0.85},
        "auc": {"auc": 0.85, "correlation": 0.5},
        "corrected_t": {"sd": 0.03, "ratio": 1 / 9},
    }
    calls = [(name, {**guess, **given}) for (name, guess), given in product(guessed.items(), shared)]
    calls += [(name, {**guess, **shared[1], "alternative": "greater"}) for name, guess in guessed.items()]
    calls += [("friedman", {"classifiers": 4, "n": 20, "difference": 1.5, "pattern": p}) for p in ("pair", "even")]
    for place, (name, given) in enumerate(calls):
        snap.add(f"plan/{name}/{place}", methodcaller(f"plan_{name}", **given), assay.significance)


def compare(snap: Snapshot) -> None:
    two = two_classes()
    truth, predicted, scores = two["truth"], two["predicted"], two["scores"]
    truth_3, first, by_class, names = more_classes(3)
    other = np.roll(first, 1)
    yes = {"positive": "yes"}
    pair, soft = ({name: given[name] for name in "ab"} for given in (predicted, scores))
    for name in ("accuracy", "error_rate", "f1", "kappa", "mcc", "balanced_accuracy", "recall", "precision"):
        snap.comparison(f"compare/2 labels/{name}", assay.compare, truth, pair, measure=name, **yes)
        snap.comparison(f"compare/3 classes/{name}", assay.compare, truth_3, {"p": first, "q": other}, measure=name)
    for name in ("auc", "brier", "log_loss", "average_precision", "ks_distance", "accuracy", "f1"):
        snap.comparison(f"compare/2 scores/{name}", assay.compare, truth, scores=soft, measure=name, **yes)
    options: dict[str, dict[str, Any]] = {
        "all": {},
        "baseline": {"baseline": "c"},
        "adjusted": {"adjust": "bonferroni"},
    }
    for title, given in options.items():
        snap.comparison(f"compare/three, labels/{title}", assay.compare, truth, predicted, **given, **yes)
        snap.comparison(f"compare/three, scores/{title}", assay.compare, truth, scores=scores, **given, **yes)
    columns = {"p": by_class, "q": np.roll(by_class, 1, axis=0)}
    snap.comparison("compare/3 scores", assay.compare, truth_3, scores=columns, labels=names, measure="log_loss")
    snap.comparison("compare/same", assay.compare, truth, {"a": predicted["a"], "b": predicted["a"]})
    gate = getattr(assay, "gate", None) or importlib.import_module("assay.comparison").gate
    for title, given in (("labels", {"predicted": predicted}), ("scores", {"scores": scores})):
        compared = assay.compare(truth, **given, **yes)
        for margin, (new, old) in product((0.0, 0.01, 0.1), (("a", "b"), ("b", "a"), ("a", "c"))):
            key = f"gate/{title}/{new} {old} {margin}"
            found = snap.made(key, gate, compared, new, old, margin=margin)
            for name in ("passed", "bound", "verdict"):
                snap.add(f"{key}/{name}", attrgetter(name), found)


def resampling(snap: Snapshot) -> None:
    schemes = [
        *(assay.Holdout(), assay.Holdout(0.2, stratified=False), assay.RepeatedHoldout(4), assay.TrainValidationTest()),
        *(assay.KFold(), assay.KFold(5, repeats=3), assay.KFold(4, stratified=False), assay.LeaveOneOut()),
        *(assay.FiveByTwo(), assay.Bootstrap(20), assay.Resubstitution(), assay.resampling.TimeOrder(3, gap=2)),
        assay.resampling.as_scheme(StratifiedKFold(4, shuffle=True, random_state=0)),
    ]
    X, y = cases(61, 3)
    members = np.arange(61) // 4
    for (place, scheme), seed, grouped in product(enumerate(schemes), (0, 1), (None, members)):
        key = f"resampling/{place} {type(scheme).__name__}/{seed} {'rows' if grouped is None else 'groups'}"
        splits = snap.made(key, scheme.splits, y, groups=grouped, seed=seed)
        if splits is not None:
            parts = [getattr(one, part, None) for one in splits for part in ("train", "test", "validation")]
            snap.add(f"{key}/rows", digest, *parts)
            snap.add(f"{key}/fingerprint", attrgetter("fingerprint"), splits)
            snap.add(f"{key}/design", attrgetter("design"), splits)
    for (name, learner), method, seed in product(learners().items(), ("632", "632+", "oob"), (0, 1)):
        ask = partial(assay.resampling.bootstrap_error, learner, X, y, method=method, rounds=20, seed=seed)
        snap.estimate(f"bootstrap_error/{name}/{method}/{seed}", ask)


def learners() -> dict[str, Any]:
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    return {"tree": tree, "bayes": GaussianNB(), "logistic": LogisticRegression()}


def ensembles(snap: Snapshot) -> None:
    of, tree = assay.learners, DecisionTreeClassifier(max_depth=2, random_state=0)
    costs = assay.Costs(false_negative=5, false_positive=1)
    made = {
        "Bagging": of.Bagging(n_estimators=12, random_state=0),
        "Bagging of stumps": of.Bagging(estimator=tree, n_estimators=9, max_samples=0.7, voting="soft", random_state=1),
        "RandomForest": of.RandomForest(n_estimators=15, random_state=0, n_jobs=2),
        "RandomForest, all features": of.RandomForest(n_estimators=8, max_features=None, random_state=3),
        "AdaBoost": of.AdaBoost(n_estimators=10, random_state=0),
        "AdaBoost of trees": of.AdaBoost(estimator=tree, n_estimators=6, random_state=0),
        "Stacking": of.Stacking(learners(), random_state=0),
        **{
            f"PessimisticTree {bound} {confidence}": of.PessimisticTree(confidence, bound=bound, random_state=0)
            for bound, confidence in product(("wilson", "exact", "c45"), (0.1, 0.25, 0.5))
        },
        **{
            f"CostSensitive {method}": of.CostSensitive(GaussianNB(), costs, method, positive=1, random_state=0)
            for method in ("weights", "resample", "duplicate", "threshold", "relabel")
        },
    }
    for (name, learner), k in product(made.items(), (2, 3)):
        X, y = cases(90, k, seed=k)
        key = f"learners/{name}/{k}"
        fitted = snap.made(key, learner.fit, X[:60], y[:60])
        if fitted is None:
            continue
        snap.add(f"{key}/predicted", lambda fitted, X: digest(fitted.predict(X)), fitted, X)
        snap.add(f"{key}/probabilities", lambda fitted, X: checksum(fitted.predict_proba(X)), fitted, X)
        for attribute in ("oob_error_", "trace_"):
            if hasattr(fitted, attribute):
                snap.add(
                    f"{key}/{attribute}",
                    lambda found: found if isinstance(found, float) else rows(found),
                    getattr(fitted, attribute),
                )
        if hasattr(fitted, "oob_predictions_"):
            for measure in ("accuracy", "auc", "log_loss"):
                snap.estimate(f"{key}/oob/{measure}", lambda f, m: assay.assess(f.oob_predictions_)[m], fitted, measure)
    X, y = cases(90)
    grown = DecisionTreeClassifier(random_state=0).fit(X, y)
    for bound, confidence in product(("wilson", "exact", "c45"), (0.05, 0.25, 0.5)):
        snap.add(
            f"prune/{bound}/{confidence}",
            lambda *given: checksum(of.prune(*given).predict_proba(X)),
            grown,
            confidence,
            bound,
        )
        for errors, n in ((0, 1), (0, 6), (1, 16), (5, 14), (7, 7)):
            snap.add(f"upper_error/{bound}/{confidence}/{errors} of {n}", of.upper_error, errors, n, confidence, bound)


def experiments(snap: Snapshot) -> None:
    one = {"one": cases(80)}
    three = {"one": cases(60, 2, 1), "two": cases(70, 3, 2), "three": cases(50, 2, 3), "four": cases(55, 3, 4)}
    trees = {f"depth {d}": DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 2, 5)}
    plans: dict[str, tuple[Any, ...]] = {
        "folds": (learners(), one, assay.KFold(5, repeats=2)),
        "five by two": ({name: learners()[name] for name in ("tree", "bayes")}, one, assay.FiveByTwo()),
        "holdout": (learners(), one, assay.Holdout()),
        "data sets": (learners(), three, assay.KFold(4)),
        "trees": (trees, one, assay.KFold(5)),
    }
    for title, (given, datasets, scheme) in plans.items():
        key = f"experiment/{title}"
        with tempfile.TemporaryDirectory() as folder:
            found = snap.made(
                key,
                lambda *plan, **run: assay.Experiment(*plan, seed=1).run(**run),
                given,
                datasets,
                scheme,
                folder=folder,
                n_jobs=1,
            )
            if found is not None:
                experiment(snap, key, found, tuple(given), tuple(datasets))


def experiment(snap: Snapshot, key: str, result: Any, names: tuple[str, ...], datasets: tuple[str, ...]) -> None:
    snap.add(f"{key}/frame", rows, result)
    snap.add(f"{key}/profile", lambda: rows(result.profile()))
    for measure in ("accuracy", "auc", "log_loss", "kappa", "f1"):
        for dataset in datasets:
            table = snap.made(f"{key}/scores/{dataset}/{measure}", result.scores, measure, dataset)
            if table is not None:
                for name in ("values", "learners", "fingerprint"):
                    snap.add(f"{key}/scores/{dataset}/{measure}/{name}", attrgetter(name), table)
                for name in names:
                    snap.estimate(f"{key}/scores/{dataset}/{measure}/mean of {name}", table.estimate, name)
            snap.comparison(f"{key}/compare/{dataset}/{measure}", result.compare, measure, dataset)
        if len(datasets) > 1:
            snap.comparison(f"{key}/compare/all/{measure}", result.compare, measure)
            snap.comparison(f"{key}/compare/all, baseline/{measure}", result.compare, measure, baseline=names[0])
    for name, measure in product(names, ("accuracy", "auc", "f1", "brier")):
        ask = methodcaller("assess", name, datasets[0])
        snap.estimate(f"{key}/assess/{name}/{measure}", lambda ask, measure: ask(result)[measure], ask, measure)
    preferred = snap.made(
        f"{key}/preference", result.preference, weights={"error_rate": 2, "complexity": 1}, dataset=datasets[0]
    )
    for name in ("winner", "scores", "ranks") if preferred is not None else ():
        snap.add(f"{key}/preference/{name}", attrgetter(name), preferred)


def selection(snap: Snapshot) -> None:
    of, (X, y) = assay.selection, cases(90)
    tree, grid, depths = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4]}, [1, 2, 4]
    folds = assay.KFold(3)
    tuned = of.tune(tree, grid, X, y, seed=1)
    for measure in ("accuracy", "auc"):
        snap.estimate(f"selection/tune/test {measure}", getitem, tuned.test(), measure)
    snap.add("selection/tune", lambda: tuned)
    snap.add("selection/nested", of.nested, tree, grid, X, y, outer=folds, inner=folds, seed=1)
    snap.add("selection/criteria", of.criteria, learners(), X, y, resampling=folds)
    snap.add("selection/learning_curve", of.learning_curve, GaussianNB(), X, y, sizes=[10, 20, 40], resampling=folds)
    snap.add("selection/complexity_curve", of.complexity_curve, tree, X, y, "max_depth", depths, resampling=folds)
    snap.add("selection/noise_curve", of.noise_curve, GaussianNB(), X, y, shares=(0, 0.2), resampling=folds)
    snap.add("selection/bias_variance_curve", of.bias_variance_curve, tree, X, y, "max_depth", depths, rounds=10)
    snap.add("selection/shell_volume", of.shell_volume, [1, 2, 5, 20], 0.05)
    snap.add("selection/vc_bound", of.vc_bound, 0.1, 500, 4)
    for name, loss in product(learners(), ("zero-one", "squared", "log")):
        key = f"bias_variance/{name}/{loss}"
        found = snap.made(key, assay.bias_variance, learners()[name], X, y, loss=loss, rounds=15, seed=1)
        for part in ("loss", "bias", "variance", "noise") if found is not None else ():
            snap.add(f"{key}/{part}", attrgetter(part), found)


def commands(snap: Snapshot) -> None:
    two, (truth, predicted, scores, names) = two_classes(), more_classes(3)
    columns = {"y": two["truth"], "site": two["site"], "w": two["whole"]}
    columns |= {name: two["predicted"][name] for name in "abc"} | {f"p{name}": two["scores"][name] for name in "abc"}
    classes = {"y": truth, "label": predicted, **{f"p{name}": scores[:, place] for place, name in enumerate(names)}}
    lines = """
        assess two.csv --truth y --predicted a
        assess two.csv --truth y --predicted a --by site --weight w --confidence 0.8
        assess two.csv --truth y --score pa --positive yes --cost fn=5,fp=1 --prior 0.1 --threshold 0.4
        assess two.csv --truth y --predicted a --per-class
        assess three.csv --truth y --predicted label --measures recall,kappa,f_beta(beta=2)
        assess three.csv --truth y --scores pa,pb,pc --labels a,b,c
        assess two.csv --truth y --predicted nothing
        compare two.csv --truth y --predicted a --predicted b
        compare two.csv --truth y --predicted a --predicted b --predicted c --measure f1 --positive yes --baseline c
        compare two.csv --truth y --score pa --score pb --positive yes
        gate two.csv --truth y --baseline b --candidate a --margin 0.1
        gate two.csv --truth y --baseline a --candidate c
        plan mcnemar --difference 0.02 --discordant 0.1 --power 0.8
        plan proportions --difference 0.02 --proportion 0.9 --n 1000
        plan auc --auc 0.85 --difference 0.03 --correlation 0.5 --n 500
        plan corrected-t --n 100 --power 0.8 --sd 0.02 --ratio 0.111
        plan friedman --classifiers 4 --difference 1.5 --power 0.8
        measures
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, table in (("two", columns), ("three", classes)):
            body = [",".join(table), *(",".join(map(str, row)) for row in zip(*table.values(), strict=True))]
            (Path(folder) / f"{name}.csv").write_text("\n".join(body) + "\n")
        for line in lines.strip().splitlines():
            command = [sys.executable, "-m", "assay", *line.split(), "--json"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment())
            snap.add(f"command/{line.strip()}/exit", lambda done: done.returncode, done)
            snap.add(f"command/{line.strip()}", lambda done: json.loads(done.stdout), done)


def environment() -> dict[str, str]:
    """The environment for a command in another folder: the same Assay as here."""
    return {**os.environ, "PYTHONPATH": str(Path(str(assay.__file__)).parents[1])}


SECTIONS = (
    *(assess, groups, curves, intervals, significance, plans, compare),
    *(resampling, ensembles, experiments, selection, commands),
)


def take() -> dict[str, Any]:
    """Take the snapshot of the Assay that is installed here."""
    snap = Snapshot()
    for section in SECTIONS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            snap.made(section.__name__, section, snap)
    return snap.values


def same(before: Any, after: Any, tolerance: float) -> bool:
    if all(isinstance(one, int | float) and not isinstance(one, bool) for one in (before, after)):
        return math.isclose(before, after, rel_tol=tolerance, abs_tol=tolerance / 1000)
    return bool(before == after and type(before) is type(after))


def diff(before: dict[str, Any], after: dict[str, Any], tolerance: float, examples: int = 3) -> int:
    """Print the keys that differ, by their first two parts and the last; give 1 if a value was changed."""
    kinds = {
        "added": [key for key in after if key not in before],
        "removed": [key for key in before if key not in after],
        "changed": [key for key in before if key in after and not same(before[key], after[key], tolerance)],
    }
    for kind, keys in kinds.items():
        print(f"{kind}: {len(keys)}")
        groups: dict[str, list[str]] = defaultdict(list)
        for key in keys:
            first, *middle, last = key.split("/")
            groups["/".join([first, *middle[:1], "...", last] if middle else [first, last])].append(key)
        for group, members in sorted(groups.items(), key=lambda item: -len(item[1])):
            print(f"  {len(members):6}  {group}")
            for key in members[:examples]:
                print(f"          {key}: {json.dumps(before.get(key))} -> {json.dumps(after.get(key))}")
    return int(bool(kinds["changed"]))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.snapshot", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", nargs="?", type=Path, help="file to write the snapshot to")
    parser.add_argument("--diff", nargs=2, type=Path, metavar=("BEFORE", "AFTER"), help="compare two snapshots")
    parser.add_argument("--tolerance", type=float, default=1e-12, help="relative, of numbers (default: 1e-12)")
    given = parser.parse_args()
    if given.diff:
        before, after = (json.loads(path.read_text()) for path in given.diff)
        return diff(before, after, given.tolerance)
    if given.out is None:
        parser.error("a file to write to is missing")
    values = take()
    given.out.write_text(json.dumps(values, indent=0, allow_nan=False) + "\n")
    errors = sum(isinstance(value, dict) and "error" in value for value in values.values())
    print(f"{len(values)} values, of which {errors} errors, by {assay.__file__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
