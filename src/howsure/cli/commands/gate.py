"""`howsure gate`: may the candidate take the place of the baseline?"""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.compare_files import read_files
from howsure.cli.declare import declare_command
from howsure.cli.options import cluster_option, format_option, split
from howsure.cli.output import print_json, say, say_lines, terminal_width
from howsure.cli.types import MEASURE, PATH
from howsure.errors import HowsureError

CLOSED = 1


@declare_command(order=30)
@click.command()
@click.argument("file", required=False, type=PATH, metavar="[FILE]")
@click.option("--baseline", required=True, metavar="OLD", help="Column of the baseline, or its file.")
@click.option("--candidate", required=True, metavar="NEW", help="Column of the candidate, or its file.")
@click.option("--truth", required=True, metavar="COL", help="Column of the true labels.")
@click.option("--predicted", metavar="COL", help="Column of predicted labels, where each has a file.")
@click.option("--score", metavar="COL", help="Column of scores, where each has a file.")
@click.option("--as-scores", "--scores", "are_scores", is_flag=True, help="The columns of FILE are scores.")
@click.option("--key", metavar="COL", help="Column that names the cases, where each has a file.")
@click.option(
    "--measure",
    "measures",
    type=MEASURE,
    multiple=True,
    metavar="NAME",
    help="May be repeated. Default: accuracy, auc of scores.",
)
@cluster_option
@click.option("--by", metavar="COL", help="Column of groups, each of which must pass.")
@click.option("--margin", default=0.0, show_default=True, metavar="D", help="Loss that would not matter.")
@click.option("--superior", is_flag=True, help="Ask for a gain, not only for no loss.")
@click.option("--alpha", default=0.05, show_default=True, metavar="P", help="Risk of letting a worse one pass.")
@click.option("--positive", metavar="LABEL", help="The positive class. Default: the second of two.")
@click.option("--labels", metavar="A,B,...", help="All classes, in the order to show them.")
@format_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown, as for the summary of a pull request.")
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
    measures: tuple[str, ...],
    cluster: str | None,
    by: str | None,
    margin: float,
    superior: bool,
    alpha: float,
    positive: str | None,
    labels: str | None,
    file_format: str | None,
    as_json: bool,
    as_markdown: bool,
) -> None:
    """Let a candidate pass when it is shown to be no worse than the baseline by more than the margin.

    With several measures, or groups of cases, all of them must pass; one without an interval does not.

    \b
    howsure gate file.csv --truth y --baseline old --candidate new --margin 0.01
    howsure gate file.csv --truth y --baseline old --candidate new \\
        --measure recall --by site --markdown
    howsure gate --baseline old.csv --candidate new.csv --truth y --score p \\
        --key case --measure auc --margin 0.01

    \b
    Exit codes: 0 shown, 1 not shown, 2 bad input.
    """  # noqa: D301 (click wants the backspace itself)
    from howsure.comparison.gate import Wanted, gate_predictions

    if as_json and as_markdown:
        raise HowsureError("`--json` and `--markdown` exclude each other; give one of them.")
    if file is not None:
        if predicted or score or key:
            raise HowsureError("`--predicted`, `--score` and `--key` are for a file each; with FILE, name its columns.")
        both = (baseline, candidate)
        files: tuple[str, ...] = (file,)
        columns: tuple[tuple[str, ...], tuple[str, ...]] = ((), both) if are_scores else (both, ())
    else:
        if (predicted is None) == (score is None):
            raise HowsureError("`--predicted` or `--score` must name the column of both files, and not both.")
        files = (baseline, candidate)
        columns = ((predicted,) if predicted else (), (score,) if score else ())
    classes: dict[str, Any] = {"positive": positive, "labels": split(labels, "--labels")}
    predictions = read_files(files, truth, *columns, key, by=by, cluster=cluster, file_format=file_format, **classes)
    old, new = predictions
    wanted = Wanted(new, old, margin, superior)
    decision = gate_predictions(predictions, wanted, measures or None, by or "group", alpha=alpha)
    if as_json:
        print_json(decision.to_dict())
    elif as_markdown:
        say(decision.to_markdown())
    else:
        say_lines(decision.text_lines(terminal_width()))
    if not decision.passed:
        context.exit(CLOSED)
