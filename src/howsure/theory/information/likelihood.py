"""Log-likelihood of a fitted classifier, and the information criteria."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.errors import counted
from howsure.theory.information.fitted_models import NAN, SOFTMAX, Noted, is_kind, is_one_vs_rest, last_step

TOLERANCE = 1e-3  # tolerance for the sum of probabilities
WEIGHTED = "classes are weighted, so the fit does not maximize the likelihood, which the criteria assume"


def log_likelihood(model: Any, X: Any, codes: IntArray, labels: tuple[Any, ...]) -> Noted:
    """Return the sum of log P(class | features) over the cases; ``codes`` are indices into ``labels``."""
    if not hasattr(model, "predict_proba"):
        return Noted(NAN, "no likelihood, because it has no `predict_proba`")
    if not hasattr(model, "classes_"):
        return Noted(NAN, "no likelihood, because it has no `classes_`")
    logs = _log_probabilities(model, X)
    classes = np.asarray(model.classes_).tolist()
    present = {code: labels[code] for code in np.unique(codes).tolist()}
    if logs.shape != (len(codes), len(classes)) or any(label not in classes for label in present.values()):
        return Noted(NAN, "no likelihood, because it does not predict a probability for each class")
    column = np.zeros(len(labels), np.int64)
    for code, label in present.items():
        column[code] = classes.index(label)
    true = logs[np.arange(len(codes)), column[codes]]  # log probability of the true class
    if np.isnan(true).any():
        first = int(np.flatnonzero(np.isnan(true))[0])
        return Noted(NAN, f"no likelihood, because the probability is NaN at index {first}")
    if (odd := abs(np.exp(logs).sum(axis=1) - 1) > TOLERANCE).any():
        return Noted(NAN, f"no likelihood, because its probabilities do not sum to 1 at index {int(odd.argmax())}")
    if np.isneginf(true).any():
        impossible = np.flatnonzero(np.isneginf(true))
        cases = f"{counted(len(impossible), 'case')} (the first at index {impossible[0]})"
        return Noted(-math.inf, f"log-likelihood -inf, because the true class of {cases} has probability 0")
    return Noted(math.fsum(true.tolist()), WEIGHTED if getattr(last_step(model), "class_weight", None) else "")


def _log_probabilities(model: Any, X: Any) -> Any:
    """Return log probabilities, without underflow of small probabilities if possible."""
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
    """Return Akaike's information criterion, 2k - 2 ln L (Akaike, 1974)."""
    return 2 * parameters - 2 * log_likelihood


def aicc(log_likelihood: float, parameters: float, n: int) -> float:
    """Return AIC with a correction for few cases, AIC + 2k(k + 1) / (n - k - 1) (Hurvich and Tsai, 1989)."""
    denominator = n - parameters - 1
    if denominator <= 0:
        return NAN
    return aic(log_likelihood, parameters) + 2 * parameters * (parameters + 1) / denominator


def bic(log_likelihood: float, parameters: float, n: int) -> float:
    """Return the Bayesian information criterion, k ln n - 2 ln L (Schwarz, 1978)."""
    return parameters * math.log(n) - 2 * log_likelihood
