"""Judge one learner by the cases it is fitted on: every criterion that needs no test cases."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from assay.errors import must, must_be_one_of
from assay.experiment import Dataset
from assay.resampling.fit import set_random_state
from assay.theory.information.capacity import find_capacity, vc_bound
from assay.theory.information.description_length import describe_length
from assay.theory.information.likelihood import NAN, Noted, aic, aicc, bic, log_likelihood
from assay.theory.information.parameters import count_parameters
from assay.tuning.settings import with_setting

Amount = float | Callable[[Any], float]
Given = Mapping[str, Amount]
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
class Judged:
    """Values of one learner, NaN until they are known, and what must be said of them."""

    values: dict[str, float] = field(default_factory=lambda: dict.fromkeys(VALUES, NAN))
    reasons: list[str] = field(default_factory=list)
    coding: str = ""

    def take(self, name: str, found: Noted) -> float:
        self.values[name] = float(found.value)
        if found.note:
            self.reasons.append(found.note)
        return self.values[name]


def judge(
    learner: Any, data: Dataset, seed: int, parameters: Amount | None, capacity: Amount | None, confidence: float
) -> Judged:
    """Fit a learner on all cases and find its criteria there."""
    found = Judged()
    model = _fit(learner, data, seed, found)
    if model is None:
        return found
    n, classes = data.rows, len(data.labels)
    likely = found.take("log_likelihood", _likelihood(model, data, found))
    known = count_parameters(model) if parameters is None else _amount("parameters", parameters, model)
    count = found.take("parameters", known)
    if not math.isnan(likely + count):
        found.values |= {"aic": aic(likely, count), "bic": bic(likely, count, n)}
        found.take("aicc", _aicc(likely, count, n))
    code = describe_length(model, data.X, data.codes, classes, likely, count)
    found.values |= {"mdl_bits": code.bits, "model_bits": code.model_bits, "data_bits": code.data_bits}
    found.coding = code.coding
    known = find_capacity(model, classes) if capacity is None else _amount("capacity", capacity, model)
    h = found.take("vc_dimension", known)
    if not math.isnan(h):
        found.take("srm_bound", _bound(found.values["training_error"], n, h, confidence))
    return found


def _fit(learner: Any, data: Dataset, seed: int, found: Judged) -> Any:
    """Fit, and take the training error; None where that fails, which is the learner's own affair."""
    made = set_random_state(with_setting(learner, {}), seed)
    with _heard("on fitting it", found):
        try:
            model = made.fit(data.X, data.y)
            model = made if model is None else model
            found.values["training_error"] = float(np.mean(np.asarray(model.predict(data.X)).ravel() != data.y))
        except Exception as error:
            found.reasons.append(f"no criteria, because the fit failed: {_first_line(error)}")
            return None
    return model


def _likelihood(model: Any, data: Dataset, found: Judged) -> Noted:
    with _heard("on asking for probabilities", found):
        try:
            return log_likelihood(model, data.X, data.codes, data.labels)
        except Exception as error:
            return Noted(NAN, f"no likelihood, because asking for probabilities failed: {_first_line(error)}")


@contextmanager
def _heard(when: str, found: Judged) -> Iterator[None]:
    """Take warnings of a learner as something to be said of it."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield
    found.reasons += dict.fromkeys(f"{when}: {_first_line(one.message)}" for one in said)


def _first_line(said: Any) -> str:
    told = str(said).strip().splitlines()
    return f"{type(said).__name__}: {told[0] if told else ''}".rstrip(" .:")


def _aicc(likely: float, count: float, n: int) -> Noted:
    value = aicc(likely, count, n)
    if not math.isnan(value):
        return Noted(value)
    return Noted(NAN, f"no AICc, because that needs more than {count + 1:g} cases for {count:g} parameters")


def _bound(training_error: float, n: int, h: float, confidence: float) -> Noted:
    value = vc_bound(training_error, n, h, confidence)
    if value <= 1:
        return Noted(value)
    told = "the SRM bound is vacuous: an error above 1 cannot be"
    return Noted(value, f"{told}, and the VC dimension {h:g} is not below the number of cases" if h >= n else told)


def check_given(name: str, given: Any, learners: Mapping[str, Any]) -> Given:
    """Check amounts that are given by name of learner, before anything runs."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        must(name, "a mapping of names of learners, as {'forest': 7}", given=given)
    for learner, amount in given.items():
        if learner not in learners:
            must_be_one_of(name, learners, given=learner)
        if not callable(amount):
            _check_amount(name, learner, amount)
    return given


def _amount(name: str, given: Amount, model: Any) -> Noted:
    return Noted(_check_amount(name, type(model).__name__, given(model)) if callable(given) else float(given))


def _check_amount(name: str, of: str, amount: Any) -> float:
    least = "0 or above" if name == "parameters" else "above 0"
    right = isinstance(amount, Real) and not isinstance(amount, bool) and 0 <= float(amount) < math.inf
    if not right or (amount == 0 and name != "parameters"):
        must(f"{name} of {of}", f"a number, {least}, or a function that gives it", given=amount)
    return float(amount)
