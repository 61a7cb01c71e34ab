"""The tests of two classifiers on the same cases, chosen by the measure.

Accuracy and error rate count cases, so McNemar's test and Tango's interval are exact about them. The AUC has DeLong's
test. Any other measure is tested by swapping the answers of the two case by case; its interval is that of the delta
method for labels, and has the bootstrap's standard error for scores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from assay.arrays import Array
from assay.comparison.joint import Joint
from assay.comparison.result import Pair
from assay.data import Predictions
from assay.errors import AssayError
from assay.intervals.delta import delta
from assay.intervals.difference import tango
from assay.measures import Measure
from assay.results import Estimate, Interval, Made, TestResult
from assay.significance import BayesianResult, bootstrap_difference, cochran_q, delong, mcnemar, permutation

Named = tuple[str, Predictions]
SAMPLES = 50_000
NO_SPREAD = 1e-12


def compare_pair(
    declared: Measure, parameters: dict[str, Any], one: Named, other: Named, seed: int, rope: float
) -> Pair:
    """Compare two classifiers by a measure."""
    (a, first), (b, second) = one, other
    find = _by_labels if declared.scope in ("class", "overall") else _by_scores
    found = find(declared, parameters, first, second, seed, rope)
    undefined = (found.test.notes or (declared.undefined_when,))[0] if np.isnan(found.value) else None
    name, n = f"{a} - {b}", len(first.truth)
    difference = Estimate(declared.name, found.value, n, undefined, name, basis=Made(found.make))
    return Pair(a, b, difference, found.test, np.nan, found.effect, found.bayesian)


class Found(NamedTuple):
    """What is known of a difference."""

    value: float
    test: TestResult
    make: Callable[..., Interval]
    effect: float
    bayesian: BayesianResult | None


def _by_labels(
    declared: Measure, parameters: dict[str, Any], first: Predictions, second: Predictions, seed: int, rope: float
) -> Found:
    joint = Joint(first, second, declared, parameters)
    both, only_first, only_second, neither = joint.right
    if joint.is_accuracy:
        effect = only_first / only_second if only_second else (np.inf if only_first else 1.0)
        test = mcnemar(only_second, only_first, n=joint.n)
        shares = (only_first, only_second) if joint.sign > 0 else (only_second, only_first)
        bayesian = _bayesian_counts(*shares, both + neither, rope, seed)
        return Found(joint.difference, test, partial(_tango, joint), effect, bayesian)
    truth, one, other = _labels(first, second)
    test = permutation(truth, one, other, **_options(declared, parameters, seed, first))
    return _by_error(joint.difference, joint.error, joint.n, test, _reach(declared, joint.n, parameters), rope)


def _by_scores(
    declared: Measure, parameters: dict[str, Any], first: Predictions, second: Predictions, seed: int, rope: float
) -> Found:
    positive, one, other = _scores(declared, first, second)
    reach = _reach(declared, len(positive), parameters)
    if declared.of_auc is not None:
        slope, _ = declared.of_auc
        test = delong(positive, one, other)
        return _by_error(slope * test.difference, abs(slope) * test.error, len(positive), test, reach, rope)
    options = _options(declared, parameters, seed)
    test = permutation(positive, one, other, **options)
    error = bootstrap_difference(positive, one, other, **options).error
    return _by_error(test.difference, error, len(positive), test, reach, rope)


def _by_error(value: float, error: float, n: int, test: TestResult, reach: tuple[float, float], rope: float) -> Found:
    """Find the rest from a standard error; the effect is the difference in standard deviations of a case's share."""
    effect = value / (error * np.sqrt(n)) if error > 0 else (0.0 if value == 0 else np.nan)
    return Found(value, test, partial(_delta, value, error, n, reach), effect, _bayesian_normal(value, error, rope))


def _bayesian_counts(won: int, lost: int, rest: int, rope: float, seed: int) -> BayesianResult:
    """Posterior of the difference of two shares of the same cases, with half a case added to each kind."""
    drawn = np.random.default_rng(seed).dirichlet([won + 0.5, lost + 0.5, rest + 0.5], size=SAMPLES)
    gain = drawn[:, 0] - drawn[:, 1]
    left, right = float((gain < -rope).mean()), float((gain > rope).mean())
    return BayesianResult(
        left,
        1 - left - right,
        right,
        "Dirichlet posterior of paired proportions",
        float(gain.mean()),
        rope,
        SAMPLES,
        seed,
        quantile=partial(np.quantile, gain),
    )


