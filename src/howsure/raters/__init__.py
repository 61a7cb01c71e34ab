"""Raters: how far two or more of them agree about the same items."""

from howsure.raters.entry import agreement
from howsure.raters.parts import AgreementParts
from howsure.raters.result import Agreement
from howsure.registry import import_modules

import_modules(__name__)  # each may declare coefficients

__all__ = ["Agreement", "AgreementParts", "agreement"]
