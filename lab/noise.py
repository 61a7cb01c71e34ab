"""Coverage of intervals that are corrected for label errors.

Predictions and recorded labels depend on the true class and are independent given it. The rate of label errors is
known, or estimated from a second sample of checked labels.

    python -m lab.noise --rounds 2000
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import howsure
from howsure.arrays import Array
from howsure.assessment.label_noise import read_errors
from howsure.measures import estimate

MEASURES = ("accuracy", "recall", "specificity", "precision", "f1", "kappa")


@dataclass(frozen=True)
class Noisy:
    """A population with label errors."""

    cases: int
    shares: tuple[float, ...]  # of the classes
    recalls: tuple[float, ...]
    errors: Any  # rate of label errors, or rates by class
    checked: int | None = None  # number of checked labels (of each class, if rates differ); None if the rate is known

    @property
    def k(self) -> int:
        return len(self.shares)

    def table(self) -> Array:
        """Return the shares by true class (rows) and predicted class."""
        recalls = np.array(self.recalls)
        rates = np.repeat((1 - recalls)[:, None] / (self.k - 1), self.k, axis=1)
        np.fill_diagonal(rates, recalls)
        return np.asarray(np.array(self.shares)[:, None] * rates)

    def value(self, measure: str) -> float:
        counts = howsure.Confusion(np.round(self.table() * 1e12).astype(np.int64))
        of_class = measure in ("recall", "specificity", "precision", "f1")
        return float(estimate(counts, measure, label=1 if of_class and self.k == 2 else None).value)

    def error_estimate(self, rng: np.random.Generator) -> Any:
        """Return the argument ``error`` of `label_noise`."""
        if self.checked is None:
            return self.errors
        if isinstance(self.errors, dict):
            return {name: (int(rng.binomial(self.checked, rate)), self.checked) for name, rate in self.errors.items()}
        return int(rng.binomial(self.checked, self.errors)), self.checked

    def draw(self, rng: np.random.Generator) -> Array:
        """Draw counts by recorded and predicted class."""
        matrix = read_errors(self.errors, range(self.k)).matrix
        return rng.multinomial(self.cases, (matrix.T @ self.table()).ravel()).reshape(self.k, self.k)


def coverage(design: Noisy, measures: Sequence[str], rounds: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return the coverage of the corrected 95 % interval, and how often it is undefined."""
    rng, values = np.random.default_rng(seed), {name: design.value(name) for name in measures}
    covered, undefined = dict.fromkeys(measures, 0), dict.fromkeys(measures, 0)
    for _ in range(rounds):
        table = design.draw(rng)
        a = howsure.assess(howsure.Confusion(table, labels=range(design.k)))
        noise = howsure.label_noise(a, design.error_estimate(rng))
        for name in measures:
            low, high = noise[name].interval()
            undefined[name] += math.isnan(low)
            covered[name] += low - 1e-12 <= values[name] <= high + 1e-12
    return {name: (covered[name] / max(rounds - undefined[name], 1), undefined[name] / rounds) for name in measures}


def paired_coverage(design: Noisy, measures: Sequence[str], rounds: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return the coverage of the interval of a corrected difference of two independent classifiers."""
    rng, matrix = np.random.default_rng(seed), read_errors(design.errors, range(design.k)).matrix
    worse = tuple(recall - 0.1 for recall in design.recalls)
    differences = {name: design.value(name) - Noisy(1, design.shares, worse, 0).value(name) for name in measures}
    covered, undefined = dict.fromkeys(measures, 0), dict.fromkeys(measures, 0)
    for _ in range(rounds):
        truth = rng.choice(design.k, design.cases, p=design.shares)
        recorded = (rng.random(design.cases)[:, None] > matrix.cumsum(1)[truth]).sum(1)
        predictions = []
        for recalls in (design.recalls, worse):
            wrong = rng.random(design.cases) > np.array(recalls)[truth]
            predictions.append((truth + wrong * rng.integers(1, design.k, design.cases)) % design.k)
        error = design.error_estimate(rng)
        for name in measures:
            c = howsure.compare(
                recorded, {"a": predictions[0], "b": predictions[1]}, measure=name, labels=range(design.k)
            )
            low, high = howsure.label_noise(c, error).pairs[0].corrected.interval()
            undefined[name] += math.isnan(low)
            covered[name] += low - 1e-12 <= differences[name] <= high + 1e-12
    return {name: (covered[name] / max(rounds - undefined[name], 1), undefined[name] / rounds) for name in measures}


def designs() -> dict[str, Noisy]:
    """Return the populations of the decision page."""
    result = {}
    for n in (100, 400):
        for rate in (0.05, 0.15):
            for checked in (None, 120):
                source = "known" if checked is None else f"of {checked} checked"
                result[f"n {n}, even, {rate:.0%} wrong, {source}"] = Noisy(n, (0.5, 0.5), (0.9, 0.85), rate, checked)
                result[f"n {n}, one in five, {rate:.0%} wrong, {source}"] = Noisy(
                    n, (0.8, 0.2), (0.95, 0.8), rate, checked
                )
        by_class = {0: 0.03, 1: 0.15}
        result[f"n {n}, one in five, by class, known"] = Noisy(n, (0.8, 0.2), (0.95, 0.8), by_class)
        result[f"n {n}, one in five, by class, of 120 checked"] = Noisy(n, (0.8, 0.2), (0.95, 0.8), by_class, 120)
        three = ((0.5, 0.3, 0.2), (0.9, 0.8, 0.85))
        result[f"n {n}, three classes, 10% wrong, known"] = Noisy(n, *three, 0.1)
        result[f"n {n}, three classes, 10% wrong, of 120 checked"] = Noisy(n, *three, 0.1, 120)
    return result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--pairs", action="store_true")
    options = parser.parse_args()
    for number, (title, design) in enumerate(designs().items()):
        if options.only not in title:
            continue
        measures: tuple[str, ...] = ("accuracy", "kappa") if options.pairs or design.k > 2 else MEASURES
        simulate = paired_coverage if options.pairs else coverage
        rates = simulate(design, measures, options.rounds, seed=1900 + number)
        shown = ", ".join(f"{name} {rate:.4f} ({undefined:.3f} undefined)" for name, (rate, undefined) in rates.items())
        print(f"{title}: {shown}", flush=True)


if __name__ == "__main__":
    main()
