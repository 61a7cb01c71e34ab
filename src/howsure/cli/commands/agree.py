"""`howsure agree`: agreement between raters."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.declare import declare_command
from howsure.cli.option_names import in_this_command
from howsure.cli.options import cluster_option, confidence_option, format_option, show, split, styles
from howsure.cli.output import say_lines, terminal_width
from howsure.cli.page import check_page, page_options, write_page
from howsure.cli.types import PATH


@declare_command(order=25)
@click.command()
@click.argument("files", nargs=-1, required=True, type=PATH, metavar="FILE...")
@click.option("--raters", metavar="A,B,...", help="Columns of the raters. Default: all columns.")
@click.option("--rating", metavar="COL", help="Column of ratings, if there is one rating per row.")
@click.option("--rater", metavar="COL", help="Column of raters, if there is one rating per row.")
@click.option("--item", metavar="COL", help="Column of items.")
@cluster_option
@click.option(
    "--level",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    default="nominal",
    show_default=True,
    help="Scale of the ratings.",
)
@click.option("--weights", metavar="NAME", help="Disagreement weights: linear, quadratic, ordinal or ratio.")
@click.option("--labels", metavar="A,B,...", help="All categories, in order.")
@click.option("--per-pair", is_flag=True, help="Print the agreement of each pair of raters.")
@click.option("--contested", type=int, metavar="N", help="Print the N items with the most disagreement.")
@confidence_option
@page_options
@format_option
@styles
def agree(
    files: tuple[str, ...],
    raters: str | None,
    rating: str | None,
    labels: str | None,
    per_pair: bool,
    contested: int | None,
    confidence: float,
    html: str | None,
    force: bool,
    file_format: str | None,
    style: str | None,
    **options: Any,
) -> None:
    """Measure the agreement between raters beyond chance, with intervals.

    FILE has either a row for each item and a column for each rater, with missing ratings left empty, or a row for each
    rating; then --item, --rater and --rating name the columns, unless these are called item, rater and rating.

    \b
    howsure agree ratings.csv --raters anna,ben,carol
    howsure agree ratings.csv --item doc --rater who --rating label
    howsure agree stars.csv --level ordinal --labels 1,2,3,4,5
    """  # noqa: D301 (click needs the literal backspace character)
    from howsure.raters import agreement

    check_page(html, force)
    data = list(files) if len(files) > 1 else files[0]
    ratings: Any = rating if rating is not None else split(raters, "--raters")
    classes = split(labels, "--labels")
    result = agreement(ratings, data=data, labels=classes, format=file_format, **options)
    if per_pair:
        show(result.per_pair(confidence), style)
    elif contested is not None:
        show(result.contested(contested), style)
    elif style is None:
        say_lines(result.text_lines(terminal_width(), confidence, wording=in_this_command))
    else:
        show(result, style, confidence=confidence)
    write_page(result, html, force)
