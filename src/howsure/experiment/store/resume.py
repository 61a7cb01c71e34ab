"""Resume a run: keep what is as it was written, remove the rest, check that the plan is the same, list what is done."""

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
    PART,
    PARTS,
    PLAN,
    SCRATCH,
    SPLITS,
    TASKS_FILE,
    UNLISTED,
    Contents,
    file_digest,
    foreign_names,
    leftovers,
    own_names,
)
from howsure.experiment.store.read import read_plan, read_tasks
from howsure.experiment.store.schema import FORMAT, KEY
from howsure.output import write_whole


def plan_text(plan: ExperimentPlan) -> str:
    return json.dumps({"format": FORMAT, **plan.to_dict()}, indent=2, ensure_ascii=False) + "\n"


def recover(folder: Path, make_text: Callable[[], str]) -> Contents:
    """Make a folder ready for a run of the plan: the one begun there is continued, and what it lost is done again.

    The plan as `plan_text` gives it, which takes time for large data, is made where there is one to compare it with.
    """
    contents = Contents.read(folder, lenient=True)
    states, gaps = contents.states(), contents.gaps()
    if states.get(PLAN) is None:
        _refuse_strangers(folder)
    elif states[PLAN] in (CHANGED, MISSING):
        _restore_plan(contents, make_text())
    elif states[PLAN] == UNLISTED:  # the list was damaged, and the plan is checked below
        contents.add(PLAN, file_digest(folder / PLAN))
    if (folder / PLAN).exists():  # first of all: nothing is removed for an experiment that does not belong here
        _check_same_plan(contents, make_text())
    _remove_leftovers(folder)
    lost = [*_remove_damaged(contents, states), *gaps]
    contents = contents.tidy()
    if lost:
        warnings.warn(
            f"{str(folder)!r} was damaged: {listing(lost)} cannot be used; what is lost is done again.", stacklevel=2
        )
    return contents


def _refuse_strangers(folder: Path) -> None:
    """Refuse to begin a run in a folder that holds something else."""
    stray = [name for name in foreign_names(folder) if not name.startswith(".")]
    stray += [name for name in own_names(folder) if not name.startswith(f"{SPLITS}/")]
    if stray:
        raise HowsureError(f"{str(folder)!r} holds {listing(stray)} and no plan; give an empty folder.")


def _restore_plan(contents: Contents, text: str) -> None:
    """Write a plan again that was damaged or removed, where this one is the same to the letter; or list it again."""
    path, content = contents.folder / PLAN, text.encode()
    listed, digest = contents.digests, sha256(content).hexdigest()
    if digest in listed[PLAN]:
        write_whole(path, content.decode())
    elif path.exists() and path.read_bytes() == content:  # it was the list that was damaged
        contents.add(PLAN, digest)
    elif any(not name.startswith(f"{SPLITS}/") for name in listed if name != PLAN):
        raise HowsureError(
            f"{str(contents.folder / PLAN)!r} was damaged, and is not the plan of this experiment with these versions "
            "of the libraries; put the file back, or give another folder."
        )
    else:  # nothing was done yet
        (contents.folder / PLAN).unlink(missing_ok=True)


def _remove_leftovers(folder: Path) -> None:
    """Remove what a killed run had not put in place."""
    shutil.rmtree(folder / SCRATCH, ignore_errors=True)
    (folder / SCRATCH).mkdir()
    (folder / PARTS).mkdir(exist_ok=True)
    for path in leftovers(folder):
        path.unlink()


def _remove_damaged(contents: Contents, states: dict[str, str]) -> list[str]:
    """Remove the files of ours that cannot be used, and name them."""
    unusable = [name for name, state in states.items() if state not in (INTACT, MISSING) and name != PLAN]
    for name in unusable:
        if name != LIST:  # which is written anew
            (contents.folder / name).unlink()
    return unusable


def _check_same_plan(contents: Contents, text: str) -> None:
    """Refuse a folder of another plan; warn where the libraries have other versions than when the run was begun."""
    folder, stored = contents.folder, read_plan(contents.folder, contents)
    current = json.loads(text)
    before, now = ({"howsure": one.pop("howsure", None), **one.pop("environment", {})} for one in (stored, current))
    changes = differences(stored, current)
    if changes:
        raise HowsureError(
            f"{str(folder)!r} holds another experiment: {'; '.join(changes[:6])}"
            f"{f'; and {len(changes) - 6} more' if len(changes) > 6 else ''}. Give another folder, or the same plan."
        )
    if before != now:
        versions = "; ".join(differences(before, now))
        warnings.warn(f"this run was begun with other versions: {versions}. Results may differ.", stacklevel=2)


def finished_tasks(contents: Contents, plan: ExperimentPlan, *, failed: bool = True) -> set[Task]:
    """List the tasks that need not be done again; ``failed`` ones are done unless they are to be tried again."""
    if not any(name == TASKS_FILE or PART.fullmatch(name) for name in contents.names()):
        return set()  # without a database, which takes longer to load than many tasks to do
    rows = read_tasks(contents.folder, read_plan(contents.folder, contents))
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
