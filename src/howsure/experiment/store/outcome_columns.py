"""Columns of the files for outcomes and splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.data.encode import encode
from howsure.experiment.plan.plan import ExperimentPlan
from howsure.experiment.run.task import Outcome
from howsure.experiment.store.schema import FACTS, GROUP, RESOURCES, ROLES, score_names

Columns = tuple[dict[str, Any], dict[str, Any]]  # columns, and the labels of columns that hold positions


def prediction_columns(plan: ExperimentPlan, dataset: int, outcomes: list[Outcome]) -> Columns | None:
    """Return the columns of predictions, or None if there are none."""
    if not outcomes:
        return None
    data = list(plan.datasets.values())[dataset]
    entries, learners = plan.splits[dataset].entries, list(plan.learners)
    pairs = [(outcome, split) for outcome in outcomes for split in outcome.task.splits]
    sizes = [len(entries[split].test) for _, split in pairs]
    rows = np.concatenate([entries[split].test for _, split in pairs])

    def by_row(values: list[int]) -> Any:
        return np.repeat(np.array(values, np.int32), sizes)

    columns: dict[str, Any] = {
        "learner": by_row([outcome.task.learner for outcome, _ in pairs]),
        "split": by_row([split for _, split in pairs]),
        "repeat": by_row([entries[split].repeat + 1 for _, split in pairs]),
        "fold": by_row([entries[split].fold + 1 for _, split in pairs]),
        "row": rows.astype(np.int64),
        "truth": data.codes[rows].astype(np.int32),
        "predicted": np.concatenate([outcome.predicted for outcome in outcomes]),
    }
    k = len(data.labels)
    cases = [sum(len(entries[split].test) for split in outcome.task.splits) for outcome in outcomes]
    scores = [
        np.full((n, k), np.nan) if outcome.scores is None else outcome.scores
        for n, outcome in zip(cases, outcomes, strict=True)
    ]
    for code, name in enumerate(score_names(data.labels)):
        columns[name] = np.concatenate([table[:, code] for table in scores])
    return columns, {"learner": learners, "truth": list(data.labels), "predicted": list(data.labels)}


def task_columns(plan: ExperimentPlan, outcomes: list[Outcome]) -> Columns:
    """Return the columns of finished tasks, with a row for each split."""
    rows = [(outcome, split) for outcome in outcomes for split in outcome.task.splits]
    entries = [plan.splits[outcome.task.dataset].entries[split] for outcome, split in rows]
    columns: dict[str, Any] = {
        "dataset": np.array([outcome.task.dataset for outcome, _ in rows], np.int32),
        "learner": np.array([outcome.task.learner for outcome, _ in rows], np.int32),
        "split": np.array([split for _, split in rows], np.int32),
        "repeat": np.array([entry.repeat + 1 for entry in entries], np.int32),
        "fold": np.array([entry.fold + 1 for entry in entries], np.int32),
        "failure": np.array([_storable(outcome.failure) for outcome, _ in rows], object),
        "score_kind": np.array([outcome.score_kind for outcome, _ in rows], object),
    }
    for name, kind in FACTS.items():
        text = kind == "VARCHAR"
        values = [outcome.facts.get(name, "" if text else np.nan) for outcome, _ in rows]
        columns[name] = np.array(values, object if text else float)
    for name in RESOURCES:
        columns[name] = np.array([outcome.resources.get(name, np.nan) for outcome, _ in rows], float)
    columns["warnings"] = np.array([_storable(outcome.warnings) for outcome, _ in rows], object)
    return columns, {"dataset": list(plan.datasets), "learner": list(plan.learners)}


def _storable(text: str) -> str:
    """Shorten a message and replace characters that a file cannot hold."""
    return text.encode("utf-8", "replace").decode()[:10_000].replace("\0", "")


def split_columns(plan: ExperimentPlan, dataset: int) -> Columns:
    """Return the columns of the splits: one row for each case, with its role.

    Training rows are left out if they are simply all other rows. If the data set has groups, each row also has the
    number of its group.
    """
    pieces = [
        (number, entry.repeat + 1, entry.fold + 1, role, rows)
        for number, entry in enumerate(plan.splits[dataset].entries)
        for role, rows in enumerate((entry.test, entry.train, entry.validation))
        if rows is not None
    ]
    *values, every_rows = zip(*pieces, strict=True)
    sizes = [len(rows) for rows in every_rows]
    arrays: dict[str, Any] = {
        name: np.repeat(np.array(column, np.int32), sizes)
        for name, column in zip(("split", "repeat", "fold", "role"), values, strict=True)
    }
    arrays["row"] = np.concatenate(every_rows).astype(np.int64)
    groups = list(plan.datasets.values())[dataset].groups
    if groups is not None:
        arrays[GROUP] = encode(groups, "groups").codes[arrays["row"]].astype(np.int32)
    return arrays, {"role": list(ROLES)}
