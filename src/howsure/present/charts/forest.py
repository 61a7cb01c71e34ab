"""Forest plots for the differences in a comparison and for groups of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from howsure.present.charts.declare import chart
from howsure.present.charts.rows import draw_intervals, height, lay_out, span
from howsure.present.charts.series import ink, own_style
from howsure.present.charts.text import subtitle
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.assessment import AssessmentGroups
    from howsure.comparison import Comparison
    from howsure.comparison.pair import PairComparison
    from howsure.present.sheet import Record

MAXIMUM = 45  # maximum number of rows: all pairs of ten classifiers


def _size_of_pairs(comparison: Comparison, **options: Any) -> tuple[float, float]:
    return 7.6, height(len(_choose(comparison))) + 0.2


@chart("Comparison", default=True, size=_size_of_pairs)
def forest(comparison: Comparison, ax: Any, **style: Any) -> Any:
    """Draw the difference for each pair with its interval.

    If there are more than 45 pairs, only those with the best classifier are drawn. ``style`` keywords are passed to
    Matplotlib lines.
    """
    chosen, family = _choose(comparison), comparison.family
    records = [comparison.oriented(pair) for pair in chosen]
    notes = [f"p {record['p']}" if record["p"][0] in "<n" else f"p = {record['p']}" for record in records]
    sizes = {record["n"] for record in records}
    if len(sizes) > 1:
        notes = [f"n = {record['n']:g}, {note}" for record, note in zip(records, notes, strict=True)]
    simultaneous = "simultaneous " if len(comparison.pairs) > 1 and comparison.adjust != "none" else ""
    parts = [
        "" if family.stepwise else f"{simultaneous}{100 * (1 - comparison.alpha):g} % intervals",
        f"n = {sizes.pop():g}" if len(sizes) == 1 else "",
        f"{len(chosen)} of {len(comparison.pairs)} pairs" if len(chosen) < len(comparison.pairs) else "",
        f"{'right' if comparison.better == 'higher' else 'left'} of 0: the first is better",
        "filled: significant",
        f"shaded: practically equal (±{family.rope:g})" if family.rope else "",
    ]
    ax.set_xlabel(f"difference in {spoken(comparison.measure)}")
    subtitle(ax, "; ".join(part for part in parts if part))
    ends = span([*_ends(records), 0.0, -family.rope, family.rope])
    rows = lay_out(ax, [record["names"] for record in records], notes, ends)
    own = own_style(ax, style)
    if family.rope:
        ax.axvspan(-family.rope, family.rope, color=own["color"], alpha=0.13, lw=0, zorder=0)
    draw_intervals(ax, rows, records, "difference", [record["is_shown"] for record in records], own)
    ax.plot([0, 0], [-0.5, len(chosen) - 0.5], color=ink(ax), lw=0.9, zorder=1)
    return ax


def _choose(comparison: Comparison) -> Sequence[PairComparison]:
    """Return the pairs to draw, in the order of the table."""
    shown = comparison.shown
    if len(comparison.pairs) <= MAXIMUM:
        return shown
    centre = comparison.options.baseline or comparison.ranking().names[0]
    return [pair for pair in shown if centre in (pair.a, pair.b)][:MAXIMUM]


def _size_of_groups(groups: AssessmentGroups, **options: Any) -> tuple[float, float]:
    return 6.8, height(min(len(groups), MAXIMUM) + 1)


@chart("AssessmentGroups", default=True, size=_size_of_groups)
def groups(groups: AssessmentGroups, ax: Any, *, measure: str = "accuracy", **style: Any) -> Any:
    """Draw a measure of each group and of all cases, with intervals.

    If there are more than 45 groups, only the largest are drawn. ``style`` keywords are passed to Matplotlib lines.
    """
    every = groups.records(measures=[measure])
    chosen = sorted(sorted(range(len(every)), key=lambda index: -every[index]["n"])[:MAXIMUM])
    records = [every[index] for index in chosen]
    names = [str(list(groups)[index]) for index in chosen]
    overall = groups.overall.records(measures=[measure])[0]
    records.append(overall)
    ax.set_xlabel(spoken(overall["measure"]) + (f" of {overall['of']}" if overall["of"] else ""))
    left_out = f"; {len(chosen)} of {len(every)} groups" if len(chosen) < len(every) else ""
    subtitle(ax, f"by {groups.name}; 95 % intervals{left_out}; dashed: all cases")
    notes = [f"n = {record['n']:g}" for record in records]
    rows = lay_out(ax, [*names, "all"], notes, span(_ends(records)))
    is_all = [False] * (len(records) - 1) + [True]
    draw_intervals(ax, rows, records, "value", is_all, own_style(ax, style))
    ax.plot([overall["value"]] * 2, [-0.5, len(records) - 1], color=ink(ax), lw=0.9, ls="--", zorder=1)
    return ax


def _ends(records: list[Record]) -> list[float]:
    return [record[end] for record in records for end in ("low", "high", "difference", "value") if end in record]
