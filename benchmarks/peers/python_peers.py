"""Intervals and tests of Python packages: ``python python_peers.py FOLDER`` in an environment where they are installed.

Functions are called with their defaults, except as noted. An interval or p-value is missing if it is NaN or if the
function raises an exception. Howsure is not imported.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

PACKAGES = ("statsmodels", "scipy", "scikit-learn", "confidenceinterval", "MLstatkit", "mlxtend", "autorank", "numpy")
NONE = (np.nan, np.nan)
RESAMPLES = 999  # of SciPy; its default of 9,999 would take too long
MANY_CASES = 1000  # with so many cases, SciPy bootstraps half as many samples, and MLstatkit none
UNUSED_BOOTSTRAP = 200  # replicates of MLstatkit's test if its error is 0 or missing; the interval needs none


def attempt(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a function; return None if it raises an exception."""
    try:
        return call(*arguments, **options)
    except Exception:
        return None


def ends(answer: Any) -> tuple[float, float]:
    """Return (low, high) of (value, (low, high)), or NaN for None."""
    return NONE if answer is None else (float(answer[1][0]), float(answer[1][1]))


def of_each_table(tables: Any, interval: Callable[[Any], tuple[float, float]]) -> Any:
    """Return the interval of each table; equal tables are computed once."""
    distinct, index = np.unique(tables.reshape(len(tables), 4), axis=0, return_inverse=True)
    return np.array([interval(row.reshape(2, 2)) for row in distinct])[index.ravel()]


def columns(table: Any) -> tuple[Any, Any]:
    """Convert a table of counts to true and predicted labels."""
    return np.repeat([0, 0, 1, 1], table.ravel()), np.repeat([0, 1, 0, 1], table.ravel())


# Labels: confusion matrices (rows: true class).


def statsmodels_intervals(tables: Any) -> dict[str, Any]:
    from statsmodels.stats.proportion import proportion_confint

    hits, n = tables[:, 1, 1], tables.sum((1, 2))
    shares = {
        "accuracy": (hits + tables[:, 0, 0], n),
        "recall": (hits, tables[:, 1].sum(1)),
        "precision": (hits, tables[:, :, 1].sum(1)),
    }
    return {
        name: np.where(whole[:, None] > 0, np.transpose(proportion_confint(part, whole)), np.nan)
        for name, (part, whole) in shares.items()
    }


def confidenceinterval_intervals(tables: Any) -> dict[str, Any]:
    import confidenceinterval as ci

    calls: dict[str, tuple[Callable[..., Any], dict[str, str]]] = {
        "accuracy": (ci.accuracy_score, {}),
        "recall": (ci.tpr_score, {}),
        "precision": (ci.ppv_score, {}),
        "f1": (ci.f1_score, {"average": "binary"}),
        "macro_f1": (ci.f1_score, {"average": "macro"}),
    }
    return {name: of_each_table(tables, partial(of_columns, call, how)) for name, (call, how) in calls.items()}


def of_columns(call: Callable[..., Any], how: dict[str, str], table: Any) -> tuple[float, float]:
    return ends(attempt(call, *columns(table), **how))


def balanced_accuracy(codes: Any, axis: int = -1) -> Any:
    """Compute the balanced accuracy as scikit-learn: classes without cases are left out."""
    result = [(codes == 3 * label).sum(axis) for label in (0, 1)]
    sizes = [((codes >> 1) == label).sum(axis) for label in (0, 1)]
    rates = np.array([hits / np.where(size, size, np.nan) for hits, size in zip(result, sizes, strict=True)])
    return np.nanmean(rates, axis=0)


def f1(codes: Any, axis: int = -1) -> Any:
    """Compute F1 as scikit-learn: 0 without positives."""
    hits, errors = (codes == 3).sum(axis), ((codes == 1) | (codes == 2)).sum(axis)
    return 2 * hits / np.maximum(2 * hits + errors, 1)


