"""Names come from the data, and may hold anything: no output obeys them."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.present.value_text import json_text, plain

HOSTILE = (
    "\x1b[2J",
    "\x1b]8;;http://example.org\x07link\x1b]8;;\x07",
    "over\rwritten",
    "back\b\bspace",
    "\u202egnp.exe",
    "zero\u200bwidth",
    "two\nlines",
    "\x9b31m",
    "a|b",
    "<script>alert(1)</script>",
    r"\input{/etc/passwd}",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(A1)",
    "\ttab",
    "$x",
)
PRINTERS = ("print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write")
LATEX = re.compile(r"(?<!\\)\\(?!textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar)[a-z]+")


def is_safe(text: str) -> bool:
    return all(letter.isprintable() or letter == "\n" for letter in text)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    labels = np.array(HOSTILE, dtype=object)
    truth, predicted = (labels[rng.integers(0, len(labels), 200)] for _ in range(2))
    flags = rng.random(100) < 0.5
    two = np.where(flags, HOSTILE[0], HOSTILE[8])
    scores = {name: np.clip(flags * 0.3 + rng.random(100), 0, 1) for name in HOSTILE[:3]}
    answers = {name: np.where(rng.random(100) < 0.7, two, HOSTILE[0]) for name in HOSTILE[:3]}
    several = howsure.assess(truth, predicted)
    ranked = howsure.assess(two, scores=scores[HOSTILE[0]], positive=HOSTILE[0])
    compared = howsure.compare(two, answers)
    table = rng.random((12, 4))
    significance = howsure.significance
    return {
        "assessment": several,
        "estimate": several.estimate("recall", label=HOSTILE[0]),
        "newline": several.estimate("recall", label="two\nlines"),
        "per_class": several.per_class(),
        "confusion": several.confusion,
        "chance": several.chance(),
        "groups": howsure.assess(truth, predicted, by=truth),
        "ranked": ranked,
        "curve": ranked.roc(),
        "threshold": ranked.best_threshold("f1"),
        "comparison": compared,
        "tests": compared.tests(),
        "score comparison": howsure.compare(two, scores=scores, positive=HOSTILE[0]),
        "gate": howsure.gate(two, baseline=answers[HOSTILE[0]], candidate=answers[HOSTILE[1]]),
        "critical difference": significance.critical_difference(table, names=HOSTILE[:4]),
        "pairwise": significance.nemenyi(table, names=HOSTILE[:4]),
        "sheet": howsure.Sheet(list(HOSTILE), [list(HOSTILE)], HOSTILE[0], HOSTILE),
    }


def test_no_text_of_a_result_steers_a_terminal(results: dict[str, Any]) -> None:
    for name, result in results.items():
        for text in (str(result), repr(result), result.text(), *map(plain, result.notes)):
            assert is_safe(text), name
    assert "two\\nlines" in str(results["newline"])
    assert all(is_safe(repr(pair)) for pair in results["comparison"].pairs)


def test_markup_is_escaped(results: dict[str, Any]) -> None:
    for name, result in results.items():
        html, markdown = result._repr_html_(), result.to_markdown()
        assert is_safe(html) or name == "curve", name
        assert "<script" not in html + markdown, name
        assert is_safe(markdown), name
        latex = result.to_latex()
        assert is_safe(latex), name
        commands = set(LATEX.findall(latex))
        assert commands <= {r"\begin", r"\end", r"\centering", r"\caption", r"\hline", r"\textit"}, name


def test_data_stay_what_they_are(results: dict[str, Any]) -> None:
    for name, result in results.items():
        values = result.to_dict()
        text = json_text(values)
        assert is_safe(text), name
        assert json.loads(text) == json.loads(json.dumps(values)), name
    rows = read(results["sheet"].to_csv())
    assert rows == [list(HOSTILE), list(HOSTILE)]


def test_a_spreadsheet_finds_no_formula(results: dict[str, Any]) -> None:
    for result in results.values():
        plain_rows = read(result.to_csv())
        rows = read(result.to_csv(spreadsheet=True))
        for cell, guarded in zip(chain(*plain_rows), chain(*rows), strict=True):
            if cell[:1] in ("=", "+", "-", "@", "\t", "\r") and not re.fullmatch(r"-(\d.*|inf)", cell):
                assert guarded == f"'{cell}"
            elif cell not in HOSTILE:
                assert guarded == cell
    sheet = howsure.Sheet(["a"], [["-1"], [-1], ["+1"]])
    assert sheet.to_csv(spreadsheet=True) == "a\n'-1\n-1\n'+1"


def test_a_chart_draws_names_as_they_are(results: dict[str, Any]) -> None:
    figure = results["curve"].plot(label="a\x1b[2J $\\frac{$").figure
    figure.canvas.draw()
    from matplotlib.text import Text

    drawn = [text.get_text() for text in figure.findobj(Text)]
    assert any("a\\x1b[2J $\\frac{$" in text for text in drawn)
    assert all(map(is_safe, drawn))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    with open(folder / "cases.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["y", "p\x1b[2J", "q", "g", "s"])
        for index in range(60):
            label, other = HOSTILE[index % 2 * 8], HOSTILE[index % 3 * 4]
            writer.writerow([label, label if index % 5 else other, other, HOSTILE[index % 7], index / 60])
    return folder


COMMANDS = (
    ["assess", "{}", "--truth", "y", "--predicted", "p\x1b[2J"],
    ["assess", "{}", "--truth", "y", "--predicted", "p\x1b[2J", "--by", "g"],
    ["assess", "{}", "--truth", "y", "--predicted", "q", "--per-class"],
    ["assess", "{}", "--truth", "y", "--score", "s", "--positive", "\x1b[2J"],
    ["compare", "{}", "--truth", "y", "--predicted", "p\x1b[2J", "--predicted", "q"],
    ["compare", "{}", "--truth", "y", "--predicted", "p\x1b[2J", "--predicted", "q", "--tests"],
)


@pytest.mark.parametrize("arguments", COMMANDS)
@pytest.mark.parametrize("style", ["", "--json", "--markdown", "--latex", "--spreadsheet"])
def test_no_command_lets_a_name_steer_the_terminal(files: Path, arguments: list[str], style: str) -> None:
    done = CliRunner().invoke(main, [part.format(files / "cases.csv") for part in arguments] + [style] * bool(style))
    assert done.exit_code == 0, done.output
    assert is_safe(done.stderr)
    if style != "--spreadsheet":  # which is data
        assert is_safe(done.stdout)
        assert "<script" not in done.stdout or style in ("", "--json")


def test_csv_into_a_pipe_is_true_to_the_data(files: Path) -> None:
    arguments = ["assess", str(files / "cases.csv"), "--truth", "y", "--predicted", "q", "--per-class", "--csv"]
    rows = list(csv.reader(io.StringIO(CliRunner().invoke(main, arguments).stdout)))
    assert "\x1b[2J" in {row[0] for row in rows}


@pytest.mark.parametrize(
    "arguments",
    [
        ["\x1b[2J"],
        ["--\x1b[2J"],
        ["assess", "\x1b[2J.csv", "--truth", "y", "--predicted", "p"],
        ["assess", "{}", "--truth", "\x1b[2J", "--predicted", "p"],
        ["assess", "{}", "--truth", "y", "--predicted", "q", "--measures", "\x1b[2J"],
        ["assess", "{}", "--truth", "y", "--predicted", "q", "--\x1b[2J"],
        ["assess", "{}", "--truth", "y", "--predicted", "q", "--confidence", "\x1b[2J"],
        ["assess", "{}", "--truth", "y", "--predicted", "q", "--curve-format", "\x1b[2J"],
        ["assess", "{}", "--truth", "y", "--score", "s", "--cost", "\x1b[2J"],
        ["compare", "{}", "--truth", "y", "--predicted", "q", "--predicted", "g", "--baseline", "\x1b[2J"],
        ["compare", "{}", "--truth", "y", "--predicted", "q", "--predicted", "g", "--adjust", "\x1b[2J"],
        ["measures", "\x1b[2J"],
        ["run", "\x1b[2J.toml"],
        ["plan", "\x1b[2J"],
    ],
)
def test_no_error_repeats_an_escape_sequence(files: Path, arguments: list[str]) -> None:
    done = CliRunner().invoke(main, [part.format(files / "cases.csv") for part in arguments])
    assert done.exit_code == 2
    assert is_safe(done.output)


def test_commands_print_by_the_functions_of_output_only() -> None:
    folder = Path(howsure.__file__).parent / "cli"
    for path in folder.rglob("*.py"):
        if path.name == "output.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write"), (
                    path
                )
