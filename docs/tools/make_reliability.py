"""Write docs/evidence/reliability.md from the record of the nets; run by ``make docs/evidence/reliability.md``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HEAD = """# Reliability

Written from the record of the nets by `make docs/evidence/reliability.md`; do not edit. What is promised, and which
test or net would tell if it were not kept. Tests run with every `make test`, together with a slice of each net.

| | promise | kept by |
|---|---|---|
"""
PROMISES: list[tuple[str, str, list[str]]] = [
    (
        "durability",
        "A task that is listed as done stays done: after a kill, a crash, a full disk. What is lost is about "
        "a second of work. Every file of a folder that was named is flushed to the disk before it takes its place, "
        "and appears whole or "
        "not at all.",
        ["test_experiment_crashes", "net kills"],
    ),
    (
        "durability",
        "After any crash the folder opens and shows what is done, or says that nothing is; no temporary file stays.",
        ["test_experiment_crashes", "net kills"],
    ),
    (
        "damage",
        "A flipped bit, a cut, removed or exchanged file of a run is an error that names it, never another "
        "number; running again does anew what was lost.",
        ["test_run_folder", "net flips"],
    ),
    (
        "determinism",
        "The same seed gives the same bytes: in one process, in several, in threads, on a cluster, after any "
        "number of crashes.",
        ["test_experiment_crashes", "net kills"],
    ),
    (
        "determinism",
        "A file, several files, a data frame and arrays of the same cases give the same numbers, and the same"
        " call gives the same result.",
        ["test_reading", "test_frames", "net files", "net calls"],
    ),
    (
        "isolation",
        "A learner that raises, exits, forks, hangs past the time limit or dies fails alone;"
        " what it prints goes to standard error.",
        ["test_experiment_crashes", "test_run_command"],
    ),
    (
        "isolation",
        "Opening a folder executes nothing (it holds JSON, text and Parquet, no pickle), and follows no link "
        "inside it.",
        ["test_run_folder"],
    ),
    (
        "isolation",
        "A name from the data is never part of a query; the database reaches the files named and nothing else.",
        ["test_sql_names"],
    ),
    (
        "input",
        "Every file is read as what it says, or refused in one sentence that names file, row and column. No "
        "row is dropped and no label changed without a word.",
        ["test_files", "test_bad_input", "test_bad_scores", "test_odd_input", "net files"],
    ),
    (
        "input",
        "Every public call gives a result within its range, or our own error in one sentence: no warning of a"
        " library, no change of an argument, no call without end.",
        ["test_bad_input", "net calls"],
    ),
    (
        "input",
        "Streams, lines, numbers and nesting without end have a bound.",
        ["test_odd_input"],
    ),
    (
        "output",
        "Names are shown, never obeyed: by no terminal, page, formula or query. See [outputs](../how-to/outputs.md).",
        ["test_hostile_names", "net commands"],
    ),
    (
        "output",
        "A command ends with 0, 1 or 2 (130 on Ctrl-C), with a result on standard output or one sentence on "
        "standard error; 70 would be a fault of ours. It writes no file but those asked for.",
        ["test_command_line", "test_run_command", "net commands"],
    ),
]
NETS = """
## The nets

`make fuzz` throws seeded cases at everything that takes input. Case 1234 of a seed is the same alone as in the run:
`python -m fuzz files --seed 3 --case 1234` says what it does, and does it again.

| net | cases are | in the last run | failures | seeds | seconds | at commit | on |
|---|---|---:|---:|---|---:|---|---|
"""


def page() -> str:
    return HEAD + "".join(map(promise_row, PROMISES)) + NETS + "".join(net_rows()) + versions()


def promise_row(promise: tuple[str, str, list[str]]) -> str:
    kind, text, keepers = promise
    return f"| {kind} | {text} | {', '.join(map(keeper, keepers))} |\n"


def keeper(name: str) -> str:
    """Name a net, or a file of tests that must be there."""
    if name.startswith("net "):
        return f"net `{name.removeprefix('net ')}`"
    (path,) = (ROOT / "tests").rglob(f"{name}.py")
    return f"`{path.relative_to(ROOT).as_posix()}`"


def record() -> dict[str, Any]:
    return dict(json.loads((ROOT / "fuzz" / "record.json").read_text()))


def net_rows() -> list[str]:
    rows = []
    for name, runs in record().items():
        cases, failures, seconds = (
            sum(run[key] for run in runs["seeds"].values()) for key in ("cases", "failures", "seconds")
        )
        cells = [f"`{name}`", runs["title"], f"{cases:,}", failures, ", ".join(runs["seeds"]), f"{seconds:,}"]
        rows.append(f"| {' | '.join(map(str, [*cells, runs['commit'], runs['date']]))} |\n")
    return rows


def versions() -> str:
    used = {", ".join(f"{name} {version}" for name, version in runs["versions"].items()) for runs in record().values()}
    return "".join(f"\nWith {one}.\n" for one in sorted(used))


if __name__ == "__main__":
    (ROOT / "docs/evidence/reliability.md").write_text(page(), encoding="utf-8")
