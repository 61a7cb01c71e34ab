"""`assay assess`: a file of predictions in, a table of measures with intervals out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import print_json, read_costs, split, styles
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.assessment import Assessment, AssessmentGroups
    from assay.sheet import Sheet


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--truth", required=True, metavar="COL", help="Column of the true labels.")
@click.option("--predicted", required=True, metavar="COL", help="Column of the predicted labels.")
@click.option("--by", metavar="COL", help="Column of groups: one assessment for each.")
@click.option("--weight", metavar="COL", help="Column of case weights; whole numbers repeat a case.")
@click.option("--positive", metavar="LABEL", help="The positive class. Default: the second of two.")
@click.option("--labels", metavar="A,B,...", help="All classes, in the order to show them.")
@click.option("--cost", metavar="fn=5,fp=1", help="Costs of the two kinds of error.")
@click.option("--confidence", default=0.95, show_default=True, metavar="P", help="Level of the intervals.")
@click.option("--measures", metavar="A,B,...", help="Only these. `assay measures` lists all.")
@click.option("--per-class", is_flag=True, help="Precision, recall, F1 and specificity of each class.")
@click.option("--format", "file_format", metavar="FORMAT", help="csv, tsv, parquet, jsonl or arff; else by the ending.")
@styles
def assess(
    files: tuple[str, ...],
    truth: str,
    predicted: str,
    by: str | None,
    weight: str | None,
    positive: str | None,
    labels: str | None,
    cost: str | None,
    confidence: float,
    measures: str | None,
    per_class: bool,
    file_format: str | None,
    style: str | None,
) -> None:
    r"""Assess the predictions in FILE: CSV, TSV, Parquet, JSON lines or ARFF; a glob; or - for standard input.

    Several files are assessed together.

    \b
    assay assess predictions.csv --truth y --predicted p
    assay assess "runs/*.parquet" --truth y --predicted p --by site --json
    """
    from assay.assessment import assess as assess_predictions
    from assay.results import check_confidence

    check_confidence(confidence)
    if per_class and measures is not None:
        raise AssayError("`--per-class` has measures of its own; leave out `--measures`.")
    wanted = split(measures, "--measures")
    result = assess_predictions(
        truth,
        predicted,
        data=_input(files),
        by=by,
        weight=weight,
        labels=split(labels, "--labels"),
        positive=positive,
        costs=read_costs(cost),
        format=file_format,
    )
    _show(result, confidence, wanted, per_class, style)


def _input(files: tuple[str, ...]) -> Any:
    if "-" not in files:
        return files[0] if len(files) == 1 else list(files)
    if len(files) > 1:
        raise AssayError("`FILE` must be files or -, not both: standard input is read alone.")
    if sys.stdin is None:
        raise AssayError("`FILE` must be a file where standard input is closed, not '-'.")
    return sys.stdin.buffer


def _show(
    result: Assessment | AssessmentGroups,
    confidence: float,
    wanted: list[str] | None,
    per_class: bool,
    style: str | None,
) -> None:
    if style == "json":
        print_json(_classes(result, confidence) if per_class else result.to_dict(confidence, wanted))
        return
    if style is None:
        _show_text(result, confidence, wanted, per_class)
        return
    if style == "csv":
        sheet = _class_sheet(result, confidence) if per_class else result.records_sheet(confidence, wanted)
    else:
        sheet = result.per_class(confidence) if per_class else result.sheet(confidence, wanted)
    click.echo(getattr(sheet, style)())
    for finding in _advice(result):
        click.echo(finding, err=True)


def _classes(result: Assessment | AssessmentGroups, confidence: float) -> Any:
    from assay.cli.per_class import per_class_records
    from assay.results import jsonable

    return jsonable(per_class_records(result, confidence))


def _class_sheet(result: Assessment | AssessmentGroups, confidence: float) -> Sheet:
    from assay.cli.per_class import per_class_records
    from assay.sheet import Sheet

    return Sheet.of(per_class_records(result, confidence))


def _show_text(
    result: Assessment | AssessmentGroups, confidence: float, wanted: list[str] | None, per_class: bool
) -> None:
    if per_class:
        click.echo("\n".join([result.per_class(confidence).text(), *_advice(result)]))
    elif sys.stdout.isatty():
        from assay.cli.terminal import show

        show(result, confidence, wanted)
    else:
        click.echo(result.text(confidence, wanted))


def _advice(result: Assessment | AssessmentGroups) -> list[str]:
    from assay.sheet import one_line

    return [one_line(str(finding)) for finding in result.findings]
