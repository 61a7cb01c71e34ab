"""`assay assess`: a file of predictions in, a table of measures with intervals out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import print_json, read_costs, styles

if TYPE_CHECKING:
    from assay.assessment import Assessment, AssessmentGroups


@click.command()
@click.argument("file")
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
    file: str,
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

    \b
    assay assess predictions.csv --truth y --predicted p
    assay assess "runs/*.parquet" --truth y --predicted p --by site --json
    """
    from assay.assessment import assess as assess_predictions
    from assay.results import check_confidence

    check_confidence(confidence)
    wanted = None if measures is None else split(measures)
    result = assess_predictions(
        truth,
        predicted,
        data=sys.stdin.buffer if file == "-" else file,
        by=by,
        weight=weight,
        labels=None if labels is None else split(labels),
        positive=positive,
        costs=read_costs(cost),
        format=file_format,
    )
    _show(result, confidence, wanted, per_class, style)


def _show(
    result: Assessment | AssessmentGroups,
    confidence: float,
    wanted: list[str] | None,
    per_class: bool,
    style: str | None,
) -> None:
    if style == "json":
        print_json(result.to_dict(confidence, wanted))
        return
    if style == "csv":
        click.echo((result.per_class(confidence) if per_class else result.records_sheet(confidence, wanted)).csv())
    elif style is None:
        _show_text(result, confidence, wanted, per_class)
        return
    else:
        sheet = result.per_class(confidence) if per_class else result.sheet(confidence, wanted)
        click.echo(getattr(sheet, style)())
    for finding in result.findings:
        click.echo(str(finding), err=True)


def _show_text(result: Any, confidence: float, wanted: list[str] | None, per_class: bool) -> None:
    if per_class:
        click.echo("\n".join([result.per_class(confidence).text(), *map(str, result.findings)]))
    elif sys.stdout.isatty():
        from assay.cli.terminal import show

        show(result, confidence, wanted)
    else:
        click.echo(result.text(confidence, wanted))


def split(text: str) -> list[str]:
    """Split at the commas that are not inside brackets, so that f_beta(beta=2) stays whole."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]
