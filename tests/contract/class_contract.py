"""What every measure of scores of many classes must do: of whole rows, and of averages over the classes.

Each check takes a measure, so that faults can be planted to see it fail.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import howsure
from contract import score_contract
from contract.contract import is_withheld
from howsure import HowsureError, intervals
from howsure.measures import Measure, registry
from howsure.measures.estimate.classes import estimate_classes
from howsure.results import Estimate, Interval
from howsure.tables import ClassScores, ScoreRows

RTOL = 1e-12  # own identities: the same arithmetic, in another order at most
CLASSES = (3, 5)
AVERAGES = ("macro", "micro", "weighted")
Target = dict[str, Any]
ROW_PARAMETERS = {
    "top_k_accuracy": lambda k: {"k": 1},
    "relative_absolute_error": lambda k: {"prior": np.arange(1, k + 1) / np.arange(1, k + 1).sum()},
    "root_relative_squared_error": lambda k: {"prior": np.arange(1, k + 1) / np.arange(1, k + 1).sum()},
}


def targets(measure: Measure, k: int) -> list[Target]:
    """Whole rows, where the measure is of them, and all averages, where it is of one class against the rest."""
    rows = []
    if measure.scope == "rows" or measure.row_loss is not None:
        of_rows = ROW_PARAMETERS.get(measure.name, lambda k: {})(k)
        rows = [of_rows] if measure.on_request or not of_rows else [{}, of_rows]
    if measure.scope == "rows":
        return rows
    return rows + [{"average": name} | score_contract.variants(measure)[0] for name in AVERAGES]


def make(truth: Any, scores: Any, weight: Any = None, labels: Any = None) -> ClassScores:
    scores = np.asarray(scores, float)
    weights = np.ones(len(scores), np.int64) if weight is None else np.asarray(weight)
    square = weights**2 if weights.dtype.kind == "f" else None
    return ClassScores(ScoreRows(np.asarray(truth), scores, weights), tuple(labels or range(scores.shape[1])), square)


def cases(seed: int, k: int, n: int = 30) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """Probabilities that are somewhat right and add up to 1, with ties."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    truth[:k] = np.arange(k)
    chance = rng.dirichlet(np.ones(k), n) * 0.6 + 0.4 * np.eye(k)[truth]
    return truth, rng.multinomial(16, chance) / 16, rng


def perfect(k: int, n: int = 20) -> ClassScores:
    return make(np.arange(n) % k, np.eye(k)[np.arange(n) % k])


def fully_wrong(k: int, n: int = 20) -> ClassScores:
    return make(np.arange(n) % k, np.eye(k)[(np.arange(n) + 1) % k])


def constant(k: int, n: int = 20) -> ClassScores:
    return make(np.arange(n) % k, np.full((n, k), 1 / k))


def tables(k: int) -> dict[str, ClassScores]:
    truth, scores, rng = cases(6, k)
    return {
        "random": make(truth, scores),
        "perfect": perfect(k),
        "fully wrong": fully_wrong(k),
        "constant": constant(k),
        "real weights": make(truth, scores, rng.uniform(0.1, 3, len(truth))),
        "a class without cases": make(truth[truth > 0], scores[truth > 0]),
    }


def estimates(measure: Measure, scores: ClassScores) -> list[Estimate]:
    return [estimate_classes(scores, measure, **target) for target in targets(measure, len(scores.labels))]


def values(measure: Measure, scores: ClassScores) -> np.ndarray:
    return np.array([estimate.value for estimate in estimates(measure, scores)])


def same(a: Any, b: Any, rtol: float = RTOL) -> None:
    np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-15)  # atol: a value of 0 may come out as 1e-17


def same_interval(one: Estimate, other: Estimate) -> None:
    """Intervals are the same up to rounding, those of the bootstrap too: a seed means the same draws."""
    mine, theirs = one.interval(), other.interval()
    assert mine.method == theirs.method, f"{one} {mine} {theirs}"
    np.testing.assert_allclose([*mine], [*theirs], rtol=1e-9, atol=1e-12, err_msg=str(one.name))


def declared_range(measure: Measure, target: Target, k: int) -> tuple[float, float]:
    """The range of a measure as it is declared: of whole rows it may be another."""
    if "average" not in target and measure.row_loss is not None and measure.of_mean is None:
        return measure.row_range(k)
    return measure.span(1, {key: value for key, value in target.items() if key != "average"})


def check_range(measure: Measure) -> None:
    for k in CLASSES:
        drawn = [make(*cases(seed, k, n=k + 3 * seed)[:2]) for seed in range(8)]
        for scores in [*tables(k).values(), *drawn]:
            for target in targets(measure, k):
                value = estimate_classes(scores, measure, **target).value
                low, high = declared_range(measure, target, k)
                where = f"{measure.name} {target}: {value!r} outside {low} to {high}"
                assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12, where


