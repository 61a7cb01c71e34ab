"""Forked child processes, which start fast since everything is imported, and can be killed."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from fuzz.case import Fault

FAULT = 9  # exit code of a child whose output is a fault
Operation = Callable[..., Any]
OPERATIONS = ("replace", "fsync", "write", "unlink", "mkdir", "open", "rmdir")  # functions of `os` that change files
ERRORS = (errno.ENOSPC, errno.EIO, errno.EMFILE)


def in_child(
    work: Callable[[], str | None], kill_after: float | None = None, whole_group: bool = True
) -> tuple[int, str]:
    """Run a function in a child; return its exit code, or minus the signal that killed it, and its output."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        os.close(reader)
        _run(work, writer)
    os.close(writer)
    try:
        if kill_after is not None:
            time.sleep(kill_after)
            _kill(child, whole_group)
        with open(reader, "rb") as pipe:
            output = pipe.read().decode()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except BaseException:
        _kill(child, whole_group=False)
        os.waitpid(child, 0)
        raise
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # its own children
    if code == FAULT:
        raise Fault(output)
    return code, output


def _kill(child: int, whole_group: bool) -> None:
    try:
        (os.killpg if whole_group else os.kill)(child, signal.SIGKILL)
    except ProcessLookupError:  # it has no process group yet
        os.kill(child, signal.SIGKILL)


def _run(work: Callable[[], str | None], writer: int) -> None:
    code, output = 0, ""
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # messages of libraries when their workers die
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=ResourceWarning)
        output = work() or ""
    except Fault as fault:
        code, output = FAULT, str(fault)
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        code, output = FAULT, f"{os.path.basename(where.filename)}:{where.lineno}\n{type(error).__name__}: {error}"
    finally:
        with suppress(OSError):
            ORIGINAL["write"](writer, output.encode())
        os._exit(code)


ORIGINAL: dict[str, Operation] = {name: getattr(os, name) for name in OPERATIONS}


def at_call(name: str, number: int, act: Callable[[Operation, tuple[Any, ...], dict[str, Any]], Any]) -> None:
    """Replace a function of `os` from its n-th call on."""
    calls = 0

    def replaced(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        return act(ORIGINAL[name], arguments, options) if calls >= number else ORIGINAL[name](*arguments, **options)

    setattr(os, name, replaced)


def count_calls() -> dict[str, int]:
    """Count the calls of each operation."""
    counts = dict.fromkeys(OPERATIONS, 0)

    def counting(name: str) -> Operation:
        def counted(*arguments: Any, **options: Any) -> Any:
            counts[name] += 1
            return ORIGINAL[name](*arguments, **options)

        return counted

    for name in OPERATIONS:
        setattr(os, name, counting(name))
    return counts


def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_before(operation: Operation, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    die()


def die_after(operation: Operation, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    operation(*arguments, **options)
    die()


def die_halfway(operation: Operation, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Write only half of the bytes, if the operation is a write, and die."""
    if operation is ORIGINAL["write"]:
        operation(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
    die()


def failing(number: int, times: int) -> Callable[[Operation, tuple[Any, ...], dict[str, Any]], Any]:
    """Fail several times, and then work again."""
    remaining = times

    def fail(operation: Operation, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        nonlocal remaining
        remaining -= 1
        if remaining >= 0:
            raise OSError(number, os.strerror(number))
        return operation(*arguments, **options)

    return fail
