"""ARFF: its heading names the columns; its data are read by DuckDB like any text file.

SciPy's reader takes no text attributes and goes row by row, so it serves neither predictions nor large files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.errors import AssayError

ATTRIBUTE = re.compile(r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s+\S""", re.IGNORECASE)


def arff_options(paths: Sequence[str]) -> str:
    """Give the options of DuckDB's text reader for ARFF files, which must all have the same heading."""
    headings = {_heading(path) for path in paths}
    if len(headings) > 1:
        raise AssayError("all ARFF files of `data` must have the same attributes and the same length of heading.")
    skip, names = headings.pop()
    quoted = (("'" + name.replace("'", "''") + "'") for name in names)
    columns = ", ".join(f"{name}: 'VARCHAR'" for name in quoted)
    return (
        f"columns={{{columns}}}, skip={skip}, header=false, auto_detect=false, delim=',', quote='''', "
        "escape='\\', nullstr='?', comment='%'"
    )


def _heading(path: str) -> tuple[int, tuple[str, ...]]:
    names: list[str] = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            start = line.strip().lower()
            if start.startswith("@attribute"):
                found = ATTRIBUTE.match(line.strip())
                if not found:
                    raise AssayError(f"{path!r} is not ARFF: line {number} declares no attribute that can be read.")
                names.append(next(part for part in found.groups() if part is not None))
            elif start.startswith("@data"):
                return number, tuple(names)
    raise AssayError(f"{path!r} is not ARFF: it has no line '@data'.")
