"""How often intervals of other programs hold the truth, and how often their tests find what is not there.

``python -m benchmarks.peer_intervals python=ENV/bin/python r=Rscript`` draws samples from populations whose truth is
known, lets Howsure and every program that is installed there speak of the same samples by its defaults, and writes
benchmarks/peer_intervals.json, of which ``make docs/evidence/coverage.md`` makes tables.
With ``folder=FOLDER`` what the programs said is kept there, and ``folder=FOLDER`` alone asks only Howsure again.
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
from howsure.lab.interval_coverage import judged

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
    """Judge what every program said of the samples, Howsure among them."""
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
    for name, rows in (("intervals", intervals), ("tests", tests)):  # a row of the table is a line of the file
        lines = ",\n".join(map(json.dumps, rows))
        parts.append(f'"{name}": [\n{lines}\n]')
    RESULTS.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def write_plan(folder: Path, rounds: Rounds) -> None:
    plan = {"cells": len(CELLS), "slow": rounds.slow, "fitted": rounds.fitted, "seed": SEED}
    (folder / "plan.json").write_text(json.dumps(plan))
    (folder / "plan.csv").write_text("\n".join(["n", *(str(cell.n) for cell in CELLS), ""]))


def run_peers(folder: Path, interpreters: dict[str, str]) -> None:
    """Let each interpreter work, one after the other and with one thread."""
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for kind, script in (("python", "python_peers.py"), ("r", "r_peers.R")):
        if kind in interpreters:
            subprocess.run([interpreters[kind], HERE / script, folder], check=True, env=one_thread)


def versions(folder: Path) -> dict[str, str]:
    """Read which versions the interpreters say they called."""
    found: dict[str, str] = {}
    if (told := folder / "versions-python.json").exists():
        found.update(json.loads(told.read_text()))
    if (told := folder / "versions-r.csv").exists():
        found.update(*csv.DictReader(told.open()))
    return found


def interval_rows(folder: Path, index: int, rounds: Rounds) -> Iterator[Row]:
    cell, drawn = CELLS[index], np.load(folder / f"cell-{index}.npz")
    ours.check_choice(drawn)
    made = ours.intervals(drawn["pairs"].sum(3), drawn["truth"], drawn["first"], rounds.slow)
    every, truths = {(ours.NAME, measure): both for measure, both in made.items()}, ours.truths(cell)
    for (peer, measure), both in {**every, **peer_intervals(folder, index)}.items():
        held = judged(peer, truths[measure], (both[:, 0], both[:, 0], both[:, 1]))
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
    """NaN is no JSON."""
    return None if math.isnan(value) else round(value, 5)


def peer_intervals(folder: Path, index: int) -> dict[tuple[str, str], Array]:
    found: dict[tuple[str, str], Array] = {}
    if (made := folder / f"intervals-python-{index}.npz").exists():
        for key, both in np.load(made).items():
            peer, _, measure = key.partition("|")
            found[peer, measure] = both
    if columns := r_columns(folder, index):
        for peer, name in R_INTERVALS.items():
            found[peer, "auc"] = np.stack([columns[f"{name}_low"], columns[f"{name}_high"]], 1)
    return found


def r_columns(folder: Path, index: int) -> dict[str, Array]:
    """Read what R wrote; NA is NaN."""
    path = folder / f"r-{index}.csv"
    rows = list(csv.DictReader(path.open())) if path.exists() else []
    names = rows[0] if rows else ()
    return {name: np.array([math.nan if row[name] == "NA" else float(row[name]) for row in rows]) for name in names}


def case_tests(folder: Path) -> Iterator[Row]:
    for index, cell in enumerate(CELLS):
        drawn = np.load(folder / f"cell-{index}.npz")
        found = ours.pvalues(*(drawn[name] for name in ("discordant", "truth", "first", "second")))
        found.update(peer_pvalues(folder, str(index)))
        if columns := r_columns(folder, index):
            found.update({peer: columns[name] for peer, name in R_TESTS.items()})
        yield from (test_row("cases", name, values, **about(cell)) for name, values in found.items())


def fold_tests(folder: Path) -> Iterator[Row]:
    for kind in LEARNER_KINDS:
        found = ours.fold_pvalues(np.load(folder / f"folds-{kind}.npz")["values"])
        found.update(peer_pvalues(folder, f"folds-{kind}"))
        yield from (test_row("folds", name, values, learner=kind) for name, values in found.items())


def data_set_tests(folder: Path) -> Iterator[Row]:
    found = ours.data_set_pvalues(np.load(folder / "data-sets.npz")["values"])
    found.update(peer_pvalues(folder, "data-sets"))
    yield from (test_row("data sets", name, values) for name, values in found.items())


def peer_pvalues(folder: Path, part: str) -> dict[str, Array]:
    path = folder / f"tests-python-{part}.npz"
    return dict(np.load(path)) if path.exists() else {}


def test_row(design: str, program: str, pvalues: Array, **setting: Any) -> Row:
    """Say how often a test rejects, of all samples: one without a p-value rejects nothing."""
    rounds = len(pvalues)
    rate = float((pvalues <= ALPHA).mean())
    given = float(np.isfinite(pvalues).mean())
    error = math.sqrt(max(rate * (1 - rate), 1 / rounds) / rounds)
    told = {"rounds": rounds, "given": round(given, 5), "rejected": round(rate, 5), "error": round(error, 5)}
    return {"design": design, "program": program, **setting, **told}


if __name__ == "__main__":
    main(dict(argument.split("=", 1) for argument in sys.argv[1:]))
