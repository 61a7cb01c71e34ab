"""Delta method: intervals from a value, its standard error and its range.

Near an end of the range, the interval is computed on an unbounded scale and transformed back. With value v, standard
error s, and a range from a to b:

    log scale (0 to infinity)   v exp(± z s / v)
    logit scale (a to b)        logit((v - a) / (b - a)) ± z s (b - a) / ((v - a) (b - v))
"""

from __future__ import annotations

import math
from dataclasses import replace

from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval

NO_SPREAD = 1e-12  # a smaller standard error is rounding error


@method("delta", title="delta method", needs="error", source="value ± z standard errors")
def plain(basis: Basis, request: Request) -> Interval:
    """Value ± z standard errors, clipped to the range."""
    error = basis.standard_error
    interval = _plain(basis.value, error, basis.span, request)
    return interval if error > 0 else replace(interval, notes=("the estimated standard error is 0",))


@method("delta-scaled", title="delta method", needs="error", source="on the log or logit scale near the ends")
def scaled(basis: Basis, request: Request) -> Interval:
    """Value ± z standard errors, on a log or logit scale near the ends."""
    error = basis.standard_error
    if error > NO_SPREAD and math.isfinite(error) and basis.span[0] < basis.value < basis.span[1]:
        return delta(basis.value, error, basis.span, request)
    return basis.without_spread(request)


@method("paired-delta", title="delta method for two classifiers", needs="paired error", source="Bonett and Price 2012")
def paired(basis: Basis, request: Request) -> Interval:
    """Differences between two classifiers that the delta test does not reject."""
    tested = basis.paired_error
    if tested.reason:
        return request.undefined(tested.reason)
    if not tested.error > NO_SPREAD:
        return basis.without_spread(request)
    if tested.on_log:  # ratios are tested on the log scale, which gives no interval for their difference
        return replace(_plain(basis.value, basis.standard_error, basis.span, request), method="paired-delta")
    reach = tested.reach(request.alpha)
    return request.close(tested.value - reach, tested.value + reach, "paired-delta", basis.span)


def delta(value: float, error: float, span: Span, request: Request) -> Interval:
    """Return value ± z standard errors, on a log or logit scale near the ends.

    For ratios, whose range is 0 to infinity, the log scale is always used.
    """
    reach = z_value(request.alpha) * error
    lowest, highest = span
    if not lowest < value < highest:
        return _plain(value, error, span, request)
    if lowest == 0 and math.isinf(highest):
        return request.close(*_on_log_scale(value, reach), "delta-log", span)
    if math.isinf(lowest) and value + reach > highest:
        above, below = _on_log_scale(highest - value, reach)
        return request.close(highest - below, highest - above, "delta-log", span)
    if not math.isinf(lowest) and (value - reach < lowest or value + reach > highest):
        return request.close(*_on_logit_scale(value, reach, lowest, highest), "delta-logit", span)
    return _plain(value, error, span, request)


def logit_limits(value: float, down: float, up: float) -> Span:
    """Return logit-scale limits ``down`` below and ``up`` above a share."""
    low, high = (1 / (1 + (1 - value) / value * math.exp(move)) for move in (min(down, 700.0), -min(up, 700.0)))
    return low, high


def _plain(value: float, error: float, span: Span, request: Request) -> Interval:
    reach = z_value(request.alpha) * error
    return request.close(value - reach, value + reach, "delta", span)


def _on_log_scale(value: float, reach: float) -> tuple[float, float]:
    factor = math.exp(min(reach / value, 700))
    return value / factor, value * factor


def _on_logit_scale(value: float, reach: float, lowest: float, highest: float) -> tuple[float, float]:
    below, above, width = value - lowest, highest - value, highest - lowest
    factor = math.exp(min(reach * width / (below * above), 700))
    return lowest + width * below / (below + above * factor), highest - width * above / (below * factor + above)
