"""The contract, over the registry: a new measure is under test the moment it is declared."""

from __future__ import annotations

import numpy as np
import pytest

from contract.contract import CHECKS, PARAMETERS
from howsure.measures import Ratio, divide, measure, registry
from howsure.measures.declare import Measure
from howsure.registry import Registry
from howsure.tables import BinaryCounts, LabelCounts

LABEL_MEASURES = [name for name, declared in registry.items() if declared.scope in ("class", "overall")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", LABEL_MEASURES)
def test_contract(name, check):
    check(registry[name])


def test_every_measure_on_request_is_under_contract():
    assert set(PARAMETERS) == {name for name in LABEL_MEASURES if registry[name].on_request}


PLANTED: Registry[Measure] = Registry("measure", "")


@measure("Ignores weights", formula="tp / (tp + fn)", range=(0, 1), best=1, undefined_when="never", into=PLANTED)
def ignores_weights(c: BinaryCounts) -> Ratio:
    return Ratio(np.minimum(c.tp, 1), np.minimum(c.tp, 1) + np.minimum(c.fn, 1))


@measure("Range too small", formula="(tp - fn) / n", range=(0, 1), best=None, into=PLANTED)
def range_too_small(c: BinaryCounts) -> np.ndarray:
    return divide(c.tp - c.fn, c.n)


@measure("Range too large", formula="tp / n", range=(-1, 1), best=None, undefined_when="never", into=PLANTED)
def range_too_large(c: BinaryCounts) -> np.ndarray:
    return divide(c.tp, c.n)


@measure("Wrong best", formula="fp / (fp + tn)", range=(0, 1), best=1, undefined_when="never", into=PLANTED)
def wrong_best(c: BinaryCounts) -> Ratio:
    return Ratio(c.fp, c.fp + c.tn)


@measure("Zero", formula="tp / (tp + fn)", range=(0, 1), best=1, undefined_when="no case", into=PLANTED)
def zero_for_undefined(c: BinaryCounts) -> np.ndarray:
    return np.where(c.tp + c.fn == 0, 0.0, divide(c.tp, c.tp + c.fn))


@measure("Not for batches", formula="sum(hits) / n", range=(0, 1), best=1, into=PLANTED)
def not_for_batches(c: LabelCounts) -> np.ndarray:
    return divide(c.hits.sum(), c.n.sum())


@measure("Another formula", formula="tp / (tp + fp)", range=(0, 1), best=1, undefined_when="never", into=PLANTED)
def another_formula(c: BinaryCounts) -> Ratio:
    return Ratio(c.tp, c.tp + c.fn)


@measure("Overflows", formula="sum(hits) / n", range=(0, 1), best=1, undefined_when="never", into=PLANTED)
def overflows(c: LabelCounts) -> np.ndarray:
    return divide(c.hits.sum(-1).real.astype(np.int64).astype(np.int32) * 1.0, c.n)


FAULTS = {
    "ignores_weights": "check_weight_is_repetition",
    "range_too_small": "check_range",
    "range_too_large": "check_range_is_reached",
    "wrong_best": "check_perfect_is_best",
    "zero_for_undefined": "check_one_class",
    "not_for_batches": "check_batches",
    "another_formula": "check_formula",
    "overflows": "check_large_counts",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name):
    check = next(check for check in CHECKS if check.__name__ == FAULTS[name])
    with pytest.raises(AssertionError):
        check(PLANTED[name])
