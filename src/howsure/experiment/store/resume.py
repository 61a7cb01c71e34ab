"""Resume a run: compare the plan, remove damaged files, and find the tasks that are finished."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np

from howsure.errors import HowsureError, listing
from howsure.experiment.plan.describe import differences
from howsure.experiment.plan.plan import ExperimentPlan
from howsure.experiment.run.task import Task
from howsure.experiment.store.contents import (
    CHANGED,
    INTACT,
    LIST,
    MISSING,
    PARTS,
    PLAN,
    SCRATCH,
    SPLITS,
    UNLISTED,
    Contents,
    file_digest,
    foreign_names,
    own_names,
    temporary_files,
)
from howsure.experiment.store.read import read_plan, read_tasks
from howsure.experiment.store.schema import FORMAT, KEY
from howsure.output import write_whole


def plan_text(plan: ExperimentPlan) -> str:
    return json.dumps({"format": FORMAT, **plan.to_dict()}, indent=2, ensure_ascii=False) + "\n"


def recover(folder: Path, make_text: Callable[[], str]) -> Contents:
    """Compare the plan of a folder, and remove damaged files.

    ``make_text`` returns the text of the plan; this takes time for large data, so it is called only when needed.
    """
    contents = Contents.read(folder, lenient=True)
    states, lost_files = contents.states(), contents.lost_files()
    if states.get(PLAN) is None:
        _refuse_other_files(folder)
    elif states[PLAN] in (CHANGED, MISSING):
        _restore_plan(contents, make_text())
    elif states[PLAN] == UNLISTED:  # the list was damaged; the plan is checked below
        contents.add(PLAN, file_digest(folder / PLAN))
    if (folder / PLAN).exists():  # check this before anything is removed
        _check_same_plan(contents, make_text())
    _remove_temporary_files(folder)
    lost = [*_remove_damaged(contents, states), *lost_files]
    contents = contents.tidy()
    if lost:
        warnings.warn(
            f"{str(folder)!r} was damaged: {listing(lost)} cannot be used; the tasks that were lost are repeated.",
            stacklevel=2,
        )
    return contents


def _refuse_other_files(folder: Path) -> None:
    """Raise an error if the folder for a new run holds other files."""
    other_files = [name for name in foreign_names(folder) if not name.startswith(".")]
    other_files += [name for name in own_names(folder) if not name.startswith(f"{SPLITS}/")]
    if other_files:
        raise HowsureError(f"{str(folder)!r} holds {listing(other_files)} but no plan; give an empty folder.")


def _restore_plan(contents: Contents, text: str) -> None:
    """Restore a damaged plan if this experiment's plan has the same bytes."""
    path, content = contents.folder / PLAN, text.encode()
    listed, digest = contents.digests, sha256(content).hexdigest()
    if digest in listed[PLAN]:
        write_whole(path, content.decode())
    elif path.exists() and path.read_bytes() == content:  # only the list was damaged
        contents.add(PLAN, digest)
    elif any(not name.startswith(f"{SPLITS}/") for name in listed if name != PLAN):
        raise HowsureError(
            f"{str(contents.folder / PLAN)!r} was damaged, and it was not the plan of this experiment with these "
            "library versions; restore the file, or give another folder."
        )
    else:  # no task was finished yet
        (contents.folder / PLAN).unlink(missing_ok=True)


def _remove_temporary_files(folder: Path) -> None:
    """Remove the temporary files of a killed run."""
    shutil.rmtree(folder / SCRATCH, ignore_errors=True)
    (folder / SCRATCH).mkdir()
    (folder / PARTS).mkdir(exist_ok=True)
    for path in temporary_files(folder):
        path.unlink()


def _remove_damaged(contents: Contents, states: dict[str, str]) -> list[str]:
    """Remove the damaged files of the run, and return their names."""
    unusable = [name for name, state in states.items() if state not in (INTACT, MISSING) and name != PLAN]
    for name in unusable:
        if name != LIST:  # the list is written again
            (contents.folder / name).unlink()
    return unusable


def _check_same_plan(contents: Contents, text: str) -> None:
    """Reject a folder with another plan; warn about other library versions."""
    folder, stored = contents.folder, read_plan(contents.folder, contents)
    current = json.loads(text)
    before, now = ({"howsure": plan.pop("howsure", None), **plan.pop("environment", {})} for plan in (stored, current))
    changes = differences(stored, current)
    if changes:
        raise HowsureError(
            f"{str(folder)!r} holds another experiment: {'; '.join(changes[:6])}"
            f"{f'; and {len(changes) - 6} more' if len(changes) > 6 else ''}. Give another folder, or the same plan."
        )
    if before != now:
        versions = "; ".join(differences(before, now))
        warnings.warn(f"this run was started with other versions: {versions}. Results may differ.", stacklevel=2)


def finished_tasks(contents: Contents, plan: ExperimentPlan, *, failed: bool = True) -> set[Task]:
    """Return the finished tasks, including failed tasks if ``failed``."""
    if not (contents.folder / PLAN).exists():
        return set()
    rows = read_tasks(contents.folder, read_plan(contents.folder, contents))
    finished_rows = np.flatnonzero((rows["failure"] == "") | failed)
    dataset = {name: number for number, name in enumerate(plan.datasets)}
    learner = {name: number for number, name in enumerate(plan.learners)}
    finished = {
        (dataset[names[0]], learner[names[1]], names[2])
        for names in zip(*(rows[key][finished_rows].tolist() for key in KEY), strict=True)
    }
    return {
        task for task in plan.tasks() if all((task.dataset, task.learner, split) in finished for split in task.splits)
    }
