"""Raters: how far two or more of them agree about the same items."""

from assay.raters.entry import agreement
from assay.raters.parts import AgreementParts
from assay.raters.result import Agreement
from assay.registry import import_modules

import_modules(__name__)  # each may declare coefficients

__all__ = ["Agreement", "AgreementParts", "agreement"]
