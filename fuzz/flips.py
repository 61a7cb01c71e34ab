"""Damaged run folders: every damage is detected, and no wrong number is read."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

from click.testing import CliRunner

import howsure
from fuzz.case import Case, Fuzzer, demand
from fuzz.child import at_call, die_after, in_child
from fuzz.experiments import contents, everything, planned
from howsure.cli import main
from howsure.experiment import verify


class Flips(Fuzzer):
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
        in_child(self._interrupted)  # before this process opens a database, which a child could not use
        self.planned.run(self.folders["whole"], progress=False)
        self.read = {name: everything(path) for name, path in self.folders.items()}
        self.files = contents(self.folders["whole"])

    def _interrupted(self) -> None:
        """Start a run that dies just after a file was renamed to its final name."""
        at_call("replace", 16, die_after)
        self.planned.run(self.folders["interrupted"], progress=False)

    def run(self, case: Case) -> int:
        kind = case.rng.choice(list(self.folders))
        folder = self.folder / f"{kind} {case.number}"
        shutil.copytree(self.folders[kind], folder)
        damaged = _damage(case, folder)
        case.say(f"{kind}: {damaged}")
        detected = self._detect(case, kind, folder)
        demand(detected, f"not detected: {damaged}")
        if case.chance(0.35):
            self._resume(folder)
        shutil.rmtree(folder)
        return 1

    def _detect(self, case: Case, kind: str, folder: Path) -> bool:
        """Read and verify the folder; return whether the damage is reported."""
        detected = False
        try:
            read, notes = everything(folder)
            detected = bool(set(notes) - set(self.read[kind][1]))
            demand(detected or read == self.read[kind][0], "other numbers were read without a note")
        except howsure.HowsureError as refused:
            sentence = str(refused)
            demand("\n" not in sentence and sentence.endswith("."), f"not a sentence: {sentence!r}")
            detected = True
        if case.chance(0.1):
            result = CliRunner().invoke(main, ["verify", str(folder)])
            demand(result.exit_code in (0, 1, 2), f"verify ended with code {result.exit_code}: {result.exception!r}")
            return detected | (result.exit_code != 0)
        try:
            return detected | bool(verify(folder).damaged)
        except howsure.HowsureError:
            return True

    def _resume(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about the damage
            self.planned.run(folder, progress=False)
        files = contents(folder)
        wrong = sorted(name for name in files.keys() | self.files.keys() if files.get(name) != self.files.get(name))
        demand(not wrong, f"different after resuming: {wrong}")


def _damage(case: Case, folder: Path) -> str:
    """Damage one file, and describe how."""
    rng = case.rng
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    path = rng.choice(paths)
    before, name = path.read_bytes(), path.relative_to(folder)
    others = [other for other in paths if other.suffix == path.suffix and other.read_bytes() != before]
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
    path.write_bytes(before + b"\0\n")  # without a newline, the file list would count as incomplete
    return f"two bytes appended to {name}"
