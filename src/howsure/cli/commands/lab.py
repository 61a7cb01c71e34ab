"""`howsure lab`: simulated coverage of intervals, and error rates of tests."""

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
@click.option("--n", default=100, show_default=True, help="Cases per sample.")
@click.option("--prevalence", default=0.5, show_default=True, help="Prevalence of the positive class.")
@click.option("--quality", default="good", show_default=True, help="chance, poor, fair, good, near-perfect, or an AUC.")
@click.option(
    "--spread",
    default=1.0,
    show_default=True,
    help="Relative spread of the positives' scores.",
)
@click.option("--slope", default=1.0, show_default=True, help="Slope of the log odds; above 1 means overconfident.")
@click.option("--classes", default=2, show_default=True, help="Number of classes.")
@click.option("--weighted", is_flag=True, help="Give cases random weights.")
@click.option("--clusters", type=int, metavar="N", help="Number of clusters, of unequal sizes.")
@click.option("--icc", default=0.0, metavar="R", help="With --clusters: intraclass correlation.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Interval method, or all; may be repeated.")
@click.option("--pair", metavar="NAME", help="Compare two classifiers: exchangeable, equal or apart.")
@click.option("--correlation", type=float, metavar="R", help="With --pair: correlation of their answers, from 0 to 1.")
@click.option("--test", "tests", multiple=True, metavar="NAME", help="With --pair: test, or all; may be repeated.")
@click.option("--confidence", default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--rounds", default=2000, show_default=True, help="Number of samples.")
@click.option("--seed", default=0, show_default=True, help="Seed of the random numbers.")
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
    """Simulate the coverage of intervals, or the error rates of tests.

    Samples like yours are drawn from a known population, and the intervals for MEASURE that contain the true value are
    counted. The output also shows the proportions of intervals below and above the true value, the median width, and
    the proportion of samples with an interval.

    With --pair, two classifiers are compared by MEASURE, and the output is the proportion of samples in which the test
    is significant: its type I error rate, or its power with --pair apart.

    \b
    howsure lab balanced_accuracy --n 200 --prevalence 0.02
    howsure lab recall --n 300 --clusters 30 --icc 0.3
    howsure lab f1 --n 200 --prevalence 0.1 --pair equal
    """  # noqa: D301 (click needs the literal backspace character)
    from howsure.lab import coverage, rejections

    options["quality"] = _number(options["quality"])
    if pair is None:
        if tests or correlation is not None:
            raise HowsureError("`--test` and `--correlation` need `--pair`.")
        show(coverage(measure, methods=list(methods) or "auto", **options), style)
        return
    usual = {"spread": 1.0, "slope": 1.0, "classes": 2, "weighted": False, "confidence": 0.95}
    for name, value in usual.items():
        if options.pop(name) != value:
            raise HowsureError(f"`--{name}` cannot be used with `--pair`.")
    if methods:
        raise HowsureError("`--method` is for intervals; with `--pair` use `--test`.")
    show(rejections(measure, pair=pair, correlation=correlation or 0.0, tests=list(tests) or "auto", **options), style)


def _number(quality: str) -> str | float:
    """Convert the quality to a number if possible."""
    try:
        return float(quality)
    except ValueError:
        return quality
