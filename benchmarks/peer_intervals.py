"""Coverage of intervals and type I error rates of tests of other programs, with their defaults.

``python -m benchmarks.peer_intervals python=ENV/bin/python r=Rscript`` draws samples from known populations, runs
Howsure and all programs installed there on the same samples, and writes benchmarks/peer_intervals.json, which
``make docs/evidence/coverage.md`` shows as tables. With ``folder=FOLDER`` the output of the programs is kept there;
``folder=FOLDER`` alone runs only Howsure again.
"""

from __future__ import annotations

import csv
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

import howsure
from benchmarks.measure import machine
from benchmarks.peers import ours
from benchmarks.peers.samples import CELLS, LEARNER_KINDS, Rounds, write_samples
from howsure.arrays import Array
from howsure.lab import Cell
from howsure.lab.interval_coverage import method_coverage

RESULTS = Path(__file__).with_suffix(".json")
HERE = Path(__file__).parent / "peers"
ALPHA, SEED = 0.05, 2026
Row = dict[str, Any]
R_INTERVALS = {"pROC ci.auc": "auto", "pROC ci.auc, direction told": "fixed"}
R_TESTS = {"pROC roc.test, AUC": "roc_test", "R mcnemar.test": "mcnemar"}


def main(interpreters: dict[str, str]) -> None:
    kept = interpreters.pop("folder", "")
    with tempfile.TemporaryDirectory() as name:
        folder, rounds = Path(kept or name), Rounds()
        if interpreters or not kept:
            folder.mkdir(exist_ok=True)
            write_samples(folder, rounds, SEED)
            write_plan(folder, rounds)
            run_peers(folder, interpreters)
        write_results(folder, rounds)


def write_results(folder: Path, rounds: Rounds) -> None:
    """Compute the coverage and the rejection rates of all programs."""
    intervals = [row for index in range(len(CELLS)) for row in interval_rows(folder, index, rounds)]
    tests = [*case_tests(folder), *fold_tests(folder), *data_set_tests(folder)]
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "seed": SEED,
        "rounds": asdict(rounds),
        "machine": machine(),
        "versions": {"howsure": howsure.__version__, **versions(folder)},
    }
    parts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in result.items()]
    for name, rows in (("intervals", intervals), ("tests", tests)):  # one row per line
        lines = ",\n".join(map(json.dumps, rows))
        parts.append(f'"{name}": [\n{lines}\n]')
    RESULTS.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def write_plan(folder: Path, rounds: Rounds) -> None:
    plan = {"cells": len(CELLS), "slow": rounds.slow, "fitted": rounds.fitted, "seed": SEED}
    (folder / "plan.json").write_text(json.dumps(plan))
    (folder / "plan.csv").write_text("\n".join(["n", *(str(cell.n) for cell in CELLS), ""]))


def run_peers(folder: Path, interpreters: dict[str, str]) -> None:
    """Run the interpreters one after the other, with one thread."""
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for kind, script in (("python", "python_peers.py"), ("r", "r_peers.R")):
        if kind in interpreters:
            subprocess.run([interpreters[kind], HERE / script, folder], check=True, env=one_thread)


def versions(folder: Path) -> dict[str, str]:
    """Read the versions of the packages."""
    packages: dict[str, str] = {}
    if (path := folder / "versions-python.json").exists():
        packages.update(json.loads(path.read_text()))
    if (path := folder / "versions-r.csv").exists():
        packages.update(*csv.DictReader(path.open()))
    return packages


