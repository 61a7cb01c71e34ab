"""What a person sees, on terminals of three widths."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import assay
from assay.measures import registry
from assay.present import terminal
from assay.present.value_text import number

RANGES = {name: measure.range for name, measure in registry.items()}

LONG = "a class with a name so long that no terminal of eighty columns has room for it and a number"
CASES = {
    "defined": (["a", "b", "a", "b", "b"], ["a", "b", "b", "b", "a"]),
    "undefined": (["a", "b", "a", "b"], ["a", "a", "a", "a"]),
    "long names": ([LONG, "b", LONG, "b", "b"], [LONG, "b", "b", "b", LONG]),
    "three classes": (["a", "b", "c", "a", "b", "c"], ["a", "b", "b", "a", "b", "a"]),
    "large numbers": (["a", "b"] * 40_000 + ["a", "b"], ["a", "b"] * 40_000 + ["b", "a"]),
}


def drawn(a, width, measures=None):
    console = Console(width=width, file=io.StringIO(), force_terminal=False)
    terminal.show(a, RANGES, 0.95, measures, console)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 130])
@pytest.mark.parametrize("name", CASES)
def test_no_number_is_cut(name, width):
    a = assay.assess(*CASES[name], positive=LONG if name == "long names" else None)
    shown = drawn(a, width)
    table = shown.split("% interval")[1]
    assert "…" not in shown
    for estimate in a.estimates():
        if estimate.undefined:
            assert estimate.undefined in " ".join(shown.split())
        else:
            assert number(estimate.value) in table
            assert str(estimate.interval()) in table
        assert f"{estimate.n:.10g}" in table
    assert ("◆" in shown) == (width >= terminal.FOR_PICTURE)
    assert ("wilson" in shown) == (width >= terminal.FOR_METHOD)
    if name != "long names":
        assert max(map(len, shown.splitlines())) <= width


def test_escape_sequences_do_not_reach_the_terminal():
    bell, red = "x\x07", "[red]y\x1b[31m :smile:"
    a = assay.assess([bell, red, bell, red], [bell, red, red, bell], by=["g\x1b[2J", "g\x1b[2J", "h", "h"])
    for shown in (drawn(a, 130), drawn(a["h"], 80)):
        assert "\x1b" not in shown
        assert "\x07" not in shown
        assert "[red]y\\x1b[31m :smile:" in shown
    assert "group: g\\x1b[2J" in drawn(a, 130)


def test_picture():
    a = assay.assess(*CASES["defined"])
    accuracy = a["accuracy"]
    picture = terminal.bar(accuracy.value, accuracy.interval(), RANGES["accuracy"])
    assert len(picture) == terminal.WIDTH
    assert picture.index("◆") == round(accuracy.value * (terminal.WIDTH - 1))
    odds = a["diagnostic_odds_ratio"]
    assert terminal.bar(odds.value, odds.interval(), RANGES["diagnostic_odds_ratio"]) == ""
