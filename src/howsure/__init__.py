"""Assess and compare classifiers: how good is it, how sure are we, is it really better than the other one?

Everything is imported on first use, so that ``import howsure`` costs next to nothing. What there is, is said
once, in ``__init__.pyi``.
"""

import lazy_loader

from howsure._version import __version__

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ = [*__all__, "__version__"]
