"""Intervals and p-values of Howsure, by the defaults of `assess` and `compare`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

import howsure
from howsure.arrays import Array
from howsure.comparison.result import first_answer
from howsure.lab import Cell
from howsure.measures import estimate, estimate_scores
from howsure.results import Estimate
from howsure.significance import corrected_paired_t, delong, mcnemar, valid_tests
from howsure.significance.evidence import ManyValues, PairedValues
from howsure.tables import Confusion, ScoreTable

NAME = "Howsure"
OVERALL, OF_ONE_CLASS = ("accuracy", "balanced_accuracy"), ("recall", "precision", "f1")
SCORE_MEASURES = ("auc", "average_precision")


def truths(cell: Cell) -> dict[str, float]:
    """Return the value of each measure in the population of a cell."""
    labels, scores = cell.labels, cell.scores(probabilities=False)
    return {
        **{name: labels.truth(name) for name in OVERALL},
        **{name: labels.truth(name, 1) for name in OF_ONE_CLASS},
        "macro_f1": labels.truth("f1", average="macro"),
        **{name: scores.truth(name) for name in SCORE_MEASURES},
    }


def intervals(tables: Array, truth: Array, scores: Array, slow: int) -> dict[str, Array]:
    """Return the limits by measure; for average precision on the first ``slow`` samples."""
    limits = {name: of_each_table(tables, partial(estimate, measure=name)) for name in OVERALL}
    limits |= {name: of_each_table(tables, partial(estimate, measure=name, label=1)) for name in OF_ONE_CLASS}
    limits["macro_f1"] = of_each_table(tables, partial(estimate, measure="f1", average="macro"))
    for name, size in zip(SCORE_MEASURES, (len(truth), slow), strict=True):
        samples = zip(truth[:size], scores[:size], strict=True)
        intervals = [estimate_scores(ScoreTable.from_scores(*sample), name).interval() for sample in samples]
        limits[name] = np.array([(interval.low, interval.high) for interval in intervals])
    return limits


def of_each_table(tables: Array, estimated: Callable[[Confusion], Estimate]) -> Array:
    """Return the default interval of each table; equal tables are computed once."""
    distinct, index = np.unique(tables.reshape(len(tables), 4), axis=0, return_inverse=True)
    intervals = [estimated(Confusion(row.reshape(2, 2), (0, 1))).interval() for row in distinct]
    return np.array([(interval.low, interval.high) for interval in intervals])[index.ravel()]


def pvalues(discordant: Array, truth: Array, first: Array, second: Array) -> dict[str, Array]:
    """Return the p-values for equal accuracies and AUCs, by the default tests of `compare`."""
    distinct, index = np.unique(discordant, axis=0, return_inverse=True)
    n = truth.shape[1]
    by_counts = np.array([mcnemar(int(b), int(c), n=n).pvalue for b, c in distinct])
    samples = zip(truth, first, second, strict=True)
    return {
        f"{NAME} compare, accuracy": by_counts[index.ravel()],
        f"{NAME} compare, AUC": np.array([of_areas(*sample) for sample in samples]),
    }


def of_areas(truth: Array, first: Array, second: Array) -> float:
    if truth.all() or not truth.any():
        return np.nan
    return delong(truth, first, second, method="student").pvalue


def check_choice(cell: dict[str, Array]) -> None:
    """Check that these tests are the defaults of `compare`."""
    sample = [cell[name][0] for name in ("truth", "first", "second")]
    (pair,) = howsure.compare(sample[0], scores={"first": sample[1], "second": sample[2]}).pairs
    np.testing.assert_allclose(pair.test.pvalue, of_areas(*sample), rtol=1e-12)
    labels = np.repeat(np.indices((2, 2, 2)).reshape(3, 8), cell["pairs"][0].ravel(), axis=1)
    (pair,) = howsure.compare(labels[0], {"first": labels[1], "second": labels[2]}).pairs
    b, c = map(int, cell["discordant"][0])
    np.testing.assert_allclose(pair.test.pvalue, mcnemar(b, c, n=labels.shape[1]).pvalue, rtol=1e-12)


def fold_pvalues(values: Array) -> dict[str, Array]:
    """Return the p-values of one cross-validation, and of ten repeats."""
    repeat = np.repeat(np.arange(10), 10)
    repeated = valid_tests("any", "repeated").valid
    return {
        f"{NAME} compare, 10 folds": np.array([corrected_paired_t(a[:10], b[:10], 1 / 9).pvalue for a, b in values]),
        f"{NAME} compare, 10 x 10 folds": np.array(
            [first_answer(repeated, PairedValues(a, b, 1 / 9, repeat=repeat)).pvalue for a, b in values]
        ),
    }


def data_set_pvalues(values: Array) -> dict[str, Array]:
    """Return the p-values of two and of all learners over the data sets."""
    two, many = valid_tests("any", "datasets").valid, valid_tests("any", "datasets", "many").valid
    names = tuple(map(str, range(values.shape[2])))
    return {
        f"{NAME} compare, 2 learners": np.array(
            [first_answer(two, PairedValues(table[:, 0], table[:, 1])).pvalue for table in values]
        ),
        f"{NAME} compare, {len(names)} learners": np.array(
            [first_answer(many, ManyValues(table, names, "higher")).pvalue for table in values]
        ),
    }
