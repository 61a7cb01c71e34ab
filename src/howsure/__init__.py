"""Assess and compare classifiers: estimates, intervals and tests.

All names are imported on first use, so that ``import howsure`` is fast. ``__init__.pyi`` lists them.
"""

import lazy_loader

from howsure._version import __version__

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ = [*__all__, "__version__"]
