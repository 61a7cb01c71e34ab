"""Names are data: whatever a column is called, SQL sees it quoted or not at all, and the numbers stay the same.

Every query that reading and writing files sends to DuckDB is caught here. With its quoted names and texts taken out,
nothing that came from the user may be left; and every place in the source that sends one must have been seen.
"""

from __future__ import annotations

import ast
import csv
import json
import os
import re
import sys
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.data.read.features import read_table
from howsure.data.read.formats import formats
from howsure.output import write_parquet
from howsure.sql import open_database

SOURCE = Path(howsure.__file__).parent
CANARY = "kanari"  # in every name, so that it is found where it does not belong
NAMES = {
    "plain": f"my {CANARY} v1.2",
    "both": f"\"'{CANARY}'\"",
    "copy": f"{CANARY}\"; COPY (SELECT 1) TO 'INJECTED' --",
    "copy by a text": f"{CANARY}'); COPY (SELECT 1) TO 'INJECTED'; --",
    "placeholders": f"$1?%s{CANARY}%(x)s{{}}\\",
    "separators": f"{CANARY}\n,;\t|x",
    "unicode": f"größe {CANARY} 漢字 🎯 \u202e",
    "pointer": f"/{CANARY}~1~0/$.x[0].*",
    "alias": "c0",
    "place": "h1",
    "role": "weight",
    "keyword": "select",
}
ROLES = ("y", "p", "q", "s", "t", "w", "g", "k", " id")  # the last looks like an identifier that nobody named
ENDINGS = sorted({declared.name for declared in formats.values()})
QUICK = ("csv", "parquet")  # formats of `make test`; `make test-long` has the others


