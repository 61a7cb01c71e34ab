"""Grid of clustered cases: coverage of intervals and type I error rates of tests.

Factors are the quality, the intraclass correlation and the number of clusters, which have unequal sizes with ten cases
on average. The default is compared with three other intervals on the same samples: z clustered standard errors to
either side; the same with Student's t for (clusters - 1) degrees of freedom, which is inspect_ai's `ci`; and for
proportions Wilson's interval with this t and the effective sample size of Korn and Graubard, its `ci_wilson`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy.special import ndtr, stdtrit

from howsure.errors import HowsureError
from howsure.intervals.proportion import score_bounds
from howsure.lab import Cell, Coverage
from howsure.lab.interval_coverage import method_coverage
from howsure.lab.paired_rejections import PairSamples, chosen_tests, stored_row
from howsure.lab.pairs import PairCell
from howsure.lab.samples import ParsedMeasure, Samples
from howsure.measures.estimate.scores import ScoreBasis
from howsure.results import Estimate
from lab.intervals import cells, rows
from lab.parts import Part, Row

SEED, PAIR_SEED = 203, 303
CASES = 10  # mean size of a cluster
CLUSTERS, ICCS = (10, 30, 100), (0.0, 0.1, 0.3, 0.6)
RATES, AREAS, PAIRED = (0.6, 0.8, 0.95, 0.99), (0.6, 0.8, 0.95), (0.8, 0.95)
NORMAL, STUDENT, WILSON = PEERS = ("normal", "inspect_ai ci", "inspect_ai ci_wilson")


def measure(items: list[str], cells: list[dict[str, Any]], rounds: int, seed: int) -> dict[str, list[Row]]:
    """Measure the coverage of intervals in each cell."""
    parsed = [ParsedMeasure.of(item) for item in items]
    result: dict[str, list[Row]] = {item: [] for item in items}
    for facts in cells:
        cell = Cell(**facts)
        for kind in dict.fromkeys(measure.kind for measure in parsed):
            samples = Samples(cell, kind, rounds, seed)
            for measure in parsed:
                if measure.kind == kind:
                    result[measure.spec] += _rows(measure, samples, facts)
    return result


def _rows(measure: ParsedMeasure, samples: Samples, facts: dict[str, Any]) -> list[Row]:
    """Return the rows of all methods, with the effective sample size."""
    estimates = [measure.estimate(sample) for sample in samples]
    defined = [estimate for estimate in estimates if not estimate.undefined]
    default = defined[0].methods[0]
    bounds = [_bounds(estimate, default) for estimate in estimates]
    values, truth = np.array([estimate.value for estimate in estimates]), samples.truth(measure)
    coverages = []
    for name in dict.fromkeys(name for of_sample in bounds for name in of_sample):
        low, high = np.array([of_sample.get(name, (np.nan, np.nan)) for of_sample in bounds]).T
        coverages.append(method_coverage(name, truth, (values, low, high)))
    coverage = Coverage(measure.spec, truth, samples.cell, 0.95, samples.seed, tuple(coverages))
    independent = np.mean([_basis(estimate).spread.independent for estimate in defined])
    design_effect = max(float(np.nanvar(values) / independent), 1.0)
    worth = float(f"{np.mean([_relevant_cases(estimate) for estimate in defined]) / design_effect:.4g}")
    return [{**row, "default": row["method"] == default, "worth": worth} for row in rows(coverage, facts)]


def _bounds(estimate: Estimate, default: str) -> dict[str, tuple[float, float]]:
    """Return the intervals of all methods; none if the measure is undefined."""
    if estimate.undefined:
        return {}
    basis, value, interval = _basis(estimate), estimate.value, estimate.interval()
    error, clusters = estimate.standard_error, int((basis.spread.sizes > 0).sum())
    reach, normal = -float(stdtrit(max(clusters - 1, 1), 0.025)), NormalDist().inv_cdf(0.975)
    bounds = {
        default: (interval.low, interval.high),
        NORMAL: (value - normal * error, value + normal * error),
        STUDENT: (value - reach * error, value + reach * error),
    }
    if basis.plain.measure.is_ratio:
        n = basis.plain.ratio[1]
        effective = min(value * (1 - value) / error**2, n) if error > 0 and 0 < value < 1 else n
        low, high = score_bounds(np.asarray(value * effective), np.asarray(effective), float(ndtr(-reach)))
        bounds[WILSON] = float(low), float(high)
    return bounds


def _relevant_cases(estimate: Estimate) -> float:
    """Return the number of cases of a measure; for scores, those of the rarer class."""
    plain = _basis(estimate).plain
    if isinstance(plain, ScoreBasis):
        return float(min(plain.table.n_positive, plain.table.n_negative))
    return float(_basis(estimate).spread.sizes.sum())


def _basis(estimate: Estimate) -> Any:
    """Return the `ClusteredBasis` of an estimate."""
    return estimate.basis


def rejected(items: list[str], cells: list[dict[str, Any]], rounds: int, seed: int) -> dict[str, list[Row]]:
    """Count the rejections of the default test in each cell."""
    result: dict[str, list[Row]] = {item: [] for item in items}
    for facts in cells:
        cell = PairCell(**facts)
        for item in items:
            parsed = ParsedMeasure.of(item)
            try:
                samples = PairSamples.of_cell(cell, parsed, rounds, seed)
            except HowsureError:  # there is no equal classifier with other errors
                continue
            rates = samples.rejections(parsed, chosen_tests(parsed, design=samples.design), cell.pair)
            result[item] += [asdict(stored_row(rate, parsed, cell, seed)) for rate in rates]
    return result


def _cells(clusters: int, qualities: tuple[float, ...], **factors: Any) -> list[dict[str, Any]]:
    fixed = {"n": [CASES * clusters], "clusters": [clusters]}
    return cells(**fixed, **{"prevalence": [0.5], **factors}, quality=qualities, icc=ICCS)


def _intervals() -> Iterator[Part]:
    for clusters in CLUSTERS:
        of_labels, of_scores = _cells(clusters, RATES), _cells(clusters, AREAS)
        for name, items, chosen, rounds in (
            ("shares", ("accuracy", "recall"), of_labels, 4000),
            ("labels", ("f1", "kappa"), of_labels, 4000),
            ("scores", ("auc",), of_scores, 4000),
        ):
            settings = {"cells": chosen, "rounds": rounds, "seed": SEED}
            yield Part(f"clusters-{name}-{clusters}", measure, items, settings)


def _pairs() -> Iterator[Part]:
    for clusters in CLUSTERS:
        for item, prevalence in {"accuracy": 0.5, "f1": 0.3, "auc": 0.5}.items():
            factors = {"prevalence": [prevalence], "pair": ["exchangeable", "equal"], "correlation": [0.5]}
            settings = {"cells": _cells(clusters, PAIRED, **factors), "rounds": 1000, "seed": PAIR_SEED}
            yield Part(f"clusters-pairs-{item}-{clusters}", rejected, (item,), settings)


PARTS, TESTS = tuple(_intervals()), tuple(_pairs())
