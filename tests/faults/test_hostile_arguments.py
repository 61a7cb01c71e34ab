"""Public functions of numbers, given anything at all: a result, or a sentence; never another error."""

from __future__ import annotations

import decimal
import fractions
import inspect
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier

import howsure
from howsure import HowsureError, intervals, plan, significance


class Odd:
    def __len__(self) -> int:
        return 3

    def __float__(self) -> float:
        raise RuntimeError("no number")


HOSTILE: list[Any] = [
    None, "text", "", b"x", float("nan"), float("inf"), float("-inf"), -1, 0, 1, 2, 0.5, True, 10**400, 10**18,
    -(10**18), 1e-300, 1 - 1e-16, 1j, [], [[]], [1], [[1, 2], [3, 4]], [1, "a", None], {}, {"a": 1}, {"a": [1, 2, 3]},
    object(), Odd(), np.array(3.0), np.array([1, 2, 3]), np.array([np.nan, 1.0]), np.array([1j, 2]),
    np.array(["a", "b"]), np.zeros(0), np.zeros((3, 0)), np.array([None, 1], dtype=object), abs, int, range(5), {1, 2},
    decimal.Decimal("0.5"), fractions.Fraction(1, 2), np.datetime64("2020-01-01"),
]  # fmt: skip
COLUMN = [0.1, 0.2, 0.3, 0.4, 0.5, 0.2, 0.1, 0.3]
GOOD: dict[str, Any] = {
    "successes": 3, "n": 10, "values": [0.1, 0.2, 0.3, 0.5], "truth": [0, 1, 1, 0, 1, 0, 1, 0], "scores": COLUMN,
    "a": COLUMN, "b": COLUMN[::-1], "e01": 3, "e10": 5, "ratio": 0.1, "successes_a": 3, "n_a": 10, "successes_b": 4,
    "n_b": 10, "both": 3, "only_a": 1, "only_b": 2, "neither": 4, "p": 0.1, "p0": 0.2, "errors": 3, "mean": 0.2,
    "sigma": 0.1, "difference": 0.05, "error": 0.02, "rope": 0.01, "won": 3, "lost": 2, "discordant": 0.2, "auc": 0.8,
    "correlation": 0.5, "sd": 0.1, "classifiers": 4, "proportion": 0.5, "pvalues": [0.01, 0.2, 0.03], "margin": 0.1,
    "rho": 0.1, "predicted": [0, 1, 0, 0, 1, 1, 1, 0],
}  # fmt: skip
KERNELS = {"placements", "Test", "registry"}  # of arrays that were checked, or for those who declare tests


def functions() -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {
        "assess": howsure.assess,
        "compare": howsure.compare,
        "Costs": howsure.Costs,
    }
    for module in (intervals, significance, plan):
        names = set(getattr(module, "__all__", dir(module))) - KERNELS
        for name in sorted(name for name in names if not name.startswith("_")):
            function = getattr(module, name)
            if inspect.isfunction(function) and function.__module__.startswith("howsure"):
                found[f"{module.__name__}.{name}"] = function
    return found


@pytest.mark.parametrize("name", functions())
def test_anything_gives_a_result_or_a_sentence(name: str) -> None:
    function = functions()[name]
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = [one for one in inspect.signature(function).parameters.values() if one.kind in kinds]
    required = [one.name for one in parameters if one.default is one.empty]
    for parameter in parameters:
        for value in HOSTILE:
            arguments = {one: GOOD.get(one, value) for one in required} | {parameter.name: value}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    result = function(**arguments)
                    assert isinstance(repr(result), str)
                    assert isinstance(str(result), str)
                except howsure.HowsureError:
                    continue
                except Exception as error:
                    pytest.fail(f"{name}({parameter.name}={value!r}): {type(error).__name__}: {error}")


