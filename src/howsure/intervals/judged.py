"""Normal and t intervals for prediction-powered estimates.

See PPI++ (Angelopoulos, Duchi and Zrnic 2023).
"""

from __future__ import annotations

import math

from howsure.intervals.auc import student
from howsure.intervals.declare import Basis, Request, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval


@method("ppi", title="prediction-powered interval", needs="judged", source="Angelopoulos, Duchi and Zrnic 2023")
def _ppi(basis: Basis, request: Request) -> Interval:
    """Value ± z standard errors, clipped to the range."""
    reach = z_value(request.alpha) * basis.standard_error
    return request.close(basis.value - reach, basis.value + reach, "ppi", basis.span)


@method("ppi-t", title="prediction-powered interval with Student's quantile", needs="judged", source="Howsure 2026")
def _ppi_t(basis: Basis, request: Request) -> Interval:
    """Value ± t standard errors; estimating lambda costs a degree of freedom."""
    n, freedom = basis.evidence.freedom
    reach = student(freedom, request) * basis.standard_error * math.sqrt(n / freedom)
    return request.close(basis.value - reach, basis.value + reach, "ppi-t", basis.span)
