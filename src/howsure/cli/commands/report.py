"""`howsure report`: predictions, or an experiment, as one page with a threshold explorer."""

from __future__ import annotations

import os
from typing import Any

import click

from howsure.cli.compare_files import compare_files
from howsure.cli.declare import declare_command
from howsure.cli.options import cluster_option, format_option, read_costs, split, truth_of
from howsure.cli.output import say
from howsure.cli.types import MEASURE, PATH
from howsure.errors import HowsureError


@declare_command(order=25)
@click.command()
@click.argument("source", nargs=-1, required=True, type=PATH, metavar="FILE...|FOLDER")
@click.option("--output", required=True, metavar="PAGE", help="The page to write, PAGE.html; PAGE.json is beside it.")
@click.option("--force", is_flag=True, help="Replace a page that is there already.")
@click.option("--truth", metavar="COL", help="Column of the true labels.")
@click.option("--predicted", multiple=True, metavar="COL", help="Column of predicted labels; once for each classifier.")
@click.option("--score", multiple=True, metavar="COL", help="Column of scores; once for each classifier.")
@click.option("--scores", metavar="A,B,...", help="A column of scores for each class, in the order of the labels.")
@click.option("--key", metavar="COL", help="Column that names the cases, where each file has one classifier.")
@click.option("--by", metavar="COL", help="Column of groups.")
@cluster_option
@click.option("--weight", metavar="COL", help="Column of case weights; whole numbers repeat a case.")
@click.option(
    "--measure", type=MEASURE, metavar="NAME", help="To compare by. Default: accuracy of labels, auc of scores."
)
@click.option("--positive", metavar="LABEL", help="The positive class. Default: the second of two.")
@click.option("--labels", metavar="A,B,...", help="All classes, in the order to show them.")
@click.option("--threshold", type=float, metavar="T", help="Score from which on a case is called positive.")
@click.option("--cost", metavar="fn=5,fp=1", help="Costs of the two kinds of error.")
@click.option("--prior", type=float, metavar="P", help="Share of positives where the classifier is to be used.")
@format_option
def report(source: tuple[str, ...], output: str, force: bool, **options: Any) -> None:
    """Write a page about the predictions in FILE, about several classifiers, or about the experiment in FOLDER.

    Several columns, or a FILE for each classifier, are compared. The page needs no network and holds no predictions.

    \b
    howsure report predictions.csv --truth y --score p --output page.html
    howsure report file.csv --truth y --score tree --score bayes --output page.html
    howsure report runs/cancer --output page.html
    """  # noqa: D301 (click wants the backspace itself)
    from howsure.present.report.page import check_target

    check_target(output, force=force)  # before anything long
    result = _result(source, **options)
    say(str(result.report(output, force=force)))


def _result(
    source: tuple[str, ...],
    truth: str | None,
    predicted: tuple[str, ...],
    score: tuple[str, ...],
    scores: str | None,
    key: str | None,
    by: str | None,
    cluster: str | None,
    weight: str | None,
    measure: str | None,
    positive: str | None,
    labels: str | None,
    threshold: float | None,
    cost: str | None,
    prior: float | None,
    file_format: str | None,
) -> Any:
    if len(source) == 1 and os.path.isdir(source[0]):
        from howsure.experiment import ExperimentResult

        return ExperimentResult.open(source[0])
    column = truth_of(() if truth is None else (truth,), source, file_format)
    common: dict[str, Any] = {"positive": positive, "labels": split(labels, "--labels"), "threshold": threshold}
    common["cluster"] = cluster
    if len(predicted) > 1 or len(score) > 1 or key is not None:
        given = {"--scores": scores, "--by": by, "--weight": weight, "--cost": cost, "--prior": prior}
        for option, value in given.items():
            if value is not None:
                raise HowsureError(f"`{option}` is for one classifier; leave it out to compare several.")
        return compare_files(source, column, predicted, score, key, measure=measure, file_format=file_format, **common)
    if measure is not None:
        raise HowsureError("`--measure` is what classifiers are compared by, and there is only one.")
    from howsure.assessment import assess

    assessment: Any = assess(
        column,
        *predicted,
        scores=next(iter(score), None) or split(scores, "--scores"),
        data=source[0] if len(source) == 1 else list(source),
        by=by,
        weight=weight,
        costs=read_costs(cost, prior),
        format=file_format,
        **common,
    )
    return assessment.at_prevalence(prior) if prior is not None and cost is None else assessment
