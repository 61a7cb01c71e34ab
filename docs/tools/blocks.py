"""Run the code of a page as a reader would paste it, block by block, and compare what is printed with what it says.

In a page, ``python`` blocks share one namespace and ``console`` blocks one shell folder, which is the same and empty
at the start. A ``text`` block right after a Python block is what that block prints; in a console block, what follows a
line that begins with "$ " is what the command prints. A line "..." stands for any number of lines, and "…" within a
line for any text: times, for example. A picture that a block saves and the page shows is kept for the site.
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
WIDTH = "80"  # of the terminal that pages show


@dataclass(frozen=True)
class Block:
    """Code of a page, and what it is said to print: ``None`` where a page says nothing."""

    kind: str
    code: str
    line: int
    printed: str | None
    at: slice = field(repr=False)  # where in the page the printed text stands, or would stand


class PageError(AssertionError):
    """A page that does not do what it says."""


def blocks(text: str) -> Iterator[Block]:
    """Give the blocks of a page that are run, in order."""
    found = list(FENCE.finditer(text))
    for match, after in zip_longest(found, found[1:]):
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
    """Run a page in a new folder, and give it back with what was printed in the place of what it said.

    Pictures that it shows and that its code has written go into ``pictures`` under the same names.
    """
    text = path.read_text(encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    made: list[tuple[Block, str]] = []
    with tempfile.TemporaryDirectory() as folder, _as_on_an_empty_machine(folder):
        for block in blocks(text):
            try:
                made.append((block, _console(block.code) if block.kind == "console" else _python(block, namespace)))
            except Exception as error:
                raise PageError(f"{path}, line {block.line}: {_reason(error)}") from error
        for name in {Path(match["path"]).name for match in PICTURE.finditer(text)}:
            if pictures and Path(name).exists():
                pictures.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(name, pictures / name)
    return _with(text, made)


def _with(text: str, made: list[tuple[Block, str]]) -> str:
    for block, printed in reversed(made):
        if block.printed is None and printed:
            text = text[: block.at.start] + f"\n```text\n{printed}```" + text[block.at.stop :]
        elif block.printed is not None and not matches(block.printed, printed):
            text = text[: block.at.start] + printed + text[block.at.stop :]
    return text


def matches(said: str, printed: str) -> bool:
    """Say whether a text is what was printed, where a line "..." may be any lines and "…" any part of a line."""
    lines = (r"(?:.*\n)*?" if line.strip() == "..." else _line(line) for line in said.splitlines())
    return re.fullmatch("".join(lines), printed) is not None


def _line(said: str) -> str:
    return "[^\n]*?".join(map(re.escape, said.split("…"))) + r"\n"


def _python(block: Block, namespace: dict[str, Any]) -> str:
    code = ast.parse("\n" * block.line + block.code)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "page", "exec"), namespace)
    return _plain(printed.getvalue())


def _console(body: str) -> str:
    """Run the commands of a console block, each beside what it prints."""
    shown = ""
    for command in _commands(body):
        done = subprocess.run(
            ["bash", "-c", re.sub(r"^[$>] ", "", command, flags=re.MULTILINE)], capture_output=True, text=True
        )
        said = done.stdout if done.returncode in (0, 1) else done.stdout + done.stderr
        if done.returncode not in (0, 1, 2):
            raise PageError(f"`{command.strip()}` ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        shown += command + _plain(said)
    return shown


def _commands(body: str) -> Iterator[str]:
    """Give the lines that are typed: from "$ ", and on the lines after one that ends with a backslash."""
    command = ""
    for line in body.splitlines(keepends=True):
        if command or line.startswith("$ "):
            command += line
            if not line.rstrip("\n").endswith("\\"):
                yield command
                command = ""


def _plain(printed: str) -> str:
    """Give a text without spaces at the ends of its lines, and with an end to its last one."""
    lines = [line.rstrip() for line in printed.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return "".join(f"{line}\n" for line in lines)


@contextlib.contextmanager
def _as_on_an_empty_machine(folder: str) -> Iterator[None]:
    """Work in a folder, with the command of this environment, no screen, and warnings as a reader sees them."""
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
