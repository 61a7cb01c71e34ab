"""Coverage and width of intervals by judge labels, for clustered cases and for stratified labelling.

    python -m lab.judge_designs             writes lab/results/judge_designs.csv

There are 5,000 cases in 100 clusters of 50. The share of positives varies between clusters (a beta distribution with
mean 0.2 and an intraclass correlation of 1/11), and so do the accuracies of the classifier (mean 0.85) and of the judge
(mean 0.9). Human labels are those of random cases ("cases"), or of all cases of random clusters ("whole clusters"). In
the design "strata", cases are independent, the judge has an accuracy of 85 %, and 60 % of the human labels are for
cases that it calls positive.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from howsure.arrays import Array
from howsure.data.encode import MISSING
from howsure.data.predictions import Key
from howsure.tables.judged import JudgedCases
from lab.judges import Row, estimated

RESULTS = Path(__file__).parent / "results" / "judge_designs.csv"
ROUNDS, SEED, CLUSTERS, SIZE = 1000, 1118, 100, 50
DESIGNS = {"strata": (100, 500), "cases": (100, 500), "whole clusters": (500, 1500)}
TRUTH = {"rate": 0.2, "f1": 2 * 0.17 / (2 * 0.17 + 0.03 + 0.12)}  # with a recall of 85 % in both classes
MAXIMUM = 0.6  # share of the human labels for cases that the judge calls positive


def flipped(labels: Array, accuracy: Array, rng: np.random.Generator) -> Array:
    """Return labels with random errors."""
    return np.where(rng.random(len(labels)) < accuracy, labels, 1 - labels)


def draw(design: str, n: int, rng: np.random.Generator) -> JudgedCases:
    """Draw cases with judge labels, and human labels of ``n`` of them."""
    cluster, cases = np.repeat(np.arange(CLUSTERS), SIZE), CLUSTERS * SIZE
    if design == "strata":
        truth = (rng.random(cases) < TRUTH["rate"]).astype(int)
        predicted, judge = (flipped(truth, np.full(cases, 0.85), rng) for _ in range(2))
        sizes = {1: round(MAXIMUM * n), 0: n - round(MAXIMUM * n)}
        chosen = [rng.choice(np.flatnonzero(judge == label), size, replace=False) for label, size in sizes.items()]
        human = np.isin(np.arange(cases), np.concatenate(chosen))
        keys: tuple[Key | None, Key | None] = Key(judge, (0, 1)), None
    else:
        truth = (rng.random(cases) < rng.beta(2, 8, CLUSTERS)[cluster]).astype(int)
        predicted = flipped(truth, rng.beta(8.5, 1.5, CLUSTERS)[cluster], rng)
        judge = flipped(truth, rng.beta(9, 1, CLUSTERS)[cluster], rng)
        if design == "cases":
            human = np.isin(np.arange(cases), rng.choice(cases, n, replace=False))
        else:
            human = np.isin(cluster, rng.choice(CLUSTERS, n // SIZE, replace=False))
        keys = None, Key(cluster, tuple(range(CLUSTERS)))
    human_labels, counts = np.where(human, truth, MISSING), np.ones(cases, np.int64)
    return JudgedCases((0, 1), human_labels, judge, predicted, counts, *keys).joined()


def measured(design: str, n: int, rounds: int = ROUNDS) -> list[Row]:
    """Measure a design with ``n`` human labels."""
    rng = np.random.default_rng([SEED, n, len(design)])
    results: dict[str, list[tuple[float, ...]]] = {name: [] for name in TRUTH}
    for _ in range(rounds):
        cases = draw(design, n, rng)
        for name, truth in TRUTH.items():
            estimate = estimated(cases, name)
            intervals = estimate.interval(), estimate.human.interval()
            covered, widths = [truth in interval for interval in intervals], [interval.width for interval in intervals]
            results[name].append((*covered, *widths, estimate.worth))
    rows = []
    for name, values in results.items():
        covered, alone, width, width_alone, worth = np.array(values).T
        shown = {"coverage": f"{covered.mean():.4f}", "alone": f"{alone.mean():.4f}"}
        ratio = f"{np.median(width) / np.median(width_alone):.3f}"
        facts: Row = {"design": design, "labels": n, "measure": name, "rounds": rounds}
        rows.append({**facts, **shown, "width_ratio": ratio, "worth": f"{np.median(worth):.0f}"})
    return rows


def main() -> None:
    rows = [row for design, sizes in DESIGNS.items() for n in sizes for row in measured(design, n)]
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
