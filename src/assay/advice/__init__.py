"""Coded findings: what a careful colleague would say on seeing the numbers. One section each in docs/advice.md."""

from importlib import import_module
from pkgutil import iter_modules

from assay.advice.declare import Evidence, Finding, findings, registry

for _module in iter_modules(__path__):  # each declares its findings
    import_module(f"{__name__}.{_module.name}")

__all__ = ["Evidence", "Finding", "findings", "registry"]
