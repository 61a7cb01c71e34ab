"""The chart of raters, pairs of them, or categories: how far each agrees, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.present.charts.declare import chart
from assay.present.charts.rows import draw_intervals, height, lay_out, span
from assay.present.charts.series import ink, own_style
from assay.present.charts.text import subtitle
from assay.present.value_text import spoken

if TYPE_CHECKING:
    from assay.raters.parts import AgreementParts, Part

MOST = 45  # rows


def _drawn(parts: AgreementParts) -> list[Part]:
    """Give the parts that have a value, and there is room for: those that agree least."""
    defined = [part for part in parts.parts if not part.estimates[-1].undefined]
    lowest = sorted(defined, key=lambda part: part.estimates[-1].value)[:MOST]
    return [part for part in defined if part in lowest]


def _size(parts: AgreementParts, **options: Any) -> tuple[float, float]:
    return 6.8, height(len(_drawn(parts)))


@chart("AgreementParts", default=True, size=_size)
def parts(agreement: AgreementParts, ax: Any, **style: Any) -> Any:
    """Draw the agreement of each rater, pair or category with its interval.

    Of more than 45 it draws those that agree least. ``style`` are keywords of a Matplotlib line.
    """
    drawn = _drawn(agreement)
    estimates = [part.estimates[-1] for part in drawn]
    intervals = [estimate.interval(agreement.confidence) for estimate in estimates]
    records = [
        {"value": estimate.value, "low": interval.low, "high": interval.high}
        for estimate, interval in zip(estimates, intervals, strict=True)
    ]
    measure = spoken(estimates[0].name) if estimates else "agreement"
    ax.set_xlabel(f"{measure} with the others" if agreement.kind == "rater" else measure)
    few = f"; the lowest {len(drawn)} of {len(agreement)}" if len(drawn) < len(agreement) else ""
    subtitle(ax, f"{100 * agreement.confidence:g} % intervals{few}")
    beyond_chance = any(estimate.name != "agreement" for estimate in estimates)
    ends = span([value for record in records for value in record.values()] + ([0.0] if beyond_chance else []))
    names = [" and ".join(part.key.values()) for part in drawn]
    rows = lay_out(ax, names, [f"n = {part.n}" for part in drawn], ends, heading=agreement.counted)
    draw_intervals(ax, rows, records, "value", [True] * len(records), own_style(ax, style))
    if beyond_chance and drawn:
        ax.plot([0, 0], [-0.5, len(drawn) - 0.5], color=ink(ax), lw=0.9, zorder=1)
    return ax
