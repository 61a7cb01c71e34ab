"""Options that several commands share, and what they do."""

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
    "csv": "Print CSV, every value as it is.",
    "spreadsheet": "Print CSV in which no text starts a formula.",
    "markdown": "Print Markdown.",
    "latex": "Print LaTeX.",
}
COSTS = {"fn": "false_negative", "fp": "false_positive", "tp": "true_positive", "tn": "true_negative"}


class FormatOption(click.Option):
    """--format, whose help names the formats there are, and looks them up only when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from howsure.data.read.formats import format_list

        self.help = f"{format_list(titles=False)}; else by the ending."
        return super().get_help_record(ctx)


format_option = click.option("--format", "file_format", metavar="FORMAT", cls=FormatOption)

MEMORY = "The most memory to read files with, as 1GB; what goes beyond it waits on the disk."
LOG_CHOICES = {
    "scorer": "Of a log with several scorers, this one.",
    "metric": "Of a log with several metrics, this one.",
    "filter": "Of a log with several filters, this one.",
}


truth_option = click.option(
    "--truth", multiple=True, metavar="COL", help="Column of the true labels; once for each annotator, if several."
)


def truth_of(columns: tuple[str, ...], files: Sequence[str], file_format: str | None) -> str | list[str]:
    """Give the column of the true labels, or one of each annotator; where none is named, say which there are."""
    if columns:
        return columns[0] if len(columns) == 1 else list(columns)
    there = ""
    if files and os.path.isfile(files[0]):
        from howsure.data.read.column_names import shorten
        from howsure.data.read.files import columns_of

        names = [repr(shorten(name)) for name in columns_of(files[0], file_format)]
        there = f"; {files[0]!r} has {listing(names, 8)}"
    raise HowsureError(f"`--truth` must name the column of the true labels{there}.")


label_noise_option = click.option(
    "--label-noise", metavar="E", help="What wrong labels do: their share, as 0.05, or wrong ones of checked, as 6/120."
)


def read_label_noise(text: str) -> float | tuple[int, int]:
    """Read "0.05" as a share of wrong labels, and "6/120" as wrong ones among those that were checked."""
    wrong, sign, checked = (piece.strip() for piece in text.partition("/"))
    try:
        return (int(wrong), int(checked)) if sign else float(wrong)
    except ValueError:
        raise HowsureError(f"`--label-noise` must be written like 0.05 or 6/120, not {text!r}.") from None


def show_noise(noise: Result, style: str | None) -> None:
    """Print what label errors do below a result; JSON has it inside."""
    if style is None:
        say("")
        say_lines(noise.text_lines(width=terminal_width()))
    elif style != "json":
        say("")
        show(noise, style)


def refuse_with_noise(label_noise: str | None, style: str | None, others: dict[str, Any]) -> None:
    """Refuse other tables beside what label errors do."""
    if label_noise is None:
        return
    if style in ("csv", "spreadsheet"):
        raise HowsureError(f"`--label-noise` is a second table, and `--{style}` prints one; leave out one of them.")
    for option, value in others.items():
        if value:
            raise HowsureError(f"`--label-noise` and `{option}` exclude each other; give one of them.")


def correct_options(command: Command) -> Command:
    """Add --correct and --case, for answers of which only this is known."""
    case = click.option("--case", metavar="COL", help="Column that names the case of each answer, if it has several.")
    correct = click.option("--correct", metavar="COL", help="Column of what was right, or of scores from 0 to 1.")
    return correct(case(command))


def log_options(command: Command) -> Command:
    """Add the choices that a log of a model evaluation may ask for."""
    missing = click.Choice(["wrong", "drop"])
    command = click.option("--missing", type=missing, help="What answers of a log without a score count.")(command)
    for name, about in reversed(LOG_CHOICES.items()):
        argument = "filter_name" if name == "filter" else name
        command = click.option(f"--{name}", argument, metavar="NAME", help=about)(command)
    return command


def large_file_options(command: Command) -> Command:
    """Add --exact and --bins, and --memory, for files of many rows."""
    about = "Keep every score, or count scores in bins. Default: bins from 2 million rows on."
    command = click.option("--memory", metavar="SIZE", callback=_limit, expose_value=False, help=MEMORY)(command)
    return click.option("--exact/--bins", "exact", default=None, help=about)(command)


def _limit(context: click.Context, option: click.Parameter, size: str | None) -> None:
    if size is not None:
        from howsure.sql import check_memory, memory

        token = memory.set(check_memory(size, "--memory"))
        context.call_on_close(lambda: memory.reset(token))


cluster_option = click.option(
    "--cluster", metavar="COL", help="Column that says which cases belong together, as a patient's do."
)


def styles(command: Command) -> Command:
    """Add --json, --csv, --spreadsheet, --markdown and --latex, which the command sees as ``style``."""
    for style, about in reversed(STYLES.items()):
        option = click.option(f"--{style}", is_flag=True, expose_value=False, callback=_choose, help=about)
        command = option(command)
    return command


def _choose(context: click.Context, option: click.Parameter, is_given: bool) -> None:
    before = context.params.setdefault("style", None)
    if is_given and before:
        raise HowsureError(f"`--{before}` and `--{option.name}` exclude each other; give one of them.")
    if is_given:
        context.params["style"] = option.name


def refuse_options(names: Iterable[str], why: str) -> None:
    """Refuse options that were typed and mean nothing here, instead of passing over them."""
    context = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is typed:
            raise HowsureError(f"`{parameter.opts[0]}` {why}; leave it out.")


def show(result: Result, style: str | None, **options: Any) -> None:
    """Print a result in the style that was asked for, or as text."""
    if style == "json":
        print_json(result.to_dict(**options))
    elif style in ("csv", "spreadsheet"):
        say_data(result.to_csv(spreadsheet=style == "spreadsheet", **options))
    elif style is not None:
        say(getattr(result, f"to_{style}")(**options))
    else:
        say_lines(result.text_lines(terminal_width(), **options))


def split(text: str | None, option: str) -> list[str] | None:
    """Split at the commas that are not inside brackets, so that f_beta(beta=2) stays whole."""
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
        raise HowsureError(f"`{option}` must name at least one, as in 'A,B', not {text!r}.")
    return names


def read_costs(text: str | None, prior: float | None = None) -> Any:
    """Read "fn=5,fp=1" as costs, for a share of positives where the classifier is to be used."""
    if text is None:
        return None
    from howsure.costs import Costs

    costs: dict[str, Any] = {} if prior is None else {"prior": prior}
    for part in text.split(","):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        try:
            name, cost = COSTS[key.lower()], float(value)
        except (KeyError, ValueError):
            raise HowsureError(f"`--cost` must be written like 'fn=5,fp=1', not {text!r}.") from None
        if name in costs:
            raise HowsureError(f"`--cost` must name each cost once, and {key!r} is there twice.")
        if not math.isfinite(cost):
            raise HowsureError(f"`--cost` must hold finite numbers, not {key}{sign}{value}.")
        costs[name] = cost
    return Costs(**costs)
