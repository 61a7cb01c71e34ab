"""What a person sees: texts that fit 60, 80 and 120 columns, and colour that is never needed."""

from __future__ import annotations

import math
import os
import pty
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ
from typing import Any

import numpy as np
import pytest
from click import unstyle

import howsure
from howsure.cli.output import say_lines
from howsure.measures import registry
from howsure.present.picture import WIDTH, Bar, Pictures, draw, window
from howsure.present.sheet import Sheet
from howsure.present.value_text import number
from howsure.present.words import shorten, text_width, wrap

WIDTHS = (60, 80, 120)
LONG = "x" * 200
SENTENCE = "a class with a name so long that no terminal of eighty columns has room for it and a number"


def classes(k, n=400, names=None):
    rng, names = np.random.default_rng(k), np.array(names or [f"class {index}" for index in range(k)])
    truth = rng.integers(0, k, n)
    return names[truth], names[np.where(rng.random(n) < 0.7, truth, rng.integers(0, k, n))]


def two_with_scores(n=300):
    rng = np.random.default_rng(7)
    truth = rng.random(n) < 0.3
    return np.where(truth, "ill", "well"), np.clip(0.3 * truth + rng.random(n) * 0.6, 0, 1)


TRUTH, SCORES = two_with_scores()
WEIGHT = np.random.default_rng(8).random(300)
SITE = np.random.default_rng(9).choice(["north", "south", LONG], 300)
SHARES = np.random.default_rng(10).dirichlet(np.ones(3), 90)
ASSESSMENTS: dict[str, Callable[[], Any]] = {
    "1 class": lambda: howsure.assess(["a"] * 9, ["a"] * 9),
    "2 classes": lambda: howsure.assess(*classes(2)),
    "3 classes": lambda: howsure.assess(*classes(3)),
    "12 classes": lambda: howsure.assess(*classes(12)),
    "100 classes": lambda: howsure.assess(*classes(100, 2000)),
    "undefined": lambda: howsure.assess(["a", "b", "a", "b"], ["a", "a", "a", "a"]),
    "scores": lambda: howsure.assess(TRUTH, scores=SCORES, positive="ill"),
    "scores of 3 classes": lambda: howsure.assess(np.arange(90) % 3, scores=SHARES, labels=[0, 1, 2]),
    "weights": lambda: howsure.assess(TRUTH, scores=SCORES, weight=WEIGHT),
    "costs": lambda: howsure.assess(TRUTH, scores=SCORES, costs=howsure.Costs(false_negative=5, false_positive=1)),
    "prevalence": lambda: howsure.assess(TRUTH, scores=SCORES, positive="ill").at_prevalence(0.01),
    "groups": lambda: howsure.assess(TRUTH, scores=SCORES, by=SITE),
    "long names": lambda: howsure.assess(*classes(3, names=[LONG, SENTENCE, "b"]), positive=LONG),
    "wide letters": lambda: howsure.assess(*classes(3, names=["猫" * 40, "犬 と 猫", "🐈 🐕"])),
    "right to left": lambda: howsure.assess(*classes(2, names=["חתול", "كلب"])),
    "large numbers": lambda: howsure.assess(["a", "b"] * 400_000 + ["a", "b"], ["a", "b"] * 400_000 + ["b", "a"]),
}
FURTHER = {
    "all": lambda: ASSESSMENTS["scores"]().all(),
    "all of groups": lambda: ASSESSMENTS["groups"]().all(),
    "per class": lambda: ASSESSMENTS["12 classes"]().per_class(),
    "confusion": lambda: howsure.assess(*classes(25)).confusion,
    "plan": lambda: howsure.plan.mcnemar(power=0.8, difference=0.05, discordant=0.2),
    "plan's table": lambda: howsure.plan.mcnemar(power=0.8, difference=0.05, discordant=0.2).sheet(),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [*ASSESSMENTS, *FURTHER])
