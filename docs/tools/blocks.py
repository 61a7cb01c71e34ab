"""Run the code blocks of a page and compare their output with the output shown on the page.

The ``python`` blocks of a page share a namespace. Python and ``console`` blocks run in the same folder, which is empty
at the start. A ``text`` block right after a Python block is the output of that block; in a console block, the lines
after a line that starts with "$ " are the output of that command. A line "..." matches any number of lines, and "…"
within a line matches any text, such as a time. A picture that a block saves and the page shows is kept for the site.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^(?P<fence>```+)(?P<kind>[^`\n]*)\n(?P<body>.*?)^(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]*\]\((?P<path>[^)\s]+)\)")
RUN = ("python", "console")
WIDTH = "80"  # columns of the terminal


@dataclass(frozen=True)
class Block:
    """Code block of a page with its printed output, or ``None`` if the page shows no output."""

    kind: str
    code: str
    line: int
    printed: str | None
    at: slice = field(repr=False)  # position of the output in the page


class PageError(AssertionError):
    """A page whose code fails."""


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page that are run, in order."""
    fences = list(FENCE.finditer(text))
    for match, after in zip_longest(fences, fences[1:]):
        if match["kind"] not in RUN:
            continue
        line = text.count("\n", 0, match.start()) + 1
        if match["kind"] == "console":
            yield Block("console", match["body"], line, match["body"], slice(match.start("body"), match.end("body")))
        elif after and after["kind"] == "text" and not text[match.end() : after.start()].strip():
            yield Block("python", match["body"], line, after["body"], slice(after.start("body"), after.end("body")))
        else:
            yield Block("python", match["body"], line, None, slice(match.end(), match.end()))


def run(path: Path, *, pictures: Path | None = None) -> str:
    """Run a page in a new folder and return its text with the actual output.

    Pictures that the code saves and the page shows are copied to ``pictures``.
    """
    text = path.read_text(encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    outputs: list[tuple[Block, str]] = []
    with tempfile.TemporaryDirectory() as folder, _clean_environment(folder):
        for block in blocks(text):
            try:
                outputs.append((block, _console(block.code) if block.kind == "console" else _python(block, namespace)))
            except Exception as error:
                raise PageError(f"{path}, line {block.line}: {_reason(error)}") from error
        for name in {Path(match["path"]).name for match in PICTURE.finditer(text)}:
            if pictures and Path(name).exists():
                pictures.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(name, pictures / name)
    return _with(text, outputs)


def _with(text: str, outputs: list[tuple[Block, str]]) -> str:
    for block, printed in reversed(outputs):
        if block.printed is None and printed:
            text = text[: block.at.start] + f"\n```text\n{printed}```" + text[block.at.stop :]
        elif block.printed is not None and not matches(block.printed, printed):
            text = text[: block.at.start] + printed + text[block.at.stop :]
    return text


def matches(expected: str, printed: str) -> bool:
    """Return whether the output matches; "..." matches any lines, and "…" any part of a line."""
    lines = (r"(?:.*\n)*?" if line.strip() == "..." else _line(line) for line in expected.splitlines())
    return re.fullmatch("".join(lines), printed) is not None


def _line(expected: str) -> str:
    return "[^\n]*?".join(map(re.escape, expected.split("…"))) + r"\n"


def _python(block: Block, namespace: dict[str, Any]) -> str:
    code = ast.parse("\n" * block.line + block.code)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "page", "exec"), namespace)
    return _plain(printed.getvalue())


def _console(body: str) -> str:
    """Run the commands of a console block and return them with their output."""
    shown = ""
    for command in _commands(body):
        done = subprocess.run(
            ["bash", "-c", re.sub(r"^[$>] ", "", command, flags=re.MULTILINE)], capture_output=True, text=True
        )
        output = done.stdout if done.returncode in (0, 1) else done.stdout + done.stderr
        if done.returncode not in (0, 1, 2):
            raise PageError(f"`{command.strip()}` exited with {done.returncode}: {done.stderr.strip()[-2000:]}")
        shown += command + _plain(output)
    return shown


def _commands(body: str) -> Iterator[str]:
    """Yield the commands: lines from "$ " on, continued after a backslash at the end of a line."""
    command = ""
    for line in body.splitlines(keepends=True):
        if command or line.startswith("$ "):
            command += line
            if not line.rstrip("\n").endswith("\\"):
                yield command
                command = ""


def _plain(printed: str) -> str:
    """Remove trailing spaces and empty lines, and end the text with a newline."""
    lines = [line.rstrip() for line in printed.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return "".join(f"{line}\n" for line in lines)


@contextlib.contextmanager
def _clean_environment(folder: str) -> Iterator[None]:
    """Change to a folder, with a fixed terminal width, no display, no warnings, and this environment first in PATH."""
    import matplotlib as mpl

    before, environment = Path.cwd(), dict(os.environ)
    os.environ.update(COLUMNS=WIDTH, LINES="24", NO_COLOR="1", MPLBACKEND="agg", PYTHONWARNINGS="ignore")
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    mpl.use("agg")
    os.chdir(folder)
    try:
        with mpl.rc_context({"savefig.bbox": "tight", "figure.figsize": (6.0, 4.2), "svg.hashsalt": "howsure"}):
            yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)


def _reason(error: Exception) -> str:
    if isinstance(error, PageError):
        return str(error)
    return "".join(traceback.format_exception(error)[-3:])
