"""Logs of model evaluations on the command line: a file that is one needs no columns to be named."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from howsure.errors import HowsureError

if TYPE_CHECKING:
    from howsure.data.read.logs import EvaluationLog


def is_evaluation_log(files: Sequence[str], choice: Mapping[str, str | None]) -> bool:
    """Whether the files are logs; options of logs are for nothing else."""
    from howsure.data.read.logs import is_log

    known = [is_log(path) for path in files if path != "-"]
    if known and all(known):
        return True
    given = [f"--{name}" for name, value in choice.items() if value is not None]
    if given:
        raise HowsureError(
            f"`{given[0]}` is for the log of a model evaluation, and {files[known.index(False)]!r} is none."
        )
    return False


def read_logs(files: Sequence[str], choice: Mapping[str, str | None], most: int = 1) -> list[EvaluationLog]:
    """Read logs; ``most`` is how many the command takes."""
    from howsure.data.read.logs import read_log

    if len(files) > most:
        raise HowsureError(f"`FILE` must be one log here, not {len(files)}; `howsure compare` takes several.")
    scorer, metric, filter_name, missing = (choice[name] for name in ("scorer", "metric", "filter", "missing"))
    return [read_log(path, scorer, metric, filter_name, missing=missing) for path in files]


def names_of_logs(files: Sequence[str], logs: Sequence[EvaluationLog]) -> list[str]:
    """Name models; where two logs are of one model, by their files."""
    models = [log.model for log in logs]
    if all(models) and len(set(models)) == len(models):
        return models
    stems = [os.path.splitext(os.path.basename(path))[0] for path in files]
    return stems if len(set(stems)) == len(stems) else list(files)
