"""The columns of the files in an experiment's folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

FORMAT = 1  # of the folder, as plan.json has it
KEY = ("dataset", "learner", "split")
FACTS = {  # of the model; the same in every run
    "training_error": "DOUBLE",
    "complexity": "DOUBLE",
    "complexity_of": "VARCHAR",
    "depth": "DOUBLE",
    "chosen": "VARCHAR",
}
RESOURCES = (
    "fit_seconds",
    "fit_cpu_seconds",
    "predict_seconds",
    "predict_cpu_seconds",
    "peak_memory_bytes",
    "model_bytes",
)
PROFILE = {**dict.fromkeys(RESOURCES, "DOUBLE"), "warnings": "VARCHAR"}  # what may differ from run to run
TASK = {
    "dataset": "VARCHAR",
    "learner": "VARCHAR",
    "split": "INTEGER",
    "repeat": "INTEGER",
    "fold": "INTEGER",
    "failure": "VARCHAR",
    "score_kind": "VARCHAR",
    **FACTS,
}
ROLES = ("test", "train", "validation")  # of a row in a split
GROUP = "group"  # of a row in a split, where cases belong together


def score_names(labels: Sequence[Any]) -> list[str]:
    """Names of the columns of scores, one for each label; for DuckDB those that differ in case alone are the same."""
    names: list[str] = []
    for number, label in enumerate(labels, start=1):
        name = f"score {label}"
        while name.lower() in map(str.lower, names):
            name = f"{name} ({number})"
        names.append(name)
    return names
