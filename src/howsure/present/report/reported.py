"""The base class of results with an HTML page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from howsure.present.result import Result


class Reported(Result):
    """A result that can be written as an HTML page.

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
        """Return the views of this result for which sections are declared."""
        return {type(self).__name__: self}

    @property
    def report_title(self) -> str:
        """The heading of the page."""
        return "Quality of the predictions"

    @property
    def report_question(self) -> str:
        """The question that the page answers first."""
        return "How good is it?"

    @property
    def report_about(self) -> str:
        """One line on the data and the protocol."""
        return self.title

    def report(self, path: str | os.PathLike[str], *, force: bool = False, model: Any = None) -> Path:
        """Write a self-contained HTML page, and a JSON file with all its numbers.

        The files are written atomically. With ``model``, a fitted `PessimisticTree`, the page also shows the tree
        before and after pruning.

        Parameters
        ----------
        path
            The HTML file to write; the JSON file has the same name with the extension .json.
        force
            Whether to replace existing files.
        model
            A fitted `PessimisticTree` to show.

        Returns
        -------
        pathlib.Path
            The path of the HTML file.
        """
        from howsure.present.report.page import write_page

        return write_page(self, path, force=force, model=model)
