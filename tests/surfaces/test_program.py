"""The program as it starts and ends: quickly, but with all that it has said and all that was left to do at the end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys; from howsure.__main__ import program; program()"


def run(code: str, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    given = {"capture_output": True, "text": True, "check": False, "env": buffered} | options
    return subprocess.run([sys.executable, "-c", code, *arguments], **given)  # type: ignore[call-overload]


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.csv"
    path.write_text("y,p\n" + "a,a\nb,a\nb,b\na,a\n" * 3)
    return str(path)


def test_all_that_was_said_arrives(small: str) -> None:
    done = run(PROGRAM, "assess", small, "--truth", "y", "--predicted", "p", "--json")
    usual = run("from howsure.cli import main; main()", "assess", small, "--truth", "y", "--predicted", "p", "--json")
    assert (done.returncode, done.stdout, done.stderr) == (0, usual.stdout, usual.stderr)
    assert len(done.stdout) > 1000


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--version"], 0), (["cake"], 2), (["assess", "none.csv", "--truth", "y", "--predicted", "p"], 2)],
)
def test_the_exit_code_is_told(arguments: list[str], code: int) -> None:
    assert run(PROGRAM, *arguments).returncode == code


def test_a_closed_gate_is_told(small: str) -> None:
    done = run(PROGRAM, "gate", small, "--truth", "y", "--baseline", "y", "--candidate", "p", "--margin", "0.01")
    assert (done.returncode, done.stdout[:4]) == (1, "FAIL")


def test_what_was_to_be_done_at_the_end_is_done(small: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    later = (
        "import atexit, threading, time; from pathlib import Path\n"
        f"write = lambda: (time.sleep(0.2), Path({str(mark)!r}).open('a').write('x'))\n"
        "import howsure.cli.app as app; old = app.Commands.invoke\n"
        "def invoke(self, ctx):\n"
        "    if not ctx.obj: ctx.obj = 1; atexit.register(write); threading.Thread(target=write).start()\n"
        "    return old(self, ctx)\n"
        "app.Commands.invoke = invoke\n"
    )
    done = run(later + PROGRAM, "assess", small, "--truth", "y", "--predicted", "p")
    assert (done.returncode, done.stderr) == (0, "")
    assert mark.read_text() == "xx"


def test_what_is_printed_last_arrives(small: str) -> None:
    last = "import sys; from howsure.__main__ import program\nimport howsure.cli.app as app; old = app.Commands.main\n"
    both = "print('last'); sys.stderr.write('words')"
    ending = f"def main(self, *a, **k):\n    try: old(self, *a, **k)\n    finally: {both}\napp.Commands.main = main\n"
    done = run(last + ending + "program()", "assess", small, "--truth", "y", "--predicted", "p")
    assert (done.returncode, done.stderr) == (0, "words")
    assert done.stdout.endswith("\nlast\n")


@pytest.mark.parametrize("others", [True, False])
def test_modules_are_taken_apart_only_where_somebody_waits_for_the_end(small: str, others: bool) -> None:
    """What registered before the program did is called after it: such as a tool that measures coverage."""
    before = "import atexit; atexit.register(print, 'others')\n" if others else ""
    watched = (
        "import sys\nclass Watch:\n    def __del__(self): sys.__stdout__.write('apart')\nsys.modules['w'] = Watch()\n"
    )
    done = run(before + watched + PROGRAM, "assess", small, "--truth", "y", "--predicted", "p")
    assert done.returncode == 0
    assert done.stdout.endswith("others\napart") is others
    assert ("apart" in done.stdout) is others


def test_garbage_is_collected_later_once_and_then_as_ever() -> None:
    code = (
        "import gc; usual = gc.get_threshold()\n"
        "from howsure.__main__ import FIRST_OBJECTS, collect_later\n"
        "collect_later(); assert gc.get_threshold()[0] == FIRST_OBJECTS > usual[0]\n"
        "made = [[] for _ in range(2 * FIRST_OBJECTS)]; assert gc.get_threshold() == usual; assert not gc.callbacks\n"
    )
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_output_that_takes_no_more_is_a_fault(small: str) -> None:
    with open("/dev/full", "w") as full:
        arguments = ("assess", small, "--truth", "y", "--predicted", "p")
        done = run(PROGRAM, *arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == "Error: standard output cannot be written: no space left on device.\n"
