"""Logs of model evaluations as input for commands; they need no column names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from howsure.errors import HowsureError

if TYPE_CHECKING:
    from howsure.data.read.logs import EvaluationLog


def is_evaluation_log(files: Sequence[str], choice: Mapping[str, str | None]) -> bool:
    """Return whether the files are logs, as the options in ``choice`` require."""
    from howsure.data.read.logs import is_log

    are_logs = [is_log(path) for path in files if path != "-"]
    if are_logs and all(are_logs):
        return True
    options = [f"--{name}" for name, value in choice.items() if value is not None]
    if options:
        other = files[are_logs.index(False)]
        raise HowsureError(f"`{options[0]}` is for logs of model evaluations, but {other!r} is not a log.")
    return False


def read_logs(files: Sequence[str], choice: Mapping[str, str | None], most: int = 1) -> list[EvaluationLog]:
    """Read at most ``most`` logs."""
    from howsure.data.read.logs import read_log

    if len(files) > most:
        raise HowsureError(f"`FILE` must be one log, not {len(files)}; use `howsure compare` for several.")
    scorer, metric, filter_name, missing = (choice[name] for name in ("scorer", "metric", "filter", "missing"))
    return [read_log(path, scorer, metric, filter_name, missing=missing) for path in files]


def names_of_logs(files: Sequence[str], logs: Sequence[EvaluationLog]) -> list[str]:
    """Name logs after their models, or after their files."""
    models = [log.model for log in logs]
    if all(models) and len(set(models)) == len(models):
        return models
    stems = [os.path.splitext(os.path.basename(path))[0] for path in files]
    return stems if len(set(stems)) == len(stems) else list(files)
