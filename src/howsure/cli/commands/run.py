"""`howsure run`: an experiment file in, a table of results out; what is done already is not done again."""

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
from howsure.cli.options import show, split, styles
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
    "--folder", type=PATH, metavar="FOLDER", help="Where to keep the results. Default: runs/NAME beside NAME.toml."
)
@click.option("--jobs", type=int, metavar="N", help="Processes to use. Default: -1, for all cores.")
@click.option("--time-limit", type=float, metavar="S", help="Seconds after which a task is given up.")
@click.option("--retry-failed", is_flag=True, help="Try again what failed in an earlier run.")
@click.option("--measures", type=MEASURES, metavar="A,B,...", help="Default: accuracy, and auc where there are scores.")
@click.option("--confidence", default=0.95, show_default=True, metavar="P", help="Level of the intervals.")
@click.option("--quiet", is_flag=True, help="Show no progress bar.")
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
    """Run the experiment that FILE describes, or continue it, and print its results.

    Ctrl-C stops it; the same command resumes it. The FOLDER of an experiment shows its results so far.

    \b
    howsure run experiment.toml
    howsure run experiment.toml --measures recall,kappa --csv
    howsure run runs/experiment --json

    \b
    Exit codes: 0 done, 1 done but some task failed, 2 bad input,
    130 stopped by Ctrl-C.
    """  # noqa: D301 (click wants the backspace itself)
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
    """Send what learners print, here and in workers, to standard error: standard output is for the results."""
    sys.stdout.flush()
    with ExitStack() as stack:
        with suppress(OSError):  # one of them may be closed
            saved = os.dup(1)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, 1)
            os.dup2(2, 1)
        stack.enter_context(redirect_stdout(sys.stderr))
        yield


def _check(measures: str | None, confidence: float) -> list[str] | None:
    """Check the options on results before hours are spent on making them."""
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
    """The folder of the run, once it is known, and whether Ctrl-C was pressed."""

    folder: str | None = None
    pressed: bool = False


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Let Ctrl-C end a run with a sentence on how far it came; what was done has been written."""
    stop = Stop()

    def press(*_: object) -> None:
        stop.pressed = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield stop
    except BaseException:  # DuckDB makes an error of its own of the interrupt
        if not stop.pressed:
            raise
        say(f"stopped; {_so_far(stop.folder)}; the same command continues.", err=True)
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
            raise HowsureError(f"`--{option}` must be given with the toml file of an experiment, not with its folder.")
    return ExperimentResult.open(folder)


def _show(result: ExperimentResult, wanted: list[str] | None, confidence: float, style: str | None) -> None:
    show(result, style, confidence=confidence, measures=wanted)
    if style in ("csv", "latex"):  # these have no place for remarks
        for finding in result.findings:
            say(str(finding), err=True)


def _remark(result: ExperimentResult) -> bool:
    """Print on standard error what is missing; return whether any task failed."""
    from howsure.errors import one_line

    if result.done < result.total:
        done = counted(result.done, "task", "is", of=result.total)
        again = "its toml file, or in Python `run` of the same experiment with this folder, continues"
        say(f"{done} done; {again}.", err=True)
    failed = result.failures().rows
    if failed:
        dataset, learner, repeat, fold, why = failed[0]
        first = one_line(f"{learner} on {dataset}, repeat {repeat}, fold {fold}: {why}")
        end = "--json lists them, --retry-failed with the toml file tries them again (in Python, `retry_failed=True`)"
        say(f"{counted(len(failed), 'task', of=result.total)} failed, first {first}; {end}.", err=True)
    return bool(failed)
