"""Cases of several truths: how often intervals hold the value, and how often judges who are equal are told apart.

A case is easy or hard, and on hard ones annotators and judges both err often, so that what annotators disagree on is
also what judges get wrong. The value that an interval must hold is that against an annotator drawn at random for each
case, from the shares of the population. `docs/decisions/2026-11-18-several-truths.md` has the figures.

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
HARD = 0.3  # share of cases


@dataclass(frozen=True)
class Judged:
    """Cases, their annotators, and judges: error rates on easy and on hard cases, by true class where two are given.

    ``missing`` is the share of labels that annotators did not give, and ``classes`` how many there are.
    """

    cases: int
    prevalence: float = 0.5
    annotators: int = 3
    noise: tuple[float, float] = (0.03, 0.4)
    errors: tuple[tuple[float, float], ...] = ((0.1, 0.4), (0.1, 0.4))
    missing: float = 0.0
    turned: bool = False  # the second judge errs on one class as the first does on the other

    def draw(self, rng: np.random.Generator) -> tuple[Array, list[Array]]:
        """Draw the labels of annotators, with NaN for what is missing, and of each judge."""
        n = self.cases
        truth, hard = rng.random(n) < self.prevalence, rng.random(n) < HARD
        noise = np.where(hard, self.noise[1], self.noise[0])
        labels = truth[:, None] ^ (rng.random((n, self.annotators)) < noise[:, None])
        given = labels.astype(float)
        gone = rng.random(given.shape) < self.missing
        gone[np.arange(n), rng.integers(0, self.annotators, n)] = False
        given[gone] = np.nan
        judges = []
        for place in range(len(self.errors)):
            rates = self._errors(place)
            judges.append(truth ^ (rng.random(n) < rates[truth.astype(int), hard.astype(int)]))
        return given, [judge.astype(int) for judge in judges]

    def _errors(self, place: int) -> Array:
        """Error rates of a judge by true class (rows) and difficulty."""
        easy, hard = self.errors[place]
        more = 1.5 if self.turned else 1.0
        rates = np.array([[easy * more, hard * more], [easy / more, hard / more]])
        return rates[::-1] if self.turned and place % 2 else rates

    def value(self, measure: str, place: int = 0) -> float:
        """The measure of a judge in the population, against an annotator drawn at random."""
        table, rates = np.zeros((2, 2)), self._errors(place)
        for truth, share in enumerate((1 - self.prevalence, self.prevalence)):
            for hard, part in enumerate((1 - HARD, HARD)):
                label = np.array([1 - self.noise[hard], self.noise[hard]])[[truth, 1 - truth]]
                said = np.array([1 - rates[truth, hard], rates[truth, hard]])[[truth, 1 - truth]]
                table += share * part * np.outer(label, said)
        found = howsure.Confusion(np.round(table * 1e12).astype(np.int64), labels=[0, 1])
        label_of = None if measure in ("accuracy", "kappa", "mcc") else 1
        return float(estimate(found, measure, label=label_of).value)


def coverage(design: Judged, measures: Sequence[str], rounds: int, seed: int) -> dict[str, tuple[float, float]]:
    """How often the 95 % interval of a judge's value holds it, and how wide it is."""
    held, width = dict.fromkeys(measures, 0), dict.fromkeys(measures, 0.0)
    values, rng = {name: design.value(name) for name in measures}, np.random.default_rng(seed)
    for _ in range(rounds):
        truth, judges = design.draw(rng)
        a = howsure.assess(truth, judges[0], labels=[0, 1])
        for name in measures:
            low, high = a[name].interval()
            held[name] += math.isnan(low) or low <= values[name] <= high
            width[name] += np.nan_to_num(high - low, nan=1.0)
    return {name: (held[name] / rounds, width[name] / rounds) for name in measures}


def rejections(design: Judged, measures: Sequence[str], rounds: int, seed: int) -> dict[str, tuple[float, float]]:
    """How often two judges are told apart at the 5 % level, and how often the interval holds their difference."""
    rejected, held, rng = dict.fromkeys(measures, 0), dict.fromkeys(measures, 0), np.random.default_rng(seed)
    apart = {name: design.value(name) - design.value(name, 1) for name in measures}
    for _ in range(rounds):
        truth, (one, other) = design.draw(rng)
        for name in measures:
            c = howsure.compare(truth, {"one": one, "other": other}, measure=name, labels=[0, 1])
            low, high = c.difference.interval()
            rejected[name] += c.test.pvalue < 0.05
            held[name] += math.isnan(low) or low <= apart[name] <= high
    return {name: (rejected[name] / rounds, held[name] / rounds) for name in measures}


def designs(kind: str) -> dict[str, Judged]:
    """The populations that the decision page has figures of."""
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
    asked = parser.parse_args()
    measures = ("accuracy", "recall", "precision", "f1", "kappa", "mcc") if asked.kind == "coverage" else MEASURES
    for number, (title, design) in enumerate(designs(asked.kind).items()):
        if asked.only not in title:
            continue
        simulate = coverage if asked.kind == "coverage" else rejections
        found = simulate(design, measures, asked.rounds, seed=1700 + number)
        shown = ", ".join(f"{name} {one:.4f} {other:.4f}" for name, (one, other) in found.items())
        print(f"{title}: {shown}", flush=True)


if __name__ == "__main__":
    main()
