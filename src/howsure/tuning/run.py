"""Experiments on one data set, for functions that refit a learner many times."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from howsure.checks import check_path
from howsure.experiment import Dataset, Experiment, ExperimentResult
from howsure.resampling.fit import fit_rows, fresh

Folder = str | os.PathLike[str] | None
DATA = "data"


@dataclass(frozen=True)
class Run:
    """A data set and the options for running experiments on it."""

    data: Dataset
    seed: int = 0
    folder: Folder = None
    n_jobs: int | None = None
    progress: bool = False

    @classmethod
    def of(cls, cases: tuple[Any, ...], seed: int, folder: Folder, n_jobs: int | None, progress: bool) -> Run:
        """Read (X, y) or (X, y, groups)."""
        if folder is not None:
            check_path("folder", folder)
        return cls(Dataset.of(cases, DATA), seed, folder, n_jobs, progress)

    def experiment(self, learners: Mapping[str, Any], resampling: Any = None, **options: Any) -> Experiment:
        return Experiment(learners, {DATA: self.data}, resampling, self.seed, **options)

    def results(self, experiment: Experiment, *subfolders: str) -> ExperimentResult:
        """Run an experiment, in a subfolder if there is a folder."""
        path = None if self.folder is None else Path(self.folder, *subfolders)
        return experiment.run(path, n_jobs=self.n_jobs, progress=self.progress)

    def fit_on_all(self, learner: Any) -> Any:
        """Fit a copy of the learner to all cases."""
        return fit_rows(fresh(learner, self.seed), self.data.X, self.data.y)
