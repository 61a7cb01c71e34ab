"""The program `python -m howsure`: its exit codes, and an output that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    given = {"capture_output": True, "text": True, "check": False, "env": buffered} | options
    return subprocess.run([sys.executable, "-m", "howsure", *arguments], **given)  # type: ignore[call-overload]


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.csv"
    path.write_text("y,p\n" + "a,a\nb,a\nb,b\na,a\n" * 3)
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--version"], 0), (["cake"], 2), (["assess", "none.csv", "--truth", "y", "--predicted", "p"], 2)],
)
def test_the_exit_code_is_told(arguments: list[str], code: int) -> None:
    assert run(*arguments).returncode == code


def test_a_closed_gate_is_told(small: str) -> None:
    done = run("gate", small, "--truth", "y", "--baseline", "y", "--candidate", "p", "--margin", "0.01")
    assert (done.returncode, done.stdout[:4]) == (1, "FAIL")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_output_that_takes_no_more_is_a_fault(small: str) -> None:
    with open("/dev/full", "w") as full:
        arguments = ("assess", small, "--truth", "y", "--predicted", "p")
        done = run(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == "Error: standard output cannot be written: no space left on device.\n"
