"""Tables of estimates, with headline, findings and notes."""

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

SPARE = ("method", "worth", "n")  # columns that a narrow table drops, in this order


def estimate_sheet(
    estimates: Sequence[Estimate],
    confidence: float,
    title: str = "",
    notes: Sequence[str] = (),
    headings: Mapping[int, str] | None = None,
    first: tuple[str, Sequence[str]] | None = None,
) -> Sheet:
    """Return a table of estimates with drawn intervals.

    ``headings`` name the class of the rows below them, which is a column otherwise. ``first`` is the heading and the
    cells of a first column that replaces the names of the measures.
    """
    heading = f"{check_confidence(confidence) * 100:g} % interval"
    name, firsts = first or ("measure", [estimate.title for estimate in estimates])
    has_worth = any(estimate.worth is not None for estimate in estimates)
    records: list[Record] = []
    bars: list[Bar | None] = []
    for cell, estimate in zip(firsts, estimates, strict=True):
        interval = estimate.interval(confidence)
        has_interval = not math.isnan(interval.low)  # the interval can exist without a value, as for 0 / 0
        value, ends = with_interval(estimate.value, *interval)
        of = {} if headings is not None else {"of": estimate.of}
        worth = {"worth": _worth(estimate)} if has_worth else {}
        values = {"value": value, heading: ends if has_interval else "", "n": plain_count(estimate.n), **worth}
        records.append({name: cell, **of, **values, "method": interval.method if has_interval else ""})
        is_drawn = has_interval and not estimate.undefined and _has_picture(estimate)
        bars.append(Bar(estimate.value, *interval) if is_drawn else None)
    pictures = draw(bars, sorted(headings) if headings else [0])
    return replace(Sheet.of(records, title, tuple(notes)), headings=headings or {}, spare=SPARE, pictures=pictures)


def _worth(estimate: Estimate) -> str | int:
    """The equivalent number of independent cases, or of human labels."""
    return "" if estimate.worth is None or math.isnan(estimate.worth) else round(estimate.worth)


def _has_picture(estimate: Estimate) -> bool:
    """Return whether an interval can be drawn on a scale from worst to best."""
    measure = registry.get(estimate.measure)
    return measure is None or (measure.better is not None and all(map(math.isfinite, measure.range)))


def remarks(estimates: Sequence[Estimate], prefix: str = "") -> list[str]:
    """Return the reasons for missing values and intervals, and the notes."""
    missing: dict[str, list[str]] = defaultdict(list)
    for estimate in estimates:
        if estimate.undefined:
            missing[f"n/a, because {estimate.undefined}"].append(estimate.title)
        elif reason := estimate.no_interval():
            missing[reason].append(estimate.title)
    reasons = [f"{reason}: {', '.join(names)}" for reason, names in missing.items()]
    notes = dict.fromkeys(f"{estimate.title}: {note}" for estimate in estimates for note in estimate.notes)
    return [f"{prefix}{line}" for line in (*reasons, *notes)]


Wording = Callable[[str], str]  # replaces argument names in a sentence by command-line options


def opening(headline: Sequence[str], findings: Sequence[Finding], width: int, wording: Wording = str) -> list[Line]:
    """Return the first lines of a text: the headline and the findings."""
    lines = [line for sentence in headline for line in styled(sentence, width, "headline")]
    advice = [line for finding in findings for line in styled(one_line(wording(str(finding))), width, "finding")]
    return [*lines, Line(""), *advice, *([Line("")] if advice else [])]


def opening_html(headline: Sequence[str], findings: Sequence[Finding] = ()) -> str:
    """Return the headline and the findings as HTML."""
    first, *others = (escape(sentence) for sentence in headline)
    advice = "".join(f"<li>{escape(one_line(str(finding)))}</li>" for finding in findings)
    return f"<p>{'<br>'.join([f'<strong>{first}</strong>', *others])}</p>" + (f"<ul>{advice}</ul>" if advice else "")
