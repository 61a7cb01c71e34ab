"""Experiments: a plan, its tasks, a folder of results that can be resumed, and the results."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
