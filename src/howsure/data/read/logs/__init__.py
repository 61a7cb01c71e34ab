"""The logs of model evaluations: what inspect_ai and lm-evaluation-harness write becomes columns.

`recognise` tells a log from other files, `read` is the way in, and `pair` puts several logs together by sample. What
the two write is read by `inspect_ai` and `harness`; an archive is opened by `archive`, which bounds what is unpacked.
`outcomes` states what an answer counts. Imported on first use: most who assess predictions have no log.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
