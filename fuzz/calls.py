"""Calls of all public functions and methods: results must be consistent, or the call refused with one sentence."""

from __future__ import annotations

import inspect
import json
import math
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import howsure
from fuzz.arguments import LEARNING, RECIPES, Arguments
from fuzz.case import Case, Fault, Fuzzer, demand
from howsure.measures import registry as measures
from howsure.present.result import Result
from howsure.resampling import Scheme
from howsure.significance import Adjusted, BayesianResult, SamplePlan

ROOMS = ("", "intervals", "significance", "measures", "curves", "plan", "resampling", "selection", "learners", "advice")
CONSTRUCTED = (
    howsure.Costs,
    howsure.Confusion,
    howsure.Experiment,
)  # classes whose constructors are called
NO_ENTRY = {"measure", "declare_learner", "divide", "plot_shell_volume"}  # for declarations and plots
NO_METHOD = {"plot", "save", "report", "open", "resample", "from_predictions"}
HELPERS = ("howsure.registry", "howsure.errors")  # modules whose functions others import
SLOW = 0.01  # weight of functions that train learners, instead of 1
FORMS = ["to_dict", "text", "__repr__", "to_csv", "to_markdown", "to_latex", "_repr_html_"]
TIGHT = 1e-9


class Calls(Fuzzer):
    name = "calls"
    title = "calls of public functions and methods, with fitting and with hostile arguments"
    full = 200_000
    limit = 5.0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.entries = list(entries())
        self.weights = [_weight(name, call) for name, call in self.entries]
        self.results = _results()

    def run(self, case: Case) -> int:
        if case.chance(0.55):
            (name, call), owner = case.rng.choices(self.entries, self.weights)[0], None
        else:
            owner = case.rng.choice(self.results)
            name, call = case.rng.choice(list(methods(owner)))
        arguments = Arguments(case, owner).of(name.rpartition(".")[2], _signature(call))
        case.say(f"{name}({', '.join(f'{key}={_shown(value)}' for key, value in arguments.items())})")
        before = _frozen(arguments)
        result = _called(call, arguments)
        demand(_frozen(arguments) == before, "an argument was changed")
        if result is not Refused:
            with _no_warnings():
                check(result, case, arguments)
                if case.chance(0.2) and not _single_use(arguments) and not _is_slow_to_show(result):
                    again = _called(call, arguments)
                    demand(_same(again, result), f"the same call gives {again!r} after {result!r}")
                comparable = isinstance(result, Result) and not _is_slow_to_show(result) and not _ordered(arguments)
                if name in RECIPES and comparable and case.chance(0.25):
                    plain = _called(call, _as_lists(arguments))
                    demand(_alike(plain, result), f"lists give {plain!r}, and these columns {result!r}")
        return 1


def _weight(name: str, call: Any) -> float:
    """Return the weight of an entry: low for slow functions, high for the main ones."""
    return SLOW if LEARNING & set(_signature(call).parameters) else 10.0 if name in RECIPES else 1.0


class Refused:
    """Placeholder for the result of a call that was refused."""


def entries() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield all public functions and constructors."""
    for room in ROOMS:
        module = howsure if not room else getattr(howsure, room)
        for name in sorted(set(getattr(module, "__all__", ())) | {n for n in dir(module) if not n.startswith("_")}):
            value = getattr(module, name)
            where = getattr(value, "__module__", type(value).__module__) or ""
            if name in NO_ENTRY or not callable(value) or not where.startswith("howsure.") or where in HELPERS:
                continue
            is_constructed = inspect.isclass(value) and (issubclass(value, Scheme) or value in CONSTRUCTED)
            if not inspect.isclass(value) or (is_constructed and value is not Scheme):
                yield f"{room}.{name}".lstrip("."), value
    yield "ScoreTable.from_scores", howsure.ScoreTable.from_scores
    yield "Tally.update", _tallied
    yield "Confusion.from_labels", howsure.Confusion.from_labels
    for name in howsure.learners.names():
        yield f"learners.{name}", _fitted(howsure.learners.registry[name])


def _fitted(learner: Any) -> Callable[..., Any]:
    def fit(X: Any, y: Any, estimator: Any = None) -> Any:
        parameters = inspect.signature(learner).parameters
        chosen = {"n_estimators": 3, "random_state": 0, "estimator": estimator, "costs": [[0, 1], [5, 0]]}
        try:
            return learner(**{key: value for key, value in chosen.items() if key in parameters}).fit(X, y).predict(X)
        except (TypeError, ValueError):  # raised by scikit-learn's estimators
            return Refused

    return fit


def methods(owner: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the methods of an object; a property is a method without arguments."""
    kind = type(owner)
    for name in dir(owner):
        if name.startswith("_") or name in NO_METHOD:
            continue
        attribute = inspect.getattr_static(kind, name, None)
        if isinstance(attribute, property | cached_property):
            yield f"{kind.__name__}.{name}", _getter(owner, name)
        elif str(getattr(getattr(owner, name, None), "__module__", None)).startswith("howsure."):
            yield f"{kind.__name__}.{name}", getattr(owner, name)


