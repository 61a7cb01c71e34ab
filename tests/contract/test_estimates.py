"""The contract of estimates: whatever one rests on, it is asked, refused and read in the same way."""

from __future__ import annotations

import math
import operator

import numpy as np
import pytest

import howsure
from howsure import FoldTable, HowsureError, intervals

N = 60
RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, N)
FIRST, SECOND = (np.where(RNG.random(N) < share, 1 - TRUTH, TRUTH) for share in (0.2, 0.35))
SCORES, OTHER_SCORES = (np.clip(0.3 * TRUTH + 0.7 * RNG.random(N), 0, 1) for _ in range(2))
CLASSES = RNG.integers(0, 3, N)
DECIDED = (CLASSES + (RNG.random(N) < 0.3)) % 3
ROWS = 0.6 * RNG.dirichlet(np.ones(3), N) + 0.4 * np.eye(3)[CLASSES]


def folds() -> FoldTable:
    splits = howsure.KFold(10).splits(TRUTH, seed=0)
    values = 0.8 + 0.1 * np.random.default_rng(1).random((10, 1))
    places = np.zeros(10, int), np.arange(10)
    return FoldTable(values, ("tree",), splits.fingerprint, "accuracy", splits.design, *places, span=(0, 1))


def bootstrap_error():
    from sklearn.naive_bayes import GaussianNB

    data = np.column_stack([SCORES, OTHER_SCORES])
    return howsure.resampling.bootstrap_error(GaussianNB(), data, TRUTH, rounds=20, seed=0)


def labels(measure, **options):
    return lambda: howsure.assess(CLASSES, DECIDED).estimate(measure, **options)


def scores(measure, **options):
    return lambda: howsure.assess(TRUTH, scores=SCORES).estimate(measure, **options)


def rows(measure, **options):
    return lambda: howsure.assess(CLASSES, scores=ROWS, labels=[0, 1, 2]).estimate(measure, **options)


def two(measure):
    return lambda: howsure.compare(TRUTH, {"a": FIRST, "b": SECOND}, measure=measure).difference


def two_scores(measure):
    return lambda: howsure.compare(TRUTH, scores={"a": SCORES, "b": OTHER_SCORES}, measure=measure).difference


MAKERS = {
    "a rate": labels("accuracy"),
    "a rate of a class": labels("recall", label=1),
    "an average of rates": labels("recall", average="macro"),
    "kappa": labels("kappa"),
    "a sum": labels("total_cost", costs=1 - np.eye(3)),
    "an area": scores("auc"),
    "a mean loss": scores("brier"),
    "a function of a mean loss": scores("relative_absolute_error", prior=0.4),
    "a ranking": scores("average_precision"),
    "a mean loss of rows": rows("brier"),
    "a function of a mean loss of rows": rows("root_relative_squared_error"),
    "a share of rows": rows("top_k_accuracy", k=1),
    "a measure of rows": rows("auc_hand_till"),
    "an average of areas": rows("auc", average="macro"),
    "a micro average": rows("auc", average="micro"),
    "an average of rankings": rows("average_precision", average="weighted"),
    "a difference of rates": two("accuracy"),
    "a difference of kappas": two("kappa"),
    "a difference of areas": two_scores("auc"),
    "a difference of losses": two_scores("brier"),
    "a difference of functions of losses": two_scores("root_relative_squared_error"),
    "a mean of splits": lambda: folds().estimate("tree"),
    "a bootstrap of refits": bootstrap_error,
}
UNDEFINED = {
    "of labels": lambda: howsure.assess([0, 0, 1], [0, 0, 0]).estimate("precision", label=1),
    "of scores": lambda: howsure.assess([0, 0], scores=[0.2, 0.3], labels=[0, 1]).estimate("auc"),
    "without probabilities": lambda: howsure.assess([0, 1], scores=[-2.0, 3.0]).estimate("brier"),
    "of rows without probabilities": lambda: howsure.assess(
        [0, 1, 2], scores=np.arange(9.0).reshape(3, 3), labels=[0, 1, 2]
    ).estimate("brier"),
    "of splits": lambda: FoldTable(
        np.full((10, 1), np.nan), folds().learners, "x", "auc", folds().design, folds().repeat, folds().fold
    ).estimate("tree"),
}
EVERY = {**MAKERS, **{f"undefined {name}": make for name, make in UNDEFINED.items()}}


