"""Every mistake in a file or on the command line has one sentence, word for word, and exit code 2."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys

import pandas as pd
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.data.read.files import count_file, read_file

HINT = "which most programs write for a missing"
SCORES = "must hold class labels, not real numbers such as"
SCORES_END = "if these are scores, give them as `--score`."

SENTENCES = {
    "scores for labels": ("f.csv", b"y,p\n1,0.7\n0,0.2\n", [], f"`p` {SCORES} 0.2; {SCORES_END}"),
    "scores against booleans": ("f.csv", b"y,p\ntrue,0.7\nfalse,1\n", [], f"`p` {SCORES} 0.7; {SCORES_END}"),
    "scores against text": ("f.csv", b"y,p\na,0.7\nb,1e-3\n", [], f"`p` {SCORES} 1e-3; {SCORES_END}"),
    "scores in JSON lines": (
        "f.jsonl", b'{"y":1,"p":0.5}\n{"y":0,"p":1}\n', [], f"`p` {SCORES} 0.5; {SCORES_END}",
    ),
    **{
        f"missing written as {word}": (
            "f.csv",
            f"y,p\na,a\n{word},b\nb,b\n".encode(),
            [],
            f"`y` has '{word}' in row 2 of 'FILE', {HINT} label; drop these rows, or rename the class.",
        )
        for word in ("NA", "nan", "NaN", "NULL", "null", "None", "N/A", "<NA>")
    },
    "missing group written as NA": (
        "f.tsv", b"y\tp\tsite\na\ta\tNA\nb\tb\tx\n", ["--by", "site"],
        f"`site` has 'NA' in row 1 of 'FILE', {HINT} group; drop these rows, or rename the group.",
    ),
    "missing group": (
        "f.csv", b"y,p,site\na,a,x\nb,b,\n", ["--by", "site"],
        "`site` has no group in row 2 of 'FILE'; drop these rows or give them a group.",
    ),
    "missing label in ARFF": (
        "f.arff", b"@attribute y string\n@attribute p string\n@data\n'?',a\n?,a\n", [],
        "`y` has no label in row 2 of 'FILE'; drop these rows or give them a label.",
    ),
    "open quote in ARFF": (
        "f.arff", b"@attribute y string\n@attribute p string\n@data\na,a\n'b,a\n", [],
        "'FILE' cannot be read as ARFF: a quote in row 2 is not closed.",
    ),
    "mixed types in JSON lines": (
        "f.jsonl", b'{"y":1,"p":1}\n{"y":"a","p":1}\n', [],
        "`y` mixes text such as 'a' with whole numbers such as 1; give all labels in one form.",
    ),
    "list in JSON lines": (
        "f.jsonl", b'{"y":[1],"p":1}\n', [],
        "`y` must hold text, whole numbers or booleans, not a list such as [1].",
    ),
    "a list that is cut off": (
        "f.json", b'[{"y":1,"p":1},\n{"y":0,"p":0},\n', [],
        "'FILE' cannot be read as JSON: its list is not closed by ']'; rows may be missing.",
    ),
    "a quote before a type of ARFF": (
        "f.arff", b"@relation r\n@attribute y 'string\n@attribute p string\n@data\na,a\n", [],
        "'FILE' is not ARFF: line 2 declares no attribute that can be read.",
    ),
    "no object in JSON lines": (
        "f.jsonl", b"[1, 2]\n", [],
        "'FILE' cannot be read as JSON lines: each line must be an object such as {\"y\": \"a\"}.",
    ),
    "broken JSON lines": (
        "f.jsonl", b'{"y":1,"p":1}\n{"y":2,"p":\n', [],
        "'FILE' cannot be read as JSON lines: near line 3 it is not valid JSON (unexpected end of data).",
    ),
    "weight in JSON lines": (
        "f.jsonl", b'{"y":1,"p":1,"w":true}\n', ["--weight", "w"],
        "`w` must be finite and non-negative, not True in row 1 of 'FILE'.",
    ),
    "too large a weight": (
        "f.csv", b"y,p,w\na,a,99999999999999999999\nb,b,1\n", ["--weight", "w"],
        "`w` must add up to less than 2**53 cases; give it as real numbers instead.",
    ),
    "too large a sum of weights": (
        "f.csv", b"y,p,w\na,a,9007199254740000\nb,b,9007199254740000\n", ["--weight", "w"],
        "`w` must add up to less than 2**53 cases; give it as real numbers instead.",
    ),
    "short row": (
        "f.csv", b"y,p,z\na,a,1\nb,b\n", [],
        "'FILE' cannot be read as CSV: it must have 3 columns in each row, as in its heading, but row 2 has 2.",
    ),
    "long row": (
        "f.csv", b"y;p\na;a\n\"b\nc\";b\nb;b;3;4\n", [],
        "'FILE' cannot be read as CSV: it must have 2 columns in each row, as in its heading, but row 3 has 4.",
    ),
    "two kinds of line ends": (
        "f.csv", b"y,p\r\na,b\nb,b\r\n", [],
        "'FILE' cannot be read as CSV: it has different line ends, or a quote in a wrong position; "
        "save it again.",
    ),
    "short row below sep=": (
        "f.csv", b"sep=;\ny;p\na;a\nb\n", [],
        "'FILE' cannot be read as CSV: it must have 2 columns in each row, as in its heading, but row 2 has 1.",
    ),
    "open quote": (
        "f.csv", b'y,p\na,b\n"a,b\nb,b\n', [], "'FILE' cannot be read as CSV: a quote in row 2 is not closed.",
    ),
    "not UTF-8": (
        "f.csv", b"y,p\na,b\n\xff\xfe\xfa,b\n", [],
        "'FILE' cannot be read as CSV: row 2 is not in UTF-8; save it as UTF-8.",
    ),
    "UTF-16": ("f.csv", "y,p\na,b\n".encode("utf-16"), [], "'FILE' is in UTF-16; save it as UTF-8."),
    "gzip of UTF-16": (
        "f.csv.gz", gzip.compress("y,p\n".encode("utf-16")), [], "'FILE' is in UTF-16; save it as UTF-8.",
    ),
    "name of two columns": (
        "f.csv", b"y,p,y\na,b,c\n", [],
        "`--truth` must name one column of 'FILE', but 2 columns have the name 'y'; rename them.",
    ),
    "title above the heading": (
        "f.csv", b"My results\ny,p\na,b\n", [],
        "`--truth` must be a column of 'FILE', not 'y'; it has 'My results'; is the first line the heading?",
    ),
    "two styles": ("f.csv", b"y,p\na,b\n", ["--json", "--csv"],
                   "`--json` and `--csv` cannot be used together."),
    "no measure": ("f.csv", b"y,p\na,b\n", ["--measures", ""],
                   "`--measures` must be a list of names such as A,B, not ''."),
    "only a comma": ("f.csv", b"y,p\na,b\n", ["--measures", ","],
                     "`--measures` must be a list of names such as A,B, not ','."),
    "measures of classes": ("f.csv", b"y,p\na,b\n", ["--per-class", "--measures", "recall"],
                            "`--per-class` and `--measures` cannot be used together."),
    "cost twice": ("f.csv", b"y,p\na,b\n", ["--cost", "fn=5,fn=6"],
                   "`--cost` must contain each cost once, but 'fn' is repeated."),
    "cost of nan": ("f.csv", b"y,p\na,b\n", ["--cost", "fn=nan"], "`--cost` must contain finite numbers, not fn=nan."),
    "files and standard input": ("f.csv", b"y,p\na,b\n", ["-"],
                                 "`FILE` must be either files or - for standard input, not both."),
}  # fmt: skip


@pytest.mark.parametrize("name", SENTENCES)
def test_sentence(name, tmp_path):
    filename, content, options, sentence = SENTENCES[name]
    path = tmp_path / filename
    path.write_bytes(content)
    result = CliRunner().invoke(main, ["assess", str(path), "--truth", "y", "--predicted", "p", *options])
    assert (
        result.stderr == f"Error: {sentence.replace('FILE', str(path)) if 'files or -' not in sentence else sentence}\n"
    )
    assert result.stdout == ""
    assert result.exit_code == 2


NUMBERS = {
    "text": (b"y,p,w\na,0.5,1\nb,1,1\nb,abc,1\n", "`p` must be a number, not 'abc' in row 3 of 'FILE'."),
    "empty": (b"y,p,w\na,0.5,1\nb,,1\n", "`p` must be a number, not empty in row 2 of 'FILE'."),
    "nan": (b"y,p,w\na,nan,1\nb,1,1\n", "`p` must be a number, not 'nan' in row 1 of 'FILE'."),
    "decimal comma": (b"y;p;w\na;0,5;1\n", "`p` must be a number, not '0,5' in row 1 of 'FILE'."),
    "infinite weight": (
        b"y,p,w\na,1,inf\n",
        "`w` must be finite and non-negative, not 'inf' in row 1 of 'FILE'.",
    ),
    "weights of 0": (b"y,p,w\na,1,0\n", "'FILE' must hold at least one case, but 'w' is 0 in every row."),
    "missing label": (
        b"y,p,w\na,1,0\n,1,1\n",
        "`y` has no label in row 2 of 'FILE'; drop these rows or give them a label.",
    ),
    "missing label that weighs nothing": (
        b"y,p,w\n,1,0\n,1,1\n",
        "`y` has no label in row 2 of 'FILE'; drop these rows or give them a label.",
    ),
    "no row": (b"y,p,w\n", "'FILE' must hold at least one case, but it has no rows."),
    "unknown column": (b"y,q,w\na,1,1\n", "`scores` must be a column of 'FILE', not 'p'; it has 'y', 'q', 'w'."),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_sentence_on_numbers(name, tmp_path):
    content, sentence = NUMBERS[name]
    path = tmp_path / "f.csv"
    path.write_bytes(content)
    with pytest.raises(howsure.HowsureError) as caught:
        read_file(path, {"y": "truth"}, numbers={"p": "scores"}, weight="w")
    assert str(caught.value) == sentence.replace("FILE", str(path))


def test_missing_numbers_of_other_formats(tmp_path):
    lines = tmp_path / "f.jsonl"
    lines.write_text('{"y":"a","p":0.5}\n{"y":"b","p":"x"}\n')
    with pytest.raises(howsure.HowsureError, match=r"^`p` must be a number, not 'x' in row 2 of "):
        read_file(lines, {"y": "truth"}, numbers={"p": "scores"})
    parquet = tmp_path / "f.parquet"
    pd.DataFrame({"y": ["a", "b"], "p": [0.5, None], "d": pd.to_datetime(["2020-01-01"] * 2)}).to_parquet(parquet)
    with pytest.raises(howsure.HowsureError, match=r"^`p` must be a number, not (nan|empty) in row 2 of "):
        read_file(parquet, {"y": "truth"}, numbers={"p": "scores"})
    with pytest.raises(howsure.HowsureError, match=r"^`d` must be a number, not datetime.* in row 1 of "):
        read_file(parquet, {"y": "truth"}, numbers={"d": "scores"})


def test_the_file_at_fault_is_named(tmp_path):
    good, bad = tmp_path / "1.csv", tmp_path / "2.csv"
    good.write_text("y,p\na,b\n")
    bad.write_text("y,p\na,b\na,b,c\n")
    with pytest.raises(howsure.HowsureError) as caught:
        howsure.assess("y", "p", data=str(tmp_path / "*.csv"))
    assert str(caught.value) == (
        f"'{bad}' cannot be read as CSV: it must have 2 columns in each row, as in its heading, but row 2 has 3."
    )
    bad.write_text("y,q\na,b\n")
    with pytest.raises(howsure.HowsureError) as caught:
        count_file([good, bad], {"y": "truth", "p": "predicted"})
    assert str(caught.value) == f"`predicted` must be a column of '{bad}', not 'p'; it has 'y', 'q'."


def test_short_row_at_the_start_of_a_block(tmp_path):
    """A parallel reader takes up there, and must not pass over the row."""
    path = tmp_path / "f.csv"
    path.write_bytes(b"y,p\n" + b"a,b\n" * 2_000_000 + b"a\n" + b"a,b\n" * 100)
    with pytest.raises(howsure.HowsureError, match=r"but row 2000001 has 1\.$"):
        count_file(path, {"y": "truth", "p": "predicted"})
    path.write_bytes(b"y,p\n" + b"a,b\n" * 2_000_000 + b'"a,b\n' + b"a,b\n" * 100)
    with pytest.raises(howsure.HowsureError, match=r"a quote in row 2000001 is not closed\.$"):
        count_file(path, {"y": "truth", "p": "predicted"})


def test_closed_stream():
    stream = io.BytesIO(b"y,p\na,b\n")
    stream.close()
    with pytest.raises(howsure.HowsureError) as caught:
        howsure.assess("y", "p", data=stream)
    assert str(caught.value) == "'the stream' cannot be read: i/o operation on closed file."


def shell(command, folder):
    program = f"{sys.executable} -m howsure"
    return subprocess.run(
        ["bash", "-c", command.replace("howsure", program, 1)], capture_output=True, text=True, check=False, cwd=folder
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
@pytest.mark.parametrize(
    "command", ["howsure assess f.csv --truth y --predicted p", "howsure measures", "howsure --help"]
)
def test_full_device(command, tmp_path):
    (tmp_path / "f.csv").write_text("y,p\na,a\nb,b\n")
    done = shell(f"{command} > /dev/full", tmp_path)
    assert done.stderr == "Error: standard output cannot be written: no space left on device.\n"
    assert done.returncode == 2


def test_closed_standard_input(tmp_path):
    done = shell("howsure assess - --truth y --predicted p <&-", tmp_path)
    assert done.stderr == "Error: `FILE` must not be '-', since standard input is closed.\n"
    assert done.returncode == 2


SPECS = [
    "f_beta(beta='x')",
    "f_beta(beta=None)",
    "f_beta(beta=1j)",
    "recall(measure='x')",
    "recall(self=1)",
    "recall(1)",
    "weighted_kappa(weights=[[0,'a'],[1,0]])",
]


@pytest.mark.parametrize("spec", SPECS)
def test_bad_parameter_is_one_sentence(spec, tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p\na,a\nb,b\nb,a\n")
    result = CliRunner().invoke(main, ["assess", str(path), "--truth", "y", "--predicted", "p", "--measures", spec])
    assert result.exit_code == 2, result.exception
    assert result.stderr.startswith("Error: `")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["assess", "compare", "gate", "report", "run", "verify"])
def test_a_path_with_a_nul_is_one_sentence(command):
    result = CliRunner().invoke(main, [command, "a\0b"])
    assert result.exit_code == 2, result.exception
    assert "'a\\x00b' cannot be a path." in result.stderr
