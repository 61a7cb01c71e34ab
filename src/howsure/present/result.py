"""The base class of all results: a subclass defines records, and every output format follows from them.

``records`` returns unrounded values, from which data frames and CSV are made. ``sheet`` returns the rounded table that
people read, with a title and notes; text, Markdown, LaTeX and HTML are made from it, and by default it shows the
records. Options such as ``confidence`` and ``measures`` are passed on to ``records`` and ``sheet``, so that all methods
of a class take the same options.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar

from howsure.checks import check_whole
from howsure.present.value_text import jsonable, plain
from howsure.present.words import MINIMUM, WIDTH, Line, wrapped

if TYPE_CHECKING:
    from howsure.present.sheet import Record, Sheet


def check_width(width: int | None) -> int:
    """Return the width of a text, 80 by default and at least 40."""
    return WIDTH if width is None else max(check_whole("width", width, 1, 10**6), MINIMUM)


def _printable(method: Callable[..., str]) -> Callable[..., str]:
    @wraps(method)
    def text(*args: Any, **options: Any) -> str:
        return plain(method(*args, **options))

    return text


def _fitting(method: Callable[..., str]) -> Callable[..., str]:
    """Add a ``width``, for wrapping lines, to a `text` method without one."""
    parameters = inspect.signature(method).parameters
    if "width" in parameters:
        return _printable(method)

    @wraps(method)
    def text(*args: Any, width: int | None = None, **options: Any) -> str:
        return wrapped(plain(method(*args, **options)), check_width(width))

    own = inspect.Parameter("width", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="int | None")
    text.__signature__ = inspect.Signature([*parameters.values(), own])  # type: ignore[attr-defined]
    return text


INTERNAL_NAMES = {  # public methods that editors should not suggest
    "against_rest", "beyond_chance", "brier_score", "caption", "clustered", "clusters_at", "curves_that_apply",
    "deflate", "divided_by", "drawings", "effective_sums", "explored", "further_notes", "further_tables",
    "key_estimates", "no_interval", "of_columns", "remember", "report_about", "report_question", "report_settings",
    "report_title", "shown", "single", "text_lines", "views", "with_last", "with_pseudo_cases", "without_interval",
    "worth",
}  # fmt: skip


class Result:
    """Base class of results: printing, plotting, and tables in every format.

    Attributes
    ----------
    title
        A line above the table.
    notes
        Remarks on individual values, shown below the table.

    Notes
    -----
    Methods of results share these options, where they apply:

    confidence
        Level of the intervals, by default 0.95.
    measures
        Names of measures, such as ``["recall", "f_beta(beta=2)"]``; by default the measures that are printed.
    like
        Library of the data frame, "pandas", "polars" or "pyarrow"; by default the library of the input data, or else
        the first one that is installed.
    width
        Maximum line width in characters, by default 80.
    spreadsheet
        Whether to put an apostrophe before text that a spreadsheet would interpret as a formula.

    Examples
    --------
    >>> import howsure
    >>> adjusted = howsure.significance.adjust([0.01, 0.04])
    >>> print(adjusted.sheet())
    p-values adjusted by holm
    pvalue  adjusted
    ------  --------
     0.010     0.020
     0.040     0.040
    >>> adjusted.records()[0]
    {'pvalue': 0.01, 'adjusted': 0.02}
    >>> adjusted.frame().shape
    (2, 2)
    >>> print(adjusted.to_csv())
    pvalue,adjusted
    0.01,0.02
    0.04,0.04
    """

    def __init_subclass__(cls, **options: Any) -> None:
        """Make `text` and `repr` of every subclass safe to print."""
        super().__init_subclass__(**options)
        for name, safe in (("text", _fitting), ("__repr__", _printable)):
            if name in vars(cls):
                setattr(cls, name, safe(vars(cls)[name]))

    # Libraries print only the first and last columns of a wide data frame; these columns are last, so that they appear.
    _last_in_frames: ClassVar[tuple[str, ...]] = ()
    _library: str | None = None  # data frame library of the input data, which `frame` uses by default

    if TYPE_CHECKING:  # subclasses may define these as fields or as properties

        @property
        def title(self) -> str: ...
        @property
        def notes(self) -> tuple[str, ...]: ...
    else:
        title = ""
        notes = ()

    def records(self, *args: Any, **options: Any) -> list[Record]:
        """Return one record for each row, with unrounded values.

        Parameters
        ----------
        *args, **options
            Options of the class, such as ``confidence``.

        Returns
        -------
        list of dict
            One dictionary for each row, by column name.
        """
        raise NotImplementedError

    def sheet(self, *args: Any, **options: Any) -> Sheet:
        """Return the table that is printed.

        Parameters
        ----------
        *args, **options
            Options of the class, such as ``confidence``.

        Returns
        -------
        Sheet
            The table; its values are rounded when it is printed.

        Examples
        --------
        >>> import howsure
        >>> howsure.significance.mcnemar(25, 15).sheet().columns[:4]
        ['test', 'variant', 'method', 'difference']
        """
        from howsure.present.sheet import Sheet

        return Sheet.of(self.records(**options), self.title, self.notes)

    def frame(self, like: str | None = None, *args: Any, **options: Any) -> Any:
        """Return the unrounded values as a data frame.

        Parameters
        ----------
        like
            "pandas", "polars" or "pyarrow"; by default the library of the input data.
        *args, **options
            Options of the class, such as ``confidence``.

        Returns
        -------
        data frame
            One row for each record.
        """
        from howsure.present.sheet import Sheet

        sheet = Sheet.of(self.records(**options)).with_last(self._last_in_frames)
        return sheet.frame(self._library if like is None else like)

    def to_dict(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Return plain values for JSON; NaN becomes None.

        Parameters
        ----------
        *args, **options
            Options of the class, such as ``confidence``.

        Returns
        -------
        dict
            Only text, numbers, lists, dictionaries and None.

        Examples
        --------
        >>> import howsure
        >>> howsure.significance.mcnemar(25, 15).to_dict()["method"]
        "McNemar's test (chi2)"
        """
        return dict(jsonable({"title": self.title, "records": self.records(**options), "notes": self.notes}))

    def to_csv(self, *args: Any, spreadsheet: bool = False, **options: Any) -> str:
        """Return the unrounded values as CSV.

        Parameters
        ----------
        *args, **options
            Options of the class, such as ``confidence``.
        spreadsheet
            Whether to put an apostrophe before text that a spreadsheet would interpret as a formula.

        Returns
        -------
        str
            A header line and one line for each record.
        """
        from howsure.present.sheet import Sheet

        return Sheet.of(self.records(**options)).to_csv(spreadsheet=spreadsheet)

    def to_markdown(self, *args: Any, **options: Any) -> str:
        """Return the printed table as Markdown.

        Parameters
        ----------
        *args, **options
            Options of the class, such as ``confidence``.

        Returns
        -------
        str
            The table with its title above and its notes below.

        Examples
        --------
        >>> import howsure
        >>> print(howsure.significance.adjust([0.01, 0.04]).to_markdown())
        **p-values adjusted by holm**
        <BLANKLINE>
        | pvalue | adjusted |
        | ---: | ---: |
        | 0.010 | 0.020 |
        | 0.040 | 0.040 |
        """
        return self.sheet(**options).to_markdown()

    def to_latex(self, *args: Any, **options: Any) -> str:
        r"""Return the printed table as LaTeX.

        Parameters
        ----------
        *args, **options
            Options of the class, such as ``confidence``.

        Returns
        -------
        str
            A ``table`` environment that needs no package.

        Examples
        --------
        >>> import howsure
        >>> print(howsure.significance.adjust([0.01, 0.04]).to_latex().splitlines()[0])
        \begin{table}
        """
        return self.sheet(**options).to_latex()

    def to_html(self, *args: Any, **options: Any) -> str:
        """Return the printed table as HTML, as notebooks show it.

        Parameters
        ----------
        *args, **options
            Options of the class, such as ``confidence``.

        Returns
        -------
        str
            An HTML table with all names escaped.

        Examples
        --------
        >>> import howsure
        >>> howsure.significance.adjust([0.01, 0.04]).to_html()[:7]
        '<table>'
        """
        return self.sheet(**options).to_html()

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Return functions, by name, that create parts with charts of their own."""
        return {}

    def plot(self, ax: Any = None, kind: str | None = None, **options: Any) -> Any:
        """Draw the default chart of the result, or the chart named ``kind``.

        Without ``ax``, the chart is drawn in a new pyplot figure, which notebooks show and ``plt.savefig`` saves.

        Parameters
        ----------
        ax
            Matplotlib axes to draw on, by default new ones. A string is used as ``kind``: ``a.plot("confusion")``.
        kind
            Name of the chart, if there are several.
        **options
            Options of the chart, and keywords of Matplotlib lines such as ``color``, ``linestyle`` and ``label``.

        Returns
        -------
        matplotlib.axes.Axes
            The axes with the chart.

        Examples
        --------
        >>> import howsure
        >>> from matplotlib.figure import Figure
        >>> a = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9])
        >>> a.plot(Figure().subplots(), kind="confusion").get_xlabel()
        'predicted class'
        """
        from howsure.present.charts.figure import plot

        return plot(self, ax, kind, **options)

    def text(self, *args: Any, **options: Any) -> str:
        """Return the text that ``print`` shows.

        Parameters
        ----------
        *args, **options
            Options of the class, and ``width``, by default 80.

        Returns
        -------
        str
            The text that ``print`` shows.

        Examples
        --------
        >>> import howsure
        >>> print(howsure.significance.mcnemar(25, 15).text(width=60))
        McNemar's test (chi2): difference n/a, statistic 2.500,
          df 1, p = 0.114 (two-sided)
          note: pass `n=`, the total number of cases, for the
            difference in accuracy and its standard error;
            `intervals.tango` computes its interval
        """
        width = options.pop("width", None)
        return self.sheet(**options).text(width)

    def text_lines(self, *args: Any, **options: Any) -> list[Line]:
        """Return the lines of the text with their roles."""
        return [Line(line) for line in self.text(**options).split("\n")]

    def __dir__(self) -> list[str]:
        """Return the names for users, without those only for charts and pages."""
        return [name for name in super().__dir__() if name not in INTERNAL_NAMES]

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Return HTML for a notebook, protecting names from MathJax."""
        return f'<div class="tex2jax_ignore mathjax_ignore">{self.to_html()}</div>'
