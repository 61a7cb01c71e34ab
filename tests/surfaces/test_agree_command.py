"""`howsure agree` as a user types it, and the page of agreement."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main

NAMES = ("anna", "ben", "carol")


def run(*arguments, code=0):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output + done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    truth = rng.choice(["low", "mid", "high"], 60)
    columns = {name: np.where(rng.random(60) < 0.8, truth, rng.permutation(truth)).astype(object) for name in NAMES}
    columns["ben"][::6] = None
    return columns


@pytest.fixture(scope="module")
def wide(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("wide") / "ratings.csv"
    rows = ["doc,anna,ben,carol"]
    rows += [f"d{n},{a},{b or ''},{c}" for n, (a, b, c) in enumerate(zip(*table.values(), strict=True))]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_numbers_are_those_of_python(wide, table):
    expected = howsure.agreement(table).to_dict()["measures"]
    assert json.loads(run("agree", wide, "--item", "doc", "--json"))["measures"] == expected
    assert json.loads(run("agree", wide, "--raters", "anna,ben,carol", "--json"))["measures"] == expected


def test_a_row_for_each_rating(table, tmp_path):
    rows = [f"{n},{name},{table[name][n]}" for n in range(60) for name in NAMES if table[name][n] is not None]
    (tmp_path / "long.csv").write_text("\n".join(["item,rater,rating", *rows]))
    (tmp_path / "named.csv").write_text("\n".join(["doc,who,said", *rows]))
    expected = howsure.agreement(table).to_dict()["measures"]
    assert json.loads(run("agree", tmp_path / "long.csv", "--json"))["measures"] == expected
    named = ("--item", "doc", "--rater", "who", "--rating", "said")
    assert json.loads(run("agree", tmp_path / "named.csv", *named, "--json"))["measures"] == expected


def test_the_first_line_answers(wide):
    text = run("agree", wide, "--item", "doc")
    assert text.startswith("Two ratings of an item agree in ")
    assert "Agreement of each rater with the others" in text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_an_order_of_categories_is_needed_and_given(wide, table):
    sentence = run("agree", wide, "--item", "doc", "--level", "ordinal", code=2)
    assert sentence == (
        "Error: `--labels` must list the categories in their order at the ordinal level, because 'high', 'low', 'mid' "
        "are text.\n"
    )
    order = ("--level", "ordinal", "--labels", "low,mid,high")
    g = howsure.agreement(table, level="ordinal", labels=["low", "mid", "high"])
    assert json.loads(run("agree", wide, "--item", "doc", *order, "--json"))["measures"] == g.to_dict()["measures"]


def test_pairs_and_contested_items(wide):
    rows = list(csv.DictReader(io.StringIO(run("agree", wide, "--item", "doc", "--per-pair", "--csv"))))
    assert [(row["rater"], row["other"]) for row in rows] == [("anna", "ben"), ("anna", "carol"), ("ben", "carol")]
    first = run("agree", wide, "--item", "doc", "--contested", "2", "--markdown")
    assert first.count("\n| d") == 2


def test_a_missing_column_is_named(wide):
    assert run("agree", wide, "--raters", "anna,bem", code=2) == (
        f"Error: `--raters` must be a column of '{wide}', not 'bem'; did you mean 'ben'?\n"
    )


def test_a_page_is_written(wide, tmp_path):
    page = tmp_path / "page.html"
    run("agree", wide, "--item", "doc", "--html", page)
    html = page.read_text()
    for heading in (
        "How much agreement beyond chance?",
        "Who disagrees?",
        "Which categories are contested?",
        "Which items should be discussed?",
    ):
        assert heading in html
    assert "ROC" not in html
    assert json.loads((tmp_path / "page.json").read_text())


def test_hostile_names_do_nothing_on_a_page(tmp_path):
    names = ["<script>alert(1)</script>", "=cmd()", "\x1b[31mred"]
    g = howsure.agreement(dict(zip(names, ([0, 1, 1] * 9, [0, 1, 0] * 9, [1, 1, 1] * 9), strict=True)))
    html = g.report(tmp_path / "page.html").read_text()
    assert "<script>alert" not in html
    assert "\x1b" not in str(g)
