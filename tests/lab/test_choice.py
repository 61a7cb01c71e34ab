"""Defaults are chosen by what was measured: they hold the truth, and are hardly wider than others that do."""

from __future__ import annotations

from functools import cache

import pytest

from howsure.measured.intervals import Held
from lab.choice import SHORT, WIDE, Known, faults, outlived, unexpected
from lab.intervals import CHOOSING, PARTS, SHOWING
from lab.shipped import content
from lab.summary import Measured, neighbourhoods, read, rivals, shortfalls

CELL = {"quality": "good", "spread": 1.0, "slope": 1.0, "classes": 2, "weighted": False}
SIZES, PREVALENCES = (20, 50, 200), (0.5, 0.1)


@cache
def kept(seed):
    """What is kept of the grid, on one seed."""
    result = read(content(seed=seed))
    if not result:
        pytest.skip("nothing of the grid is kept in lab/results")
    return result


@cache
def found():
    return faults(kept(CHOOSING), kept(SHOWING))


def test_defaults_hold_and_are_not_wider_than_need_be():
    assert unexpected(found()) == []


def test_exceptions_are_still_some():
    assert outlived(found(), kept(SHOWING)) == []


def test_all_parts_are_kept():
    missing = [part.name for part in PARTS if part.missing()]
    if missing:
        pytest.skip(f"{len(missing)} of {len(PARTS)} parts of the grid are not complete")


# That the checks can fail.


def cells(coverage, width, given=2000, **other):
    """Give the same coverage and width in each cell; ``other`` are coverages by size, as n20."""
    result = {}
    for n in SIZES:
        for prevalence in PREVALENCES:
            cell = {"n": n, "prevalence": prevalence, **CELL}
            missed = round(given * (1 - other.get(f"n{n}", coverage)))
            result[tuple(cell.items())] = Held(cell, 0.8, 2000, given, missed, 0, width)
    return result


def grid(name="kappa", **methods):
    """Give a measure whose first method is the default."""
    return {name: Measured(name, next(iter(methods)), methods)}


def said(chosen, shown=None, known=()):
    return unexpected(faults(chosen, chosen if shown is None else shown), known)


def test_a_default_that_holds_and_is_narrow_is_right():
    assert said(grid(own=cells(0.95, 0.2), other=cells(0.95, 0.19), narrow=cells(0.91, 0.1))) == []


def test_a_default_that_is_too_narrow_is_found():
    (first, *_) = texts = said(grid(own=cells(0.95, 0.2, n20=0.9)))
    assert len(texts) == len(PREVALENCES)
    assert first == "kappa: 90.0 % ± 0.7 in n = 20, prevalence 0.5, good, where 92.5 % is required"


def test_a_default_that_is_too_wide_is_found():
    texts = said(grid(own=cells(0.97, 0.2), other=cells(0.95, 0.16), narrow=cells(0.91, 0.1)))
    assert texts == ["kappa: own is wider than other, which is valid too, by a factor of 1.25"]


def test_others_are_chosen_on_one_seed_and_widths_shown_on_the_other():
    lucky = grid(own=cells(0.95, 0.2), other=cells(0.91, 0.1))
    unlucky = grid(own=cells(0.95, 0.2), other=cells(0.95, 0.1))
    assert said(lucky, unlucky) == []
    assert len(said(unlucky, lucky)) == 1


def test_a_method_that_gives_fewer_intervals_or_was_not_measured_is_no_rival():
    none, one = cells(0.95, 0.1), cells(0.95, 0.2)
    key = next(iter(none))
    none[key] = Held(dict(key), 0.8, 2000, 0, 0, 0, None)
    measured = grid(own=one, other=none)["kappa"]
    assert rivals(measured, measured) == []
    assert said(grid(own=one), grid(own=one, slow=cells(0.95, 0.1))) == []


def test_few_intervals_say_nothing():
    assert shortfalls(cells(0.5, 0.2, given=20), is_ratio=False) == []


def test_proportions_may_fall_short_in_a_cell_but_not_around_it():
    assert said(grid("recall", own=cells(0.96, 0.2, n20=0.915))) == []
    (text, *_) = said(grid("recall", own=cells(0.93, 0.2)))
    assert "on average over 4 cells around" in text
    assert any(" in n = 20" in text for text in said(grid("recall", own=cells(0.99, 0.2, n20=0.85))))


def test_neighbours_are_one_step_away():
    both = {
        (*facts[:2], ("quality", quality), *facts[3:]): Held({**one.cell, "quality": quality}, 0.8, 99, 99, 5, 0, 0.2)
        for quality in ("chance", "fair", "good", "near-perfect")
        for facts, one in cells(0.95, 0.2).items()
    }
    around = {tuple(one.cell.values())[:3]: len(many) for one, many in neighbourhoods(both)}
    assert around[20, 0.5, "chance"] == 2 * 2 * 2
    assert around[50, 0.5, "good"] == 3 * 2 * 3
    assert len(around) == len(both)


def test_what_is_known_is_no_surprise_as_far_as_it_goes():
    short = grid(own=cells(0.95, 0.2, n20=0.9))
    assert said(short, known=[Known("mcc, kappa", SHORT, 0.89, 20, "why")]) == []
    assert len(said(short, known=[Known("kappa", SHORT, 0.91, 20, "why")])) == len(PREVALENCES)
    assert len(said(short, known=[Known("kappa", SHORT, 0.89, 10, "why")])) == len(PREVALENCES)
    assert len(said(short, known=[Known("kappa", WIDE, 0.89, 20, "why"), Known("mcc", SHORT, 0.5, 20, "why")])) == 2


def test_an_exception_that_is_none_any_more_is_named():
    good = grid(own=cells(0.95, 0.2))
    expected = [Known("kappa", SHORT, 0.9, 20, "why"), Known("mcc", SHORT, 0.9, 20, "not measured")]
    assert outlived(faults(good, good), good, expected) == ["kappa is not short any more"]
