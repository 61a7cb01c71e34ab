"""Files of curves: their points, or their picture, by the ending of the name."""

from __future__ import annotations

import json
import os
from typing import Any

from assay.checks import check_path
from assay.errors import AssayError
from assay.output import whole_file, write_parquet, write_whole
from assay.present.charts import IMAGES
from assay.present.charts.figure import figure_of, save_figure
from assay.present.columnar import Columnar

DATA = ("csv", "json", "parquet")


class Saved(Columnar):
    """A result of columns that can be written to a file.

    Examples
    --------
    >>> import assay, os, tempfile
    >>> curve = assay.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).roc()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     curve.save(os.path.join(folder, "roc.csv"))
    ...     print(os.listdir(folder))
    ['roc.csv']
    """

    def save(self, path: str | os.PathLike[str], **style: Any) -> None:
        """Write the points as .csv, .json or .parquet, or the picture as .png, .svg or .pdf, by the ending of ``path``.

        The file appears whole or not at all, and replaces one of the same name. ``style`` is that of `plot`.

        Parameters
        ----------
        path
            The file to write; its ending says what is written.
        **style
            Of the picture, such as ``color``.
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
            raise AssayError(f"`path` must end in {', '.join(endings)} or {last}, not {os.fspath(path)!r}.")
