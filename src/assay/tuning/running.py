"""Run an experiment in a part of a folder, or in one that goes when its result is forgotten."""

from __future__ import annotations

import os
from pathlib import Path

from assay.experiment import Experiment, ExperimentResult

Folder = str | os.PathLike[str] | None


def run(
    experiment: Experiment, folder: Folder, *parts: str, n_jobs: int | None = None, progress: bool = False
) -> ExperimentResult:
    place = None if folder is None else Path(folder, *parts)
    return experiment.run(place, n_jobs=n_jobs, progress=progress)