def _getter(owner: Any, name: str) -> Callable[[], Any]:
    return lambda: getattr(owner, name)


def _tallied(
    truth: Any,
    predicted: Any = None,
    scores: Any = None,
    weight: Any = None,
    labels: Any = None,
    positive: Any = None,
    threshold: Any = None,
) -> Any:
    """Assess a `Tally` of one batch."""
    tally = howsure.Tally(labels, positive=positive, threshold=threshold)
    tally.update(truth, predicted, scores, weight)
    return howsure.assess(tally)


def _results() -> list[Any]:
    """Return results of every kind, whose methods are called."""
    rng = np.random.default_rng(7)
    y, z = rng.choice(["a", "b"], 50), rng.choice(["a", "b"], 50)
    three = rng.choice(["u", "v", "w"], 60)
    soft = howsure.assess(y, scores=rng.random(50))
    crisp = howsure.assess(y, z)
    joined = howsure.assess(y, scores=np.round(rng.random(50), 7) * 1e-9, exact=False)
    many = howsure.assess(three, scores=rng.dirichlet([1, 1, 1], 60), labels=["u", "v", "w"])
    heavy = howsure.assess(y, z, weight=rng.random(50))
    perfect = howsure.assess([0, 1, 1], [0, 1, 1])
    compared = howsure.compare(y, {"one": z, "other": rng.choice(["a", "b"], 50), "third": y})
    ranked = howsure.compare(y, scores={"one": rng.random(50), "other": rng.random(50)})
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    learners = {"nb": GaussianNB(), "one": DecisionTreeClassifier(max_depth=1)}
    run = howsure.Experiment(learners, {"d": (rng.normal(size=(50, 2)), y)}, howsure.KFold(3), seed=0).run(
        progress=False
    )
    values = rng.random((6, 3))
    rated = howsure.agreement(
        [[*row, None] for row in rng.integers(0, 3, (40, 3)).tolist()], cluster=np.arange(40) // 3
    )
    significance = howsure.significance
    return [
        soft, crisp, joined, joined.scores, joined.roc(), joined["auc"],
        many, heavy, perfect, howsure.assess(y, z, by=rng.choice(["g", "h"], 50)), compared, ranked, run,
        crisp["recall"], soft["auc"], soft["brier"], heavy["kappa"], many["log_loss"], many["recall"], perfect["mcc"],
        crisp["f1"].interval(), compared.test, soft.roc(), many.roc("u"), soft.calibration(), run.scores("accuracy"),
        crisp.confusion, heavy.confusion, soft.scores, soft.best_threshold("f1"), many.per_class(), run.preference(),
        run.compare(), run.splits(), howsure.KFold(3), howsure.Costs([[0, 1], [5, 0]]), crisp.sheet(),
        howsure.plan.mcnemar(n=100, difference=0.1, discordant=0.2), significance.tukey(values),
        significance.nemenyi(values),
        significance.critical_difference(values), significance.adjust([0.01, 0.2, 0.5]),
        significance.friedman(values),
        significance.bayesian_sign(values[:, 0], values[:, 1], rope=0.1, replicates=100), compared.difference,
        rated, rated["fleiss_kappa"], rated["cohen_kappa"], rated.per_pair(),
        howsure.gate(y, candidate=z, baseline=y, margin=0.1), howsure.selection.decompose([[0, 1, 1], [1, 1, 1]],
        [0, 1, 1]),
    ]  # fmt: skip


