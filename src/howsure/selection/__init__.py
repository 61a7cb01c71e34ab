"""Selection: how error depends on cases, settings and noise; and choosing a setting without fooling oneself.

Everything is imported on first use. What there is, is said once, in ``__init__.pyi``.
"""

from howsure.on_first_use import stubbed

__getattr__, __dir__, listed = stubbed(__name__, __file__)
__all__ = [*listed]
