"""Outcomes and splits as columns, the form in which files keep them."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.experiment.plan.plan import Plan
from assay.experiment.run.task import Outcome
from assay.experiment.store.reading import COSTS, FACTS, ROLES, score_names

Columns = tuple[dict[str, Any], dict[str, Any]]  # columns, and for those that hold places, the values these stand for


def prediction_columns(plan: Plan, place: int, outcomes: list[Outcome]) -> Columns | None:
    """Columns of predictions, and the labels that codes in them stand for; None without any."""
    if not outcomes:
        return None
    dataset = list(plan.datasets.values())[place]
    entries, learners = plan.splits[place].entries, list(plan.learners)
    places = [(outcome, split) for outcome in outcomes for split in outcome.task.splits]
    sizes = [len(entries[split].test) for _, split in places]
    rows = np.concatenate([entries[split].test for _, split in places])

    def each(values: list[int]) -> Any:
        return np.repeat(np.array(values, np.int32), sizes)

    columns: dict[str, Any] = {
        "learner": each([outcome.task.learner for outcome, _ in places]),
        "split": each([split for _, split in places]),
        "repeat": each([entries[split].repeat + 1 for _, split in places]),
        "fold": each([entries[split].fold + 1 for _, split in places]),
        "row": rows.astype(np.int64),
        "truth": dataset.codes[rows].astype(np.int32),
        "predicted": np.concatenate([outcome.predicted for outcome in outcomes]),
    }
    k = len(dataset.labels)
    cases = [sum(len(entries[split].test) for split in outcome.task.splits) for outcome in outcomes]
    scores = [
        np.full((n, k), np.nan) if outcome.scores is None else outcome.scores
        for n, outcome in zip(cases, outcomes, strict=True)
    ]
    for code, name in enumerate(score_names(dataset.labels)):
        columns[name] = np.concatenate([one[:, code] for one in scores])
    return columns, {"learner": learners, "truth": list(dataset.labels), "predicted": list(dataset.labels)}


def task_columns(plan: Plan, place: int, outcomes: list[Outcome]) -> Columns:
    """Columns of finished tasks, with a row for each split."""
    entries = plan.splits[place].entries
    rows = [(outcome, split) for outcome in outcomes for split in outcome.task.splits]
    columns: dict[str, Any] = {
        "dataset": np.zeros(len(rows), np.int32),
        "learner": np.array([outcome.task.learner for outcome, _ in rows], np.int32),
        "split": np.array([split for _, split in rows], np.int32),
        "repeat": np.array([entries[split].repeat + 1 for _, split in rows], np.int32),
        "fold": np.array([entries[split].fold + 1 for _, split in rows], np.int32),
        "failure": np.array([one_string(outcome.failure) for outcome, _ in rows], object),
        "score_kind": np.array([outcome.score_kind for outcome, _ in rows], object),
    }
    for kinds, part in ((FACTS, "facts"), (COSTS, "costs")):
        for name, kind in kinds.items():
            empty = "" if kind == "VARCHAR" else np.nan
            held = [getattr(outcome, part).get(name, empty) for outcome, _ in rows]
            columns[name] = np.array(held, object if kind == "VARCHAR" else float)
    columns["warnings"] = np.array([one_string(outcome.warnings) for outcome, _ in rows], object)
    return columns, {"dataset": [list(plan.datasets)[place]], "learner": list(plan.learners)}


def one_string(text: str) -> str:
    """Keep what a learner said to what a file can hold: no lone surrogates, and not without end."""
    return text.encode("utf-8", "replace").decode()[:10_000].replace("\0", "")


def split_columns(plan: Plan, place: int) -> Columns:
    """Columns of the rows of every split by their role; where no training rows are given, all other rows train."""
    columns: dict[str, list[Any]] = {"split": [], "repeat": [], "fold": [], "role": [], "row": []}
    for number, entry in enumerate(plan.splits[place].entries):
        for role, rows in enumerate((entry.test, entry.train, entry.validation)):
            if rows is not None:
                told = (number, entry.repeat + 1, entry.fold + 1, role)
                for name, value in zip(columns, told, strict=False):
                    columns[name].append(np.full(len(rows), value, np.int32))
                columns["row"].append(rows.astype(np.int64))
    return {name: np.concatenate(held) for name, held in columns.items()}, {"role": list(ROLES)}