def _signature(call: Any) -> inspect.Signature:
    try:
        return inspect.signature(call)
    except (TypeError, ValueError):
        return inspect.Signature()


def _called(call: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Return the result of a call, or `Refused`; any other exception or warning is a fault."""
    with _no_warnings():
        try:
            return call(**arguments)
        except howsure.HowsureError as error:
            sentence = str(error)
            demand("\n" not in sentence and "\x1b" not in sentence, f"not one clean sentence: {sentence!r}")
            demand(len(sentence) < 2000, f"a sentence of {len(sentence)} characters: {sentence[:200]!r}")
            return Refused
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                return Refused  # the signature does not match
            raise


class _no_warnings(warnings.catch_warnings):  # noqa: N801 (used like a function)
    """Turn warnings into errors, except those meant for the user."""

    def __enter__(self) -> Any:
        super().__enter__()
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        return None


# ------------------------------------------------------------------------------------------------ checks of results


def check(value: Any, case: Case, arguments: dict[str, Any]) -> None:
    """Check a result by its class."""
    if isinstance(value, howsure.Estimate):
        _check_estimate(value, case)
    elif isinstance(value, howsure.Interval):
        _check_interval(value)
        if "successes" in arguments and np.ndim(value.low) == 0:
            share = float(arguments["successes"]) / float(arguments["n"]) if arguments["n"] else math.nan
            _check_inside(value, share)
    elif isinstance(value, howsure.TestResult):
        demand(
            0 <= value.pvalue <= 1 or (math.isnan(value.pvalue) and value.notes), f"p = {value.pvalue}, {value.notes}"
        )
    elif isinstance(value, BayesianResult):
        parts = (value.left, value.rope, value.right)
        no_answer = all(map(math.isnan, parts)) and value.notes
        demand(no_answer or all(-TIGHT <= part <= 1 + TIGHT for part in parts), f"probabilities {parts}")
        demand(no_answer or abs(sum(parts) - 1) < 1e-6, f"probabilities {parts} do not sum to 1")
    elif isinstance(value, Adjusted):
        demand(all(0 <= pvalue <= 1 or math.isnan(pvalue) for pvalue in value.pvalues), f"adjusted {value.pvalues}")
        demand(
            all(math.isnan(r) or a >= r - TIGHT for a, r in zip(value.pvalues, value.raw, strict=True)),
            f"{value.pvalues} below {value.raw}",
        )
    elif isinstance(value, SamplePlan):
        demand(0 <= value.power <= 1 and value.n >= 0, f"a plan of {value.n} cases with power {value.power}")
    elif isinstance(value, howsure.Assessment) and case.chance(0.3):
        for estimate in value.estimates(case.rng.sample(value.applicable(), 3)):
            _check_estimate(estimate, case)
    elif isinstance(value, howsure.Comparison):
        for pair in value.pairs:
            demand(
                math.isnan(pair.adjusted) or 0 <= pair.test.pvalue <= pair.adjusted + TIGHT <= 1 + 2 * TIGHT, f"{pair}"
            )
    long = isinstance(
        value, howsure.Assessment | howsure.AssessmentGroups | howsure.ExperimentResult | howsure.curves.Curve
    )
    if isinstance(value, Result) and not _is_slow_to_show(value) and case.chance(0.03 if long else 0.3):
        forms = case.rng.sample(FORMS, 1 if long else len(FORMS))
        _check_shown(value, forms)


def _check_estimate(value: howsure.Estimate, case: Case) -> None:
    demand(math.isnan(value.value) == bool(value.undefined), f"{value!r} is undefined because {value.undefined!r}")
    if value.measure in measures and " - " not in value.of:
        declared = measures[value.measure]
        (low, high), (least, most) = declared.range, declared.row_range(2)  # for two classes, and for more
        low, high = min(low, least), max(high, most)
        demand(
            math.isnan(value.value) or low - TIGHT <= value.value <= high + TIGHT,
            f"{value!r} is not in [{low}, {high}]",
        )
    confidence = case.rng.choice([0.5, 0.8, 0.95, 0.999])
    interval = value.interval(confidence, replicates=100)
    _check_interval(interval)
    _check_inside(interval, value.value)


def _check_interval(value: howsure.Interval) -> None:
    low, high = np.asarray(value.low), np.asarray(value.high)  # may be arrays
    demand(((low <= high) | (np.isnan(low) & np.isnan(high))).all(), f"{value!r} has its lower end above the upper")


def _check_inside(interval: howsure.Interval, value: float) -> None:
    if interval.confidence >= 0.5 and not math.isnan(interval.low) and not math.isnan(value):
        tolerance = TIGHT * max(1.0, abs(value))
        inside = interval.low - tolerance <= value <= interval.high + tolerance
        demand(inside, f"{interval!r} does not contain {value}")


def _check_shown(value: Result, forms: list[str]) -> None:
    """Check some text forms of a result."""
    for form in forms:
        shown = getattr(value, form)()
        if form == "to_dict":
            try:
                shown = json.dumps(shown, allow_nan=False)
            except (TypeError, ValueError) as error:
                raise Fault(f"to_dict is not JSON: {error}") from None
        demand(isinstance(shown, str), f"{form} gives {type(shown).__name__}")
        demand(form == "to_csv" or "\x1b" not in shown, f"{form} has an escape sequence: {shown[:200]!r}")


# ------------------------------------------------------------------------------------------------ comparisons


def _is_slow_to_show(value: Any) -> bool:
    """Return whether a result has many groups, each with its own bootstrap."""
    return isinstance(value, howsure.AssessmentGroups) and len(value) > 3


def _single_use(arguments: dict[str, Any]) -> bool:
    return any(inspect.isgenerator(value) or isinstance(value, np.random.Generator) for value in arguments.values())


def _frozen(value: Any) -> Any:
    """Return a representation of a value by which changes are detected."""
    if isinstance(value, np.ndarray):
        content = value.tolist() if value.dtype == object else value.tobytes()
        return value.dtype.str, value.shape, repr(content)
    if isinstance(value, dict):
        return [(repr(key), _frozen(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [_frozen(item) for item in value]
    if hasattr(value, "to_numpy"):
        return type(value).__name__, repr(value)
    return repr(value)[:1000] if not inspect.isgenerator(value) else None


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, Result) and isinstance(second, Result):
        return _timeless(first.to_dict()) == _timeless(second.to_dict())
    if isinstance(first, np.ndarray):
        return bool(_frozen(first) == _frozen(second))
    if isinstance(first, float | int | str | bool | type(None)):
        return repr(first) == repr(second)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(_same, first, second))
    return type(first) is type(second)


def _timeless(values: Any) -> str:
    """Return plain values as text, without times and what is computed from them."""
    text = re.sub(r'("[a-z_]*seconds": )[^,}]*', r"\1", json.dumps(values, default=repr))
    return re.sub(r'"time_exponent": {[^}]*}|"exponent of n in the fit time[^"]*"', "", text)


def _ordered(value: Any) -> bool:
    """Return whether any column is categorical: categories may have another order than the values of a list."""
    if isinstance(value, dict):
        return any(map(_ordered, value.values()))
    return str(getattr(value, "dtype", "")) == "category"


def _as_lists(value: Any) -> Any:
    """Return the same values in lists."""
    if isinstance(value, dict):
        return {key: _as_lists(item) for key, item in value.items()}
    for method in ("to_list", "to_pylist", "tolist"):
        if hasattr(value, method) and getattr(value, "ndim", 1) == 1 and not hasattr(value, "columns"):
            return getattr(value, method)()
    return value


def _alike(first: Any, second: Any) -> bool:
    """Return whether two results are equal up to the precision of single floats."""
    if isinstance(first, Result) and isinstance(second, Result):
        return _alike(first.to_dict(), second.to_dict())
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(_alike(first[key], second[key]) for key in first)
    if isinstance(first, list):
        return len(first) == len(second) and all(map(_alike, first, second))
    if isinstance(first, float) and isinstance(second, float):
        return math.isclose(first, second, rel_tol=1e-5, abs_tol=1e-7)
    return bool(first == second) or isinstance(first, str)  # texts may be rounded


def _shown(value: Any) -> str:
    text = repr(value)
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    dtype = f":{value.dtype}" if hasattr(value, "dtype") else ""
    prefix = "" if isinstance(value, int | float | str | list | dict | tuple | type(None)) else f"<{kind}{dtype}> "
    return prefix + " ".join(text.split())[:400]
