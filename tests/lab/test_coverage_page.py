"""The page of coverage: its pictures show the numbers that are shipped, and its tables say what the rows do."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import peer_table
from howsure.measured.intervals import Held, stored
from howsure.measured.tests import TestRow
from lab.pictures import HUES, NONE_HUE, Entry, Picture, drawn, mark_of, of_defaults, of_measures, row_of, write
from lab.summary import Measured, read

ROOT = Path(__file__).parents[2]
CELL = {"n": 50, "prevalence": 0.5, "quality": "good", "spread": 1.0, "slope": 1.0, "classes": 2, "weighted": False}


def maker():
    spec = importlib.util.spec_from_file_location("make_coverage", ROOT / "docs/tools/make_coverage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cells(coverages, given=1000, **facts):
    """Give a cell for each quality, with its coverage."""
    result = {}
    for quality, coverage in coverages.items():
        cell = {**CELL, "quality": quality, **facts}
        result[tuple(cell.items())] = Held(cell, 0.8, 1000, given, round(given * (1 - coverage)), 0, 0.2)
    return result


def test_pictures_show_the_numbers_that_are_shipped():
    page = maker()
    every = [one for many in page.pictures(read(stored())).values() for _, one in many if one.rows]
    assert every
    for one in every:
        assert mark_of(page.FOLDER / one.file) == one.mark, f"{one.file}: run `make docs/evidence/coverage.md`"
    files = list(page.FOLDER.glob("coverage-*.png"))
    assert {path.name for path in files} == {one.file for one in every}
    assert sum(path.stat().st_size for path in files) < 1.5e6
    assert all(f"pictures/{one.file}" in (ROOT / "docs/evidence/coverage.md").read_text() for one in every)


def test_a_cell_of_a_picture_is_the_least_over_the_qualities():
    row = row_of({**cells({"good": 0.95, "poor": 0.919}), **cells({"fair": 0.5}, weighted=True)})
    assert {column: (entry.text, entry.hue) for column, entry in row.items()} == {(0.5, 50): ("91", HUES[2])}
    few, none = (row_of(cells({"good": 0.95}, given=given))[0.5, 50] for given in (400, 20))
    assert (few.text, none.text, none.hue) == ("(95)", "–", NONE_HUE)
    assert [Entry(c, 1).text for c in (0.8999, 0.9249, 0.999, 1)] == ["89", "92", "99", "100"]


def test_measures_with_the_same_numbers_share_a_picture():
    one, other = cells({"good": 0.95}), cells({"good": 0.96})
    measured = [Measured(n, "wilson", {"wilson": c}) for n, c in {"recall": one, "f1": other, "precision": one}.items()]
    assert [names for names, _ in of_measures(measured)] == [["recall", "precision"], ["f1"]]


def test_pictures_are_drawn_again_only_when_numbers_change(tmp_path):
    picture = of_defaults("some", "Some", [Measured("recall", "wilson", {"wilson": cells({"good": 0.93})})])
    (tmp_path / "coverage-old.png").write_bytes(b"")
    write([picture], tmp_path)
    (path,) = tmp_path.iterdir()
    assert (path.name, mark_of(path)) == ("coverage-some.png", picture.mark)
    path.write_bytes(path.read_bytes() + b"untouched")
    write([picture], tmp_path)
    assert path.read_bytes().endswith(b"untouched")
    write([Picture("some", "Another", picture.rows)], tmp_path)
    assert not path.read_bytes().endswith(b"untouched")


def test_hues_are_those_of_the_numbers(tmp_path):
    rows = {(0.5, 10 * 2**index): Entry(c, 1) for index, c in enumerate((0.7, 0.88, 0.91, 0.93, 0.95, 0.98, 0.995))}
    path = tmp_path / "one.png"
    path.write_bytes(drawn(Picture("one", "One", (("wilson", {**rows, (0.1, 10): Entry(None, 0)}),))))
    colours = {tuple(colour) for colour in np.asarray(Image.open(path).convert("RGB")).reshape(-1, 3).tolist()}
    for hue in (*HUES, NONE_HUE):
        assert tuple(bytes.fromhex(hue[1:])) in colours


def test_the_worst_setting_of_a_test_is_told():
    rows = [
        TestRow("sign_test", "", "accuracy", "datasets", pair, {"datasets": n}, rate, rounds=1000)
        for pair, n, rate in [("exchangeable", 5, 0.04), ("exchangeable", 10, 0.08), ("apart", 10, 0.9)]
    ]
    (line,) = maker().type_one_rows(rows)
    assert line == (
        "| datasets | `sign_test` | accuracy | 8.0 % ± 0.9 | exchangeable classifiers, 10 data sets | 1 of 2 |\n"
    )


def peer(program, coverage, width=0.2, given=1.0, n=50):
    cell = {"n": n, "prevalence": 0.5, "quality": "good"}
    text = {"rounds": 400, "given": given, "coverage": coverage, "error": 0.0, "width": width}
    return {**cell, "program": program, "measure": "auc", "truth": 0.8, **text}


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (peer("other", 0.95), "- nowhere"),
        (peer("other", 0.95, width=0.1), "narrower intervals (0.50 times the width)"),
        (peer("other", 0.85, width=0.1), "- nowhere"),
        (peer("other", 0.95, width=0.1, given=0.5), "but none in 50.0 % of the samples (Howsure 10.0 %)"),
        (peer("other", 0.95, given=1.0), "intervals in more samples (0.0 % without, Howsure 10.0 %)"),
    ],
)
def test_where_another_program_is_better_is_said(other, said):
    given = 1.0 if said == "- nowhere" or "width)" in said else 0.9
    assert said in peer_table.better([peer("Howsure", 0.95, given=given), other])


def test_a_program_that_holds_where_howsure_does_not_is_better():
    assert "fewer cells under 92.5 % (0, Howsure 1)" in peer_table.better([peer("Howsure", 0.8), peer("other", 0.95)])
    assert peer_table.shortfalls([peer("other", 0.0, given=0.01)]) == 0