def scipy_label_intervals(tables: Any, seed: int) -> dict[str, Any]:
    """Bootstrap with SciPy; a case is coded as 2 truth + prediction."""
    result: dict[str, Any] = {}
    for name, statistic in (("balanced_accuracy", balanced_accuracy), ("f1", f1)):
        rows = [np.repeat(np.arange(4, dtype=np.int8), table.ravel()) for table in tables]
        result[name] = np.array([scipy_interval(row, statistic, [seed, i]) for i, row in enumerate(rows)])
    return result


def scipy_interval(data: Any, statistic: Callable[..., Any], seed: Any) -> tuple[float, float]:
    from scipy.stats import bootstrap

    rng = np.random.default_rng(seed)
    result = attempt(
        bootstrap, (data,), statistic, vectorized=True, rng=rng, n_resamples=RESAMPLES, batch=RESAMPLES + 1
    )
    return NONE if result is None else tuple(result.confidence_interval)


# Scores: a case is coded as 2 rank + truth, so that resamples are sorted only once.


def coded(truth: Any, scores: Any) -> Any:
    rank = np.unique(scores, return_inverse=True)[1]
    return (2 * rank + truth).astype(np.int16)


def auc(codes: Any, axis: int = -1) -> Any:
    """Compute the AUC without ties between classes; NaN if a class is missing."""
    truth = np.sort(codes, axis) & 1
    negatives = np.cumsum(1 - truth, axis)
    pairs = truth.sum(axis) * negatives[..., -1]
    return (truth * negatives).sum(axis) / np.where(pairs, pairs, np.nan)


def average_precision(codes: Any, axis: int = -1) -> Any:
    """Compute the average precision as scikit-learn: one step per distinct score; 0 without positives."""
    ordered = -np.sort(-codes, axis)
    truth, n = ordered & 1, codes.shape[-1]
    is_last = np.concatenate([np.diff(ordered, axis=axis) != 0, np.ones((*codes.shape[:-1], 1), bool)], axis)
    last = np.minimum.accumulate(np.where(is_last, np.arange(n), n)[..., ::-1], axis)[..., ::-1]
    precision = np.cumsum(truth, axis) / np.arange(1, n + 1)
    steps = truth * np.take_along_axis(precision, last, axis)
    return steps.sum(axis) / np.maximum(truth.sum(axis), 1)


def scipy_score_intervals(truth: Any, scores: Any, seed: int) -> dict[str, Any]:
    rows = [coded(*pair) for pair in zip(truth, scores, strict=True)]
    return {
        name: np.array([scipy_interval(row, statistic, [seed, i]) for i, row in enumerate(rows)])
        for name, statistic in (("auc", auc), ("average_precision", average_precision))
    }


def confidenceinterval_areas(truth: Any, scores: Any) -> Any:
    import confidenceinterval as ci

    return np.array([ends(attempt(ci.roc_auc_score, *pair)) for pair in zip(truth, scores, strict=True)])


