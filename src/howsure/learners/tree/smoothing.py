"""Smoothed probabilities: Laplace's rule of succession and the m-estimate (Cestnik, 1990)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import as_float, numbers
from howsure.errors import HowsureError, must, must_be_one_of

METHODS = (None, "laplace", "m")


def smooth(counts: ArrayLike, method: str | None, m: float = 2.0, prior: ArrayLike | None = None) -> Array:
    """Estimate probabilities from class counts.

    Parameters
    ----------
    counts
        Number of cases per class; classes are on the last axis.
    method
        "laplace": (count + 1) / (N + classes). "m": (count + m prior) / (N + m). None: count / N.
    m
        With "m", the weight of the prior, as a number of cases.
    prior
        With "m", the prior probability of each class; by default, all classes are equally probable.

    Returns
    -------
    array
        Probabilities, with the same shape as the counts.

    Examples
    --------
    >>> from howsure.learners import smooth
    >>> smooth([6, 0], "laplace").tolist()
    [0.875, 0.125]
    >>> smooth([6, 0], "m", m=2, prior=[0.5, 0.5]).tolist()
    [0.875, 0.125]
    """
    check_smoothing(method, m, "method")
    cases = numbers("counts", counts)
    if cases.ndim == 0 or cases.shape[-1] == 0 or not (np.isfinite(cases).all() and (cases >= 0).all()):
        must("counts", "numbers of cases per class, 0 or more", given=counts)
    classes = cases.shape[-1]
    shares = np.full(classes, 1 / classes) if prior is None else numbers("prior", prior)
    if shares.shape != (classes,) or not ((shares >= 0).all() and math.isclose(shares.sum(), 1, rel_tol=1e-9)):
        raise HowsureError(f"`prior` must be {classes} probabilities that sum to 1, not {prior!r}.")
    added = {None: np.zeros(classes), "laplace": np.ones(classes), "m": m * shares}[method]
    with np.errstate(invalid="ignore"):  # 0 / 0 is NaN
        return np.asarray((cases + added) / (cases.sum(-1, keepdims=True) + added.sum()), float)


def check_smoothing(method: Any, m: Any, name: str = "smoothing") -> None:
    if not (method is None or isinstance(method, str)) or method not in METHODS:
        must_be_one_of(name, METHODS, given=method)
    if isinstance(m, bool) or not 0 <= as_float(m) < math.inf:
        must("m", "a number of cases, 0 or more", given=m)
