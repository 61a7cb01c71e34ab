"""The pruning bounds: how wrong a leaf may be, given its error rate on the training cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import numbers, one_of, real
from howsure.errors import HowsureError, must, must_be_share
from howsure.intervals.proportion import beta_quantile, score_bounds


@dataclass(frozen=True)
class Bound:
    """An upper bound of the error rate; ``most`` is the largest confidence it is defined for."""

    kernel: Callable[[Array, Array, float], Array]
    most: float = 1.0


def upper_error(errors: ArrayLike, n: ArrayLike, confidence: float = 0.25, bound: str = "wilson") -> Any:
    """Give the error rate that a leaf with so many errors among ``n`` cases has to be credited with.

    ``confidence`` is the probability left above the bound: the smaller it is, the higher the bound. Counts may be
    arrays, and need not be whole numbers. With no case at all there is no bound: NaN.

    Parameters
    ----------
    errors, n
        Errors, and the cases they are among; one bound for each pair.
    confidence
        Between 0 and 1. For ``"c45"`` at most 0.5, above which Weka adds no error at all.
    bound
        ``"wilson"``: one-sided Wilson bound. ``"exact"``: binomial (Clopper-Pearson) bound, as Quinlan describes it.
        ``"c45"``: the approximation of it in the programs C4.5 and Weka.

    Returns
    -------
    float or array
        The bound, of each pair.

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
        raise HowsureError(f"`errors` must be as many as `n`, not of shape {wrong.shape} and {cases.shape}.") from None
    bad = ~((wrong >= 0) & (wrong <= cases) & np.isfinite(cases))
    if bad.any():
        raise HowsureError(f"`errors` must lie between 0 and `n`, not {wrong[bad][0]:g} out of {cases[bad][0]:g}.")
    rates = np.where(cases > 0, kernel(wrong, np.where(cases > 0, cases, 1.0), float(confidence)), np.nan)
    return float(rates) if rates.ndim == 0 else rates


def bound_kernel(confidence: Any, bound: Any) -> Callable[[Array, Array, float], Array]:
    """Give the kernel of a bound, or refuse the name or the confidence."""
    one_of("bound", bound, BOUNDS)
    most = BOUNDS[bound].most
    if isinstance(confidence, bool) or not 0 < real(confidence) < 1:
        must_be_share("confidence", "a number between 0 and 1", given=confidence)
    if float(confidence) > most:
        must("confidence", f"at most {most:g} for the bound {bound!r}", given=confidence)
    return BOUNDS[bound].kernel


def _wilson(errors: Array, n: Array, confidence: float) -> Array:
    low, high = score_bounds(errors, n, min(confidence, 1 - confidence))
    rates = high if confidence <= 0.5 else low  # leaving more than one half above is leaving less below
    return np.clip(rates, 0.0, 1.0)  # rounding may lead past the ends


def _exact(errors: Array, n: Array, confidence: float) -> Array:
    rates = np.where(errors < n, 1 - confidence ** (1 / n), 1.0)  # the form for no errors, which most leaves have
    some = (errors > 0) & (errors < n)
    rates[some] = beta_quantile(confidence, errors[some] + 1, (n - errors)[some], upper=True)
    return rates


def _c45(errors: Array, n: Array, confidence: float) -> Array:
    """Add errors as Weka's ``Stats.addErrs`` does; below one error, on a line between none and one."""
    at_none = n * (1 - confidence ** (1 / n))
    at_one = _corrected(np.ones_like(n), n, confidence)
    added = np.where(errors < 1, at_none + errors * (at_one - at_none), _corrected(errors, n, confidence))
    return np.minimum((errors + added) / n, 1.0)  # weights below 1 would lead past 1


def _corrected(errors: Array, n: Array, confidence: float) -> Array:
    """Errors to add to one or more: Wilson's bound after the continuity correction of one half."""
    inside = errors + 0.5 < n
    moved = np.where(inside, errors + 0.5, 0.0)
    return np.where(inside, score_bounds(moved, n, confidence)[1] * n - errors, np.maximum(n - errors, 0.0))


BOUNDS = {"wilson": Bound(_wilson), "exact": Bound(_exact), "c45": Bound(_c45, most=0.5)}
