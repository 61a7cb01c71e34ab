"""Files as they come: what is read, and that no reader thinks it knows better."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.data.read.features import read_table
from howsure.data.read.files import read_file
from howsure.data.read.formats import Format, declare_format, format_list, formats
from howsure.data.read.formats.text import Text

WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "parquet": lambda frame, path: frame.to_parquet(path),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
}


def labels_of(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    labels = howsure.assess("y", "p", data=path).labels
    return [(type(label), label) for label in labels]


@pytest.mark.parametrize("kind", WRITERS)
def test_a_folder_named_like_a_column(kind, tmp_path):
    folder = tmp_path / "y=b"
    folder.mkdir()
    path = folder / f"f.{kind}"
    WRITERS[kind](pd.DataFrame({"y": ["a", "b", "a"], "p": ["a", "b", "b"]}), path)
    assert howsure.assess("y", "p", data=path).confusion.counts.tolist() == [[1, 1], [0, 1]]
    assert read_file(path, {"y": "truth"}).labels["y"].values == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ("y,p\ntrue,1\nfalse,0\n", [False, True]),
        ("y,p\n1,True\n0,false\n", [0, 1]),
        ("y,p\ntrue,2\nfalse,0\n0,0\n", ["0", "2", "false", "true"]),
        ("y,p\n1e+05,100000\n2,2.\n", [2, 100000]),
        ("y,p\n1.5,a\na,1.5\n", ["1.5", "a"]),
        ("y,p\n12345678901234567890,1\n1,1\n", ["1", "12345678901234567890"]),
        ("sep=;\ny;p\na,b;c\nc;c\n", ["a,b", "c"]),
        ("\n\ny,p\na,b\n", ["a", "b"]),
        ("y,Y,p\na,z,b\n", ["a", "b"]),
        ("Y,y,p\nz,a,b\n", ["a", "b"]),
        ("other,other,y,p\n1,2,a,b\n", ["a", "b"]),
        ("y|p\na|b\n", ["a", "b"]),
        ("y,p\ra,b\rb,b\r", ["a", "b"]),
    ],
)
def test_text(content, labels, tmp_path):
    assert labels_of(tmp_path / "f.csv", content) == [(type(label), label) for label in labels]


def test_booleans_meet_0_and_1(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p\ntrue,1\nfalse,0\nfalse,1\n")
    expected = howsure.assess([True, False, False], [1, 0, 1])
    assert howsure.assess("y", "p", data=path).confusion.counts.tolist() == expected.confusion.counts.tolist()


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ('{"y":"2024-01-01","p":"2024-01-02"}\n', ["2024-01-01", "2024-01-02"]),
        ('{"y":"2024-01-01T00:00:00Z","p":"12:30:00"}\n', ["12:30:00", "2024-01-01T00:00:00Z"]),
        ('{"y":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","p":"a"}\n', ["a", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]),
        ('{"y":"NA","p":"1"}\n', ["1", "NA"]),
        ('{"y":1,"p":2.0}\n', [1, 2]),
        ('{"y":true,"p":false}\n', [False, True]),
        ('{"y":"a","Y":"z","p":"\\u00e9"}\n', ["a", "é"]),
        ('[{"y":"a","p":"b"},{"p":"b","y":"c"}]', ["a", "b", "c"]),
    ],
)
def test_json_lines(content, labels, tmp_path):
    assert labels_of(tmp_path / "f.jsonl", content) == [(type(label), label) for label in labels]


def test_a_key_that_comes_late(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text('{"y":"a","p":"a"}\n' * 500 + '{"y":"b","p":"b","w":2}\n')
    with pytest.raises(howsure.HowsureError, match=r"^`w` must be finite and non-negative, not empty in row 1 of "):
        howsure.assess("y", "p", data=path, weight="w")


def test_quotes_of_arff(tmp_path):
    content = (
        "@relation r\n@attribute \"y\" string\n@attribute 'p' string\n@data\n"
        "\"a, b\", 'it\\'s'\n'a, b',O'Brien\n\"say \\\"x\\\"\" ,plain text\nplain text,plain text\n"
    )
    expected = ["O'Brien", "a, b", "it's", "plain text", 'say "x"']
    assert labels_of(tmp_path / "f.arff", content) == [(str, label) for label in expected]
    assert labels_of(tmp_path / "f.arff.gz", gzip.compress(content.encode())) == [(str, label) for label in expected]


def test_weights_of_any_size(tmp_path):
    path = tmp_path / "f.csv"
    for scale in ("e-200", "e0", "e200"):
        path.write_text(f"y,p,w\na,a,1.5{scale}\nb,b,2.5{scale}\nb,a,1.0{scale}\n")
        a = howsure.assess("y", "p", data=path, weight="w")
        assert a["accuracy"].value == pytest.approx(0.8, rel=1e-12)
        assert a.confusion.effective_n == pytest.approx(25 / 9.5, rel=1e-12)  # Kish: (sum w)^2 / sum w^2


def test_several_files(tmp_path):
    (tmp_path / "1.csv").write_text("y,p\na,a\nb,b\n")
    (tmp_path / "2.csv").write_text("p;y\na;b\nb;b\n")
    files = [str(tmp_path / name) for name in ("1.csv", "2.csv")]
    result = CliRunner().invoke(main, ["assess", *files, "--truth", "y", "--predicted", "p", "--json"])
    assert result.exit_code == 0, result.stderr
    assert '"n": 4' in result.stdout
    assert howsure.assess("y", "p", data=files).confusion.counts.tolist() == [[1, 0], [1, 2]]


def test_pipes(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p\na,a\nb,b\nb,a\n")
    command = f"{sys.executable} -m howsure assess <(cat {path}) --truth y --predicted p --measures accuracy --csv"
    for tail in ("", " --format csv"):
        done = subprocess.run(["bash", "-c", command + tail], capture_output=True, text=True, check=False)
        assert done.stdout.splitlines()[1].startswith("accuracy,0.6666"), done.stderr
    packed = gzip.compress(path.read_bytes())
    result = CliRunner().invoke(main, ["assess", "-", "--truth", "y", "--predicted", "p", "--csv"], input=packed)
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize("kind", WRITERS)
def test_rows(kind, tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "y": rng.choice(["a", "b", "c, d"], 500), "p": rng.choice(["a", "b", "c, d"], 500),
            "site": rng.integers(1, 4, 500), "s": rng.random(500), "t": rng.random(500), "w": rng.integers(0, 3, 500),
        }
    )  # fmt: skip
    WRITERS[kind](frame[:200], tmp_path / f"1.{kind}")
    WRITERS[kind](frame[200:], tmp_path / f"2.{kind}")
    read = read_file(
        str(tmp_path / f"*.{kind}"),
        {"y": "truth", "p": "predicted"},
        {"site": "group"},
        numbers={"s": "scores", "t": "scores"},
        weight="w",
    )
    kept = frame[frame.w > 0]
    assert read.rows == len(kept)
    for name in ("y", "p", "site"):
        encoded = read.labels[name]
        assert [encoded.values[code] for code in encoded.codes] == kept[name].tolist()
    for name in ("s", "t"):
        np.testing.assert_allclose(read.numbers[name], kept[name], rtol=0, atol=1e-10)  # pandas' JSON: ten decimals
    assert read.weight.tolist() == kept.w.tolist()
    assert read.weight.dtype == np.int64
    one = read_file([tmp_path / f"2.{kind}"], {"y": "truth"}, numbers={"s": "scores"})
    assert one.numbers["s"].shape == (300,)
    assert one.numbers["s"].dtype == np.float64


def test_rows_of_text_are_read_as_labels_are(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p\n1,-inf\n1.0,inf\n0,1e3\n")
    read = read_file(path, {"y": "truth"}, numbers={"p": "scores"})
    assert [read.labels["y"].values[code] for code in read.labels["y"].codes] == [1, 1, 0]
    assert read.numbers["p"].tolist() == [-np.inf, np.inf, 1000]


def test_a_million_rows_do_not_become_objects(tmp_path):
    path = tmp_path / "f.parquet"
    rng = np.random.default_rng(2)
    n = 1_000_000
    pd.DataFrame({"y": rng.choice(["a", "b"], n), "s": rng.random(n)}).to_parquet(path)
    start = time.perf_counter()
    read = read_file(path, {"y": "truth"}, numbers={"s": "scores"})
    taken = time.perf_counter() - start
    assert read.rows == n
    assert taken < 5, "about a fifth of a second on two idle cores; one object per row would take many"


def test_positive_as_written(tmp_path):
    flags, numbers, texts = (tmp_path / name for name in ("1.csv", "2.csv", "3.csv"))
    flags.write_text("y,p\ntrue,false\nfalse,false\n")
    numbers.write_text("y,p\n0,1\n1,1\n")
    texts.write_text("y,p\ntrue,false\nmaybe,false\n")
    for path, option, positive in (
        (flags, "true", "true"), (flags, "False", "false"), (numbers, "1.0", "1"), (texts, "true", '"true"'),
    ):  # fmt: skip
        command = ["assess", str(path), "--truth", "y", "--predicted", "p", "--positive", option, "--json"]
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 0, result.stderr
        assert f'"positive": {positive},' in result.stdout


def test_help_names_no_exit_code_without_a_meaning():
    sentence = (
        "Exit codes: 0 success 1 a task failed, a folder is damaged, or a gate failed 2 invalid input 70 internal "
        "error, with a report to send 130 interrupted by Ctrl-C"
    )
    said = " ".join(CliRunner().invoke(main, ["--help"]).stdout.split())
    assert sentence in said
    assert "docs/" not in said  # which nobody has who installed the package
    assert "Run `howsure COMMAND --help` for the options of a command." in said
    assert 'add eval "$(_HOWSURE_COMPLETE=bash_source howsure)" to ~/.bashrc' in said


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    CliRunner().invoke(main, ["assess", "-", "--truth", "y", "--predicted", "p"], input="y,p\na,a\n")
    assert os.listdir(tmp_path) == []


@pytest.fixture
def psv():
    """Declare one more format, as a module of its own would, and forget it after the test."""
    with formats.restored():
        declare_format(Format("psv", "PSV", (".psv",), partial(Text, separators=("|",))))
        yield


@pytest.mark.usefixtures("psv")
def test_a_format_that_is_declared_is_read_and_named_everywhere(tmp_path):
    path, other = tmp_path / "f.psv", tmp_path / "f.data"
    content = "y|p|a,b,c\nyes|yes|1,2,3\nno|yes|1,2,3\n"
    path.write_text(content)
    other.write_text(content)
    a = howsure.assess("y", "p", data=path)
    assert a.confusion.counts.tolist() == [[0, 1], [0, 1]]
    assert howsure.assess("y", "p", data=other, format="psv").labels == ("no", "yes")
    columns = ["--truth", "y", "--predicted", "p", "--measures", "accuracy", "--csv"]
    for arguments in ([path], [other, "--format", "psv"]):
        done = CliRunner().invoke(main, ["assess", *map(str, arguments), *columns])
        assert done.stdout.splitlines()[1].startswith("accuracy,0.5,"), done.stderr
    for command in ("assess", "compare"):
        assert "csv, tsv, arff, jsonl, parquet or psv. Default: from its extension." in " ".join(
            CliRunner().invoke(main, [command, "--help"]).stdout.split()
        )
    with pytest.raises(howsure.HowsureError, match=r"one of csv, tsv, arff, jsonl, parquet, psv\.$"):
        howsure.assess("y", "p", data=other)


def test_texts_that_list_the_formats_have_them_all():
    root = Path(__file__).parents[2]
    pages = [root / "docs/reference/file-formats.md", root / "docs/how-to/experiments.md"]
    texts = [howsure.assess.__doc__, *(path.read_text() for path in pages)]
    assert all(format_list() in text for text in texts)


ODD = ['"; DROP TABLE cases; --', "it's", "a b", "SELECT", "c0", "n0", "weight", "is_whole", "a\\b", "x, y"]


@pytest.mark.parametrize("kind", WRITERS)
def test_no_heading_gets_into_sql(kind, tmp_path):
    """Columns are called what they are called, also where that reads like SQL or like a name of our own."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: rng.random(20) for name in ODD} | {"y'\"": rng.choice(["a", "b"], 20)})
    for name in ('p "1"', "p;2"):
        frame[name] = rng.choice(["a", "b"], 20)
    path = tmp_path / f"it's; [1].{kind}"
    WRITERS[kind](frame, path)
    for name in ODD:
        read = howsure.assess("y'\"", 'p "1"', scores=name, data=path, weight=ODD[0], by="p;2")
        held = howsure.assess("y'\"", 'p "1"', scores=name, data=frame, weight=ODD[0], by="p;2")
        for group in ("a", "b"):
            assert read[group]["auc"].value == pytest.approx(held[group]["auc"].value, rel=1e-9)
            assert read[group]["accuracy"].value == pytest.approx(held[group]["accuracy"].value, rel=1e-9)
    for columns in ({"scores": ODD}, {"predicted": ['p "1"', "p;2"]}):
        read = howsure.compare("y'\"", **columns, data=path)
        held = howsure.compare("y'\"", **columns, data=frame)
        for name, estimate in held.values.items():
            assert read.values[name].value == pytest.approx(estimate.value, rel=1e-9)
    X, y, groups = read_table(str(path), "y'\"", groups="p;2", drop=['p "1"'])
    assert X.shape == (20, len(ODD))
    assert (len(y.values), len(np.unique(groups))) == (2, 2)


