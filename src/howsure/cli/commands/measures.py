"""`howsure measures`: the list of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from howsure.cli.declare import declare_command
from howsure.cli.options import show, styles
from howsure.cli.output import print_json, say, terminal_width
from howsure.cli.types import MEASURE
from howsure.present.words import wrapped

if TYPE_CHECKING:
    from howsure.measures import Measure
    from howsure.measures.outcomes import OutcomeMeasure
    from howsure.raters.coefficients import Coefficient


OF = {
    "class": "labels, one class",
    "overall": "labels, all classes",
    "score": "scores, one class",
    "rows": "scores, all classes",
}


@declare_command(order=60)
@click.command()
@click.argument("names", type=MEASURE, nargs=-1)
@styles
def measures(names: tuple[str, ...], style: str | None) -> None:
    """List measures with their formulas, ranges and aliases."""
    from howsure.measures import registry
    from howsure.measures.outcomes import registry as outcomes
    from howsure.present.value_text import jsonable
    from howsure.raters.coefficients import registry as coefficients

    chosen = [registry[name] for name in names] if names else list(registry.values())
    answers = [] if names else list(outcomes.values())
    of_raters = [] if names else list(coefficients.values())
    records = [*map(record, chosen), *map(outcome_record, answers), *map(coefficient_record, of_raters)]
    if style == "json":
        print_json(jsonable(records))
    elif style is None:
        others = (*map(_outcome_paragraph, answers), *map(_coefficient_paragraph, of_raters))
        paragraphs = [*map(_paragraph, chosen), *others]
        say(wrapped("\n\n".join(paragraphs), terminal_width()))
    else:
        from howsure.present.sheet import Sheet

        rows = [{key: _as_text(value) for key, value in row.items()} for row in records]
        show(Sheet.of(rows), style)


def record(measure: Measure) -> dict[str, Any]:
    """Return the declaration of a measure as plain values."""
    return {
        "name": measure.name,
        "title": measure.title,
        "of": OF[measure.scope],
        "formula": measure.formula,
        "range": list(measure.range),
        "best": measure.best,
        "better": measure.better or "",
        "parameters": list(measure.parameters),
        "interval": measure.default_interval,
        "undefined when": measure.undefined_when,
        "group": measure.group,
        "follows from": [source.name for source in measure.follows_from],
        "aliases": list(measure.aliases),
        "summary": measure.summary,
    }


def outcome_record(measure: OutcomeMeasure) -> dict[str, Any]:
    """Return the declaration of an outcome measure in the form of `record`."""
    return {
        "name": measure.name,
        "title": measure.title,
        "of": "answers, without true labels",
        "formula": measure.formula,
        "range": list(measure.range),
        "best": 1.0,
        "better": measure.better,
        "parameters": ["k"] if measure.takes_k else [],
        "interval": "modified-wilson",
        "undefined when": "a case has fewer than k answers" if measure.takes_k else "",
        "group": "outcomes",
        "follows from": [],
        "aliases": [],
        "summary": measure.summary,
    }


def coefficient_record(coefficient: Coefficient) -> dict[str, Any]:
    """Return the declaration of a coefficient in the form of `record`."""
    return {
        "name": coefficient.name,
        "title": coefficient.title,
        "of": "ratings of items",
        "formula": coefficient.formula,
        "range": list(coefficient.range),
        "best": 1.0,
        "better": coefficient.better,
        "parameters": [],
        "interval": "modified-wilson" if coefficient.is_share else "mover",
        "undefined when": coefficient.undefined_when,
        "group": "agreement",
        "follows from": [],
        "aliases": list(coefficient.aliases),
        "summary": coefficient.summary,
    }


def _coefficient_paragraph(coefficient: Coefficient) -> str:
    low, high = coefficient.range
    title = f"{coefficient.name}: {coefficient.title}, for ratings (`howsure agree`), [{low:g}, {high:g}]"
    return "\n".join([f"{title}, higher is better", f"    = {coefficient.formula}", f"    {coefficient.summary}"])


def _outcome_paragraph(measure: OutcomeMeasure) -> str:
    needs = ", needs k" if measure.takes_k else ""
    lines = [f"{measure.name}: {measure.title}, for answers without true labels, [0, 1], higher is better{needs}"]
    return "\n".join([*lines, f"    = {measure.formula}", f"    {measure.summary}"])


def span(measure: Measure) -> str:
    low, high = (f"{end:g}" for end in measure.range)
    return f"{'(' if low == '-inf' else '['}{low}, {high}{')' if high == 'inf' else ']'}"


def _as_text(value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(f"{item:g}" if isinstance(item, float | int) else str(item) for item in value)
    return f"{value:g}" if isinstance(value, float | int) else value


def _paragraph(measure: Measure) -> str:
    better = f", {measure.better} is better" if measure.better else ""
    needs = f", needs {', '.join(measure.parameters)}" if measure.parameters else ""
    lines = [f"{measure.name}: {measure.title}, {span(measure)}{better}{needs}", f"    = {measure.formula}"]
    if measure.aliases:
        lines.append(f"    also: {', '.join(measure.aliases)}")
    lines += [f"    {measure.summary}", f"    Interval: {measure.default_interval}."]
    if measure.follows_from:
        lines.append(f"    Shown on request, since it follows from {', '.join(m.name for m in measure.follows_from)}.")
    if measure.undefined_when:
        lines.append(f"    Undefined when {measure.undefined_when}.")
    return "\n".join(lines)