def test_texts_fit(name, width):
    result = (ASSESSMENTS | FURTHER)[name]()
    text = result.text(width=width)
    whole = set(result.text(width=100_000).split())
    assert all(text_width(line) <= width for line in text.splitlines())
    for word in re.sub(rf"\({width} columns wide: [^)]*\)", "", text).split():
        assert word in whole or "…" in word or set(word) <= set("-─◆"), word


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [name for name in ASSESSMENTS if name != "groups"])
def test_no_number_is_cut(name, width):
    a = ASSESSMENTS[name]()
    text = " ".join(a.text(width=width).split())
    for estimate in a.estimates(a.shown()):
        if estimate.undefined:
            assert f"because {estimate.undefined}: " in text
        else:
            assert number(estimate.value) in text
            interval = estimate.interval()
            assert (
                f"no interval, because {interval.notes[0]}: " if math.isnan(interval.low) else str(interval)
            ) in text


def test_a_narrow_table_says_what_it_leaves_out():
    a = ASSESSMENTS["scores"]()
    assert "(60 columns wide: without method)" in a.text(width=60)
    assert "columns wide" not in a.text(width=80)
    assert "◆" not in a.text(width=80)
    assert "◆" in a.text(width=120)
    assert "(60 columns wide: further columns are below)" in a.per_class().text(width=60)
    assert "long names are shortened" in ASSESSMENTS["long names"]().confusion.text(width=60)


def test_the_order_in_which_columns_give_way():
    sheet = Sheet(
        ["name", "value", "n", "method"],
        [["a", 0.5, 12, "wilson"], ["b", 0.25, 9, "delta"]],
        spare=("method", "n"),
        pictures=Pictures(("--o--", " -o- ")),
    )
    heads = {width: sheet.text(width=width).splitlines()[0] for width in (80, 40)}
    assert heads == {80: "name  value   n  method", 40: "name  value   n  method"}
    assert "--o--" in sheet.text(width=80)
    pictures = Pictures(("=" * 30, ""))
    wide = Sheet(["name" * 5, "value", "n", "method"], sheet.rows, spare=("method", "n"), pictures=pictures)
    assert wide.text(width=40).splitlines()[0] == "namenamenamenamename  value   n  method"
    assert "===" not in wide.text(width=40)
    wider = Sheet(["name" * 6, "value", "n", "method"], sheet.rows, spare=("method", "n"))
    assert wider.text(width=40).splitlines() == [
        "namenamenamenamenamename  value   n",
        "------------------------  -----  --",
        "a                         0.500  12",
        "b                         0.250   9",
        "(40 columns wide: without method)",
    ]


def test_columns_are_aligned_by_what_a_terminal_shows():
    sheet = Sheet(["name", "n"], [["猫", 1], ["e\u0301", 22], ["🐈", 3]])
    assert sheet.text().splitlines()[2:] == ["猫     1", "e\u0301     22", "🐈     3"]
    assert {text_width(line) for line in sheet.text().splitlines()[1:]} == {8}


def test_long_names_are_told_apart_by_their_ends():
    assert shorten("x" * 30 + "1", 9) == "xxxx…xxx1"
    assert text_width(shorten("猫" * 30, 10)) <= 10


def test_sentences_are_wrapped_between_words():
    said = "the accuracy is 97.5 % [95.9, 98.5] with n = 569 cases of two kinds"
    for width in range(20, 70):
        lines = wrap(said, width)
        assert all(text_width(line) <= width for line in lines)
        assert " ".join(" ".join(lines).split()) == said
        assert any("[95.9, 98.5]" in line for line in lines)
        assert any("n = 569" in line for line in lines)
    path = "/a" * 60
    assert wrap(f"kept in {path} for you", 40)[1] == f"  {path}"


