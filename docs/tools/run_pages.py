"""Run the code of all pages, or of changed pages, and report where the output differs from the page.

``python -m docs.tools.run_pages [PAGE ...]`` checks; ``--write`` writes the actual output into the pages instead.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import multiprocessing
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from docs.tools.blocks import PageError, blocks, run

ROOT = Path(__file__).parents[2]
MADE = ROOT / "docs" / "made"  # pictures, and the record of pages that were run
RECORD = MADE / "pages.json"
# Modules that pages use: they are imported once, and a process is forked for each page.
LOADED = ("howsure.assessment", "matplotlib.pyplot", "pandas", "sklearn.ensemble")


def pages() -> list[Path]:
    """Return all pages with code to run; code of generated pages is run when they are generated."""
    paths = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*/*.md")]
    return sorted(path for path in paths if any(blocks(path.read_text(encoding="utf-8"))))


def fingerprint(path: Path, *, package: str) -> str:
    return hashlib.sha256(package.encode() + path.read_bytes()).hexdigest()


def package_fingerprint() -> str:
    """Return a checksum of the package: pages are run again when it changes."""
    sources = sorted(path for ending in ("py", "gz") for path in (ROOT / "src").rglob(f"*.{ending}"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def difference(path: Path) -> tuple[str, str, str]:
    """Run a page and return its name, its corrected text, and the differences or the error."""
    name = str(path.relative_to(ROOT))
    try:
        actual = run(path, pictures=MADE / "pictures")
    except PageError as error:
        return name, "", str(error)
    text = path.read_text(encoding="utf-8")
    lines = difflib.unified_diff(text.splitlines(True), actual.splitlines(True), name, "printed", n=1)
    return name, actual, "".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.tools.run_pages", description=__doc__)
    parser.add_argument(
        "pages", nargs="*", type=Path, help="pages to run even if unchanged (default: all changed pages)"
    )
    parser.add_argument("--write", action="store_true", help="write the actual output into the pages")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    package, record = package_fingerprint(), json.loads(RECORD.read_text()) if RECORD.exists() else {}
    todo = [path.resolve() for path in options.pages] or [
        path for path in pages() if record.get(str(path.relative_to(ROOT))) != fingerprint(path, package=package)
    ]
    wrong = 0
    for name in LOADED:
        import_module(name)
    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
        for name, actual, differences in pool.imap_unordered(difference, todo, chunksize=1):
            if differences and options.write and actual:
                (ROOT / name).write_text(actual, encoding="utf-8")
                print(f"{name}: written")
            elif differences:
                wrong += 1
                print(differences, flush=True)
                continue
            record[name] = fingerprint(ROOT / name, package=package)
    MADE.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(record, indent=0, sort_keys=True))
    print(f"{len(todo)} pages were run, {wrong} of them fail or print something else.")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
