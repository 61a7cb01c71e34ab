"""`assay lab`: how often does an interval hold the truth?"""

from __future__ import annotations

from typing import Any

import click

from assay.cli.declare import declare_command
from assay.cli.options import show, styles
from assay.cli.types import MEASURE


@declare_command(order=58)
@click.command()
@click.argument("measure", type=MEASURE)
@click.option("--n", default=100, show_default=True, help="Cases in a sample.")
@click.option("--prevalence", default=0.5, show_default=True, help="Share of the positive class.")
@click.option("--quality", default="good", show_default=True, metavar="NAME", help="Of the classifier, from chance up.")
@click.option("--spread", default=1.0, show_default=True, help="Of the positives' scores, against the negatives'.")
@click.option("--slope", default=1.0, show_default=True, help="Of stated log odds; above 1 it is overconfident.")
@click.option("--classes", default=2, show_default=True, help="Number of classes.")
@click.option("--weighted", is_flag=True, help="Give cases random weights.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Interval method; also all. Repeatable.")
@click.option("--confidence", default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--rounds", default=2000, show_default=True, help="Samples drawn.")
@click.option("--seed", default=0, show_default=True, help="Of the random numbers.")
@styles
def lab(measure: str, methods: tuple[str, ...], style: str | None, **options: Any) -> None:
    """Measure how often the interval of a MEASURE holds the truth, in samples like yours.

    Samples are drawn from a population whose truth is known. The shares of intervals that lie below and above the
    truth, their median width, and the share of samples with an interval are given beside.
    """
    from assay.lab import coverage

    show(coverage(measure, methods=list(methods) or "auto", **options), style)
