"""Raters: how far two or more of them agree about the same items."""

from assay.raters.entry import agreement
from assay.raters.parts import AgreementParts
from assay.raters.result import Agreement

__all__ = ["Agreement", "AgreementParts", "agreement"]
