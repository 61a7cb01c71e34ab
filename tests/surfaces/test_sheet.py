"""Sheets: shown by `print` and notebooks, and fit for LaTeX and every data frame library."""

from __future__ import annotations

import csv
import io
import json

import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.present.sheet import Sheet


def test_print_and_notebook():
    sheet = howsure.assess(["a", "b"], ["a", "b"]).per_class()
    assert str(sheet) == sheet.text()
    assert sheet.to_html() in sheet._repr_html_()


def test_latex_takes_no_label_for_an_option():
    latex = howsure.assess(["[x]", "*"], ["[x]", "[x]"]).per_class().to_latex()
    assert "\n{[}x] & " in latex
    assert "\n{*} & " in latex
    assert "{[}1" not in Sheet(["a", "b"], [["x", "[1, 2]"]]).to_latex()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_mixed_columns(library):
    sheet = Sheet(["g", "n", "v"], [["a", 1, None], [2, 2.5, 1], [True, None, 3]])
    frame = sheet.frame(library)
    assert list(frame["g"].to_pylist() if library == "pyarrow" else frame["g"]) == ["a", "2", "True"]
    if library == "polars":
        assert frame.schema == {"g": pl.String, "n": pl.Float64, "v": pl.Int64}
    if library == "pandas":
        assert pd.api.types.is_float_dtype(frame["n"])
    assert Sheet(["a"], []).frame(library).shape[0] == 0


def test_unknown_library():
    with pytest.raises(howsure.HowsureError) as caught:
        Sheet(["a"], [[1]]).frame("numpy")
    assert str(caught.value) == "`like` must be one of 'pandas', 'polars', 'pyarrow', not 'numpy'."


def test_classes_for_programs(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p,g\na,a,1\nb,b,1\nb,a,2\nc,a,2\n")
    command = ["assess", str(path), "--truth", "y", "--predicted", "p", "--per-class"]
    a = howsure.assess("y", "p", data=path)
    as_json = json.loads(CliRunner().invoke(main, [*command, "--json"]).stdout)
    rows = list(csv.DictReader(io.StringIO(CliRunner().invoke(main, [*command, "--csv"]).stdout)))
    assert [row["class"] for row in rows] == [entry["class"] for entry in as_json] == ["a", "b", "c"]
    for row, entry in zip(rows, as_json, strict=True):
        recall = a.estimate("recall", label=row["class"])
        interval = recall.interval()
        assert (entry["recall"], entry["recall_low"], entry["recall_high"]) == (
            recall.value, interval.low, interval.high,
        )  # fmt: skip
        assert float(row["recall_low"]) == interval.low
    assert rows[2]["precision"] == ""
    assert as_json[2]["precision_low"] is None
    by_group = json.loads(CliRunner().invoke(main, [*command, "--by", "g", "--json"]).stdout)
    assert [(entry["g"], entry["class"]) for entry in by_group[:4]] == [(1, "a"), (1, "b"), (1, "c"), (2, "a")]