def _bayesian_normal(value: float, error: float, rope: float) -> BayesianResult | None:
    """Normal posterior of a difference with a known standard error and a flat prior."""
    if not error > 0:
        return None
    from scipy.special import ndtr, ndtri

    left, right = float(ndtr((-rope - value) / error)), float(ndtr((value - rope) / error))
    return BayesianResult(
        left,
        1 - left - right,
        right,
        "normal posterior, flat prior",
        value,
        rope,
        quantile=lambda levels: value + error * ndtri(levels),
    )


def _options(
    declared: Measure, parameters: dict[str, Any], seed: int, space: Predictions | None = None
) -> dict[str, Any]:
    known = {} if space is None else {"labels": list(space.classes.labels), "positive": space.classes.positive}
    return {"measure": declared.name, "seed": seed, **known, **parameters}


def _labels(first: Predictions, second: Predictions) -> tuple[Array, Array, Array]:
    """Truth and both decisions as labels again."""
    labels = np.array(first.classes.labels)
    return labels[first.truth], labels[first.decided()], labels[second.decided()]


def _scores(declared: Measure, first: Predictions, second: Predictions) -> tuple[Array, Array, Array]:
    if first.scores is None or second.scores is None or first.scores.ndim != 1 or second.scores.ndim != 1:
        raise AssayError(f"`{declared.name}` is compared by scores of two classes; give `scores=...`.")
    return first.truth == first.classes.labels.index(first.classes.positive), first.scores, second.scores


def _reach(declared: Measure, n: float, parameters: dict[str, Any]) -> tuple[float, float]:
    """The range of differences of a measure."""
    low, high = declared.span(n, parameters)
    return (low - high, high - low) if np.isfinite(high - low) else (-np.inf, np.inf)


def _tango(joint: Joint, confidence: float, method: str, side: str, **_: Any) -> Interval:
    only_first, only_second = joint.right[1:3]
    lost, won = (only_second, only_first) if joint.sign > 0 else (only_first, only_second)
    return tango(lost, won, joint.n, confidence, side)


def _delta(
    value: float, error: float, n: int, span: tuple[float, float], confidence: float, method: str, side: str, **_: Any
) -> Interval:
    if np.isnan(value) or np.isnan(error):
        return Interval(np.nan, np.nan, confidence, "none", side, notes=("the difference has no standard error",))
    if error < NO_SPREAD:
        # What Tango's interval says of two classifiers that never differ in n cases, on the scale of the measure.
        share = tango(0, 0, n, confidence, side)
        low, high = (max(span[0], value + span[1] * share.low), min(span[1], value + span[1] * share.high))
        note = "no spread is visible, so the interval is that of no disagreement in as many cases, on this scale"
        return Interval(low, high, confidence, "tango-scaled", side, notes=(note,))
    return delta(value, error, span, confidence, side)


def all_at_once(declared: Measure, made: Mapping[str, Predictions]) -> TestResult | None:
    """Test more than two classifiers together, where a test is valid for the measure."""
    first, *rest = made.values()
    if declared.scope == "overall" and Joint(first, first, declared, {}).is_accuracy:
        return cochran_q(np.column_stack([one.decided() == one.truth for one in made.values()]))
    if declared.of_auc is None:
        return None
    positive, *_ = _scores(declared, first, rest[0])
    every: list[Any] = [one.scores for one in made.values()]
    return delong(positive, *every)


def other_tests(
    declared: Measure, parameters: dict[str, Any], made: Mapping[str, Predictions], seed: int, pair: Pair
) -> list[tuple[str, TestResult]]:
    """All tests that apply to a pair: the name under which each is declared, and its result."""
    first, second = made[pair.a], made[pair.b]
    found: list[tuple[str, TestResult]] = []
    if declared.scope in ("class", "overall"):
        columns, options = _labels(first, second), _options(declared, parameters, seed, first)
        joint = Joint(first, second, declared, parameters)
        if joint.is_accuracy:
            only_first, only_second = joint.right[1:3]
            found += [
                ("mcnemar", mcnemar(only_second, only_first, n=joint.n, method=method))
                for method in ("mid-p", "exact", "chi2", "chi2-corrected")
            ]
    else:
        columns, options = _scores(declared, first, second), _options(declared, parameters, seed)
        if declared.of_auc is not None:
            found.append(("delong", delong(*columns)))
    truth, one, other = columns
    return [
        *found,
        ("permutation", permutation(truth, one, other, **options)),
        ("bootstrap_difference", bootstrap_difference(truth, one, other, **options)),
    ]
