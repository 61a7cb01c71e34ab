"""Wrong labels: how often corrected intervals hold the value that labels without errors would have.

Populations have a truth, a prediction that depends on it, and a label that depends on it too and is wrong at random.
The rate of errors is known, or counted in a second sample of labels that were checked.

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
    """Cases of classes with these shares; ``right`` is how often each is predicted, and ``errors`` those of labels.

    With ``checked`` the rate of errors is not known but counted in so many labels, of each class where rates differ.
    """

    cases: int
    shares: tuple[float, ...]
    right: tuple[float, ...]
    errors: Any
    checked: int | None = None

    @property
    def k(self) -> int:
        return len(self.shares)

    def table(self, right: Sequence[float] | None = None) -> Array:
        """The shares of true (rows) and predicted classes."""
        said = np.array(self.right if right is None else right)
        found = np.repeat((1 - said)[:, None] / (self.k - 1), self.k, axis=1)
        np.fill_diagonal(found, said)
        return np.asarray(np.array(self.shares)[:, None] * found)

    def value(self, measure: str) -> float:
        counts = howsure.Confusion(np.round(self.table() * 1e12).astype(np.int64))
        of_class = measure in ("recall", "specificity", "precision", "f1")
        return float(estimate(counts, measure, label=1 if of_class and self.k == 2 else None).value)

    def given(self, rng: np.random.Generator) -> Any:
        """What the user knows of the errors."""
        if self.checked is None:
            return self.errors
        if isinstance(self.errors, dict):
            return {name: (int(rng.binomial(self.checked, rate)), self.checked) for name, rate in self.errors.items()}
        return int(rng.binomial(self.checked, self.errors)), self.checked

    def draw(self, rng: np.random.Generator) -> Array:
        """Draw a table of recorded and predicted classes."""
        matrix = read_errors(self.errors, range(self.k)).matrix
        return rng.multinomial(self.cases, (matrix.T @ self.table()).ravel()).reshape(self.k, self.k)


def coverage(design: Noisy, measures: Sequence[str], rounds: int, seed: int) -> dict[str, tuple[float, float]]:
    """How often the corrected 95 % interval holds the value, and how often there is none."""
    rng, values = np.random.default_rng(seed), {name: design.value(name) for name in measures}
    held, none = dict.fromkeys(measures, 0), dict.fromkeys(measures, 0)
    for _ in range(rounds):
        table = design.draw(rng)
        a = howsure.assess(howsure.Confusion(table, labels=range(design.k)))
        noise = howsure.label_noise(a, design.given(rng))
        for name in measures:
            low, high = noise[name].interval()
            none[name] += math.isnan(low)
            held[name] += low - 1e-12 <= values[name] <= high + 1e-12
    return {name: (held[name] / max(rounds - none[name], 1), none[name] / rounds) for name in measures}


def paired_coverage(design: Noisy, measures: Sequence[str], rounds: int, seed: int) -> dict[str, tuple[float, float]]:
    """How often the interval of a corrected difference holds it: two classifiers that err independently."""
    rng, matrix = np.random.default_rng(seed), read_errors(design.errors, range(design.k)).matrix
    worse = tuple(share - 0.1 for share in design.right)
    apart = {name: design.value(name) - Noisy(1, design.shares, worse, 0).value(name) for name in measures}
    held, none = dict.fromkeys(measures, 0), dict.fromkeys(measures, 0)
    for _ in range(rounds):
        truth = rng.choice(design.k, design.cases, p=design.shares)
        recorded = (rng.random(design.cases)[:, None] > matrix.cumsum(1)[truth]).sum(1)
        said = []
        for right in (design.right, worse):
            wrong = rng.random(design.cases) > np.array(right)[truth]
            said.append((truth + wrong * rng.integers(1, design.k, design.cases)) % design.k)
        given = design.given(rng)
        for name in measures:
            c = howsure.compare(recorded, {"a": said[0], "b": said[1]}, measure=name, labels=range(design.k))
            low, high = howsure.label_noise(c, given).pairs[0].corrected.interval()
            none[name] += math.isnan(low)
            held[name] += low - 1e-12 <= apart[name] <= high + 1e-12
    return {name: (held[name] / max(rounds - none[name], 1), none[name] / rounds) for name in measures}


def designs() -> dict[str, Noisy]:
    """The populations that the decision page has figures of."""
    found = {}
    for n in (100, 400):
        for rate in (0.05, 0.15):
            for checked in (None, 120):
                how = "known" if checked is None else f"of {checked} checked"
                found[f"n {n}, even, {rate:.0%} wrong, {how}"] = Noisy(n, (0.5, 0.5), (0.9, 0.85), rate, checked)
                found[f"n {n}, one in five, {rate:.0%} wrong, {how}"] = Noisy(n, (0.8, 0.2), (0.95, 0.8), rate, checked)
        by_class = {0: 0.03, 1: 0.15}
        found[f"n {n}, one in five, by class, known"] = Noisy(n, (0.8, 0.2), (0.95, 0.8), by_class)
        found[f"n {n}, one in five, by class, of 120 checked"] = Noisy(n, (0.8, 0.2), (0.95, 0.8), by_class, 120)
        three = ((0.5, 0.3, 0.2), (0.9, 0.8, 0.85))
        found[f"n {n}, three classes, 10% wrong, known"] = Noisy(n, *three, 0.1)
        found[f"n {n}, three classes, 10% wrong, of 120 checked"] = Noisy(n, *three, 0.1, 120)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--pairs", action="store_true")
    asked = parser.parse_args()
    for number, (title, design) in enumerate(designs().items()):
        if asked.only not in title:
            continue
        measures: tuple[str, ...] = ("accuracy", "kappa") if asked.pairs or design.k > 2 else MEASURES
        simulate = paired_coverage if asked.pairs else coverage
        found = simulate(design, measures, asked.rounds, seed=1900 + number)
        shown = ", ".join(f"{name} {one:.4f} ({none:.3f} none)" for name, (one, none) in found.items())
        print(f"{title}: {shown}", flush=True)


if __name__ == "__main__":
    main()
