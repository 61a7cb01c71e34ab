"""Errors worded uniformly, "`name` must be ..., not ...", with a remedy."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container, Iterable, Sequence
from numbers import Real
from typing import Any, NoReturn

LONGEST = 1000  # maximum number of characters in a sentence


class HowsureError(ValueError):
    """Input that cannot be used; the message can be shown to users as it is.

    Each sentence is one line of printable characters and of limited length, whatever values and names it quotes.

    Examples
    --------
    >>> import howsure
    >>> try:
    ...     howsure.intervals.wilson(75, 100, confidence=95)
    ... except howsure.HowsureError as error:
    ...     print(error)
    `confidence` must be a number between 0 and 1, not 95; did you mean 0.95?
    """

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n  ".join(map(_as_sentence, sentences)))


def _as_sentence(text: str) -> str:
    """Return a text as one line, shortened in the middle."""
    if not text.isprintable():
        text = one_line(re.sub(r"\s*[\r\n]\s*", " ", text))
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"


def one_line(text: str) -> str:
    """Escape line breaks and control characters."""
    if text.isprintable():
        return str(text)
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


class UnknownArgumentError(HowsureError, TypeError):
    """A keyword that a function does not have; often a typing mistake."""


class MissingLibraryError(HowsureError, ImportError):
    """An optional library that is needed but not installed."""


def must(name: str, be: str, *, given: object) -> NoReturn:
    """Reject an argument: "`threshold` must be between 0 and 1, not 1.7."."""
    raise HowsureError(f"`{name}` must be {be}, not {given!r}.")


def must_be_share(
    name: str, be: str = "a number between 0 and 1", *, given: object, percent_from: float = 2
) -> NoReturn:
    """Reject a number that is not a proportion; percentages get a hint.

    A number from ``percent_from`` to 100 may be meant as a percentage.
    """
    number: Any = given if isinstance(given, Real) else 0
    hint = f"; did you mean {number / 100:g}?" if percent_from <= number <= 100 else "."
    raise HowsureError(f"`{name}` must be {be}, not {given!r}{hint}")


def must_be_one_of(name: str, options: Iterable[object], *, given: object) -> NoReturn:
    """Reject an argument that is not an option, and suggest the nearest."""
    options = list(options)
    listed = ", ".join(map(repr, options[:12])) + (" and others" if len(options) > 12 else "")
    kind = "one of " if len(options) > 1 else ""
    raise HowsureError(f"`{name}` must be {kind}{listed}, not {given!r}{suggestion(given, options)}")


def is_one_of(value: object, options: Iterable[object]) -> bool:
    """Return whether a value is an option; an array, for example, is not."""
    try:
        hash(value)
        return value in (options if isinstance(options, Container) else list(options))
    except (TypeError, ValueError):
        return False


def suggestion(name: object, options: Iterable[object], otherwise: str = "") -> str:
    """Return "; did you mean 'recall'?", or ``otherwise``, or a full stop."""
    spelled = {str(option).casefold(): option for option in options}
    near = difflib.get_close_matches(str(name).casefold(), spelled, n=1)
    if near:
        return f"; did you mean {spelled[near[0]]!r}?"
    return f"; {otherwise}." if otherwise else "."


def system_reason(error: Exception) -> str:
    """Return the system's error message: "no space left on device"."""
    return str(getattr(error, "strerror", None) or error).rstrip(".").lower()


def counted(n: float, noun: str, verb: str = "", *, of: int | None = None, comma: bool = False) -> str:
    """Write a number with its noun: "1 row", "1 of 3 rows is", "5,100 rows"."""
    all_of = n if of is None else of
    ending = "" if all_of == 1 else "es" if noun.endswith("s") else "s"
    amount, total = (f"{x:,}" if comma else f"{x:g}" if isinstance(x, float) else f"{x}" for x in (n, all_of))
    return f"{amount}{'' if of is None else f' of {total}'} {noun}{ending}" + (f" {inflect(verb, n)}" if verb else "")


def inflect(verb: str, n: float) -> str:
    """Return a verb in the singular or plural: "is", "are"."""
    return verb if n == 1 else {"is": "are", "was": "were", "has": "have"}.get(verb, verb.removesuffix("s"))


def merge_notes(notes: Iterable[tuple[object, str]]) -> list[str]:
    """Write each note once: "a, b and 3 more: no interval"."""
    names_of: dict[str, list[object]] = {}
    for name, note in notes:
        if note:
            names_of.setdefault(note, []).append(name)
    return [f"{listing(names)}: {note}" for note, names in names_of.items()]


def listing(items: Sequence[object], most: int = 3) -> str:
    """List the first few of many items: "2, 5, 9 and 4 more"."""
    first = ", ".join(str(item) for item in items[:most])
    left = len(items) - most
    return f"{first} and {left} more" if left > 0 else first
