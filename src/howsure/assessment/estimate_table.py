"""How estimates become a table, and what stands above and below it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from howsure.checks import check_confidence
from howsure.errors import one_line
from howsure.measures import registry
from howsure.present.picture import Bar, draw
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import plain_count, with_interval
from howsure.present.words import Line, styled

if TYPE_CHECKING:
    from howsure.advice import Finding
    from howsure.results import Estimate

SPARE = ("method", "worth", "n")  # what a narrow table does without, the first to go first


def estimate_sheet(
    estimates: Sequence[Estimate],
    confidence: float,
    title: str = "",
    notes: Sequence[str] = (),
    headings: Mapping[int, str] | None = None,
    first: tuple[str, Sequence[str]] | None = None,
) -> Sheet:
    """Give estimates as a table, each interval in one cell and as a picture.

    ``headings`` say what the rows below them are of, which otherwise has a column; ``first`` is the heading and the
    cells of another first column than the name of the measure.
    """
    heading = f"{check_confidence(confidence) * 100:g} % interval"
    name, firsts = first or ("measure", [estimate.title for estimate in estimates])
    counts = any(one.worth is not None for one in estimates)
    records: list[Record] = []
    bars: list[Bar | None] = []
    for cell, estimate in zip(firsts, estimates, strict=True):
        interval = estimate.interval(confidence)
        shown = not math.isnan(interval.low)  # there may be bounds without a value, as of a ratio to nothing
        value, ends = with_interval(estimate.value, *interval)
        of = {} if headings is not None else {"of": estimate.of}
        worth = {"worth": _worth(estimate)} if counts else {}
        values = {"value": value, heading: ends if shown else "", "n": plain_count(estimate.n), **worth}
        records.append({name: cell, **of, **values, "method": interval.method if shown else ""})
        bars.append(
            Bar(estimate.value, *interval) if shown and not estimate.undefined and _has_picture(estimate) else None
        )
    pictures = draw(bars, sorted(headings) if headings else [0])
    return replace(Sheet.of(records, title, tuple(notes)), headings=headings or {}, spare=SPARE, pictures=pictures)


def _worth(estimate: Estimate) -> str | int:
    """How many independent cases, or human labels alone, would tell as much."""
    return "" if estimate.worth is None or math.isnan(estimate.worth) else round(estimate.worth)


def _has_picture(estimate: Estimate) -> bool:
    """Whether a picture helps: what is neither good nor bad, or has no end, would only widen the window of others."""
    measure = registry.get(estimate.measure)
    return measure is None or (measure.better is not None and all(map(math.isfinite, measure.range)))


def remarks(estimates: Sequence[Estimate], whose: str = "") -> list[str]:
    """Say why values or intervals are missing, and what else there is to know of them.

    ``whose`` names the group they are of.
    """
    missing: dict[str, list[str]] = defaultdict(list)
    for estimate in estimates:
        if estimate.undefined:
            missing[f"n/a, because {estimate.undefined}"].append(estimate.title)
        elif reason := estimate.no_interval():
            missing[reason].append(estimate.title)
    reasons = [f"{reason}: {', '.join(names)}" for reason, names in missing.items()]
    notes = dict.fromkeys(f"{estimate.title}: {note}" for estimate in estimates for note in estimate.notes)
    return [f"{whose}{line}" for line in (*reasons, *notes)]


Wording = Callable[[str], str]  # of sentences that name arguments, for those who know them as options of a command


def opening(headline: Sequence[str], findings: Sequence[Finding], width: int, wording: Wording = str) -> list[Line]:
    """Give what a text starts with: the headline, and below it the findings."""
    lines = [line for sentence in headline for line in styled(sentence, width, "headline")]
    advice = [line for finding in findings for line in styled(one_line(wording(str(finding))), width, "finding")]
    return [*lines, Line(""), *advice, *([Line("")] if advice else [])]


def opening_html(headline: Sequence[str], findings: Sequence[Finding] = ()) -> str:
    """Give the same for a notebook."""
    first, *rest = (escape(sentence) for sentence in headline)
    advice = "".join(f"<li>{escape(one_line(str(finding)))}</li>" for finding in findings)
    return f"<p>{'<br>'.join([f'<strong>{first}</strong>', *rest])}</p>" + (f"<ul>{advice}</ul>" if advice else "")
