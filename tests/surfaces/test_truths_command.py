"""`--truth` of several annotators and `--label-noise`, as they are typed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main

ROWS = """ann,bob,eve,j1,j2,y
a,a,b,a,a,a
a,a,,a,b,a
b,b,b,b,b,b
b,a,b,b,a,b
a,a,a,b,a,a
b,b,NA,b,b,b
a,b,a,a,a,a
b,b,b,a,b,b
"""
THREE = ["--truth", "ann", "--truth", "bob", "--truth", "eve"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "judged.csv"
    path.write_text(ROWS)
    return str(path)


def run(*arguments, code=0):
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == code, result.output
    return result.output


def test_truth_is_given_once_for_each_annotator(file):
    said = json.loads(run("assess", file, *THREE, "--predicted", "j1", "--json"))
    whole = howsure.assess(["ann", "bob", "eve"], "j1", data=file)
    assert said == json.loads(json.dumps(whole.to_dict()))
    assert said["annotations"]["annotators"] == 3
    assert said["n"] == 8
    text = run("assess", file, *THREE, "--predicted", "j1")
    assert "8 cases (3 annotators)" in text
    assert "A025: annotators disagree on 38 % of the cases" in text


def test_judges_are_compared_against_annotators(file):
    columns = ["--predicted", "j1", "--predicted", "j2", "--measure", "kappa"]
    said = json.loads(run("compare", file, *THREE, *columns, "--json"))
    whole = howsure.compare(["ann", "bob", "eve"], ["j1", "j2"], data=file, measure="kappa")
    assert said == json.loads(json.dumps(whole.to_dict()))
    assert "8 paired cases (3 annotators)" in run("compare", file, *THREE, *columns)
    other = file.replace("judged", "other")
    with open(other, "w") as copy:
        copy.write(ROWS)
    assert run("compare", file, other, *THREE, "--predicted", "j1", code=2).strip() == (
        "Error: several `--truth` columns must be in one FILE, together with a column for each classifier."
    )


def test_label_noise_is_below_the_result_and_in_json(file):
    truth = ["--truth", "y", "--predicted", "j1"]
    said = json.loads(run("assess", file, *truth, "--label-noise", "6/120", "--json"))
    noise = howsure.label_noise(howsure.assess("y", "j1", data=file), (6, 120))
    assert said["label_noise"] == json.loads(json.dumps(noise.to_dict()))
    text = run("assess", file, *truth, "--label-noise", "0.05")
    assert "If 5 % of the labels are wrong at random, the true accuracy is about" in " ".join(text.split())
    assert "| accuracy |" in run("assess", file, *truth, "--label-noise", "0.05", "--markdown")
    both = [*truth, "--predicted", "j2"]
    said = json.loads(run("compare", file, *both, "--label-noise", "0.05", "--json"))
    compared = howsure.compare("y", ["j1", "j2"], data=file)
    assert said["label_noise"] == json.loads(json.dumps(howsure.label_noise(compared, 0.05).to_dict()))
    assert "true difference in accuracy" in " ".join(run("compare", file, *both, "--label-noise", "0.05").split())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--label-noise", "much"], "`--label-noise` must have the form 0.05 or 6/120, not 'much'."),
        (["--label-noise", "6/x"], "`--label-noise` must have the form 0.05 or 6/120, not '6/x'."),
        (
            ["--label-noise", "0.05", "--csv"],
            "`--label-noise` prints a second table, which `--csv` cannot contain; leave one out.",
        ),
        (
            ["--label-noise", "0.05", "--per-class"],
            "`--label-noise` and `--per-class` cannot be used together.",
        ),
        (["--label-noise", "0.05", "--by", "ann"], "`--label-noise` and `--by` cannot be used together."),
    ],
)
def test_what_cannot_be_printed_is_refused(file, options, sentence):
    assert run("assess", file, "--truth", "y", "--predicted", "j1", *options, code=2).strip() == f"Error: {sentence}"


def test_a_comparison_has_one_table_beside_the_noise(file):
    said = run("compare", file, "--truth", "y", "--predicted", "j1", "--predicted", "j2", "--label-noise", "0.05",
               "--tests", code=2)  # fmt: skip
    assert said.strip() == "Error: `--label-noise` and `--tests` cannot be used together."
