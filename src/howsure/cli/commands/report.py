"""`howsure report`: an HTML report of predictions or of an experiment."""

from __future__ import annotations

import os
from typing import Any

import click

from howsure.cli.compare_files import compare_files
from howsure.cli.declare import declare_command
from howsure.cli.options import (
    cluster_option,
    cost_option,
    each_predicted_option,
    each_score_option,
    format_option,
    key_option,
    labels_option,
    positive_option,
    prior_option,
    read_costs,
    scores_option,
    split,
    threshold_option,
    truth_of,
    weight_option,
)
from howsure.cli.output import say
from howsure.cli.types import MEASURE, PATH
from howsure.errors import HowsureError


@declare_command(order=25)
@click.command()
@click.argument("source", nargs=-1, required=True, type=PATH, metavar="FILE...|FOLDER")
@click.option("--output", required=True, metavar="PAGE", help="Page to write, PAGE.html; its numbers go to PAGE.json.")
@click.option("--force", is_flag=True, help="Overwrite an existing page.")
@click.option("--truth", metavar="COL", help="Column of the true labels.")
@each_predicted_option
@each_score_option
@scores_option
@key_option
@click.option("--by", metavar="COL", help="Column of groups.")
@cluster_option
@weight_option
@click.option(
    "--measure", type=MEASURE, metavar="NAME", help="Measure for comparisons. Default: accuracy, or auc for scores."
)
@positive_option
@labels_option
@threshold_option
@cost_option
@prior_option
@format_option
def report(source: tuple[str, ...], output: str, force: bool, **options: Any) -> None:
    """Write an HTML report of predictions or of an experiment.

    The predictions are in FILE, and the results of an experiment in FOLDER. Several columns, or one FILE for each
    classifier, are compared. The page needs no network connection and contains no predictions.

    \b
    howsure report predictions.csv --truth y --score p --output page.html
    howsure report file.csv --truth y --score a --score b --output page.html
    howsure report runs/cancer --output page.html
    """  # noqa: D301 (click needs the literal backspace character)
    from howsure.present.report.page import check_target

    check_target(output, force=force)  # checked before any long computation
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
        of_one = {"--scores": scores, "--by": by, "--weight": weight, "--cost": cost, "--prior": prior}
        for option, value in of_one.items():
            if value is not None:
                raise HowsureError(f"`{option}` is for a single classifier; leave it out to compare several.")
        return compare_files(source, column, predicted, score, key, measure=measure, file_format=file_format, **common)
    if measure is not None:
        raise HowsureError("`--measure` is for comparing classifiers, but there is only one.")
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
