"""When Python looks for garbage that holds itself in cycles, which takes as long as there are objects."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Let no collection fall into what is inside, which makes many objects to stay, or copies this process."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
