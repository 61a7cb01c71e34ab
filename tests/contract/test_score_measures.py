"""The contract of score measures, over the registry: a new one is under test the moment it is declared."""

from __future__ import annotations

import numpy as np
import pytest

from contract.score_contract import CHECKS, PARAMETERS
from howsure import HowsureError, ScoreTable
from howsure.measures import divide, estimate_scores, measure, registry
from howsure.measures.declare import Measure
from howsure.registry import Registry
from howsure.tables import ScoreCounts

SCORE_MEASURES = [name for name, declared in registry.items() if declared.scope == "score"]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", SCORE_MEASURES)
def test_contract(name, check):
    check(registry[name])


def test_every_measure_on_request_is_under_contract():
    assert {name for name in SCORE_MEASURES if registry[name].on_request} <= set(PARAMETERS)
    assert set(PARAMETERS) <= set(SCORE_MEASURES)
    assert len(SCORE_MEASURES) >= 12


TABLE = ScoreTable.from_scores([1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.4, 0.3, 0.1])


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("partial_auc", {}, "`partial_auc` needs `high`; give it as `high=...`."),
        ("partial_auc", {"high": 1.5}, "`high` must be between 0 and 1, not 1.5."),
        ("partial_auc", {"high": "wide"}, "`high` must be between 0 and 1, not 'wide'."),
        (
            "partial_auc",
            {"high": 0.5, "axis": "precision"},
            "`axis` must be 'x' or 'y', not 'precision'.",
        ),
        ("lift", {"depth": 0}, "`depth` must be above 0 and at most 1, not 0."),
        ("gain", {"depth": 1.2}, "`depth` must be above 0 and at most 1, not 1.2."),
        ("expected_calibration_error", {"bins": 0}, "`bins` must be a whole number above 0, not 0."),
        ("expected_calibration_error", {"bins": 2.5}, "`bins` must be a whole number above 0, not 2.5."),
    ],
)
def test_parameters_that_cannot_be(name, parameters, sentence):
    with pytest.raises(HowsureError) as caught:
        estimate_scores(TABLE, name, **parameters)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("window", [{"high": 0.2, "low": 0.6}, {"high": 0.3, "low": 0.3}, {"high": 0.0}])
def test_a_window_without_width_is_refused(window):
    with pytest.raises(HowsureError, match=r"`low`|`high`"):
        estimate_scores(TABLE, "partial_auc", **window)


def test_methods_that_do_not_apply():
    with pytest.raises(HowsureError, match=r"^`method` must be one of 'auto', 'logit-precision', 'bootstrap'"):
        estimate_scores(TABLE, "average_precision").interval(method="delong")
    with pytest.raises(HowsureError) as caught:
        estimate_scores(TABLE, "auc").interval(method="bootstrap", replicates=0)
    assert str(caught.value) == "`replicates` must be a whole number above 0, not 0."


def test_worse_than_random_is_said():
    table = ScoreTable.from_scores([0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1])
    assert estimate_scores(table, "auc").notes == ("worse than random: inverting the scores gives 1.000",)
    assert estimate_scores(table, "gini").notes == ("worse than random: inverting the scores gives 1.000",)
    assert estimate_scores(TABLE, "auc").notes == ()


PLANTED: Registry[Measure] = Registry("measure", "")


def planted(**options):
    told = {"formula": "a sentence", "range": (0, 1), "best": 1, "undefined_when": "never", "into": PLANTED}
    return measure("Planted", **{**told, **options})


def area(c):
    above = (c.negatives * (c.tp - c.positives / 2)).sum(-1)
    return divide(above, c.positives.sum(-1) * c.negatives.sum(-1))


@planted()
def ignores_weights(c: ScoreCounts) -> np.ndarray:
    return area(ScoreCounts(np.minimum(c.positives, 1), np.minimum(c.negatives, 1), c.scores))


@planted(best=None)
def depends_on_the_scale_of_weights(c: ScoreCounts) -> np.ndarray:
    return divide(c.positives.sum(-1), c.n + 1)


@planted(best=None)
def counts_rows(c: ScoreCounts) -> np.ndarray:
    return divide((c.positives > 0).sum(-1).astype(float), np.asarray(float(c.positives.shape[-1])))


@planted(range=(0.5, 1))
def range_too_small(c: ScoreCounts) -> np.ndarray:
    return area(c)


@planted(range=(-1, 1))
def range_too_large(c: ScoreCounts) -> np.ndarray:
    return area(c)


@planted()
def wrong_best(c: ScoreCounts) -> np.ndarray:
    return 1 - area(c)


@planted()
def zero_for_undefined(c: ScoreCounts) -> np.ndarray:
    return np.nan_to_num(area(c))


@planted(best=None)
def not_for_batches(c: ScoreCounts) -> np.ndarray:
    return divide(c.positives.sum(), c.n.sum())


@planted(best=None)
def knows_the_scores(c: ScoreCounts) -> np.ndarray:
    return divide((c.positives * np.clip(c.scores, 0, 1)).sum(-1), c.n)


@planted(formula="sum(positives) / n")
def another_formula(c: ScoreCounts) -> np.ndarray:
    return area(c)


@planted(best=None)
def overflows(c: ScoreCounts) -> np.ndarray:
    return divide(c.positives.sum(-1).astype(np.int64).astype(np.int32) * 1.0, c.n)


@planted(best=None)
def single_precision(c: ScoreCounts) -> np.ndarray:
    return divide((c.positives * ((c.scores * 10).astype(int) % 2)).sum(-1), c.n)


FAULTS = {
    "ignores_weights": "check_weight_is_repetition",
    "depends_on_the_scale_of_weights": "check_real_weights",
    "counts_rows": "check_zero_weight_is_removal",
    "range_too_small": "check_range",
    "range_too_large": "check_range_is_reached",
    "wrong_best": "check_perfect_is_best",
    "zero_for_undefined": "check_one_class",
    "not_for_batches": "check_batches",
    "knows_the_scores": "check_monotone_transformation",
    "another_formula": "check_formula",
    "overflows": "check_large_counts",
    "single_precision": "check_single_precision",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name):
    check = next(check for check in CHECKS if check.__name__ == FAULTS[name])
    with pytest.raises(AssertionError):
        check(PLANTED[name])
