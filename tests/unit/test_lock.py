"""One run at a time, on POSIX and on Windows."""

from __future__ import annotations

import os
import subprocess
import sys
import types

import pytest

from howsure.experiment.store import lock


def test_a_second_process_is_refused_until_the_first_is_gone(tmp_path):
    path = tmp_path / "lock"
    code = f"from howsure.experiment.store.lock import locked\nwith locked({str(path)!r}): print('held')"
    with lock.locked(path):
        refused = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert "BlockingIOError" in refused.stderr
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "held\n"


def test_a_second_run_in_the_process_is_refused_and_takes_nothing_from_the_first(tmp_path):
    path = tmp_path / "lock"
    code = f"from howsure.experiment.store.lock import locked\nwith locked({str(path)!r}): print('held')"
    with lock.locked(path):
        for name in (path, tmp_path / "." / "lock"):
            with pytest.raises(BlockingIOError), lock.locked(name):
                pass
        with lock.locked(tmp_path / "other"):
            pass
        refused = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert "BlockingIOError" in refused.stderr
    with lock.locked(path):
        pass


def test_windows_locks_the_first_byte(tmp_path, monkeypatch):
    """Where there is no fcntl, msvcrt is called as its documentation says, and its refusal is the same error."""
    calls, held = [], []

    def locking(handle, mode, count):
        calls.append((os.fstat(handle).st_size, mode, count))
        if held:
            raise PermissionError(13, "Permission denied")
        held.append(handle)

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(locking=locking, LK_NBLCK=2))
    with lock.locked(tmp_path / "lock"), pytest.raises(BlockingIOError), lock.locked(tmp_path / "another"):
        pass
    assert calls == [(0, 2, 1), (0, 2, 1)]


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=r"Too many levels|symbolic"), lock.locked(tmp_path / "lock"):
        pass
    assert not (tmp_path / "elsewhere").exists()
