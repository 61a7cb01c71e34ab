"""`assay compare` and `assay gate`: is it really better than the other one?"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import format_option, print_json, split, styles
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.comparison import Comparison

CLOSED = 1


@click.command()
@click.argument("source", nargs=-1, required=True, metavar="FILE...|FOLDER")
@click.option("--truth", metavar="COL", help="Column of the true labels.")
@click.option("--predicted", multiple=True, metavar="COL", help="Column of predicted labels; once for each classifier.")
@click.option("--score", multiple=True, metavar="COL", help="Column of scores; once for each classifier.")
@click.option("--key", metavar="COL", help="Column that names the cases, where each file has one classifier.")
@click.option("--measure", metavar="NAME", help="Default: accuracy of labels, auc of scores.")
@click.option("--baseline", metavar="NAME", help="Compare the others with this one only.")
@click.option("--alpha", default=0.05, show_default=True, metavar="P", help="Level at which a difference is shown.")
@click.option("--adjust", default="holm", show_default=True, metavar="NAME", help="Allowance for several pairs.")
@click.option("--dataset", metavar="NAME", help="Of an experiment's folder, one data set only.")
@click.option("--positive", metavar="LABEL", help="The positive class. Default: the second of two.")
@click.option("--labels", metavar="A,B,...", help="All classes, in the order to show them.")
@click.option("--threshold", type=float, metavar="T", help="Score from which on a case is called positive.")
@click.option("--tests", is_flag=True, help="All tests that apply to the leading pair, with what they assume.")
@format_option
@styles
def compare(
    source: tuple[str, ...],
    truth: str | None,
    predicted: tuple[str, ...],
    score: tuple[str, ...],
    key: str | None,
    measure: str | None,
    baseline: str | None,
    alpha: float,
    adjust: str,
    dataset: str | None,
    positive: str | None,
    labels: str | None,
    threshold: float | None,
    tests: bool,
    file_format: str | None,
    style: str | None,
) -> None:
    """Compare classifiers on the same cases: columns of one FILE, a FILE each, or the FOLDER of an experiment.

    \b
    assay compare predictions.csv --truth y --predicted tree --predicted bayes
    assay compare tree.csv bayes.csv --truth y --score p --key case --measure auc
    assay compare runs/cancer --measure auc --baseline tree
    """  # noqa: D301 (click wants the backspace itself)
    options: dict[str, Any] = {"baseline": baseline, "alpha": alpha, "adjust": adjust}
    if len(source) == 1 and os.path.isdir(source[0]):
        found = _of_experiment(source[0], measure, dataset, positive, options)
    else:
        if truth is None:
            raise AssayError("`--truth` must name the column of the true labels.")
        columns = _read(source, truth, predicted, score, key, file_format)
        limits = {"positive": positive, "labels": split(labels, "--labels"), "threshold": threshold}
        found = _of_columns(columns, bool(score), measure, {**options, **limits})
    _show(found, tests, style)


@click.command()
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--baseline", required=True, metavar="OLD", help="Column of the baseline, or its file.")
@click.option("--candidate", required=True, metavar="NEW", help="Column of the candidate, or its file.")
@click.option("--truth", required=True, metavar="COL", help="Column of the true labels.")
@click.option("--predicted", metavar="COL", help="Column of predicted labels, where each has a file.")
@click.option("--score", metavar="COL", help="Column of scores, where each has a file.")
@click.option("--scores", "are_scores", is_flag=True, help="The columns of FILE are scores.")
@click.option("--key", metavar="COL", help="Column that names the cases, where each has a file.")
@click.option("--measure", metavar="NAME", help="Default: accuracy of labels, auc of scores.")
@click.option("--margin", default=0.0, show_default=True, metavar="D", help="Loss that would not matter.")
@click.option("--superior", is_flag=True, help="Ask for a gain, not only for no loss.")
@click.option("--alpha", default=0.05, show_default=True, metavar="P", help="Risk of letting a worse one pass.")
@click.option("--positive", metavar="LABEL", help="The positive class. Default: the second of two.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def gate(
    context: click.Context,
    file: str | None,
    baseline: str,
    candidate: str,
    truth: str,
    predicted: str | None,
    score: str | None,
    are_scores: bool,
    key: str | None,
    measure: str | None,
    margin: float,
    superior: bool,
    alpha: float,
    positive: str | None,
    as_json: bool,
) -> None:
    """Let a candidate pass when it is shown to be no worse than the baseline by more than the margin.

    \b
    assay gate predictions.csv --truth y --baseline old --candidate new --measure accuracy --margin 0.01
    assay gate --baseline old.csv --candidate new.csv --truth y --score p --key case --measure auc --margin 0.01

    \b
    Exit codes: 0 shown, 1 not shown, 2 bad input.
    """  # noqa: D301 (click wants the backspace itself)
    from assay.comparison import gate as decide

    if file is not None:
        if predicted or score or key:
            raise AssayError("`--predicted`, `--score` and `--key` are for a file each; with FILE, name its columns.")
        both = (baseline, candidate)
        chosen: tuple[tuple[str, ...], tuple[str, ...]] = ((), both) if are_scores else (both, ())
        columns = _read((file,), truth, *chosen, None, None)
        soft = are_scores
    else:
        if (predicted is None) == (score is None):
            raise AssayError("`--predicted` or `--score` must name the column of both files, and not both.")
        chosen = ((predicted,) if predicted else (), (score,) if score else ())
        columns = _read((baseline, candidate), truth, *chosen, key, None)
        soft = score is not None
    found = _of_columns(columns, soft, measure, {"alpha": alpha, "positive": positive})
    decided = decide(found, found.names[1], found.names[0], margin=margin, superior=superior)
    if as_json:
        print_json(decided.to_dict())
    else:
        click.echo(f"{decided.verdict}.")
    if not decided.passed:
        context.exit(CLOSED)


def _read(
    files: tuple[str, ...],
    truth: str,
    predicted: tuple[str, ...],
    score: tuple[str, ...],
    key: str | None,
    file_format: str | None,
) -> tuple[Any, dict[str, Any]]:
    from assay.data.read.join import join_files, read_columns

    if bool(predicted) == bool(score):
        raise AssayError("`--predicted` or `--score` must be given, and not both.")
    columns, soft = predicted or score, bool(score)
    if len(files) == 1:
        if len(set(columns)) < 2:
            raise AssayError("at least two different columns must be given to compare, or a file for each classifier.")
        return read_columns(files[0], truth, {name: name for name in columns}, scores=soft, file_format=file_format)
    if len(columns) != 1:
        raise AssayError("with a file for each classifier, one column must be given, which each of them has.")
    names = {_stem(path, files): path for path in files}
    return join_files(names, truth, columns[0], scores=soft, key=key, file_format=file_format)


def _stem(path: str, files: tuple[str, ...]) -> str:
    """Name a classifier by its file, as short as the names stay different."""
    stems = [os.path.splitext(os.path.basename(one))[0] for one in files]
    mine = os.path.splitext(os.path.basename(path))[0]
    return mine if stems.count(mine) == 1 else path


def _of_columns(
    columns: tuple[Any, dict[str, Any]], soft: bool, measure: str | None, options: dict[str, Any]
) -> Comparison:
    from assay.comparison import compare as compare_columns

    truth, named = columns
    given: dict[str, Any] = {"scores": named} if soft else {"predicted": named}
    return compare_columns(truth, **given, measure=measure, **options)


def _of_experiment(
    folder: str, measure: str | None, dataset: str | None, positive: str | None, options: dict[str, Any]
) -> Comparison:
    from assay.experiment import ExperimentResult

    result = ExperimentResult.open(folder)
    given: dict[str, Any] = {} if measure is None else {"measure": measure}
    return result.compare(**given, dataset=dataset, positive=positive, **options)


def _show(found: Comparison, tests: bool, style: str | None) -> None:
    if tests:
        sheet = found.tests()
        click.echo(getattr(sheet, "text" if style in (None, "json") else f"to_{style}")())
    elif style == "json":
        print_json(found.to_dict())
    elif style == "csv":
        from assay.present.sheet import Sheet

        click.echo(Sheet.of(found.records()).to_csv())
    else:
        click.echo(getattr(found.sheet(), f"to_{style}" if style else "text")())
