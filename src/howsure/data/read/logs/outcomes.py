"""How letters, refusals, unparsed answers and errors count.

=============  ==========================================================================  =======================
outcome        when                                                                        counts
=============  ==========================================================================  =======================
scored         the score is a number from 0 to 1, true or false, "C" or "I"                the score
partial        inspect_ai's "P"                                                            0.5
unanswered     inspect_ai's "N" or the reason "no_response"; an empty answer elsewhere     wrong
refused        the reason "refusal"                                                        wrong
unparsed       the reason "invalid_response_format"; lm-evaluation-harness' "[invalid]"    wrong
unscored       no score for another reason, such as a failed grader                        left out
error          the sample ended with an error                                              left out
=============  ==========================================================================  =======================

The last column applies to answers without a score. A score counts whatever the outcome: a refusal may be right. "N" is
not a score; like inspect_ai, we count it as 0 by default.

``missing="wrong"`` counts all answers without a score as wrong, even errors; ``missing="drop"`` leaves them out.
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
WRONG = (UNANSWERED, REFUSED, UNPARSED)  # outcomes counted as wrong without a score; others are left out
MISSING = ("wrong", "drop")
REASONS = {"no_response": UNANSWERED, "refusal": REFUSED, "invalid_response_format": UNPARSED}
WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": math.nan}
SPELLED = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}  # words that inspect_ai reads as scores
OF_WORDS = {"P": PARTIAL, "N": UNANSWERED}


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores (NaN for answers that are left out), outcomes and notes."""

    score: Floats
    outcome: Array
    notes: tuple[str, ...]


def settle(scores: Floats, outcomes: Array, missing: str | None) -> Scored:
    """Count answers without a score as wrong, or leave them out."""
    if missing is not None:
        one_of("missing", missing, MISSING)
    none = np.isnan(scores)
    wrong = none & {None: np.isin(outcomes, WRONG), "wrong": True, "drop": False}[missing]
    settled = np.where(wrong, 0.0, scores)
    notes = (
        _note(outcomes[wrong], len(scores), "counted as wrong"),
        _note(outcomes[none & ~wrong], len(scores), "left out"),
    )
    return Scored(settled, np.array(OUTCOMES)[outcomes], tuple(filter(None, notes)))


def read_values(values: Sequence[Any]) -> tuple[Floats, Array]:
    """Return scores (infinite for values that are not scores) and outcomes."""
    scores = np.array([_read_value(value) for value in values], np.float64)
    outcomes = np.where(np.isnan(scores), UNSCORED, SCORED)
    for word, outcome in OF_WORDS.items():
        outcomes[[index for index, value in enumerate(values) if value == word]] = outcome
    return scores, outcomes


def refuse_values(scores: Floats, values: Sequence[Any], where: Sequence[str], source: str) -> None:
    """Reject the first score that is not a number from 0 to 1."""
    bad = (scores < 0) | (scores > 1)
    if bad.any():
        first = int(bad.argmax())
        raise HowsureError(
            f"scores must be numbers from 0 to 1, but {where[first]} in {source!r} has {values[first]!r}."
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


def _note(outcomes: Array, n: int, counted_as: str) -> str:
    """Return a note such as "1 of 4 answers was left out: 1 error."."""
    if not len(outcomes):
        return ""
    *numbers, errors = np.bincount(outcomes, minlength=len(OUTCOMES)).tolist()
    kinds = [f"{number} {kind}" for kind, number in zip(OUTCOMES, numbers, strict=False) if number]
    kinds += [counted(errors, "error")] if errors else []
    return f"{counted(len(outcomes), 'answer', 'was', of=n)} {counted_as}: {', '.join(kinds)}."