def test_what_a_text_consists_of():
    a = ASSESSMENTS["scores"]()
    text = str(a)
    matrix = "Confusion matrix (rows: true class, columns: predicted class)"
    parts = [*a.headline.splitlines()[:1], matrix, "overall", "ill, threshold 0.5"]
    places = [text.index(part) for part in [*parts, "ranking", "probabilities", "17 more: a.all()"]]
    assert places == sorted(places)
    for hidden in ("\nerror_rate", "false_negative_rate", "gini", "expected by chance"):
        assert hidden not in text
        assert hidden in str(a.all())
    assert [record["measure"] for record in a.records()] == a.applicable()
    assert a.to_dict()["n"] == a.n
    found = howsure.assess(["a"] * 9 + ["b"], ["a"] * 10)
    assert str(found).index("A003: ") < str(found).index("Confusion matrix")


def test_asked_for_by_another_name():
    a = ASSESSMENTS["scores"]()
    assert a["sensitivity"].measure == a["sensitivity"].name == "recall"
    assert str(a["sensitivity"]).startswith("sensitivity (recall, ill): 0.")
    assert a["Recall"].title == "recall"
    assert str(a["acc"]).startswith("acc (accuracy): 0.")
    lines = a.text(measures=["sensitivity", "accuracy"]).splitlines()
    assert [line.split("  ")[0] for line in lines[2:]] == ["sensitivity (recall)", "accuracy"]
    assert a.records(measures=["sensitivity"])[0]["measure"] == "recall"


def test_reprs_say_what_is_inside():
    a = ASSESSMENTS["scores"]()
    recall = a["recall"]
    assert repr(recall) == f"Estimate(recall={number(recall.value)} {recall.interval()}, of='ill', n={recall.n:g})"
    assert repr(Sheet(["a", "b"], [[1, 0.5]], "title")) == "Sheet('title', 1 rows of a, b; first: a 1, b 0.500)"


def test_the_measures_that_follow_from_others():
    table = np.array([[50, 10], [5, 35]])
    a = howsure.assess(howsure.Confusion(table, labels=["n", "p"]))
    for name, declared in registry.items():
        assert all(not other.follows_from for other in declared.follows_from), name
        if declared.is_ratio and len(declared.follows_from) == 1 and declared.follows_from[0].is_ratio:
            assert a[name].value == pytest.approx(1 - a[declared.follows_from[0].name].value, abs=1e-15), name


# The terminal itself


