"""Read logs of model evaluations: inspect_ai, lm-evaluation-harness.

`recognise` tells a log from other files, `read` reads one, and `pair` joins several logs by sample. The two programs
have a reader each, `inspect_ai` and `harness`; `archive` unpacks archives within limits, and `outcomes` defines how
answers count.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
