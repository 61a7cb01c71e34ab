"""The command that measures the grid: what it is told, it does, and nothing else."""

from __future__ import annotations

import pytest

from lab import __main__ as command
from lab import parts
from lab.parts import Part


def measure(items):
    return {item: [{"item": item}] for item in items}


@pytest.fixture
def grid(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "FOLDER", tmp_path)
    result = tuple(Part(f"intervals-{name}", measure, ("auc", "recall"), {}) for name in ("small", "large"))
    for name in [name for name in vars(command) if name.isupper() and name != "EXAMPLES"]:
        monkeypatch.setattr(command, name, result if name == "INTERVALS" else ())
    return result


def test_a_part_alone_is_measured_and_listed(grid, capsys):
    command.main(["--part", "small", "--jobs", "1"])
    assert [part.missing() for part in grid] == [[], ["auc", "recall"]]
    capsys.readouterr()
    command.main(["--list"])
    assert capsys.readouterr().out == "intervals-small: 2 of 2\nintervals-large: 0 of 2\n"


def test_a_measure_is_measured_again(grid, capsys):
    command.main(["--jobs", "1"])
    command.main(["--jobs", "1", "--again", "auc", "--part", "large"])
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 1: intervals-large, 1 items")


def test_help_says_how_long_it_takes(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    text = capsys.readouterr().out
    assert "minutes of processor time" in text
    assert "--again" in text
