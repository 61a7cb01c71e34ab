"""Methods for making a classifier cost-sensitive, declared in the table `METHODS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from howsure.arrays import Array, IntArray
from howsure.data.rows import take
from howsure.errors import HowsureError, counted, must, must_be_one_of
from howsure.learners.common.checks import TrainingData
from howsure.learners.cost.class_costs import ClassCosts
from howsure.learners.cost.out_of_fold import cost_folds, mean_out_of_fold
from howsure.learners.ensemble.bootstrap_draws import CaseSampler
from howsure.present.sheet import Record
from howsure.present.value_text import number
from howsure.resampling.fit import class_probabilities, constant_if_one_class, fit_rows, fresh, learner_name

MAX_COPIES = 1000
PROBABILITY, SCORE = "predict_proba", "decision_function"


@dataclass(frozen=True, eq=False)
class CostTraining:
    """A classifier, its training cases, and the costs of errors on their classes."""

    template: Any
    data: TrainingData
    costs: ClassCosts
    cv: Any
    tune: bool
    rng: np.random.Generator

    @property
    def weight(self) -> Array:
        return np.ones(len(self.data.codes)) if self.data.weight is None else self.data.weight

    @property
    def rows(self) -> IntArray:
        return np.arange(len(self.data.codes))

    @property
    def one_class(self) -> bool:
        return int(np.count_nonzero(self.costs.totals)) < 2

    def by_class(self, weight: Array) -> Array:
        return np.bincount(self.data.codes, weight, len(self.data.classes)).astype(float)

    def fit(self, rows: IntArray, codes: IntArray | None = None, weight: Array | None = None) -> Any:
        """Fit a copy of the classifier to some rows, optionally with other classes or weights."""
        if weight is not None:
            rows = rows[weight[rows] > 0]  # classifiers that count rows must not count cases of weight 0
        y = self.data.classes[self.data.codes if codes is None else codes]
        model = fresh(self.template)
        if len(self.data.classes) > 1:
            model = constant_if_one_class(model, y[rows])
        argument = weight_argument(model)
        if weight is not None and argument is None:
            raise HowsureError(f"`sample_weight` is not supported by {learner_name(model)}; use method 'resample'.")
        return fit_rows(model, self.data.X, y, rows, weight, weight_name=argument or "")

    def out_of_fold(self, predict: Callable[[Any, Any], Array]) -> tuple[Array, Any]:
        """Return the mean out-of-fold ``predict(model, X)`` of each case, and flags for the cases that have one."""
        with np.errstate(over="ignore", invalid="ignore"):  # infinite features are left for the classifier to reject
            folds = cost_folds(self.cv, self.data.X, self.data.codes, self.weight, self.rng)
        return mean_out_of_fold(
            folds, len(self.data.codes), lambda train, test: predict(self._fit_fold(train), take(self.data.X, test))
        )

    def _fit_fold(self, rows: IntArray) -> Any:
        codes = self.data.codes[rows[self.weight[rows] > 0]]
        if (codes == codes[:1]).all():
            raise HowsureError("`cv` must have cases of at least two classes in each training set.")
        return self.fit(rows, weight=self.data.weight)


@dataclass(frozen=True, eq=False)
class CostModel:
    """A fitted classifier with the columns of its trace."""

    model: Any
    columns: dict[str, list[Any]]  # one value per class
    notes: tuple[str, ...] = ()
    decides_by: str = ""  # name of the method whose scores are compared with `cut`; "" for `predict`
    cut: float | None = None


@dataclass(frozen=True)
class CostMethod:
    """A method for making a classifier cost-sensitive."""

    train: Callable[[CostTraining], CostModel]
    why_not: Callable[[Any, int], str]  # returns the reason why a classifier does not support the method, or ""
    remedy: str = ""
    weights_cases: bool = False  # if True, errors on every class must have a positive cost
    has_cut: bool = False  # whether there is a threshold that can be tuned


def _weights(training: CostTraining) -> CostModel:
    weights = training.costs.weights("weights")
    model = training.fit(training.rows, weight=weights[training.data.codes] * training.weight)
    return CostModel(model, {"weight": weights.tolist()})


def _duplicate(training: CostTraining) -> CostModel:
    weights = training.costs.weights("duplicate")
    copies = np.floor(weights + 0.5).astype(int)
    if copies.max() > MAX_COPIES:
        raise HowsureError(
            f"`method` must not be 'duplicate' if a class is repeated {copies.max()} times, more than {MAX_COPIES}; "
            "use 'weights' or 'resample'."
        )
    times, weight = copies[training.data.codes], training.data.weight
    if weight is not None and weight_argument(training.template) is None and (weight == np.round(weight)).all():
        times, weight = times * weight.astype(int), None  # integer weights are copy counts
    model = training.fit(np.repeat(training.rows, times), weight=weight)
    rounded = [
        f"class {label} is repeated {count} times, rounded from {number(float(exact))}"
        for label, exact, count in zip(training.costs.labels, weights, copies, strict=True)
        if abs(exact - count) > 1e-9
    ]
    totals = _plain(copies * training.costs.totals)
    columns = {"weight": weights.tolist(), "copies": copies.tolist(), "in training": totals}
    return CostModel(model, columns, tuple(rounded))


def _resample(training: CostTraining) -> CostModel:
    weights = training.costs.weights("resample")
    with np.errstate(over="ignore", invalid="ignore"):  # infinite features are left for the classifier to reject
        sampler = CaseSampler.of(training.data.X, training.data.codes, training.data.weight)
    times = sampler.draw(training.rng, weight=weights[training.data.codes] * training.weight)
    model = training.fit(np.repeat(sampler.order, times[sampler.order]))
    drawn = training.by_class(times.astype(float))
    missing = [label for label, count in zip(training.costs.labels, drawn, strict=True) if not count]
    notes = tuple(f"no case of class {label} was drawn" for label in missing)
    return CostModel(model, {"weight": weights.tolist(), "drawn": _plain(drawn)}, notes)


def _threshold(training: CostTraining) -> CostModel:
    data, costs = training.data, training.costs
    k = len(costs.labels)
    if training.tune and k > 2:
        raise HowsureError(f"`tune` must be False with {k} classes; a threshold needs two.")
    model = training.fit(training.rows, weight=data.weight)
    by = PROBABILITY if hasattr(training.template, PROBABILITY) else SCORE
    if training.one_class:
        return CostModel(model, {})
    if k > 2:
        return CostModel(model, {}, ("predicts the class of least expected cost",), by)
    near, source = (costs.threshold, "the optimum for these costs") if by == PROBABILITY else (0.0, "its default")
    cut = near
    if training.tune or by == SCORE:
        scores, tested = training.out_of_fold(lambda fold, X: positive_scores(fold, X, by, costs))
        if tested.any():
            cut = costs.cheapest_cut(scores[tested], data.codes[tested], training.weight[tested], near)
            source = f"the cheapest on {np.count_nonzero(tested)} out-of-fold scores"
    positive = costs.positive_code()
    label, score = costs.labels[positive], "probability" if by == PROBABILITY else "score"
    if np.isinf(cut):
        note = f"{'always' if cut < 0 else 'never'} predicts {label}, {source}"
    else:
        note = f"predicts {label} if its {score} is at least {number(cut)}, {source}"
    return CostModel(model, {"threshold": [cut if code == positive else None for code in range(2)]}, (note,), by, cut)


def _relabel(training: CostTraining) -> CostModel:
    codes, labels = training.data.codes, training.costs.labels
    new, notes = codes.copy(), []
    if not training.one_class:
        classes = training.data.classes
        probabilities, tested = training.out_of_fold(lambda fold, X: class_probabilities(fold, X, classes))
        if tested.any():
            new[tested] = training.costs.decide(probabilities[tested])
        untested = np.count_nonzero(~tested & (training.weight > 0))
        notes += [f"{counted(int(untested), 'case', 'was')} in no test fold and kept the label"] if untested else []
    model = training.fit(training.rows, new, training.data.weight)
    if not training.one_class and (new == new[0]).all():
        notes.append(f"{labels[int(new[0])]} costs least for every case, so it is always predicted")
    moved = [training.by_class(training.weight * (new == code)) for code in range(len(labels))]
    columns = {"kept": _plain(np.array([moved[code][code] for code in range(len(labels))]))}
    for code, label in enumerate(labels):
        counts: list[Any] = _plain(moved[code])
        counts[code] = None
        columns[f"to {label}"] = counts
    return CostModel(model, columns, tuple(notes))


def _no_scores(learner: Any, k: int) -> str:
    if hasattr(learner, PROBABILITY):
        return ""
    if not hasattr(learner, SCORE):
        return f"{learner_name(learner)} has neither `predict_proba` nor `decision_function`"
    return f"{learner_name(learner)} has no `predict_proba` and there are {k} classes" if k > 2 else ""


METHODS: dict[str, CostMethod] = {
    "duplicate": CostMethod(_duplicate, lambda learner, k: "", weights_cases=True),
    "resample": CostMethod(_resample, lambda learner, k: "", weights_cases=True),
    "weights": CostMethod(
        _weights,
        lambda learner, k: "" if weight_argument(learner) else f"{learner_name(learner)} has no `sample_weight`",
        "use 'resample' or 'duplicate'",
        weights_cases=True,
    ),
    "threshold": CostMethod(_threshold, _no_scores, "use CalibratedClassifierCV around it", has_cut=True),
    "relabel": CostMethod(
        _relabel,
        lambda learner, k: "" if hasattr(learner, PROBABILITY) else f"{learner_name(learner)} has no `predict_proba`",
        "use CalibratedClassifierCV around it",
    ),
}


def is_method(name: Any) -> bool:
    return isinstance(name, str) and name in METHODS


def check_methods(methods: Any) -> list[str]:
    if not isinstance(methods, Iterable):
        must("methods", "one or more different methods", given=methods)
    names = [methods] if isinstance(methods, str) else list(methods)
    for name in names:
        if not is_method(name):
            must_be_one_of("methods", METHODS, given=name)
    if not names or len(set(names)) < len(names):
        must("methods", "one or more different methods", given=methods)
    return names


def unsupported_methods(estimator: Any, classes: int, free: Sequence[Any] = ()) -> dict[str, str]:
    """Return the methods that cannot be used, with reasons; errors on classes in ``free`` cost nothing."""
    reasons = {}
    for name, method in METHODS.items():
        reason = method.why_not(estimator, classes)
        if not reason and method.weights_cases and free:
            reason = f"errors on class {free[0]!r} cost nothing"
        if reason:
            reasons[name] = reason
    return reasons


def weight_argument(estimator: Any) -> str | None:
    """Return the name of the ``fit`` argument for case weights; for a pipeline, that of the last step."""
    if has_fit_parameter(estimator, "sample_weight"):
        return "sample_weight"
    steps = getattr(estimator, "steps", None)
    if not steps:
        return None
    name, last = steps[-1]
    inner = weight_argument(last)
    return None if inner is None else f"{name}__{inner}"


def positive_scores(model: Any, X: Any, by: str, costs: ClassCosts) -> Array:
    """Return the scores of the positive class."""
    positive = costs.positive_code()
    if by == PROBABILITY:
        return class_probabilities(model, X, np.asarray(costs.labels))[:, positive]
    scores = np.asarray(model.decision_function(X), float).ravel()
    return scores if positive == 1 else -scores


def class_records(costs: ClassCosts, columns: dict[str, list[Any]]) -> list[Record]:
    """Return one record per class for the trace."""
    table = {"class": list(costs.labels), "cases": _plain(costs.totals), **columns}
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def _plain(values: Array) -> list[Any]:
    """Convert counts to int if they are whole numbers."""
    return [int(value) if value == int(value) else float(value) for value in values.tolist()]
