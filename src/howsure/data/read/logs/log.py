"""The log of a model evaluation as columns, with checks of its samples."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.data.read.column_names import shorten
from howsure.data.read.logs.columns import objects, scalar_column, scalar_columns, texts
from howsure.data.read.logs.outcomes import OUTCOMES, read_values, refuse_values, settle
from howsure.errors import HowsureError, counted, inflect, listing

MAX_REPEATS = 10**9
MAX_EXPECTED = 10_000  # maximum number of expected epochs that are checked
MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a log, and the choices of scorer, metric and filter."""

    path: str
    format: str
    version: str
    task: str = ""
    model: str = ""
    status: str = "success"
    scorer: str | None = None
    metric: str | None = None
    filter: str | None = None


@dataclasses.dataclass(slots=True)
class Samples:
    """The columns that a reader collects.

    ``outcomes`` holds those that do not follow from the value, by row; ``epochs`` is the number expected for each
    sample.
    """

    case: list[Any] = field(default_factory=list)
    repeat: list[Any] = field(default_factory=list)
    value: list[Any] = field(default_factory=list)
    target: list[Any] = field(default_factory=list)
    answer: list[Any] = field(default_factory=list)
    fields: list[Any] = field(default_factory=list)
    outcomes: dict[int, int] = field(default_factory=dict)
    epochs: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationLog:
    """The answers of a model to a task, with a row for each sample and epoch.

    ``case`` is the id of the sample and ``repeat`` the epoch, counted from 1. ``score`` is between 0 and 1, or NaN for
    an answer that is left out; ``outcome`` gives the reason (see `howsure.data.read.logs.outcomes`). ``columns`` holds
    the fields of the samples by name, for use as clusters or groups. ``notes`` are sentences to display.
    """

    origin: Origin
    case: Array
    repeat: Array
    score: Floats
    outcome: Array
    target: Array
    answer: Array
    columns: dict[str, Array]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.case)

    @property
    def format(self) -> str:
        return self.origin.format

    @property
    def version(self) -> str:
        return self.origin.version

    @property
    def task(self) -> str:
        return self.origin.task

    @property
    def model(self) -> str:
        return self.origin.model

    @property
    def cases(self) -> int:
        """The number of distinct samples."""
        return len(set(self.case.tolist()))

    def counts(self) -> dict[str, int]:
        """Count the outcomes that occur."""
        counts = Counter(self.outcome.tolist())
        return {outcome: counts[outcome] for outcome in OUTCOMES if counts[outcome]}

    def take(self, rows: Array) -> EvaluationLog:
        """Keep the given rows, in this order."""
        return replace(
            self,
            case=self.case[rows],
            repeat=self.repeat[rows],
            score=self.score[rows],
            outcome=self.outcome[rows],
            target=self.target[rows],
            answer=self.answer[rows],
            columns={name: column[rows] for name, column in self.columns.items()},
        )


def make_log(origin: Origin, samples: Samples, missing: str | None, notes: Sequence[str] = ()) -> EvaluationLog:
    """Check the samples, settle missing scores, and convert fields."""
    if not samples.case:
        raise HowsureError(f"{origin.path!r} must hold at least one sample, but it has none.")
    _check_keys(origin, samples)
    scores, outcomes = read_values(samples.value)
    if ((scores < 0) | (scores > 1)).any():
        refuse_values(scores, samples.value, [_sample(*key) for key in _keys(samples)], origin.path)
    outcomes[list(samples.outcomes)] = list(samples.outcomes.values())
    settled = settle(scores, outcomes, missing)
    return EvaluationLog(
        origin,
        _cases(samples.case),
        np.array(samples.repeat, np.int64),
        settled.score,
        settled.outcome,
        texts(samples.target),
        texts(samples.answer),
        scalar_columns(samples.fields),
        (*notes, *_lacking_epochs(samples), *settled.notes),
    )


def _cases(ids: list[Any]) -> Array:
    """Return ids as whole numbers, or as text if any is text."""
    column = scalar_column(ids)
    if column is not None:
        return column
    return objects(map(str, ids))


def _check_keys(origin: Origin, samples: Samples) -> None:
    """Reject ids and epochs of other types, and duplicate samples."""
    if not set(map(type, samples.case)) <= {int, str}:
        bad = next(case for case in samples.case if type(case) not in (int, str))
        raise HowsureError(f"the ids of samples in {origin.path!r} must be text or whole numbers, not {bad!r}.")
    if set(map(type, samples.repeat)) != {int} or not 1 <= min(samples.repeat) <= max(samples.repeat) <= MAX_REPEATS:
        bad = next(epoch for epoch in samples.repeat if type(epoch) is not int or not 1 <= epoch <= MAX_REPEATS)
        raise HowsureError(
            f"the epochs of samples in {origin.path!r} must be whole numbers of at least 1, not {bad!r}."
        )
    keys = _keys(samples)
    if len(set(keys)) < len(keys):
        (first, times), *_ = Counter(keys).most_common(1)
        raise HowsureError(f"{origin.path!r} must have each sample once, but {_sample(*first)} occurs {times} times.")


def _keys(samples: Samples) -> list[tuple[Any, int]]:
    """Return the id and epoch of each row; 1 and "1" are the same sample."""
    mixed = len(set(map(type, samples.case))) > 1
    return list(zip(map(str, samples.case) if mixed else samples.case, samples.repeat, strict=True))


def _sample(case: Any, repeat: int) -> str:
    return f"sample {shorten(case)!r}" + (f", epoch {repeat}" if repeat > 1 else "")


def _lacking_epochs(samples: Samples) -> list[str]:
    """Return a note on samples that lack epochs that others have."""
    epochs = {*range(1, min(samples.epochs, MAX_EXPECTED) + 1), *samples.repeat}
    if len(epochs) == 1:
        return []
    epochs_of = defaultdict(set)
    for case, repeat in zip(samples.case, samples.repeat, strict=True):
        epochs_of[case].add(repeat)
    lacking = [case for case, own in epochs_of.items() if len(own) < len(epochs)]
    if not lacking:
        return []
    first = [f"{shorten(case)!r} lacks {listing(sorted(epochs - epochs_of[case]))}" for case in lacking[:MAX_NAMED]]
    number = counted(len(lacking), "sample", of=len(epochs_of))
    return [f"{number} {inflect('lacks', len(lacking))} epochs: {listing(first + lacking[MAX_NAMED:], MAX_NAMED)}."]
