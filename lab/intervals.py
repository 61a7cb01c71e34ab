"""Grid of the coverage of intervals: every method of every measure.

The core is sample size x prevalence x quality; other factors are varied one at a time. Slow methods are measured in
fewer cells. There are two seeds: default methods are chosen on the first, and results are reported for the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from howsure.intervals.declare import registry as declared_methods
from howsure.lab import QUALITIES, Cell, Coverage
from howsure.lab.interval_coverage import Choice, coverages
from howsure.measures import Measure, registry
from howsure.measures.spec import read_spec
from lab.parts import Part, Row

CHOOSING, SHOWING = 201, 202  # seeds
SIZES, PREVALENCES = (10, 20, 50, 100, 200, 500, 1000, 10_000), (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
FEW_SIZES, FEW_PREVALENCES, FEW_QUALITIES = (20, 50, 200, 1000), (0.5, 0.1, 0.02), ("poor", "good")
SCORE_ROUNDS = {10: 300, 20: 500, 50: 500, 100: 300, 200: 500, 500: 500, 1000: 500, 10_000: 150}
COMMON = (0.8, 0.95)  # prevalences above 0.5
EXAMPLES = {  # measures with required parameters
    "f_beta": "f_beta(beta=2)",
    "lift": "lift(depth=0.1)",
    "gain": "gain(depth=0.1)",
    "partial_auc": "partial_auc(high=0.2)",
    "top_k_accuracy": "top_k_accuracy(k=2)",
}
REDRAWN = frozenset({"replicates", "acceleration", "strata"})


def measures(*scopes: str) -> tuple[str, ...]:
    """Return the measures of these scopes that can be simulated."""
    return tuple(
        EXAMPLES.get(name, name)
        for name, measure in registry.items()
        if measure.scope in scopes and measure.matrix is None
    )


def _declared(spec: str) -> Measure:
    return registry[read_spec(spec)[0]]


LABELS, SCORES = measures("class", "overall"), measures("score")
MAJORITY = tuple(  # measures with an interval method of their own, computed table by table
    spec for spec in LABELS if _declared(spec).interval is not None and _declared(spec).scope == "overall"
)
BATCHED = tuple(spec for spec in LABELS if spec not in MAJORITY)  # computed for many tables at once
CALIBRATION = ("expected_calibration_error", "maximum_calibration_error")  # with slow intervals
RANKS_AND_LOSSES = tuple(spec for spec in SCORES if spec not in CALIBRATION)
CLASS_SCORES = (*SCORES, *measures("rows"))  # for more than two classes
OF_MANY = tuple(spec for spec in LABELS if _declared(spec).scope == "overall" or _declared(spec).averaged)


def quick(methods: tuple[str, ...]) -> Sequence[str]:
    """Return the methods without replicates or search, and the default."""
    needs = {name: declared_methods[name].needs for name in methods}
    one_by_one = REDRAWN | ({"error"} if "counts" in needs.values() else set())
    fast = [name for name in methods[1:] if needs[name] not in one_by_one and name != "mid-p"]
    return [*(methods[:1] if needs[methods[0]] not in REDRAWN else ()), *fast]


def slow(methods: tuple[str, ...]) -> Sequence[str]:
    return [name for name in methods if name not in quick(methods)]


CHOICES: dict[str, Choice] = {"quick": quick, "slow": slow, "default": lambda methods: methods[:1]}


def measure(
    items: list[str], cells: list[dict[str, Any]], methods: str, rounds: int, seeds: list[int]
) -> dict[str, list[Row]]:
    """Measure coverage in each cell for each seed."""
    result: dict[str, list[Row]] = {item: [] for item in items}
    for facts, seed in product(cells, seeds):
        for coverage in coverages(items, Cell(**facts), methods=CHOICES[methods], rounds=rounds, seed=seed):
            result[coverage.measure] += rows(coverage, facts)
    return result


def rows(coverage: Coverage, facts: dict[str, Any]) -> list[Row]:
    """Return a row of counts for each method."""
    cell = {**facts, "seed": coverage.seed, "truth": _short(coverage.truth)}
    return [
        {
            **cell,
            "method": row.method,
            "default": row.is_default,
            "rounds": row.rounds,
            "given": round(row.rounds * row.given),
            "below": round(row.rounds * row.given * row.below) if row.given else 0,
            "above": round(row.rounds * row.given * row.above) if row.given else 0,
            "width": _short(row.width) if row.given else None,
            "factors": [_short(row.least_factor), _short(row.sure_factor)] if row.given and row.is_default else None,
        }
        for row in coverage.methods
    ]


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def cells(**factors: Iterable[Any]) -> list[dict[str, Any]]:
    """Return all combinations of factors."""
    return [dict(zip(factors, values, strict=True)) for values in product(*factors.values())]


def part(
    name: str,
    items: tuple[str, ...],
    chosen: list[dict[str, Any]],
    methods: str,
    rounds: int,
    seeds: Sequence[int] = (CHOOSING, SHOWING),
) -> Part:
    settings = {"cells": chosen, "methods": methods, "rounds": rounds, "seeds": list(seeds)}
    return Part(f"intervals-{name}", measure, items, settings)


def _core() -> Iterable[Part]:
    for n in reversed(SIZES):
        core = cells(n=[n], prevalence=PREVALENCES, quality=QUALITIES)
        yield part(f"scores-{n}", RANKS_AND_LOSSES, core, "quick", SCORE_ROUNDS[n])
        yield part(f"calibration-{n}", CALIBRATION, core, "quick", 200)
        yield part(f"labels-{n}", BATCHED, core, "quick", 4000)
        yield part(f"labels-majority-{n}", MAJORITY, core, "quick", 1000)


def _factors() -> Iterable[Part]:
    few = {"prevalence": FEW_PREVALENCES, "quality": FEW_QUALITIES}
    for n in reversed(FEW_SIZES):
        for factor, values in {"spread": (0.5, 2.0), "slope": (0.5, 2.0), "weighted": (True,)}.items():
            yield part(f"scores-{factor}-{n}", SCORES, cells(n=[n], **few, **{factor: values}), "default", 100)
        yield part(f"labels-weighted-{n}", LABELS, cells(n=[n], **few, weighted=[True]), "default", 300)
        common = cells(n=[n], prevalence=COMMON, quality=QUALITIES)
        yield part(f"labels-common-{n}", BATCHED, common, "quick", 4000)
        yield part(f"scores-common-{n}", SCORES, common, "default", 100)
        for k, prevalences in {3: (0.2, 0.05), 10: (0.05,)}.items():
            more = cells(n=[n], prevalence=prevalences, quality=FEW_QUALITIES, classes=[k])
            yield part(f"labels-{k}-classes-{n}", OF_MANY, more, "default", 400)


def _slow() -> Iterable[Part]:
    for n in reversed(FEW_SIZES):
        few = cells(n=[n], prevalence=FEW_PREVALENCES, quality=FEW_QUALITIES)
        yield part(f"scores-slow-{n}", SCORES, few, "slow", 40, [SHOWING])
        yield part(f"labels-slow-{n}", LABELS, few, "slow", 100, [SHOWING])


def _class_scores() -> Iterable[Part]:
    """Yield parts for scores of more than two classes, balanced and imbalanced."""
    shares = {3: (1 / 3, 0.1), 10: (0.1, 0.03)}
    for n, k in product((1000, 200, 50), shares):
        chosen = cells(n=[n], prevalence=shares[k], quality=FEW_QUALITIES, classes=[k])
        yield part(f"class-scores-{k}-{n}", CLASS_SCORES, chosen, "default", 200 if k == 3 else 100)


PARTS = (*_core(), *_factors(), *_class_scores(), *_slow())
