"""Parser of measures with parameters, such as "f_beta(beta=2)"."""

from __future__ import annotations

import ast
import re
from collections.abc import Container
from typing import Any

from howsure.errors import HowsureError
from howsure.measures import registry

SPEC = re.compile(r"\s*([^()]+?)\s*(?:\((.*)\))?\s*", re.DOTALL)


def read_spec(spec: str, names: Container[str] = registry) -> tuple[str, dict[str, Any]]:
    """Return the name and the parameters in a text such as "f_beta(beta=2)"."""
    match = SPEC.fullmatch(spec) if isinstance(spec, str) else None
    if match is None:
        raise HowsureError(f"`measure` must be a name such as 'recall' or 'f_beta(beta=2)', not {spec!r}.")
    name, inside = match.groups()
    if not inside or name not in names:
        return name if inside is None or name in names else spec, {}
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError
        return name, {str(item.arg): ast.literal_eval(item.value) for item in call.keywords}
    except (SyntaxError, ValueError):
        raise HowsureError(f"`measure` must be written like 'f_beta(beta=2)', not {spec!r}.") from None
