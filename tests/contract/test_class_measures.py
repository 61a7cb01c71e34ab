"""The contract of measures of scores of many classes, over the registry, of 3 and of 5 classes."""

from __future__ import annotations

import numpy as np
import pytest

from contract import class_contract
from contract.class_contract import CHECKS, ROW_PARAMETERS
from howsure.measures import divide, measure, registry
from howsure.measures.declare import Measure
from howsure.measures.estimate.classes import ClassBasis
from howsure.measures.probability import mean_row_range, mean_squared_row_loss, squared_loss, squared_row_loss
from howsure.registry import Registry
from howsure.tables import ScoreCounts, ScoreRows

CLASS_MEASURES = [name for name, declared in registry.items() if declared.scope in ("score", "rows")]


@pytest.fixture(autouse=True)
def _few_replicates(monkeypatch):
    """What is under test does not depend on their number, and most of the time would go there."""
    monkeypatch.setattr(ClassBasis, "default_replicates", 50)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", CLASS_MEASURES)
def test_contract(name, check):
    check(registry[name])


def test_every_measure_of_rows_on_request_is_under_contract():
    on_request = {name for name in CLASS_MEASURES if registry[name].scope == "rows" and registry[name].on_request}
    assert on_request <= set(ROW_PARAMETERS) <= set(CLASS_MEASURES)
    assert len(CLASS_MEASURES) >= 18


PLANTED: Registry[Measure] = Registry("measure", "")


def planted(**options):
    usual = {"formula": "a sentence", "range": (0, 1), "best": 1, "into": PLANTED}
    return measure("Planted", **{**usual, **options})


def right(c):
    return (c.scores.argmax(1) == c.truth).astype(float)


@planted(best=None)
def ignores_weights(c: ScoreRows) -> np.ndarray:
    return right(c).mean()


@planted(best=None)
def counts_rows_without_weight(c: ScoreRows) -> np.ndarray:
    return (right(c) * c.weight).sum() / (c.weight.mean() * max(len(c.truth), 1)) * (1 - (c.weight == 0).mean())


@planted(best=None)
def depends_on_the_scale_of_weights(c: ScoreRows) -> np.ndarray:
    return (right(c) * c.weight).sum() / (c.weight.sum() + 1)


@planted(best=None)
def depends_on_the_order_of_cases(c: ScoreRows) -> np.ndarray:
    return np.asarray(right(c)[0])


@planted(best=None)
def prefers_the_first_class(c: ScoreRows) -> np.ndarray:
    return (c.scores[:, 0] * c.weight).sum() / c.weight.sum()


@planted(best=0, probability=True, loss=squared_loss, row_loss=squared_row_loss)
def range_of_two_classes(c: ScoreCounts) -> np.ndarray:
    """The fault that once was: a loss of rows from 0 to 2 in a measure from 0 to 1."""
    return divide((c.positives * (1 - c.scores) ** 2 + c.negatives * c.scores**2).sum(-1), c.n)


@planted(best=None, within=lambda n: (0, n))
def range_that_grows_with_the_cases(c: ScoreRows) -> np.ndarray:
    return (right(c) * c.weight).sum() / c.weight.sum()


@planted()
def wrong_best(c: ScoreRows) -> np.ndarray:
    return 1 - (right(c) * c.weight).sum() / c.weight.sum()


@planted(undefined_when="all cases are of one class")
def zero_for_undefined(c: ScoreRows) -> np.ndarray:
    return (right(c) * c.weight).sum() / c.weight.sum()


@planted(undefined_when="always")
def never_defined(c: ScoreRows) -> np.ndarray:
    return np.asarray(np.nan)


@planted(
    best=0, loss=squared_loss, row_loss=mean_squared_row_loss, row_loss_range=mean_row_range,
    of_mean=lambda mean, shares: np.sqrt(np.abs(mean)) + 0j,
)  # fmt: skip
def without_a_derivative(c: ScoreCounts) -> np.ndarray:
    return np.sqrt(divide((c.positives * (1 - c.scores) ** 2 + c.negatives * c.scores**2).sum(-1), c.n))


@planted(best=0, row_loss=mean_squared_row_loss)
def another_default(c: ScoreCounts) -> np.ndarray:
    return divide((c.positives * (1 - c.scores) ** 2 + c.negatives * c.scores**2).sum(-1), c.n)


FAULTS = {
    "check_range": "range_of_two_classes",
    "check_interval": "range_of_two_classes",
    "check_sides": "range_that_grows_with_the_cases",
    "check_perfect_is_best": "wrong_best",
    "check_order_of_cases": "depends_on_the_order_of_cases",
    "check_order_of_classes": "prefers_the_first_class",
    "check_weight_is_repetition": "ignores_weights",
    "check_zero_weight_is_removal": "counts_rows_without_weight",
    "check_scale_of_weights": "depends_on_the_scale_of_weights",
    "check_one_class": "zero_for_undefined",
    "check_every_method": "never_defined",
    "check_standard_error": "without_a_derivative",
    "check_default_interval": "another_default",
    "check_label_names": "prefers_the_first_class",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_planted_fault_is_found(check, monkeypatch):
    if check is class_contract.check_label_names:  # kernels see no names, so the table sorts its columns by them
        make = class_contract.make

        def sorted_columns(truth, scores, weight=None, labels=None):
            order = np.argsort(labels) if labels else slice(None)
            return make(truth, np.asarray(scores)[:, order], weight, labels)

        monkeypatch.setattr(class_contract, "make", sorted_columns)
    with pytest.raises(AssertionError):
        check(PLANTED[FAULTS[check.__name__]])
