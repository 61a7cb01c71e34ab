"""Frames and CSV of long results are made of columns, and are what records would have given."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pytest

import howsure
from howsure.curves import Curve, CurveSet
from howsure.present import columnar
from howsure.present.columnar import Columnar
from howsure.present.result import Result
from howsure.tables import ScoreTable

ODD = [0.0, -0.0, 1.0, 0.1, 1e-5, 1e-4, 1e15, 1e16, 123456789012345680.0, 5e-324, 1.7976931348623157e308, 1 / 3]
ODD += [np.inf, -np.inf, np.nan, 2.0**53, 1e22, 1e21, 9.999999999999999e22, 0.30000000000000004]


def odd_curve(length: int) -> Curve:
    rng = np.random.default_rng(7)
    bits = rng.integers(0, 1 << 62, length, dtype=np.uint64) * np.uint64(4) + np.uint64(1)
    x = np.resize(np.array(ODD), length)
    extra: dict[str, np.ndarray] = {"low": rng.random(length), "n": np.arange(length, dtype=np.int32)}
    return Curve(x, bits.view(np.float64), np.round(10 ** rng.uniform(-9, 20, length)), extra=extra)


def curve_set(length: int) -> CurveSet:
    names = ['a "quoted", one', "=1+1", "plain", "", "two\nlines", " spaced "]
    return CurveSet({name: odd_curve(length) for name in names})


def score_table(length: int) -> ScoreTable:
    rng = np.random.default_rng(3)
    return ScoreTable.from_scores(rng.random(length) < 0.3, rng.random(length, dtype=np.float32))


def mean_curve(length: int) -> Curve:
    rng = np.random.default_rng(4)
    truth = rng.random(length) < 0.5
    return howsure.assess(truth.astype(int), scores=np.round(rng.random(length) + truth / 2, 3)).roc(band="pointwise")


RESULTS: dict[str, Any] = {"curve": odd_curve, "curves": curve_set, "scores": score_table, "band": mean_curve}


@pytest.mark.parametrize("spreadsheet", [False, True])
@pytest.mark.parametrize("kind", RESULTS)
@pytest.mark.parametrize("length", [1, 3, 500])
def test_csv_by_columns_is_csv_by_records(
    kind: str, length: int, spreadsheet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    result: Columnar = RESULTS[kind](max(length, 40) if kind == "band" else length)
    by_records = Result.to_csv(result, spreadsheet=spreadsheet)
    assert result.to_csv(spreadsheet=spreadsheet) == by_records
    monkeypatch.setattr(columnar, "LARGE", 1)
    assert result.to_csv(spreadsheet=spreadsheet) == by_records


def test_a_large_curve_is_written_by_columns(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    curve = odd_curve(columnar.LARGE)
    by_records = Result.to_csv(curve)
    monkeypatch.setattr(Curve, "records", lambda _: pytest.fail("makes a record of each point"))
    curve.save(tmp_path / "points.csv")
    assert (tmp_path / "points.csv").read_bytes() == (by_records + "\n").encode()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", None])
@pytest.mark.parametrize("kind", RESULTS)
def test_frames_by_columns_are_frames_by_records(kind: str, library: str | None) -> None:
    result: Columnar = RESULTS[kind](60)
    mine, theirs = (nw.from_native(frame, eager_only=True) for frame in (result.frame(library), Result.frame(result)))
    if library is not None:
        theirs = nw.from_native(Result.frame(result, library), eager_only=True)
    assert mine.implementation == theirs.implementation
    assert mine.schema == theirs.schema
    for name in mine.columns:
        assert repr(mine[name].to_list()) == repr(theirs[name].to_list())


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_need_no_records(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    curve = odd_curve(30)
    monkeypatch.setattr(Curve, "records", lambda _: pytest.fail("makes a record of each point"))
    assert nw.from_native(curve.frame(library), eager_only=True).shape == (30, 5)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_frame_does_not_change_with_the_curve(library: str) -> None:
    curve = odd_curve(20)
    frame = nw.from_native(curve.frame(library), eager_only=True)
    curve.y[:] = 0
    assert all(value != 0 for value in frame["y"].to_list())


def test_curves_of_different_columns_and_no_curves_are_shown_by_records() -> None:
    few = odd_curve(3)
    mixed = CurveSet({"one": few, "other": Curve(few.x, few.y, few.thresholds)})
    assert mixed.to_csv() == Result.to_csv(mixed)
    assert mixed.frame("polars").equals(Result.frame(mixed, "polars"))
    assert CurveSet({}).to_csv() == Result.to_csv(CurveSet({}))
