"""What Howsure says of the samples, by the defaults of `assess` and `compare`."""

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
    """Give the value of every measure in the population of a cell."""
    labels, scores = cell.labels, cell.scores(probabilities=False)
    return {
        **{name: labels.truth(name) for name in OVERALL},
        **{name: labels.truth(name, 1) for name in OF_ONE_CLASS},
        "macro_f1": labels.truth("f1", average="macro"),
        **{name: scores.truth(name) for name in SCORE_MEASURES},
    }


def intervals(tables: Array, truth: Array, scores: Array, slow: int) -> dict[str, Array]:
    """Give lower and upper ends by measure; of average precision on the first ``slow`` samples."""
    made = {name: of_each_table(tables, partial(estimate, measure=name)) for name in OVERALL}
    made |= {name: of_each_table(tables, partial(estimate, measure=name, label=1)) for name in OF_ONE_CLASS}
    made["macro_f1"] = of_each_table(tables, partial(estimate, measure="f1", average="macro"))
    for name, size in zip(SCORE_MEASURES, (len(truth), slow), strict=True):
        samples = zip(truth[:size], scores[:size], strict=True)
        found = [estimate_scores(ScoreTable.from_scores(*sample), name).interval() for sample in samples]
        made[name] = np.array([(one.low, one.high) for one in found])
    return made


def of_each_table(tables: Array, estimated: Callable[[Confusion], Estimate]) -> Array:
    """Make the default interval of each different table once."""
    different, place = np.unique(tables.reshape(len(tables), 4), axis=0, return_inverse=True)
    found = [estimated(Confusion(row.reshape(2, 2), (0, 1))).interval() for row in different]
    return np.array([(one.low, one.high) for one in found])[place.ravel()]


def pvalues(discordant: Array, truth: Array, first: Array, second: Array) -> dict[str, Array]:
    """Give p-values of equal accuracies and areas, by the tests that `compare` takes."""
    different, place = np.unique(discordant, axis=0, return_inverse=True)
    n = truth.shape[1]
    by_counts = np.array([mcnemar(int(b), int(c), n=n).pvalue for b, c in different])
    samples = zip(truth, first, second, strict=True)
    return {
        f"{NAME} compare, accuracy": by_counts[place.ravel()],
        f"{NAME} compare, AUC": np.array([of_areas(*sample) for sample in samples]),
    }


def of_areas(truth: Array, first: Array, second: Array) -> float:
    if truth.all() or not truth.any():
        return np.nan
    return delong(truth, first, second, method="student").pvalue


def check_choice(cell: dict[str, Array]) -> None:
    """What is called here is what `compare` calls."""
    sample = [cell[name][0] for name in ("truth", "first", "second")]
    (pair,) = howsure.compare(sample[0], scores={"first": sample[1], "second": sample[2]}).pairs
    np.testing.assert_allclose(pair.test.pvalue, of_areas(*sample), rtol=1e-12)
    labels = np.repeat(np.indices((2, 2, 2)).reshape(3, 8), cell["pairs"][0].ravel(), axis=1)
    (pair,) = howsure.compare(labels[0], {"first": labels[1], "second": labels[2]}).pairs
    b, c = map(int, cell["discordant"][0])
    np.testing.assert_allclose(pair.test.pvalue, mcnemar(b, c, n=labels.shape[1]).pvalue, rtol=1e-12)


def fold_pvalues(values: Array) -> dict[str, Array]:
    """Give p-values of one cross-validation, and of ten."""
    repeat = np.repeat(np.arange(10), 10)
    repeated = valid_tests("any", "repeated").valid
    return {
        f"{NAME} compare, 10 folds": np.array([corrected_paired_t(a[:10], b[:10], 1 / 9).pvalue for a, b in values]),
        f"{NAME} compare, 10 x 10 folds": np.array(
            [first_answer(repeated, PairedValues(a, b, 1 / 9, repeat=repeat)).pvalue for a, b in values]
        ),
    }


def data_set_pvalues(values: Array) -> dict[str, Array]:
    """Give p-values of two learners, and of all of them, over the data sets."""
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
