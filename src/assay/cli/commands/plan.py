"""`assay plan`: how many cases, splits or data sets a comparison needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from assay.cli.declare import declare_command
from assay.cli.output import print_json, say
from assay.present.terminal import terminal_width


@declare_command(order=40)
@click.group()
def plan() -> None:
    """Plan a comparison: leave out what is to be found, the number of cases, the power or the difference.

    \b
    assay plan mcnemar --difference 0.02 --discordant 0.1 --power 0.8
    assay plan auc --auc 0.85 --difference 0.03 --correlation 0.5 --n 500
    assay plan corrected-t --n 100 --power 0.8 --sd 0.02 --ratio 0.111
    assay plan friedman --classifiers 4 --difference 1.5 --power 0.8
    """  # noqa: D301 (click wants the backspace itself)


def planned(unit: str, *, sided: bool = True) -> Callable[[Callable[[], None]], Callable[..., None]]:
    """Make a command of the function of `assay.plan` with the same name, with the options that all plans have."""
    what = "first - second" if sided else "worst mean rank - best"
    options = [
        click.option("--n", type=int, metavar="N", help=f"Number of {unit}."),
        click.option("--power", type=float, metavar="P", help="Probability that the difference is shown."),
        click.option("--difference", type=float, metavar="D", help=f"True difference: {what}."),
        click.option("--alpha", default=0.05, show_default=True, metavar="P", help="Level of the test."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    ]
    if sided:
        sides = "two-sided, greater (the first is better) or less."
        option = click.option("--alternative", default="two-sided", show_default=True, metavar="NAME", help=sides)
        options.append(option)

    def make(described: Callable[[], None]) -> Callable[..., None]:
        @wraps(described)
        def command(as_json: bool, **arguments: Any) -> None:
            import assay.plan

            sample_plan = getattr(assay.plan, described.__name__)(**arguments)
            if as_json:
                print_json(sample_plan.to_dict())
            else:
                width = terminal_width()
                say(f"{sample_plan.text(width=width)}\n\n{sample_plan.sheet().text(width)}")

        for option in reversed(options):
            command = option(command)
        return command

    return make


@plan.command()
@click.option("--discordant", type=float, required=True, metavar="P", help="Share of cases one only gets wrong.")
@planned("cases")
def mcnemar() -> None:
    """Two classifiers on the same cases, by accuracy."""


@plan.command()
@click.option("--proportion", type=float, required=True, metavar="P", help="Accuracy of the second classifier.")
@planned("cases of each classifier")
def proportions() -> None:
    """Two classifiers on different cases, by accuracy."""


@plan.command()
@click.option("--auc", type=float, required=True, metavar="A", help="AUC of the second classifier.")
@click.option("--correlation", type=float, required=True, metavar="R", help="Of the two scores, within each class.")
@click.option("--positives", default=0.5, show_default=True, metavar="P", help="Share of positive cases.")
@planned("cases, of both classes together")
def auc() -> None:
    """Two classifiers on the same cases, by AUC: DeLong's test."""


@plan.command("corrected-t")
@click.option("--sd", type=float, required=True, metavar="S", help="Standard deviation of differences over splits.")
@click.option("--ratio", type=float, required=True, metavar="R", help="Test cases over training cases.")
@planned("splits")
def corrected_t() -> None:
    """Two classifiers on the same splits of one data set: the corrected paired t test."""


@plan.command()
@click.option("--classifiers", type=int, required=True, metavar="K", help="Number of classifiers, 3 or more.")
@click.option("--w", type=float, metavar="W", help="Kendall's W, in place of the difference of mean ranks.")
@click.option("--pattern", default="pair", show_default=True, metavar="NAME", help="Other mean ranks: pair or even.")
@planned("data sets", sided=False)
def friedman() -> None:
    """Many classifiers on several data sets; the difference is that of the extreme mean ranks."""
