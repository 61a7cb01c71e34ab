"""Upper bounds on a leaf's error rate, for pruning trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import as_float, numbers, one_of
from howsure.errors import HowsureError, must, must_be_share
from howsure.intervals.proportion import beta_quantile, score_bounds


@dataclass(frozen=True)
class Bound:
    """An upper bound on the error rate."""

    kernel: Callable[[Array, Array, float], Array]
    most: float = 1.0  # largest confidence for which the bound is defined


def upper_error(errors: ArrayLike, n: ArrayLike, confidence: float = 0.25, bound: str = "wilson") -> Any:
    """Return the upper bound on the error rate of a leaf.

    Parameters
    ----------
    errors, n
        Numbers of errors and of cases in the leaf; scalars or arrays, not necessarily integers. The bound is NaN if
        ``n`` is 0.
    confidence
        Probability that the error rate exceeds the bound: smaller values give higher bounds. At most 0.5 for "c45".
    bound
        "wilson" is the one-sided Wilson bound, "exact" is the Clopper-Pearson bound described by Quinlan (1993), and
        "c45" is its approximation in the programs C4.5 and Weka.

    Returns
    -------
    float or array
        The upper bound.

    Examples
    --------
    >>> from howsure.learners import upper_error
    >>> round(upper_error(1, 16, bound="exact"), 4)
    0.1596
    >>> upper_error([2, 5], [6, 14]).round(3).tolist()
    [0.471, 0.447]
    """
    kernel = bound_kernel(confidence, bound)
    wrong, cases = numbers("errors", errors), numbers("n", n)
    try:
        wrong, cases = np.broadcast_arrays(wrong, cases)
    except ValueError:
        raise HowsureError(
            f"`errors` and `n` must have shapes that can be broadcast, not {wrong.shape} and {cases.shape}."
        ) from None
    invalid = ~((wrong >= 0) & (wrong <= cases) & np.isfinite(cases))
    if invalid.any():
        raise HowsureError(
            f"`errors` must be between 0 and `n`, not {wrong[invalid][0]:g} for n = {cases[invalid][0]:g}."
        )
    rates = np.where(cases > 0, kernel(wrong, np.where(cases > 0, cases, 1.0), float(confidence)), np.nan)
    return float(rates) if rates.ndim == 0 else rates


def bound_kernel(confidence: Any, bound: Any) -> Callable[[Array, Array, float], Array]:
    """Validate the name and confidence of a bound, and return its kernel."""
    one_of("bound", bound, BOUNDS)
    most = BOUNDS[bound].most
    if isinstance(confidence, bool) or not 0 < as_float(confidence) < 1:
        must_be_share("confidence", "a number between 0 and 1", given=confidence)
    if float(confidence) > most:
        must("confidence", f"at most {most:g} for the bound {bound!r}", given=confidence)
    return BOUNDS[bound].kernel


def _wilson(errors: Array, n: Array, confidence: float) -> Array:
    low, high = score_bounds(errors, n, min(confidence, 1 - confidence))
    rates = high if confidence <= 0.5 else low  # for a confidence above 0.5, the bound is the lower score limit
    return np.clip(rates, 0.0, 1.0)  # removes rounding errors


def _exact(errors: Array, n: Array, confidence: float) -> Array:
    rates = np.where(errors < n, 1 - confidence ** (1 / n), 1.0)  # closed form for leaves without errors
    some = (errors > 0) & (errors < n)
    rates[some] = beta_quantile(confidence, errors[some] + 1, (n - errors)[some], upper=True)
    return rates


def _c45(errors: Array, n: Array, confidence: float) -> Array:
    """Add errors like Weka's ``Stats.addErrs``, which interpolates linearly below one error."""
    at_none = n * (1 - confidence ** (1 / n))
    at_one = _corrected(np.ones_like(n), n, confidence)
    added = np.where(errors < 1, at_none + errors * (at_one - at_none), _corrected(errors, n, confidence))
    return np.minimum((errors + added) / n, 1.0)  # with weights below 1 the rate could exceed 1


def _corrected(errors: Array, n: Array, confidence: float) -> Array:
    """Return the number of errors to add if there is at least one: the Wilson bound with continuity correction."""
    inside = errors + 0.5 < n
    corrected = np.where(inside, errors + 0.5, 0.0)
    return np.where(inside, score_bounds(corrected, n, confidence)[1] * n - errors, np.maximum(n - errors, 0.0))


BOUNDS = {"wilson": Bound(_wilson), "exact": Bound(_exact), "c45": Bound(_c45, most=0.5)}