def test_one_column_in_two_roles(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p,s\ntrue,1,0.5\nfalse,0,0.25\ntrue,0,0.75\n")
    assert howsure.assess("y", "y", data=path)["accuracy"].value == 1
    assert list(howsure.assess("y", "p", data=path, by="y")) == [False, True]
    assert list(howsure.assess("y", scores="s", data=path, by="y", weight="s")) == [False, True]


def test_columns_of_classifiers_share_their_classes(tmp_path):
    """One of them may predict only classes that look like numbers."""
    path = tmp_path / "f.csv"
    path.write_text("y,one,other\n1,1,1\n2,2,1\n3b,3b,2\n3b,2,2\n")
    c = howsure.compare("y", predicted=["one", "other"], data=path)
    assert [estimate.value for estimate in c.values.values()] == [0.75, 0.25]


def test_files_of_classifiers_share_their_classes(tmp_path):
    """One of them alone would be read as numbers."""
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("y,p\n1,1\n2,2\n2,1\n")
    other.write_text("y,p\n1,1\n2,x\n2,x\n")
    done = CliRunner().invoke(main, ["compare", str(one), str(other), "--truth", "y", "--predicted", "p", "--json"])
    assert done.exit_code == 0, done.stderr
    assert [record["value"] for record in json.loads(done.stdout)["values"].values()] == pytest.approx([2 / 3, 1 / 3])


def test_a_frame_a_mapping_arrays_and_a_file_are_the_same(tmp_path):
    columns = {"y": ["a", "b", "a", "b"], "p": ["a", "a", "a", "b"], "w": [1, 2, 1, 3], "site": [2, 1, 1, 2]}
    frame = pd.DataFrame(columns)
    frame.to_csv(tmp_path / "f.csv", index=False)
    expected = howsure.assess(columns["y"], columns["p"], weight=columns["w"], by=columns["site"])
    stream = io.BytesIO((tmp_path / "f.csv").read_bytes())
    for data in (frame, columns, tmp_path / "f.csv", [tmp_path / "f.csv"], stream):
        groups = howsure.assess("y", "p", data=data, weight="w", by="site")
        assert list(groups) == list(expected) == [1, 2]
        for site in groups:
            assert groups[site].confusion.counts.tolist() == expected[site].confusion.counts.tolist()
