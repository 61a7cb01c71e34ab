"""How often each test of two classifiers finds a difference where there is none: measured, not assumed.

The table beside this file is written by ``python tests/calibration/test_type_one.py --write``; what was simulated is in
docs/decisions/2026-11-15-type-one.md.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

# Permutation and bootstrap tests name the class; which class it is makes no difference, an average of classes does.
OF_CLASS = re.compile(r"((?:permutation|bootstrap) test of \S+) \((?!\w+ average\)).*\)")


@cache
def table() -> dict[str, Any]:
    """The stored table: the level, and for each method its worst setting and all of them."""
    return dict(json.loads(files("assay.comparison").joinpath("type_one.json").read_text("utf-8")))


def measured(method_name: str, design: str = "") -> str | None:
    """Say how often the test with this `TestResult.method` rejects at the 5 % level where there is no difference.

    The rate in the worst setting, with the standard error of the simulation, none where all outcomes were enumerated,
    and in the mildest; None for what was not measured. With a ``design``, as "10 x 10 folds", only its settings count.
    `mcnemar` with its method "auto" is "McNemar's test (auto)", though its results have the name of the test it took.

    Examples
    --------
    >>> from assay.comparison.type_one import measured
    >>> measured("a test of my own") is None
    True
    """
    methods = table()["methods"]
    found = methods.get(method_name) or methods.get(OF_CLASS.sub(r"\1 (1)", method_name))
    settings = [] if found is None else [one for one in found["settings"] if one["setting"].startswith(design)]
    if not settings:
        return None
    worst, mildest = (choose(settings, key=lambda one: float(one["rate"])) for choose in (max, min))
    rate = _percent(worst) + (f" ± {100 * worst['standard_error']:.1f} %" if worst["rounds"] else "")
    return (
        f"measured type-I error of this procedure at the {100 * table()['alpha']:g} % level: {rate} in the worst of "
        f"{len(settings)} settings ({worst['setting']}), {_percent(mildest)} in the mildest"
    )


def _percent(row: dict[str, Any]) -> str:
    return f"{100 * row['rate']:.1f} %"
