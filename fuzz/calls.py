"""Calls of everything public, found by looking: a result that holds what it promises, or an error of our own."""

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
from fuzz.case import Case, Fault, Net, demand
from howsure.measures import registry as measures
from howsure.present.result import Result
from howsure.resampling import Scheme
from howsure.significance import Adjusted, BayesianResult, SamplePlan

ROOMS = ("", "intervals", "significance", "measures", "curves", "plan", "resampling", "selection", "learners", "advice")
MADE_BY_HAND = (
    howsure.Costs,
    howsure.Confusion,
    howsure.Experiment,
)  # classes whose constructor is an entry of its own
NO_ENTRY = {"measure", "declare_learner", "divide", "plot_shell_volume"}  # to declare things with, or to draw with
NO_METHOD = {"plot", "save", "report", "open", "resample", "from_predictions"}
HELPERS = ("howsure.registry", "howsure.errors")  # whose functions other rooms import
SLOW = 0.01  # of what learns, in place of 1
FORMS = ["to_dict", "text", "__repr__", "to_csv", "to_markdown", "to_latex", "_repr_html_"]
TIGHT = 1e-9


class Calls(Net):
    name = "calls"
    title = "calls of public functions and methods, with fitting and with hostile arguments"
    full = 200_000
    limit = 5.0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.entries = list(entries())
        self.weights = [_weight(name, call) for name, call in self.entries]
        self.held = _results()

    def run(self, case: Case) -> int:
        if case.chance(0.55):
            (name, call), owner = case.rng.choices(self.entries, self.weights)[0], None
        else:
            owner = case.rng.choice(self.held)
            name, call = case.rng.choice(list(methods(owner)))
        arguments = Arguments(case, owner).of(name.rpartition(".")[2], _signature(call))
        case.say(f"{name}({', '.join(f'{key}={_shown(value)}' for key, value in arguments.items())})")
        before = _frozen(arguments)
        result = _called(call, arguments)
        demand(_frozen(arguments) == before, "an argument was changed")
        if result is not Refused:
            with _no_warnings():
                check(result, case, arguments)
                if case.chance(0.2) and not _single_use(arguments) and not _endless(result):
                    again = _called(call, arguments)
                    demand(_same(again, result), f"the same call gives {again!r} after {result!r}")
                comparable = isinstance(result, Result) and not _endless(result) and not _ordered(arguments)
                if name in RECIPES and comparable and case.chance(0.25):
                    plain = _called(call, _undressed(arguments))
                    demand(_alike(plain, result), f"lists give {plain!r}, and these columns {result!r}")
        return 1


def _weight(name: str, call: Any) -> float:
    """What learns is slow, and seldom; the main entries come often."""
    return SLOW if LEARNING & set(_signature(call).parameters) else 10.0 if name in RECIPES else 1.0


class Refused:
    """In place of a result: the call was refused, as it may be."""


def entries() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Find every public function, and the classes that are made by hand."""
    for room in ROOMS:
        module = howsure if not room else getattr(howsure, room)
        for name in sorted(set(getattr(module, "__all__", ())) | {n for n in dir(module) if not n.startswith("_")}):
            thing = getattr(module, name)
            where = getattr(thing, "__module__", type(thing).__module__) or ""
            if name in NO_ENTRY or not callable(thing) or not where.startswith("howsure.") or where in HELPERS:
                continue
            made = inspect.isclass(thing) and (issubclass(thing, Scheme) or thing in MADE_BY_HAND)
            if not inspect.isclass(thing) or (made and thing is not Scheme):
                yield f"{room}.{name}".lstrip("."), thing
    yield "ScoreTable.from_scores", howsure.ScoreTable.from_scores
    yield "Tally.update", _tallied
    yield "Confusion.from_labels", howsure.Confusion.from_labels
    for name in howsure.learners.names():
        yield f"learners.{name}", _fitted(howsure.learners.registry[name])


def _fitted(learner: Any) -> Callable[..., Any]:
    def fit(X: Any, y: Any, estimator: Any = None) -> Any:
        own = inspect.signature(learner).parameters
        chosen = {"n_estimators": 3, "random_state": 0, "estimator": estimator, "costs": [[0, 1], [5, 0]]}
        try:
            return learner(**{key: value for key, value in chosen.items() if key in own}).fit(X, y).predict(X)
        except (TypeError, ValueError):  # what scikit-learn's estimators raise
            return Refused

    return fit


def methods(thing: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Find the methods that an object offers; a property counts as a method without arguments."""
    kind = type(thing)
    for name in dir(thing):
        if name.startswith("_") or name in NO_METHOD:
            continue
        found = inspect.getattr_static(kind, name, None)
        if isinstance(found, property | cached_property):
            yield f"{kind.__name__}.{name}", _getter(thing, name)
        elif str(getattr(getattr(thing, name, None), "__module__", None)).startswith("howsure."):
            yield f"{kind.__name__}.{name}", getattr(thing, name)


def _getter(thing: Any, name: str) -> Callable[[], Any]:
    return lambda: getattr(thing, name)


def _tallied(
    truth: Any,
    predicted: Any = None,
    scores: Any = None,
    weight: Any = None,
    labels: Any = None,
    positive: Any = None,
    threshold: Any = None,
) -> Any:
    """Count one batch, and assess it."""
    tally = howsure.Tally(labels, positive=positive, threshold=threshold)
    tally.update(truth, predicted, scores, weight)
    return howsure.assess(tally)


