"""`howsure assess`: a file of predictions in, a table of measures with intervals out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.declare import declare_command
from howsure.cli.evaluation_logs import is_evaluation_log, read_logs
from howsure.cli.option_names import in_this_command
from howsure.cli.options import (
    cluster_option,
    correct_options,
    format_option,
    label_noise_option,
    large_file_options,
    log_options,
    read_costs,
    read_label_noise,
    refuse_options,
    refuse_with_noise,
    show,
    show_noise,
    split,
    styles,
    truth_of,
    truth_option,
)
from howsure.cli.output import print_json, say, say_lines, terminal_width
from howsure.cli.page import check_page, page_options, write_page
from howsure.cli.types import MEASURES, PATH
from howsure.errors import HowsureError
from howsure.present.charts import IMAGES

if TYPE_CHECKING:
    from howsure.assessment import Assessment, AssessmentGroups
    from howsure.assessment.label_noise import LabelNoise
    from howsure.present.result import Result

OF_PREDICTIONS = (
    "truth", "predicted", "score", "scores", "threshold", "by", "weight", "positive", "labels", "cost", "prior",
    "everything", "per_class", "curves", "curve_format", "exact", "judge", "stratum", "label_noise",
)  # fmt: skip
NOT_JUDGED = ("by", "weight", "cost", "prior", "everything", "per_class", "curves", "curve_format", "exact")
HINTS = {  # how to ask for more here
    "all": "--all",
    "per_class": "--per-class",
    "confusion": "--json",
    "curves": "--curves FOLDER",
    "page": "--html PAGE",
}


@declare_command(order=10)
@click.command()
@click.argument("files", nargs=-1, required=True, type=PATH, metavar="FILE...")
@truth_option
@click.option("--predicted", metavar="COL", help="Column of the predicted labels.")
@click.option("--score", metavar="COL", help="Column of scores of the positive class.")
@click.option("--scores", metavar="A,B,...", help="A column of scores for each class, in the order of the labels.")
@click.option("--judge", metavar="COL", help="Column of a judge's labels, where people labelled only some cases.")
@click.option("--stratum", metavar="COL", help="With --judge: column of strata labelled at different rates.")
@correct_options
@log_options
@click.option("--threshold", type=float, metavar="T", help="Score from which on a case is called positive.")
@click.option("--by", metavar="COL", help="Column of groups: one assessment for each.")
@cluster_option
@click.option("--weight", metavar="COL", help="Column of case weights; whole numbers repeat a case.")
@click.option("--positive", metavar="LABEL", help="The positive class. Default: the second of two.")
@click.option("--labels", metavar="A,B,...", help="All classes, in the order to show them.")
@click.option("--cost", metavar="fn=5,fp=1", help="Costs of the two kinds of error.")
@click.option("--prior", type=float, metavar="P", help="Share of positives where the classifier is to be used.")
@click.option("--confidence", default=0.95, show_default=True, metavar="P", help="Level of the intervals.")
@click.option("--measures", type=MEASURES, metavar="A,B,...", help="Only these. `howsure measures` lists all.")
@click.option("--all", "everything", is_flag=True, help="Every measure, and the table expected by chance.")
@click.option("--per-class", is_flag=True, help="Precision, recall, F1 and specificity of each class.")
@click.option("--curves", type=PATH, metavar="FOLDER", help="Write every curve to this folder.")
@click.option(
    "--curve-format", type=click.Choice(["csv", "json", "parquet", *IMAGES]), default="csv", show_default=True
)
@label_noise_option
@page_options
@format_option
@large_file_options
@styles
def assess(
    files: tuple[str, ...],
    truth: tuple[str, ...],
    predicted: str | None,
    score: str | None,
    scores: str | None,
    judge: str | None,
    stratum: str | None,
    correct: str | None,
    case: str | None,
    scorer: str | None,
    metric: str | None,
    filter_name: str | None,
    missing: str | None,
    threshold: float | None,
    by: str | None,
    cluster: str | None,
    weight: str | None,
    positive: str | None,
    labels: str | None,
    cost: str | None,
    prior: float | None,
    confidence: float,
    measures: str | None,
    per_class: bool,
    everything: bool,
    curves: str | None,
    curve_format: str,
    label_noise: str | None,
    html: str | None,
    force: bool,
    file_format: str | None,
    exact: bool | None,
    style: str | None,
) -> None:
    """Assess the predictions in FILE, which may be a glob, or - for standard input; `--format` lists the formats.

    Several files are assessed together.

    \b
    howsure assess predictions.csv --truth y --predicted p
    howsure assess predictions.csv --truth y --score p --cost fn=5,fp=1 --prior 0.02
    howsure assess "runs/*.parquet" --truth y --predicted p --by site --json
    howsure assess lesions.csv --truth y --score p --cluster patient
    howsure assess cases.csv --truth human --predicted model --judge gpt
    howsure assess notes.csv --truth ann --truth bob --truth eve --predicted p
    howsure assess answers.csv --correct right --case question --cluster topic
    howsure assess run.eval --cluster topic
    """  # noqa: D301 (click wants the backspace itself)
    from howsure.assessment import assess as assess_predictions
    from howsure.checks import check_confidence

    check_confidence(confidence)
    check_page(html, force)
    if per_class and measures is not None:
        raise HowsureError("`--per-class` has measures of its own; leave out `--measures`.")
    if everything and (per_class or measures is not None):
        other = "--per-class" if per_class else "--measures"
        raise HowsureError(f"`--all` and `{other}` exclude each other; give one of them.")
    if score is not None and scores is not None:
        raise HowsureError("`--score` and `--scores` exclude each other; give one of them.")
    refuse_with_noise(label_noise, style, {"--per-class": per_class, "--by": by})
    names = split(measures, "--measures")
    log_choice = {"scorer": scorer, "metric": metric, "filter": filter_name, "missing": missing}
    is_log = is_evaluation_log(files, log_choice)
    if is_log or correct is not None:
        refuse_options(OF_PREDICTIONS, "is for predictions beside a truth, and there is none")
        if is_log:
            refuse_options(("correct", "case", "file_format"), "names nothing in a log")
            result: Any = assess_predictions(read_logs(files, log_choice)[0], cluster=cluster)
        else:
            columns = {"correct": correct, "case": case, "cluster": cluster}
            result = assess_predictions(**columns, data=_input(files), format=file_format)
        _show_outcomes(result, confidence, names, style)
        write_page(result, html, force)
        return
    refuse_options(["case"], "goes with `--correct`, not given here")
    if judge is not None:
        refuse_options(NOT_JUDGED, "is not there beside `--judge`")
        result = assess_predictions(
            truth_of(truth, files, file_format),
            predicted,
            judge=judge,
            stratum=stratum,
            scores=score or split(scores, "--scores"),
            threshold=threshold,
            data=_input(files),
            cluster=cluster,
            labels=split(labels, "--labels"),
            positive=positive,
            format=file_format,
        )
        _show_outcomes(result, confidence, names, style)
        write_page(result, html, force)
        return
    refuse_options(["stratum"], "goes with `--judge`, not given here")
    result = assess_predictions(
        truth_of(truth, files, file_format),
        predicted,
        scores=score or split(scores, "--scores"),
        threshold=threshold,
        data=_input(files),
        by=by,
        cluster=cluster,
        weight=weight,
        labels=split(labels, "--labels"),
        positive=positive,
        costs=read_costs(cost, prior),
        format=file_format,
        exact=exact,
    )
    noise = None
    if label_noise is not None:
        from howsure.comparison import label_noise as noise_of

        noise = noise_of(result, read_label_noise(label_noise), confidence=confidence)
    if prior is not None and cost is None:
        if by is not None:
            raise HowsureError("`--prior` and `--by` exclude each other: each group has a share of its own.")
        result = result.at_prevalence(prior)
    if curves is not None:
        _write_curves(result, curves, curve_format)
    _show(result, confidence, names, per_class, everything, style, noise)
    if noise is not None:
        show_noise(noise, style)
    write_page(result, html, force)


def _write_curves(result: Any, folder: str, kind: str) -> None:
    """Write every curve, of each class against the rest where there are more than two."""
    import os

    if not hasattr(result, "curves"):
        raise HowsureError("`--curves` and `--by` exclude each other; assess one group at a time.")
    several = len(result.labels) > 2 and result.positive is None
    for number, label in enumerate(result.labels if several else [None], start=1):
        for name, curve in result.curves(label).items():
            suffix = f"_class{number}" if several else ""
            curve.save(os.path.join(folder, f"{name}{suffix}.{kind}"))


def _input(files: tuple[str, ...]) -> Any:
    if "-" not in files:
        return files[0] if len(files) == 1 else list(files)
    if len(files) > 1:
        raise HowsureError("`FILE` must be files or -, not both: standard input is read alone.")
    if sys.stdin is None:
        raise HowsureError("`FILE` must be a file where standard input is closed, not '-'.")
    return sys.stdin.buffer


def _show_outcomes(result: Any, confidence: float, measures: list[str] | None, style: str | None) -> None:
    if style is None:
        say_lines(result.text_lines(terminal_width(), confidence, measures, wording=in_this_command))
    else:
        show(result, style, confidence=confidence, measures=measures)


def _show(
    result: Assessment | AssessmentGroups,
    confidence: float,
    measures: list[str] | None,
    per_class: bool,
    everything: bool,
    style: str | None,
    noise: LabelNoise | None,
) -> None:
    from howsure.errors import one_line
    from howsure.present.value_text import jsonable
    from howsure.present.words import styled

    table: Result = result.per_class(confidence) if per_class else result.all() if everything else result
    options: dict[str, Any] = {} if per_class else {"confidence": confidence}
    if not per_class and not everything:
        options["measures"] = measures
    advice = [one_line(in_this_command(str(finding))) for finding in result.findings]
    if style == "json":
        more = {} if noise is None else {"label_noise": noise.to_dict()}
        print_json(jsonable(table.records()) if per_class else {**table.to_dict(**options), **more})
    elif style is not None:
        show(table, style, **options)
        for line in advice:
            say(line, err=True)
    elif per_class:
        width = terminal_width()
        say_lines([*table.text_lines(width), *(line for text in advice for line in styled(text, width, "finding"))])
    elif everything:
        say_lines(table.text_lines(terminal_width(), wording=in_this_command, **options))
    else:
        say_lines(result.text_lines(terminal_width(), hints=HINTS, wording=in_this_command, **options))
