"""The one contract of results: a class gives records, and all the ways to show them follow.

``records`` hold every digit and make data frames and CSV. ``sheet`` is the table that people read, rounded, with a
title and notes; text, Markdown, LaTeX and HTML are made of it. A class whose records are shown as they are writes no
``sheet``. Options, such as ``confidence`` and ``measures``, go through to ``records`` and ``sheet``, so that a class
takes the same ones everywhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar

from howsure.checks import whole_between
from howsure.present.value_text import jsonable, plain
from howsure.present.words import LEAST, WIDTH, Line, wrapped

if TYPE_CHECKING:
    from howsure.present.sheet import Record, Sheet


def check_width(width: int | None) -> int:
    """Give the columns that a text may take: 80 unless others are asked for, and never so few that no word fits."""
    return WIDTH if width is None else max(whole_between("width", width, 1, 10**6), LEAST)


def _printable(method: Callable[..., str]) -> Callable[..., str]:
    @wraps(method)
    def text(*args: Any, **options: Any) -> str:
        return plain(method(*args, **options))

    return text


def _fitting(method: Callable[..., str]) -> Callable[..., str]:
    """Let every text take a ``width``: where a class has no use for it, its sentences are wrapped."""
    parameters = inspect.signature(method).parameters
    if "width" in parameters:
        return _printable(method)

    @wraps(method)
    def text(*args: Any, width: int | None = None, **options: Any) -> str:
        return wrapped(plain(method(*args, **options)), check_width(width))

    own = inspect.Parameter("width", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="int | None")
    text.__signature__ = inspect.Signature([*parameters.values(), own])  # type: ignore[attr-defined]
    return text


PLUMBING = {
    "against_rest", "believed", "beyond_chance", "brier_score", "caption", "clustered", "clusters_at",
    "curves_that_apply", "drawings", "effective_sums", "explored", "fewer", "further_notes", "further_tables",
    "key_estimates", "no_interval", "of_columns", "remember", "report_about", "report_question", "report_settings",
    "report_title", "shown", "single", "text_lines", "views", "with_last", "without_interval", "worth",
}  # fmt: skip


class Result:
    """What every result can do: be printed, shown, drawn, and given as records, a data frame, or a table in any form.

    Attributes
    ----------
    title
        What it is of, in a line; it stands above tables.
    notes
        What to know of single values; they stand below tables.

    Notes
    -----
    Methods of results share these options, each where it makes sense:

    confidence
        Of the intervals, by default 0.95.
    measures
        Names of measures, such as ``["recall", "f_beta(beta=2)"]``; by default those that are shown.
    like
        The data frame library to answer in, "pandas", "polars" or "pyarrow"; by default the one the data came in, or
        else the first that is installed.
    width
        The columns that a line of text may take, by default 80.
    spreadsheet
        Whether to put an apostrophe before text that a spreadsheet would take for a formula.

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
        """Make every text of every class safe to print: it fits a width, and no name in it steers the terminal."""
        super().__init_subclass__(**options)
        for name, safe in (("text", _fitting), ("__repr__", _printable)):
            if name in vars(cls):
                setattr(cls, name, safe(vars(cls)[name]))

    # A data frame too wide for the screen is shown by its first and its last columns: these come last, to be seen.
    _last_in_frames: ClassVar[tuple[str, ...]] = ()
    _library: str | None = None  # the data frame library the data came in, which `frame` answers in

    if TYPE_CHECKING:  # a class may have these as fields or as properties

        @property
        def title(self) -> str: ...
        @property
        def notes(self) -> tuple[str, ...]: ...
    else:
        title = ""
        notes = ()

    def records(self, *args: Any, **options: Any) -> list[Record]:
        """Give one record for each row, with every digit.

        Parameters
        ----------
        *args, **options
            Options of this kind of result; see the class.

        Returns
        -------
        list of dict
            One for each row, by the names of the columns.
        """
        raise NotImplementedError

    def sheet(self, *args: Any, **options: Any) -> Sheet:
        """Give the table that is shown.

        Parameters
        ----------
        *args, **options
            Options of this kind of result; see the class.

        Returns
        -------
        Sheet
            The table, rounded where it is shown.

        Examples
        --------
        >>> import howsure
        >>> howsure.significance.mcnemar(25, 15).sheet().columns[:4]
        ['test', 'variant', 'method', 'difference']
        """
        from howsure.present.sheet import Sheet

        return Sheet.of(self.records(**options), self.title, self.notes)

    def frame(self, like: str | None = None, *args: Any, **options: Any) -> Any:
        """Give every digit as a data frame: of the library named by ``like``, else of the one the data came in.

        Parameters
        ----------
        like
            "pandas", "polars" or "pyarrow".
        *args, **options
            Options of this kind of result; see the class.

        Returns
        -------
        data frame
            A row for each record.
        """
        from howsure.present.sheet import Sheet

        sheet = Sheet.of(self.records(**options)).with_last(self._last_in_frames)
        return sheet.frame(self._library if like is None else like)

    def to_dict(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Give plain values, ready for JSON; NaN becomes None.

        Parameters
        ----------
        *args, **options
            Options of this kind of result; see the class.

        Returns
        -------
        dict
            Text, numbers, lists and None only.

        Examples
        --------
        >>> import howsure
        >>> howsure.significance.mcnemar(25, 15).to_dict()["method"]
        "McNemar's test (chi2)"
        """
        return dict(jsonable({"title": self.title, "records": self.records(**options), "notes": self.notes}))

    def to_csv(self, *args: Any, spreadsheet: bool = False, **options: Any) -> str:
        """Give every digit as CSV; with ``spreadsheet``, an apostrophe before text that would start a formula.

        Parameters
        ----------
        *args, **options
            Options of this kind of result; see the class.
        spreadsheet
            For a file that will be opened in a spreadsheet.

        Returns
        -------
        str
            A line of names, and a line for each record.
        """
        from howsure.present.sheet import Sheet

        return Sheet.of(self.records(**options)).to_csv(spreadsheet=spreadsheet)

    def to_markdown(self, *args: Any, **options: Any) -> str:
        """Give the table that is shown in Markdown.

        Parameters
        ----------
        *args, **options
            Options of this kind of result; see the class.

        Returns
        -------
        str
            The table, its title above it and its notes below.

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
        r"""Give the table that is shown in LaTeX.

        Parameters
        ----------
        *args, **options
            Options of this kind of result; see the class.

        Returns
        -------
        str
            A ``table`` that needs no package.

        Examples
        --------
        >>> import howsure
        >>> print(howsure.significance.adjust([0.01, 0.04]).to_latex().splitlines()[0])
        \begin{table}
        """
        return self.sheet(**options).to_latex()

    def to_html(self, *args: Any, **options: Any) -> str:
        """Give the table that is shown in HTML, as notebooks show it.

        Parameters
        ----------
        *args, **options
            Options of this kind of result; see the class.

        Returns
        -------
        str
            A part of a page, with every name escaped.

        Examples
        --------
        >>> import howsure
        >>> howsure.significance.adjust([0.01, 0.04]).to_html()[:7]
        '<table>'
        """
        return self.sheet(**options).to_html()

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Name what else there is to draw of this result: parts that have charts of their own, made when drawn."""
        return {}

    def plot(self, ax: Any = None, kind: str | None = None, **options: Any) -> Any:
        """Draw the chart of this class of results, or the one named ``kind``, and return the Matplotlib axes.

        Without ``ax`` it is drawn in a new pyplot figure, which notebooks show and ``plt.savefig`` writes. ``options``
        are those of the chart and, where it has lines, keywords of Matplotlib's: ``color``, ``linestyle``, ``label``.

        Parameters
        ----------
        ax
            Matplotlib axes to draw in; default: new ones. ``a.plot("confusion")`` names the kind instead.
        kind
            The name of a chart, where there are several.
        **options
            Options of the chart and of its lines.

        Returns
        -------
        matplotlib.axes.Axes
            What it was drawn in.

        Examples
        --------
        >>> import howsure
        >>> from matplotlib.figure import Figure
        >>> a = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9])
        >>> a.plot(Figure().subplots(), kind="confusion").get_xlabel()
        'predicted'
        """
        from howsure.present.charts.figure import plot

        return plot(self, ax, kind, **options)

    def text(self, *args: Any, **options: Any) -> str:
        """Give what ``print`` shows, in lines of at most ``width`` columns, by default 80.

        Parameters
        ----------
        *args, **options
            Options of this kind of result, and ``width``; see the class.

        Returns
        -------
        str
            What ``print`` shows.

        Examples
        --------
        >>> import howsure
        >>> print(howsure.significance.mcnemar(25, 15).text(width=60))
        McNemar's test (chi2): difference n/a, statistic 2.500,
          df 1, p = 0.114 (two-sided)
          note: pass `n=`, the number of all cases, for the
            difference in accuracy and its standard error;
            `intervals.tango` computes its interval
        """
        width = options.pop("width", None)
        return self.sheet(**options).text(width)

    def text_lines(self, *args: Any, **options: Any) -> list[Line]:
        """Give the text line by line, each with what it is, such as a headline, which a terminal may colour."""
        return [Line(line) for line in self.text(**options).split("\n")]

    def __dir__(self) -> list[str]:
        """Offer editors what a user may want; charts and pages know what else to ask for."""
        return [name for name in super().__dir__() if name not in PLUMBING]

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Give what a notebook shows; it is told to take no name with dollar signs for a formula."""
        return f'<div class="tex2jax_ignore mathjax_ignore">{self.to_html()}</div>'
