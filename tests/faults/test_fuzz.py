"""A part of each fuzz test with a fixed seed; `make fuzz` runs them in full."""

from __future__ import annotations

import builtins
import marshal
import pickle
import subprocess
import sys
from pathlib import Path

import joblib
import pytest

import howsure
from fuzz import oracle
from fuzz.case import Case, opened, run_case, run_fuzzer
from fuzz.experiments import everything, planned
from fuzz.files import Files
from fuzz.fuzzers import FUZZERS
from howsure.experiment.store import write

ROOT = Path(__file__).parents[2]
COUNTS = {"files": 200, "calls": 1500, "commands": 150, "flips": 40, "kills": 8}  # about ten seconds each


def test_every_fuzzer_has_a_count():
    assert set(COUNTS) == set(FUZZERS)


@pytest.mark.long
@pytest.mark.parametrize("fuzzer", COUNTS)
def test_fuzzer(fuzzer):
    command = [sys.executable, "-m", "fuzz", fuzzer, "--count", str(COUNTS[fuzzer]), "--jobs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_a_case_is_the_same_alone():
    with opened(Files) as fuzzer:
        first, second = Case("files", 4, 17), Case("files", 4, 17)
        run_case(fuzzer, first)
        run_case(fuzzer, second)
    assert first.steps == second.steps
    assert first.steps


def test_opening_a_folder_unpickles_nothing(tmp_path, monkeypatch):
    """Everything is read in a process where whatever could unpickle refuses to."""
    monkeypatch.setattr(write, "ABOUT_A_SECOND", write.ABOUT_A_SECOND)  # which `planned` shortens
    planned().run(tmp_path / "run", progress=False)

    def refuse(*_, **__):
        raise AssertionError("something was unpickled")

    for module, name in (
        (pickle, "load"),
        (pickle, "loads"),
        (pickle, "Unpickler"),
        (joblib, "load"),
        (marshal, "loads"),
    ):
        monkeypatch.setattr(module, name, refuse)
    monkeypatch.setitem(vars(builtins), "eval", refuse)
    numbers, _ = everything(tmp_path / "run")
    assert "noise" in numbers


def test_a_wrong_number_is_caught(monkeypatch):
    right = howsure.assess
    monkeypatch.setattr(
        howsure, "assess", lambda truth, predicted=None, **more: right(predicted or truth, truth, **more)
    )
    report = run_fuzzer(Files, 0, 40)
    assert report.cases == 40
    assert len(report.failures) > 5
    assert "python -m fuzz files --seed 0 --case" in report.text()


def test_the_oracle_knows_a_textbook_example():
    """Cohen's kappa of 20 + 15 agreements out of 50, and an AUC of 3 pairs won out of 4."""
    cells = oracle.Counter({("a", "a"): 20, ("a", "b"): 5, ("b", "a"): 10, ("b", "b"): 15})
    assert oracle.label_measures(cells, ["a", "b"])["kappa"] == pytest.approx(0.4)
    assert oracle.auc([True, True, False, False], [0.9, 0.4, 0.5, 0.1], [1] * 4) == 0.75
    assert oracle.mcnemar(3, 1) == pytest.approx(0.375)
    with pytest.raises(oracle.Bad):
        oracle.read(b"y,p\na\n", "csv")
