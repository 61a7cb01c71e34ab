"""The command line as people meet it: help that fits, sentences that name options, completion, and tidy Markdown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from howsure.cli import main
from howsure.cli.option_names import with_options
from howsure.present.value_text import escape_markdown

ROOT = Path(__file__).parents[2]


def commands(command=main, path=()):
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))


def run(*words, code=0, **options):
    result = CliRunner().invoke(main, list(words), prog_name="howsure", **options)
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_help_fits_a_terminal_of_80_columns(path):
    text = run(*path, "--help", terminal_width=80).output
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert "MARKDOWN" not in text
    assert "LATEX" not in text


FILE = {
    "text.csv": "y,p,q,s\n" + "yes,True,yes,3\nno,False,no,4\n" * 5,
    "scores.csv": "truth,scores\n" + "a,x\nb,2\n",
}
SENTENCES = {
    "what is missing": (
        ("assess", "text.csv", "--truth", "y"),
        "`--truth` must come with `--predicted` or `--score`.",
    ),
    "what to give": (
        ("assess", "text.csv", "--truth", "y", "--predicted", "q", "--measures", "auc"),
        "`auc` is a measure of scores, and there are only labels; give `--score`.",
    ),
    "labels": (
        ("assess", "text.csv", "--truth", "y", "--predicted", "p"),
        "`y` holds 'no', 'yes' and `p` 'False', 'True', and no label is in both; write each class in one way, or name "
        "all classes with `--labels` if these are different classes.",
    ),
    "labels of a gate": (
        ("gate", "text.csv", "--truth", "y", "--baseline", "q", "--candidate", "p"),
        "`y` holds 'no', 'yes' and `p` 'False', 'True', and no label is in both; write each class in one way, or name "
        "all classes with `--labels` if these are different classes.",
    ),
    "two that exclude each other": (
        ("assess", "text.csv", "--truth", "y", "--predicted", "q", "--threshold", "1"),
        "`--threshold` applies to `--score`, but `--predicted` already holds decisions; leave out one of the two.",
    ),
    "an option of another name": (
        ("assess", "text.csv", "--truth", "y", "--predicted", "q", "--prior", "20"),
        "`--prior` must be a number between 0 and 1, not 20.0; did you mean 0.2?",
    ),
    "confidence": (
        ("assess", "text.csv", "--truth", "y", "--predicted", "q", "--confidence", "95"),
        "`--confidence` must be a number between 0 and 1, not 95.0; did you mean 0.95?",
    ),
    "a column": (
        ("assess", "text.csv", "--truth", "why", "--predicted", "q"),
        "`--truth` must be a column of 'text.csv', not 'why'; it has 'y', 'p', 'q', 's'.",
    ),
    "a column that is called like an argument": (
        ("assess", "scores.csv", "--truth", "truth", "--score", "scores"),
        "`scores` must be a number, not 'x' in row 1 of 'scores.csv'.",
    ),
    "a format": (
        ("assess", "text.xyz", "--truth", "y", "--predicted", "q"),
        "'text.xyz' has an extension of no known format; give `--format`, one of csv, tsv, arff, jsonl, parquet.",
    ),
    "a plan": (
        ("plan", "mcnemar", "--discordant", "20", "--n", "100", "--difference", "0.1"),
        "`--discordant` must be a number between 0 and 1, not 20.0; did you mean 0.2?",
    ),
}


@pytest.mark.parametrize("what", SENTENCES)
def test_sentences_name_options_as_they_are_typed(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILE.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "text.xyz").write_text(FILE["text.csv"])
    words, sentence = SENTENCES[what]
    assert run(*words, code=2).stderr == f"Error: {sentence}\n"


def test_the_spelling_that_was_typed_is_named():
    sentence = "`scores` must be numbers; give `format='parquet'`, `data` or `other=1`."
    one, several = (with_options(sentence, main, ["assess", "f", option, "p"]) for option in ("--score", "--scores"))
    assert one == "`--score` must be numbers; give `--format parquet`, `FILE` or `other=1`."
    assert several == one.replace("--score", "--scores")


def test_a_mistyped_command_or_option_is_suggested():
    assert "No such command 'asess'; did you mean 'assess'?" in run("asess", code=2).stderr
    assert "Did you mean --weight?" in run("assess", "f.csv", "--weigth", "y", code=2).stderr.replace("'", "")


def test_a_gate_compares_scores(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,a,b\n" + "1,0.8,0.9\n0,0.3,0.2\n1,0.7,0.8\n0,0.2,0.1\n" * 20)
    words = ("gate", str(path), "--truth", "y", "--baseline", "a", "--candidate", "b", "--margin", "0.1", "--as-scores")
    assert "auc" in run(*words).output.lower()


COMPLETED = {
    "a command": (["as"], ["assess"]),
    "an option": (["assess", "--mea"], ["--measures"]),
    "a measure": (["compare", "--measure", "kap"], ["kappa"]),
    "a measure in a list": (["assess", "--measures", "recall,kap"], ["recall,kappa"]),
    "a measure to explain": (["measures", "mc"], ["mcc"]),
    "an adjustment": (["compare", "--adjust", "shaf"], ["shaffer"]),
}


@pytest.mark.parametrize("what", COMPLETED)
def test_the_shell_completes(what):
    words, wanted = COMPLETED[what]
    assert [line.partition(",")[2] for line in complete(*words)] == wanted


def test_the_shell_completes_files():
    assert complete("assess", "pred") == ["file,pred"]


def complete(*words):
    """Ask as bash does, by the name of the program."""
    line = ["howsure", *words]
    asked = {"_HOWSURE_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(line), "COMP_CWORD": str(len(words))}
    program = [sys.executable, "-m", "howsure"]
    return subprocess.run(
        program, env=os.environ | asked, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def test_the_shell_is_told_how_to_complete():
    asked = os.environ | {"_HOWSURE_COMPLETE": "zsh_source"}
    told = subprocess.run([sys.executable, "-m", "howsure"], env=asked, capture_output=True, text=True, check=True)
    assert "#compdef howsure" in told.stdout


def test_markdown_keeps_apostrophes_and_lets_nothing_become_a_tag():
    assert escape_markdown('McNemar\'s "test"') == 'McNemar\'s "test"'
    assert escape_markdown("<b> & a|b `c` *d* [e](f)") == "&lt;b&gt; &amp; a\\|b \\`c\\` \\*d\\* \\[e\\](f)"
    assert escape_markdown("$x_1$ ~~out~~") == "\\$x\\_1\\$ \\~\\~out\\~\\~"


def test_no_page_shows_an_escape():
    for path in (
        path for room in ("guide", "how-to", "start", "coming-from") for path in (ROOT / "docs" / room).glob("*.md")
    ):
        prose = path.read_text().split("```")[::2]
        assert not any(re.search(r"\\n(?![a-z])", text) or "&#x27;" in text for text in prose), path
    assert "\\n" not in run("measures", "--markdown").output
    assert "\\n" not in run("measures", "partial_auc", "--json").output.replace("\n", "")
