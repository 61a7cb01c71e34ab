"""Write the reference pages below docs/reference, unless nothing changed that they are read off."""

from __future__ import annotations

import hashlib
from pathlib import Path

from docs.tools.reference import write

ROOT = Path(__file__).parents[3]
SEEN = ROOT / "docs" / "made" / "reference.txt"
READ = ("src/**/*.py", "src/**/*.gz", "lab/*.py", "docs/tools/**/*.py", "docs/coming-from/disagreements.md")


def fingerprint() -> str:
    files = sorted(path for pattern in READ for path in ROOT.glob(pattern))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


if __name__ == "__main__":
    now = fingerprint()
    if not SEEN.exists() or SEEN.read_text() != now:
        write(ROOT / "docs" / "reference")
        SEEN.parent.mkdir(exist_ok=True)
        SEEN.write_text(now)
