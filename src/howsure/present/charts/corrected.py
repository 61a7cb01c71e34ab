"""Charts of estimates before and after a correction for label errors, or without and with a judge's labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.declare import chart
from howsure.present.charts.rows import Rows, draw_intervals, lay_out, span
from howsure.present.charts.series import muted, own_style
from howsure.present.charts.text import subtitle
from howsure.present.value_text import number, spoken

if TYPE_CHECKING:
    from howsure.assessment.judged import JudgedAssessment
    from howsure.assessment.label_noise import LabelNoise
    from howsure.present.sheet import Record
    from howsure.results import Estimate

APART = 0.16  # distance of the two values of a measure from the middle of their row, in rows
BOUNDS = 0.12  # opacity of the bounds of the accuracy
EMPTY = {"value": np.nan, "low": np.nan, "high": np.nan}


def _height(rows: int) -> float:
    return 1.2 + 0.36 * max(rows, 2)


def _size_of_noise(noise: LabelNoise, **options: Any) -> tuple[float, float]:
    return 6.8, _height(len(noise.measures))


@chart("LabelNoise", default=True, size=_size_of_noise)
def corrected(noise: LabelNoise, ax: Any, **style: Any) -> Any:
    """Draw each measure as observed and corrected for label errors.

    ``style`` keywords are passed to Matplotlib lines.
    """
    observed = [noise.assessment[name] for name in noise.measures]
    adjusted = [noise[name] for name in noise.measures]
    share = "" if np.isnan(noise.share) else f" for {100 * noise.share:.3g} % random label errors"
    ax.set_xlabel("value")
    level = f"{100 * noise.confidence:g} % intervals"
    shaded = "shaded: accuracy if the label errors favour one side"
    subtitle(ax, f"open: observed; filled: corrected{share}; {level}; {shaded}")
    records = [_records(each, noise.confidence) for each in (observed, adjusted)]
    worst = noise.worst
    ends = span([*worst, *(value for each in records for record in each for value in record.values())])
    rows = lay_out(ax, _names(adjusted), [number(each.value) for each in adjusted], ends, heading="corrected")
    _draw_both(ax, rows, records, own_style(ax, style))
    y = noise.measures.index("accuracy")
    ax.fill_betweenx([y - 0.4, y + 0.4], *worst, color=muted(ax), alpha=BOUNDS, linewidth=0, zorder=0)
    return ax


def _estimates(judged: JudgedAssessment, measures: Sequence[str] | None) -> list[Any]:
    """Return the chosen estimates, by default those of bounded measures."""
    estimates: list[Any] = judged.estimates(measures)
    return [each for each in estimates if measures is not None or np.isfinite(each.basis.span).all()]


def _size_of_judged(
    judged: JudgedAssessment, measures: Sequence[str] | None = None, **options: Any
) -> tuple[float, float]:
    return 6.8, _height(len(_estimates(judged, measures)))


@chart("JudgedAssessment", default=True, size=_size_of_judged)
def powered(judged: JudgedAssessment, ax: Any, *, measures: Sequence[str] | None = None, **style: Any) -> Any:
    """Draw each measure with and without the judge's labels.

    ``measures`` names the measures to draw, by default those that are printed. ``style`` keywords are passed to
    Matplotlib lines.
    """
    estimates = _estimates(judged, measures)
    human: list[Any] = [getattr(each, "human", None) for each in estimates]  # None for measures of the judge alone
    ax.set_xlabel("value")
    labelled = f"open: the {judged.labelled} human labels alone"
    subtitle(ax, f"filled: with the {judged.judged} labels of the judge; {labelled}; 95 % intervals")
    records = [_records(each, 0.95) for each in (human, estimates)]
    sizes = [np.nan if alone is None else both.worth for alone, both in zip(human, estimates, strict=True)]
    notes = ["" if np.isnan(size) else f"{size:.0f}" for size in sizes]
    ends = span([value for each in records for record in each for value in record.values()])
    rows = lay_out(ax, _names(estimates), notes, ends, heading="effective human labels")
    _draw_both(ax, rows, records, own_style(ax, style))
    return ax


def _names(estimates: Sequence[Estimate]) -> list[str]:
    return [spoken(each.name) + (f" of {each.of}" if each.of else "") for each in estimates]


def _records(estimates: Sequence[Estimate | None], confidence: float) -> list[Record]:
    records = []
    for estimate in estimates:
        interval = None if estimate is None or estimate.undefined else estimate.interval(confidence)
        ends = {} if interval is None else {"low": interval.low, "high": interval.high}
        records.append({**EMPTY, **({} if estimate is None else {"value": estimate.value}), **ends})
    return records


def _draw_both(ax: Any, rows: Rows, records: Sequence[list[Record]], style: dict[str, Any]) -> None:
    """Draw the first values as open markers, the second as filled ones below."""
    before, after = records
    count = len(before)
    draw_intervals(ax, replace(rows, y=rows.y - APART), before, "value", [False] * count, {**style, "color": muted(ax)})
    draw_intervals(ax, replace(rows, y=rows.y + APART), after, "value", [True] * count, style)