def on_a_terminal(arguments, width, code=0, **environment):
    """Run the program on a terminal of a width, and give what it wrote there."""
    leader, follower = pty.openpty()
    ioctl(follower, TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    env = {**kept, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}
    process = subprocess.Popen([sys.executable, "-m", "howsure", *arguments], stdout=follower, stderr=follower, env=env)
    os.close(follower)
    written = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        written += part
    os.close(leader)
    assert process.wait() == code, written
    return written.decode().replace("\r\n", "\n")


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    path = tmp_path_factory.mktemp("terminal") / "predictions.csv"
    rows = "\n".join(f"{label},{score}" for label, score in zip(TRUTH, SCORES, strict=True))
    Path(path).write_text(f"y,p\n{rows}\n")
    return ["assess", str(path), "--truth", "y", "--score", "p", "--positive", "ill"]


ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_terminal_gets_its_own_width_in_colour(command, width):
    shown = on_a_terminal(command, width)
    assert "\x1b[1m" in shown
    plain = ESCAPES.sub("", shown)
    expected = howsure.assess(TRUTH, scores=SCORES, positive="ill").text(width=width)
    above, more = plain.split("17 more: ")
    assert above == expected.split("17 more: ")[0]
    assert more.split() == ["--all", "curves:", "--curves", "FOLDER", "page:", "--html", "PAGE"]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_none_is_wanted(command, environment):
    shown = on_a_terminal(command, 80, **environment)
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", shown)
    assert "33m" not in shown


def piped(command, **environment):
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    run = [sys.executable, "-m", "howsure", *command]
    return subprocess.run(run, capture_output=True, check=True, env={**kept, **environment}).stdout.decode()


def test_a_pipe_gets_80_columns_without_colour(command):
    shown = piped(command, PYTHONIOENCODING="utf-8")
    assert "\x1b" not in shown
    assert shown.splitlines()[:-1] == ASSESSMENTS["scores"]().text(width=80).splitlines()[:-1]
    narrow = piped(command, COLUMNS="60", PYTHONIOENCODING="utf-8")
    assert max(map(text_width, narrow.splitlines())) <= 60
    assert "\x1b[1m" in piped(command, FORCE_COLOR="1", PYTHONIOENCODING="utf-8")


def test_letters_that_the_output_cannot_write(command):
    shown = piped(command, PYTHONIOENCODING="ascii", COLUMNS="120")
    assert shown.isascii()
    assert "\\u" not in shown
    assert re.search(r" -+o-*\n", shown)


def test_colour_says_nothing_alone(monkeypatch, capsys):
    a = howsure.assess(["a"] * 9 + ["b"], ["a"] * 10)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    say_lines(a.text_lines(80))
    shown = capsys.readouterr().out
    assert "\x1b[33m" in shown
    assert unstyle(shown).rstrip("\n") == a.text(width=80)


def test_escape_sequences_do_not_reach_the_terminal():
    bell, red = "x\x07", "[red]y\x1b[31m :smile:"
    a = howsure.assess([bell, red, bell, red], [bell, red, red, bell], by=["g\x1b[2J", "g\x1b[2J", "h", "h"])
    for shown in (a.text(width=120), a["h"].text(), a.headline, a["h"].headline):
        assert "\x1b" not in shown
        assert "\x07" not in shown
    assert "[red]y\\x1b[31m :smile:" in a["h"].text()
    assert "g\\x1b[2J" in a.text(width=120)


def test_pictures_share_a_round_window_around_their_intervals():
    pictures = draw([Bar(0.95, 0.92, 0.98), None, Bar(0.97, 0.931, 0.991), Bar(0.1, 0.1, 0.3)], [0, 3])
    assert pictures.scales == {0: "0.92".ljust(WIDTH - 4) + "1.00", 3: "0.1".ljust(WIDTH - 3) + "0.3"}
    first, none, second, third = pictures.rows
    assert none == ""
    assert {len(first), len(second), len(third)} == {WIDTH}
    assert first.index("◆") == round((0.95 - 0.92) / 0.08 * (WIDTH - 1))
    assert (first[0], first[-1], third[-1]) == ("─", " ", "─")
    assert window([-0.02, 0.0149])[0] == (-0.02, 0.02)
    assert window([0.5, 0.5])[0][0] <= 0.5 <= window([0.5, 0.5])[0][1]


def test_pictures_stand_below_the_ends_of_their_window():
    a = ASSESSMENTS["2 classes"]()
    lines = a.text(width=110).splitlines()
    heading = next(line for line in lines if line.startswith("overall "))
    accuracy = next(line for line in lines if line.startswith("accuracy"))
    start, end = heading.rindex(heading.split()[1]), len(heading)
    low, high = map(float, heading.split()[1:])
    share = (a["accuracy"].value - low) / (high - low)
    assert accuracy.index("◆") - start == round(share * (end - start - 1))
    by_name = a.text(width=110, measures=["accuracy", "diagnostic_odds_ratio"]).splitlines()
    assert by_name[0].split()[-2:] == ["0.80", "0.88"]
    assert "◆" not in by_name[-1], "a measure without an end has no picture"


def test_a_run_shows_its_progress_on_a_terminal_only(tmp_path):
    plan = tmp_path / "e.toml"
    plan.write_text(
        '[resampling]\nscheme = "KFold"\nfolds = 3\n'
        '[learners.tree]\nclass = "sklearn.tree.DecisionTreeClassifier"\n'
        '[learners.broken]\nclass = "sklearn.tree.DecisionTreeClassifier"\nmax_depth = -1\n'
        '[datasets.iris]\nloader = "sklearn.datasets.load_iris"\n'
    )
    command = ["run", str(plan), "--jobs", "1"]
    shown = on_a_terminal(command, 80, code=1)
    assert re.search(r"tree +\[#+-*\]  \d/6", shown)
    assert "6/6  3 failed" in shown
    quiet = on_a_terminal([*command, "--quiet", "--retry-failed"], 80, code=1)
    assert "/6" not in quiet
