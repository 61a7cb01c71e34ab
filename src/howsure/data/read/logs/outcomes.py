"""What an answer counts: the stated policy on letters, refusals, answers nobody could read, and errors.

=============  ==========================================================================  =======================
outcome        when                                                                        counts
=============  ==========================================================================  =======================
scored         the scorer gave a number from 0 to 1, true or false, "C" or "I"             what it gave
partial        inspect_ai's "P"                                                            0.5
unanswered     inspect_ai's "N" or the reason "no_response"; an empty answer elsewhere     wrong
refused        the reason "refusal"                                                        wrong
unparsed       the reason "invalid_response_format"; lm-evaluation-harness' "[invalid]"    wrong
unscored       no score for any other reason, such as a grader that failed                 left out
error          the sample ended with an error                                              left out
=============  ==========================================================================  =======================

The last column is for answers without a score. A score that the scorer gave stays whatever the outcome is: where a
refusal is what was wanted, it is right. "N" is no score: inspect_ai counts it as 0, and so do we unless told otherwise.

``missing="wrong"`` counts all that have no score as wrong, errors too; ``missing="drop"`` leaves all of them out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import one_of
from howsure.errors import HowsureError, counted

OUTCOMES = ("scored", "partial", "unanswered", "refused", "unparsed", "unscored", "error")
SCORED, PARTIAL, UNANSWERED, REFUSED, UNPARSED, UNSCORED, ERROR = range(len(OUTCOMES))
WRONG = (UNANSWERED, REFUSED, UNPARSED)  # of the answers without a score; the others are left out
MISSING = ("wrong", "drop")
REASONS = {"no_response": UNANSWERED, "refusal": REFUSED, "invalid_response_format": UNPARSED}
WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": math.nan}
SPELLED = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}  # as inspect_ai reads them
OF_WORDS = {"P": PARTIAL, "N": UNANSWERED}


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of each answer, NaN where it is left out, what became of it, and sentences that say what was done."""

    score: Floats
    outcome: Array
    notes: tuple[str, ...]


def settle(scores: Floats, outcomes: Array, missing: str | None) -> Scored:
    """Apply the policy to scores that are NaN where there is none, and to the numbers of their outcomes."""
    if missing is not None:
        one_of("missing", missing, MISSING)
    none = np.isnan(scores)
    wrong = none & {None: np.isin(outcomes, WRONG), "wrong": True, "drop": False}[missing]
    settled = np.where(wrong, 0.0, scores)
    notes = (
        _told(outcomes[wrong], len(scores), "counted as wrong"),
        _told(outcomes[none & ~wrong], len(scores), "left out"),
    )
    return Scored(settled, np.array(OUTCOMES)[outcomes], tuple(filter(None, notes)))


def read_values(values: Sequence[Any]) -> tuple[Floats, Array]:
    """Turn what scorers gave into numbers and outcomes; a value that is none stays behind as infinite."""
    try:
        known = {value: _read_value(value) for value in set(values)}
        scores = np.array([known[value] for value in values], np.float64)
    except TypeError:  # lists and objects, which have no place in a set
        scores = np.array([_read_value(value) for value in values], np.float64)
    outcomes = np.where(np.isnan(scores), UNSCORED, SCORED)
    for word, outcome in OF_WORDS.items():
        outcomes[[index for index, value in enumerate(values) if value == word]] = outcome
    return scores, outcomes


def refuse_values(scores: Floats, values: Sequence[Any], where: Sequence[str], source: str) -> None:
    """Refuse the first score that is no number from 0 to 1, with the name of its sample."""
    bad = (scores < 0) | (scores > 1)
    if bad.any():
        first = int(bad.argmax())
        raise HowsureError(
            f"scores must be numbers from 0 to 1, not {values[first]!r} of {where[first]} in {source!r}."
        )


def _read_value(value: Any) -> float:
    if value is None:
        return math.nan
    if isinstance(value, str):
        if value in WORDS:
            return WORDS[value]
        if value.lower() in SPELLED:
            return SPELLED[value.lower()]
    elif not isinstance(value, bool | int | float):
        return math.inf
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return math.inf
    return math.inf if isinstance(value, str) and math.isnan(number) else number


def _told(outcomes: Array, n: int, what: str) -> str:
    """Say how many answers were counted so, and which: "1 of 4 answers was left out: 1 error."."""
    if not len(outcomes):
        return ""
    *numbers, errors = np.bincount(outcomes, minlength=len(OUTCOMES)).tolist()
    kinds = [f"{number} {kind}" for kind, number in zip(OUTCOMES, numbers, strict=False) if number]
    kinds += [counted(errors, "error")] if errors else []
    return f"{counted(len(outcomes), 'answer', 'was', of=n)} {what}: {', '.join(kinds)}."
