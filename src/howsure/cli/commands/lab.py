"""`howsure lab`: how often does an interval hold the truth, and a test find what is not there?"""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.declare import declare_command
from howsure.cli.options import show, styles
from howsure.cli.types import MEASURE
from howsure.errors import HowsureError


@declare_command(order=58)
@click.command()
@click.argument("measure", type=MEASURE)
@click.option("--n", default=100, show_default=True, help="Cases in a sample.")
@click.option("--prevalence", default=0.5, show_default=True, help="Share of the positive class.")
@click.option("--quality", default="good", show_default=True, help="Of the classifier, from chance up; or a number.")
@click.option("--spread", default=1.0, show_default=True, help="Of the positives' scores, against the negatives'.")
@click.option("--slope", default=1.0, show_default=True, help="Of stated log odds; above 1 it is overconfident.")
@click.option("--classes", default=2, show_default=True, help="Number of classes.")
@click.option("--weighted", is_flag=True, help="Give cases random weights.")
@click.option("--clusters", type=int, metavar="N", help="Let the cases come in so many clusters of unequal sizes.")
@click.option("--icc", default=0.0, metavar="R", help="With --clusters: the correlation within them, from 0 up.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Interval method; also all. Repeatable.")
@click.option("--pair", metavar="NAME", help="Test two classifiers: exchangeable, equal (by other errors) or apart.")
@click.option("--correlation", type=float, metavar="R", help="With --pair: how alike their answers are, 0 to 1.")
@click.option("--test", "tests", multiple=True, metavar="NAME", help="With --pair: the test; also all. Repeatable.")
@click.option("--confidence", default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--rounds", default=2000, show_default=True, help="Samples drawn.")
@click.option("--seed", default=0, show_default=True, help="Of the random numbers.")
@styles
def lab(
    measure: str,
    methods: tuple[str, ...],
    pair: str | None,
    correlation: float | None,
    tests: tuple[str, ...],
    style: str | None,
    **options: Any,
) -> None:
    """Measure how often the interval of a MEASURE holds the truth, in samples like yours.

    Samples are drawn from a population whose truth is known. The shares of intervals that lie below and above the
    truth, their median width, and the share of samples with an interval are given beside.

    With --pair, two classifiers are compared by the MEASURE instead, and the share of samples is given in which a test
    finds a difference: where there is none, or, with --pair apart, where there is one.

    \b
    howsure lab balanced_accuracy --n 200 --prevalence 0.02
    howsure lab recall --n 300 --clusters 30 --icc 0.3
    howsure lab f1 --n 200 --prevalence 0.1 --pair equal
    """  # noqa: D301 (click wants the backspace itself)
    from howsure.lab import coverage, rejections

    options["quality"] = _number(options["quality"])
    if pair is None:
        if tests or correlation is not None:
            raise HowsureError("`--test` and `--correlation` go with `--pair`, which tests two classifiers.")
        show(coverage(measure, methods=list(methods) or "auto", **options), style)
        return
    usual = {"spread": 1.0, "slope": 1.0, "classes": 2, "weighted": False, "confidence": 0.95}
    for name, value in usual.items():
        if options.pop(name) != value:
            raise HowsureError(f"`--{name}` is not varied with `--pair`.")
    if methods:
        raise HowsureError("`--method` is for intervals; with `--pair` give `--test`.")
    show(rejections(measure, pair=pair, correlation=correlation or 0.0, tests=list(tests) or "auto", **options), style)


def _number(quality: str) -> str | float:
    """Read a quality that is a number as one."""
    try:
        return float(quality)
    except ValueError:
        return quality
