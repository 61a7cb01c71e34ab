"""Estimators of the error rate that refit a learner to quantify their uncertainty, imported on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
