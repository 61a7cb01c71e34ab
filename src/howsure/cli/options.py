"""Options that several commands share."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from howsure.cli.output import print_json, say, say_data, say_lines, terminal_width
from howsure.errors import HowsureError, listing

if TYPE_CHECKING:
    from howsure.present.result import Result

Command = TypeVar("Command", bound=Callable[..., Any])
STYLES = {
    "json": "Print JSON.",
    "csv": "Print CSV with all digits.",
    "spreadsheet": "Print CSV with formulas escaped.",
    "markdown": "Print Markdown.",
    "latex": "Print LaTeX.",
}
COSTS = {"fn": "false_negative", "fp": "false_positive", "tp": "true_positive", "tn": "true_negative"}


class FormatOption(click.Option):
    """The option --format, whose help lists the formats."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from howsure.data.read.formats import format_list

        self.help = f"Format of FILE: {format_list(titles=False)}. Default: from its extension."
        return super().get_help_record(ctx)


format_option = click.option("--format", "file_format", metavar="FORMAT", cls=FormatOption)

truth_option = click.option(
    "--truth", multiple=True, metavar="COL", help="Column of the true labels; repeat it for several annotators."
)
key_option = click.option("--key", metavar="COL", help="Column that identifies the cases in all files.")
cluster_option = click.option("--cluster", metavar="COL", help="Column of clusters of related cases, such as patients.")
weight_option = click.option("--weight", metavar="COL", help="Column of case weights; weight 2 counts a case twice.")
positive_option = click.option(
    "--positive", metavar="LABEL", help="The positive class. Default: the second of two classes."
)
labels_option = click.option("--labels", metavar="A,B,...", help="All classes, in the order of the output.")
threshold_option = click.option(
    "--threshold", type=float, metavar="T", help="Predict the positive class if the score is at least T."
)
scores_option = click.option(
    "--scores", metavar="A,B,...", help="Score columns of all classes, in the order of the labels."
)
cost_option = click.option("--cost", metavar="fn=5,fp=1", help="Costs of false negatives and false positives.")
prior_option = click.option(
    "--prior", type=float, metavar="P", help="Prevalence of the positive class in the application."
)
confidence_option = click.option(
    "--confidence", default=0.95, show_default=True, metavar="P", help="Level of the intervals."
)
case_option = click.option(
    "--case", metavar="COL", help="Column that identifies the cases, if a case has several answers."
)
each_predicted_option = click.option(
    "--predicted", multiple=True, metavar="COL", help="Column of predicted labels; repeat it for each classifier."
)
each_score_option = click.option(
    "--score", multiple=True, metavar="COL", help="Column of scores; repeat it for each classifier."
)


def truth_of(columns: tuple[str, ...], files: Sequence[str], file_format: str | None) -> str | list[str]:
    """Return the column of the true labels, or one per annotator."""
    if columns:
        return columns[0] if len(columns) == 1 else list(columns)
    columns_of_file = ""
    if files and os.path.isfile(files[0]):
        from howsure.data.read.column_names import shorten
        from howsure.data.read.files import columns_of

        names = [repr(shorten(name)) for name in columns_of(files[0], file_format)]
        columns_of_file = f"; {files[0]!r} has {listing(names, 8)}"
    raise HowsureError(f"`--truth` must name the column of the true labels{columns_of_file}.")


label_noise_option = click.option(
    "--label-noise",
    metavar="E",
    help="Correct for wrong labels: their proportion (0.05), or wrong out of checked labels (6/120).",
)


def read_label_noise(text: str) -> float | tuple[int, int]:
    """Parse "0.05" as a proportion, "6/120" as wrong out of checked labels."""
    wrong, sign, checked = (piece.strip() for piece in text.partition("/"))
    try:
        return (int(wrong), int(checked)) if sign else float(wrong)
    except ValueError:
        raise HowsureError(f"`--label-noise` must have the form 0.05 or 6/120, not {text!r}.") from None


def show_noise(noise: Result, style: str | None) -> None:
    """Print the effect of label errors below a result."""
    if style is None:
        say("")
        say_lines(noise.text_lines(width=terminal_width()))
    elif style != "json":
        say("")
        show(noise, style)


