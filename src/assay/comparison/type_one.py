"""How often each test of two classifiers finds a difference where there is none: measured, not assumed.

The table beside this file is written by ``python tests/calibration/test_type_one.py --write``; what was simulated is in
docs/decisions/2026-11-15-type-one.md and, of tests that exchange ranks, 2026-11-16-rank-permutation.md.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table() -> dict[str, Any]:
    """The stored table: the level, and the settings of each test, variant and measure with the measured rates."""
    return dict(json.loads(files("assay.comparison").joinpath("type_one.json").read_text("utf-8")))


def measured(test: str, variant: str = "auto", measure: str = "", scheme: Any = None) -> str | None:
    """Say how often a declared test rejects at the 5 % level where there is no difference.

    The rate in the worst setting, with the standard error of the simulation, none where all outcomes were enumerated,
    and in the mildest; None for what was not measured. ``variant`` is "auto" where the test itself chooses it, and
    ``measure`` what a test of any measure was used for. With the ``scheme`` of a resampling, only simulations of such
    splits count.

    Examples
    --------
    >>> from assay.comparison.type_one import measured
    >>> measured("a test of my own") is None
    True
    """
    variants = ("auto", "") if variant == "auto" else (variant,)
    settings = [
        setting
        for row in table()["tests"]
        if (row["test"], row["measure"]) == (test, measure) and row["variant"] in variants
        for setting in row["settings"]
        if scheme is None or _is_like(scheme, setting.get("design"))
    ]
    if not settings:
        return None
    worst, mildest = (choose(settings, key=lambda setting: float(setting["rate"])) for choose in (max, min))
    rate = _percent(worst) + (f" ± {100 * worst['standard_error']:.1f} %" if worst["rounds"] else "")
    return (
        f"measured type-I error of this procedure at the {100 * table()['alpha']:g} % level: {rate} in the worst of "
        f"{len(settings)} settings ({worst['setting']}), {_percent(mildest)} in the mildest"
    )


def _is_like(scheme: Any, design: dict[str, Any] | None) -> bool:
    """Tell whether a scheme has what was simulated: its kind, folds, repeats and share of test cases."""
    facts = scheme.to_dict() if hasattr(scheme, "to_dict") else {}
    return design is not None and all(facts.get(name) == value for name, value in design.items())


def _percent(setting: dict[str, Any]) -> str:
    return f"{100 * setting['rate']:.1f} %"
