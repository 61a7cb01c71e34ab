"""Join several logs of the same task by sample and epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_type, one_of
from howsure.data.read.column_names import shorten
from howsure.data.read.logs.log import EvaluationLog
from howsure.errors import HowsureError, counted, inflect, listing

Key = tuple[Any, int]


@dataclass(frozen=True, slots=True, eq=False)
class PairedLogs:
    """Logs with the same samples and epochs in the same order, and notes."""

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
        """The scores, with a column for each log; NaN for answers left out."""
        return np.stack([log.score for log in self.logs], axis=1)

    @property
    def complete(self) -> Array:
        """Whether all logs have a score for each row."""
        return np.asarray(np.isfinite(self.scores).all(axis=1))


def pair_logs(*logs: EvaluationLog, common: bool = False) -> PairedLogs:
    """Join logs by sample and epoch, in any order.

    If a log lacks samples, an error is raised; ``common`` keeps only the samples that all logs have, and notes how many
    are dropped.
    """
    one_of("common", common, (True, False))
    if len(logs) < 2:
        raise HowsureError(f"`logs` must be two logs or more, not {len(logs)}.")
    for log in logs:
        check_type("logs", log, EvaluationLog, "logs from `read_log`")
    keys = _keys(logs)
    rows = [{key: row for row, key in enumerate(own)} for own in keys]
    shared = set(keys[0]).intersection(*keys[1:])
    lost = [len(own) - len(shared) for own in keys]
    notes: list[str] = []
    if any(lost):
        if not common or not shared:
            raise HowsureError(_lacking(logs, keys, bool(shared)))
        notes += [
            f"{counted(dropped, 'answer', of=len(log))} of {log.origin.path!r} {inflect('was', dropped)} dropped: "
            "other logs lack them."
            for log, dropped in zip(logs, lost, strict=True)
            if dropped
        ]
    order = [key for key in keys[0] if key in shared]
    taken = tuple(log.take(np.array([row[key] for key in order])) for log, row in zip(logs, rows, strict=True))
    return PairedLogs(taken, (*notes, *_differences(taken)))


def _keys(logs: Sequence[EvaluationLog]) -> list[list[Key]]:
    """Return the id and epoch of each row; ids are text if any log has text."""
    cases = [log.case.tolist() for log in logs]
    if len({log.case.dtype for log in logs}) > 1:
        cases = [[str(case) for case in own] for own in cases]
    return [list(zip(own, log.repeat.tolist(), strict=True)) for own, log in zip(cases, logs, strict=True)]


def _lacking(logs: Sequence[EvaluationLog], keys: Sequence[Sequence[Key]], some_shared: bool) -> str:
    """Return a sentence about the samples that the first incomplete log lacks."""
    all_keys = dict.fromkeys(key for own in keys for key in own)
    incomplete = next(index for index, own in enumerate(keys) if len(own) < len(all_keys))
    present = set(keys[incomplete])
    lacking = [key for key in all_keys if key not in present]
    cases = {case for case, _ in present}
    named = [
        repr(shorten(case)) if case not in cases else f"{shorten(case)!r} in epoch {repeat}" for case, repeat in lacking
    ]
    remedy = "; `common` keeps the samples that all have." if some_shared else ", and the logs share no sample."
    number = counted(len(lacking), "answer", of=len(all_keys))
    return (
        f"the logs must hold the same samples and epochs, but {logs[incomplete].origin.path!r} lacks {number}: "
        f"{listing(list(dict.fromkeys(named)))}{remedy}"
    )


def _differences(logs: Sequence[EvaluationLog]) -> list[str]:
    """Return notes on differing tasks and targets, and on missing scores."""
    notes = []
    tasks = dict.fromkeys(log.task for log in logs if log.task)
    if len(tasks) > 1:
        notes.append(f"The logs are of different tasks: {listing([repr(task) for task in tasks])}.")
    first, *rest = (log.target for log in logs)
    differ = np.any([first != target for target in rest], axis=0)
    if differ.any():
        case = logs[0].case[differ].tolist()[0]
        number = counted(int(differ.sum()), "answer", of=len(differ))
        notes.append(
            f"{number} {inflect('has', int(differ.sum()))} different targets in the logs, such as the answer to "
            f"{shorten(case)!r}: are these the same questions?"
        )
    unpaired = int(np.isnan(sum(log.score for log in logs)).sum())
    if unpaired:
        number = counted(unpaired, "answer", of=len(logs[0]))
        notes.append(f"{number} {inflect('is', unpaired)} left out of the comparison: a log has no score for it.")
    return notes
