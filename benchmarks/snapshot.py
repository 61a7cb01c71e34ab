"""Snapshot of results of the public API, to check that a change does not alter any number.

``python -m benchmarks.snapshot OUT.json`` writes it; ``python -m benchmarks.snapshot --diff BEFORE.json AFTER.json``
prints what was added, removed and changed, and exits with 1 if anything was changed.

Results are computed by expressions of the public API, which are also the keys, so the same script runs before and after
a change. An exception is stored as its class, a long array as its size and a weighted sum (to compare with a
tolerance), labels and row numbers as a hash. Times and memory sizes are left out.
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
from itertools import product
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure

PROPORTION = ("wilson", "wald", "clopper-pearson", "agresti-coull", "jeffreys", "mid-p")
METHODS = (*PROPORTION, "delta", "delong", "hanley-mcneil", "bootstrap", "basic", "bca")
SIDES = ("two-sided", "lower", "upper")
PROMISED = (  # of an estimate, a test and an interval
    ("value", "n", "undefined"),
    ("statistic", "pvalue", "df", "difference", "alternative", "method"),
    ("low", "high", "method"),
)
VOLATILE = re.compile("second|memory|bytes|time|model size|touch|folder")
TESTS_WITH_SIDES = """
    z_test(a, 0.78, 0.04); t_test(a, 0.78); binomial_test(12, 100, 0.2); binomial_test(0, 9, 0.5)
    normal_test(12, 100, 0.2); sign_test(a, b); paired_t(a, b); paired_t(a, a); wilcoxon(a, b); wilcoxon(a, b.round(2))
    mcnemar(25, 15, 'exact'); mcnemar(25, 15, 'mid-p'); mcnemar(25, 15, 'chi2'); mcnemar(25, 15, 'chi2-corrected')
    mcnemar(25, 15); mcnemar(3, 0); mcnemar(0, 0); corrected_paired_t(a, b, ratio=1 / 9); five_by_two_t(halves)
    delong(yes, p, q); delong_unpaired(yes, p, yes[::-1], q); permutation(yes, p > 0.5, q > 0.5)
    permutation(yes, p > 0.5, q > 0.5, measure='f1', positive=True, replicates=500, seed=1)
    bootstrap_difference(yes, p > 0.5, q > 0.5, replicates=500); contrast(scores, [1, 1, -1, -1])
    contrast(scores, [3, -1, -1, -1], blocks=True)
"""
TESTS = """
    anova(X); repeated_anova(X); kruskal_wallis(X); friedman(X); friedman(X, ties=False); friedman(X, better='lower')
    iman_davenport(X); iman_davenport(X, ties=False); quade(X); newman_keuls(X); tukey(X); tukey(X, blocks=True)
    nemenyi(X); nemenyi(X, alpha=0.1); bonferroni_dunn(X, control='w'); dunnett(X, control='w'); critical_difference(X)
    critical_difference(X, control='w')
"""
OTHER_TESTS = """
    five_by_two_f(halves); cochran_q(right); equivalence(0.01, 0.02, 0.05); non_inferiority(0.01, 0.02, 0.05)
    bayesian_correlated_t(a, b, rho=0.1, rope=0.01); bayesian_signed_rank(a, b, rope=0.01)
    bayesian_sign(a, b, rope=0.01); power_binomial(0.3, 50, 0.2); power_normal(0.3, 50, 0.2)
    plan_friedman(classifiers=4, n=20, difference=1.5); plan_friedman(classifiers=4, power=0.8, w=0.1, pattern='even')
