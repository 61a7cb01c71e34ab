"""Human labels beside those of a judge, as a user types them, and the page that shows it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main

PAGE = (Path(__file__).parents[2] / "docs/how-to/judges.md").read_text(encoding="utf-8")


def run(*arguments, code=0):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output + done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The file that the page makes."""
    path = tmp_path_factory.mktemp("judges")
    script = re.search(r"```python\n(import csv.*?)```", PAGE, re.DOTALL).group(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        exec(script, {})
    return path


def test_the_page_quotes_what_python_gives(folder, monkeypatch):
    monkeypatch.chdir(folder)
    a = howsure.assess("human", judge="gpt", data="answers.csv")
    assert str(howsure.plan.labels(pilot=a, half_width=0.03)) in PAGE
    rate = a["rate"]
    quoted = f"{100 * rate.value:.1f} % are harmful (95 % interval {100 * rate.low:.1f} to {100 * rate.high:.1f} %)"
    assert quoted in PAGE
    assert f"worth {rate.worth:.0f} human labels." in PAGE
    assert f"kappa with the human labels {a.judge['kappa'].value:.2f}" in PAGE


def test_the_command_line_is_python(folder):
    told = run("assess", folder / "answers.csv", "--truth", "human", "--predicted", "guard", "--judge", "gpt", "--json")
    expected = howsure.assess("human", "guard", judge="gpt", data=folder / "answers.csv")
    assert json.loads(told) == expected.to_dict()
    csv = run("assess", folder / "answers.csv", "--truth", "human", "--judge", "gpt", "--csv", "--measures", "rate")
    assert csv.splitlines()[0].startswith("measure,value,low,high,of,n,method,confidence,labelled,judged,worth,tuning")


def test_a_page_of_judged_labels(folder):
    page = folder / "page.html"
    run("assess", folder / "answers.csv", "--truth", "human", "--judge", "gpt", "--stratum", "gpt", "--html", page)
    text = page.read_text(encoding="utf-8")
    assert "What do the labels of people and of the judge" in text
    assert "the judge against the human labels" in text
    stored = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    assert "human labels that would be as informative" in json.dumps(stored)


def test_options_that_mean_nothing_here(folder):
    path = folder / "answers.csv"
    assert run("assess", path, "--truth", "human", "--judge", "gpt", "--by", "guard", code=2) == (
        "Error: `--by` cannot be used with `--judge`; leave it out.\n"
    )
    assert run("assess", path, "--truth", "guard", "--predicted", "gpt", "--stratum", "gpt", code=2) == (
        "Error: `--stratum` needs `--judge`; leave it out.\n"
    )
    missing = run("assess", path, "--truth", "gpt", "--predicted", "guard", "--judge", "human", code=2)
    assert missing.startswith("Error: `human` has no label in row 101, 102, 103, 104 and more of ")
