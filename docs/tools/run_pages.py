"""Run the code of every page, or of those that changed, and say where a page does not print what it says.

``python -m docs.tools.run_pages [PAGE ...]`` checks; ``--write`` puts what was printed into the pages instead.
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
MADE = ROOT / "docs" / "made"  # what running pages leaves: pictures, and which pages were run
SEEN = MADE / "pages.json"
# What pages load: a process for each is forked from one that has it.
LOADED = ("howsure.assessment", "matplotlib.pyplot", "pandas", "sklearn.ensemble")


def pages() -> list[Path]:
    """Give every page that has code to run; that of the generated ones is run when they are made."""
    found = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*/*.md")]
    return sorted(path for path in found if any(blocks(path.read_text(encoding="utf-8"))))


def fingerprint(path: Path, *, package: str) -> str:
    return hashlib.sha256(package.encode() + path.read_bytes()).hexdigest()


def package_fingerprint() -> str:
    """Give one word for the state of the package: pages are run again when it changes."""
    sources = sorted(path for ending in ("py", "gz") for path in (ROOT / "src").rglob(f"*.{ending}"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def difference(path: Path) -> tuple[str, str, str]:
    """Run a page; give the page as it should be, and what differs or failed."""
    name = str(path.relative_to(ROOT))
    try:
        made = run(path, pictures=MADE / "pictures")
    except PageError as error:
        return name, "", str(error)
    said = path.read_text(encoding="utf-8")
    return name, made, "".join(difflib.unified_diff(said.splitlines(True), made.splitlines(True), name, "printed", n=1))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.tools.run_pages", description=__doc__)
    parser.add_argument(
        "pages", nargs="*", type=Path, help="pages to run whether they changed or not; or all that changed"
    )
    parser.add_argument("--write", action="store_true", help="put what was printed into the pages")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    package, seen = package_fingerprint(), json.loads(SEEN.read_text()) if SEEN.exists() else {}
    todo = [path.resolve() for path in options.pages] or [
        path for path in pages() if seen.get(str(path.relative_to(ROOT))) != fingerprint(path, package=package)
    ]
    wrong = 0
    for name in LOADED:
        import_module(name)
    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
        for name, made, found in pool.imap_unordered(difference, todo, chunksize=1):
            if found and options.write and made:
                (ROOT / name).write_text(made, encoding="utf-8")
                print(f"{name}: written")
            elif found:
                wrong += 1
                print(found, flush=True)
                continue
            seen[name] = fingerprint(ROOT / name, package=package)
    MADE.mkdir(exist_ok=True)
    SEEN.write_text(json.dumps(seen, indent=0, sort_keys=True))
    print(f"{len(todo)} pages were run, {wrong} of them do not do what they say.")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