def mlstatkit_areas(truth: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """Return the intervals of the first AUC, and the p-values of the difference."""
    from MLstatkit import Delong_test

    rows = []
    for sample in zip(truth, first, second, strict=True):
        result = attempt(Delong_test, *sample, random_state=0, n_boot=UNUSED_BOOTSTRAP)
        rows.append((*NONE, np.nan) if result is None else (*result[2], result[1]))
    table = np.array(rows, float)
    return table[:, :2], table[:, 2]


def mlstatkit_bootstraps(tables: Any, truth: Any, scores: Any) -> dict[str, Any]:
    """Bootstrap its default measure, macro F1, and the AUC, with 1,000 resamples.

    Only the measures are replaced by faster functions of the coded cases.
    """
    import MLstatkit.ci as its

    quick = {"f1": lambda _, codes: macro_f1(codes), "roc_auc": lambda _, codes: float(auc(codes))}
    its.get_metric_fn = lambda name, *_: quick[name]
    its.tqdm = lambda these, **_: these
    built: dict[str, list[Any]] = {"macro_f1": [], "auc": []}
    for table, y, score in zip(tables, truth, scores, strict=True):
        labels = np.repeat(np.arange(4), table.ravel())
        for measure, its_name, codes in (("macro_f1", "f1", labels), ("auc", "roc_auc", coded(y, score))):
            result = attempt(its.Bootstrapping, labels >> 1 if codes is labels else y, codes, its_name)
            built[measure].append(NONE if result is None else result[1:])
    return {name: np.array(rows, float) for name, rows in built.items()}


def macro_f1(codes: Any) -> float:
    """Compute macro F1 as scikit-learn: 0 for a class that neither occurs nor is predicted."""
    specific, false, missed, hits = np.bincount(codes, minlength=4).tolist()
    return float(sum(2 * right / max(2 * right + false + missed, 1) for right in (specific, hits)) / 2)


# Tests of equal classifiers.


def mcnemar_pvalues(discordant: Any) -> dict[str, Any]:
    from mlxtend.evaluate import mcnemar as of_mlxtend
    from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels

    distinct, index = np.unique(discordant, axis=0, return_inverse=True)
    tables = [np.array([[10, b], [c, 10]]) for b, c in distinct]
    result = {
        "mlxtend mcnemar": [attempt(lambda t: of_mlxtend(t)[1], table) for table in tables],
        "statsmodels mcnemar": [attempt(lambda t: of_statsmodels(t).pvalue, table) for table in tables],
    }
    return {name: np.array(values, float)[index.ravel()] for name, values in result.items()}


def fold_pvalues(x: Any, y: Any, values: Any, learner: Any, fitted: int) -> dict[str, Any]:
    """Test the accuracies in folds; tests of mlxtend that fit learners use the first ``fitted`` samples."""
    from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv, permutation_test
    from scipy import stats

    def mean_difference(a: Any, b: Any, axis: int = -1) -> Any:
        return np.mean(a - b, axis=axis)

    def exchange(a: Any, b: Any) -> float:
        drawn = stats.permutation_test((a, b), mean_difference, permutation_type="samples", vectorized=True)
        return float(drawn.pvalue)

    calls: dict[str, Callable[[Any, Any], float]] = {
        "SciPy ttest_rel": lambda a, b: stats.ttest_rel(a, b).pvalue,
        "SciPy wilcoxon": lambda a, b: stats.wilcoxon(a, b).pvalue,
    }
    on_ten: dict[str, Callable[[Any, Any], float]] = {
        "SciPy permutation_test (samples)": exchange,
        "mlxtend permutation_test (approximate)": lambda a, b: permutation_test(a, b, method="approximate", seed=0),
        "mlxtend permutation_test (approximate, paired)": lambda a, b: permutation_test(
            a, b, method="approximate", paired=True, seed=0
        ),
    }
    fitting = {
        "mlxtend paired_ttest_5x2cv": paired_ttest_5x2cv,
        "mlxtend combined_ftest_5x2cv": combined_ftest_5x2cv,
    }
    built: dict[str, list[Any]] = {}
    for number, (one, other) in enumerate(values):
        for name, call in {**calls, **on_ten}.items():
            built.setdefault(f"{name}, 10 folds", []).append(attempt(call, one[:10], other[:10]))
        for name, call in calls.items():
            built.setdefault(f"{name}, 10 x 10 folds", []).append(attempt(call, one, other))
        for name, test in fitting.items() if number < fitted else ():
            both = np.hstack(x[number])
            result = attempt(test, learner(0), learner(1), both, y, random_seed=number)
            built.setdefault(name, []).append(None if result is None else result[1])
    return {name: np.array(rows, float) for name, rows in built.items()}


def learners() -> dict[str, Callable[[int], Any]]:
    """Return the learners of `samples`, on the first or the second half of the features."""
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

    def half(kind: Any) -> Any:
        class OfHalf(kind):
            def fit(self, X: Any, y: Any) -> Any:
                return super().fit(self.own_features(X), y)

            def predict(self, X: Any) -> Any:
                return super().predict(self.own_features(X))

            def own_features(self, X: Any) -> Any:
                return np.split(X, 2, axis=1)[self.which]

        return OfHalf

    def made(kind: Any, which: int, **options: Any) -> Any:
        learner = half(kind)(**options)
        learner.which = which
        return learner

    return {
        "nearest-mean": lambda which: made(NearestCentroid, which),
        "nearest-neighbour": lambda which: made(KNeighborsClassifier, which, n_neighbors=1),
    }


def data_set_pvalues(values: Any) -> dict[str, Any]:
    import pandas as pd
    from autorank import autorank

    result: dict[str, list[Any]] = {}
    for table in values:
        for k in (2, table.shape[1]):
            frame = pd.DataFrame(table[:, :k], columns=list("abcdefgh"[:k]))
            with redirect_stdout(sys.stderr):  # it prints a table
                result.setdefault(f"autorank, {k} learners", []).append(attempt(lambda f: autorank(f).pvalue, frame))
    return {name: np.array(rows, float) for name, rows in result.items()}


def check_statistics() -> None:
    """Check the fast statistics against scikit-learn, on resamples with one or both classes."""
    from sklearn import metrics

    rng = np.random.default_rng(0)
    for _ in range(50):
        truth, predicted = rng.integers(0, 2, (2, 9)) & (rng.random() < 0.9)
        scores = rng.integers(0, 5, 9) * 2.0 + truth  # ties within a class only, as in resamples
        codes = (2 * truth + predicted).astype(np.int8)
        pairs = [
            (balanced_accuracy(codes), metrics.balanced_accuracy_score(truth, predicted)),
            (f1(codes), metrics.f1_score(truth, predicted)),
            (macro_f1(codes), metrics.f1_score(truth, predicted, average="macro", labels=[0, 1])),
            (auc(coded(truth, scores)), metrics.roc_auc_score(truth, scores)),
            (average_precision(coded(truth, scores)), metrics.average_precision_score(truth, scores)),
        ]
        quick, exact = np.transpose(pairs)
        np.testing.assert_allclose(quick, exact, rtol=1e-12)


def intervals(cell: Any, slow: int, seed: int) -> dict[str, dict[str, Any]]:
    """Return the limits by program and measure."""
    tables, truth, scores = cell["pairs"].sum(3), cell["truth"].astype(int), cell["first"]
    many = truth.shape[1] >= MANY_CASES
    some = slice(slow // 2 if many else slow)
    result = {
        "statsmodels proportion_confint": statsmodels_intervals(tables),
        "confidenceinterval": {
            **confidenceinterval_intervals(tables),
            "auc": confidenceinterval_areas(truth, scores),
        },
        "SciPy bootstrap": {
            **scipy_label_intervals(tables[some], seed),
            **scipy_score_intervals(truth[some], scores[some], seed),
        },
    }
    if not many:
        some = slice(slow // 2)
        result["MLstatkit Bootstrapping"] = mlstatkit_bootstraps(tables[some], truth[some], scores[some])
    return result


def main(folder: Path) -> None:
    plan = json.loads((folder / "plan.json").read_text())
    check_statistics()
    for index in range(plan["cells"]):
        cell = np.load(folder / f"cell-{index}.npz")
        result = intervals(cell, plan["slow"], plan["seed"])
        areas, pvalues = mlstatkit_areas(cell["truth"].astype(int), cell["first"], cell["second"])
        result["MLstatkit Delong_test"] = {"auc": areas}
        built = {f"{program}|{name}": both for program, of in result.items() for name, both in of.items()}
        np.savez(folder / f"intervals-python-{index}.npz", **built)
        tests = {**mcnemar_pvalues(cell["discordant"]), "MLstatkit Delong_test, AUC": pvalues}
        np.savez(folder / f"tests-python-{index}.npz", **tests)
        print(f"cell {index}", file=sys.stderr, flush=True)
    for name, learner in learners().items():
        cases = np.load(folder / f"folds-{name}.npz")
        tests = fold_pvalues(cases["x"], cases["y"], cases["values"], learner, plan["fitted"])
        np.savez(folder / f"tests-python-folds-{name}.npz", **tests)
    tests = data_set_pvalues(np.load(folder / "data-sets.npz")["values"])
    np.savez(folder / "tests-python-data-sets.npz", **tests)
    (folder / "versions-python.json").write_text(json.dumps({name: version(name) for name in PACKAGES}))


if __name__ == "__main__":
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        main(Path(sys.argv[1]))
