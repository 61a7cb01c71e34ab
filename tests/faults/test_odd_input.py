"""Input nobody expects: endless streams, lines without end, names that are not text, columns that are not columns."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import shutil
import socket
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.data.read import copies
from howsure.data.read.gather import gather

NO_OBJECT = 'cannot be read as JSON lines: each line must be an object such as {"y": "a"}.'
ENDLESS = {
    "zeros": ("cat /dev/zero", "", "'standard input' is not CSV: it holds binary data."),
    "no column": ("yes", "", "`--predicted` must be a column of 'standard input', not 'p'; it has 'y'."),
    "gzip": ("yes | gzip -c", "", "`--predicted` must be a column of 'standard input', not 'p'; it has 'y'."),
    "gzip of zeros": ("cat /dev/zero | gzip -c", "", "'standard input' is not CSV: it holds binary data."),
    "one line": (
        "cat /dev/zero | tr '\\0' a", "",
        f"`--truth` must be a column of 'standard input', not 'y'; it has '{'a' * 200}...'.",
    ),
    "no Parquet": (
        "yes", "parquet",
        "'standard input' is not a Parquet file, despite its name; name its format with `--format`.",
    ),
    "no ARFF": ("yes", "arff", "'standard input' is not ARFF: it has no line '@data'."),
    "ARFF without the column": (
        "{ printf '@attribute y string\\n@data\\n'; yes a; }", "arff",
        "`--predicted` must be a column of 'standard input', not 'p'; it has 'y'.",
    ),
    "open objects": ("yes '{'", "jsonl", f"'standard input' {NO_OBJECT}"),
    "open arrays": ("yes '['", "jsonl", f"'standard input' {NO_OBJECT}"),
    "objects without the column": (
        "yes '{\"a\":1}'", "jsonl", "`--truth` must be a column of 'standard input', not 'y'; it has 'a'.",
    ),
}  # fmt: skip


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device here")
@pytest.mark.parametrize("name", ENDLESS)
def test_endless_streams_end(name, tmp_path):
    command, file_format, sentence = ENDLESS[name]
    read = f"{sys.executable} -m howsure assess - --truth y --predicted p"
    option = f"--format {file_format}" if file_format else ""
    start = time.monotonic()
    done = subprocess.run(
        ["bash", "-c", f"{command} | {read} {option}"], capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == f"Error: {sentence}"
    assert time.monotonic() - start < 20  # a second where the machine has nothing else to do
    assert os.listdir(tmp_path) == []


def test_devices_and_sockets(tmp_path):
    with pytest.raises(howsure.HowsureError, match=r"^'/dev/zero' is not CSV: it holds binary data\.$"):
        howsure.assess("y", "p", data="/dev/zero")
    path = str(tmp_path / "s.csv")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(path)
        with pytest.raises(howsure.HowsureError, match=r"cannot be opened: no such device or address\.$"):
            howsure.assess("y", "p", data=path)


def test_streams_and_rewritten_files_have_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(copies, "MAXIMUM", 1000)
    arff = b"@attribute y string\n@attribute p string\n@data\n" + b"a,b\n" * 1000
    (tmp_path / "f.arff").write_bytes(arff)
    (tmp_path / "f.arff.gz").write_bytes(gzip.compress(arff))
    for data in (tmp_path / "f.arff", tmp_path / "f.arff.gz", io.BytesIO(b"y,p\n" + b"a,b\n" * 1000)):
        with pytest.raises(
            howsure.HowsureError, match=r"must not exceed 1e-06 GB, because it has to be copied to '.*';"
        ):
            howsure.assess("y", "p", data=data)
    assert howsure.assess("y", "p", data=io.BytesIO(b"y,p\na,b\nb,b\n")).n == 2


def test_the_bound_leaves_room_on_the_disk(monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=copies.RESERVE + 5))
    with pytest.raises(howsure.HowsureError, match=r"must not exceed 5e-09 GB"):
        howsure.assess("y", "p", data=io.BytesIO(b"y,p\na,b\nb,b\n"))


LONG = {
    "a cell": b"y,p,z\n1,1," + b"x" * 200_000 + b"\n0,0,b\n",
    "a heading": b"y,p," + b"x" * 200_000 + b"\n1,1,a\n0,0,b\n",
    "a row": b"y,p,z\n1,1," + b"x" * 3_000_000 + b"\n0,0,b\n",
    "a quoted cell": b'y,p,z\n1,1,"' + b"x\n" * 100_000 + b'"\n0,0,b\n',
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", LONG)
def test_long_cells_are_read(name, packed, tmp_path):
    path = tmp_path / "f.csv"
    path.write_bytes(gzip.compress(LONG[name]) if packed else LONG[name])
    assert howsure.assess("y", "p", data=path).confusion.counts.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n1,1\n"])
@pytest.mark.parametrize("size", [17_000_000, 40_000_000])
def test_a_row_too_long_is_not_passed_over(size, end, packed, tmp_path):
    path = tmp_path / "f.csv"
    content = b"y,p\n1,1\n0,0\n" + b"a" * size + end
    path.write_bytes(gzip.compress(content, 1) if packed else content)
    with pytest.raises(
        howsure.HowsureError, match=r"(row 3|its last row) has more than 16,000,000 bytes, which is the limit"
    ):
        howsure.assess("y", "p", data=path)


def test_arff_line_without_end(tmp_path):
    path = tmp_path / "f.arff"
    path.write_bytes(b"@attribute y string\n@attribute p string\n@data\n" + b"a" * (1 << 25))
    with pytest.raises(howsure.HowsureError, match=r"it has a line of more than 16,777,216 characters\.$"):
        howsure.assess("y", "p", data=path)


@pytest.mark.parametrize("suffix", ["csv.gz", "arff.gz"])
def test_damaged_gzip(suffix, tmp_path):
    path = tmp_path / f"f.{suffix}"
    rows = "".join(f"{n * 7919 % 1000},{n * 104729 % 1000}\n" for n in range(20_000))
    heading = "y,p\n" if suffix == "csv.gz" else "@attribute y string\n@attribute p string\n@data\n"
    packed = gzip.compress((heading + rows).encode())
    for broken in (packed[: len(packed) // 2], packed[:20_000] + b"\xff" * 100 + packed[20_100:]):
        path.write_bytes(broken)
        with pytest.raises(howsure.HowsureError, match=r"cannot be (read|opened): "):
            howsure.assess("y", "p", data=path)


def test_numbers_and_nesting_beyond_measure(tmp_path):
    path = tmp_path / "f.jsonl"
    for value, shown in (("1" * 4400, "1" * 40), ("[" * 3000 + "]" * 3000, "[" * 40)):
        path.write_text(f'{{"y":{value},"p":1}}\n')
        with pytest.raises(howsure.HowsureError) as caught:
            howsure.assess("y", "p", data=path)
        assert (
            str(caught.value)
            == f"`y` must hold text, whole numbers or booleans, not a value that begins with '{shown}'."
        )
        path.write_text(f'{{"y":1,"p":1,"z":{value}}}\n')
        assert howsure.assess("y", "p", data=path).n == 1


def test_names_of_files_that_are_not_unicode(tmp_path):
    folder = os.fsencode(tmp_path)
    try:
        for name, row in ((b"\xff\xfe.csv", "0,0"), (b"\xff\xff.csv", "0,1")):
            with open(os.path.join(folder, name), "w") as file:
                file.write(f"y,p\n1,1\n{row}\n")
    except OSError:
        pytest.skip("this system knows no such names")
    one, two = (os.fsdecode(os.path.join(folder, name)) for name in (b"\xff\xfe.csv", b"\xff\xff.csv"))
    assert howsure.assess("y", "p", data=one).n == 2
    assert howsure.assess("y", "p", data=[one, two]).n == 4
    assert howsure.assess("y", "p", data=str(tmp_path / "*.csv")).n == 4
    command = [sys.executable, "-m", "howsure", "compare", one, two, "--truth", "y", "--predicted", "p", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert b'"\\\\xff\\\\xfe"' in done.stdout
    done.stdout.decode()
    done = subprocess.run([*command[:-2], "q"], capture_output=True, check=False)
    assert done.stderr.decode().startswith("Error: `--predicted` must be a column of '")
    assert done.returncode == 2


Y = [0, 1, 1, 0]
TWO = {"a": [0, 1, 0, 0], "b": [0, 1, 1, 1]}
SENTENCES: dict[str, tuple[Any, str]] = {
    "no truth": (lambda: howsure.assess(None, Y),
    "`truth` must be a column of labels, or its name in `data`, not None."),
    "scores for labels": (
        lambda: howsure.assess(Y, [0.1, 0.7, 0.2, 0.3]),
        "`predicted` must hold class labels, not real numbers such as 0.1; if these are scores, give them as "
        "`scores=`.",
    ),
    "threshold of labels": (
        lambda: howsure.assess(Y, Y, threshold=0.5),
        "`threshold` applies to `scores`, but `predicted` already holds decisions; leave out one of the two.",
    ),
    "threshold of labels and scores": (
        lambda: howsure.assess(Y, Y, scores=[0.1, 0.7, 0.2, 0.3], threshold=0.5),
        "`threshold` applies to `scores`, but `predicted` already holds decisions; leave out one of the two.",
    ),
    "threshold of compared labels": (
        lambda: howsure.compare(Y, TWO, threshold=0.5),
        "`threshold` applies to `scores`, but `predicted` already holds decisions; leave out one of the two.",
    ),
    "threshold of many classes": (
        lambda: howsure.assess([0, 1, 2], scores=np.eye(3), threshold=0.5),
        "`threshold` is for two classes; with a column of scores for each class, the highest score decides.",
    ),
    "format of arrays": (
        lambda: howsure.assess(Y, Y, format="csv"),
        "`format` applies to files only; leave out 'csv'.",
    ),
    "format of compared arrays": (
        lambda: howsure.compare(Y, TWO, format="csv"),
        "`format` applies to files only; leave out 'csv'.",
    ),
    "complex scores": (
        lambda: howsure.assess(Y, scores=[1j, 2, 3, 4]),
        "`scores` must hold numbers, but this list holds something else.",
    ),
    "text for scores": (
        lambda: howsure.assess(Y, scores=["a", "b", "c", "d"]),
        "`scores` must hold numbers, but this list holds something else.",
    ),
    "times for scores": (
        lambda: howsure.assess(Y, scores=np.array(["2020"] * 4, "M8[D]")),
        "`scores` must hold numbers, but this ndarray holds something else.",
    ),
    "rows of scores": (
        lambda: howsure.assess(Y, scores=[[1], [2, 3], [4], [5]]),
        "`scores` must hold numbers, but this list holds something else.",
    ),
    "masked scores": (
        lambda: howsure.assess(Y, scores=np.ma.masked_array([1, 2, 3, 4], [False, True, False, False])),
        "`scores` has no number at index 1; drop these rows or give them a score.",
    ),
    "scores that would tie": (
        lambda: howsure.assess(Y, scores=[2**53, 2**53 + 1, 1, 2]),
        "`scores` must be below 2**53, beyond which different whole numbers would be equal.",
    ),
    "text in a frame's scores": (
        lambda: howsure.assess("y", scores=["a", "b"], data={"y": Y, "a": Y, "b": list("abcd")}),
        "`b` must hold numbers, but this list holds something else.",
    ),
    "short column of scores": (
        lambda: howsure.assess("y", scores=["a", "b"], data={"y": Y, "a": Y, "b": [1]}),
        "`a` has 4 rows and `b` has 1; they must be of equal length.",
    ),
    "rows of weights": (
        lambda: howsure.assess(Y, Y, weight=[[1], [2, 3], [4], [5]]),
        "`weight` must hold numbers, but this list holds something else.",
    ),
    "text for weights": (
        lambda: howsure.assess(Y, Y, weight=list("1234")), "`weight` must be a column of numbers, not list of <U1.",
    ),
    "unsigned weights": (
        lambda: howsure.assess(Y, Y, weight=np.array([2**63, 1, 1, 1], np.uint64)),
        "`weight` must add up to less than 2**53 cases; give it as real numbers instead.",
    ),
    "one name of two classifiers": (
        lambda: howsure.compare(Y, {1: Y, "1": Y, "x": Y}),
        "`predicted` must be columns of classifiers with different names, not [1, '1', 'x'].",
    ),
    "one column for two classes": (
        lambda: howsure.assess("y", scores=["a", "a"], data={"y": Y, "a": Y}),
        "`scores` must be different columns, one for each class, not ['a', 'a'].",
    ),
    "list for positive": (lambda: howsure.assess(Y, Y, positive=[1]), "`positive` must be one of 0, 1, not [1]."),
    "another order": (
        lambda: howsure.assess(pd.Series(Y), pd.Series(Y)[::-1]),
        "`truth` and `predicted` have the same index in another order; put both in the same order with `.loc`, or "
        "pass arrays with `.to_numpy()` to pair the rows by position.",
    ),
    "another order of a classifier": (
        lambda: howsure.compare(pd.Series(Y), scores={"a": pd.Series(Y), "b": pd.Series(Y)[::-1]}),
        "`truth` and `b` have the same index in another order; put both in the same order with `.loc`, or pass "
        "arrays with `.to_numpy()` to pair the rows by position.",
    ),
    "NUL in a path": (lambda: howsure.assess("y", "p", data="a\0b.csv"), "there is no file 'a\\x00b.csv'."),
    **{
        f"data of type {type(data).__name__}": (
            lambda data=data: howsure.assess("y", "p", data=data),
            f"`data` must be a data frame, a file, or a mapping of columns, not {type(data).__name__}.",
        )
        for data in (5, [1], (), object(), b"f.csv", np.zeros(3), {1})
    },
    "a module": (
        lambda: howsure.assess("y", "p", data=os),
        "'posix' cannot be read: read expected 2 arguments, got 1.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SENTENCES)
def test_sentence(name):
    call, sentence = SENTENCES[name]
    with pytest.raises(howsure.HowsureError) as caught:
        call()
    assert str(caught.value) == sentence


def test_columns_of_pandas_are_paired_with_what_has_no_index():
    """The labels of a test set keep their numbers; predictions of a model are an array."""
    truth = pd.Series(Y, index=[7, 3, 9, 2])
    assert howsure.assess(truth, np.array(Y))["accuracy"].value == 1
    assert howsure.assess(truth, pd.Categorical(Y))["accuracy"].value == 1
    assert howsure.assess(truth, truth)["accuracy"].value == 1


ROLES = [
    "weight",
    "truth",
    "group",
    "by",
    "fold",
    "predicted",
    "scores",
    "cases",
    "square",
    "threshold",
    "labels",
    "c0",
    "n0",
]


@pytest.mark.parametrize("name", ROLES)
def test_classifiers_may_be_called_like_a_role(name):
    truth, rare, other = list("abcabcabc"), list("abbabbabb"), list("abcaabbcc")  # one never predicts c
    assert howsure.compare(truth, {name: rare, "other": other}).values[name].value == pytest.approx(6 / 9)
    with pytest.raises(howsure.HowsureError) as caught:
        howsure.compare(truth, {name: rare[:8], "other": other})
    assert str(caught.value) == f"`truth` has 9 rows and `{name}` has 8; they must be of equal length."
    scores = np.arange(9) % 2
    with pytest.raises(howsure.HowsureError, match="must be of equal length"):
        howsure.compare(truth, scores={name: scores[:8], "other": scores}, positive="a")


@pytest.mark.parametrize("name", [*ROLES, "class", "n", "value", "precision", "recall_low", "f1 interval", "of"])
def test_groups_may_be_called_like_a_heading(name):
    data = {"y": Y, "p": [0, 1, 0, 0], name: list("uuvv")}
    groups = howsure.assess("y", "p", by=name, data=data)
    plain = howsure.assess("y", "p", by="x", data={**data, "x": data[name]})
    for table, same in ((groups, plain), (groups.per_class(), plain.per_class())):
        records = [[list(one.values()) for one in some.records()] for some in (table, same)]
        assert repr(records[0]) == repr(records[1])
        assert repr(table.sheet().rows) == repr(same.sheet().rows)  # where nan is like nan


LABELS = {"whole numbers": np.arange(4), "text": np.array(list("abcd")), "digits": np.array(["0", "1", "2", "3"])}
GIVEN = list(itertools.product(LABELS, [False, True], [False, True], [False, True]))


@pytest.mark.parametrize(("kind", "with_predicted", "with_groups", "in_files"), GIVEN)
def test_one_class_against_the_rest(kind, with_predicted, with_groups, in_files, tmp_path):
    """One column of scores and many classes: whatever the labels, the numbers are those of two."""
    rng = np.random.default_rng(3)
    codes, answers, group = rng.integers(0, 4, 200), rng.integers(0, 4, 200), rng.integers(0, 2, 200)
    scores = np.round(rng.random(200) + (codes == 1), 3)
    positive = LABELS[kind][1]
    frame = pd.DataFrame({"y": LABELS[kind][codes], "p": LABELS[kind][answers], "s": scores, "g": group})
    data = frame
    if in_files:
        data = str(tmp_path / "f.csv")
        frame.to_csv(data, index=False)
        if kind == "digits":
            positive = int(positive)  # the file does not tell
    more = {"by": "g"} if with_groups else {}
    result = howsure.assess("y", "p" if with_predicted else None, scores="s", positive=positive, data=data, **more)
    two = howsure.assess(
        codes == 1, answers == 1 if with_predicted else None, scores=scores, **({"by": group} if with_groups else {})
    )
    for one, expected in zip(result.values(), two.values(), strict=True) if with_groups else [(result, two)]:
        assert one.labels == (f"not {positive}", positive)
        assert one.positive == positive
        assert one.confusion.counts.tolist() == expected.confusion.counts.tolist()
        assert one["auc"].value == expected["auc"].value
        assert one.estimate("recall", label=positive).value == expected["recall"].value
        assert len(one.curves()) > 3
    for table in (result, result.per_class()):
        assert str(positive) in table.text()
        assert str(positive) in table.to_csv()
        assert table.to_dict()


def test_one_class_against_the_rest_compared(tmp_path):
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, 200)
    frame = pd.DataFrame({"y": codes, "a": rng.random(200) + (codes == 1), "b": rng.random(200)})
    frame.to_csv(tmp_path / "f.csv", index=False)
    two = howsure.compare(codes == 1, scores={"a": frame["a"], "b": frame["b"]})
    assert howsure.compare("y", scores=["a", "b"], data=frame, positive=1).test.pvalue == two.test.pvalue
    command = [str(tmp_path / "f.csv"), "--truth", "y", "--positive", "1"]
    for args in (
        ["compare", *command, "--score", "a", "--score", "b"],
        ["compare", *command, "--score", "a", "--score", "b", "--measure", "recall", "--json"],
        ["assess", *command, "--score", "a", "--curves", str(tmp_path / "curves")],
        ["gate", *command, "--as-scores", "--baseline", "b", "--candidate", "a"],
    ):
        result = CliRunner().invoke(main, args)
        assert result.exit_code == 0, result.output


def parquet(path, **columns):
    pq.write_table(pa.table(columns), path)
    return str(path)


def test_parquet_of_several_types(tmp_path):
    whole = parquet(tmp_path / "1.parquet", y=[1, 0], p=[1, 0], s=[1, 0])
    small = parquet(tmp_path / "2.parquet", p=pa.array([1, 0], pa.int8()), y=pa.array([0, 0], pa.uint16()), s=[1, 0])
    assert howsure.assess("y", "p", data=[whole, small]).confusion.counts.tolist() == [[2, 1], [0, 1]]
    for kind, values in {"DOUBLE": [1.0, 0.0], "VARCHAR": ["1", "0"], "BOOLEAN": [True, False]}.items():
        other = parquet(tmp_path / "3.parquet", y=[1, 0], p=values, s=values)
        with pytest.raises(howsure.HowsureError) as caught:
            howsure.assess("y", "p", data=[whole, other])
        assert str(caught.value) == (
            f"`p` must have one type in all files, but it is BIGINT in '{whole}' and {kind} in '{other}'; "
            "write them again with one type."
        )
    numbers = parquet(tmp_path / "4.parquet", y=[1, 0], s=[0.5, 0.25])
    assert howsure.assess("y", scores="s", data=[whole, numbers]).n == 4  # numbers are numbers
    lacking = parquet(tmp_path / "5.parquet", y=[1, 0], P=[1, 0])
    with pytest.raises(
        howsure.HowsureError, match=r"^`predicted` must be a column of '.*5\.parquet', not 'p'; did you mean 'P'"
    ):
        howsure.assess("y", "p", data=[whole, lacking])


def test_parquet_of_equal_names(tmp_path):
    path = str(tmp_path / "f.parquet")
    columns = [pa.array(values) for values in ([1, 0, 1], [1, 0, 0], [0, 1, 0], [{"y": 5}] * 3, [1, 1, 1])]
    pq.write_table(pa.Table.from_arrays(columns, names=["y", "p", "P", "z", "z"]), path)
    assert howsure.assess("y", "p", data=path)["accuracy"].value == pytest.approx(2 / 3)
    assert howsure.assess("y", "P", data=[path, path])["accuracy"].value == 0
    with pytest.raises(
        howsure.HowsureError, match=r"^`weight` must name one column of '.*', but 2 columns have the name 'z'; ren"
    ):
        howsure.assess("y", "p", weight="z", data=path)


def test_json_of_equal_names(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text('{"y":1,"p":1,"P":0}\n{"y":0,"p":0,"P":1}\n')
    assert howsure.assess("y", "p", data=path)["accuracy"].value == 1
    assert howsure.assess("y", "P", data=path)["accuracy"].value == 0
    both = howsure.compare("y", ["p", "P"], data=path)
    assert [value.value for value in both.values.values()] == [1, 0]
    path.write_text('{"y":1,"p":1,"P":0}\n{"y":0,"p":0,"P":1,"p":1}\n')
    with pytest.raises(howsure.HowsureError, match=r": 'p' occurs twice in line 2; each object must have it once\.$"):
        howsure.assess("y", "p", data=path)
    with pytest.raises(
        howsure.HowsureError, match=r": a name occurs twice in one line; each object must have it once\.$"
    ):
        howsure.compare("y", ["p", "P"], data=path)


BIG = 2**53
LARGE = {
    "csv": lambda path: path.write_text(f"y,p\n{BIG + 1},{BIG + 1}\n{BIG},{BIG}\n{BIG}.0,{BIG}\n"),
    "jsonl": lambda path: path.write_text("".join(f'{{"y":{n},"p":{n}}}\n' for n in (BIG + 1, BIG, BIG))),
    "parquet": lambda path: parquet(path, y=[BIG + 1, BIG, BIG], p=[BIG + 1, BIG, BIG]),
}


@pytest.mark.parametrize("ending", LARGE)
def test_large_whole_numbers_stay_apart(ending, tmp_path):
    path = tmp_path / f"f.{ending}"
    LARGE[ending](path)
    assert howsure.assess("y", "p", data=path).confusion.counts.tolist() == [[2, 0], [0, 1]]


def test_large_real_numbers_are_no_labels(tmp_path):
    words = r"must not hold the real number 9007199254740992\.0, which may stand for several whole num"
    lines = tmp_path / "f.jsonl"
    lines.write_text(f'{{"y":{BIG + 1}.0,"p":1}}\n')
    for data in (lines, parquet(tmp_path / "f.parquet", y=[float(BIG)], p=[1]), {"y": [float(BIG)], "p": [1]}):
        with pytest.raises(howsure.HowsureError, match=words):
            howsure.assess("y", "p", data=data)


def compared(folder, contents, *options):
    paths = []
    for name, content in contents.items():
        path = folder / name
        if name.endswith("parquet"):
            parquet(path, **content)
        else:
            path.write_text(content)
        paths.append(str(path))
    return CliRunner().invoke(main, ["compare", *paths, "--truth", "y", "--predicted", "p", *options, "--json"])


def test_keys_are_of_one_kind(tmp_path):
    """1 and "1" sort alike, so that rows with the same truth changed places without a word."""
    row = '{{"id":{},"y":{},"p":{}}}\n'.format
    a = row(1, 1, 1) + row('"1"', 1, 0) + row(2, 0, 0)
    b = row('"1"', 1, 0) + row(1, 1, 1) + row(2, 0, 0)
    result = compared(tmp_path, {"a.jsonl": a, "b.jsonl": b}, "--key", "id")
    assert result.stderr == (
        "Error: `id` must have one type in all files, but it has '1' in 'a' and 1 in 'a'; write all keys in one form.\n"
    )
    a, b = (row(one, 1, 1) + row(two, 0, 0) for one, two in ((1, 0), ("true", "false")))
    result = compared(tmp_path, {"a.jsonl": a, "b.jsonl": b}, "--key", "id")
    assert "it has 0 in 'a' and False in 'b'" in result.stderr
    typed = {"id": ["1", "2"], "y": [1, 0], "p": [1, 0]}
    result = compared(tmp_path, {"a.parquet": {**typed, "id": [1, 2]}, "b.parquet": typed}, "--key", "id")
    assert "it has 1 in 'a' and '1' in 'b'" in result.stderr
    result = compared(tmp_path, {"a.csv": "id,y,p\n01,1,1\n02,0,0\n", "b.csv": "id,y,p\n1,1,1\n2,0,0\n"}, "--key", "id")
    assert (
        result.stderr
        == "Error: 'a' and 'b' must hold the same cases, but 01, 02, 1 and 1 more are in only one of them.\n"
    )


@pytest.mark.parametrize(
    "ids", [[2, 10, 1], ["2", "10", "1"], ["02", "10", "01"], [2.5, 10.0, 1.0], [2**53 + 1, 2**53, 7]]
)
def test_keys_join_whatever_the_order_and_format(ids, tmp_path):
    y, p = [1, 1, 0], [1, 0, 0]
    order = [1, 2, 0]
    moved = {"id": [ids[i] for i in order], "y": [y[i] for i in order], "p": [p[i] for i in order]}
    contents = {
        "a.parquet": {"id": ids, "y": y, "p": p},
        "b.parquet": moved,
        "c.csv": pd.DataFrame({"id": ids, "y": y, "p": p}, dtype=object).to_csv(index=False),
        "d.jsonl": pd.DataFrame(moved, dtype=object).to_json(orient="records", lines=True),
    }
    result = compared(tmp_path, contents, "--key", "id")
    if ids[0] == 2.5:  # text files cannot tell whether 2.5 is a number
        assert "must have one type" in result.stderr
        contents.pop("c.csv")
        result = compared(tmp_path, contents, "--key", "id")
    assert result.exit_code == 0, result.output
    assert '"difference": 0.0' in result.stdout


@pytest.mark.parametrize(("values", "typed"), [(["1", "0", "1"], ["1", "0", "1"]), (["1", "0", "1"], [1, 0, 1])])
def test_text_files_beside_typed_ones(values, typed, tmp_path):
    text = "y,p\n" + "".join(f"{value},{value}\n" for value in values)
    result = compared(tmp_path, {"a.csv": text, "b.parquet": {"y": typed, "p": typed}})
    assert result.exit_code == 0, result.output
    result = compared(tmp_path, {"a.csv": text, "b.csv": text.replace("\n1,1\n", "\n1,x\n", 1)})  # all are text then
    assert result.exit_code == 0, result.output


def test_options_of_compare_that_would_do_nothing(tmp_path):
    (tmp_path / "f.csv").write_text("y,a,b\n1,1,0\n0,0,0\n")
    path = str(tmp_path / "f.csv")
    one = ["compare", path, "--truth", "y", "--predicted", "a", "--predicted", "b"]
    for args, sentence in (
        ([*one, "--predicted", "a"], "each column must be given once, but 'a' is repeated."),
        ([*one, "--key", "y"], "`--key` matches the rows of several files; leave it out for one FILE."),
        (
            ["compare", path, path, "--truth", "y", "--predicted", "a"],
            f"each classifier must have its own FILE, but {path!r} is repeated.",
        ),
    ):
        assert CliRunner().invoke(main, args).stderr == f"Error: {sentence}\n"


def test_many_labels_are_encoded_in_no_time():
    """Reading 50,000 different labels takes no product of them."""
    labels = np.arange(50_000).astype(str)
    for column in (labels, labels.astype(object), list(labels), pl.Series(labels), np.arange(50_000) * 10**9):
        start = time.monotonic()
        source = gather({"truth": column, "predicted": column})
        assert time.monotonic() - start < 3
        assert len(source.predictions.classes.labels) == 50_000


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_names_with_line_breaks_behind_a_byte_order_mark(tmp_path, mark, end):
    path = tmp_path / "f.csv"
    path.write_bytes((mark + end.join([f'"a{end}b";"c{end}d"', "1;1", "1;0", "0;0", ""])).encode())
    assert howsure.assess(f"a{end}b", f"c{end}d", data=path).confusion.counts.tolist() == [[1, 0], [1, 1]]
    path.write_bytes(('\ufeff"a\nb";c\r\n1;1\r\n0;0\r\n').encode())
    with pytest.raises(howsure.HowsureError, match="the name of its first column has a line break"):
        howsure.assess("a\nb", "c", data=path)


def test_digits_of_other_scripts_are_letters(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p\n13,13\n1\u0663,13\n", encoding="utf-8")
    assert set(howsure.assess("y", "p", data=path).labels) == {"13", "1\u0663"}


def test_groups_of_files_with_real_weights_count_rows(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p,w,g\na,a,0.5,x\na,a,0.5,x\na,b,0.25,z\nb,b,1,z\n")
    groups = howsure.assess("y", "p", data=path, weight="w", by="g")
    assert {name: group.n for name, group in groups.items()} == {"x": 2, "z": 2}


def test_a_quote_that_is_never_closed_in_arff(tmp_path):
    path = tmp_path / "f.arff"
    path.write_text("@relation r\n@attribute y string\n@attribute p string\n@data\n'a', 'a'\n'b', 'b\n")
    with pytest.raises(howsure.HowsureError, match="a quote in row 2 is not closed"):
        howsure.assess("y", "p", data=path)


def test_a_score_that_is_no_number_in_parquet(tmp_path):
    path = tmp_path / "f.parquet"
    pq.write_table(pa.table({"y": [0, 1, 1], "s": [0.1, float("nan"), 0.3]}), path)
    with pytest.raises(howsure.HowsureError, match=r"^`s` must be a number, not nan in row 2 of "):
        howsure.assess("y", scores="s", data=path)
