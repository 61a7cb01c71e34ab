"""The full grid: parts are kept as they come, and a run goes on where it was stopped."""

from __future__ import annotations

import time

import pytest

from lab import parts
from lab.parts import Part, minutes, run


def counted(items, start):
    """Stand for a simulation, one that fails at an item called `bad`."""
    if "bad" in items:
        raise RuntimeError("stopped")
    return {item: [{"item": item, "value": start + index}] for index, item in enumerate(items)}


@pytest.fixture
def part(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "FOLDER", tmp_path)
    return lambda items, start=0: Part("some", counted, items, {"start": start})


def test_only_what_is_missing_is_measured(part, capsys):
    run([part(("a", "b"))], jobs=1)
    assert [row["value"] for row in part(("a", "b")).rows()] == [0, 1]
    more = part(("a", "b", "c"))
    assert more.missing() == ["c"]
    run([more], jobs=1)
    assert [row["value"] for row in more.rows()] == [0, 1, 0]
    run([more], jobs=1)
    assert capsys.readouterr().out.count("1 of 1") == 2


def test_what_is_asked_for_again_takes_the_place_of_what_was(part):
    run([part(("a", "b"))], jobs=1)
    again = part(("a", "b"))
    assert again.missing(["b"]) == ["b"]
    run([again], jobs=1, again=["b"])
    assert [row["value"] for row in again.rows()] == [0, 0]


def test_other_settings_are_measured_anew(part):
    run([part(("a",))], jobs=1)
    assert part(("a",), 5).rows() == []
    assert part(("a",), 5).missing() == ["a"]


def test_parts_that_were_done_before_a_run_stopped_are_kept(part, tmp_path):
    good = part(("a",))
    bad = Part("other", counted, ("bad",), {"start": 0})
    with pytest.raises(RuntimeError, match="stopped"):
        run([good, bad], jobs=1)
    assert good.missing() == []
    assert bad.missing() == ["bad"]
    assert [path.name for path in tmp_path.iterdir()] == ["some.json.gz"]


def test_the_same_content_is_the_same_bytes(part):
    one = part(("a", "b"))
    result = {item: {"about": {"seconds": 0}, "rows": rows} for item, rows in counted(["a", "b"], 0).items()}
    one.keep(result)
    before = one.path.read_bytes()
    one.path.unlink()
    one.keep({"b": result["b"]})
    one.keep({"a": result["a"]})
    assert one.path.read_bytes() == before


def test_times_of_parts_are_added_up(part):
    both = part(("a", "b"))
    both.keep({name: {"about": {"seconds": seconds}, "rows": []} for name, seconds in (("a", 90.0), ("b", 30.0))})
    assert minutes([both]) == 2.0


def test_sleeping_takes_no_time(part):
    asleep = Part("asleep", slept, ("a",), {})
    run([asleep], jobs=1)
    assert asleep.kept()["a"]["about"]["seconds"] < 0.2


def slept(items):
    time.sleep(0.3)
    return {item: [] for item in items}
