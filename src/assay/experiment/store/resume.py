"""Resume a run: check that the folder holds the same plan, remove what a killed run left, and list what is done."""

from __future__ import annotations

import json
import os
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import AssayError, listing
from assay.experiment.plan.describe import differences
from assay.experiment.plan.plan import ExperimentPlan
from assay.experiment.run.task import Task
from assay.experiment.store.read import read_plan, read_tasks
from assay.experiment.store.schema import KEY


def has_plan(folder: Path) -> bool:
    """Whether a run was begun in the folder; one that holds something else is refused."""
    if (folder / "plan.json").exists():
        return True
    stray = [name for name in os.listdir(folder) if not name.startswith(".") and name != "splits"]
    if stray:
        raise AssayError(f"{str(folder)!r} holds {listing(stray)} and no plan; give an empty folder.")
    return False


def check_same_plan(folder: Path, plan: ExperimentPlan) -> None:
    """Refuse a folder of another plan; warn where the libraries have other versions than when the run was begun."""
    stored = read_plan(folder)
    current = _without_later_keys(json.loads(json.dumps(plan.to_dict())), stored)
    before, now = stored.pop("environment", {}), current.pop("environment", {})
    changes = differences(stored, current)
    if changes:
        raise AssayError(
            f"{str(folder)!r} holds another experiment: {'; '.join(changes[:6])}"
            f"{f'; and {len(changes) - 6} more' if len(changes) > 6 else ''}. Give another folder, or the same plan."
        )
    if before != now:
        versions = "; ".join(differences(before, now))
        warnings.warn(f"this run was begun with other versions: {versions}. Results may differ.", stacklevel=2)


def _without_later_keys(current: dict[str, Any], stored: dict[str, Any]) -> dict[str, Any]:
    """Leave out of a plan what an earlier version did not write, so that a run begun with it can be continued.

    The number of columns was not stored at first; the fingerprint of the data covers it there.
    """
    for name, dataset in current["datasets"].items():
        if "columns" not in stored["datasets"].get(name, dataset):
            del dataset["columns"]
    return current


def remove_leftovers(folder: Path, scratch: Path) -> None:
    """Remove what a killed run left half done."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    (folder / "parts").mkdir(exist_ok=True)
    for path in (folder / "parts").iterdir():
        tasks = path.with_name(path.name.replace(".predictions.", ".tasks."))
        if path.name.startswith(".") or not tasks.exists():
            path.unlink()
    for pattern in (".*.parquet.*", "predictions/.*", "splits/.*", ".plan.json.*"):
        for path in folder.glob(pattern):
            path.unlink()


def finished_tasks(folder: Path, plan: ExperimentPlan, *, failed: bool = True) -> set[Task]:
    """List the tasks that need not be done again; ``failed`` ones are done unless they are to be tried again."""
    rows = read_tasks(folder)
    counted = np.flatnonzero((rows["failure"] == "") | failed)
    dataset = {name: number for number, name in enumerate(plan.datasets)}
    learner = {name: number for number, name in enumerate(plan.learners)}
    finished = {
        (dataset[names[0]], learner[names[1]], names[2])
        for names in zip(*(rows[key][counted].tolist() for key in KEY), strict=True)
    }
    return {
        task for task in plan.tasks() if all((task.dataset, task.learner, split) in finished for split in task.splits)
    }
