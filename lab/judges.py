"""Coverage and width of intervals from few human labels and many judge labels.

    python -m lab.judges                    run what is missing, and write lab/results/judges.csv
    python -m lab.judges --part auc-50      run one part only
    python -m lab.judges --table            print the worst cells of each part

The classifier has a recall of 85 % in each class, or normal scores with a separation of 1.5. The judge errs
independently of it: an "even" judge has the same recall in both classes; of the errors of an "eager" judge, three
quarters are false positives. Human labels are those of a random sample. The intervals are the default one, that of the
human labels alone, and the normal interval of PPI++. With 1,000 rounds a coverage of 95 % has a standard error of 0.7
points. ``worth`` is the median ratio of the estimated variances over the rounds; the attribute of estimates is lower,
since it allows for the uncertainty of the variances.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from howsure.data.encode import MISSING
from howsure.judges import rogan_gladen
from howsure.judges.estimate import JudgedEstimate, estimate_judged, estimate_rate
from howsure.measures import registry
from howsure.measures.declare import Measure
from howsure.tables import BinaryCounts, LabelCounts
from howsure.tables.judged import JudgedCases

RESULTS = Path(__file__).parent / "results" / "judges.csv"
ROUNDS, SEED, JUDGED = 1000, 1117, 5000
MEASURES, LABELS = ("rate", "f1", "kappa", "auc"), (50, 100, 500)
SHARES = (0.1, 0.2, 0.5)
JUDGES = [*product((0.6, 0.7, 0.8, 0.9, 0.95), ("even",)), *product((0.7, 0.9), ("eager",))]
RECALL, SEPARATION = 0.85, 1.5  # of the classifier's labels and scores
RATES, SKILLS = (0.02, 0.05, 0.1, 0.3, 0.5), tuple(product((0.7, 0.8, 0.95), repeat=2))
COLUMNS = (
    *("part", "measure", "labels", "share", "judge", "kind", "rounds", "truth", "given", "coverage", "alone", "ppi"),
    *("width_ratio", "worth"),
)
Row = dict[str, Any]


def judge_rates(accuracy: float, kind: str, share: float) -> tuple[float, float]:
    """Return the sensitivity and specificity of a judge with this accuracy."""
    error_rate = 1 - accuracy
    if kind == "even":
        return accuracy, accuracy
    false_negative_rate = min(error_rate / 4 / share, 1.0)
    return 1 - false_negative_rate, 1 - (error_rate - share * false_negative_rate) / (1 - share)


def population(share: float, sensitivity: float, specificity: float) -> Any:
    """Return the shares of truth, judge and prediction, in this order of axes."""
    truth = np.array([1 - share, share])
    judge = np.array([[specificity, 1 - specificity], [1 - sensitivity, sensitivity]])
    predicted = np.array([[RECALL, 1 - RECALL], [1 - RECALL, RECALL]])
    return truth[:, None, None] * judge[:, :, None] * predicted[:, None, :]


def true_value(measure: str, share: float) -> float:
    if measure == "rate":
        return share
    if measure == "auc":
        return 0.5 * math.erfc(-SEPARATION / 2)
    table = population(share, 1.0, 1.0).sum(1)
    declared: Measure = registry[measure]
    if declared.scope == "overall":
        return float(declared.value(LabelCounts.of(table)))
    return float(declared.value(BinaryCounts.of(table))[1])


def draw(measure: str, n: int, shares: Any, rng: np.random.Generator, judged: int = JUDGED) -> JudgedCases:
    """Draw human labels of ``n`` cases and judge labels of all, as counts or, for scores, case by case."""
    counts = rng.multinomial(n, shares.ravel()), rng.multinomial(judged, shares.sum(0).ravel())
    truth, judge, predicted = (axis.ravel() for axis in np.indices((2, 2, 2)))
    judge_only = [axis.ravel() for axis in np.indices((2, 2))]
    columns = [
        np.concatenate([truth, np.full(4, MISSING)]),
        np.concatenate([judge, judge_only[0]]),
        np.concatenate([predicted, judge_only[1]]),
    ]
    count = np.concatenate(counts)
    if measure != "auc":
        occurs = count > 0
        human, judge, predicted = (column[occurs] for column in columns)
        return JudgedCases((0, 1), human, judge, predicted, count[occurs])
    # Scores depend on the true class, also of cases without a human label.
    cells = np.repeat(np.arange(8), rng.multinomial(n + judged, shares.ravel()))
    rng.shuffle(cells)
    scores = rng.normal(size=n + judged) + SEPARATION * truth[cells]
    human = np.where(np.arange(n + judged) < n, truth[cells], MISSING)
    return JudgedCases((0, 1), human, judge[cells], predicted[cells], np.ones(n + judged, np.int64), scores=scores)


def estimated(cases: JudgedCases, measure: str) -> JudgedEstimate:
    if measure == "rate":
        return estimate_rate(cases, 1)
    return estimate_judged(cases, measure, label=1 if measure == "f1" else None, positive=1)


def measured(measure: str, n: int, share: float, judge: float, kind: str, rounds: int = ROUNDS) -> Row:
    """Measure one cell."""
    rng = np.random.default_rng([SEED, MEASURES.index(measure), n, round(1000 * share), round(1000 * judge), len(kind)])
    shares, truth = population(share, *judge_rates(judge, kind, share)), true_value(measure, share)
    covered: dict[str, list[bool]] = {"coverage": [], "alone": [], "ppi": []}
    widths: dict[str, list[float]] = {"coverage": [], "alone": []}
    worth = []
    for _ in range(rounds):
        estimate = estimated(draw(measure, n, shares, rng), measure)
        if estimate.undefined:
            continue
        intervals = {"coverage": estimate.interval(), "alone": estimate.human.interval()}
        if math.isnan(intervals["coverage"].low):
            continue
        for name, interval in {**intervals, "ppi": estimate.interval(method="ppi")}.items():
            covered[name].append(truth in interval)
            if name in widths:
                widths[name].append(interval.width)
        worth.append(n * estimate.powered.alone / max(estimate.powered.variance, 1e-300))
    shown = {name: f"{np.mean(hits):.4f}" if hits else "" for name, hits in covered.items()}
    ratio = f"{np.median(widths['coverage']) / np.median(widths['alone']):.3f}" if worth else ""
    facts = {"measure": measure, "labels": n, "share": share, "judge": judge, "kind": kind, "rounds": rounds}
    rest = {"truth": f"{truth:.4f}", "given": f"{len(worth) / rounds:.4f}", **shown, "width_ratio": ratio}
    return {"part": f"{measure}-{n}", **facts, **rest, "worth": f"{np.median(worth):.0f}" if worth else ""}


def corrected(n: int, rate: float, sensitivity: float, specificity: float, rounds: int = ROUNDS) -> Row:
    """Measure the Rogan-Gladen estimate in one cell; column ``ppi`` is for the interval of Lang and Reiczigel."""
    rng = np.random.default_rng([SEED, 9, n, *(round(1000 * part) for part in (rate, sensitivity, specificity))])
    positives = rng.binomial(n, rate, rounds)
    true_positives, true_negatives = rng.binomial(positives, sensitivity), rng.binomial(n - positives, specificity)
    called = rng.binomial(JUDGED, rate * sensitivity + (1 - rate) * (1 - specificity), rounds)
    covered, peer, widths = [], [], []
    counts = zip(positives.tolist(), true_positives, true_negatives, called, strict=True)
    for positive, tp, tn, judged in counts:
        shares = {"sensitivity": (float(tp), positive), "specificity": (float(tn), n - positive)}
        estimate = rogan_gladen(float(judged), JUDGED, **shares)
        interval = estimate.interval()
        if math.isnan(interval.low):
            continue
        covered.append(rate in interval)
        peer.append(rate in estimate.interval(method="lang-reiczigel"))
        widths.append(interval.width)
    facts = {"measure": "rogan_gladen", "labels": n, "share": rate, "judge": sensitivity, "kind": specificity}
    shown = {"coverage": f"{np.mean(covered):.4f}", "alone": "", "ppi": f"{np.mean(peer):.4f}"}
    rest = {"rounds": rounds, "truth": rate, "given": f"{len(covered) / rounds:.4f}", **shown}
    return {"part": f"rogan_gladen-{n}", **facts, **rest, "width_ratio": "", "worth": f"{np.median(widths):.3f}"}


def missing(done: set[tuple[str, ...]], part: str | None, rounds: int) -> Iterator[Row]:
    """Measure the missing cells."""
    for measure, n in product(MEASURES, LABELS):
        if part in (None, f"{measure}-{n}"):
            for share, (judge, kind) in product(SHARES, JUDGES):
                if (measure, str(n), str(share), str(judge), kind) not in done:
                    yield measured(measure, n, share, judge, kind, rounds)
    for n in LABELS:
        if part in (None, f"rogan_gladen-{n}"):
            for rate, (sensitivity, specificity) in product(RATES, SKILLS):
                if ("rogan_gladen", str(n), str(rate), str(sensitivity), str(specificity)) not in done:
                    yield corrected(n, rate, sensitivity, specificity, rounds)


def stored(path: Path = RESULTS) -> list[Row]:
    """Read the stored results."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def summary(rows: list[Row]) -> Iterator[str]:
    """Yield the worst cells of each part."""
    yield f"{'part':18} {'cells':>5} {'lowest':>7} {'alone':>7} {'ppi':>7} {'widest':>7} {'given':>6}"
    for part in dict.fromkeys(row["part"] for row in rows):
        of_part = [row for row in rows if row["part"] == part and row["coverage"]]

        def least(name: str, rows: list[Row] = of_part) -> str:
            values = [float(row[name]) for row in rows if row[name]]
            return f"{min(values):.3f}" if values else ""

        widest = max((row["width_ratio"] for row in of_part if row["width_ratio"]), default="")
        shown = (least("coverage"), least("alone"), least("ppi"))
        yield f"{part:18} {len(of_part):5} {shown[0]:>7} {shown[1]:>7} {shown[2]:>7} {widest:>7} {least('given'):>6}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", help="such as auc-50 or rogan_gladen-100")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--table", action="store_true", help="print the worst cells of each part")
    options = parser.parse_args()
    if options.table:
        print("\n".join(summary(stored())))
        return
    done = {tuple(row[name] for name in ("measure", "labels", "share", "judge", "kind")) for row in stored()}
    is_new = not RESULTS.exists()
    with RESULTS.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        for row in missing(done, options.part, options.rounds):
            writer.writerow(row)
            file.flush()


if __name__ == "__main__":
    main()
