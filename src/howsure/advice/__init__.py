"""Coded findings: what a careful colleague would say on seeing the numbers. The reference explains them."""

from howsure.advice.declare import Evidence, Finding, findings, registry
from howsure.registry import import_modules

import_modules(__name__)

__all__ = ["Evidence", "Finding", "findings", "registry"]
