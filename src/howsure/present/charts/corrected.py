"""Charts of values beside those they were made of: corrected for wrong labels, or made surer by a judge's labels."""

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

APART = 0.16  # of a row: how far the two values of a measure are above and below its middle
BOUNDS = 0.12  # opacity of the bounds of an accuracy
NOTHING = {"value": np.nan, "low": np.nan, "high": np.nan}


def _height(rows: int) -> float:
    return 1.2 + 0.36 * max(rows, 2)


def _size_of_noise(noise: LabelNoise, **options: Any) -> tuple[float, float]:
    return 6.8, _height(len(noise.measures))


@chart("LabelNoise", default=True, size=_size_of_noise)
def corrected(noise: LabelNoise, ax: Any, **style: Any) -> Any:
    """Draw each measure as it was seen and as it is corrected, with intervals, and how far errors of any kind may lead.

    ``style`` are keywords of a Matplotlib line.
    """
    seen = [noise.assessment[name] for name in noise.measures]
    true = [noise[name] for name in noise.measures]
    share = "" if np.isnan(noise.share) else f" if {100 * noise.share:.3g} % of the labels are wrong at random"
    ax.set_xlabel("value")
    level = f"{100 * noise.confidence:g} % intervals"
    shaded = "shaded: the accuracy if errors favour one side"
    subtitle(ax, f"open: as seen; filled: corrected{share}; {level}; {shaded}")
    records = [_records(each, noise.confidence) for each in (seen, true)]
    worst = noise.worst
    ends = span([*worst, *(value for one in records for record in one for value in record.values())])
    rows = lay_out(ax, _names(true), [number(one.value) for one in true], ends, heading="corrected")
    _draw_both(ax, rows, records, own_style(ax, style))
    y = noise.measures.index("accuracy")
    ax.fill_betweenx([y - 0.4, y + 0.4], *worst, color=muted(ax), alpha=BOUNDS, linewidth=0, zorder=0)
    return ax


def _estimates(judged: JudgedAssessment, measures: Sequence[str] | None) -> list[Any]:
    """Give the estimates asked for, or those that are shown and have a scale with two ends, as most have."""
    estimates: list[Any] = judged.estimates(measures)
    return [one for one in estimates if measures is not None or np.isfinite(one.basis.span).all()]


def _size_of_judged(
    judged: JudgedAssessment, measures: Sequence[str] | None = None, **options: Any
) -> tuple[float, float]:
    return 6.8, _height(len(_estimates(judged, measures)))


@chart("JudgedAssessment", default=True, size=_size_of_judged)
def powered(judged: JudgedAssessment, ax: Any, *, measures: Sequence[str] | None = None, **style: Any) -> Any:
    """Draw each measure by human and judged labels together, beside what the human labels alone tell.

    ``measures`` are those that are shown, if not named. ``style`` are keywords of a Matplotlib line.
    """
    estimates = _estimates(judged, measures)
    human: list[Any] = [getattr(one, "human", None) for one in estimates]  # what the judge alone says has none
    ax.set_xlabel("value")
    labelled = f"open: the {judged.labelled} human labels alone"
    subtitle(ax, f"filled: with the {judged.judged} labels of the judge; {labelled}; 95 % intervals")
    records = [_records(each, 0.95) for each in (human, estimates)]
    worth = [np.nan if alone is None else both.worth for alone, both in zip(human, estimates, strict=True)]
    notes = ["" if np.isnan(one) else f"{one:.0f}" for one in worth]
    ends = span([value for one in records for record in one for value in record.values()])
    rows = lay_out(ax, _names(estimates), notes, ends, heading="worth in human labels")
    _draw_both(ax, rows, records, own_style(ax, style))
    return ax


def _names(estimates: Sequence[Estimate]) -> list[str]:
    return [spoken(one.name) + (f" of {one.of}" if one.of else "") for one in estimates]


def _records(estimates: Sequence[Estimate | None], confidence: float) -> list[Record]:
    records = []
    for one in estimates:
        interval = None if one is None or one.undefined else one.interval(confidence)
        ends = {} if interval is None else {"low": interval.low, "high": interval.high}
        records.append({**NOTHING, **({} if one is None else {"value": one.value}), **ends})
    return records


def _draw_both(ax: Any, rows: Rows, records: Sequence[list[Record]], style: dict[str, Any]) -> None:
    """Draw the values that there were, open and in grey, and below each what was made of it."""
    before, after = records
    count = len(before)
    draw_intervals(ax, replace(rows, y=rows.y - APART), before, "value", [False] * count, {**style, "color": muted(ax)})
    draw_intervals(ax, replace(rows, y=rows.y + APART), after, "value", [True] * count, style)