def check_perfect_is_best(measure: Measure) -> None:
    for k in CLASSES:
        right, wrong, same_for_all = (values(measure, table(k)) for table in (perfect, fully_wrong, constant))
        if measure.best is not None:
            same(right, measure.best)
        if measure.better:
            sign = 1 if measure.better == "higher" else -1
            assert (sign * right > sign * wrong).all(), f"{measure.name}: fully wrong is as good as perfect"
            if measure.best is not None:
                assert (sign * right > sign * same_for_all).all(), f"{measure.name}: perfect is no better than constant"


def check_order_of_cases(measure: Measure) -> None:
    """Neither values nor intervals depend on the order of the cases."""
    for k in CLASSES:
        truth, scores, rng = cases(1, k)
        shuffle = rng.permutation(len(truth))
        pairs = zip(
            estimates(measure, make(truth, scores)),
            estimates(measure, make(truth[shuffle], scores[shuffle])),
            strict=True,
        )
        for one, other in pairs:
            same(one.value, other.value)
            same_interval(one, other)


def check_label_names(measure: Measure) -> None:
    """The columns belong to the classes in the order in which these are named, whatever the names."""
    truth, scores, _ = cases(2, 3)
    names = estimates(measure, make(truth, scores, labels=["zebra", "apple", "pear"]))
    for one, other in zip(estimates(measure, make(truth, scores)), names, strict=True):
        same(one.value, other.value)
        same_interval(one, other)
    if measure.name not in registry:
        return  # a planted measure is not known to `assess`
    labels = ["zebra", "apple", "pear"]
    a = howsure.assess(np.array(labels)[truth], scores=scores, labels=labels)
    for target, one in zip(targets(measure, 3), estimates(measure, make(truth, scores)), strict=True):
        same(a.estimate(measure.name, **target).value, one.value)


def check_order_of_classes(measure: Measure) -> None:
    """Columns in another order give the same value, but for ties that go to the earlier class."""
    truth, _, rng = cases(2, 3)
    scores = rng.dirichlet(np.ones(3), len(truth))
    order = np.array([2, 0, 1])
    turned = make(np.argsort(order)[truth], scores[:, order])
    plain = make(truth, scores)
    for target in targets(measure, 3):
        moved = {key: value[order] if isinstance(value, np.ndarray) else value for key, value in target.items()}
        one, other = estimate_classes(plain, measure, **target), estimate_classes(turned, measure, **moved)
        same(one.value, other.value)


def check_weight_is_repetition(measure: Measure) -> None:
    """Whole-number weights are repetitions in all respects: value, n and interval."""
    for k in CLASSES:
        truth, scores, rng = cases(3, k)
        weight = rng.integers(1, 5, len(truth))
        weighted = estimates(measure, make(truth, scores, weight))
        repeated = estimates(measure, make(np.repeat(truth, weight), np.repeat(scores, weight, axis=0)))
        plain = values(measure, make(truth, scores))
        assert not np.allclose([float(one) for one in weighted], plain, rtol=1e-9), f"{measure.name}: no weights"
        for one, other in zip(weighted, repeated, strict=True):
            same(one.value, other.value)
            assert one.n == other.n
            same_interval(one, other)


def check_zero_weight_is_removal(measure: Measure) -> None:
    for kind in (int, float):
        truth, scores, rng = cases(5, 3)
        weight = np.where(rng.random(len(truth)) < 0.3, 0, 2).astype(kind)
        weight[:3] = 2
        kept = weight > 0
        with_zeros = estimates(measure, make(truth, scores, weight))
        without = estimates(measure, make(truth[kept], scores[kept], weight[kept]))
        for one, other in zip(with_zeros, without, strict=True):
            same(one.value, other.value)
            same(one.n, other.n)
            same_interval(one, other)


def check_scale_of_weights(measure: Measure) -> None:
    """The scale of real weights changes nothing: value, n, interval."""
    truth, scores, rng = cases(4, 3)
    weight = rng.integers(1, 5, len(truth)) / 4
    scaled = estimates(measure, make(truth, scores, weight * 256.0))  # a power of 2: nothing is rounded
    for one, other in zip(estimates(measure, make(truth, scores, weight)), scaled, strict=True):
        same(one.value, other.value)
        same(one.n, other.n)
        same_interval(one, other)


def holds(interval: Interval, estimate: Estimate) -> bool:
    return is_withheld(interval) or interval.low <= estimate.value <= interval.high


def check_one_class(measure: Measure) -> None:
    """Cases of one class only: a value or a reason, never an exception, never a silent number."""
    undefined = False
    for k in CLASSES:
        for label in (0, k - 1):
            for n in (1, 6):
                rng = np.random.default_rng(n)
                for rows in (rng.dirichlet(np.ones(k), n), np.full((n, k), 1 / k), np.eye(k)[np.full(n, label)]):
                    for estimate in estimates(measure, make(np.full(n, label), rows)):
                        interval = estimate.interval()
                        assert isinstance(estimate.standard_error, float)
                        where = f"{measure.name} {estimate!r} {interval}"
                        if math.isnan(estimate.value):
                            undefined = True
                            assert estimate.undefined, f"{where}: undefined without a reason"
                            assert math.isnan(interval.low), where
                            assert interval.notes, where
                        else:
                            assert estimate.undefined is None, where
                            assert holds(interval, estimate), where
    assert not undefined or measure.undefined_when, f"{measure.name} is undefined against its declaration"
    assert undefined or not (measure.undefined_when and measure.scope == "rows"), f"{measure.name} is never undefined"


