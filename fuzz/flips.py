"""Run folders with a bit flipped, or a file cut, emptied, removed or exchanged: no wrong number is read from them."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

from click.testing import CliRunner

import howsure
from fuzz.case import Case, Net, demand
from fuzz.child import at_call, die_after, in_child
from fuzz.experiments import everything, made, planned
from howsure.cli import main
from howsure.experiment import verify


class Flips(Net):
    name = "flips"
    title = (
        "run folders with a flipped bit, or a file cut, emptied, removed or exchanged, then read, verified and resumed"
    )
    full = 2_000
    limit = 30.0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.planned = planned()
        self.folders = {"whole": folder / "whole", "interrupted": folder / "interrupted"}
        in_child(self._interrupted)  # before a database is opened here, which no child could use
        self.planned.run(self.folders["whole"], progress=False)
        self.read = {name: everything(path) for name, path in self.folders.items()}
        self.files = made(self.folders["whole"])

    def _interrupted(self) -> None:
        """Begin a run that dies when a file has just been put in place: each line of the list has its file."""
        at_call("replace", 16, die_after)
        self.planned.run(self.folders["interrupted"], progress=False)

    def run(self, case: Case) -> int:
        kind = case.rng.choice(list(self.folders))
        folder = self.folder / f"{kind} {case.number}"
        shutil.copytree(self.folders[kind], folder)
        damaged = _damage(case, folder)
        case.say(f"{kind}: {damaged}")
        noticed = self._notice(case, kind, folder)
        demand(noticed, f"nobody noticed: {damaged}")
        if case.chance(0.35):
            self._resume(folder)
        shutil.rmtree(folder)
        return 1

    def _notice(self, case: Case, kind: str, folder: Path) -> bool:
        """Read everything, and verify: whether one of them says that something is wrong."""
        noticed = False
        try:
            read, notes = everything(folder)
            noticed = bool(set(notes) - set(self.read[kind][1]))
            demand(noticed or read == self.read[kind][0], "other numbers were read, without a word")
        except howsure.HowsureError as refused:
            sentence = str(refused)
            demand("\n" not in sentence and sentence.endswith("."), f"not a sentence: {sentence!r}")
            noticed = True
        if case.chance(0.1):
            told = CliRunner().invoke(main, ["verify", str(folder)])
            demand(told.exit_code in (0, 1, 2), f"verify ended with code {told.exit_code}: {told.exception!r}")
            return noticed | (told.exit_code != 0)
        try:
            return noticed | bool(verify(folder).damaged)
        except howsure.HowsureError:
            return True

    def _resume(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # which say that the folder was damaged
            self.planned.run(folder, progress=False)
        files = made(folder)
        wrong = sorted(name for name in files.keys() | self.files.keys() if files.get(name) != self.files.get(name))
        demand(not wrong, f"after resuming, not as if nothing had happened: {wrong}")


def _damage(case: Case, folder: Path) -> str:
    """Damage one file, so that it is certainly another than before; say how."""
    rng = case.rng
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    path = rng.choice(paths)
    before, name = path.read_bytes(), path.relative_to(folder)
    others = [one for one in paths if one.suffix == path.suffix and one.read_bytes() != before]
    how = rng.choices(["flip", "cut", "remove", "zeros", "exchange", "append"], [10, 2, 2, 1, 2, 1])[0]
    if how == "flip":
        bit = rng.randrange(8 * len(before))
        after = bytearray(before)
        after[bit // 8] ^= 1 << bit % 8
        path.write_bytes(after)
        return f"bit {bit} of {name} flipped"
    if how == "cut":
        size = rng.randrange(len(before))
        path.write_bytes(before[:size])
        return f"{name} cut at {size} of {len(before)} bytes"
    if how == "remove":
        path.unlink()
        return f"{name} removed"
    if how == "zeros":
        path.write_bytes(bytes(len(before)))
        return f"{name} of zeros"
    if how == "exchange" and others:
        other = rng.choice(others)
        path.write_bytes(other.read_bytes())
        other.write_bytes(before)
        return f"{name} and {other.relative_to(folder)} exchanged"
    path.write_bytes(before + b"\0\n")  # without an end of line, the list would be one that was being written
    return f"two bytes appended to {name}"
