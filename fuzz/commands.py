"""Command lines generated from the parameters of all commands: output, or one sentence and exit code 2."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from click.testing import CliRunner

import howsure
from fuzz.case import Case, Fuzzer, demand
from howsure.cli import main

PROCESS = 40  # one in this many command lines runs in a process of its own
RARE = {"demo": 0.0002, "run": 0.05, "plan": 0.4}  # weights instead of 1, of slow commands and of a group
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HOSTILE = [
    "", " ", "nan", "inf", "-1", "0", "1e400", "x" * 5000, "\x1b[31mred", "a\nb", "../x", "-", "--", "é", "1,2,,",
    "(", ",", "f_beta(beta=__import__('os'))", "%s", "{}", "\udcff", "\0", "1" * 4500, "'; DROP TABLE t; --",
    "[" * 200, "*", "~", "$HOME", "f1(", "recall)", "1.5", "10**9", "0x10", "１", "true", "None", "\u202e",
]  # fmt: skip
EXPERIMENT = """
seed = 0
n_jobs = 1
[resampling]
scheme = "KFold"
folds = 2
[learners.bayes]
class = "sklearn.naive_bayes.GaussianNB"
[learners."\\u001b[31mred"]
class = "sklearn.dummy.DummyClassifier"
{more}
[datasets.d]
file = "features.csv"
target = "y"
"""


class Commands(Fuzzer):
    name = "commands"
    title = "command lines made from the declared commands, in process and as processes"
    full = 20_000
    limit = 15.0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.inputs, self.outputs = folder / "in", folder / "out"
        self.outputs.mkdir(parents=True)
        self.files = make_inputs(self.inputs)
        self.commands = list(leaves(main))
        self.weights = [RARE.get(path[0], 1.0) for path, _ in self.commands]

    def run(self, case: Case) -> int:
        path, command = case.rng.choices(self.commands, self.weights)[0]
        line = [*path, *self.options(case, command)]
        case.say("howsure " + " ".join(repr(word) if not re.fullmatch(r"[\w./*,=-]+", word) else word for word in line))
        before = _listing(self.inputs)
        with chdir(self.outputs):
            as_process = case.number % PROCESS == 0 and not any("\0" in word for word in line)
            code, out, err = (_process if as_process else _in_process)(line)
            written = _listing(self.outputs)
        for output in self.outputs.iterdir():
            shutil.rmtree(output) if output.is_dir() else output.unlink()
        _check(line, code, out, err)
        if not any(option in ("--folder", "--curves") for parameter in command.params for option in parameter.opts) or (
            "--curves" not in line and path[0] == "assess"
        ):
            demand(not written and _listing(self.inputs) == before, f"files were written: {sorted(written)}")
        shutil.rmtree(self.inputs / "runs", ignore_errors=True)
        return 1

    def options(self, case: Case, command: click.Command) -> list[str]:
        """Choose values for the parameters of a command by their names and types."""
        hostile = 0.06 if case.chance(0.5) else 0.0
        chosen: dict[str, list[str]] = {}  # by the name of the parameter
        for parameter in command.params:
            several = parameter.nargs == -1 or getattr(parameter, "multiple", False)
            probability = 0.97 if parameter.required else LIKELY.get(str(parameter.name), 0.1)
            if case.chance(probability):
                count = (
                    case.rng.choice(
                        [1, 1, 2, 2, 2, 2, 3] if parameter.name in ("predicted", "score") else [1, 1, 1, 1, 2]
                    )
                    if several
                    else 1
                )
                chosen[str(parameter.name)] = [self.value(case, parameter, hostile) for _ in range(count)]
        if case.chance(0.85):
            self.make_sensible(case, command, chosen)
        words: list[str] = []
        for parameter in command.params:
            for value in chosen.get(str(parameter.name), []):
                words += [] if isinstance(parameter, click.Argument) else [parameter.opts[0]]
                words += [] if getattr(parameter, "is_flag", False) else [value]
        return [*words, "--help"] if case.chance(0.01) else words

    def make_sensible(self, case: Case, command: click.Command, chosen: dict[str, list[str]]) -> None:
        """Leave out what excludes something else, so that most command lines have an answer."""
        for group in EXCLUSIVE:
            given = [name for name in group if name in chosen]
            for name in given[1:] if case.chance(0.5) else given[:-1]:
                del chosen[name]
        if {"n", "power", "difference"} <= chosen.keys():  # one of them is to be found
            del chosen[case.rng.choice(["n", "power", "difference"])]
        a_file_each = "candidate" in chosen and "file" not in chosen
        if a_file_each:
            chosen |= {"baseline": [self.files["good"][0]], "candidate": [self.files["good"][1]]}
        elif "candidate" in chosen:  # columns of one file
            chosen |= {"baseline": ["p"], "candidate": ["q"]}
            chosen = {name: chosen.pop(name) for name in ("predicted", "score", "key") if name in chosen}
            return
        for name in ("files", "source"):
            if len(chosen.get(name, [])) > 1:
                chosen[name] = self.files["good"][: len(chosen[name])]
                a_file_each = True
        columns = {"predicted": ["p", "q"], "score": ["s", "t"]}
        for parameter in command.params:
            if parameter.name in columns and not chosen.keys() & {"predicted", "score", "scores"}:
                chosen["predicted"] = ["p"]
            if parameter.name in chosen and parameter.name in columns and getattr(parameter, "multiple", False):
                chosen[parameter.name] = columns[parameter.name][: 1 if a_file_each else 2]

    def value(self, case: Case, parameter: click.Parameter, hostile: float) -> str:
        if case.chance(hostile):
            return case.rng.choice(HOSTILE)
        if isinstance(parameter.type, click.Choice):
            return str(case.rng.choice(list(parameter.type.choices)))
        kind = str(getattr(parameter, "metavar", None) or parameter.type).replace("STRING", "")
        by_kind = next((VALUES[key] for key in VALUES if key in kind), None)
        by_name = VALUES.get(str(parameter.name))
        make = by_kind or by_name if isinstance(parameter, click.Argument) else by_name or by_kind
        return case.rng.choice(HOSTILE) if make is None else str(make(case, self.files))


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        elif command is not None:
            yield (*path, name), command


# ------------------------------------------------------------------------------------------------ values

Make = Callable[[Case, dict[str, list[str]]], Any]


def choice(*options: Any) -> Make:
    return lambda case, files: case.rng.choice(options)


def some_of(*options: str) -> Make:
    return lambda case, files: ",".join(case.rng.sample(options, case.rng.randint(1, 3)))


def share(case: Case, files: dict[str, list[str]]) -> float:
    return case.rng.choice([*(case.rng.uniform(0.02, 0.98) for _ in range(30)), 0.05, 0.9, 0, 1, 1e-9])


EXCLUSIVE = [
    ("predicted", "score", "scores"),
    ("json", "csv", "markdown", "latex"),
    ("measures", "per_class"),
    ("w", "difference"),
]
LIKELY = {
    "predicted": 0.8, "score": 0.35, "truth": 0.98, "power": 0.9, "difference": 0.9, "n": 0.9, "file": 0.6,
    "names": 0.5, "margin": 0.6, "json": 0.2, "csv": 0.15, "curves": 0.05, "jobs": 0.1, "quiet": 0.5,
}  # fmt: skip
VALUES: dict[str, Make] = {  # by the name of a parameter, or by its metavar or type
    "truth": choice(*"yyyyyyyyyyYp"), "predicted": choice(*"pppqqqqy"), "score": choice(*"ssssttttp"),
    "scores": some_of("a", "b", "c", "s", "t"), "by": choice("g", "g", "y"), "weight": choice("w", "v", "s"),
    "key": choice("k", "k", "g"),
    "measures": some_of("accuracy", "recall", "f1", "auc", "kappa", "f_beta(beta=2)", "brier", "mcc"),
    "labels": some_of("a", "b", "c", "0", "1"),
    "measure": choice("accuracy", "f1", "auc", "kappa", "recall", "mean_cost"),
    "baseline": choice("p", "q", "s", "bayes"), "candidate": choice("p", "q", "t"),
    "adjust": choice("holm", "bh", "none"), "dataset": choice("d", "e"),
    "alternative": choice("two-sided", "less", "greater"), "pattern": choice("pair", "even"),
    "positive": choice("a", "b", "1", "yes"), "cost": choice("fn=5,fp=1", "fp=2", "tp=-1,fn=3", "fn=x"),
    "file_format": choice("csv", "parquet", "arff", "tsv", "jsonl"), "curves": choice("curves", "./c/d"),
    "folder": choice("folder", "run here", "é"), "time_limit": choice(5, 30), "jobs": choice(1, 1, 1, 1, 0),
    "classifiers": choice(3, 4, 10, 50), "n": choice(2, 10, 30, 100, 500, 5000, 10**6),
    "difference": choice(0.01, 0.1, 0.02, -0.1, 1.5), "names": choice("accuracy", "Recall", "f1", "auc", "nothing"),
    "FILE|FOLDER": lambda case, files: case.rng.choice([*files["experiments"], *files["folders"]]),
    "FILE": lambda case, files: case.rng.choice(files["good" if case.chance(0.8) else "bad"]),
    "FOLDER": lambda case, files: case.rng.choice(files["folders"]), "COL": choice("y", "p", "s", "g"),
    "A,B": some_of("a", "b"), "LABEL": choice("a", "b"), "FLOAT": share, "INT": choice(1, 2, 50),
    **dict.fromkeys(("P", "T", "D", "R", "S", "W", "A"), share), "N": choice(1, 5, 100), "K": choice(3, 4),
}  # fmt: skip


# ------------------------------------------------------------------------------------------------ running and checking


def _in_process(line: list[str]) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, line, prog_name="howsure")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def _process(line: list[str]) -> tuple[int, str, str]:
    source = os.path.dirname(os.path.dirname(howsure.__file__))
    done = subprocess.run(
        [sys.executable, "-m", "howsure", *line], capture_output=True, check=False, timeout=120,
        env={**os.environ, "PYTHONPATH": source}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def _check(line: list[str], code: int, out: str, err: str) -> None:
    demand(code in (0, 1, 2), f"exit code {code}: {err[-300:]}")
    demand("Traceback" not in out + err, f"a traceback: {err[-300:]}")
    as_data = "--csv" in line or "--spreadsheet" in line  # raw data, for programs
    for stream in (err,) if as_data else (out, err):
        match = CONTROL.search(stream)
        demand(match is None, f"a control character: {stream[max(0, match.start() - 80) :][:160]!r}" if match else "")
    errors = [text for text in err.splitlines() if text.startswith("Error:")]
    if code == 2:
        _, *rest = err.partition("Error:")[2].splitlines()
        listed = all(text.startswith("  ") for text in rest)  # all errors of an experiment file are reported
        demand(len(errors) == 1 and listed, f"not one sentence: {err[-400:]!r}")
        demand(not out, f"code 2 with output {out[:200]!r}")
        longest = max(map(len, line))
        demand(len(errors[0]) < 2000 + longest, f"a sentence of {len(errors[0])} characters: {errors[0][:200]!r}")
        return
    demand(out.strip() and not errors, f"code {code}, output {out[:100]!r}, errors {errors}")
    if "--help" in line:
        return
    if "--json" in line:
        json.loads(out, parse_constant=_refuse)
    elif as_data:
        rows = list(csv.reader(io.StringIO(out), strict=True))
        demand(len({len(row) for row in rows}) == 1, f"rows of different lengths: {out[:300]!r}")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _listing(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


# ------------------------------------------------------------------------------------------------ input files


def make_inputs(folder: Path) -> dict[str, list[str]]:
    """Write valid and invalid input files, experiments, and their folders."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(3)
    n = 40
    frame = pd.DataFrame(
        {
            "y": rng.choice(["a", "b"], n), "p": rng.choice(["a", "b"], n), "q": rng.choice(["a", "b"], n),
            "s": rng.random(n).round(3), "t": rng.random(n).round(3), "w": rng.integers(0, 3, n),
            "v": rng.random(n).round(3),
            "g": rng.choice(["north", "south"], n), "k": np.arange(n),
        }
    )  # fmt: skip
    frame.to_csv(folder / "good.csv", index=False)
    frame.assign(p=frame.q).to_csv(folder / "other.csv", index=False)
    frame.sample(frac=1, random_state=1).to_csv(folder / "shuffled.csv", index=False)
    frame.to_parquet(folder / "good.parquet")
    frame.to_json(folder / "good.jsonl", orient="records", lines=True)
    frame.assign(y=(frame.y == "a").astype(int), p=(frame.p == "a").astype(int)).to_csv(
        folder / "numbers.tsv", sep="\t", index=False
    )
    names = ["\x1b[31mred", "<b>", "a,b"]
    nasty = {name: rng.choice(names, n) for name in ("y", "p", "q", "\x1b[1mbold")}
    pd.DataFrame({**nasty, "g": rng.choice(["\x1b[5m", "=1+1"], n), "k": range(n)}).to_csv(
        folder / "nasty.csv", index=False
    )
    shares = rng.dirichlet([1, 1, 1], n).round(4)
    many = pd.DataFrame(shares, columns=["a", "b", "c"]).assign(
        y=rng.choice(list("abc"), n), p=rng.choice(list("abc"), n)
    )
    many.to_csv(folder / "many.csv", index=False)
    good = [
        "good.csv",
        "other.csv",
        "good.csv",
        "shuffled.csv",
        "good.parquet",
        "good.jsonl",
        "numbers.tsv",
        "nasty.csv",
        "many.csv",
    ]
    bad = {
        "empty.csv": b"", "heading.csv": b"y,p\n", "cut.parquet": (folder / "good.parquet").read_bytes()[:300],
        "binary.csv": bytes(range(256)), "short.csv": b"y,p,s\na,b,1\na\n", "gone.jsonl": b'{"y": 1\n',
        "f.unknown": b"y,p\na,b\n",
        "quote.csv": b'y,p\n"a,b\n', "missing.csv": b"y,p\na,\nb,b\n", "bad.toml": b"[learners\n", "empty.toml": b"",
        "\x1b[31m.csv": b"y,p\na,b\n",
        "wrong.toml": b'[learners.x]\nclass = "os.system"\n[datasets.d]\nfile = "features.csv"\ntarget = "y"\n',
    }  # fmt: skip
    for name, content in bad.items():
        (folder / name).write_bytes(content)
    pd.DataFrame({"u": rng.normal(size=n), "v": rng.normal(size=n), "y": rng.choice(["a", "b"], n)}).to_csv(
        folder / "features.csv", index=False
    )
    failing = '[learners.fails]\nclass = "sklearn.naive_bayes.MultinomialNB"\n'
    for name, more in (("small.toml", ""), ("failing.toml", failing)):
        (folder / name).write_text(EXPERIMENT.format(more=more))
    CliRunner().invoke(main, ["run", str(folder / "small.toml"), "--folder", str(folder / "finished"), "--quiet"])
    shutil.copytree(folder / "finished", folder / "damaged")
    (folder / "damaged" / "tasks.parquet").write_bytes(b"PAR1 of no use PAR1")
    paths = {
        "good": good,
        "bad": [*bad, "not there.csv", "*.nothing", "finished", "."],
        "folders": ["finished", "finished", "damaged", ".", "not there"],
    }
    paths["experiments"] = ["small.toml", "failing.toml", "finished", "bad.toml", "empty.toml", "wrong.toml"]
    return {kind: [str(folder / name) for name in names] for kind, names in paths.items()}
