"""Parse the JSON of a log, and explain each error in one sentence."""

from __future__ import annotations

import json
from typing import Any

from howsure.errors import HowsureError


def parse(content: bytes | bytearray, title: str) -> Any:
    """Parse JSON in UTF-8; ``title`` names it in error messages."""
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise HowsureError(f"{title} is not in UTF-8.") from None
    except RecursionError:
        raise HowsureError(f"{title} holds JSON that is nested too deeply.") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        reason = error.msg.lower().removesuffix(" at")
        raise HowsureError(f"{title} is not JSON, or was cut off: {reason} at {line}column {error.colno}.") from None
    except ValueError:  # Python rejects whole numbers with thousands of digits
        raise HowsureError(f"{title} holds a number that is too long.") from None
