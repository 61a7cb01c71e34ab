"""What is imported, and what is not: the start of a program is mostly imports, and nobody waits for what is not used.

Which modules there are can be told without a clock, so that this holds on any machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "scipy",
    "sklearn",
    "matplotlib",
    "pandas",
    "polars",
    "pyarrow",
    "narwhals",
    "rich",
    "jinja2",
    "joblib",
    "numba",
)
OURS = (
    "howsure.comparison", "howsure.experiment", "howsure.learners", "howsure.lab", "howsure.plan", "howsure.resampling",
    "howsure.selection", "howsure.significance", "howsure.theory", "howsure.tuning",
    "howsure.present.report.page", "howsure.data.read.logs.read", "howsure.cli.commands.compare",
)  # fmt: skip
STDLIB = ("concurrent.futures", "logging", "multiprocessing", "numpy.ma", "numpy.random", "numpy.testing", "unittest")
COMMAND = """
import json, sys
from howsure.cli import main
main(sys.argv[1:], prog_name="howsure", standalone_mode=False)
sys.stderr.write("MODULES" + json.dumps(sorted(sys.modules)))
"""


def modules(code: str, *arguments: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.partition("MODULES")[2]))


def unwanted(loaded: set[str], names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in loaded]


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.csv"
    path.write_text("y,p,s\n" + "a,a,0.1\nb,a,0.4\nb,b,0.9\na,a,0.2\n" * 3)
    return str(path)


def test_the_package_imports_nothing_but_itself() -> None:
    loaded = modules("import sys, json, howsure; sys.stderr.write('MODULES' + json.dumps(sorted(sys.modules)))")
    assert unwanted(loaded, (*HEAVY, *OURS, "numpy", "duckdb", "click", "howsure.assessment")) == []


def test_a_table_of_labels_needs_numpy_and_duckdb_alone(small: str) -> None:
    loaded = modules(COMMAND, "assess", small, "--truth", "y", "--predicted", "p")
    assert {"numpy", "duckdb", "howsure.assessment"} <= loaded  # or the list below could not be believed
    assert unwanted(loaded, (*HEAVY, *OURS, *STDLIB)) == []


@pytest.mark.parametrize("options", [["--by", "y"], ["--json"], ["--all"], ["--per-class"], ["--csv"]])
def test_other_tables_of_labels_need_no_more_than_functions_of_scipy(small: str, options: list[str]) -> None:
    loaded = modules(COMMAND, "assess", small, "--truth", "y", "--predicted", "p", *options)
    assert unwanted(loaded, (*(name for name in HEAVY if name != "scipy"), *OURS, "scipy.stats")) == []


def test_scores_need_functions_of_scipy_and_not_its_distributions(small: str) -> None:
    loaded = modules(COMMAND, "assess", small, "--truth", "y", "--score", "s")
    assert "scipy.special" in loaded
    assert unwanted(loaded, (*(name for name in HEAVY if name != "scipy"), "scipy.stats", "scipy.optimize")) == []


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_needs_no_numbers(arguments: list[str]) -> None:
    loaded = modules(COMMAND, *arguments)
    assert unwanted(loaded, (*HEAVY, "numpy", "duckdb")) == []
