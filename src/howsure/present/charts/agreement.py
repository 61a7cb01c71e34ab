"""The chart of agreement by rater, pair of raters or category, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from howsure.present.charts.declare import chart
from howsure.present.charts.rows import draw_intervals, height, lay_out, span
from howsure.present.charts.series import ink, own_style
from howsure.present.charts.text import subtitle
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.raters.breakdown import AgreementParts, Part
    from howsure.results import Estimate

MAXIMUM = 45  # maximum number of rows


def _drawn(parts: AgreementParts) -> list[tuple[Part, Estimate]]:
    """Return the parts with the lowest agreement, with their estimates."""
    pairs = zip(parts.parts, parts.shown, strict=True)
    defined = [(part, estimate) for part, estimate in pairs if not estimate.undefined]
    order = sorted(range(len(defined)), key=lambda index: defined[index][1].value)[:MAXIMUM]
    return [defined[index] for index in sorted(order)]


def _size(parts: AgreementParts, **options: Any) -> tuple[float, float]:
    return 6.8, height(len(_drawn(parts)))


@chart("AgreementParts", default=True, size=_size)
def parts(agreement: AgreementParts, ax: Any, **style: Any) -> Any:
    """Draw the agreement of each rater, pair or category with its interval.

    With two categories, the specific agreement of each is drawn. If there are more than 45 parts, only those with the
    lowest agreement are drawn. ``style`` keywords are passed to Matplotlib lines.
    """
    drawn = _drawn(agreement)
    estimates = [estimate for _, estimate in drawn]
    intervals = [estimate.interval(agreement.confidence) for estimate in estimates]
    records = [
        {"value": estimate.value, "low": interval.low, "high": interval.high}
        for estimate, interval in zip(estimates, intervals, strict=True)
    ]
    measure = spoken(estimates[0].name) if estimates else "agreement"
    ax.set_xlabel(f"{measure} with the others" if agreement.kind == "rater" else measure)
    few = f"; the lowest {len(drawn)} of {len(agreement)}" if len(drawn) < len(agreement) else ""
    subtitle(ax, f"{100 * agreement.confidence:g} % intervals{few}")
    ends = span([value for record in records for value in record.values()] + [0.0] * agreement.beyond_chance)
    names = [" and ".join(part.key.values()) for part, _ in drawn]
    rows = lay_out(ax, names, [f"n = {part.n}" for part, _ in drawn], ends, heading=agreement.counted)
    draw_intervals(ax, rows, records, "value", [True] * len(records), own_style(ax, style))
    if agreement.beyond_chance and drawn:
        ax.plot([0, 0], [-0.5, len(drawn) - 0.5], color=ink(ax), lw=0.9, zorder=1)
    return ax
