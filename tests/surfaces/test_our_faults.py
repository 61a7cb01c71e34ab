"""What the program says when the fault is ours, and where its output cannot take what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import howsure.assessment
from howsure.cli import main

CASES = "y,p\nä,ä\nb,ä\nä,b\nb,b\n"


@pytest.fixture
def cases(tmp_path: Path) -> str:
    path = tmp_path / "cases.csv"
    path.write_text(CASES, encoding="utf-8")
    return str(path)


def fail(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(howsure.assessment, "assess", failing)


def test_a_fault_of_ours_gives_a_sentence_and_a_report(cases, monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(sys, "argv", ["howsure", "assess", cases])
    fail(monkeypatch, KeyError("nowhere"))
    done = CliRunner().invoke(main, ["assess", cases, "--truth", "y", "--predicted", "p"])
    assert done.exit_code == 70
    assert done.stdout == ""
    start, _, path = done.stderr.strip().removesuffix(".txt.").rpartition(" ")
    assert start == "Error: internal error (KeyError); your input is not to blame; please send us the report"
    report = Path(f"{path}.txt").read_text(encoding="utf-8")
    assert report.startswith(f"howsure {howsure.__version__}, Python ")
    assert "KeyError: 'nowhere'" in report
    assert repr(cases) in report
    assert "numpy " in report
    assert oct(os.stat(f"{path}.txt").st_mode)[-3:] == "600"


def test_a_report_that_cannot_be_written_is_no_second_fault(cases, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    fail(monkeypatch, RuntimeError("x"))
    done = CliRunner().invoke(main, ["assess", cases, "--truth", "y", "--predicted", "p"])
    assert done.exit_code == 70
    assert done.stderr.endswith(
        "(RuntimeError); your input is not to blame; the report could not be written: permission denied.\n"
    )


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "Error: out of memory; "),
        (RecursionError(), "Error: the input is nested too deeply; "),
    ],
)
def test_what_ran_out_is_named(cases, monkeypatch, error, sentence):
    fail(monkeypatch, error)
    done = CliRunner().invoke(main, ["assess", cases, "--truth", "y", "--predicted", "p"])
    assert done.exit_code == 70
    assert done.stderr.startswith(sentence)


def test_a_file_that_cannot_be_used_is_named(cases, monkeypatch):
    fail(monkeypatch, PermissionError(13, "Permission denied", "/some/file"))
    done = CliRunner().invoke(main, ["assess", cases, "--truth", "y", "--predicted", "p"])
    assert (done.exit_code, done.stderr) == (2, "Error: '/some/file' cannot be used: permission denied.\n")


def test_an_error_while_commands_are_imported_is_one_of_ours(monkeypatch):
    def broken() -> None:
        raise ImportError("no such thing")

    monkeypatch.setattr("howsure.cli.declare.load", broken)
    done = CliRunner().invoke(main, ["--help"])
    assert done.exit_code == 70
    assert done.stderr.startswith("Error: internal error (ImportError); your input is not to blame; ")


def test_help_lists_the_exit_code():
    assert "70   internal error" in CliRunner().invoke(main, ["--help"]).stdout


def run(arguments: list[str | bytes], **options: object) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **options.pop("env", {})}  # type: ignore[dict-item]
    return subprocess.run([sys.executable, "-m", "howsure", *arguments], env=environment, **options)  # type: ignore[call-overload]


@pytest.mark.parametrize("env", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_terminals_that_lack_letters_show_them_as_escapes(cases, env):
    options = {"capture_output": True, "env": env}
    arguments = ["assess", cases, "--truth", "y", "--predicted", "p"]
    for style in ([], ["--json"], ["--csv"], ["--per-class"], ["--markdown"], ["--latex"]):
        done = run([*arguments, *style], **options)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr
        if style == ["--json"]:
            assert json.loads(done.stdout)["labels"] == ["b", "ä"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such arguments")
def test_arguments_that_are_no_text(cases):
    done = run(["assess", b"\xff.csv", "--truth", b"\xfe", "--predicted", "p"], capture_output=True)
    assert done.returncode == 2
    assert done.stderr.startswith(b"Error: there is no file ")
    done = run(["assess", cases, "--truth", b"\xfe", "--predicted", "p"], capture_output=True)
    assert done.returncode == 2
    assert b"\\udcfe" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="of the shells of Unix")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams(cases, closed):
    for arguments in (f"assess {cases} --truth y --predicted p", f"assess {cases} --truth z --predicted p", "measures"):
        command = f"{sys.executable} -m howsure {arguments} {closed}"
        done = subprocess.run(["sh", "-c", command], capture_output=True)
        assert done.returncode in (0, 2)
        assert b"Traceback" not in done.stderr
