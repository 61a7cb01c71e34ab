"""Presentation of results: tables in all formats, charts, and HTML pages."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
