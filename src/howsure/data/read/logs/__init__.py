"""Read model evaluation logs: inspect_ai and lm-evaluation-harness.

`recognise` distinguishes logs from other files, `read` reads one, and `pair` joins several logs by sample. There is a
reader for each program, `inspect_ai` and `harness`; `archive` unpacks archives within limits, and `outcomes` defines
how answers count.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