LEARNER, CASES = DummyClassifier(), ([[0.0], [1.0]] * 6, [0, 1] * 6)
MASKED = np.ma.array([1, 2, 3], mask=[False, True, False])
GROUPS = howsure.assess([0, 1] * 20, [0, 1] * 20, by=["a", "b"] * 20)
TREE = howsure.learners.PessimisticTree().fit(*CASES)
EXPERIMENT = howsure.Experiment({"dummy": LEARNER}, {"some": CASES}, howsure.KFold(2))
ASSESSED = howsure.assess([0, 1] * 20, scores=np.linspace(0, 1, 40) ** 2, positive=1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: howsure.compare([0, 1] * 9, {"a": [0, 1] * 9, "b": [0, 0] * 9}, alpha=5e-324), "`alpha` must be"),
        (lambda: significance.z_test([1.0, 2.0], mean=0, sigma=5e-324), "`sigma` must be"),
        (lambda: ASSESSED.to_dict(measures=np.array(3)), "`measures` must be names"),  # type: ignore[arg-type]
        (lambda: ASSESSED["recall"].measured(method=np.array([1, 2])), "`method` must be one of"),  # type: ignore[arg-type]
        (lambda: howsure.selection.shell_volume([1, 2, 3], [[]]), "must have shapes that can be broadcast"),
        (lambda: ASSESSED.confusion.reindex([[1, 2], [3]]), "`labels` must be a list of all classes"),  # type: ignore[list-item]
        (lambda: ASSESSED.confusion.reindex(np.zeros((2, 2, 2))), "`labels` must be a list of all classes"),  # type: ignore[arg-type]
        (lambda: significance.power_normal(0.7, 100, 0.6, alpha=5e-324), "`alpha` must be"),
        (lambda: significance.plan_mcnemar(discordant=0.2, difference=0.1, alpha=5e-324), "`alpha` must be"),
        (lambda: howsure.curves.with_band(lambda: None, ASSESSED.scores), "`draw` must be a curve"),  # type: ignore[arg-type, misc]
        (lambda: howsure.selection.bias_variance_curve(LEARNER, *CASES, [], [1, 2]), "`parameter` must be the name"),  # type: ignore[arg-type]
        (lambda: ASSESSED["recall"].measured(method=pd.DataFrame({"a": [1]})), "`method` must be one of"),
        (lambda: howsure.selection.vc_bound(0.1, n=10**400, h=3), "`n` must be a whole number of cases"),
        (lambda: howsure.selection.vc_bound(0.1, n=10, h=10**400), "`h` must be a number above 0"),
        (lambda: howsure.learners.upper_error(1, 10, confidence=10**400), "`confidence` must be"),
        (lambda: EXPERIMENT.run(time_limit=10**400), "`time_limit` must be"),
        (lambda: howsure.Costs(np.eye(2)).matrix(np.array(3)), "`labels` must be the labels of the classes"),  # type: ignore[arg-type]
        (lambda: ASSESSED.confusion.sheet().of([], notes=3), "`notes` must be a list of texts"),  # type: ignore[arg-type]
        (lambda: howsure.curves.with_band(object, ASSESSED.scores), "`draw` must be a curve"),  # type: ignore[arg-type]
        (lambda: howsure.curves.by_threshold(ASSESSED.scores, "f1", shares=float), "`shares` must be"),  # type: ignore[arg-type]
        (lambda: howsure.curves.by_threshold(ASSESSED.scores, "f1", shares=[1, 2, 3]), "`shares` must be 2 shares"),  # type: ignore[arg-type]
        (lambda: howsure.assess([0, 1], [0, 1], labels=np.array(3)), "`labels` must be a list of all classes"),  # type: ignore[call-overload]
        (lambda: howsure.assess(["a", "b"], ["a", "b"], labels="ab"), "`labels` must be a list of all classes"),
        (lambda: howsure.Confusion([[1, 2], [3, 4]], labels=np.array(3)), "`labels` must be a list of all classes"),  # type: ignore[arg-type]
        (lambda: howsure.ScoreTable.from_scores([0, 1], [0.1, 0.2], weight=[1, 2, 3]), "`weight` has 3 rows"),
        (lambda: howsure.Costs(np.eye(3), labels=Odd()), "`labels` must be the classes"),  # type: ignore[arg-type]
        (lambda: howsure.selection.shell_volumes(np.array(3)), "`dimensions` must be a list"),  # type: ignore[arg-type]
        (lambda: howsure.selection.shell_volumes(MASKED), "`dimensions` must be a list"),  # type: ignore[arg-type]
        (lambda: intervals.mean_t(MASKED), "`values` must be"),
        (lambda: intervals.cautious_t([0.5, 0.6], 0.1, [[1, 2], [3]]), "`repeat` must be the repeat of each"),
        (lambda: intervals.cautious_t([0.5, 0.6, 0.7], 0.1, [1, "a", None]), "`repeat` must be the repeat of each"),  # type: ignore[arg-type]
        (lambda: significance.cross_validated_z([1.0, 0], [0, 1.0], fold=[[1], [1, 2]]), "`fold` must be the fold of"),
        (lambda: intervals.wilson([], [1, 2, 3]), "`successes` and `n` must have one shape"),
        (lambda: howsure.KFold(2).splits(10**400), "`truth` must be at most"),
        (lambda: howsure.Sheet.of([], title=range(3)), "`title` must be a text"),  # type: ignore[arg-type]
        (lambda: howsure.resampling.conservative_z_error(LEARNER, *CASES, halvings="2"), "`halvings` must be"),  # type: ignore[arg-type]
        (lambda: howsure.resampling.nested_cv_error(LEARNER, *CASES, folds="3"), "`folds` must be"),  # type: ignore[arg-type]
        (lambda: significance.wilcoxon(MASKED, [1, 2, 3]), "not nan at index 1"),
        (lambda: intervals.widths(0.5, method=pd.Series([1.0, 2.0])), "`method` must be"),
        (lambda: GROUPS.text(measures=np.array([1, 2])), "`measure` must be a name"),  # type: ignore[arg-type]
    ],
)
def test_what_leaves_the_range_of_numbers_or_names_is_refused(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(howsure.HowsureError, match=said):
        call()


WRITERS: dict[str, Callable[[Any], Any]] = {
    "run": lambda path: howsure.Experiment({"a": LEARNER}, {"d": CASES}, howsure.KFold(2)).run(path, progress=False),
    "open": howsure.ExperimentResult.open,
    "verify": howsure.experiment.verify,
    "learning curve": lambda path: howsure.selection.learning_curve(LEARNER, *CASES, folder=path),
    "report": ASSESSED.report,
    "save": ASSESSED.roc().save,
}


@pytest.mark.parametrize("path", [{1: 2}, 3, b"page.html", "page\0.html", ["x"]], ids=repr)
@pytest.mark.parametrize("write", WRITERS)
def test_what_is_no_path_is_refused(write: str, path: Any) -> None:
    with pytest.raises(howsure.HowsureError, match="must be a path"):
        WRITERS[write](path)


def test_small_types_and_huge_sizes_are_computed_with() -> None:
    drawn = significance.bayesian_sign([0.3, 0.7], [0.2, 0.8], rope=0, replicates=np.int8(100))  # type: ignore[arg-type]
    assert drawn.left + drawn.right == pytest.approx(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert howsure.selection.shell_volume(1e308, 0.999999999) == 1
    assert howsure.measures.estimate_scores(ASSESSED.scores, "auc", of=5e-324).of == "5e-324"  # type: ignore[arg-type]


@pytest.mark.parametrize("neither", [pd.NA, np.array([1, 2])], ids=["missing", "several"])
@pytest.mark.parametrize(
    ("name", "call"),
    {
        "simultaneous": lambda flag: ASSESSED.calibration(simultaneous=flag),
        "corrected": lambda flag: ASSESSED.estimate("partial_auc", high=0.2, corrected=flag),
        "zoom": lambda flag: ASSESSED.roc().plot(zoom=flag),
        "force": lambda flag: ASSESSED.report("page.html", force=flag),
        "pruned": lambda flag: TREE.text(pruned=flag),
        "both": lambda flag: TREE.plot(both=flag),
        "oob_score": lambda flag: howsure.learners.RandomForest(n_estimators=2, oob_score=flag).fit(*CASES),
        "progress": lambda flag: EXPERIMENT.run(progress=flag),
        "retry_failed": lambda flag: EXPERIMENT.run(retry_failed=flag),
    }.items(),
)
def test_flags_that_are_neither_true_nor_false_are_refused(name, call, neither):
    with pytest.raises(howsure.HowsureError, match=f"`{name}` must be True or False"):
        call(neither)


def test_labels_of_a_single_thing_are_refused():
    with pytest.raises(howsure.HowsureError, match="`labels` must be the labels of the classes"):
        howsure.Costs(false_negative=5, false_positive=1).matrix(np.array(3))


def test_a_posterior_without_an_error_above_0_has_no_quantiles():
    for error in (-1e308, 0.0, math.nan):
        assert np.isnan(significance.bayesian_normal(0.3, error=error).interval().low)


def test_a_spread_smaller_than_any_number_leaves_no_doubt():
    assert significance.plan_corrected_t(power=0.5, difference=-0.8, sd=5e-324, ratio=0).n == 2


def test_a_class_rarer_than_any_makes_alarms_cost_without_end():
    assert howsure.Costs(false_negative=5, false_positive=1).trade(["a", "b"], "b", 5e-324)[0] == math.inf


def test_a_size_without_an_axis_is_no_list_of_sizes():
    for planned in (plan.mcnemar(power=0.8, difference=0.05, discordant=0.2), howsure.plan.half_width(0.9, 0.05)):
        with pytest.raises(HowsureError, match="`sizes` must be numbers of cases"):
            planned.records(sizes=np.array(3))


def test_cases_beyond_all_numbers_are_refused_or_have_no_bound():
    with pytest.raises(HowsureError, match="between 0 and the number of cases"):
        howsure.intervals.newcombe(0, 5e-324, 684834687, 10**9)
    assert not howsure.learners.upper_error(878307004, 1e308, bound="exact") > 1  # NaN, and no warning
    with pytest.raises(HowsureError):
        howsure.plan.half_width(0.75, n=1000, prevalence=5e-324)
