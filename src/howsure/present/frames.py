"""Data frames in the library that the user works with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.checks import one_of
from howsure.errors import MissingLibraryError

FRAMES: tuple[Any, ...] = ("pandas", "polars", "pyarrow")


def frame_of(columns: Mapping[str, Any], like: str | None = None) -> Any:
    """Return a data frame, by default from the first installed library."""
    import importlib.util

    import narwhals as nw

    if like is not None:
        one_of("like", like, FRAMES)
    installed = (name for name in ((like,) if like else FRAMES) if importlib.util.find_spec(name))
    library: Any = next(installed, None)
    if library is None:
        raise MissingLibraryError("`.frame()` needs a data frame library; install pandas, polars or pyarrow.")
    return nw.from_dict(columns, backend=library).to_native()