def refuse_with_noise(label_noise: str | None, style: str | None, others: dict[str, Any]) -> None:
    """Raise an error for tables that cannot be combined with --label-noise."""
    if label_noise is None:
        return
    if style in ("csv", "spreadsheet"):
        raise HowsureError(f"`--label-noise` prints a second table, which `--{style}` cannot contain; leave one out.")
    for option, value in others.items():
        if value:
            raise HowsureError(f"`--label-noise` and `{option}` cannot be used together.")


def correct_options(command: Command) -> Command:
    """Add --correct and --case, for answers that are right or wrong."""
    correct = click.option(
        "--correct", metavar="COL", help="Column of right and wrong answers, or of scores from 0 to 1."
    )
    return correct(case_option(command))


def log_options(command: Command) -> Command:
    """Add the options for logs of model evaluations."""
    about = "How to treat answers without a score in a log."
    command = click.option("--missing", type=click.Choice(["wrong", "drop"]), help=about)(command)
    for name, argument in (("filter", "filter_name"), ("metric", "metric"), ("scorer", "scorer")):
        about = f"The {name} to use, if a log has several."
        command = click.option(f"--{name}", argument, metavar="NAME", help=about)(command)
    return command


def large_file_options(command: Command) -> Command:
    """Add --exact, --bins and --memory, for large files."""
    memory = "Memory limit for reading files, such as 1GB; the rest is kept on disk."
    command = click.option("--memory", metavar="SIZE", callback=_limit, expose_value=False, help=memory)(command)
    about = "Keep all scores, or count them in bins. Default: bins for 2 million rows or more."
    return click.option("--exact/--bins", "exact", default=None, help=about)(command)


def _limit(context: click.Context, option: click.Parameter, size: str | None) -> None:
    if size is not None:
        from howsure.sql import check_memory, memory

        token = memory.set(check_memory(size, "--memory"))
        context.call_on_close(lambda: memory.reset(token))


def styles(command: Command) -> Command:
    """Add --json, --csv, --spreadsheet, --markdown and --latex."""
    for style, about in reversed(STYLES.items()):
        option = click.option(f"--{style}", is_flag=True, expose_value=False, callback=_choose, help=about)
        command = option(command)
    return command


def _choose(context: click.Context, option: click.Parameter, is_given: bool) -> None:
    before = context.params.setdefault("style", None)
    if is_given and before:
        raise HowsureError(f"`--{before}` and `--{option.name}` cannot be used together.")
    if is_given:
        context.params["style"] = option.name


def refuse_options(names: Iterable[str], why: str) -> None:
    """Raise an error for options that do not apply, instead of ignoring them."""
    context = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is typed:
            raise HowsureError(f"`{parameter.opts[0]}` {why}; leave it out.")


def show(result: Result, style: str | None, **options: Any) -> None:
    """Print a result in the chosen style, by default as text."""
    if style == "json":
        print_json(result.to_dict(**options))
    elif style in ("csv", "spreadsheet"):
        say_data(result.to_csv(spreadsheet=style == "spreadsheet", **options))
    elif style is not None:
        say(getattr(result, f"to_{style}")(**options))
    else:
        say_lines(result.text_lines(terminal_width(), **options))


def split(text: str | None, option: str) -> list[str] | None:
    """Split at commas outside parentheses."""
    if text is None:
        return None
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    names = [part.strip() for part in parts if part.strip()]
    if not names:
        raise HowsureError(f"`{option}` must be a list of names such as A,B, not {text!r}.")
    return names


def read_costs(text: str | None, prior: float | None = None) -> Any:
    """Parse "fn=5,fp=1" as costs, with the prevalence in the application."""
    if text is None:
        return None
    from howsure.costs import Costs

    costs: dict[str, Any] = {} if prior is None else {"prior": prior}
    for part in text.split(","):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        try:
            name, cost = COSTS[key.lower()], float(value)
        except (KeyError, ValueError):
            raise HowsureError(f"`--cost` must have the form 'fn=5,fp=1', not {text!r}.") from None
        if name in costs:
            raise HowsureError(f"`--cost` must contain each cost once, but {key!r} is repeated.")
        if not math.isfinite(cost):
            raise HowsureError(f"`--cost` must contain finite numbers, not {key}{sign}{value}.")
        costs[name] = cost
    return Costs(**costs)
