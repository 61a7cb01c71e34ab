"""Log-likelihood of a fitted classifier, and the criteria that set it against the number of parameters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.errors import counted
from howsure.theory.information.fitted_models import NAN, SOFTMAX, Noted, is_kind, is_one_vs_rest, last_step

NEAR_ONE = 1e-3  # by how much probabilities may fail to add up to 1
WEIGHTED = "classes are weighted, so the fit is not the most likely one, which the criteria take it for"


def log_likelihood(model: Any, X: Any, codes: IntArray, labels: tuple[Any, ...]) -> Noted:
    """Give the sum of log P(class | attributes) over the cases; ``codes`` are indices into ``labels``."""
    if not hasattr(model, "predict_proba"):
        return Noted(NAN, "no likelihood, because it has no `predict_proba`")
    if not hasattr(model, "classes_"):
        return Noted(NAN, "no likelihood, because it has no `classes_`")
    logs = _log_probabilities(model, X)
    classes = np.asarray(model.classes_).tolist()
    present = {code: labels[code] for code in np.unique(codes).tolist()}
    if logs.shape != (len(codes), len(classes)) or any(label not in classes for label in present.values()):
        return Noted(NAN, "no likelihood, because it does not give each class a probability")
    column = np.zeros(len(labels), np.int64)
    for code, label in present.items():
        column[code] = classes.index(label)
    own = logs[np.arange(len(codes)), column[codes]]  # of the class that each case has
    if np.isnan(own).any():
        first = int(np.flatnonzero(np.isnan(own))[0])
        return Noted(NAN, f"no likelihood, because the probability is not a number at index {first}")
    if (odd := abs(np.exp(logs).sum(axis=1) - 1) > NEAR_ONE).any():
        return Noted(NAN, f"no likelihood, because its probabilities do not add up to 1 at index {int(odd.argmax())}")
    if np.isneginf(own).any():
        impossible = np.flatnonzero(np.isneginf(own))
        cases = f"{counted(len(impossible), 'case')} (the first at index {impossible[0]})"
        return Noted(-math.inf, f"log-likelihood -inf, because the class of {cases} was given probability 0")
    return Noted(math.fsum(own.tolist()), WEIGHTED if getattr(last_step(model), "class_weight", None) else "")


def _log_probabilities(model: Any, X: Any) -> Any:
    """Take logarithms before anything small becomes 0, where the model allows it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if is_kind(last_step(model), *SOFTMAX) and not is_one_vs_rest(last_step(model)):
            from scipy.special import log_softmax

            logits = np.asarray(model.decision_function(X), float)
            logits = np.column_stack([np.zeros(len(logits)), logits]) if logits.ndim == 1 else logits
            return log_softmax(logits, axis=1)
        if hasattr(model, "predict_log_proba"):
            return np.asarray(model.predict_log_proba(X), float)
        return np.log(np.asarray(model.predict_proba(X), float))


def aic(log_likelihood: float, parameters: float) -> float:
    """Give Akaike's criterion, 2k - 2 ln L.

    Examples
    --------
    >>> from howsure.theory.information.likelihood import aic
    >>> aic(-100, 3)
    206
    """
    return 2 * parameters - 2 * log_likelihood


def aicc(log_likelihood: float, parameters: float, n: int) -> float:
    """Give AIC corrected for few cases, AIC + 2k(k + 1) / (n - k - 1); NaN where n is not above k + 1."""
    left = n - parameters - 1
    return aic(log_likelihood, parameters) + 2 * parameters * (parameters + 1) / left if left > 0 else NAN


def bic(log_likelihood: float, parameters: float, n: int) -> float:
    """Give the Bayesian (Schwarz's) criterion, k ln n - 2 ln L."""
    return parameters * math.log(n) - 2 * log_likelihood
