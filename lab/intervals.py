"""The grid of intervals: every method of every measure it applies to.

The core is n x prevalence x quality; other factors are varied one at a time. Methods that draw replicates, or whose
tables are computed one by one, are measured on fewer cells. Everything is measured on two seeds: methods are chosen on
the first, and what is said of them is what the second shows.
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
COMMON = (0.8, 0.95)  # prevalences of a class that is the more frequent one
EXAMPLES = {  # measures whose parameters their user gives
    "f_beta": "f_beta(beta=2)",
    "lift": "lift(depth=0.1)",
    "gain": "gain(depth=0.1)",
    "partial_auc": "partial_auc(high=0.2)",
    "top_k_accuracy": "top_k_accuracy(k=2)",
}
REDRAWN = frozenset({"replicates", "acceleration", "strata"})


def measures(*scopes: str) -> tuple[str, ...]:
    """Give what can be simulated, as it can be asked for."""
    return tuple(
        EXAMPLES.get(name, name) for name, one in registry.items() if one.scope in scopes and one.matrix is None
    )


def _declared(spec: str) -> Measure:
    return registry[read_spec(spec)[0]]


LABELS, SCORES = measures("class", "overall"), measures("score")
MAJORITY = tuple(  # with a method of their own that takes one table at a time
    spec for spec in LABELS if _declared(spec).interval is not None and _declared(spec).scope == "overall"
)
BATCHED = tuple(spec for spec in LABELS if spec not in MAJORITY)  # computed of many tables at once
CALIBRATION = ("expected_calibration_error", "maximum_calibration_error")  # whose intervals take long
RANKS_AND_LOSSES = tuple(spec for spec in SCORES if spec not in CALIBRATION)
CLASS_SCORES = (*SCORES, *measures("rows"))  # of more than two classes
OF_MANY = tuple(spec for spec in LABELS if _declared(spec).scope == "overall" or _declared(spec).averaged)


def quick(methods: tuple[str, ...]) -> Sequence[str]:
    """Give what is computed without replicates or search, of labels many tables at once; the default in any case."""
    needs = {name: declared_methods[name].needs for name in methods}
    one_by_one = REDRAWN | ({"error"} if "counts" in needs.values() else set())
    quickly = [name for name in methods[1:] if needs[name] not in one_by_one and name != "mid-p"]
    return [*(methods[:1] if needs[methods[0]] not in REDRAWN else ()), *quickly]


def slow(methods: tuple[str, ...]) -> Sequence[str]:
    return [name for name in methods if name not in quick(methods)]


CHOICES: dict[str, Choice] = {"quick": quick, "slow": slow, "default": lambda methods: methods[:1]}


def measure(
    items: list[str], cells: list[dict[str, Any]], methods: str, rounds: int, seeds: list[int]
) -> dict[str, list[Row]]:
    """Measure coverage in each cell, on each seed."""
    found: dict[str, list[Row]] = {item: [] for item in items}
    for facts, seed in product(cells, seeds):
        for coverage in coverages(items, Cell(**facts), methods=CHOICES[methods], rounds=rounds, seed=seed):
            found[coverage.measure] += rows(coverage, facts)
    return found


def rows(coverage: Coverage, facts: dict[str, Any]) -> list[Row]:
    """Give a row of counts for each method."""
    about = {**facts, "seed": coverage.seed, "truth": _short(coverage.truth)}
    return [
        {
            **about,
            "method": one.method,
            "default": one.is_default,
            "rounds": one.rounds,
            "given": round(one.rounds * one.given),
            "below": round(one.rounds * one.given * one.below) if one.given else 0,
            "above": round(one.rounds * one.given * one.above) if one.given else 0,
            "width": _short(one.width) if one.given else None,
            "factors": [_short(one.least_factor), _short(one.sure_factor)] if one.given and one.is_default else None,
        }
        for one in coverage.methods
    ]


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def cells(**factors: Iterable[Any]) -> list[dict[str, Any]]:
    """Give all combinations of factors, those that differ in nothing else from the usual."""
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
    """Scores of more than two classes, even and skewed."""
    shares = {3: (1 / 3, 0.1), 10: (0.1, 0.03)}
    for n, k in product((1000, 200, 50), shares):
        chosen = cells(n=[n], prevalence=shares[k], quality=FEW_QUALITIES, classes=[k])
        yield part(f"class-scores-{k}-{n}", CLASS_SCORES, chosen, "default", 200 if k == 3 else 100)


PARTS = (*_core(), *_factors(), *_class_scores(), *_slow())
