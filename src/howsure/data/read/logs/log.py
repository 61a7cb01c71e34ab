"""The log of a model evaluation as columns, and what must hold for its samples."""

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
from howsure.errors import HowsureError, agree, counted, listing

MOST_REPEATS = 10**9
MOST_EXPECTED = 10_000  # epochs that a log may promise
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a log comes from, and what was chosen of it."""

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
    """What a reader collects, a list for each column.

    ``outcomes`` are those that do not follow from the value, by row; ``epochs`` is how many each sample should have.
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
    """The answers of one model to one task, a row for each sample and epoch.

    ``case`` is the id of the sample and ``repeat`` the epoch, from 1. ``score`` is from 0 to 1, and NaN where the
    answer is left out; ``outcome`` says what became of it (`howsure.data.read.logs.outcomes` states what each counts).
    ``columns`` are the fields of the samples by name, for use as clusters or groups. ``notes`` are sentences to show.
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
        """How many different samples there are."""
        return len(set(self.case.tolist()))

    def counts(self) -> dict[str, int]:
        """Count the outcomes that occur."""
        found = Counter(self.outcome.tolist())
        return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}

    def take(self, rows: Array) -> EvaluationLog:
        """Keep some rows, in the order given."""
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
    """Check what was collected, apply the policy, and make columns of it."""
    if not samples.case:
        raise HowsureError(f"{origin.path!r} must hold at least one sample, and it has none.")
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
    """Whole numbers stay whole numbers; where some are text, all are."""
    column = scalar_column(ids)
    if column is not None:
        return column
    return objects(ids if all(isinstance(one, str) for one in ids) else map(str, ids))


def _check_keys(origin: Origin, samples: Samples) -> None:
    """Refuse ids and epochs of another kind, and samples that come twice."""
    if not set(map(type, samples.case)) <= {int, str}:
        bad = next(one for one in samples.case if type(one) not in (int, str))
        raise HowsureError(f"the ids of samples in {origin.path!r} must be text or whole numbers, not {bad!r}.")
    if set(map(type, samples.repeat)) != {int} or not 1 <= min(samples.repeat) <= max(samples.repeat) <= MOST_REPEATS:
        bad = next(one for one in samples.repeat if type(one) is not int or not 1 <= one <= MOST_REPEATS)
        raise HowsureError(f"the epochs of samples in {origin.path!r} must be whole numbers from 1 on, not {bad!r}.")
    keys = _keys(samples)
    if len(set(keys)) < len(keys):
        (first, times), *_ = Counter(keys).most_common(1)
        raise HowsureError(f"each sample must come once in {origin.path!r}, and {_sample(*first)} comes {times} times.")


def _keys(samples: Samples) -> list[tuple[Any, int]]:
    """Give the id and the epoch of each row; 1 and "1" are one sample, as they have one name in an archive."""
    mixed = len(set(map(type, samples.case))) > 1
    return list(zip(map(str, samples.case) if mixed else samples.case, samples.repeat, strict=True))


def _sample(case: Any, repeat: int) -> str:
    return f"sample {shorten(case)!r}" + (f", epoch {repeat}" if repeat > 1 else "")


def _lacking_epochs(samples: Samples) -> list[str]:
    """Say which samples lack which epochs that others have."""
    epochs = {*range(1, min(samples.epochs, MOST_EXPECTED) + 1), *samples.repeat}
    if len(epochs) == 1:
        return []
    held = defaultdict(set)
    for case, repeat in zip(samples.case, samples.repeat, strict=True):
        held[case].add(repeat)
    lacking = [case for case, some in held.items() if len(some) < len(epochs)]
    if not lacking:
        return []
    first = [f"{shorten(case)!r} lacks {listing(sorted(epochs - held[case]))}" for case in lacking[:MOST_NAMED]]
    many = counted(len(lacking), "sample", of=len(held))
    return [f"{many} {agree('lacks', len(lacking))} epochs: {listing(first + lacking[MOST_NAMED:], MOST_NAMED)}."]
