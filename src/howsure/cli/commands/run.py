"""`howsure run`: run or continue an experiment."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from howsure.cli.declare import declare_command
from howsure.cli.options import confidence_option, show, split, styles
from howsure.cli.output import say
from howsure.cli.page import check_page, page_options, write_page
from howsure.cli.types import MEASURES, PATH
from howsure.errors import HowsureError, counted

if TYPE_CHECKING:
    from howsure.experiment import ExperimentResult

SOME_FAILED, STOPPED = 1, 130


@declare_command(order=50)
@click.command()
@click.argument("source", type=PATH, metavar="FILE|FOLDER")
@click.option(
    "--folder", type=PATH, metavar="FOLDER", help="Folder for the results. Default: runs/NAME next to NAME.toml."
)
@click.option("--jobs", type=int, metavar="N", help="Number of processes. Default: -1, for all cores.")
@click.option("--time-limit", type=float, metavar="S", help="Time limit per task in seconds.")
@click.option("--retry-failed", is_flag=True, help="Retry tasks that failed earlier.")
@click.option(
    "--measures",
    type=MEASURES,
    metavar="A,B,...",
    help="Measures. Default: accuracy, and auc for scores.",
)
@confidence_option
@click.option("--quiet", is_flag=True, help="Hide the progress bar.")
@page_options
@styles
@click.pass_context
def run(
    context: click.Context,
    source: str,
    folder: str | None,
    jobs: int | None,
    time_limit: float | None,
    retry_failed: bool,
    measures: str | None,
    confidence: float,
    quiet: bool,
    html: str | None,
    force: bool,
    style: str | None,
) -> None:
    """Run or continue an experiment, and print its results.

    FILE describes the experiment. Ctrl-C interrupts it, and the same command resumes it. With FOLDER, the command only
    prints the results so far.

    \b
    howsure run experiment.toml
    howsure run experiment.toml --measures recall,kappa --csv
    howsure run runs/experiment --json

    \b
    Exit codes: 0 success, 1 some tasks failed, 2 invalid input,
    130 interrupted by Ctrl-C.
    """  # noqa: D301 (click needs the literal backspace character)
    with stoppable() as stop:
        wanted = _check(measures, confidence)
        check_page(html, force)
        if os.path.isdir(source):
            stop.folder = source
            result = _existing(
                source, {"folder": folder, "jobs": jobs, "time-limit": time_limit, "retry-failed": retry_failed}
            )
        else:
            from howsure.experiment.file.toml import read_experiment

            with _learners_aside():
                file = read_experiment(source)
                stop.folder = file.folder if folder is None else folder
                result = file.run(stop.folder, jobs, time_limit, retry_failed=retry_failed, progress=not quiet)
        _show(result, wanted, confidence, style)
        write_page(result, html, force)
    if _remark(result):
        context.exit(SOME_FAILED)


@contextmanager
def _learners_aside() -> Iterator[None]:
    """Redirect output of learners, here and in workers, to standard error."""
    sys.stdout.flush()
    with ExitStack() as stack:
        with suppress(OSError):  # a stream may be closed
            saved = os.dup(1)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, 1)
            os.dup2(2, 1)
        stack.enter_context(redirect_stdout(sys.stderr))
        yield


def _check(measures: str | None, confidence: float) -> list[str] | None:
    """Check the options for the output before the long run."""
    from howsure.checks import check_confidence
    from howsure.measures import registry
    from howsure.measures.spec import read_spec

    check_confidence(confidence)
    wanted = split(measures, "--measures")
    for measure in wanted or ():
        registry[read_spec(measure)[0]]
    return wanted


@dataclass
class Stop:
    """The folder of the run, and whether Ctrl-C was pressed."""

    folder: str | None = None
    pressed: bool = False


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Handle Ctrl-C: print the progress and exit."""
    stop = Stop()

    def press(*_: object) -> None:
        stop.pressed = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield stop
    except BaseException:  # if interrupted, DuckDB raises its own error
        if not stop.pressed:
            raise
        say(f"stopped; {_so_far(stop.folder)}; the same command continues the run.", err=True)
        raise click.exceptions.Exit(STOPPED) from None
    finally:
        signal.signal(signal.SIGINT, before)


def _so_far(folder: str | None) -> str:
    from howsure.experiment import ExperimentResult

    try:
        result = ExperimentResult.open(folder or "")
    except HowsureError:
        return "no task is done yet"
    return f"{counted(result.done, 'task', 'is', of=result.total)} done"


def _existing(folder: str, options: dict[str, object]) -> ExperimentResult:
    from howsure.experiment import ExperimentResult

    for option, value in options.items():
        if value:
            raise HowsureError(f"`--{option}` needs the toml file of an experiment, not its folder.")
    return ExperimentResult.open(folder)


def _show(result: ExperimentResult, wanted: list[str] | None, confidence: float, style: str | None) -> None:
    show(result, style, confidence=confidence, measures=wanted)
    if style in ("csv", "latex"):  # these formats contain no remarks
        for finding in result.findings:
            say(str(finding), err=True)


def _remark(result: ExperimentResult) -> bool:
    """Print unfinished and failed tasks; return whether any task failed."""
    from howsure.errors import one_line

    if result.done < result.total:
        done = counted(result.done, "task", "is", of=result.total)
        again = "to continue, run its toml file, or in Python call `run` with the same experiment and this folder"
        say(f"{done} done; {again}.", err=True)
    failed = result.failures().rows
    if failed:
        dataset, learner, repeat, fold, reason = failed[0]
        first = one_line(f"{learner} on {dataset}, repeat {repeat}, fold {fold}: {reason}")
        end = "--json lists them, and --retry-failed with the toml file retries them (in Python, `retry_failed=True`)"
        say(f"{counted(len(failed), 'task', of=result.total)} failed; the first is {first}; {end}.", err=True)
    return bool(failed)
