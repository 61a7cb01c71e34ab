"""Findings: warnings about the data or the results, each with a code."""

from howsure.advice.declare import Evidence, Finding, findings, registry
from howsure.registry import import_modules

import_modules(__name__)

__all__ = ["Evidence", "Finding", "findings", "registry"]
