"""A curve is declared once: everything that lists curves follows."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

import howsure
from howsure.assessment.curve_methods import signature
from howsure.curves import registry

ROOT = Path(__file__).parents[2]


def test_no_other_file_names_a_curve():
    """Neither the chart, nor the demo, nor the command line keeps a list of its own."""
    for name in registry:
        files = (path for path in (ROOT / "src").rglob("*.py") if path.parent.name not in ("curves", "measures"))
        files = (path for path in files if "report" not in path.parts)  # a page says where each has its place
        if name == "gain":  # a candidate at the gate has a gain of another kind
            files = (path for path in files if path.name != "gate.py")
        holders = [path for path in files if f'"{name}"' in path.read_text()]
        assert holders == [], f"{name} is named in {holders}"


@pytest.mark.parametrize("name", registry)
def test_the_method_of_a_curve(name):
    method = getattr(howsure.Assessment, name)
    assert inspect.signature(method) == signature(registry[name])
    assert inspect.getdoc(method) == registry[name].summary
    a = howsure.assess([0, 1, 1, 0] * 5, scores=[0.1, 0.8, 0.6, 0.7] * 5)
    np.testing.assert_array_equal(getattr(a, name)().y, registry[name](a.scores).y)
    for alias in registry[name].aliases:
        assert a.curve(alias).name == name


def test_what_an_editor_offers():
    """The names a user wants; plumbing is private."""
    a = howsure.assess([0, 1, 1, 0] * 5, scores=[0.1, 0.8, 0.6, 0.7] * 5)
    offered = {name for name in dir(a) if not name.startswith("_")}
    assert set(registry) <= offered
    values = {"confusion", "scores", "labels", "positive", "n", "costs", "threshold", "prevalence"} | {
        "annotations",
        "ceiling",
    }
    answers = {"estimate", "estimates", "applicable", "per_class", "chance", "findings", "title", "notes"} | {
        "headline",
        "all",
    }
    decisions = {"at", "at_prevalence", "best_threshold", "by_threshold", "by_class", "brier_parts", "curve", "curves"}
    forms = {
        "records",
        "sheet",
        "frame",
        "text",
        "to_dict",
        "to_csv",
        "to_markdown",
        "to_latex",
        "to_html",
        "plot",
        "report",
    }
    assert offered - set(registry) == values | answers | decisions | forms
    assert a._ipython_key_completions_() == a.applicable()
    groups = howsure.assess([0, 1, 1, 0], [0, 1, 0, 0], by=["x", "y", "x", "y"])
    assert groups._ipython_key_completions_() == ["x", "y"]
