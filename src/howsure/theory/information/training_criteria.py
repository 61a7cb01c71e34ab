"""Criteria computed on a learner's training cases: likelihood, description length, VC bound."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from howsure.checks import one_of
from howsure.errors import must
from howsure.experiment import Dataset
from howsure.theory.information.capacity import find_capacity, vc_bound
from howsure.theory.information.description_length import describe_length
from howsure.theory.information.fitted_models import NAN, Noted
from howsure.theory.information.likelihood import aic, aicc, bic, log_likelihood
from howsure.theory.information.parameter_counts import count_parameters
from howsure.tuning.run import Run

Amount = float | Callable[[Any], float]
Amounts = Mapping[str, Amount]  # keys: names of learners
VALUES = (
    "training_error",
    "log_likelihood",
    "parameters",
    "aic",
    "aicc",
    "bic",
    "mdl_bits",
    "model_bits",
    "data_bits",
    "vc_dimension",
    "srm_bound",
)


@dataclass
class TrainingCriteria:
    """Criteria of one learner, with reasons for missing or unreliable values."""

    values: dict[str, float] = field(default_factory=lambda: dict.fromkeys(VALUES, NAN))
    reasons: list[str] = field(default_factory=list)
    coding: str = ""

    def add(self, name: str, number: Noted) -> float:
        self.values[name] = float(number.value)
        if number.note:
            self.reasons.append(number.note)
        return self.values[name]


def training_criteria(
    learner: Any, run: Run, parameters: Amount | None, capacity: Amount | None, confidence: float
) -> TrainingCriteria:
    """Fit a learner to all cases and compute its criteria."""
    result = TrainingCriteria()
    data = run.data
    model = _fit(learner, run, result)
    if model is None:
        return result
    n, classes = data.rows, len(data.labels)
    likelihood = result.add("log_likelihood", _likelihood(model, data, result))
    count = result.add(
        "parameters", count_parameters(model) if parameters is None else _amount("parameters", parameters, model)
    )
    if not math.isnan(likelihood + count):
        result.values |= {"aic": aic(likelihood, count), "bic": bic(likelihood, count, n)}
        result.add("aicc", _aicc(likelihood, count, n))
    code = describe_length(model, data.X, data.codes, classes, likelihood, count)
    result.values |= {"mdl_bits": code.bits, "model_bits": code.model_bits, "data_bits": code.data_bits}
    result.coding = code.coding
    h = result.add(
        "vc_dimension", find_capacity(model, classes) if capacity is None else _amount("capacity", capacity, model)
    )
    if not math.isnan(h):
        result.add("srm_bound", _bound(result.values["training_error"], n, h, confidence))
    return result


def _fit(learner: Any, run: Run, result: TrainingCriteria) -> Any:
    """Fit the learner and compute its training error; return None if that fails."""
    with _record_warnings("while fitting", result):
        try:
            model = run.fit_on_all(learner)
            predicted = np.asarray(model.predict(run.data.X)).ravel()
            result.values["training_error"] = float(np.mean(predicted != run.data.y))
        except Exception as error:
            result.reasons.append(f"no criteria, because the fit failed: {_first_line(error)}")
            return None
    return model


def _likelihood(model: Any, data: Dataset, result: TrainingCriteria) -> Noted:
    with _record_warnings("while predicting probabilities", result):
        try:
            return log_likelihood(model, data.X, data.codes, data.labels)
        except Exception as error:
            return Noted(NAN, f"no likelihood, because predicting probabilities failed: {_first_line(error)}")


@contextmanager
def _record_warnings(when: str, result: TrainingCriteria) -> Iterator[None]:
    """Add the warnings of a learner to its reasons."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    result.reasons += dict.fromkeys(f"{when}: {_first_line(warning.message)}" for warning in caught)


def _first_line(message: Any) -> str:
    lines = str(message).strip().splitlines()
    return f"{type(message).__name__}: {lines[0] if lines else ''}".rstrip(" .:")


def _aicc(likelihood: float, count: float, n: int) -> Noted:
    value = aicc(likelihood, count, n)
    if not math.isnan(value):
        return Noted(value)
    return Noted(NAN, f"no AICc, because {count:g} parameters need more than {count + 1:g} cases")


def _bound(training_error: float, n: int, h: float, confidence: float) -> Noted:
    value = vc_bound(training_error, n, h, confidence)
    if value <= 1:
        return Noted(value)
    note = "the SRM bound is above 1 and uninformative"
    return Noted(value, f"{note}, since the VC dimension {h:g} is not below the number of cases" if h >= n else note)


def check_amounts(name: str, amounts: Any, learners: Mapping[str, Any]) -> Amounts:
    """Validate amounts given by learner name."""
    if amounts is None:
        return {}
    if not isinstance(amounts, Mapping):
        must(name, "a mapping of names of learners, such as {'forest': 7}", given=amounts)
    for learner, amount in amounts.items():
        one_of(name, learner, learners)
        if not callable(amount):
            _check_amount(name, learner, amount)
    return amounts


def _amount(name: str, amount: Amount, model: Any) -> Noted:
    return Noted(_check_amount(name, type(model).__name__, amount(model)) if callable(amount) else float(amount))


def _check_amount(name: str, of: str, amount: Any) -> float:
    least = "0 or above" if name == "parameters" else "above 0"
    is_number = isinstance(amount, Real) and not isinstance(amount, bool) and 0 <= float(amount) < math.inf
    if not is_number or (amount == 0 and name != "parameters"):
        must(f"{name} of {of}", f"a number, {least}, or a function that returns one", given=amount)
    return float(amount)
