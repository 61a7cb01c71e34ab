"""The resources of each learner: time, memory, and the size and complexity of its models."""

from __future__ import annotations

import numpy as np

from howsure.experiment.store.stored_experiment import StoredExperiment
from howsure.present.quantity import show
from howsure.present.sheet import Record, Sheet

COLUMNS = {  # columns and their titles; the CPU time of prediction is not shown
    "fit_seconds": "training",
    "fit_cpu_seconds": "its CPU time",
    "predict_seconds": "prediction",
    "peak_memory_bytes": "memory",
    "model_bytes": "model",
    "training_error": "training error",
}


def resource_records(stored: StoredExperiment) -> list[Record]:
    """Return a record for each data set and learner, in seconds and bytes."""
    return [
        {"dataset": dataset, "learner": learner, **resources(stored, learner, dataset)}
        for dataset in stored.datasets
        for learner in stored.learners
    ]


def resources(stored: StoredExperiment, learner: str, dataset: str) -> Record:
    """Return means over a learner's tasks, and the peak memory."""
    tasks = stored.tasks_of(learner, dataset)
    done = tasks["failure"] == ""
    record: Record = {}
    for column in (*COLUMNS, "depth", "complexity"):
        values = np.asarray(tasks[column], float)[done]
        finite = values[np.isfinite(values)]
        summary = np.max if column == "peak_memory_bytes" else np.mean
        record[column] = float(summary(finite)) if len(finite) else np.nan
    kinds = [str(kind) for kind in tasks["complexity_of"][done] if kind]
    return {**record, "complexity_of": kinds[0] if kinds else ""}


def profile_sheet(stored: StoredExperiment) -> Sheet:
    """Return a table of the resources in readable units."""
    rows = []
    for record in resource_records(stored):
        dataset = {"data set": record["dataset"]} if len(stored.datasets) > 1 else {}
        readable = {title: show(name, record[name]) for name, title in COLUMNS.items()}
        rows.append({**dataset, "learner": record["learner"], **readable, "complexity": _complexity(record)})
    return Sheet.of(rows, "means over splits; memory: largest increase during a fit")


def _complexity(record: Record) -> str:
    """Return the complexity of a model in words: "15.4 leaves, depth 5"."""
    size, depth = record["complexity"], record["depth"]
    text = "" if np.isnan(size) else f"{size:.4g} {record['complexity_of']}"
    return text if np.isnan(depth) else f"{text}, depth {depth:.3g}"
