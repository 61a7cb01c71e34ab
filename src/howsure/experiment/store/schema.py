"""The columns of the files in a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

FORMAT = 1  # the version of the folder's format, stored in plan.json
KEY = ("dataset", "learner", "split")
FACTS = {  # facts about the model, which are the same in every run
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
PROFILE = {**dict.fromkeys(RESOURCES, "DOUBLE"), "warnings": "VARCHAR"}  # values that may differ between runs
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
ROLES = ("test", "train", "validation")  # possible roles of a row in a split
GROUP = "group"  # column with the group of a row, if the cases are grouped


def score_names(labels: Sequence[Any]) -> list[str]:
    """Return a column name for each label, unique without regard to case."""
    names: list[str] = []
    for number, label in enumerate(labels, start=1):
        name = f"score {label}"
        while name.lower() in map(str.lower, names):
            name = f"{name} ({number})"
        names.append(name)
    return names
