"""Agreement of two or more raters on the same items."""

from howsure.raters.breakdown import AgreementParts
from howsure.raters.entry import agreement
from howsure.raters.result import Agreement
from howsure.registry import import_modules

import_modules(__name__)  # modules may declare coefficients

__all__ = ["Agreement", "AgreementParts", "agreement"]
