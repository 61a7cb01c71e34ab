"""`howsure plan`: sample sizes and power of comparisons and assessments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from howsure.cli.declare import declare_command
from howsure.cli.output import print_json, say, terminal_width

Option = Callable[[Any], Any]
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
ALPHA = click.option("--alpha", default=0.05, show_default=True, metavar="P", help="Significance level.")
POWER = click.option("--power", type=float, metavar="P", help="Power of the test.")
DISCORDANT = click.option(
    "--discordant",
    type=float,
    required=True,
    metavar="P",
    help="Proportion of cases that exactly one classifier gets wrong.",
)
IN_CLUSTERS = [
    click.option("--icc", type=float, metavar="R", help="Intraclass correlation of clustered cases."),
    click.option("--cluster-size", type=float, metavar="M", help="Mean number of cases per cluster."),
    click.option("--size-variation", default=0.0, metavar="V", help="Coefficient of variation of the cluster sizes."),
]


@declare_command(order=40)
@click.group()
def plan() -> None:
    """Compute the sample size or the power of a comparison.

    Leave out the quantity to compute: the number of cases, the power, the difference, the margin or the half-width.

    \b
    howsure plan mcnemar --difference 0.02 --discordant 0.1 --power 0.8
    howsure plan mcnemar --difference 0.02 --discordant 0.1 --power 0.8 \\
        --icc 0.1 --cluster-size 20
    howsure plan non-inferiority --margin 0.02 --discordant 0.1 --power 0.8
    howsure plan half-width --proportion 0.9 --half-width 0.03
    howsure plan auc --auc 0.85 --difference 0.03 --correlation 0.5 --n 500
    howsure plan auc-half-width --auc 0.8 --half-width 0.05 --prevalence 0.1
    howsure plan repeats --case-variance 0.1 --repeat-variance 0.1 \\
        --budget 1000 --cost-per-case 5
    howsure plan labels --rate 0.3 --half-width 0.05 --judged 5000 \\
        --sensitivity 0.9 --specificity 0.9
    howsure plan corrected-t --n 100 --power 0.8 --sd 0.02 --ratio 0.111
    howsure plan friedman --classifiers 4 --difference 1.5 --power 0.8
    """  # noqa: D301 (click needs the literal backspace character)


def shown(options: list[Option]) -> Callable[[Callable[[], None]], Callable[..., None]]:
    """Create a command with these options for a function of `howsure.plan`."""

    def make(described: Callable[[], None]) -> Callable[..., None]:
        @wraps(described)
        def command(as_json: bool, **arguments: Any) -> None:
            import howsure.plan

            result = getattr(howsure.plan, described.__name__)(**arguments)
            if as_json:
                print_json(result.to_dict())
            else:
                width = terminal_width()
                say(f"{result.text(width=width)}\n\n{result.sheet().text(width)}")

        for option in reversed([*options, JSON]):
            command = option(command)
        return command

    return make


def planned(
    unit: str, *, sided: bool = True, clusters: bool = False
) -> Callable[[Callable[[], None]], Callable[..., None]]:
    """Create a command with the options for tests."""
    formula = "first - second" if sided else "worst mean rank - best"
    options: list[Option] = [
        click.option("--n", type=int, metavar="N", help=f"Number of {unit}."),
        POWER,
        click.option("--difference", type=float, metavar="D", help=f"True difference: {formula}."),
        ALPHA,
    ]
    if sided:
        sides = "two-sided, greater (the first is better), or less."
        option = click.option("--alternative", default="two-sided", show_default=True, metavar="NAME", help=sides)
        options.append(option)
    return shown([*options, *(IN_CLUSTERS if clusters else [])])


def wide(default: float | None, of: str) -> Callable[[Callable[[], None]], Callable[..., None]]:
    """Create a command with the options for intervals."""
    return shown(
        [
            click.option("--half-width", type=float, metavar="H", help="Half-width of the interval."),
            click.option("--n", type=int, metavar="N", help="Number of cases."),
            click.option(
                "--prevalence", type=float, default=default, show_default=default is not None, metavar="P", help=of
            ),
            click.option("--confidence", default=0.95, show_default=True, metavar="P", help="Level of the interval."),
            *IN_CLUSTERS,
        ]
    )


@plan.command()
@DISCORDANT
@planned("cases", clusters=True)
def mcnemar() -> None:
    """Accuracy of two classifiers on the same cases."""


@plan.command()
@click.option("--proportion", type=float, required=True, metavar="P", help="Accuracy of the second classifier.")
@planned("cases for each classifier", clusters=True)
def proportions() -> None:
    """Accuracy of two classifiers on different cases."""


@plan.command()
@click.option("--auc", type=float, required=True, metavar="A", help="AUC of the second classifier.")
@click.option("--correlation", type=float, required=True, metavar="R", help="Correlation of the scores in each class.")
@click.option("--positives", default=0.5, show_default=True, metavar="P", help="Proportion of positive cases.")
@planned("cases in both classes together", clusters=True)
def auc() -> None:
    """AUC of two classifiers on the same cases (DeLong's test)."""


@plan.command("non-inferiority")
@click.option("--n", type=int, metavar="N", help="Number of cases.")
@POWER
@click.option("--margin", type=float, metavar="D", help="Acceptable loss.")
@DISCORDANT
@click.option("--difference", default=0.0, show_default=True, metavar="D", help="True gain: candidate - baseline.")
@ALPHA
@shown(IN_CLUSTERS)
def non_inferiority() -> None:
    """Non-inferiority in accuracy, as `howsure gate` tests it."""


@plan.command("half-width")
@click.option("--proportion", type=float, required=True, metavar="P", help="True value, such as an accuracy or recall.")
@wide(None, "Proportion of cases in the denominator, such as positives for recall.")
def half_width() -> None:
    """Interval for a proportion."""


@plan.command("auc-half-width")
@click.option("--auc", type=float, required=True, metavar="A", help="The true AUC.")
@wide(0.5, "Proportion of positive cases.")
def auc_half_width() -> None:
    """Interval for an AUC."""


@plan.command()
@click.option("--case-variance", type=float, required=True, metavar="V", help="Variance between cases.")
@click.option("--repeat-variance", type=float, required=True, metavar="V", help="Variance between repeats of a case.")
@click.option("--budget", type=float, required=True, metavar="B", help="Total budget.")
@click.option("--cost-per-case", default=0.0, show_default=True, metavar="C", help="Cost of a case.")
@click.option("--cost-per-sample", default=1.0, show_default=True, metavar="C", help="Cost of a sample.")
@click.option("--most-cases", type=int, metavar="N", help="Number of available cases.")
@click.option("--confidence", default=0.95, show_default=True, metavar="P", help="Level of the interval.")
@shown([])
def repeats() -> None:
    """More cases or more samples per case, within a budget."""


@plan.command()
@click.option("--rate", type=float, required=True, metavar="P", help="True rate of the positive class.")
@click.option("--half-width", type=float, metavar="H", help="Half-width of the interval.")
@click.option("--n", type=int, metavar="N", help="Number of human labels.")
@click.option("--judged", type=int, required=True, metavar="N", help="Number of cases that the judge labels.")
@click.option("--sensitivity", type=float, required=True, metavar="P", help="Sensitivity of the judge.")
@click.option("--specificity", type=float, required=True, metavar="P", help="Specificity of the judge.")
@click.option("--confidence", default=0.95, show_default=True, metavar="P", help="Level of the interval.")
@shown([])
def labels() -> None:
    """Rate estimated from human labels and a judge's labels."""


@plan.command("corrected-t")
@click.option("--sd", type=float, required=True, metavar="S", help="Standard deviation of the differences over splits.")
@click.option("--ratio", type=float, required=True, metavar="R", help="Ratio of test cases to training cases.")
@planned("splits")
def corrected_t() -> None:
    """Corrected t test of two classifiers on the same splits."""


@plan.command()
@click.option("--classifiers", type=int, required=True, metavar="K", help="Number of classifiers, at least 3.")
@click.option("--w", type=float, metavar="W", help="Kendall's W, instead of --difference.")
@click.option(
    "--pattern",
    default="pair",
    show_default=True,
    metavar="NAME",
    help="Pattern of the other mean ranks: pair or even.",
)
@planned("data sets", sided=False)
def friedman() -> None:
    """Friedman test of classifiers on several data sets."""
