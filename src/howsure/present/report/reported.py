"""What results with a page have in common: `report`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from howsure.present.result import Result


class Reported(Result):
    """A result that can be written as a page.

    Examples
    --------
    >>> import howsure, os, tempfile
    >>> a = howsure.assess(["y", "n", "y", "n"], ["y", "n", "n", "n"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     a.report(os.path.join(folder, "page.html")).name
    ...     sorted(os.listdir(folder))
    'page.html'
    ['page.html', 'page.json']
    """

    def views(self) -> dict[str, Any]:
        """Say what a page shows of this result: each value is what the sections declared for its key are made of."""
        return {type(self).__name__: self}

    @property
    def report_title(self) -> str:
        """The heading of the page."""
        return "What the predictions are worth"

    @property
    def report_question(self) -> str:
        """The question that the page answers first."""
        return "How good is it?"

    @property
    def report_about(self) -> str:
        """What the page is about, in a line: the data and the protocol."""
        return self.title

    def report(self, path: str | os.PathLike[str], *, force: bool = False, model: Any = None) -> Path:
        """Write one HTML file that needs nothing else, and beside it a JSON file with every number on it.

        The page appears whole or not at all; ``force`` replaces one that is there already. With ``model``, a fitted
        `PessimisticTree`, it also shows the tree before and after pruning.

        Parameters
        ----------
        path
            The HTML file to write.
        force
            Whether to replace a file that is there.
        model
            A fitted `PessimisticTree` to show.

        Returns
        -------
        pathlib.Path
            The file that was written.
        """
        from howsure.present.report.page import write_page

        return write_page(self, path, force=force, model=model)
