"""Coded findings: what a careful colleague would say on seeing the numbers. The reference explains them."""

from assay.advice.declare import Evidence, Finding, findings, registry
from assay.registry import import_modules

import_modules(__name__)

__all__ = ["Evidence", "Finding", "findings", "registry"]
