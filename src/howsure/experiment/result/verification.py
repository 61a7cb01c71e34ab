"""Verify a run folder: compare every file with its digest."""

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
    MISSING: "missing: it was removed, or the run stopped before it was written",
    UNLISTED: f"not listed in {LIST}: it was added later, or the list was truncated",
}


@dataclass(frozen=True, eq=False, repr=False)
class Verification(Result):
    """The state of each file of a run folder.

    Attributes
    ----------
    folder
        The path of the folder.
    states
        The state of each file: "intact", "changed", "missing" or "not listed".
    foreign
        Files that do not belong to the experiment.

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
        """The files that are missing, not listed, or changed."""
        return tuple(name for name, state in self.states.items() if state != INTACT)

    @property
    def title(self) -> str:
        files = f"{len(self.states)} file{'' if len(self.states) == 1 else 's'}"
        if self.damaged:
            return f"{str(self.folder)!r} was damaged: {len(self.damaged)} of {files}"
        return f"{str(self.folder)!r} is intact: {files}"

    @property
    def notes(self) -> tuple[str, ...]:
        notes = []
        if self.damaged:
            notes.append("run the experiment again with the same folder to repeat the tasks that were lost")
        if self.foreign:
            notes.append(f"not part of the run, and left unchanged: {listing(self.foreign, 8)}")
        return tuple(notes)

    def records(self) -> list[Record]:
        return [{"file": name, "state": MEANING.get(state, state)} for name, state in self.states.items()]

    def __repr__(self) -> str:
        return f"Verification({str(self.folder)!r}, {len(self.damaged)} of {len(self.states)} files damaged)"


def verify(folder: str | os.PathLike[str]) -> Verification:
    """Compare every file of a run folder with its stored digest.

    Parameters
    ----------
    folder
        The folder of an experiment.

    Returns
    -------
    Verification
        The state of each file; ``damaged`` lists the files that are not intact.

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
    path = check_path("folder", folder)
    if not path.is_dir():
        raise HowsureError(f"{os.fspath(folder)!r} is not a folder; give the folder of an experiment.")
    contents = Contents.read(path, lenient=True)
    states = contents.states()
    if PLAN not in states:
        raise HowsureError(f"{os.fspath(folder)!r} holds no experiment: there is no {PLAN} in it.")
    return Verification(path, states, tuple(foreign_names(path)))
