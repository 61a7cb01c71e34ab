"""Coded findings: what a careful colleague would say on seeing the table. One page each in docs/advice.md."""

from assay.advice.declare import Finding, registry
from assay.advice.labels import findings

__all__ = ["Finding", "findings", "registry"]