def table():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 60)
    flip = rng.random((2, 60)) < [[0.2], [0.4]]
    scores = np.round(rng.random((2, 60)) + 0.5 * y, 3)
    columns = [y, np.where(flip[0], 1 - y, y), np.where(flip[1], 1 - y, y), *scores]
    columns += [rng.integers(0, 3, 60), rng.integers(0, 3, 60), np.arange(60), np.arange(60) // 4]
    return dict(zip(ROLES, columns, strict=True))


def write(columns, path):
    """Write columns in the format of the path's ending."""
    names, rows = list(columns), list(zip(*(column.tolist() for column in columns.values()), strict=True))
    if path.suffix == ".parquet":
        pd.DataFrame(columns).to_parquet(path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    elif path.suffix == ".arff":
        quoted = [
            "'" + re.sub(r"(['\\])", r"\\\1", name).replace("\n", "\\n").replace("\t", "\\t") + "'" for name in names
        ]
        lines = [
            *(f"@attribute {name} numeric" for name in quoted),
            "@data",
            *(",".join(map(str, row)) for row in rows),
        ]
        path.write_text("\n".join(lines) + "\n")
    else:
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",", quoting=csv.QUOTE_ALL)
            writer.writerows([names, *rows])
    return str(path)


def numbers(n, data, other, turn=True):
    """Everything that is asked of files, by function and by command; where it is not their turn, what is told apart.

    ``n`` are the names of the columns.
    """
    first = first_numbers(n, data)
    return first + more_numbers(n, data) + numbers_by_command(n, data, other) if turn else first


def first_numbers(n, data):
    """Labels, scores, weights and groups of one reading, two classifiers of another, and a table of features."""
    seen = []
    by = howsure.assess(n["y"], n["p"], scores=n["s"], weight=n["w"], by=n["g"], data=data)
    seen += [(group, some["auc"].value, some.n, some.confusion.counts.tolist()) for group, some in by.items()]
    compared = howsure.compare(n["y"], data=data, predicted=[n["p"], n["q"]])
    seen += [compared.test.pvalue, *(value.value for value in compared.values.values())]
    X, labels, groups = read_table(data, n["y"], groups=n["g"], drop=[n["p"]], encode="one-hot")
    return [*seen, X.sum(0).tolist(), labels.codes.tolist(), groups.tolist()]


def more_numbers(n, data):
    one = howsure.assess(n["y"], n["p"], data=data, weight=n["w"])
    seen = [one["accuracy"].value, one["accuracy"].n]
    seen += [howsure.assess(n["y"], scores=[n["s"], n["t"]], labels=[0, 1], data=[data, data])["auc"].value]
    compared = howsure.compare(n["y"], data=data, scores=[n["s"], n["t"]])
    seen += [compared.test.pvalue, *(value.value for value in compared.values.values())]
    clustered = howsure.assess(n["y"], n["p"], cluster=n[" id"], data=data)["accuracy"]
    answers = howsure.assess(correct=n["p"], case=n["k"], cluster=n[" id"], data=data)["accuracy"]
    return [*seen, clustered.clusters, clustered.standard_error, answers.clusters, answers.standard_error]


def numbers_by_command(n, data, other):
    seen = []
    for args in (
        ["assess", data, "--truth", n["y"], "--score", n["s"], "--weight", n["w"], "--by", n["g"]],
        ["compare", data, "--truth", n["y"], "--predicted", n["p"], "--predicted", n["q"]],
        ["compare", data, other, "--truth", n["y"], "--score", n["s"], "--key", n["k"]],
        ["compare", data, other, "--truth", n["y"], "--predicted", n["p"], "--key", n["k"]],
        ["gate", data, "--truth", n["y"], "--baseline", n["q"], "--candidate", n["p"], "--margin", "0.9"],
    ):
        result = CliRunner().invoke(main, [*args, *(["--json"] if args[0] != "gate" else [])])
        assert result.exit_code == 0, result.output
        if args[0] != "gate":
            found = json.loads(result.stdout)
            seen += re.findall(r'"(?:value|pvalue|low|high|n)": ([-\d.e]+)', json.dumps(found))
    return seen


def refused(n, data, folder):
    """Provoke the sentences that look for a row."""
    columns = {n[role]: column.astype(object) for role, column in table().items()}
    for role, bad in (("y", None), ("w", "x"), ("s", "x"), ("w", -1), ("g", None)):
        broken = {name: column.copy() for name, column in columns.items()}
        broken[n[role]][7] = bad
        if data.endswith(("parquet", "arff")):
            continue
        path = write(broken, Path(folder) / f"broken{Path(data).suffix}")
        with pytest.raises(howsure.HowsureError, match="row 8"):
            howsure.assess(n["y"], n["p"], scores=n["s"], weight=n["w"], by=n["g"], data=path)
        if role == "s":
            with pytest.raises(howsure.HowsureError, match="row 8"):
                read_table(path, n["y"], features=[n["s"]])
            assert read_table(path, n["y"], features=[n["s"]], encode="one-hot")[0].shape[1] > 5
    nothing = write(
        {n[role]: column * (role != "w") for role, column in table().items()}, Path(folder) / Path(data).name
    )
    with pytest.raises(howsure.HowsureError, match="is 0 in every row"):
        howsure.assess(n["y"], n["p"], weight=n["w"], data=nothing)
    word = columns | {n["p"]: np.array(["NA"] * 60)}
    if data.endswith("csv"):
        with pytest.raises(howsure.HowsureError, match="which most programs write for a missing label"):
            howsure.assess(n["y"], n["p"], data=write(word, Path(folder) / "word.csv"))


class Recorder:
    """A connection that notes each query, and the line of the source that sent it."""

    def __init__(self, connection, notes):
        self._connection, self._notes = connection, notes

    def execute(self, query, *values):
        frame = sys._getframe(1)
        if frame.f_code.co_name == "fetch":
            self._notes.append((query, frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        self._notes.append((query, frame.f_code.co_filename, frame.f_lineno))
        return self._connection.execute(query, *values)

    def sql(self, query):
        frame = sys._getframe(1)
        self._notes.append((query, frame.f_code.co_filename, frame.f_lineno))
        return self._connection.sql(query)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._connection.close()

    def __getattr__(self, name):
        return getattr(self._connection, name)


@pytest.fixture
def notes(monkeypatch):
    found = []
    connect = duckdb.connect
    monkeypatch.setattr(duckdb, "connect", lambda *args, **options: Recorder(connect(*args, **options), found))
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    columns = table()
    data, other = write(columns, folder / "one.parquet"), write(columns, folder / "two.parquet")
    return numbers({role: role for role in ROLES}, data, other)


def check_numbers(n, data, other, expected, turn):
    seen = numbers(n, data, other, turn)
    assert seen == (expected if turn else expected[: len(seen)])


QUOTED = re.compile(r'"(?:[^"]|"")*"' r"|'(?:[^']|'')*'")
SENDS = {"execute", "fetch", "sql", "query", "executemany"}


def ask_everything(hostile, ending, folder, expected, turn=True):
    n = {role: f"{hostile}{role if index else ''}" for index, role in enumerate(ROLES)}
    columns = {n[role]: column for role, column in table().items()}
    data, other = (write(columns, folder / f"{one}.{ending}") for one in ("one", "two"))
    check_numbers(n, data, other, expected, turn)
    of_bins = ({}, {"by": n["g"]}, {"weight": n["w"]}, {"cluster": n["s"]})
    for keys in of_bins if turn else of_bins[1:2]:
        howsure.assess(n["y"], scores=n["s"], data=data, exact=False, **keys)
    if ending == "parquet":  # the one format of all that tells infinite numbers alike everywhere
        endless = columns | {n["s"]: np.where(columns[n["s"]] > 1, np.inf, columns[n["s"]])}
        howsure.assess(n["y"], scores=n["s"], data=write(endless, folder / "endless.parquet"), exact=False)
        os.unlink(folder / "endless.parquet")
    write_parquet(folder / "out.parquet", {hostile: np.arange(3), "x": np.arange(3)})
    assert pd.read_parquet(folder / "out.parquet").columns.tolist() == [hostile, "x"]
    assert sorted(os.listdir(folder)) == sorted([f"one.{ending}", "out.parquet", f"two.{ending}"])
    return n, data


def check_quoted(notes, folder):
    assert notes
    for query, _, _ in notes:
        left = QUOTED.sub("", query)
        assert CANARY not in left, query
        assert str(folder) not in left, query


def is_turn_of(ending, number):
    return ENDINGS[number % len(ENDINGS)] == ending


@pytest.mark.parametrize(
    "ending", [pytest.param(ending, marks=() if ending in QUICK else pytest.mark.long) for ending in ENDINGS]
)
@pytest.mark.parametrize("name", NAMES)
def test_hostile_names(name, ending, tmp_path, notes, expected, monkeypatch):
    """All calls and commands with one of the formats, another for each name: they read files by the same functions."""
    monkeypatch.chdir(tmp_path)
    ask_everything(NAMES[name], ending, tmp_path, expected, is_turn_of(ending, list(NAMES).index(name)))
    check_quoted(notes, tmp_path)


@pytest.mark.long
def test_every_query_was_seen(tmp_path, notes, expected):
    """A new place that sends SQL must be reached from here, where its queries are looked into."""
    for ending in ENDINGS:
        folder = tmp_path / ending
        folder.mkdir()
        refused(*ask_everything(NAMES["both"], ending, folder, expected), folder)
        check_quoted(notes, folder)
    unseen = []
    for path in [*sorted((SOURCE / "data").rglob("*.py")), SOURCE / "output.py"]:
        if path.name == "engines.py":  # where a query is the user's own, on the user's own connection
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SENDS:
                lines = range(node.lineno, node.end_lineno + 1)
                if not any(file == str(path) and line in lines for _, file, line in notes):
                    unseen.append(f"{path.name}:{node.lineno}")
    assert unseen == []


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("role", ["y", "s", "w", "g"])
def test_one_column_without_a_name_or_beside_its_twin(role, ending, tmp_path, expected):
    for names in (
        {one: "" if one == role else one for one in ROLES},
        {one: "A" if one == role else "a" if one == ROLES[ROLES.index(role) - 1] else one for one in ROLES},
    ):
        columns = {names[one]: column for one, column in table().items()}
        data, other = (write(columns, tmp_path / f"{one}.{ending}") for one in ("one", "two"))
        if "" in names.values() and role not in ("y", "g", "p"):  # features must have a name
            one = howsure.assess(names["y"], names["p"], scores=names["s"], weight=names["w"], by=names["g"], data=data)
            assert [some["auc"].value for some in one.values()] == [group[1] for group in expected[:3]]
            continue
        check_numbers(names, data, other, expected, is_turn_of(ending, ROLES.index(role)))


def test_only_one_file_opens_databases():
    """Others import DuckDB for its errors, or for the type of a connection."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] != "duckdb", path
            is_duckdb = (
                isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "duckdb"
            )
            if is_duckdb and path.name != "sql.py":
                allowed = node.attr in ("Error", "DuckDBPyConnection") or node.attr.endswith("Exception")
                assert allowed, f"{path}:{node.lineno}: duckdb.{node.attr}"


LOCKED = {
    "reading": "SELECT * FROM read_csv('{outside}')",
    "reading text": "SELECT * FROM read_text('{outside}')",
    "listing": "SELECT * FROM glob('{folder}/*')",
    "reading a system file": "SELECT * FROM read_text('/etc/hosts')",
    "writing": "COPY (SELECT 1) TO '{folder}/written.csv'",
    "attaching": "ATTACH '{folder}/written.db'",
    "exporting": "EXPORT DATABASE '{folder}/written'",
    "installing": "INSTALL httpfs",
    "loading": "LOAD httpfs",
    "the net": "SELECT * FROM read_csv('https://example.org/x.csv')",
    "unlocking": "SET enable_external_access = true",
    "other paths": "SET allowed_paths = ['{outside}']",
    "other folders": "SET allowed_directories = ['{folder}']",
    "resetting": "RESET lock_configuration",
    "extensions": "SET autoinstall_known_extensions = true",
}


@pytest.mark.parametrize("name", LOCKED)
def test_databases_reach_nothing_but_their_files(name, tmp_path):
    inside, outside = tmp_path / "in" / "f.csv", tmp_path / "out.csv"
    inside.parent.mkdir()
    for path in (inside, outside):
        path.write_text("y,p\n1,1\n")
    query = LOCKED[name].format(outside=outside, folder=tmp_path)
    with open_database(files=[inside]) as database:
        assert database.execute(f"SELECT count(*) FROM read_csv('{inside}')").fetchall() == [(1,)]
        with pytest.raises(duckdb.Error):
            database.execute(query).fetchall()
    assert sorted(os.listdir(tmp_path)) == ["in", "out.csv"]


@pytest.mark.parametrize("name", LOCKED)
def test_databases_of_reading_and_writing_are_locked(name, tmp_path, monkeypatch):
    """The connections in use, not only those made here."""
    opened = []
    connect = duckdb.connect

    def keep(*args, **options):
        opened.append(connect(*args, **options))
        return opened[-1].cursor()  # stays usable where the caller closes it

    monkeypatch.setattr(duckdb, "connect", keep)
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "out.csv").write_text("y,p\n1,1\n")
    (folder / "f.csv").write_text("y,p\n1,1\n0,0\n")
    howsure.assess("y", "p", data=folder / "f.csv")
    write_parquet(folder / "f.parquet", {"x": np.arange(3)})
    assert len(opened) == 2
    for database in opened:
        with pytest.raises(duckdb.Error):
            database.execute(LOCKED[name].format(outside=tmp_path / "out.csv", folder=tmp_path)).fetchall()
    assert sorted(os.listdir(tmp_path)) == ["in", "out.csv"]
