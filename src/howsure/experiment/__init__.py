"""Experiments: plan and run learners on data sets, store the results, and read them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
