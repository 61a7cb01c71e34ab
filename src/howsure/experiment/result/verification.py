"""Verify a run folder: is every file as it was written?"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from howsure.checks import check_path
from howsure.errors import HowsureError, listing
from howsure.experiment.store.contents import INTACT, LIST, MISSING, PLAN, UNLISTED, Contents, foreign_names
from howsure.present.result import Result
from howsure.present.sheet import Record

MEANING = {
    MISSING: "missing: it was removed, or the run was stopped just before it was put in place",
    UNLISTED: f"not listed in {LIST}: it was put there, or the list was cut",
}


@dataclass(frozen=True, eq=False, repr=False)
class Verification(Result):
    """The files of a run folder, and whether each is as it was written.

    Attributes
    ----------
    folder
        Where the files are.
    states
        Whether each file is intact, and if not, what became of it.
    foreign
        Files that are not of the experiment.

    Examples
    --------
    >>> import howsure, tempfile
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(40)], [i % 2 for i in range(40)]
    >>> folder = tempfile.mkdtemp()
    >>> _ = howsure.Experiment({"bayes": GaussianNB()}, {"toy": (X, y)}, howsure.KFold(2)).run(folder, progress=False)
    >>> verification = howsure.experiment.verify(folder)
    >>> verification.damaged
    ()
    """

    folder: Path
    states: dict[str, str]
    foreign: tuple[str, ...] = ()

    @property
    def damaged(self) -> tuple[str, ...]:
        """The files that are missing, not listed, or not as they were written."""
        return tuple(name for name, state in self.states.items() if state != INTACT)

    @property
    def title(self) -> str:
        files = f"{len(self.states)} file{'' if len(self.states) == 1 else 's'}"
        if self.damaged:
            return f"{str(self.folder)!r} was damaged: {len(self.damaged)} of {files}"
        return f"{str(self.folder)!r} is as it was written: {files}"

    @property
    def notes(self) -> tuple[str, ...]:
        notes = []
        if self.damaged:
            notes.append("run the experiment again with the same folder, which does anew what was lost")
        if self.foreign:
            notes.append(f"no part of the run, and left alone: {listing(self.foreign, 8)}")
        return tuple(notes)

    def records(self) -> list[Record]:
        return [{"file": name, "state": MEANING.get(state, state)} for name, state in self.states.items()]

    def __repr__(self) -> str:
        return f"Verification({str(self.folder)!r}, {len(self.damaged)} of {len(self.states)} files damaged)"


def verify(folder: str | os.PathLike[str]) -> Verification:
    """Compare every file of an experiment's folder with the digest that was stored when it was written.

    Parameters
    ----------
    folder
        That of an experiment.

    Returns
    -------
    Verification
        The state of each file; ``damaged`` names those that are not as they were written.

    Examples
    --------
    >>> import howsure, tempfile
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> folder = tempfile.mkdtemp()
    >>> result = howsure.Experiment({"bayes": GaussianNB()}, {"iris": load_iris()}, howsure.KFold(3)).run(folder)
    >>> howsure.experiment.verify(folder).damaged
    ()
    """
    place = check_path("folder", folder)
    if not place.is_dir():
        raise HowsureError(f"{os.fspath(folder)!r} is no folder, so there is no experiment in it to verify.")
    contents = Contents.read(place, lenient=True)
    states = contents.states()
    if PLAN not in states:
        raise HowsureError(f"{os.fspath(folder)!r} holds no experiment: there is no {PLAN} in it.")
    return Verification(place, states, tuple(foreign_names(place)))
