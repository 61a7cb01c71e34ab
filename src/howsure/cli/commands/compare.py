"""`howsure compare`: differences between classifiers, with intervals and tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.compare_files import compare_files
from howsure.cli.declare import declare_command
from howsure.cli.evaluation_logs import is_evaluation_log, names_of_logs, read_logs
from howsure.cli.options import (
    case_option,
    cluster_option,
    each_predicted_option,
    each_score_option,
    format_option,
    key_option,
    label_noise_option,
    labels_option,
    log_options,
    positive_option,
    read_label_noise,
    refuse_options,
    refuse_with_noise,
    show,
    show_noise,
    split,
    styles,
    threshold_option,
    truth_of,
    truth_option,
)
from howsure.cli.output import print_json, say, say_lines, terminal_width
from howsure.cli.page import check_page, page_options, write_page
from howsure.cli.types import ADJUSTMENT, MEASURE, PATH
from howsure.errors import HowsureError
from howsure.present.words import wrapped

if TYPE_CHECKING:
    from howsure.comparison import Comparison


OF_PREDICTIONS = (
    "truth", "predicted", "score", "key", "dataset", "test", "positive", "labels", "threshold", "label_noise",
)  # fmt: skip


@declare_command(order=20)
@click.command()
@click.argument("source", nargs=-1, required=True, type=PATH, metavar="FILE...|FOLDER")
@truth_option
@each_predicted_option
@each_score_option
@click.option(
    "--correct", multiple=True, metavar="COL", help="Column of right and wrong answers; repeat it for each classifier."
)
@case_option
@log_options
@click.option("--common", is_flag=True, help="Keep only the samples that all logs have.")
@key_option
@cluster_option
@click.option("--measure", type=MEASURE, metavar="NAME", help="Measure. Default: accuracy, or auc for scores.")
@click.option("--baseline", metavar="NAME", help="Compare all others with this classifier only.")
@click.option("--alpha", default=0.05, show_default=True, metavar="P", help="Significance level.")
@click.option(
    "--adjust",
    type=ADJUSTMENT,
    default="bonferroni",
    show_default=True,
    metavar="NAME",
    help="Adjustment for multiple comparisons.",
)
@click.option("--dataset", metavar="NAME", help="With FOLDER: use only this data set.")
@click.option("--test", metavar="NAME", help="With FOLDER: test for the splits, such as corrected_paired_t.")
@positive_option
@labels_option
@threshold_option
@click.option("--tests", is_flag=True, help="Print all tests that apply to the leading pair, with their assumptions.")
@click.option("--lab", is_flag=True, help="Simulate the error rate and the power of the test in similar samples.")
@click.option("--methods", is_flag=True, help="Print the methods paragraph for a paper, with references.")
@label_noise_option
@page_options
@format_option
@styles
def compare(
    source: tuple[str, ...],
    truth: tuple[str, ...],
    predicted: tuple[str, ...],
    score: tuple[str, ...],
    correct: tuple[str, ...],
    case: str | None,
    scorer: str | None,
    metric: str | None,
    filter_name: str | None,
    missing: str | None,
    common: bool,
    key: str | None,
    cluster: str | None,
    measure: str | None,
    baseline: str | None,
    alpha: float,
    adjust: str,
    dataset: str | None,
    test: str | None,
    positive: str | None,
    labels: str | None,
    threshold: float | None,
    tests: bool,
    lab: bool,
    methods: bool,
    label_noise: str | None,
    html: str | None,
    force: bool,
    file_format: str | None,
    style: str | None,
) -> None:
    """Compare classifiers on the same cases, with intervals and tests.

    The classifiers are given as columns of one FILE, as one FILE each, or as the FOLDER of an experiment.

    \b
    howsure compare predictions.csv --truth y --predicted tree --predicted bayes
    howsure compare tree.csv bayes.csv --truth y --score p --key case
    howsure compare runs/cancer --measure auc --baseline tree
    howsure compare judged.csv --truth ann --truth bob --predicted j1 \\
        --predicted j2 --measure kappa
    howsure compare answers.csv --correct old --correct new --cluster topic
    howsure compare a.eval b.eval --cluster topic
    """  # noqa: D301 (click needs the literal backspace character)
    check_page(html, force)
    refuse_with_noise(label_noise, style, {"--tests": tests, "--lab": lab, "--methods": methods})
    options: dict[str, Any] = {"baseline": baseline, "alpha": alpha, "adjust": adjust}
    choice = {"scorer": scorer, "metric": metric, "filter": filter_name, "missing": missing}
    if len(source) == 1 and os.path.isdir(source[0]):
        comparison = _of_experiment(source[0], measure, dataset, positive, options | {"test": test})
    elif is_evaluation_log(source, choice):
        refuse_options((*OF_PREDICTIONS, "correct", "case", "file_format"), "does not apply to a log")
        comparison = _of_logs(source, choice, {**options, "cluster": cluster, "measure": measure, "common": common})
    elif correct:
        refuse_options((*OF_PREDICTIONS, "common"), "needs predictions with true labels")
        keys = {"case": case, "cluster": cluster}
        comparison = _of_outcomes(source, correct, keys, {**options, "file_format": file_format, "measure": measure})
    else:
        refuse_options(("case", "common"), "needs `--correct` or logs")
        if test is not None:
            raise HowsureError("`--test` needs the FOLDER of an experiment; for tests on predictions, use `--tests`.")
        columns = truth_of(truth, source, file_format)
        options |= {"positive": positive, "labels": split(labels, "--labels"), "threshold": threshold}
        options |= {"measure": measure, "file_format": file_format, "cluster": cluster}
        comparison = compare_files(source, columns, predicted, score, key, **options)
    noise = None
    if label_noise is not None:
        from howsure.comparison import label_noise as noise_of

        noise = noise_of(comparison, read_label_noise(label_noise))
    write_page(comparison, html, force)
    if methods:
        if tests or lab or style:
            raise HowsureError(
                "`--methods` cannot be used with `--tests`, `--lab` or an output format such as `--json`."
            )
        say(comparison.methods_text())
        return
    if tests and lab:
        raise HowsureError("`--tests` and `--lab` cannot be used together.")
    if lab:
        from howsure.lab import like

        if not style:
            say(f"{wrapped(comparison.verdict, terminal_width())}\n")
        show(like(comparison), style)
    elif noise is not None and style == "json":
        print_json({**comparison.to_dict(), "label_noise": noise.to_dict()})
    elif tests or style:
        show(comparison.tests() if tests else comparison, style)
    else:
        hints = ("why this test: --tests", "for a paper: --methods", "page: --html PAGE")
        say_lines(comparison.text_lines(terminal_width(), hints=hints))
    if noise is not None:
        show_noise(noise, style)


def _of_logs(files: tuple[str, ...], choice: dict[str, str | None], options: dict[str, Any]) -> Comparison:
    from howsure.comparison.logs import compare_logs

    logs = read_logs(files, choice, most=1000)
    named = dict(zip(names_of_logs(files, logs), logs, strict=True))
    return compare_logs(named, **options)


def _of_outcomes(
    files: tuple[str, ...], correct: tuple[str, ...], keys: dict[str, str | None], options: dict[str, Any]
) -> Comparison:
    from howsure.comparison.outcomes import compare_columns

    data = files[0] if len(files) == 1 else list(files)
    return compare_columns({name: name for name in correct}, keys, data, **options)


def _of_experiment(
    folder: str, measure: str | None, dataset: str | None, positive: str | None, options: dict[str, Any]
) -> Comparison:
    from howsure.experiment import ExperimentResult

    result = ExperimentResult.open(folder)
    chosen: dict[str, Any] = {} if measure is None else {"measure": measure}
    return result.compare(**chosen, dataset=dataset, positive=positive, **options)
