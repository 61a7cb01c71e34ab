"""`howsure assess`: measures of predictions, with intervals."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.declare import declare_command
from howsure.cli.evaluation_logs import is_evaluation_log, read_logs
from howsure.cli.option_names import in_this_command
from howsure.cli.options import (
    cluster_option,
    confidence_option,
    correct_options,
    cost_option,
    format_option,
    label_noise_option,
    labels_option,
    large_file_options,
    log_options,
    positive_option,
    prior_option,
    read_costs,
    read_label_noise,
    refuse_options,
    refuse_with_noise,
    scores_option,
    show,
    show_noise,
    split,
    styles,
    threshold_option,
    truth_of,
    truth_option,
    weight_option,
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
HINTS = {  # options that print or save additional results
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
@scores_option
@click.option("--judge", metavar="COL", help="Column of a judge's labels, if only some cases have a true label.")
@click.option("--stratum", metavar="COL", help="With --judge: column of strata with different labelling rates.")
@correct_options
@log_options
@threshold_option
@click.option("--by", metavar="COL", help="Column of groups, which are assessed separately.")
@cluster_option
@weight_option
@positive_option
@labels_option
@cost_option
@prior_option
@confidence_option
@click.option("--measures", type=MEASURES, metavar="A,B,...", help="Measures to print; see `howsure measures`.")
@click.option("--all", "everything", is_flag=True, help="Print all measures, and the counts expected by chance.")
@click.option("--per-class", is_flag=True, help="Print precision, recall, F1 and specificity of each class.")
@click.option("--curves", type=PATH, metavar="FOLDER", help="Save all curves to this folder.")
@click.option(
    "--curve-format",
    type=click.Choice(["csv", "json", "parquet", *IMAGES]),
    default="csv",
    show_default=True,
    help="File format of the curves.",
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
    """Assess predictions: measures of quality, with intervals.

    FILE may be a glob pattern, or - for standard input. Several files are assessed together.

    \b
    howsure assess predictions.csv --truth y --predicted p
    howsure assess predictions.csv --truth y --score p --cost fn=5,fp=1
    howsure assess "runs/*.parquet" --truth y --predicted p --by site --json
    howsure assess lesions.csv --truth y --score p --cluster patient
    howsure assess cases.csv --truth human --predicted model --judge gpt
    howsure assess notes.csv --truth ann --truth bob --truth eve --predicted p
    howsure assess answers.csv --correct right --case question --cluster topic
    howsure assess run.eval --cluster topic
    """  # noqa: D301 (click needs the literal backspace character)
    from howsure.assessment import assess as assess_predictions
    from howsure.checks import check_confidence

    check_confidence(confidence)
    check_page(html, force)
    if per_class and measures is not None:
        raise HowsureError("`--per-class` and `--measures` cannot be used together.")
    if everything and (per_class or measures is not None):
        other = "--per-class" if per_class else "--measures"
        raise HowsureError(f"`--all` and `{other}` cannot be used together.")
    if score is not None and scores is not None:
        raise HowsureError("`--score` and `--scores` cannot be used together.")
    refuse_with_noise(label_noise, style, {"--per-class": per_class, "--by": by})
    names = split(measures, "--measures")
    log_choice = {"scorer": scorer, "metric": metric, "filter": filter_name, "missing": missing}
    is_log = is_evaluation_log(files, log_choice)
    if is_log or correct is not None:
        refuse_options(OF_PREDICTIONS, "needs predictions with true labels")
        if is_log:
            refuse_options(("correct", "case", "file_format"), "does not apply to a log")
            result: Any = assess_predictions(read_logs(files, log_choice)[0], cluster=cluster)
        else:
            columns = {"correct": correct, "case": case, "cluster": cluster}
            result = assess_predictions(**columns, data=_input(files), format=file_format)
        _show_outcomes(result, confidence, names, style)
        write_page(result, html, force)
        return
    refuse_options(["case"], "needs `--correct`")
    if judge is not None:
        refuse_options(NOT_JUDGED, "cannot be used with `--judge`")
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
    refuse_options(["stratum"], "needs `--judge`")
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
            raise HowsureError("`--prior` and `--by` cannot be used together, since each group has its own prevalence.")
        result = result.at_prevalence(prior)
    if curves is not None:
        _write_curves(result, curves, curve_format)
    _show(result, confidence, names, per_class, everything, style, noise)
    if noise is not None:
        show_noise(noise, style)
    write_page(result, html, force)


def _write_curves(result: Any, folder: str, kind: str) -> None:
    """Save all curves; for several classes, those of each against the rest."""
    import os

    if not hasattr(result, "curves"):
        raise HowsureError("`--curves` and `--by` cannot be used together; assess one group at a time.")
    several = len(result.labels) > 2 and result.positive is None
    for number, label in enumerate(result.labels if several else [None], start=1):
        for name, curve in result.curves(label).items():
            suffix = f"_class{number}" if several else ""
            curve.save(os.path.join(folder, f"{name}{suffix}.{kind}"))


def _input(files: tuple[str, ...]) -> Any:
    if "-" not in files:
        return files[0] if len(files) == 1 else list(files)
    if len(files) > 1:
        raise HowsureError("`FILE` must be either files or - for standard input, not both.")
    if sys.stdin is None:
        raise HowsureError("`FILE` must not be '-', since standard input is closed.")
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
