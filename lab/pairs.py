"""Grid of tests of two classifiers on the same cases.

The core is sample size x prevalence x quality. Each cell has exchangeable pairs and pairs that are equal with other
errors, with independent and with correlated errors, and one pair apart. Other tests than the default, and measures
whose test draws replicates, are measured in fewer cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import product
from typing import Any

from howsure.errors import HowsureError
from howsure.lab.paired_rejections import PairSamples, chosen_tests, stored_row
from howsure.lab.pairs import PairCell
from howsure.lab.samples import ParsedMeasure
from howsure.measures import registry
from howsure.measures.spec import read_spec
from howsure.significance.declare import Test
from lab.intervals import LABELS, SCORES
from lab.parts import Part, Row

SEED = 301
PAIRS = (("exchangeable", 0.0), ("exchangeable", 0.8), ("equal", 0.0), ("equal", 0.8), ("apart", 0.5))
SIZES, PREVALENCES, GRADES = (
    (10, 20, 50, 200, 1000, 10_000),
    (0.9, 0.5, 0.1, 0.02, 0.01),
    ("poor", "good", "near-perfect"),
)
SCORE_SIZES, SCORE_PREVALENCES = (20, 50, 200, 1000), (0.5, 0.1, 0.02)
FEW_PAIRS = (("exchangeable", 0.0), ("equal", 0.5))


def compared(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the measures that have better and worse values."""
    return tuple(spec for spec in specs if registry[read_spec(spec)[0]].better is not None)


LABEL_ITEMS = tuple(  # without accuracy, whose tests are enumerated (lab/enumerated.py)
    spec for spec in compared(LABELS) if registry[read_spec(spec)[0]].of_accuracy is None
)
SCORE_ITEMS = compared(SCORES)
REDRAWN = tuple(  # measures without a formula for the influence of a case, whose standard error is that of replicates
    spec
    for spec in SCORE_ITEMS
    if (declared := registry[read_spec(spec)[0]]).influence is None
    and declared.loss is None
    and declared.of_auc is None
)
CLOSED = tuple(spec for spec in SCORE_ITEMS if spec not in REDRAWN)


CHOICES: dict[str, Callable[[ParsedMeasure], Sequence[Test]]] = {
    "auto": chosen_tests,
    "others": lambda measure: chosen_tests(measure, "all")[1:],
}


def measure(items: list[str], cells: list[dict[str, Any]], tests: str, rounds: int, seed: int) -> dict[str, list[Row]]:
    """Count rejections in each cell; a pair that does not exist for a measure is left out."""
    rows: dict[str, list[Row]] = {item: [] for item in items}
    for facts in cells:
        cell = PairCell(**facts)
        by_key: dict[Any, PairSamples] = {}
        for item in items:
            parsed = ParsedMeasure.of(item)
            key = item if cell.pair == "equal" else parsed.kind  # other pairs do not depend on the measure
            try:
                samples = by_key.get(key) or PairSamples(cell.population(parsed), cell.n, rounds, cell.rng(seed))
            except HowsureError:
                continue
            by_key[key] = samples
            rates = samples.rejections(parsed, CHOICES[tests](parsed), cell.pair)
            rows[item] += [asdict(stored_row(rate, parsed, cell, seed)) for rate in rates]
    return rows


def cells(
    sizes: Sequence[int], prevalences: Sequence[float], grades: Sequence[str], pairs: Sequence[tuple[str, float]]
) -> list[dict[str, Any]]:
    return [
        {"n": n, "prevalence": prevalence, "quality": quality, "pair": pair, "correlation": correlation}
        for n, prevalence, quality, (pair, correlation) in product(sizes, prevalences, grades, pairs)
    ]


def _part(name: str, items: tuple[str, ...], chosen: list[dict[str, Any]], rounds: int, tests: str = "auto") -> Part:
    return Part(f"pairs-{name}", measure, items, {"cells": chosen, "tests": tests, "rounds": rounds, "seed": SEED})


def _parts() -> Iterator[Part]:
    for n in reversed(SIZES):
        yield _part(f"labels-{n}", LABEL_ITEMS, cells([n], PREVALENCES, GRADES, PAIRS), 4000)
    for n in reversed(SCORE_SIZES):
        yield _part(f"scores-{n}", CLOSED, cells([n], SCORE_PREVALENCES, GRADES, PAIRS), 500)
    yield _part("scores-10000", CLOSED, cells([10_000], SCORE_PREVALENCES, ["good"], FEW_PAIRS), 200)
    for n in (200, 50):
        yield _part(f"redrawn-{n}", REDRAWN, cells([n], (0.5, 0.1), ["good"], FEW_PAIRS), 150)
    few = cells([50, 200], (0.5, 0.1), ["good"], FEW_PAIRS)
    yield _part("other-tests-labels", ("accuracy", "f1", "precision", "mcc"), few, 100, "others")
    yield _part("other-tests-scores", ("auc", "average_precision"), few, 100, "others")


PARTS = tuple(_parts())
