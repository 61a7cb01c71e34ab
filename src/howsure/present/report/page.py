"""The HTML page of a result: built from its sections, and written atomically."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from howsure._version import __version__
from howsure.checks import check_flag, check_path
from howsure.errors import HowsureError, one_line
from howsure.output import write_whole
from howsure.present.report.declare import Part, Section, sections_of
from howsure.present.report.direction import isolated
from howsure.present.report.figure import Figure, Live
from howsure.present.value_text import cell, json_text, jsonable, shown_name

ENDINGS = (".html", ".htm")


def check_target(path: str | os.PathLike[str], *, force: bool = False) -> tuple[Path, Path]:
    """Return the paths of page and JSON file; raise an error if they exist."""
    page, force = check_path("path", path), check_flag("force", force)
    if page.suffix.lower() not in ENDINGS:
        raise HowsureError(f"`path` must end in {ENDINGS[0]}, not {os.fspath(path)!r}.")
    numbers = page.with_suffix(".json")
    for target in (page, numbers):
        if target.exists() and not force:
            raise HowsureError(f"{os.fspath(target)!r} already exists; `force` replaces it.")
    return page, numbers


def write_page(result: Any, path: str | os.PathLike[str], *, force: bool = False, model: Any = None) -> Path:
    """Write the page of a result and, next to it, its numbers as JSON."""
    page, numbers = check_target(path, force=force)
    html, values = build(result, numbers.name, model)
    write_whole(numbers, json_text(values, indent=1) + "\n")
    write_whole(page, html)
    return page


def build(result: Any, json_name: str = "page.json", model: Any = None) -> tuple[str, dict[str, Any]]:
    """Return the page as HTML, and all its numbers as plain values."""
    sections = sections_of(result.views() if model is None else {**result.views(), "Model": model})
    title, about = one_line(result.report_title), one_line(result.report_about)
    html = (
        _environment()
        .get_template("page.html")
        .render(title=title, about=about, sections=sections, version=__version__, json_name=json_name)
    )
    values = {"title": title, "about": about, "howsure": __version__}
    return html, dict(jsonable({**values, "sections": [section.to_dict() for section in sections]}))


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    loader = PackageLoader("howsure.present.report", "templates")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def source(name: str) -> str:
        return loader.get_source(environment, name)[0]

    def svg(figure: Figure) -> Markup:
        live = ""
        if figure.live:
            x, y, width, height = figure.live.box
            clip = f"{figure.name}-box"
            live = (
                f'<clipPath id="{clip}"><rect x="{x}" y="{y}" width="{width}" height="{height}"/></clipPath>'
                f'<g class="live"><g class="lines" clip-path="url(#{clip})"></g>'
                f'<g class="marks">{figure.overlay}</g></g>'
            )
        return Markup(f"{figure.svg.removesuffix('</svg>')}{live}</svg>")

    def scripts(sections: Sequence[Section]) -> list[Markup]:
        """Return the scripts that parts of the page need, without duplicates."""
        needed = [part.script for section in sections for part in section.parts if hasattr(part, "script")]
        return list(dict.fromkeys(Markup(_filled(source(name), values)) for name, values in needed))

    environment.filters |= {
        "cell": _cell,
        "figure_groups": figure_groups,
        "isolated": isolated,
        "live": _live,
        "name": shown_name,
        "one_line": one_line,
        "scripts": scripts,
        "percent": lambda value: f"{value:.4g}",
        "short": lambda value: f"{value:.6g}",
        "svg": svg,
        "swatch": lambda index: Markup(
            '<svg class="swatch" viewBox="0 0 28 8" aria-hidden="true"><path class="k{}" d="M0 4H28"/></svg>'
        ).format(index % 6),
        "trusted": Markup,
    }
    environment.globals |= {"style": Markup(source("style.css")), "page_script": Markup(source("page.js"))}
    return environment


def _filled(script: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders of a script with values."""
    for placeholder, value in values.items():
        script = script.replace(placeholder, value)
    return script


def figure_groups(parts: Sequence[Part]) -> Iterator[tuple[bool, Iterator[Part]]]:
    """Group consecutive figures, which are placed side by side."""
    return groupby(parts, lambda part: isinstance(part, Figure))


def _cell(value: Any) -> str:
    return one_line(cell(value))


def _live(live: Live) -> str:
    return json.dumps({"kind": live.kind, "box": live.box, "x": live.x, "y": live.y})
