"""Compare learners measured on the same splits, of one data set or of several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.checks import check_number
from assay.comparison.result import Comparison, Pair, pairs_of
from assay.errors import AssayError, must, must_be_one_of
from assay.intervals.mean import corrected_t, mean_t
from assay.resampling import Design, FoldTable
from assay.results import Estimate, Interval, Made, TestResult
from assay.significance import (
    CriticalDifference,
    adjust,
    bayesian_correlated_t,
    bayesian_signed_rank,
    corrected_paired_t,
    critical_difference,
    five_by_two_f,
    five_by_two_t,
    iman_davenport,
    paired_t,
    sign_test,
    wilcoxon,
)
from assay.significance.posthoc.adjust_pvalues import METHODS

EFFECT = "Cohen's d of pairs"
ROPE = 0.01


def compare_folds(
    table: FoldTable,
    better: str,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    adjust_by: str = "holm",
    rope: float = ROPE,
) -> Comparison:
    """Compare the learners of one data set on its splits, allowing for training sets that overlap."""
    _check_pairs(table.learners)
    check_options(alpha, adjust_by, rope)
    design = table.design
    pairs = []
    for a, b in pairs_of(table.learners, baseline):
        first, second = _both(table[a], table[b])
        lost = len(table.values) - len(first)
        test = _test(first, second, design, lost)
        bayesian = bayesian_correlated_t(first, second, rho=_correlation(design), rope=rope) if len(first) > 1 else None
        difference = _difference(table.measure, a, b, first - second, design)
        pairs.append(Pair(a, b, difference, test, np.nan, _effect(first - second), bayesian))
    return Comparison(
        table.measure,
        better,
        {name: table.estimate(name) for name in table.learners},
        adjusted(pairs, adjust_by),
        alpha,
        adjust_by,
        "this learner on this data, as training sets of this size vary",
        EFFECT,
        invalid=_invalid(design),
        notes=(f"{design.splits} splits of {design.scheme}; practically equal: within {rope:g}",),
        design=_simulated(design),
        others=partial(_others, table),
    )


def compare_datasets(
    tables: Sequence[FoldTable],
    better: str,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    adjust_by: str = "holm",
    rope: float = ROPE,
    seed: int = 0,
) -> Comparison:
    """Compare learners over several data sets, each of which counts once, by its mean over the splits."""
    learners = tables[0].learners
    _check_pairs(learners)
    check_options(alpha, adjust_by, rope)
    means = np.array([[table.estimate(name).value for name in learners] for table in tables])
    pairs = []
    for a, b in pairs_of(learners, baseline):
        first, second = _both(means[:, learners.index(a)], means[:, learners.index(b)])
        difference = Estimate(
            tables[0].measure,
            float(np.mean(first - second)) if len(first) else np.nan,
            len(first),
            None if len(first) else "no data set has a value of both",
            f"{a} - {b}, mean over data sets",
            basis=Made(partial(_interval, first - second, None)),
        )
        test = wilcoxon(first, second) if len(first) else _nothing("no data set has a value of both")
        bayesian = bayesian_signed_rank(first, second, rope=rope, seed=seed) if len(first) > 1 else None
        pairs.append(Pair(a, b, difference, test, np.nan, _effect(first - second), bayesian))
    complete = means[np.isfinite(means).all(1)]
    omnibus = None
    if len(learners) > 2 and baseline is None and len(complete) > 1:
        omnibus = iman_davenport(complete if better == "higher" else -complete)
    return Comparison(
        tables[0].measure,
        better,
        {name: _mean_of(tables, name, column) for name, column in zip(learners, means.T, strict=True)},
        adjusted(pairs, adjust_by),
        alpha,
        adjust_by,
        "data sets like these",
        EFFECT,
        omnibus,
        invalid=(
            ("paired t over data sets", "differences on unlike data sets are neither comparable in size nor normal"),
            ("a test over all folds", "folds of one data set are not independent, and would count it many times"),
        ),
        notes=(f"{len(tables)} data sets; practically equal: within {rope:g}",),
        ranks=_ranks(complete, learners, better, alpha, baseline),
        others=partial(_other_datasets, learners, means),
    )


def _ranks(
    means: Array, learners: Sequence[str], better: str, alpha: float, baseline: str | None
) -> CriticalDifference | None:
    if len(learners) < 3 or len(means) < 2:
        return None
    return critical_difference(means, alpha=alpha, control=baseline, better=better, names=learners)


def check_options(alpha: float, adjust_by: str, rope: float) -> None:
    if not 0 < check_number(alpha, "alpha") < 1:
        must("alpha", "between 0 and 1", given=alpha)
    if check_number(rope, "rope") < 0:
        must("rope", "0 or above", given=rope)
    if adjust_by not in (*METHODS, "none"):
        must_be_one_of("adjust", (*METHODS, "none"), given=adjust_by)


def _check_pairs(learners: Sequence[str]) -> None:
    if len(learners) < 2:
        raise AssayError("a comparison needs at least two learners.")


def _both(first: Array, second: Array) -> tuple[Array, Array]:
    kept = np.isfinite(first) & np.isfinite(second)
    return first[kept], second[kept]


def _nothing(reason: str) -> TestResult:
    return TestResult(np.nan, np.nan, np.nan, "none", notes=(reason,))


def _halves(design: Design, n: int) -> bool:
    return design.scheme.startswith("FiveByTwo") and n == 10


def _test(first: Array, second: Array, design: Design, lost: int) -> TestResult:
    if len(first) < 2:
        return _nothing("fewer than two splits have a value of both")
    if _halves(design, len(first)):
        return five_by_two_f((first - second).reshape(5, 2))
    found = corrected_paired_t(first, second, ratio=design.ratio) if design.overlap else paired_t(first, second)
    if not lost:
        return found
    from dataclasses import replace

    return replace(found, notes=(*found.notes, f"{lost} splits without a value of both were left out"))


def _invalid(design: Design) -> tuple[tuple[str, str], ...]:
    """Say why the usual alternatives are not valid here."""
    if not design.overlap:
        return ()
    shared = f"{design.overlap:.0%} of a training set is in the next one too"
    told = [("paired t over splits", f"it takes splits for independent, and {shared}")]
    if design.repeats > 1 and design.tested > 1:
        told.append(("McNemar's test of pooled predictions", "a case that is tested again is not a new case"))
    return tuple(told)


def _simulated(design: Design) -> str:
    """Name the splits as the simulations of type-I error do; what was not simulated has no such name."""
    if design.scheme.startswith("KFold(folds=10, repeats=1,"):
        return "10 folds"
    if design.scheme.startswith("KFold(folds=10, repeats=10,"):
        return "10 x 10 folds"
    if design.scheme.startswith("FiveByTwo"):
        return "5 x 2 folds"
    return "30 holdouts" if design.scheme.startswith("RepeatedHoldout(repeats=30,") else "none like these"


def _correlation(design: Design) -> float:
    """Correlation of the differences of two splits, as Nadeau and Bengio take it: the share of test cases."""
    return design.test / (design.test + design.train) if design.overlap else 0.0


def _difference(measure: str, a: str, b: str, values: Array, design: Design) -> Estimate:
    return Estimate(
        measure,
        float(values.mean()) if len(values) else np.nan,
        len(values),
        None if len(values) else "no split has a value of both",
        f"{a} - {b}, mean of {len(values)} splits",
        basis=Made(partial(_interval, values, design)),
    )


def _interval(values: Array, design: Design | None, confidence: float, method: str, side: str, **_: Any) -> Interval:
    if not len(values):
        return Interval(np.nan, np.nan, confidence, "none", side, notes=("there is no value",))
    if design is None or not design.overlap:
        return mean_t(values, confidence, side)
    if _halves(design, len(values)) and method == "auto":
        return _five_by_two(values, confidence, side)
    return corrected_t(values, design.ratio, confidence, side)


def _five_by_two(values: Array, confidence: float, side: str) -> Interval:
    """Invert the 5 x 2 F test: the shifts of the differences that it would not reject."""
    from scipy.special import fdtri

    halves = values.reshape(5, 2)
    variance = float((((halves - halves.mean(1, keepdims=True)) ** 2).sum(1)).sum())
    limit = float(fdtri(10, 5, confidence)) * 2 * variance  # sum of squares up to which F is not significant
    mean = float(values.mean())
    reach = limit - float(((values - mean) ** 2).sum())
    note = "no shift of the differences would be accepted, so the ends are those of the mean" if reach < 0 else ""
    half = float(np.sqrt(max(reach, 0.0) / len(values)))
    return Interval(mean - half, mean + half, confidence, "5x2 F", side, notes=(note,) if note else ())


def _effect(differences: Array) -> float:
    """Mean difference in standard deviations of the differences."""
    if len(differences) < 2:
        return np.nan
    spread = float(differences.std(ddof=1))
    return float(differences.mean()) / spread if spread > 0 else (0.0 if not differences.any() else np.nan)


def adjusted(pairs: list[Pair], method: str) -> tuple[Pair, ...]:
    """Adjust the p-values for the number of pairs."""
    from dataclasses import replace

    raw = [pair.test.pvalue for pair in pairs]
    found = raw if method == "none" or len(pairs) == 1 else adjust(raw, method=method)
    return tuple(replace(pair, adjusted=float(p)) for pair, p in zip(pairs, found, strict=True))


def _mean_of(tables: Sequence[FoldTable], name: str, values: Array) -> Estimate:
    kept = values[np.isfinite(values)]
    return Estimate(
        tables[0].measure,
        float(kept.mean()) if len(kept) else np.nan,
        len(kept),
        None if len(kept) else "no data set has a value",
        f"{name}, mean over {len(kept)} data sets",
        basis=Made(partial(_interval, kept, None)),
    )


def _others(table: FoldTable, pair: Pair) -> list[tuple[str, TestResult]]:
    first, second = _both(table[pair.a], table[pair.b])
    if len(first) < 2:
        return []
    found = [
        ("corrected_paired_t", corrected_paired_t(first, second, ratio=table.design.ratio)),
        ("paired_t", paired_t(first, second)),
    ]
    if _halves(table.design, len(first)):
        halves = (first - second).reshape(5, 2)
        found = [("five_by_two_f", five_by_two_f(halves)), ("five_by_two_t", five_by_two_t(halves)), *found]
    return found


def _other_datasets(learners: Sequence[str], means: Array, pair: Pair) -> list[tuple[str, TestResult]]:
    first, second = _both(means[:, learners.index(pair.a)], means[:, learners.index(pair.b)])
    return [
        ("wilcoxon", wilcoxon(first, second)),
        ("sign_test", sign_test(first, second)),
        ("paired_t", paired_t(first, second)),
    ]