"""
INTERVALS = """
    mean_t(values; mean_z(values; mean_z(values, 0.04; corrected_t(values, 1 / 9; newcombe_paired(40, 8, 3, 9
    delong(yes, p; newcombe(56, 70, 48, 80; newcombe(0, 10, 10, 10; newcombe(5, 5, 3, 9; tango(15, 25, 200
    tango(0, 0, 50; tango(0, 9, 30; bootstrap(values; bootstrap(values, method='bootstrap', seed=2
    bootstrap(values, method='basic', replicates=500
"""
SCHEMES = """
    Holdout(); Holdout(0.2, stratified=False); RepeatedHoldout(4); TrainValidationTest(); KFold(); KFold(5, repeats=3)
    KFold(4, stratified=False); LeaveOneOut(); FiveByTwo(); Bootstrap(20); Resubstitution(); TimeOrder(3, gap=2)
    as_scheme(StratifiedKFold(4, shuffle=True, random_state=0))
"""
LEARNERS = """
    Bagging(n_estimators=12, random_state=0); Bagging(stump, 9, max_samples=0.7, voting='soft', random_state=1)
    RandomForest(n_estimators=15, random_state=0, n_jobs=2); RandomForest(8, max_features=None, random_state=3)
    AdaBoost(n_estimators=10, random_state=0); AdaBoost(estimator=stump, n_estimators=6, random_state=0)
    Stacking(learners, random_state=0)
"""
SELECTION = """
    tune(tree, grid, X, y, seed=1); tune(tree, grid, X, y, seed=1).test()['accuracy']; vc_bound(0.1, 500, 4)
    nested(tree, grid, X, y, outer=folds, inner=folds, seed=1); criteria(learners, X, y, resampling=folds)
    rows(learning_curve(bayes, X, y, sizes=[10, 20, 40], resampling=folds)); shell_volume([1, 2, 5, 20], 0.05)
    rows(complexity_curve(tree, X, y, 'max_depth', [1, 2, 4], resampling=folds))
    rows(noise_curve(bayes, X, y, shares=(0, 0.2), resampling=folds))
    bias_variance_curve(tree, X, y, 'max_depth', [1, 2, 4], rounds=10)
"""
COMMANDS = """
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
    plan friedman --classifiers 4 --difference 1.5 --power 0.8
    measures
"""


def expressions(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]


def public(module: Any) -> dict[str, Any]:
    return {name: getattr(module, name) for name in dir(module)}


def plain(value: Any) -> Any:
    """Convert a result to plain values for JSON."""
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
    return plain(value.to_dict() if hasattr(value, "to_dict") else vars(value))


def rows(table: Any) -> Any:
    """Return a table as records, for any data frame library."""
    native = table.frame() if hasattr(table, "frame") else table
    return native if isinstance(native, list) else nw.from_native(native, eager_only=True).rows(named=True)


def called(value: Any) -> Any:
    """Return the value of a property or a method."""
    return value() if callable(value) else value


def parts(found: Any, *names: str) -> dict[str, Any]:
    return {name: called(getattr(found, name)) for name in names}


def checksum(values: Any) -> dict[str, Any]:
    flat = np.asarray(values, float).ravel()
    finite = np.isfinite(flat)
    weights = 1 + np.arange(flat.size) % 13 / 7
    return {"size": flat.size, "finite": int(finite.sum()), "sum": math.fsum((flat * weights)[finite])}


def digest(*arrays: Any) -> str:
    return hashlib.sha256(json.dumps([plain(np.asarray(a)) for a in arrays if a is not None]).encode()).hexdigest()[:16]


TOOLS = {"howsure": howsure, "rows": rows, "parts": parts, "checksum": checksum, "digest": digest}


class Snapshot:
    """Values by key; exceptions are stored as values."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def made(self, key: str, make: Callable[..., Any], *args: Any, **given: Any) -> Any:
        """Call a function and return its result; store an exception and return None."""
        try:
            return make(*args, **given)
        except Exception as error:  # any: which one it is belongs to the snapshot
            self.values[key] = {"error": type(error).__name__}
            return None

    def keep(self, key: str, make: Callable[..., Any], *args: Any, methods: tuple[str, ...] = (), **given: Any) -> None:
        """Call a function and store its result."""

        def read() -> None:
            actual = make(*args, **given)
            if hasattr(actual, "interval") and hasattr(actual, "undefined"):
                self._estimate(key, actual, methods)
            elif hasattr(actual, "thresholds"):
                self._curve(key, actual)
            elif hasattr(actual, "tests"):
                self._comparison(key, actual)
            else:
                self._flat(key, plain(actual))

        self.made(key, read)

    def ask(self, section: str, text: str, names: dict[str, Any], methods: tuple[str, ...] = ()) -> None:
        """Evaluate an expression and store its result under its text."""
        self.keep(f"{section}/{text}", eval, text, {**names, **TOOLS}, methods=methods)

    def _flat(self, key: str, found: Any) -> None:
        if not found or not isinstance(found, list | dict):
            self.values[key] = found
            return
        for name, item in found.items() if isinstance(found, dict) else enumerate(found):
            self._flat(f"{key}/{name}", item)

    def _estimate(self, key: str, found: Any, methods: tuple[str, ...]) -> None:
        self._flat(key, plain(found))
        self.keep(f"{key}/interval", found.interval)
        for confidence, side in product((0.95, 0.8), SIDES if methods else ()):
            self.keep(f"{key}/{side} {confidence}", found.interval, confidence, side=side, replicates=500)
        for method in methods:
            self.keep(f"{key}/{method}", found.interval, method=method, replicates=200, seed=1)

    def _curve(self, key: str, found: Any) -> None:
        self._flat(key, {name: checksum(getattr(found, name)) for name in ("x", "y", "thresholds")})
        self._flat(f"{key}/area", plain(found.area))
        frame = nw.from_native(found.frame(), eager_only=True)
        self._flat(f"{key}/frame", {c: checksum(frame[c]) for c in frame.columns if frame[c].dtype.is_numeric()})

    def _comparison(self, key: str, found: Any) -> None:
        for name in ("test", "verdict", "values"):
            self.keep(f"{key}/{name}", getattr, found, name)
        self.keep(f"{key}/difference", getattr, found, "difference", methods=("bootstrap", "bca"))
        self.keep(f"{key}/ranking", lambda: called(found.ranking))
        self.keep(f"{key}/frame", rows, found)
        self.keep(f"{key}/tests", lambda: rows(found.tests()))


def two_classes() -> Any:
    """Return a data frame of 200 cases: truth, scores and labels of three classifiers, weights and sites."""
    rng = np.random.default_rng(7)
    truth = rng.choice(["no", "yes"], 200, p=[0.65, 0.35])
    columns: dict[str, Any] = {"y": truth}
    for name, gap in (("a", 0.2), ("b", 0.15), ("c", 0.02)):
        columns[f"p{name}"] = np.clip(0.45 + gap * (truth == "yes") + 0.2 * rng.normal(size=200), 0.01, 0.99)
        columns[name] = np.where(columns[f"p{name}"] >= 0.5, "yes", "no")
    columns |= {"real": rng.uniform(0.2, 3, 200), "w": rng.integers(0, 4, 200)}
    return pd.DataFrame({**columns, "site": rng.choice(["north", "south", "west"], 200)})


def more_classes(k: int) -> tuple[Any, Any, Any, list[str]]:
    """Return truth, predicted labels, scores of each class, and the names of the classes."""
    rng = np.random.default_rng(k)
    truth = rng.choice(k, 180, p=np.arange(1, k + 1) / (k * (k + 1) / 2))
    scores = rng.dirichlet(np.ones(k), 180) + 0.5 * np.eye(k)[truth]
    predicted = np.where(rng.random(180) < 0.2, rng.integers(k, size=180), scores.argmax(1))
    labels = np.array(list("abcde"[:k]))
    return labels[truth], labels[predicted], scores / scores.sum(axis=1, keepdims=True), labels.tolist()


def cases(n: int = 90, k: int = 2, seed: int = 0) -> tuple[Any, Any]:
    """Return features and classes for learners."""
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    return rng.normal(size=(n, 4)) + 0.7 * y[:, None] * np.array([1, 0.5, 0, -1]), y


def learners() -> dict[str, Any]:
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    return {"tree": tree, "bayes": GaussianNB(), "logistic": LogisticRegression()}


def assessments() -> Iterator[tuple[str, Any]]:
    """Yield the assessments to store, by name."""
    ask, two = howsure.assess, two_classes()
    truth, p = two["y"].to_numpy(), two["pa"].to_numpy()
    costs = howsure.Costs(false_negative=5, false_positive=1)
    yield "2 labels", ask(truth, two["a"].to_numpy())
    yield "2 labels, other positive", ask("y", "a", data=two, positive="no")
    yield "2 scores", ask(truth, scores=p, positive="yes")
    yield "2 scores, ties, costs", ask(truth, scores=p.round(1), costs=costs, threshold=0.4, positive="yes")
    for kind in ("real", "w"):
        yield f"2 labels, weight {kind}", ask("y", "a", data=two, weight=kind, costs=costs, positive="yes")
        yield f"2 scores, weight {kind}", ask("y", scores="pa", data=two, weight=kind, positive="yes")
    for k in (3, 5):
        truth, predicted, scores, names = more_classes(k)
        weight = np.random.default_rng(k).uniform(0.5, 2, len(truth))
        matrix = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).tolist()
        yield f"{k} labels", ask(truth, predicted)
        yield f"{k} labels, weight, costs", ask(truth, predicted, weight=weight, costs=matrix)
        yield f"{k} scores", ask(truth, scores=scores, labels=names)
        yield f"{k} scores, weight", ask(truth, scores=scores, labels=names, weight=weight)
    yield "never predicted", ask(["a", "b", "c", "a", "b"], ["a", "b", "b", "a", "a"], labels=list("abcd"))
    yield "one class", ask(["a"] * 12, ["a"] * 10 + ["b"] * 2, labels=["b", "a"])
    yield "perfect scores", ask(["a", "b"] * 15, scores=[0.2, 0.9] * 15, positive="b")
    yield "constant scores", ask(["a", "b"] * 15, scores=[0.5] * 30, positive="b")
    for site, group in ask("y", scores="pa", data=two, by="site", positive="yes").items():
        yield f"groups, {site}", group


def assess(snap: Snapshot) -> None:
    choices = ("f_beta(beta=2)", "partial_auc(high=0.2)", "lift(depth=0.1)", "gain(depth=0.3)", "top_k_accuracy(k=2)")
    for title, a in assessments():
        key, names = f"assess/{title}", {"a": a}
        for text in ("a.confusion.counts", "a.chance().counts", "rows(a.per_class())"):
            snap.ask(key, text, names)
        options = [f"average={average!r}" for average in ("macro", "micro", "weighted")]
        options += [f"label={str(label)!r}" for label in a.confusion.labels]
        for measure in (*howsure.measures.names(), *choices):
            snap.ask(key, f"a[{measure!r}]", names, METHODS)
            for option in options:
                snap.ask(key, f"a.estimate({measure!r}, {option})", names)
        for weights in ("linear", "quadratic"):
            snap.ask(key, f"a.estimate('weighted_kappa', weights={weights!r})", names)


def curves(snap: Snapshot) -> None:
    curve = ["roc", "precision_recall", "lift", "gain", "calibration", "cost_curve", "decision_curve"]
    curve += ["roc_hull", "det", "ks", "lift_ratio", "densities"]  # not promised, but shown in the guide
    for title, a in assessments():
        key, names = f"curves/{title}", {"a": a}
        for label, name in product(a.confusion.labels if "scores" in title else (), curve):
            snap.ask(key, f"a.{name}(label={str(label)!r})", names)
        if title.startswith("2 scores"):
            for name, band in product(("roc", "precision_recall", "gain"), ("pointwise", "simultaneous")):
                snap.ask(key, f"a.{name}(band={band!r})", names)
            for threshold, measure in product((0.1, 0.3, 0.7), ("recall", "precision", "kappa", "auc", "brier")):
                snap.ask(key, f"a.at(threshold={threshold})[{measure!r}]", names)
            for measure in ("f1", "accuracy", "kappa", "balanced_accuracy", "recall", "prevalence"):
                snap.ask(key, f"a.best_threshold({measure!r}).to_dict()", names)
            for prior in (None, 0.02, 0.6):
                costs = f"howsure.Costs(false_negative=5, false_positive=1, prior={prior})"
                snap.ask(key, f"a.best_threshold(costs={costs}).to_dict()", names)


def plain_numbers(snap: Snapshot) -> None:
    two, rng = two_classes(), np.random.default_rng(11)
    a = rng.normal(0.8, 0.04, 10).round(3)
    b = (a + rng.normal(-0.015, 0.02, 10)).round(3)
    scores = np.column_stack([a, b, b + 0.01, a - 0.03]) + rng.normal(0, 0.01, (10, 4)).round(3)
    arguments = {"a": a, "b": b, "scores": scores, "right": rng.random((40, 3)) < (0.8, 0.7, 0.6), "values": a}
    arguments |= {"halves": rng.normal(0.01, 0.02, (5, 2)), "p": two["pa"].to_numpy(), "q": two["pb"].to_numpy()}
    arguments |= {"yes": two["y"].to_numpy() == "yes", "X": pd.DataFrame(scores, columns=list("wxyz"))}
    arguments["tied"] = arguments["X"].round(2)
    sided = product(expressions(TESTS_WITH_SIDES), ("two-sided", "less", "greater"))
    texts = [f"{text[:-1]}, alternative={side!r})" for text, side in sided]
    texts += [text.replace("X", table) for text, table in product(expressions(TESTS), ("X", "tied"))]
    texts += expressions(OTHER_TESTS)
    adjustments = ("bonferroni", "holm", "hochberg", "hommel", "sidak", "bh", "by", "shaffer", "bergmann-hommel")
    texts += [f"adjust([0.001, 0.012, 0.02, 0.04, 0.3, 0.8], {method!r})" for method in adjustments]
    guesses = ["mcnemar(discordant=0.1", "proportions(proportion=0.85", "auc(auc=0.85, correlation=0.5"]
    guesses.append("corrected_t(sd=0.03, ratio=0.111")
    expected = ("power=0.8, difference=0.04", "n=600, difference=0.04, alternative='greater'", "n=600, power=0.9")
    texts += [f"plan_{guess}, {two_of_three})" for guess, two_of_three in product(guesses, expected)]
    for text in texts:
        snap.ask("significance", text, {**public(howsure.significance), **arguments})
    counts = ((0, 10), (1, 10), (5, 10), (10, 10), (75, 100), (3, 1000), (999, 1000), (0, 0), (2.5, 7.5))
    shares = [f"{name.replace('-', '_')}({x}, {n}" for name, (x, n) in product(PROPORTION, counts)]
    for text, level, side in product([*shares, *expressions(INTERVALS)], (0.5, 0.8, 0.95, 0.99), SIDES):
        call = f"{text}, confidence={level}, side={side!r})"
        snap.ask("intervals", call, {**public(howsure.intervals), **arguments})


def compare(snap: Snapshot) -> None:
    truth, first, by_class, classes = more_classes(3)
    names = {"two": two_classes(), "truth": truth, "first": first, "by_class": by_class, "classes": classes}
    by_label = ("accuracy", "error_rate", "f1", "kappa", "mcc", "balanced_accuracy", "recall", "precision")
    by_score = ("auc", "brier", "log_loss", "average_precision", "ks_distance", "accuracy", "f1")
    texts = [f"howsure.compare('y', ['a', 'b'], data=two, positive='yes', measure={m!r})" for m in by_label]
    texts += [f"howsure.compare(truth, {{'p': first, 'q': first[::-1]}}, measure={m!r})" for m in by_label]
    texts += [f"howsure.compare('y', scores=['pa', 'pb'], data=two, positive='yes', measure={m!r})" for m in by_score]
    for option in ("alpha=0.05", "baseline='c'", "adjust='bonferroni', alpha=0.1"):
        texts.append(f"howsure.compare('y', ['a', 'b', 'c'], data=two, {option})")
        scored = option.replace("'c'", "'pc'")
        texts.append(f"howsure.compare('y', scores=['pa', 'pb', 'pc'], data=two, positive='yes', {scored})")
    texts.append("howsure.compare(truth, {'a': first, 'b': first})")
    columns = "{'p': by_class, 'q': by_class[::-1]}"
    texts.append(f"howsure.compare(truth, scores={columns}, labels=classes, measure='log_loss')")
    for text in texts:
        snap.ask("compare", text, names)
    names["gate"] = getattr(howsure, "gate", None) or importlib.import_module("howsure.comparison").gate
    names["c"] = howsure.compare("y", ["a", "b", "c"], data=names["two"])
    for margin, pair in product((0.0, 0.01, 0.1), ("'a', 'b'", "'b', 'a'", "'a', 'c'")):
        snap.ask("gate", f"parts(gate(c, {pair}, margin={margin}), 'passed', 'bound', 'verdict')", names)


def resampling(snap: Snapshot) -> None:
    X, y = cases(61, 3)
    names = {"X": X, "y": y, "members": np.arange(61) // 4, "learners": learners(), **public(howsure.resampling)}
    names["StratifiedKFold"] = StratifiedKFold
    for scheme, seed, groups in product(expressions(SCHEMES), (0, 1), ("None", "members")):
        text = f"{scheme}.splits(y, groups={groups}, seed={seed})"
        snap.ask("resampling", f"parts({text}, 'fingerprint', 'design')", names)
        for part in ("train", "test", "validation"):
            snap.ask("resampling", f"digest(*(split.{part} for split in {text}))", names)
    for name, method, seed in product(learners(), ("632", "632+", "oob"), (0, 1)):
        text = f"bootstrap_error(learners[{name!r}], X, y, method={method!r}, rounds=20, seed={seed})"
        snap.ask("resampling", text, names)


def fitted(snap: Snapshot) -> None:
    names = {"costs": howsure.Costs(false_negative=5, false_positive=1), "bayes": GaussianNB(), "learners": learners()}
    names |= {"stump": DecisionTreeClassifier(max_depth=1, random_state=0), **public(howsure.learners)}
    result = expressions(LEARNERS)
    for bound, level in product(("wilson", "exact", "c45"), (0.05, 0.25, 0.5)):
        result.append(f"PessimisticTree(confidence={level}, bound={bound!r}, random_state=0)")
        result.append(f"prune(grown, {level}, {bound!r})")
        for errors, n in ((0, 1), (0, 6), (1, 16), (5, 14), (7, 7)):
            snap.ask("learners", f"upper_error({errors}, {n}, {level}, {bound!r})", names)
    for method in ("weights", "resample", "duplicate", "threshold", "relabel"):
        result.append(f"CostSensitive(bayes, costs, {method!r}, positive=1, random_state=0)")
    kept = {"oob_error_": ["model.oob_error_"], "trace_": ["rows(model.trace_)[:12]"]}
    kept["oob_predictions_"] = [
        f"howsure.assess(model.oob_predictions_)[{m!r}]" for m in ("accuracy", "auc", "log_loss")
    ]
    for text, k in product(result, (2, 3)):
        X, y = cases(90, k, seed=k)
        names |= {"X": X, "y": y, "grown": DecisionTreeClassifier(random_state=0).fit(X, y)}
        key = f"learners/{k} classes/{text}"
        call = text if text.startswith("prune") else f"{text}.fit(X[:60], y[:60])"
        model = snap.made(key, eval, call, names)
        options = ["digest(model.predict(X))", "checksum(model.predict_proba(X))"] if model is not None else []
        for part in options + [one for name, parts in kept.items() if hasattr(model, name) for one in parts]:
            snap.ask(key, part, {**names, "model": model})


def experiments(snap: Snapshot) -> None:
    every, one = learners(), {"one": cases(80)}
    two = {name: every[name] for name in ("tree", "bayes")}
    several = {"one": cases(60, 2, 1), "two": cases(70, 3, 2), "three": cases(50, 2, 3), "four": cases(55, 3, 4)}
    trees = {f"depth {d}": DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 2, 5)}
    plans: dict[str, tuple[dict[str, Any], dict[str, Any], Any]] = {
        "folds": (every, one, howsure.KFold(5, repeats=2)),
        "trees": (trees, one, howsure.KFold(5)),
        "five by two": (two, one, howsure.FiveByTwo()),
        "holdout": (every, one, howsure.Holdout()),
        "data sets": (every, several, howsure.KFold(4)),
        "two, data sets": (two, several, howsure.KFold(4)),
    }
    for title, (arguments, datasets, scheme) in plans.items():
        with tempfile.TemporaryDirectory() as folder:
            result = howsure.Experiment(arguments, datasets, scheme, seed=1).run(folder=folder, n_jobs=1)
            texts = ["rows(r)", "[(row['learner'], row['complexity']) for row in rows(r.profile())]"]
            for measure, data in product(("accuracy", "auc", "log_loss", "kappa", "f1"), datasets):
                scores = f"r.scores({measure!r}, {data!r})"
                texts += [f"parts({scores}, 'values', 'learners', 'fingerprint')"]
                texts += [f"{scores}.estimate({name!r})" for name in arguments]
                texts += [f"r.compare({measure!r}, {data!r})", f"r.compare({measure!r}, baseline={min(arguments)!r})"]
            for name, measure in product(arguments, ("accuracy", "auc", "f1", "brier")):
                texts.append(f"r.assess({name!r}, 'one')[{measure!r}]")
            for weights in ({"error_rate": 1}, {"error_rate": 2, "complexity": 1}):
                texts.append(f"parts(r.preference(weights={weights}, dataset='one'), 'winner', 'scores', 'ranks')")
            for text in dict.fromkeys(texts):
                methods = ("t", "corrected-t") if ".estimate(" in text else ()
                snap.ask(f"experiment/{title}", text, {"r": result}, methods)


def selection(snap: Snapshot) -> None:
    X, y = cases(90)
    names = {"X": X, "y": y, "folds": howsure.KFold(3), "learners": learners(), **public(howsure.selection)}
    names |= {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB(), "grid": {"max_depth": [1, 2, 4]}}
    texts = expressions(SELECTION)
    for name, loss in product(learners(), ("zero-one", "squared", "brier")):
        call = f"howsure.bias_variance(learners[{name!r}], X, y, loss={loss!r}, rounds=15, seed=1)"
        texts.append(f"parts({call}, 'loss', 'bias', 'variance', 'noise')")
    for text in texts:
        snap.ask("selection", text, names)


def commands(snap: Snapshot) -> None:
    truth, predicted, scores, names = more_classes(3)
    classes = {"y": truth, "label": predicted, **{f"p{name}": scores[:, column] for column, name in enumerate(names)}}
    here = {**os.environ, "PYTHONPATH": str(Path(str(howsure.__file__)).parents[1])}  # the same Howsure as this one
    with tempfile.TemporaryDirectory() as folder:
        two_classes().to_csv(Path(folder) / "two.csv", index=False)
        pd.DataFrame(classes).to_csv(Path(folder) / "three.csv", index=False)
        for line in expressions(COMMANDS):
            command = [sys.executable, "-m", "howsure", *line.split(), "--json"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=here)
            snap.keep(f"command/{line}/exit", getattr, done, "returncode")
            snap.keep(f"command/{line}", json.loads, done.stdout)


SECTIONS = (assess, curves, plain_numbers, compare, resampling, fitted, experiments, selection, commands)


def take() -> dict[str, Any]:
    """Compute the snapshot of the installed Howsure."""
    snap = Snapshot()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for section in SECTIONS:
            snap.made(section.__name__, section, snap)
    return snap.values


def same(before: Any, after: Any, tolerance: float) -> bool:
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in (before, after)):
        return math.isclose(before, after, rel_tol=tolerance, abs_tol=tolerance / 1000)
    return bool(before == after and type(before) is type(after))


def diff(before: dict[str, Any], after: dict[str, Any], tolerance: float, examples: int = 3) -> int:
    """Print the keys that differ, grouped by their first two parts and the last; return 1 if a value changed."""
    kinds = {
        "added": [key for key in after if key not in before],
        "removed": [key for key in before if key not in after],
        "changed": [key for key in before if key in after and not same(before[key], after[key], tolerance)],
    }
    for kind, keys in kinds.items():
        print(f"{kind}: {len(keys)}")
        groups: dict[str, list[str]] = defaultdict(list)
        for key in keys:
            first, *rest = key.split("/")
            groups["/".join([first, *rest[:1], *(["..."] if len(rest) > 2 else []), *rest[1:][-1:]])].append(key)
        for group, members in sorted(groups.items(), key=lambda item: -len(item[1])):
            print(f"  {len(members):6}  {group}")
            for key in members[:examples]:
                print(f"          {key}: {json.dumps(before.get(key))} -> {json.dumps(after.get(key))}")
    return int(bool(kinds["changed"]))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.snapshot", description="Snapshot of results.")
    parser.add_argument("out", nargs="?", type=Path, help="file to write the snapshot to")
    parser.add_argument("--diff", nargs=2, type=Path, metavar=("BEFORE", "AFTER"), help="compare two snapshots")
    parser.add_argument("--tolerance", type=float, default=1e-12, help="relative, of numbers (default: 1e-12)")
    options = parser.parse_args()
    if options.diff:
        before, after = (json.loads(path.read_text()) for path in options.diff)
        return diff(before, after, options.tolerance)
    if options.out is None:
        parser.error("a file to write to is missing")
    values = take()
    options.out.write_text(json.dumps(values, indent=0, allow_nan=False) + "\n")
    errors = sum(isinstance(value, dict) and "error" in value for value in values.values())
    print(f"{len(values)} values, of which {errors} errors, by {howsure.__file__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