def check_interval(measure: Measure) -> None:
    """An interval holds the value, stays in the range, has width, and widens with the level."""
    for k in CLASSES:
        for name, scores in tables(k).items():
            if k > 3 and name not in ("random", "fully wrong"):
                continue
            for target in targets(measure, k):
                low, high = declared_range(measure, target, k)
                estimate = estimate_classes(scores, measure, **target)
                if estimate.undefined:
                    continue
                narrow, usual, wide = estimate.interval(0.5), estimate.interval(), estimate.interval(0.99)
                if is_withheld(usual):
                    continue
                for interval in (narrow, usual, wide):
                    where = f"{measure.name} {target} {name}: {estimate.value!r} {interval} {interval!r}"
                    assert low - 1e-12 <= interval.low <= estimate.value <= interval.high <= high + 1e-12, where
                    assert interval.width > 0, where
                    assert interval.method not in ("", "auto"), where
                where = f"{measure.name} {target} {name}: {narrow!r} {wide!r}"
                assert wide.low <= narrow.low + 1e-12, where
                assert wide.high >= narrow.high - 1e-12, where
                unknown = any("are unknown" in note for note in wide.notes)  # whatever the level
                assert wide.width > narrow.width or (unknown and wide.width == narrow.width), where


def check_sides(measure: Measure) -> None:
    """A one-sided bound is no further off than that of two sides, and the open end is that of the range."""
    for name, scores in tables(3).items():
        for target in targets(measure, 3):
            low, high = declared_range(measure, target, 3)
            estimate = estimate_classes(scores, measure, **target)
            usual, upper, lower = (estimate.interval(side=side) for side in ("two-sided", "upper", "lower"))
            where = f"{measure.name} {target} {name}: {usual!r}, {upper!r}, {lower!r}"
            if estimate.undefined or is_withheld(usual):
                continue
            assert upper.high <= usual.high + 1e-12, where
            assert lower.low >= usual.low - 1e-12, where
            assert upper.low <= low + 1e-12, where
            assert lower.high == high or (lower.high < high and "average" not in target), where


def check_every_method(measure: Measure) -> None:
    """Every method that is listed works; every other is refused in a sentence that names those that apply."""
    truth, scores, _ = cases(7, 3, n=80)
    for estimate in estimates(measure, make(truth, scores)):
        for method in estimate.methods:
            interval = estimate.interval(method=method, replicates=100, seed=1)
            where = f"{measure.name} {estimate.of} {method}: {interval!r}"
            assert interval.low < interval.high, where
            assert holds(interval, estimate), where
            assert interval.method.startswith(method.removesuffix("-scaled")), where
            assert interval == estimate.interval(method=method, replicates=100, seed=1), where
        refused = set(intervals.methods()) - set(estimate.methods)
        assert refused, "every method applies"
        for method in [*refused, "nonsense"]:
            with pytest.raises(HowsureError) as caught:
                estimate.interval(method=method)
            listed = ", ".join(map(repr, ("auto", *estimate.methods)[:12]))
            assert str(caught.value).startswith(f"`method` must be one of {listed}"), str(caught.value)


def check_standard_error(measure: Measure) -> None:
    """The standard error is a number wherever the default interval is made of it, and of the size of its interval."""
    truth, scores, _ = cases(8, 3, n=80)
    for estimate in estimates(measure, make(truth, scores)):
        if estimate.methods[0] in ("delta-scaled", "smoothed-loss", "delong"):
            error = estimate.standard_error
            assert math.isfinite(error), f"{measure.name} {estimate.of}: {error}"
            drawn = estimate.interval(method="bootstrap", replicates=400)
            # The width of a bootstrap interval of 400 replicates is good to about a tenth.
            assert 0.7 < 2 * 1.96 * error / drawn.width < 1.4, f"{measure.name} {estimate.of}: {error} {drawn!r}"


def check_default_interval(measure: Measure) -> None:
    """The reference page names the method that is used; of losses of more than two classes it is always one."""
    truth, scores, _ = cases(9, 3)
    of_two_classes = measure.row_loss is not None and measure.interval is not None
    named = "smoothed-loss" if of_two_classes else measure.default_interval
    for target, estimate in zip(targets(measure, 3), estimates(measure, make(truth, scores)), strict=True):
        if "average" not in target:
            assert estimate.methods[0] == named, f"{measure.name}: {estimate.methods[0]}"


CHECKS = [check for name, check in sorted(globals().items()) if name.startswith("check_")]