@pytest.fixture(scope="module")
def made():
    """Each estimate, made once."""
    return {}


@pytest.fixture
def estimate(request, made):
    if request.param not in made:
        made[request.param] = EVERY[request.param]()
    return made[request.param]


every = pytest.mark.parametrize("estimate", EVERY, indirect=True)
defined = pytest.mark.parametrize("estimate", MAKERS, indirect=True)


def refusal(estimate, **options):
    with pytest.raises(HowsureError) as caught:
        estimate.interval(**options)
    return str(caught.value)


@every
def test_what_cannot_be_asked_is_refused_in_one_wording(estimate):
    assert refusal(estimate, side="x") == "`side` must be one of 'two-sided', 'lower', 'upper', not 'x'."
    assert refusal(estimate, confidence=2) == "`confidence` must be a number between 0 and 1, not 2; did you mean 0.02?"
    assert refusal(estimate, replicates=0) == "`replicates` must be a whole number above 0, not 0."
    assert refusal(estimate, seed=-1) == "`seed` must be a whole number, 0 or above, not -1."
    for method in ("nonsense", None, 3):
        listed = ", ".join(map(repr, ("auto", *(estimate.methods or intervals.methods()))[:12]))
        assert refusal(estimate, method=method).startswith(f"`method` must be one of {listed}")
        assert f", not {method!r}" in refusal(estimate, method=method)


@defined
def test_every_method_that_is_listed_works_and_every_other_is_refused(estimate):
    assert estimate.methods
    for method in intervals.methods():
        if method in estimate.methods:
            interval = estimate.interval(method=method, replicates=50)
            assert interval.low <= estimate.value <= interval.high, f"{method}: {interval!r}"
        else:
            assert refusal(estimate, method=method).startswith("`method` must be one of 'auto', ")
    assert estimate.interval(method=estimate.methods[0].upper(), replicates=50).width > 0


@defined
def test_it_reads_as_a_number_with_an_interval(estimate):
    low, high = estimate.interval()
    assert (low, high) == (estimate.low, estimate.high)
    assert low < high
    assert low <= estimate.value <= high
    assert estimate.undefined is None
    value = estimate.value
    assert float(estimate) == value
    assert round(estimate, 3) == round(value, 3)
    assert f"{estimate:.3f}" == f"{value:.3f}"
    assert f"{estimate}" == str(estimate)
    for compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        for other in (value - 1, value, value + 1):
            assert compare(estimate, other) == compare(value, other)
            assert compare(other, estimate) == compare(other, value)
    assert math.isfinite(estimate.standard_error) or estimate.methods[0] in (
        "modified-wilson",
        "bca",
        "bootstrap",
        "mover-mean",
    )
    assert repr(estimate).count("\n") == 0
    assert estimate.to_dict()["interval"]["low"] == low


@defined
def test_its_interval_widens_with_the_confidence(estimate):
    narrow, wide = estimate.interval(0.6), estimate.interval(0.99)
    assert wide.low <= narrow.low
    assert wide.high >= narrow.high
    assert wide.width > narrow.width


@pytest.mark.parametrize("estimate", [f"undefined {name}" for name in UNDEFINED], indirect=True)
def test_without_a_value_there_is_a_reason_and_no_interval(estimate):
    assert math.isnan(estimate.value)
    assert estimate.undefined
    for method in ("auto", *estimate.methods):
        interval = estimate.interval(method=method)
        assert math.isnan(interval.low)
        assert math.isnan(interval.high)
        assert interval.notes
    assert math.isnan(estimate.standard_error)
    assert f"{estimate:.3f}" == "nan"
    assert not estimate > 0
    assert "undefined, because " in str(estimate)
