"""A headless Chromium for the tests of pages, where there is one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium was found, so pages were not looked at; install one, or name it by CHROMIUM")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which npm installs: `.ci/run` does."""
    found = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
    if not found.exists():
        pytest.skip("axe-core is not installed, so accessibility was not checked; `npm install axe-core` installs it")
    return found.read_text(encoding="utf-8")
