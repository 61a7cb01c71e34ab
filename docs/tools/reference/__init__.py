"""Pages generated from the registries: one for each measure, interval method, test, curve and finding.

They are written before Sphinx runs and are not in the repository, so they are always up to date. Each has an example,
which is run when the page is generated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

Content = str | bytes
MAKERS = ("measures", "intervals", "tests", "curves", "charts", "advice")


def pages() -> Iterator[tuple[str, Content]]:
    """Yield each page and picture with its path below docs/reference."""
    from docs.tools import api, terms

    yield "terms.md", terms.page()
    yield from ((f"api/{name}", text) for name, text in api.pages().items())
    for name in MAKERS:
        yield from import_module(f"{__name__}.{name}").pages()


def toctree(names: Iterable[str]) -> str:
    """Return the hidden table of contents of an index page."""
    listed = "\n".join(names)
    return f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"


def write(folder: Path) -> None:
    """Write changed pages only, so that Sphinx does not process the others again."""
    for name, content in pages():
        path, new = folder / name, content if isinstance(content, bytes) else content.encode()
        if not path.exists() or path.read_bytes() != new:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(new)
