"""Examples on pages: code with its output."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from howsure.errors import HowsureError

LABELS = """\
import howsure

table = howsure.Confusion([[352, 5], [9, 203]], labels=["benign", "malignant"])
a = howsure.assess(table, positive="malignant")
"""
SCORES = """\
import howsure

truth = ["ill", "ill", "well", "ill", "well", "ill", "well", "well", "ill", "well"] * 6
scores = [0.95, 0.9, 0.8, 0.75, 0.6, 0.55, 0.4, 0.3, 0.2, 0.1] * 6
a = howsure.assess(truth, scores=scores, positive="ill")
"""
COSTS = LABELS.replace(", positive", ", costs=howsure.Costs(false_negative=5, false_positive=1), positive")
CLASSES = """\
import howsure

letters = ["a", "b", "c", "a", "b", "c", "b", "c"] * 5
scores = [[.7, .2, .1], [.2, .6, .2], [.1, .5, .4], [.4, .5, .1], [.2, .7, .1], [.1, .2, .7], [.5, .3, .2]]
scores = [*scores, [.2, .2, .6]] * 5
a = howsure.assess(letters, scores=scores, labels=["a", "b", "c"])
"""
FOLDS = """\
import numpy as np
import howsure

rng = np.random.default_rng(0)
folds = howsure.FoldTable({"tree": rng.normal(0.90, 0.03, 20), "bayes": rng.normal(0.88, 0.03, 20)})
"""


def shown(code: str) -> str:
    """Run code and return it as Markdown, with its output below."""
    printed = run(code)
    below = f"```text\n{printed}```\n" if printed else ""
    return f"```python\n{code.strip()}\n```\n{below}"


def run(code: str) -> str:
    """Run code in a new namespace and return its output."""
    with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, "example", "exec"), {"__name__": "example"})
    return "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())


def first_that_runs(candidates: Iterable[str]) -> str:
    """Return the first example that runs without a Howsure error."""
    for code in candidates:
        with contextlib.suppress(HowsureError):
            return shown(code)
    raise LookupError("none of the examples applies")


def of_docstring(function: Callable[..., Any]) -> str:
    """Return the examples of a docstring, which are tested with the package."""
    _, _, examples = (inspect.getdoc(function) or "").partition("Examples\n--------\n")
    parts = re.split(r"\n\n(?=[A-Z]\w+\n-+\n)", examples)
    return f"```pycon\n{parts[0].strip()}\n```\n" if parts[0].strip() else ""
