"""What every measure of scores must do. Each check takes a measure, so that faults can be planted to see it fail."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import howsure
from howsure import ScoreTable
from howsure.measures import Measure, estimate_scores, registry
from howsure.measures.estimate.scores import ScoreBasis
from howsure.tables import ScoreCounts

RTOL = 1e-12  # own identities: the same arithmetic, in another order at most
PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "partial_auc": [
        {"high": 0.3},
        {"high": 1.0},
        {"high": 0.6, "low": 0.2, "corrected": False},
        {"high": 0.9, "low": 0.5, "axis": "y"},
        {"high": 1.0, "low": 0.8},
    ],
    "lift": [{"depth": 0.3}, {"depth": 0.75}],
    "gain": [{"depth": 0.3}],
    "expected_calibration_error": [{}, {"bins": 4}],
    "maximum_calibration_error": [{}, {"bins": 1}],
    "relative_absolute_error": [{}, {"prior": 0.3}],
    "root_relative_squared_error": [{}, {"prior": [0.7, 0.3]}],
}


def variants(measure: Measure) -> list[dict[str, Any]]:
    return PARAMETERS.get(measure.name, [{}])


def cases(seed: int, n: int = 60, decimals: int = 2) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """Probabilities that are somewhat right, with ties."""
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.45
    positive[:2] = True, False
    return positive, np.clip(rng.normal(0.4 + 0.2 * positive, 0.25), 0, 1).round(decimals), rng


def perfect(n: int = 20) -> ScoreTable:
    positive = np.arange(n) % 3 == 0
    return ScoreTable.from_scores(positive, positive.astype(float))


def fully_wrong(n: int = 20) -> ScoreTable:
    positive = np.arange(n) % 3 == 0
    return ScoreTable.from_scores(positive, 1.0 - positive)


def constant(n: int = 20) -> ScoreTable:
    return ScoreTable.from_scores(np.arange(n) % 3 == 0, np.full(n, 0.3))


def real_weighted(table: str, seed: int = 0, n: int = 40) -> ScoreTable:
    rng = np.random.default_rng(seed)
    positive = np.arange(n) % 3 == 0
    scores = {"perfect": positive * 0.5 + 0.5 * rng.random(n) * positive, "wrong": (1 - positive) * rng.random(n)}
    return ScoreTable.from_scores(positive, scores[table], rng.uniform(0.1, 3, n))


def tables() -> dict[str, ScoreTable]:
    positive, scores, _ = cases(6)
    return {
        "random": ScoreTable.from_scores(positive, scores),
        "perfect": perfect(),
        "fully wrong": fully_wrong(),
        "constant": constant(),
        "one of each": ScoreTable.from_scores([1, 0], [0.7, 0.4]),
        "one of each, wrong": ScoreTable.from_scores([0, 1], [0.7, 0.4]),
        "real weights": ScoreTable.from_scores(positive, scores, cases(6)[2].uniform(0.1, 3, len(scores))),
        "perfect, real weights": real_weighted("perfect"),
        "wrong, real weights": real_weighted("wrong"),
    }


def value(measure: Measure, table: ScoreTable, **parameters: Any) -> float:
    return estimate_scores(table, measure, **parameters).value


def values(measure: Measure, table: ScoreTable) -> np.ndarray:
    """The values of a measure on a table, for each of its parameters under test."""
    return np.array([value(measure, table, **extra) for extra in variants(measure)])


def same(a: Any, b: Any, rtol: float = RTOL) -> None:
    np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-15)  # atol: a value of 0 may come out as 1e-17


def same_interval(one: Any, other: Any, rtol: float = 1e-9) -> None:
    """Ends are where a density is small, so rounding shows a little more there than in values."""
    assert one.method == other.method
    np.testing.assert_allclose([one.low, one.high], [other.low, other.high], rtol=rtol, atol=1e-12)


def check_range(measure: Measure) -> None:
    drawn = [ScoreTable.from_scores(*cases(seed, n=3 + 3 * seed)[:2]) for seed in range(20)]
    # With real weights a sum in another order may be one bit more: a perfect ranking must not be better than that.
    drawn += [real_weighted(kind, seed) for seed in range(25) for kind in ("perfect", "wrong")]
    for table in [*tables().values(), *drawn]:
        for extra in variants(measure):
            low, high = measure.span(table.n, extra)
            found = value(measure, table, **extra)
            where = f"{measure.name} {extra}: {found} outside {low} to {high}"
            assert math.isnan(found) or low <= found <= high, where


def check_range_is_reached(measure: Measure) -> None:
    """A declared end that no table comes near would be as wrong as one that is passed."""
    rare = ScoreTable(np.array([1.0, 0.0]), np.array([0, 1]), np.array([9999, 0]))
    alone = ScoreTable(np.array([1.0, 0.0]), np.array([1, 0]), np.array([0, 9999]))
    found = [v for table in [*tables().values(), rare, alone] for v in values(measure, table) if not math.isnan(v)]
    for end in measure.range:
        if math.isfinite(end) and measure.within is None:
            assert min(abs(v - end) for v in found) < 0.02, f"{measure.name} never comes near {end}"


def check_perfect_is_best(measure: Measure) -> None:
    for n in (4, 20, 101):
        right, wrong, same_for_all = (values(measure, table(n)) for table in (perfect, fully_wrong, constant))
        if measure.best is not None:
            same(right, measure.best)
        if measure.better:
            sign = 1 if measure.better == "higher" else -1
            assert not (sign * wrong > sign * right).any(), f"{measure.name}: fully wrong is better than perfect"
            assert (sign * right > sign * same_for_all).all(), f"{measure.name}: perfect is no better than constant"


def check_order_of_cases(measure: Measure) -> None:
    positive, scores, rng = cases(1)
    shuffle = rng.permutation(len(scores))
    one, other = (ScoreTable.from_scores(positive[o], scores[o]) for o in (slice(None), shuffle))
    same(values(measure, one), values(measure, other))
    for extra in variants(measure):
        one_interval, other_interval = (estimate_scores(t, measure, **extra).interval() for t in (one, other))
        assert one_interval == other_interval


def check_weight_is_repetition(measure: Measure) -> None:
    """Whole-number weights are repetitions in all respects: value, n and interval."""
    positive, scores, rng = cases(3)
    weight = rng.integers(1, 5, len(scores))
    weighted = ScoreTable.from_scores(positive, scores, weight)
    repeated = ScoreTable.from_scores(np.repeat(positive, weight), np.repeat(scores, weight))
    same(values(measure, weighted), values(measure, repeated))
    plain = ScoreTable.from_scores(positive, scores)
    assert not np.allclose(values(measure, weighted), values(measure, plain), rtol=1e-9), (
        f"{measure.name} does not see weights"
    )
    for extra in variants(measure):
        one, two = estimate_scores(weighted, measure, **extra), estimate_scores(repeated, measure, **extra)
        assert one.n == two.n
        assert one.interval() == two.interval()


def check_real_weights(measure: Measure) -> None:
    """Real weights that are whole give the same values, and their scale changes nothing: value, n, interval."""
    positive, scores, rng = cases(4)
    weight = rng.integers(1, 5, len(scores))
    whole = ScoreTable.from_scores(positive, scores, weight)
    real = ScoreTable.from_scores(positive, scores, weight.astype(float))
    same(values(measure, whole), values(measure, real))
    for extra in variants(measure):
        found = estimate_scores(real, measure, **extra)
        assert found.n <= len(scores), f"{measure.name}: {found.n:g} cases out of {len(scores)} with real weights"
        for scale in (0.25, 1024.0):  # powers of 2: nothing is rounded
            scaled = estimate_scores(ScoreTable.from_scores(positive, scores, weight * scale), measure, **extra)
            same(scaled.value, found.value)
            same(scaled.n, found.n)
            same_interval(scaled.interval(), found.interval())


def check_real_weights_methods(measure: Measure) -> None:
    """No method of interval depends on the scale of real weights, not even where there is no error to see."""
    positive, scores, rng = cases(4, n=40)
    weight = rng.integers(1, 5, len(scores)) / 4
    for drawn in (scores, positive * 1.0, 1.0 - positive, np.full(len(scores), 0.3)):
        one, other = (ScoreTable.from_scores(positive, drawn, weight * scale) for scale in (1.0, 256.0))
        for extra in variants(measure):
            for method in ScoreBasis(measure, one, extra).methods:
                narrow, wide = (
                    estimate_scores(t, measure, **extra).interval(method=method, replicates=60) for t in (one, other)
                )
                same_interval(narrow, wide)


def check_zero_weight_is_removal(measure: Measure) -> None:
    positive, scores, rng = cases(5)
    for kind in (int, float):
        weight = np.where(rng.random(len(scores)) < 0.3, 0, 2).astype(kind)
        weight[:2] = 2
        kept = weight > 0
        with_zeros = ScoreTable.from_scores(positive, scores, weight)
        without = ScoreTable.from_scores(positive[kept], scores[kept], weight[kept])
        same(values(measure, with_zeros), values(measure, without))
        if measure.name not in registry:
            continue  # a planted measure is not known to `assess`
        for extra in variants(measure):
            one = howsure.assess(positive, scores=scores, weight=weight).estimate(measure.name, **extra)
            other = howsure.assess(positive[kept], scores=scores[kept], weight=weight[kept]).estimate(
                measure.name, **extra
            )
            assert one.n == other.n
            assert one.interval() == other.interval()


def check_real_weights_at_the_ends(measure: Measure) -> None:
    """Perfect and fully wrong scores with real weights have an interval, and it holds the value."""
    for seed in range(3):
        for kind in ("perfect", "wrong"):
            for extra in variants(measure):
                found = estimate_scores(real_weighted(kind, seed), measure, **extra)
                interval = found.interval()
                if says_none(interval, real_weighted(kind, seed)):
                    continue
                where = f"{measure.name} {extra} {kind} {seed}: {found.value!r} {interval}"
                assert interval.low <= found.value <= interval.high, where
                assert interval.width > 0, where


def check_one_class(measure: Measure) -> None:
    """One class only: a value or a reason, never an exception, never a silent number."""
    undefined = False
    for positive in ([1], [0], [1, 1, 1], [0, 0, 0], [1] * 9, [0] * 9):
        for scores in (np.linspace(0.1, 0.9, len(positive)), np.full(len(positive), 0.4)):
            for weight in (None, np.full(len(positive), 0.7)):
                table = ScoreTable.from_scores(positive, scores, weight)
                for extra in variants(measure):
                    found = estimate_scores(table, measure, **extra)
                    interval = found.interval()
                    undefined |= math.isnan(found.value)
                    if math.isnan(found.value):
                        assert found.undefined, f"{measure.name} is undefined without a reason"
                        assert math.isnan(interval.low)
                        assert interval.notes
                    elif says_none(interval, table):
                        assert found.undefined is None
                    else:
                        assert found.undefined is None
                        assert interval.low <= found.value <= interval.high
    assert undefined == bool(measure.undefined_when), (
        f"{measure.name} is undefined: {undefined}, against its declaration"
    )


def says_none(interval: Any, table: ScoreTable) -> bool:
    """Tell that there is no interval: both ends are missing, the reason is given, and a class has few cases."""
    if not math.isnan(interval.low):
        return False
    assert math.isnan(interval.high)
    assert interval.notes, "no interval, and no reason"
    table = table.effective()
    assert min(table.n_positive, table.n_negative) < 10, f"no interval, with enough cases: {interval.notes}"
    return True


def check_interval(measure: Measure) -> None:
    """An interval holds the value, stays in the range, has width, and widens with the level."""
    for name, table in tables().items():
        for extra in variants(measure):
            low, high = measure.span(table.n, extra)
            found = estimate_scores(table, measure, **extra)
            narrow, usual, wide = found.interval(0.5), found.interval(), found.interval(0.99)
            if all(says_none(interval, table) for interval in (narrow, usual, wide)):
                continue
            for interval in (narrow, usual, wide):
                where = f"{measure.name} {extra} {name}: {found.value} {interval} {interval.method}"
                assert low <= interval.low <= found.value <= interval.high <= high, where
                if table.n > 2 or interval is not narrow:  # half of what two cases may give is one value
                    assert interval.width > 0, where
                assert interval.method not in ("", "auto"), where
            where = f"{measure.name} {extra} {name}: {narrow} {wide}"
            assert wide.low <= narrow.low + 1e-12, where  # the end of the range, up to the last bit
            assert wide.high >= narrow.high - 1e-12, where
            assert wide.width >= narrow.width, where  # one case in a bin may tell nothing at any level
            upper, lower = found.interval(side="upper"), found.interval(side="lower")
            where = f"{measure.name} {extra} {name}: {usual}, upper {upper}, lower {lower}"
            assert upper.high <= usual.high + 1e-12, where
            assert lower.low >= usual.low - 1e-12, where
            assert upper.low == low, where  # the open end is that of the range
            assert lower.high == high, where


def check_every_method(measure: Measure) -> None:
    positive, scores, _ = cases(7, n=200)
    table = ScoreTable.from_scores(positive, scores)
    for extra in variants(measure):
        found = estimate_scores(table, measure, **extra)
        plain = found.interval()
        for method in ScoreBasis(measure, table, extra).methods:
            told = found.interval(method=method, replicates=500, seed=1)
            assert told == found.interval(method=method.upper().replace("-", " "), replicates=500, seed=1)
            where = f"{measure.name} {extra} {method}: {found.value} {told}, by default {plain}"
            assert told.method.startswith(method.removesuffix("-scaled")), where
            assert told.low < told.high, where
            # All methods estimate the same thing; with 200 cases they agree to within their own width. A mean of
            # distances grows with every resampling, so there the plain percentiles lie higher than the others.
            room = plain.width * (2 if measure.name.endswith("calibration_error") else 1)
            assert abs(told.low - plain.low) < room, where
            assert abs(told.high - plain.high) < room, where
            if method in ("bootstrap", "percentile", "basic", "bca", "bootstrap-stratified"):
                assert told != found.interval(method=method, replicates=500, seed=2), where
                assert (told.replicates, told.seed) == (500, 1), where


def check_many_scores(measure: Measure) -> None:
    """With more distinct scores than a bootstrap keeps apart, the interval is about the exact value still."""
    positive, scores, _ = cases(14, n=5000, decimals=9)
    table = ScoreTable.from_scores(positive, scores)
    for extra in variants(measure)[:2]:
        found = estimate_scores(table, measure, **extra)
        for method in ("auto", "bootstrap", "bca"):
            interval = found.interval(method=method, replicates=200)
            joined = [note for note in interval.notes if note.startswith("scores were merged into ")]
            assert bool(joined) == (interval.replicates is not None)
            if measure.best is not None:  # a mean of distances grows with every resampling
                assert interval.low <= found.value <= interval.high, f"{measure.name} {extra} {found.value} {interval}"
            assert interval.width > 0


def check_batches(measure: Measure) -> None:
    """A batch of tables gives what the tables give one by one."""
    rng = np.random.default_rng(8)
    scores = np.sort(rng.random(9))[::-1]
    up, down = rng.integers(0, 6, (2, 4, 3, 9)).astype(float)
    up[0, 0], down[0, 1], up[1, 0, :4] = 0, 0, 0  # one class only; nothing at some scores
    with np.errstate(all="ignore"):
        for extra in variants(measure):
            batch = measure.value(ScoreCounts(up, down, scores), **extra)
            assert np.shape(batch) == (4, 3), f"{measure.name} forgets the batch"
            for place in np.ndindex(4, 3):
                same(batch[place], measure.value(ScoreCounts(up[place], down[place], scores), **extra))


def check_aliases(measure: Measure) -> None:
    for alias in measure.aliases:
        assert registry[alias] is measure
        assert registry[alias.upper().replace("_", " ")] is measure


def check_monotone_transformation(measure: Measure) -> None:
    """A ranking does not know the scale of its scores; a measure of probabilities says when they are none."""
    positive, scores, _ = cases(10)
    table = ScoreTable.from_scores(positive, scores)
    for turned in (np.exp(3 * scores) - 5, 1000 * scores - 3e5, np.round(scores * 100).astype(int)):
        other = ScoreTable.from_scores(positive, turned)
        for extra in variants(measure):
            found = estimate_scores(other, measure, **extra)
            if measure.probability:
                assert math.isnan(found.value)
                assert found.undefined == "the scores are not probabilities: some are outside the range from 0 to 1"
                assert math.isnan(found.interval().low)
            else:
                own = estimate_scores(table, measure, **extra)
                same(found.value, own.value)
                assert found.interval() == own.interval()


def check_merge(measure: Measure) -> None:
    positive, scores, rng = cases(11)
    for weight in (None, rng.integers(1, 4, len(scores)), rng.uniform(0.1, 2, len(scores))):
        half = rng.random(len(scores)) < 0.5
        one, other = (
            ScoreTable.from_scores(positive[h], scores[h], None if weight is None else weight[h]) for h in (half, ~half)
        )
        whole = ScoreTable.from_scores(positive, scores, weight)
        same(values(measure, one + other), values(measure, whole))
        for extra in variants(measure):
            same_interval(
                estimate_scores(one + other, measure, **extra).interval(),
                estimate_scores(whole, measure, **extra).interval(),
            )


def check_single_precision(measure: Measure) -> None:
    """Scores in single precision are the numbers they are, also on the edges of bins and depths."""
    positive, scores, _ = cases(12, n=200, decimals=1)
    single = scores.astype(np.float32)
    one, other = ScoreTable.from_scores(positive, single), ScoreTable.from_scores(positive, single.astype(float))
    same(values(measure, one), values(measure, other), rtol=1e-6)  # sums of single precision are good to 1e-7


def check_formula(measure: Measure) -> None:
    """The formula that users read is the one that is computed, where it is one and not a sentence."""
    try:
        formula = compile(measure.formula, measure.name, "eval")
    except SyntaxError:
        return
    positive, scores, _ = cases(9)
    c = ScoreTable.from_scores(positive, np.clip(scores, 0.01, 0.99)).counts
    known: dict[str, Any] = {
        name: getattr(np, name) for name in ("sum", "max", "abs", "log", "clip", "maximum", "sqrt")
    }
    known |= {"positives": c.positives, "negatives": c.negatives, "scores": c.scores, "tp": c.tp, "fp": c.fp}
    known |= {"n": c.n, "tiny": np.finfo(float).eps, "prior": c.n_positive / c.n}
    for extra in variants(measure):
        options = {key: np.ravel(option)[-1] if key == "prior" else option for key, option in extra.items()}
        same(measure.value(c, **extra), eval(formula, known | options))


def check_large_counts(measure: Measure) -> None:
    """Counts that overflow whole numbers when multiplied."""
    positive, scores, _ = cases(13)
    small = ScoreTable.from_scores(positive, scores)
    large = ScoreTable.from_scores(positive, scores, np.full(len(scores), 10**9))
    same(values(measure, large), values(measure, small))


CHECKS = [check for name, check in sorted(globals().items()) if name.startswith("check_")]
