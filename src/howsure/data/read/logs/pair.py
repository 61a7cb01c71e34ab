"""Several logs of one task, row by row of the same sample and epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import is_a, one_of
from howsure.data.read.column_names import shorten
from howsure.data.read.logs.log import EvaluationLog
from howsure.errors import HowsureError, agree, counted, listing

Key = tuple[Any, int]


@dataclass(frozen=True, slots=True, eq=False)
class PairedLogs:
    """Logs whose rows are of the same samples and epochs, in the order of the first; ``notes`` are to be shown."""

    logs: tuple[EvaluationLog, ...]
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.logs[0])

    @property
    def case(self) -> Array:
        return self.logs[0].case

    @property
    def repeat(self) -> Array:
        return self.logs[0].repeat

    @property
    def scores(self) -> Floats:
        """Give the scores, a column for each log, with NaN where an answer is left out."""
        return np.stack([log.score for log in self.logs], axis=1)

    @property
    def complete(self) -> Array:
        """Say for each row whether all logs have a score."""
        return np.asarray(np.isfinite(self.scores).all(axis=1))


def pair_logs(*logs: EvaluationLog, common: bool = False) -> PairedLogs:
    """Put logs together by sample and epoch, in whatever order each has them.

    What one has and another lacks is refused, with the names of the first few; ``common`` keeps what all have and
    says how many rows that leaves out.
    """
    one_of("common", common, (True, False))
    if len(logs) < 2:
        raise HowsureError(f"`logs` must be two logs or more, not {len(logs)}.")
    for log in logs:
        is_a("logs", log, EvaluationLog, "logs that `read_log` gave")
    keys = _keys(logs)
    rows = [{key: row for row, key in enumerate(some)} for some in keys]
    shared = set(keys[0]).intersection(*keys[1:])
    lost = [len(some) - len(shared) for some in keys]
    notes: list[str] = []
    if any(lost):
        if not common or not shared:
            raise HowsureError(_lacking(logs, keys, bool(shared)))
        notes += [
            f"{counted(many, 'answer', of=len(log))} of {log.origin.path!r} {agree('was', many)} dropped: "
            "other logs lack them."
            for log, many in zip(logs, lost, strict=True)
            if many
        ]
    order = [key for key in keys[0] if key in shared]
    taken = tuple(log.take(np.array([row[key] for key in order])) for log, row in zip(logs, rows, strict=True))
    return PairedLogs(taken, (*notes, *_differences(taken)))


def _keys(logs: Sequence[EvaluationLog]) -> list[list[Key]]:
    """Give id and epoch of each row; ids are compared as text where one log has text and another numbers."""
    cases = [log.case.tolist() for log in logs]
    if len({log.case.dtype for log in logs}) > 1:
        cases = [[str(case) for case in some] for some in cases]
    return [list(zip(some, log.repeat.tolist(), strict=True)) for some, log in zip(cases, logs, strict=True)]


def _lacking(logs: Sequence[EvaluationLog], keys: Sequence[Sequence[Key]], some_shared: bool) -> str:
    """Name what the first log that lacks something lacks."""
    everything = dict.fromkeys(key for some in keys for key in some)
    held = next(index for index, some in enumerate(keys) if len(some) < len(everything))
    own = set(keys[held])
    lacking = [key for key in everything if key not in own]
    cases = {case for case, _ in own}
    named = [
        repr(shorten(case)) if case not in cases else f"{shorten(case)!r} in epoch {repeat}" for case, repeat in lacking
    ]
    remedy = "; `common` keeps what all have." if some_shared else ", and the logs share no sample."
    many = counted(len(lacking), "answer", of=len(everything))
    return (
        f"the logs must hold the same samples and epochs, and {logs[held].origin.path!r} lacks {many}: "
        f"{listing(list(dict.fromkeys(named)))}{remedy}"
    )


def _differences(logs: Sequence[EvaluationLog]) -> list[str]:
    """Say what suggests that the logs are not of the same questions, and how many answers are without a partner."""
    notes = []
    tasks = dict.fromkeys(log.task for log in logs if log.task)
    if len(tasks) > 1:
        notes.append(f"The logs are of different tasks: {listing([repr(task) for task in tasks])}.")
    first, *others = (log.target for log in logs)
    differ = np.any([first != other for other in others], axis=0)
    if differ.any():
        case = logs[0].case[differ].tolist()[0]
        many = counted(int(differ.sum()), "answer", of=len(differ))
        notes.append(
            f"{many} {agree('has', int(differ.sum()))} another target in another log, such as that to "
            f"{shorten(case)!r}: are these the same questions?"
        )
    unpaired = int(np.isnan(sum(log.score for log in logs)).sum())
    if unpaired:
        many = counted(unpaired, "answer", of=len(logs[0]))
        notes.append(f"{many} {agree('is', unpaired)} left out of the comparison: a log has no score for it.")
    return notes
