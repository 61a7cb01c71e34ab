"""Write the reference pages below docs/reference if their sources have changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from docs.tools.reference import write

ROOT = Path(__file__).parents[3]
RECORD = ROOT / "docs" / "made" / "reference.txt"
SOURCES = ("src/**/*.py", "src/**/*.gz", "lab/*.py", "docs/tools/**/*.py", "docs/coming-from/disagreements.md")


def fingerprint() -> str:
    files = sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


if __name__ == "__main__":
    current = fingerprint()
    if not RECORD.exists() or RECORD.read_text() != current:
        write(ROOT / "docs" / "reference")
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text(current)
