"""A table that can be printed as text, Markdown, LaTeX, CSV or HTML; all tables of results are sheets."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape as escape_html
from numbers import Integral, Real
from typing import Any

from howsure.checks import check_type, one_of
from howsure.errors import must, one_line
from howsure.present.frames import frame_of
from howsure.present.layout import Column, lay_out
from howsure.present.picture import Pictures
from howsure.present.result import Result, check_width
from howsure.present.value_text import cell, escape_latex, escape_markdown, guard_formula, jsonable
from howsure.present.words import LONGEST_REPR, Line, joined, shorten, wrap

Record = dict[str, Any]


@dataclass(frozen=True, repr=False)
class Sheet(Result):
    """A table of values, rounded when printed.

    CSV and data frames contain unrounded values.

    Parameters
    ----------
    columns
        Names of the columns.
    rows
        One sequence of values for each row.
    title
        A line above the table.
    notes
        Sentences below the table.
    headings
        Headings above some rows, by row number.
    spare
        Columns to omit if the text is too narrow, in this order.
    pictures
        Small drawings of the rows, printed if there is room.

    Examples
    --------
    >>> import howsure
    >>> sheet = howsure.Sheet(["learner", "error"], [["tree", 0.08791], ["bayes", 0.0526]], "Errors")
    >>> print(sheet)
    Errors
    learner  error
    -------  -----
    tree     0.088
    bayes    0.053
    >>> print(sheet.to_csv())
    learner,error
    tree,0.08791
    bayes,0.0526
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    notes: tuple[str, ...] = ()
    headings: Mapping[int, str] = field(default_factory=dict, kw_only=True)
    spare: tuple[str, ...] = field(default=(), kw_only=True)
    pictures: Pictures = field(default=Pictures(), kw_only=True)

    @classmethod
    def of(cls, records: Sequence[Record], title: str = "", notes: tuple[str, ...] = ()) -> Sheet:
        """Create a sheet from records; missing values become empty cells.

        Parameters
        ----------
        records
            One mapping for each row, by column name.
        title
            A line above the table.
        notes
            Sentences below the table.

        Returns
        -------
        Sheet
            The columns are in the order of their first occurrence.

        Examples
        --------
        >>> from howsure import Sheet
        >>> print(Sheet.of([{"learner": "tree", "error": 0.09}, {"learner": "bayes"}]).to_csv())
        learner,error
        tree,0.09
        bayes,
        """
        if not isinstance(records, list | tuple) or not all(isinstance(record, Mapping) for record in records):
            must("records", "a list of mappings, one for each row", given=records)
        check_type("title", title, str, "a text")
        if not isinstance(notes, list | tuple) or not all(isinstance(note, str) for note in notes):
            must("notes", "a list of texts", given=notes)
        columns = list(dict.fromkeys(key for record in records for key in record))
        return cls(columns, [[record.get(column) for column in columns] for record in records], title, tuple(notes))

    @cached_property
    def numeric(self) -> list[bool]:
        """Whether each column consists of numbers, which are right-aligned."""

        def all_numbers(values: Sequence[Any]) -> bool:
            present = [value for value in values if value is not None]
            return bool(present) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in present)

        return [all_numbers([row[index] for row in self.rows]) for index in range(len(self.columns))]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        title = f"{one_line(self.title)!r}, " if self.title else ""
        first = [f"{name} {cell(value)}" for name, value in zip(self.columns, next(iter(self.rows), ()), strict=False)]
        shown = f"; first: {', '.join(map(one_line, first))}" if first else ""
        columns = ", ".join(map(one_line, self.columns))
        return shorten(f"Sheet({title}{len(self)} rows of {columns}{shown})", LONGEST_REPR)

    def records(self) -> list[Record]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def sheet(self) -> Sheet:
        return self

    def to_dict(self) -> dict[str, Any]:
        rows = [list(row) for row in self.rows]
        return dict(
            jsonable({"title": self.title, "columns": list(self.columns), "rows": rows, "notes": list(self.notes)})
        )

    def _cells(self, spell: Callable[[str], str]) -> list[list[str]]:
        return [[spell(cell(value)) for value in row] for row in self.rows]

    def _with_headings(self, body: list[list[str]], spell: Callable[[str], str]) -> list[list[str]]:
        """Insert each heading as a row above its rows."""
        rows = []
        for index, row in enumerate(body):
            if index in self.headings:
                rows.append([spell(self.headings[index]), *[""] * (len(self.columns) - 1)])
            rows.append(row)
        return rows

    def text_lines(self, width: int | None = None) -> list[Line]:
        """Return the lines of the text (see `howsure.present.layout`)."""
        width = check_width(width)
        head, body = [one_line(column) for column in self.columns], self._cells(one_line)
        table = [
            Column(name, cells, right)
            for name, cells, right in zip(head, _transposed(body, len(head)), self.numeric, strict=True)
        ]
        pictures = Column("", self.pictures.rows, right=False) if any(self.pictures.rows) else None
        title = [Line(line, "title") for line in wrap(one_line(self.title), width)] if self.title else []
        notes = [Line(line, "note") for note in self.notes for line in wrap(one_line(note), width)]
        headings = {row: one_line(text) for row, text in self.headings.items()}
        spare = [one_line(column) for column in self.spare]
        return [*title, *lay_out(table, width, headings, spare, pictures, self.pictures.scales), *notes]

    def text(self, width: int | None = None) -> str:
        return joined(self.text_lines(width))

    def to_markdown(self) -> str:
        marks = ["---:" if right else "---" for right in self.numeric]
        body = self._with_headings(self._cells(escape_markdown), lambda text: f"**{escape_markdown(text)}**")
        lines = [f"| {' | '.join(row)} |" for row in (list(map(escape_markdown, self.columns)), marks, *body)]
        above = [f"**{escape_markdown(self.title)}**", ""] if self.title else []
        below = ["", *(f"- {escape_markdown(note)}" for note in self.notes)] if self.notes else []
        return "\n".join([*above, *lines, *below])

    def to_latex(self) -> str:
        align = "".join("r" if right else "l" for right in self.numeric)
        body = self._with_headings(self._cells(escape_latex), lambda text: rf"\textit{{{escape_latex(text)}}}")
        table = [list(map(escape_latex, self.columns)), *body]
        lines = [" & ".join([_braced(first) for first in row[:1]] + row[1:]) + r" \\" for row in table]
        title = [rf"\caption{{{escape_latex(self.title)}}}"] if self.title else []
        rules = [r"\hline", lines[0], r"\hline", *lines[1:], r"\hline"]
        return "\n".join(
            [
                *(r"\begin{table}", r"\centering", *title, rf"\begin{{tabular}}{{{align}}}"),
                *rules,
                *(r"\end{tabular}", r"\end{table}"),
            ]
        )

    def to_html(self) -> str:
        def row(items: Sequence[str], tag: str) -> str:
            cells = (
                f'<{tag} style="text-align:{"right" if right else "left"}">{item}</{tag}>'
                for item, right in zip(items, self.numeric, strict=True)
            )
            return f"<tr>{''.join(cells)}</tr>"

        head = row([escape_html(one_line(column)) for column in self.columns], "th")
        rows = []
        for index, cells in enumerate(self._cells(lambda text: escape_html(one_line(text)))):
            if index in self.headings:
                heading = escape_html(one_line(self.headings[index]))
                start = '<th style="text-align:left" scope="colgroup"'
                rows.append(f'<tr>{start} colspan="{len(self.columns)}">{heading}</th></tr>')
            rows.append(row(cells, "td"))
        body = "".join(rows)
        caption = f"<caption>{escape_html(one_line(self.title))}</caption>" if self.title else ""
        notes = "".join(f"<li>{escape_html(one_line(note))}</li>" for note in self.notes)
        below = f"<ul>{notes}</ul>" if notes else ""
        return f"<table>{caption}<thead>{head}</thead><tbody>{body}</tbody></table>{below}"

    def to_csv(self, *, spreadsheet: bool = False) -> str:  # type: ignore[override]
        one_of("spreadsheet", spreadsheet, (True, False))
        lines = _Lines()
        writer = csv.writer(
            lines, lineterminator="\r\n"
        )  # with this terminator, carriage returns in cells are also quoted
        guard = guard_formula if spreadsheet else lambda value: value
        writer.writerow(map(guard, self.columns))
        for row in self.rows:
            writer.writerow(["" if is_missing(value) else guard(value) for value in row])
        return "\n".join(line.removesuffix("\r\n") for line in lines).rstrip("\n")

    def with_last(self, columns: Sequence[str]) -> Sheet:
        """Move columns to the end."""
        order = sorted(range(len(self.columns)), key=lambda index: self.columns[index] in columns)
        rows = [[row[index] for index in order] for row in self.rows]
        return replace(self, columns=[self.columns[index] for index in order], rows=rows)

    def frame(self, like: str | None = None) -> Any:
        """Return the table as a data frame.

        Parameters
        ----------
        like
            "pandas", "polars" or "pyarrow"; by default the first library that is installed.

        Returns
        -------
        data frame
            One row for each row of the sheet.
        """
        columns = ([row[index] for row in self.rows] for index in range(len(self.columns)))
        return frame_of(dict(zip(self.columns, map(one_type, columns), strict=True)), like)


def _transposed(body: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    return [[row[index] for row in body] for index in range(width)]


class _Lines(list[str]):
    """A file-like object that collects the lines of a CSV writer."""

    def write(self, line: str) -> None:
        self.append(line)


def _braced(text: str) -> str:
    """Protect [ and * at the start of a line in LaTeX."""
    return f"{{{text[0]}}}{text[1:]}" if text[:1] in ("[", "*") and text else text


def is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def one_type(values: list[Any]) -> list[Any]:
    """Convert a column to a single type: float for numbers, otherwise text."""
    kinds = {_kind(value) for value in values if value is not None}
    if kinds == {Integral, Real}:
        return [None if value is None else float(value) for value in values]
    return values if len(kinds) <= 1 else [None if value is None else str(value) for value in values]


def _kind(value: Any) -> type:
    return next((kind for kind in (bool, Integral, Real) if isinstance(value, kind)), type(value))
