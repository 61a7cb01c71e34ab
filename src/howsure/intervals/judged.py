"""Intervals of a prediction-powered estimate from its standard error alone."""

from __future__ import annotations

import math

from howsure.intervals.auc import student
from howsure.intervals.declare import Basis, Request, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval


@method("ppi", title="prediction-powered interval", needs="judged", source="Angelopoulos, Duchi and Zrnic 2023")
def _ppi(basis: Basis, request: Request) -> Interval:
    """Give value ± z standard errors of human labels and judged ones, cut off at the ends of the range."""
    reach = z_value(request.alpha) * basis.standard_error
    return request.close(basis.value - reach, basis.value + reach, "ppi", basis.span)


@method("ppi-t", title="the same with Student's quantile", needs="judged", source="Howsure 2026")
def _ppi_t(basis: Basis, request: Request) -> Interval:
    """Take Student's quantile, with one degree of freedom less for the lambda, where it is not 0."""
    n, freedom = basis.evidence.freedom
    reach = student(freedom, request) * basis.standard_error * math.sqrt(n / freedom)
    return request.close(basis.value - reach, basis.value + reach, "ppi-t", basis.span)
