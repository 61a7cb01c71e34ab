"""The grid of clusters: how often intervals of cases in clusters hold the truth, and tests find what is not there.

Quality x correlation within clusters x number of clusters, whose sizes are unequal, ten cases on average. Beside the
default stand what others do on the same samples: the value and z times the clustered standard error to either side;
Student's t with one degree of freedom less than there are clusters in place of z, which is inspect_ai's `ci`; and of
shares Wilson's interval of Korn and Graubard's effective number of cases with that t, which is its `ci_wilson`.
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
CASES = 10  # of a cluster, on average
CLUSTERS, ALIKE = (10, 30, 100), (0.0, 0.1, 0.3, 0.6)
RATES, AREAS, PAIRED = (0.6, 0.8, 0.95, 0.99), (0.6, 0.8, 0.95), (0.8, 0.95)
NORMAL, STUDENT, WILSON = PEERS = ("normal", "inspect_ai ci", "inspect_ai ci_wilson")


def measure(items: list[str], cells: list[dict[str, Any]], rounds: int, seed: int) -> dict[str, list[Row]]:
    """Measure coverage in each cell."""
    asked = [ParsedMeasure.of(item) for item in items]
    found: dict[str, list[Row]] = {item: [] for item in items}
    for facts in cells:
        cell = Cell(**facts)
        for kind in dict.fromkeys(one.kind for one in asked):
            samples = Samples(cell, kind, rounds, seed)
            for one in asked:
                if one.kind == kind:
                    found[one.spec] += _rows(one, samples, facts)
    return found


def _rows(asked: ParsedMeasure, samples: Samples, facts: dict[str, Any]) -> list[Row]:
    """Give the rows of the default and of peers, and how many independent cases a sample is worth."""
    estimates = [asked.estimate(sample) for sample in samples]
    default = next(one.methods[0] for one in estimates if not one.undefined)
    found = [_bounds(one, default) for one in estimates]
    values, truth = np.array([one.value for one in estimates]), samples.truth(asked)
    held = []
    for name in dict.fromkeys(name for each in found for name in each):
        low, high = np.array([each.get(name, (np.nan, np.nan)) for each in found]).T
        held.append(method_coverage(name, truth, (values, low, high)))
    made = rows(Coverage(asked.spec, truth, samples.cell, 0.95, samples.seed, tuple(held)), facts)
    known = [one for one in estimates if not one.undefined]
    effect = max(float(np.nanvar(values) / np.mean([_basis(one).spread.independent for one in known])), 1.0)
    worth = float(f"{np.mean([_bearing(one) for one in known]) / effect:.4g}")
    return [{**row, "default": row["method"] == default, "worth": worth} for row in made]


def _bounds(estimate: Estimate, default: str) -> dict[str, tuple[float, float]]:
    """Give the default interval and those of peers; none where there is no value."""
    if estimate.undefined:
        return {}
    basis, value, interval = _basis(estimate), estimate.value, estimate.interval()
    error, clusters = estimate.standard_error, int((basis.spread.sizes > 0).sum())
    reach, normal = -float(stdtrit(max(clusters - 1, 1), 0.025)), NormalDist().inv_cdf(0.975)
    found = {
        default: (interval.low, interval.high),
        NORMAL: (value - normal * error, value + normal * error),
        STUDENT: (value - reach * error, value + reach * error),
    }
    if basis.plain.measure.is_ratio:
        n = basis.plain.ratio[1]
        effective = min(value * (1 - value) / error**2, n) if error > 0 and 0 < value < 1 else n
        low, high = score_bounds(np.asarray(value * effective), np.asarray(effective), float(ndtr(-reach)))
        found[WILSON] = float(low), float(high)
    return found


def _bearing(estimate: Estimate) -> float:
    """Give the cases that bear on a measure; of scores, those of the rarer class."""
    plain = _basis(estimate).plain
    if isinstance(plain, ScoreBasis):
        return float(min(plain.table.n_positive, plain.table.n_negative))
    return float(_basis(estimate).spread.sizes.sum())


def _basis(estimate: Estimate) -> Any:
    """What an estimate of clusters rests on: a `ClusteredBasis`."""
    return estimate.basis


def rejected(items: list[str], cells: list[dict[str, Any]], rounds: int, seed: int) -> dict[str, list[Row]]:
    """Count the rejections of the default test in each cell."""
    found: dict[str, list[Row]] = {item: [] for item in items}
    for facts in cells:
        cell = PairCell(**facts)
        for item in items:
            asked = ParsedMeasure.of(item)
            try:
                drawn = PairSamples.of_cell(cell, asked, rounds, seed)
            except HowsureError:  # there is no such pair by this measure
                continue
            tests = chosen_tests(asked, design=drawn.design)
            found[item] += [
                asdict(stored_row(one, asked, cell, seed)) for one in drawn.rejections(asked, tests, cell.pair)
            ]
    return found


def _cells(clusters: int, qualities: tuple[float, ...], **factors: Any) -> list[dict[str, Any]]:
    always = {"n": [CASES * clusters], "clusters": [clusters]}
    return cells(**always, **{"prevalence": [0.5], **factors}, quality=qualities, icc=ALIKE)


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