def _results() -> list[Any]:
    """Results of every kind to call methods of, made once."""
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
    """Call it: a result, or a refusal in one sentence. Anything else is a fault, and so is a warning of a library."""
    with _no_warnings():
        try:
            return call(**arguments)
        except howsure.HowsureError as error:
            sentence = str(error)
            demand("\n" not in sentence and "\x1b" not in sentence, f"not one clean sentence: {sentence!r}")
            demand(len(sentence) < 2000, f"a sentence without end: {sentence[:200]!r}")
            return Refused
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                return Refused  # the signature itself refuses
            raise


class _no_warnings(warnings.catch_warnings):  # noqa: N801 (used like a function)
    """Make a fault of warnings, but for those that are meant for the user."""

    def __enter__(self) -> Any:
        super().__enter__()
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        return None


# ------------------------------------------------------------------------------------------------ promises


def check(value: Any, case: Case, arguments: dict[str, Any]) -> None:
    """Hold a result to what its kind promises."""
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
        no_answer = all(map(math.isnan, parts)) and value.notes  # and the notes say why
        demand(no_answer or all(-TIGHT <= part <= 1 + TIGHT for part in parts), f"probabilities {parts}")
        demand(no_answer or abs(sum(parts) - 1) < 1e-6, f"probabilities {parts} do not add up to 1")
    elif isinstance(value, Adjusted):
        demand(all(0 <= one <= 1 or math.isnan(one) for one in value.pvalues), f"adjusted {value.pvalues}")
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
    if isinstance(value, Result) and not _endless(value) and case.chance(0.03 if long else 0.3):
        forms = case.rng.sample(FORMS, 1 if long else len(FORMS))
        _check_shown(value, forms)


def _check_estimate(value: howsure.Estimate, case: Case) -> None:
    demand(math.isnan(value.value) == bool(value.undefined), f"{value!r} is undefined because {value.undefined!r}")
    if value.measure in measures and " - " not in value.of:
        declared = measures[value.measure]
        (low, high), (least, most) = declared.range, declared.row_range(2)  # of two classes, and of many
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
    low, high = np.asarray(value.low), np.asarray(value.high)  # there may be many at once
    demand(((low <= high) | (np.isnan(low) & np.isnan(high))).all(), f"{value!r} is upside down")


def _check_inside(interval: howsure.Interval, value: float) -> None:
    if interval.confidence >= 0.5 and not math.isnan(interval.low) and not math.isnan(value):
        slack = TIGHT * max(1.0, abs(value))
        demand(interval.low - slack <= value <= interval.high + slack, f"{interval!r} leaves out {value}")


def _check_shown(value: Result, forms: list[str]) -> None:
    """Show a result in some of its forms."""
    for form in forms:
        shown = getattr(value, form)()
        if form == "to_dict":
            try:
                shown = json.dumps(shown, allow_nan=False)
            except (TypeError, ValueError) as error:
                raise Fault(f"to_dict is not JSON: {error}") from None
        demand(isinstance(shown, str), f"{form} gives {type(shown).__name__}")
        demand(form == "to_csv" or "\x1b" not in shown, f"{form} lets an escape sequence through: {shown[:200]!r}")


# ------------------------------------------------------------------------------------------------ comparing


def _endless(value: Any) -> bool:
    """Whether it takes long to show: many groups, each with a bootstrap of its own."""
    return isinstance(value, howsure.AssessmentGroups) and len(value) > 3


def _single_use(arguments: dict[str, Any]) -> bool:
    return any(inspect.isgenerator(value) or isinstance(value, np.random.Generator) for value in arguments.values())


def _frozen(value: Any) -> Any:
    """What a value is, so that a change of it shows."""
    if isinstance(value, np.ndarray):
        content = value.tolist() if value.dtype == object else value.tobytes()
        return value.dtype.str, value.shape, repr(content)
    if isinstance(value, dict):
        return [(repr(key), _frozen(one)) for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [_frozen(one) for one in value]
    if hasattr(value, "to_numpy"):
        return type(value).__name__, repr(value)
    return repr(value)[:1000] if not inspect.isgenerator(value) else None


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Result) and isinstance(other, Result):
        return _timeless(one.to_dict()) == _timeless(other.to_dict())
    if isinstance(one, np.ndarray):
        return bool(_frozen(one) == _frozen(other))
    if isinstance(one, float | int | str | bool | type(None)):
        return repr(one) == repr(other)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other)


def _timeless(values: Any) -> str:
    """Plain values as text, without how long anything took, and what follows from that."""
    text = re.sub(r'("[a-z_]*seconds": )[^,}]*', r"\1", json.dumps(values, default=repr))
    return re.sub(r'"time_exponent": {[^}]*}|"fit time goes [^"]*"', "", text)


def _ordered(value: Any) -> bool:
    """Categories come in an order of their own, which a list has not."""
    if isinstance(value, dict):
        return any(map(_ordered, value.values()))
    return str(getattr(value, "dtype", "")) == "category"


def _undressed(value: Any) -> Any:
    """The same values in lists, whatever held them."""
    if isinstance(value, dict):
        return {key: _undressed(one) for key, one in value.items()}
    for method in ("to_list", "to_pylist", "tolist"):
        if hasattr(value, method) and getattr(value, "ndim", 1) == 1 and not hasattr(value, "columns"):
            return getattr(value, method)()
    return value


def _alike(one: Any, other: Any) -> bool:
    """The same answer, to the digits that half the width of a number leaves."""
    if isinstance(one, Result) and isinstance(other, Result):
        return _alike(one.to_dict(), other.to_dict())
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-7)
    return bool(one == other) or isinstance(one, str)  # a sentence may round


def _shown(value: Any) -> str:
    text = repr(value)
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    dtype = f":{value.dtype}" if hasattr(value, "dtype") else ""
    prefix = "" if isinstance(value, int | float | str | list | dict | tuple | type(None)) else f"<{kind}{dtype}> "
    return prefix + " ".join(text.split())[:400]
