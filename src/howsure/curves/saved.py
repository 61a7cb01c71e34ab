"""Files of curves: their points or their picture."""

from __future__ import annotations

import json
import os
from typing import Any

from howsure.checks import check_path
from howsure.errors import HowsureError
from howsure.output import whole_file, write_parquet, write_whole
from howsure.present.charts import IMAGES
from howsure.present.charts.figure import figure_of, save_figure
from howsure.present.columnar import Columnar

DATA = ("csv", "json", "parquet")


class Saved(Columnar):
    """A result with columns that can be written to a file.

    Examples
    --------
    >>> import howsure, os, tempfile
    >>> curve = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).roc()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     curve.save(os.path.join(folder, "roc.csv"))
    ...     print(os.listdir(folder))
    ['roc.csv']
    """

    def save(self, path: str | os.PathLike[str], **style: Any) -> None:
        """Save the points or the picture to a file.

        The points are saved as .csv, .json or .parquet, the picture as .png, .svg or .pdf.

        The file is written atomically, and replaces an existing file.

        Parameters
        ----------
        path
            The file to write; its extension determines the format.
        **style
            Options of the picture, as for `plot`, such as ``color``.
        """
        path = check_path("path", path)
        ending = path.suffix.lower().removeprefix(".")
        if ending == "csv":
            write_whole(path, self.to_csv() + "\n")
        elif ending == "json":
            write_whole(path, json.dumps(self.to_dict(), allow_nan=False) + "\n")
        elif ending == "parquet":
            write_parquet(path, self.columns())
        elif ending in IMAGES:
            with whole_file(path) as temporary:
                save_figure(figure_of(self, **style), temporary, ending)
        else:
            *endings, last = (f".{kind}" for kind in (*DATA, *IMAGES))
            raise HowsureError(f"`path` must end in {', '.join(endings)} or {last}, not {os.fspath(path)!r}.")
