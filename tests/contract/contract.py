"""What every label measure must do. Each check takes a measure, so that faults can be planted to see it fail."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from howsure import Confusion
from howsure.measures import Measure, estimate, registry
from howsure.results import Interval
from howsure.tables import BinaryCounts, LabelCounts

RTOL = 1e-12  # own identities: the same arithmetic, in another order at most
PARAMETERS: dict[str, Callable[[int], dict[str, Any]]] = {
    "f_beta": lambda k: {"beta": 2.0},
    "weighted_kappa": lambda k: {"weights": np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(float)},
    "total_cost": lambda k: {"costs": 5.0 * (1 - np.eye(k)) + np.arange(k)},
    "mean_cost": lambda k: {"costs": 5.0 * (1 - np.eye(k)) + np.arange(k)},
}


def parameters(measure: Measure, k: int) -> dict[str, Any]:
    return PARAMETERS.get(measure.name, lambda k: {})(k)


def targets(measure: Measure, labels: Any) -> list[dict[str, Any]]:
    if measure.scope == "overall":
        return [{}]
    averages = [{"average": name} for name in ("macro", "micro", "weighted")] if measure.averaged else []
    return [{"label": labels[0]}, *averages]


def cases(seed: int, n: int = 60, k: int = 3) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    predicted = np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n))
    truth[:k], predicted[:k] = np.arange(k), np.roll(np.arange(k), 1)
    return truth, predicted, rng


def values(measure: Measure, table: Confusion) -> np.ndarray:
    """All values a measure has on a table: of the classes, and of the averages."""
    extra = parameters(measure, table.k)
    labels = table.labels if measure.scope == "class" else [None]
    of: list[dict[str, Any]] = [{"label": label} for label in labels] if measure.scope == "class" else [{}]
    of += [target for target in targets(measure, table.labels) if "average" in target]
    return np.array([estimate(table, measure, **target, **extra).value for target in of])


def same(a: np.ndarray, b: np.ndarray) -> None:
    np.testing.assert_allclose(a, b, rtol=RTOL, atol=1e-15)  # atol: a value of 0 may come out as 1e-17


def check_range(measure: Measure) -> None:
    low, high = measure.range
    for seed in range(20):
        truth, predicted, _ = cases(seed, k=2 + seed % 4)
        for table in (Confusion.from_labels(truth, predicted), fully_wrong(2 + seed % 3), perfect(2 + seed % 3)):
            found = values(measure, table)
            found = found[~np.isnan(found)]
            assert ((found >= low - 1e-12) & (found <= high + 1e-12)).all(), (
                f"{measure.name}: {found} outside its range"
            )


def check_range_is_reached(measure: Measure) -> None:
    """A declared end that no table comes near would be as wrong as one that is passed."""
    found = [value for table in extremes() for value in values(measure, table) if not math.isnan(value)]
    for end in measure.range:
        if math.isfinite(end) and measure.within is None:
            assert min(abs(value - end) for value in found) < 0.02, f"{measure.name} never comes near {end}"


def extremes() -> list[Confusion]:
    tables = [[[50, 0], [0, 50]], [[0, 50], [50, 0]], [[1, 99], [99, 1]], [[99, 1], [0, 100]], [[100, 0], [1, 0]]]
    tables += [
        [[1, 0], [9999, 0]],
        [[0, 9999], [1, 0]],
        [[0, 1], [0, 9999]],
        [[9999, 1], [1, 0]],
        [[1, 9999], [0, 9999]],
    ]
    tables += [[[0, 1], [9999, 9999]], [[0, 99], [1, 1]], [[0, 9999], [0, 1]], [[9999, 0], [0, 1]]]
    return [Confusion(table) for table in tables] + [Confusion(np.eye(100, dtype=int))]


def perfect(k: int) -> Confusion:
    return Confusion(np.diag(np.arange(5, 5 + k)))


def fully_wrong(k: int) -> Confusion:
    return Confusion(np.roll(np.diag(np.arange(5, 5 + k)), 1, axis=1))


def check_perfect_is_best(measure: Measure) -> None:
    for k in (2, 3, 5):
        found = values(measure, perfect(k))
        defined = found[~np.isnan(found)]
        if measure.best is not None:
            assert (defined == measure.best).all(), f"{measure.name}: perfect gives {found}, not {measure.best}"
        if measure.better and measure.matrix is None:
            wrong = values(measure, fully_wrong(k))
            sign = 1 if measure.better == "higher" else -1
            assert not (sign * wrong > sign * found).any(), f"{measure.name}: fully wrong is better than perfect"


def check_order_of_cases(measure: Measure) -> None:
    truth, predicted, rng = cases(1)
    shuffle = rng.permutation(len(truth))
    same(
        values(measure, Confusion.from_labels(truth, predicted)),
        values(measure, Confusion.from_labels(truth[shuffle], predicted[shuffle])),
    )


def check_label_names(measure: Measure) -> None:
    truth, predicted, _ = cases(2)
    names = np.array(["apple", "pear", "zebra"])
    same(
        values(measure, Confusion.from_labels(truth, predicted)),
        values(measure, Confusion.from_labels(names[truth], names[predicted])),
    )


def check_weight_is_repetition(measure: Measure) -> None:
    """Whole-number weights are repetitions in all respects: value, n and interval."""
    truth, predicted, rng = cases(3)
    weight = rng.integers(1, 5, len(truth))
    weighted = Confusion.from_labels(truth, predicted, weight=weight)
    repeated = Confusion.from_labels(np.repeat(truth, weight), np.repeat(predicted, weight))
    same(values(measure, weighted), values(measure, repeated))
    assert not np.allclose(
        weighted_values := raw(measure, weighted), raw(measure, Confusion.from_labels(truth, predicted)), equal_nan=True
    ), f"{measure.name} does not see weights: {weighted_values}"
    for target in targets(measure, weighted.labels):
        extra = parameters(measure, 3)
        one, two = estimate(weighted, measure, **target, **extra), estimate(repeated, measure, **target, **extra)
        assert one.n == two.n
        assert repr(one.interval()) == repr(two.interval())  # where nan is like nan
        assert is_withheld(one.interval()) or one.interval() == two.interval()


def is_withheld(interval: Interval) -> bool:
    """Tell whether there is no interval; then there is a reason."""
    if not math.isnan(interval.low):
        return False
    assert math.isnan(interval.high), interval
    assert interval.notes, interval
    return True


def raw(measure: Measure, table: Confusion) -> np.ndarray:
    counts = BinaryCounts.of(table.counts) if measure.scope == "class" else LabelCounts.of(table.counts)
    return measure.value(counts, **parameters(measure, table.k))


def check_real_weights(measure: Measure) -> None:
    """Real weights that are whole give the same values, and scaling them changes nothing but sums."""
    truth, predicted, rng = cases(4)
    weight = rng.integers(1, 5, len(truth))
    whole = Confusion.from_labels(truth, predicted, weight=weight)
    real = Confusion.from_labels(truth, predicted, weight=weight.astype(float))
    same(values(measure, whole), values(measure, real))
    if measure.name != "total_cost":
        same(values(measure, real), values(measure, Confusion.from_labels(truth, predicted, weight=weight * 0.37)))


def check_zero_weight_is_removal(measure: Measure) -> None:
    truth, predicted, rng = cases(5)
    weight = np.ones(len(truth))
    weight[rng.random(len(truth)) < 0.3] = 0
    kept = weight > 0
    same(
        values(measure, Confusion.from_labels(truth, predicted, weight=weight)),
        values(measure, Confusion.from_labels(truth[kept], predicted[kept])),
    )


def check_one_class(measure: Measure) -> None:
    """One class only, or nothing of a class: a value or a reason, never an exception, never a silent number."""
    undefined = False
    for counts in ([[7]], [[7, 0], [0, 0]], [[0, 0], [0, 7]], [[3, 4], [0, 0]], [[3, 0], [4, 0]], [[0, 5], [0, 0]]):
        table = Confusion(counts)
        for target in targets(measure, table.labels):
            found = estimate(table, measure, **target, **parameters(measure, table.k))
            interval = found.interval()
            undefined |= math.isnan(found.value)
            if math.isnan(found.value):
                assert found.undefined, f"{measure.name} is undefined without a reason on {counts}"
                without_end = measure.range == (0, math.inf) and interval.high == math.inf
                assert without_end or (math.isnan(interval.low) and interval.notes)
            else:
                assert found.undefined is None
                nothing_known = math.isnan(interval.low) and interval.notes
                assert nothing_known or interval.low <= found.value <= interval.high
    assert undefined == bool(measure.undefined_when), (
        f"{measure.name} is undefined: {undefined}, against its declaration"
    )


def check_interval(measure: Measure) -> None:
    """An interval holds the value, stays in the range, has width, and widens with the level."""
    low, high = measure.range
    truth, predicted, _ = cases(6)
    for table in (Confusion.from_labels(truth, predicted), perfect(2), perfect(3), fully_wrong(2), fully_wrong(3)):
        extra = parameters(measure, table.k)
        for target in targets(measure, table.labels):
            found = estimate(table, measure, **target, **extra)
            if found.undefined:
                continue
            narrow, wide = found.interval(0.5), found.interval(0.99)
            if is_withheld(narrow):
                continue
            for interval in (narrow, found.interval(), wide):
                where = f"{measure.name} {target} {found.value} {interval}"
                assert low <= interval.low <= found.value <= interval.high <= high, where
                assert interval.width > 0, where
                assert interval.method not in ("", "auto"), where
            # Arms that follow the measure turn back where it does, as kappa below chance.
            slack = 0.01 * (high - low) if math.isfinite(high - low) else 0.02
            assert wide.low <= narrow.low + slack, f"{measure.name} {target} {narrow} {wide}"
            assert wide.high >= narrow.high - slack, f"{measure.name} {target} {narrow} {wide}"
            assert wide.width > narrow.width, f"{measure.name} {target} {narrow} {wide}"
            upper, lower = found.interval(side="upper"), found.interval(side="lower")
            assert upper.high <= found.interval().high + 1e-12
            assert lower.low >= found.interval().low - 1e-12


def check_every_method(measure: Measure) -> None:
    truth, predicted, _ = cases(7, n=200)
    table = Confusion.from_labels(truth, predicted)
    extra = parameters(measure, 3)
    for target in targets(measure, table.labels):
        found = estimate(table, measure, **target, **extra)
        plain = found.interval()
        if is_withheld(plain):
            continue
        for method in ("delta", "bootstrap", "basic", "bca"):
            interval = found.interval(method=method, replicates=2000, seed=1)
            assert interval.method == method
            assert interval.low < found.value < interval.high
            # All methods estimate the same thing; with 200 cases they agree to within their own width.
            assert abs(interval.low - plain.low) < plain.width
            assert abs(interval.high - plain.high) < plain.width
        again = found.interval(method="bca", replicates=2000, seed=1)
        assert again == found.interval(method="bca", replicates=2000, seed=1)
        assert again != found.interval(method="bca", replicates=2000, seed=2)


def check_batches(measure: Measure) -> None:
    """A batch of tables gives what the tables give one by one."""
    tables = np.random.default_rng(8).integers(0, 20, (4, 2, 3, 3))
    kind = BinaryCounts if measure.scope == "class" else LabelCounts
    extra = parameters(measure, 3)
    batch = measure.value(kind.of(tables), **extra)
    assert batch.shape[:2] == (4, 2), f"{measure.name} forgets the batch"
    for place in np.ndindex(4, 2):
        same(batch[place], measure.value(kind.of(tables[place]), **extra))


def check_formula(measure: Measure) -> None:
    """The formula that users read is the one that is computed."""
    counts = Confusion(np.random.default_rng(9).integers(1, 20, (3, 3)))
    extra = parameters(measure, 3)
    known: dict[str, Any] = {name: getattr(np, name) for name in ("sum", "mean", "max", "sqrt", "outer", "prod")}
    if measure.scope == "class":
        c = counts.one_versus_rest
        known |= {"tp": c.tp, "fp": c.fp, "fn": c.fn, "tn": c.tn, "n": c.n}
        expected = eval(measure.formula, known | extra)
        same(measure.value(c, **extra), expected)
    else:
        s = counts.sums
        known |= {"hits": s.hits, "truth": s.truth, "predicted": s.predicted, "cells": s.cells, "n": s.n}
        same(measure.value(s, **extra), eval(measure.formula, known | extra))


def check_aliases(measure: Measure) -> None:
    for alias in measure.aliases:
        assert registry[alias] is measure
        assert registry[alias.upper().replace("_", " ")] is measure


def check_large_counts(measure: Measure) -> None:
    """Counts that overflow whole numbers when multiplied."""
    small = Confusion([[30, 20], [10, 40]])
    large = Confusion(np.array(small.counts) * 10**8)
    scaled = values(measure, small) * (10**8 if measure.name == "total_cost" else 1)
    same(values(measure, large), scaled)


CHECKS = [check for name, check in sorted(globals().items()) if name.startswith("check_")]