def interval_rows(folder: Path, index: int, rounds: Rounds) -> Iterator[Row]:
    cell, drawn = CELLS[index], np.load(folder / f"cell-{index}.npz")
    ours.check_choice(drawn)
    own = ours.intervals(drawn["pairs"].sum(3), drawn["truth"], drawn["first"], rounds.slow)
    own_bounds, truths = {(ours.NAME, measure): bounds for measure, bounds in own.items()}, ours.truths(cell)
    for (peer, measure), bounds in {**own_bounds, **peer_intervals(folder, index)}.items():
        held = method_coverage(peer, truths[measure], (bounds[:, 0], bounds[:, 0], bounds[:, 1]))
        yield {
            **about(cell),
            "program": peer,
            "measure": measure,
            "truth": round(truths[measure], 5),
            "rounds": held.rounds,
            "given": round(held.given, 5),
            "coverage": number(held.coverage),
            "error": number(held.error),
            "width": number(held.width),
        }


def about(cell: Cell) -> Row:
    return {"n": cell.n, "prevalence": cell.prevalence, "quality": cell.quality}


def number(value: float) -> float | None:
    """Round a number; NaN, which is not JSON, becomes None."""
    return None if math.isnan(value) else round(value, 5)


def peer_intervals(folder: Path, index: int) -> dict[tuple[str, str], Array]:
    bounds: dict[tuple[str, str], Array] = {}
    if (path := folder / f"intervals-python-{index}.npz").exists():
        for key, limits in np.load(path).items():
            peer, _, measure = key.partition("|")
            bounds[peer, measure] = limits
    if columns := r_columns(folder, index):
        for peer, name in R_INTERVALS.items():
            bounds[peer, "auc"] = np.stack([columns[f"{name}_low"], columns[f"{name}_high"]], 1)
    return bounds


def r_columns(folder: Path, index: int) -> dict[str, Array]:
    """Read the output of R; NA becomes NaN."""
    path = folder / f"r-{index}.csv"
    rows = list(csv.DictReader(path.open())) if path.exists() else []
    names = rows[0] if rows else ()
    return {name: np.array([math.nan if row[name] == "NA" else float(row[name]) for row in rows]) for name in names}


def case_tests(folder: Path) -> Iterator[Row]:
    for index, cell in enumerate(CELLS):
        drawn = np.load(folder / f"cell-{index}.npz")
        pvalues = ours.pvalues(*(drawn[name] for name in ("discordant", "truth", "first", "second")))
        pvalues.update(peer_pvalues(folder, str(index)))
        if columns := r_columns(folder, index):
            pvalues.update({peer: columns[name] for peer, name in R_TESTS.items()})
        yield from (test_row("cases", name, values, **about(cell)) for name, values in pvalues.items())


def fold_tests(folder: Path) -> Iterator[Row]:
    for kind in LEARNER_KINDS:
        pvalues = ours.fold_pvalues(np.load(folder / f"folds-{kind}.npz")["values"])
        pvalues.update(peer_pvalues(folder, f"folds-{kind}"))
        yield from (test_row("folds", name, values, learner=kind) for name, values in pvalues.items())


def data_set_tests(folder: Path) -> Iterator[Row]:
    pvalues = ours.data_set_pvalues(np.load(folder / "data-sets.npz")["values"])
    pvalues.update(peer_pvalues(folder, "data-sets"))
    yield from (test_row("data sets", name, values) for name, values in pvalues.items())


def peer_pvalues(folder: Path, part: str) -> dict[str, Array]:
    path = folder / f"tests-python-{part}.npz"
    return dict(np.load(path)) if path.exists() else {}


def test_row(design: str, program: str, pvalues: Array, **setting: Any) -> Row:
    """Return the rejection rate over all samples; a missing p-value is no rejection."""
    rounds = len(pvalues)
    rate = float((pvalues <= ALPHA).mean())
    given = float(np.isfinite(pvalues).mean())
    error = math.sqrt(max(rate * (1 - rate), 1 / rounds) / rounds)
    rates = {"rounds": rounds, "given": round(given, 5), "rejected": round(rate, 5), "error": round(error, 5)}
    return {"design": design, "program": program, **setting, **rates}


if __name__ == "__main__":
    main(dict(argument.split("=", 1) for argument in sys.argv[1:]))
