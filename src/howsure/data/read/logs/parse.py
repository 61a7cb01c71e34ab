"""JSON of a log: parsed with one sentence for whatever is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from howsure.errors import HowsureError

DECODER = json.JSONDecoder()
SPACE = re.compile(r"[ \t\r\n]*")


def parse(content: bytes, title: str) -> Any:
    """Parse a whole text; ``title`` says in a sentence which one it is."""
    with explained(title):
        return json.loads(content.decode("utf-8-sig"))


@contextmanager
def explained(title: str) -> Iterator[None]:
    """Say in a sentence what is wrong with a text that is parsed here."""
    try:
        yield
    except UnicodeDecodeError:
        raise HowsureError(f"{title} is not in UTF-8.") from None
    except RecursionError:
        raise HowsureError(f"{title} holds JSON that is nested too deeply.") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        reason = error.msg.lower().removesuffix(" at")
        raise HowsureError(f"{title} is not JSON, or was cut off: {reason} at {line}column {error.colno}.") from None
    except ValueError:  # whole numbers of thousands of digits, which Python refuses
        raise HowsureError(f"{title} holds a number that is too long.") from None


def member_of_object(content: bytes, key: str, title: str) -> Any:
    """Give the value of one key of an object, and parse nothing that comes after it; None where there is no such key.

    The transcript of a sample comes last in it, and may be a thousand times as long as what is asked for.
    """
    with explained(title):
        text = content.decode()
        at = _skip(text, _expect(text, 0, "{"))
        while text[at : at + 1] == '"':
            found, at = DECODER.raw_decode(text, at)
            value, at = DECODER.raw_decode(text, _skip(text, _expect(text, at, ":")))
            if found == key:
                return value
            at = _skip(text, at)
            if text[at : at + 1] == ",":
                at = _skip(text, at + 1)
        _expect(text, at, "}")
        return None


def _expect(text: str, at: int, letter: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != letter:
        raise json.JSONDecodeError(f"expecting {letter!r}", text, at)
    return at + 1


def _skip(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return found.end() if found else at
