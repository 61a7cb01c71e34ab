"""Every mistake has one sentence, word for word; the command line says the same and exits 2."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main

Y, P = ["a", "b", "a"], ["a", "b", "b"]

ARRAYS = {
    "empty": (([], []), {}, "`truth` must hold at least one case, but it is empty."),
    "unequal lengths": (
        (Y, P[:2]),
        {},
        "`truth` has 3 rows and `predicted` has 2; they must be of equal length.",
    ),
    "unequal weight": (
        (Y, P),
        {"weight": [1, 2]},
        "`truth` has 3 rows and `weight` has 2; they must be of equal length.",
    ),
    "None": (
        (["a", None, "b"], P),
        {},
        "`truth` has no label at index 1; drop these rows or give them a label.",
    ),
    "NaN": (
        ([1.0, np.nan, 0.0, np.nan, np.nan, np.nan], [1, 0, 1, 0, 1, 0]),
        {},
        "`truth` has no label at index 1, 3, 4 and 1 more; drop these rows or give them a label.",
    ),
    "NaN among text": (
        (Y, ["a", float("nan"), "b"]),
        {},
        "`predicted` has no label at index 1; drop these rows or give them a label.",
    ),
    "pandas NA": (
        (pd.Series(["a", None, "b"]), P),
        {},
        "`truth` has no label at index 1; drop these rows or give them a label.",
    ),
    "polars null": (
        (pl.Series(["a", None, "b"]), P),
        {},
        "`truth` has no label at index 1; drop these rows or give them a label.",
    ),
    "mixed in one column": (
        (["a", 1, "b"], P),
        {},
        "`truth` mixes text such as 'a' with whole numbers such as 1; give all labels in one form.",
    ),
    "mixed between columns": (
        (["0", "1", "1"], [0, 1, 1]),
        {},
        "`truth` holds text such as '0' and `predicted` whole numbers such as 0; give both in one form.",
    ),
    "scores for labels": (
        ([0, 1], [0.2, 0.9]),
        {},
        "`predicted` must hold class labels, not real numbers such as 0.2; "
        "if these are scores, give them as `scores=`.",
    ),
    "two columns": (
        (P, np.zeros((3, 2), int)),
        {},
        "`predicted` must be one column of labels, not an array of shape (3, 2).",
    ),
    "a data frame for a column": (
        (P, pd.DataFrame({"y": Y, "z": Y})),
        {},
        "`predicted` must be one column of labels, not a table of shape (3, 2).",
    ),
    "dates": (
        (np.array(["2020-01-01"] * 3, "datetime64[D]"), P),
        {},
        "`truth` must hold text, whole numbers or booleans, not datetime64[D].",
    ),
    "lists for labels": (
        (["a", "b"], [["a"], ["b"]]),
        {},
        "`predicted` must hold text, whole numbers or booleans; unhashable type: 'list'.",
    ),
    "a number for a column": ((3, P), {}, "`truth` must be a column of labels, not 3."),
    "predicted missing": ((Y,), {}, "`truth` must come with `predicted` or `scores`."),
    "a name without data": (
        ("y", P),
        {},
        "`truth` is the name of a column, 'y', so `data` must be given too.",
    ),
    "unknown positive": (
        (Y, P),
        {"positive": "B"},
        "`positive` must be one of 'a', 'b', not 'B'; did you mean 'b'?",
    ),
    "labels not complete": (
        (Y, P),
        {"labels": ["a", "c"]},
        "`labels` must name every class, but 'b' of `truth` is missing.",
    ),
    "labels twice": (
        (Y, P),
        {"labels": ["a", "b", "a"]},
        "`labels` must name each class once, but it names one of them twice.",
    ),
    "negative weight": (
        (Y, P),
        {"weight": [1, -2, 1]},
        "`weight` must be finite and non-negative, not -2 at index 1.",
    ),
    "infinite weight": (
        (Y, P),
        {"weight": [1, 2, np.inf]},
        "`weight` must be finite and non-negative, not inf at index 2.",
    ),
    "NaN weight": (
        (Y, P),
        {"weight": [1, np.nan, 1]},
        "`weight` must be finite and non-negative, not nan at index 1.",
    ),
    "weights of 0": ((Y, P), {"weight": [0, 0, 0]}, "`weight` must have a value above 0; all are 0."),
    "text weights": ((Y, P), {"weight": ["1", "2", "3"]}, "`weight` must be a column of numbers, not list of <U1."),
    "unknown column": (
        ("truht", "p"),
        {"data": pd.DataFrame({"truth": Y, "p": P})},
        "`truth` must be a column of `data`, not 'truht'; did you mean 'truth'?",
    ),
    "unknown column, nothing like it": (
        ("zzz", "p"),
        {"data": pl.DataFrame({"y": Y, "p": P})},
        "`truth` must be a column of `data`, not 'zzz'; it has 'y', 'p'.",
    ),
    "not data": ((Y, P), {"data": 5}, "`data` must be a data frame, a file, or a mapping of columns, not int."),
    "costs of another size": (
        (Y, P),
        {"costs": np.zeros((3, 3))},
        "`Costs` must have a row and a column for each of the 2 classes, not 3.",
    ),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_sentence(name):
    args, kwargs, sentence = ARRAYS[name]
    with pytest.raises(howsure.HowsureError) as caught:
        howsure.assess(*args, **kwargs)
    assert str(caught.value) == sentence


ESTIMATES = {
    "unknown measure": ("recal", {}, "`measure` must be the name of a measure, not 'recal'; did you mean 'recall'?"),
    "nothing like it": (
        "xyzzy",
        {},
        "`measure` must be the name of a measure, not 'xyzzy'; `howsure measures` lists them.",
    ),
    "unknown label": ("recall", {"label": "c"}, "`label` must be one of 'a', 'b', not 'c'."),
    "unknown average": (
        "recall",
        {"average": "macros"},
        "`average` must be one of 'macro', 'micro', 'weighted', not 'macros'; did you mean 'macro'?",
    ),
    "average of an overall measure": (
        "kappa",
        {"average": "macro"},
        "`kappa` is a measure of all classes at once; it takes neither `label` nor `average`.",
    ),
    "parameter missing": ("f_beta", {}, "`f_beta` needs `beta`; give it as `beta=...`."),
    "parameter unknown": ("f_beta", {"beta": 1, "bata": 2}, "`f_beta` has no parameter 'bata'; did you mean 'beta'?"),
    "no parameters": ("recall", {"beta": 1}, "`recall` has no parameter 'beta'; it takes none."),
    "matrix of another size": (
        "weighted_kappa",
        {"weights": np.zeros((3, 3))},
        "`weights` must be a table of 2 x 2 numbers, one for each true class (rows) and predicted class (columns), "
        "not an array of shape (3, 3).",
    ),
}


@pytest.mark.parametrize("name", ESTIMATES)
def test_estimate_sentence(name):
    measure, kwargs, sentence = ESTIMATES[name]
    with pytest.raises(howsure.HowsureError) as caught:
        howsure.assess(Y, P).estimate(measure, **kwargs)
    assert str(caught.value) == sentence


INTERVALS = [
    ({"confidence": 95}, "`confidence` must be a number between 0 and 1, not 95; did you mean 0.95?"),
    ({"confidence": "high"}, "`confidence` must be a number between 0 and 1, not 'high'."),
    ({"side": "left"}, "`side` must be one of 'two-sided', 'lower', 'upper', not 'left'."),
    (
        {"method": "wilson"},
        "`method` must be one of 'auto', 'mover', 'delta', 'delta-scaled', 'bootstrap', 'basic', 'bca', not 'wilson'.",
    ),
    ({"method": "bootstrap", "replicates": 0}, "`replicates` must be a whole number above 0, not 0."),
]


@pytest.mark.parametrize(("kwargs", "sentence"), INTERVALS)
def test_interval_sentence(kwargs, sentence):
    with pytest.raises(howsure.HowsureError) as caught:
        howsure.assess(Y, P)["kappa"].interval(**kwargs)
    assert str(caught.value) == sentence


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


FILES = {
    "no file": ("missing.csv", None, [], "there is no file 'FILE'."),
    "empty file": ("f.csv", b"", [], "'FILE' must hold at least one case, but it is empty."),
    "heading only": ("f.csv", b"y,p\n", [], "'FILE' must hold at least one case, but it has no rows."),
    "unknown column": (
        "f.csv",
        b"y,pred\na,b\n",
        [],
        "`--predicted` must be a column of 'FILE', not 'p'; it has 'y', 'pred'.",
    ),
    "missing label": (
        "f.csv",
        b"y,p\na,a\n,b\nb,b\n,a\n",
        [],
        "`y` has no label in row 2, 4 of 'FILE'; drop these rows or give them a label.",
    ),
    "missing label in JSON lines": (
        "f.jsonl",
        b'{"y":"a","p":"a"}\n{"y":null,"p":"b"}\n',
        [],
        "`y` has no label in row 2 of 'FILE'; drop these rows or give them a label.",
    ),
    "negative weight": (
        "f.csv",
        b"y,p,w\na,a,1\nb,b,-1\n",
        ["--weight", "w"],
        "`w` must be finite and non-negative, not '-1' in row 2 of 'FILE'.",
    ),
    "weight that is no number": (
        "f.csv",
        b"y,p,w\na,a,1\nb,b,1\nb,a,heavy\n",
        ["--weight", "w"],
        "`w` must be finite and non-negative, not 'heavy' in row 3 of 'FILE'.",
    ),
    "missing weight": (
        "f.csv",
        b"y,p,w\na,a,1\nb,b,\n",
        ["--weight", "w"],
        "`w` must be finite and non-negative, not empty in row 2 of 'FILE'.",
    ),
    "weights of 0": (
        "f.csv",
        b"y,p,w\na,a,0\nb,b,0\n",
        ["--weight", "w"],
        "'FILE' must hold at least one case, but 'w' is 0 in every row.",
    ),
    "text against numbers": (
        "f.parquet",
        {"y": ["0", "1"], "p": [0, 1]},
        [],
        "`y` holds text such as '0' and `p` whole numbers such as 0; give both in one form.",
    ),
    "unknown positive": (
        "f.csv",
        b"y,p\nspam,ham\n",
        ["--positive", "Spam"],
        "`--positive` must be one of 'ham', 'spam', not 'Spam'; did you mean 'spam'?",
    ),
    "unknown measure": (
        "f.csv",
        b"y,p\na,b\n",
        ["--measures", "accuracy,recal"],
        "`--measures` must be the name of a measure, not 'recal'; did you mean 'recall'?",
    ),
    "bad confidence": (
        "f.csv",
        b"y,p\na,b\n",
        ["--confidence", "95"],
        "`--confidence` must be a number between 0 and 1, not 95.0; did you mean 0.95?",
    ),
    "bad cost": ("f.csv", b"y,p\na,b\n", ["--cost", "fn:5"], "`--cost` must have the form 'fn=5,fp=1', not 'fn:5'."),
    "unknown ending": (
        "f.xyz",
        b"y,p\na,b\n",
        [],
        "'FILE' has an extension of no known format; give `--format`, one of csv, tsv, arff, jsonl, parquet.",
    ),
    "unknown format": (
        "f.csv",
        b"y,p\na,b\n",
        ["--format", "cvs"],
        "`--format` must be one of 'csv', 'tsv', 'arff', 'jsonl', 'parquet', not 'cvs'; did you mean 'csv'?",
    ),
    "CSV named Parquet": (
        "f.parquet",
        b"y,p\na,b\n",
        [],
        "'FILE' is not a Parquet file, despite its name; name its format with `--format`.",
    ),
    "Parquet named CSV": (
        "f.csv",
        {"y": ["a"], "p": ["b"]},
        [],
        "'FILE' is a Parquet file, not CSV; give `--format parquet` or rename it.",
    ),
    "binary named CSV": ("f.csv", b"\x00\x01\x02", [], "'FILE' is not CSV: it holds binary data."),
    "CSV named JSON lines": ("f.jsonl", b"y,p\na,b\n", [], "'FILE' is not JSON lines: it does not begin with '{'."),
    "CSV named ARFF": ("f.arff", b"y,p\na,b\n", [], "'FILE' is not ARFF: it has no line '@data'."),
    "sparse heading of ARFF": (
        "f.arff",
        b"@relation r\n@attribute\n@data\na\n",
        [],
        "'FILE' is not ARFF: line 2 declares no attribute that can be read.",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_command_line_sentence(name, tmp_path):
    filename, content, options, sentence = FILES[name]
    path = os.path.join(tmp_path, filename)
    if isinstance(content, dict):
        pd.DataFrame(content).to_parquet(path)
    elif content is not None:
        write(tmp_path, filename, content)
    result = CliRunner().invoke(main, ["assess", path, "--truth", "y", "--predicted", "p", *options])
    assert result.stderr == f"Error: {sentence.replace('FILE', path)}\n"
    assert result.stdout == ""
    assert result.exit_code == 2


def test_truncated_parquet(tmp_path):
    whole = os.path.join(tmp_path, "whole.parquet")
    pd.DataFrame({"y": ["a", "b"] * 500, "p": ["a", "a"] * 500}).to_parquet(whole)
    content = Path(whole).read_bytes()
    for length in (4, 100, len(content) // 2, len(content) - 1):
        path = write(tmp_path, "cut.parquet", content[:length])
        with pytest.raises(howsure.HowsureError) as caught:
            howsure.assess("y", "p", data=path)
        sentence = "an incomplete Parquet file: it was cut off, and must be written again" if length > 4 else ""
        assert sentence in str(caught.value)


def test_damaged_parquet_is_one_sentence(tmp_path):
    path = os.path.join(tmp_path, "f.parquet")
    pd.DataFrame({"y": ["a", "b"] * 500, "p": ["a", "a"] * 500}).to_parquet(path)
    content = bytearray(Path(path).read_bytes())
    content[-40:-8] = b"\xff" * 32
    write(tmp_path, "f.parquet", bytes(content))
    with pytest.raises(howsure.HowsureError, match=r"^'.*' cannot be read as Parquet: [^\n]*\.$"):
        howsure.assess("y", "p", data=path)


@pytest.mark.parametrize(
    "content",
    [b"y,p\na,b\nb,b,b,b\na,a\n", b'y,p\n"a,b\nb,b\n' * 3, b"y,p\n\xff\xfe\xfa,b\n"],
    ids=["ragged", "open quote", "not UTF-8"],
)
def test_broken_csv_is_one_sentence(content, tmp_path):
    path = write(tmp_path, "f.csv", content)
    with pytest.raises(howsure.HowsureError) as caught:
        howsure.assess("y", "p", data=path)
    assert "\n" not in str(caught.value)
    assert re.match(r"'.*f\.csv' (cannot be read as CSV|must hold)|`(truth|predicted|y|p)` ", str(caught.value))


def test_unreadable_file_and_folder(tmp_path):
    with pytest.raises(howsure.HowsureError, match=r"not a folder\.$"):
        howsure.assess("y", "p", data=tmp_path)
    write(tmp_path, "prediction.csv", b"y,p\na,b\n")
    with pytest.raises(howsure.HowsureError, match=r"there is no file '.*'; did you mean 'prediction\.csv'\?$"):
        howsure.assess("y", "p", data=os.path.join(tmp_path, "predictions.csv"))


def test_missing_library_is_named(monkeypatch):
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        howsure.HowsureError, match=r"^`\.frame\(\)` needs a data frame library; install pandas, polars or"
    ):
        howsure.assess(Y, P).frame()


def test_output_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    from howsure.output import write_whole

    target = tmp_path / "out.txt"
    write_whole(target, "first")

    def full_disk(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(howsure.HowsureError, match=r"cannot be written: no space left on device\.$"):
        write_whole(target, "second")
    assert target.read_text() == "first"
    assert os.listdir(tmp_path) == ["out.txt"]
