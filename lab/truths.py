"""Coverage of intervals and type I error rates of tests for cases with several annotators.

Cases are easy or hard; annotators and judges both err more often on hard ones, so judges are wrong where annotators
disagree. The true value is that against an annotator drawn at random for each case. The results are in
`docs/decisions/2026-11-18-several-truths.md`.

    python -m lab.truths coverage --rounds 2000
    python -m lab.truths rejections --rounds 2000
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

import howsure
from howsure.arrays import Array
from howsure.measures import estimate

MEASURES = ("accuracy", "f1", "kappa")
HARD = 0.3  # share of hard cases


@dataclass(frozen=True)
class Judged:
    """A population of cases, annotators and judges."""

    cases: int
    prevalence: float = 0.5
    annotators: int = 3
    noise: tuple[float, float] = (0.03, 0.4)  # error rates of annotators on easy and on hard cases
    errors: tuple[tuple[float, float], ...] = ((0.1, 0.4), (0.1, 0.4))  # of each judge on easy and on hard cases
    missing: float = 0.0  # share of missing annotations
    turned: bool = False  # the second judge has the error rates of the first with classes exchanged

    def draw(self, rng: np.random.Generator) -> tuple[Array, list[Array]]:
        """Draw the annotations, NaN if missing, and the labels of each judge."""
        n = self.cases
        truth, hard = rng.random(n) < self.prevalence, rng.random(n) < HARD
        noise = np.where(hard, self.noise[1], self.noise[0])
        labels = truth[:, None] ^ (rng.random((n, self.annotators)) < noise[:, None])
        annotations = labels.astype(float)
        is_missing = rng.random(annotations.shape) < self.missing
        is_missing[np.arange(n), rng.integers(0, self.annotators, n)] = False  # at least one per case
        annotations[is_missing] = np.nan
        judges = []
        for number in range(len(self.errors)):
            rates = self._errors(number)
            judges.append(truth ^ (rng.random(n) < rates[truth.astype(int), hard.astype(int)]))
        return annotations, [judge.astype(int) for judge in judges]

    def _errors(self, number: int) -> Array:
        """Return the error rates of a judge by true class (rows) and difficulty."""
        easy, hard = self.errors[number]
        factor = 1.5 if self.turned else 1.0
        rates = np.array([[easy * factor, hard * factor], [easy / factor, hard / factor]])
        return rates[::-1] if self.turned and number % 2 else rates

    def value(self, measure: str, number: int = 0) -> float:
        """Return the measure of a judge in the population, against an annotator drawn at random."""
        table, rates = np.zeros((2, 2)), self._errors(number)
        for truth, share in enumerate((1 - self.prevalence, self.prevalence)):
            for hard, part in enumerate((1 - HARD, HARD)):
                label = np.array([1 - self.noise[hard], self.noise[hard]])[[truth, 1 - truth]]
                predicted = np.array([1 - rates[truth, hard], rates[truth, hard]])[[truth, 1 - truth]]
                table += share * part * np.outer(label, predicted)
        confusion = howsure.Confusion(np.round(table * 1e12).astype(np.int64), labels=[0, 1])
        label_of = None if measure in ("accuracy", "kappa", "mcc") else 1
        return float(estimate(confusion, measure, label=label_of).value)


def coverage(design: Judged, measures: Sequence[str], rounds: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return the coverage and the mean width of the 95 % interval of a judge's value."""
    covered, width = dict.fromkeys(measures, 0), dict.fromkeys(measures, 0.0)
    values, rng = {name: design.value(name) for name in measures}, np.random.default_rng(seed)
    for _ in range(rounds):
        truth, judges = design.draw(rng)
        a = howsure.assess(truth, judges[0], labels=[0, 1])
        for name in measures:
            low, high = a[name].interval()
            covered[name] += math.isnan(low) or low <= values[name] <= high
            width[name] += np.nan_to_num(high - low, nan=1.0)
    return {name: (covered[name] / rounds, width[name] / rounds) for name in measures}


def rejections(design: Judged, measures: Sequence[str], rounds: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return the rejection rate of the test of two judges, and the coverage of their difference."""
    rejected, covered, rng = dict.fromkeys(measures, 0), dict.fromkeys(measures, 0), np.random.default_rng(seed)
    differences = {name: design.value(name) - design.value(name, 1) for name in measures}
    for _ in range(rounds):
        truth, (first, second) = design.draw(rng)
        for name in measures:
            c = howsure.compare(truth, {"first": first, "second": second}, measure=name, labels=[0, 1])
            low, high = c.difference.interval()
            rejected[name] += c.test.pvalue < 0.05
            covered[name] += math.isnan(low) or low <= differences[name] <= high
    return {name: (rejected[name] / rounds, covered[name] / rounds) for name in measures}


def designs(kind: str) -> dict[str, Judged]:
    """Return the populations of the decision page."""
    if kind == "coverage":
        good, bad = ((0.02, 0.3), (0.1, 0.4)), ((0.2, 0.5), (0.1, 0.4))
        return {
            f"n {n}, {title}": Judged(n, prevalence, annotators, errors=errors, missing=missing)
            for n in (20, 50, 200)
            for title, prevalence, annotators, errors, missing in (
                ("even, good judge, 3 annotators", 0.5, 3, good, 0.0),
                ("even, fair judge, 3 annotators", 0.5, 3, bad, 0.0),
                ("one in five, good judge, 3 annotators", 0.2, 3, good, 0.0),
                ("even, good judge, 5 annotators of whom 40 % are missing", 0.5, 5, good, 0.4),
            )
        }
    even = {f"n {n}, even": Judged(n) for n in (50, 200)}
    rare = {f"n {n}, one in five": Judged(n, 0.2) for n in (50, 200)}
    turned = {f"n {n}, even, other errors": replace(Judged(n), turned=True) for n in (50, 200)}
    apart = {f"n {n}, even, apart": Judged(n, errors=((0.05, 0.3), (0.2, 0.5))) for n in (50, 200)}
    return {**even, **rare, **turned, **apart}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["coverage", "rejections"])
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    measures = ("accuracy", "recall", "precision", "f1", "kappa", "mcc") if options.kind == "coverage" else MEASURES
    for number, (title, design) in enumerate(designs(options.kind).items()):
        if options.only not in title:
            continue
        simulate = coverage if options.kind == "coverage" else rejections
        rates = simulate(design, measures, options.rounds, seed=1700 + number)
        shown = ", ".join(f"{name} {first:.4f} {second:.4f}" for name, (first, second) in rates.items())
        print(f"{title}: {shown}", flush=True)


if __name__ == "__main__":
    main()
