"""`howsure gate`: check in CI that a candidate is not worse than the baseline."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.compare_files import read_files
from howsure.cli.declare import declare_command
from howsure.cli.options import cluster_option, format_option, key_option, labels_option, positive_option, split
from howsure.cli.output import print_json, say, say_lines, terminal_width
from howsure.cli.types import MEASURE, PATH
from howsure.errors import HowsureError

CLOSED = 1


@declare_command(order=30)
@click.command()
@click.argument("file", required=False, type=PATH, metavar="[FILE]")
@click.option("--baseline", required=True, metavar="OLD", help="Column or file of the baseline.")
@click.option("--candidate", required=True, metavar="NEW", help="Column or file of the candidate.")
@click.option("--truth", required=True, metavar="COL", help="Column of the true labels.")
@click.option("--predicted", metavar="COL", help="With two files: column of predicted labels.")
@click.option("--score", metavar="COL", help="With two files: column of scores.")
@click.option("--as-scores", "are_scores", is_flag=True, help="The columns of FILE contain scores.")
@key_option
@click.option(
    "--measure",
    "measures",
    type=MEASURE,
    multiple=True,
    metavar="NAME",
    help="Measure to check; may be repeated. Default: accuracy, or auc for scores.",
)
@cluster_option
@click.option("--by", metavar="COL", help="Column of groups, all of which must pass.")
@click.option("--margin", default=0.0, show_default=True, metavar="D", help="Acceptable loss.")
@click.option("--superior", is_flag=True, help="Require a significant gain.")
@click.option("--alpha", default=0.05, show_default=True, metavar="P", help="Risk of passing a worse candidate.")
@positive_option
@labels_option
@format_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown, for example for a pull request.")
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
    """Check that a candidate is not worse than a baseline.

    The candidate passes if its loss is shown to be at most the margin, for each measure and each group. A measure
    without an interval does not pass.

    \b
    howsure gate file.csv --truth y --baseline old --candidate new --margin 0.01
    howsure gate file.csv --truth y --baseline old --candidate new \\
        --measure recall --by site --markdown
    howsure gate --baseline old.csv --candidate new.csv --truth y --score p \\
        --key case --measure auc --margin 0.01

    \b
    Exit codes: 0 passed, 1 failed, 2 invalid input.
    """  # noqa: D301 (click needs the literal backspace character)
    from howsure.comparison.gate import Requirement, gate_predictions

    if as_json and as_markdown:
        raise HowsureError("`--json` and `--markdown` cannot be used together.")
    if file is not None:
        if predicted or score or key:
            raise HowsureError("`--predicted`, `--score` and `--key` are for two files; leave them out with FILE.")
        both = (baseline, candidate)
        files: tuple[str, ...] = (file,)
        columns: tuple[tuple[str, ...], tuple[str, ...]] = ((), both) if are_scores else (both, ())
    else:
        if (predicted is None) == (score is None):
            raise HowsureError("either `--predicted` or `--score` must name the column of both files.")
        files = (baseline, candidate)
        columns = ((predicted,) if predicted else (), (score,) if score else ())
    classes: dict[str, Any] = {"positive": positive, "labels": split(labels, "--labels")}
    predictions = read_files(files, truth, *columns, key, by=by, cluster=cluster, file_format=file_format, **classes)
    old, new = predictions
    wanted = Requirement(new, old, margin, superior)
    decision = gate_predictions(predictions, wanted, measures or None, by or "group", alpha=alpha)
    if as_json:
        print_json(decision.to_dict())
    elif as_markdown:
        say(decision.to_markdown())
    else:
        say_lines(decision.text_lines(terminal_width()))
    if not decision.passed:
        context.exit(CLOSED)
