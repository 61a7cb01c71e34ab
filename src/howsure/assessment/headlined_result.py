"""Results that answer in a few sentences: below them findings, a table of estimates, and perhaps further tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from howsure.assessment.estimate_table import Wording, estimate_sheet, opening, opening_html, remarks
from howsure.present.report.reported import Reported
from howsure.present.result import check_width
from howsure.present.words import Line, joined
from howsure.results import INTERVAL

if TYPE_CHECKING:
    from howsure.advice import Finding
    from howsure.present.sheet import Record, Sheet
    from howsure.results import Estimate


class Headlined(Reported):
    """What results that answer in a few sentences have in common.

    A class writes ``sentences``, ``findings`` and ``estimates``.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(correct=[1, 1, 0, 1, 1, 0, 1, 1])
    >>> print(a.headline)
    75.0 % of 8 cases are right [40.9, 97.0].
    >>> a.sentences() == a.headline.splitlines()
    True
    >>> [estimate.name for estimate in a.estimates()]
    ['accuracy']
    """

    _last_in_frames = INTERVAL
    _headings: ClassVar[Mapping[int, str] | None] = {}  # None: a column says what each estimate is of

    if TYPE_CHECKING:

        @property
        def findings(self) -> tuple[Finding, ...]: ...

    def sentences(self, confidence: float = 0.95) -> list[str]:
        """Answer the question in a few sentences.

        Parameters
        ----------
        confidence
            Of the intervals.

        Returns
        -------
        list of str
            The sentences, the answer first.
        """
        raise NotImplementedError

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Give the measures asked for, or all that apply.

        Parameters
        ----------
        measures
            Names of measures; default: all that apply.

        Returns
        -------
        list of Estimate
            In the order asked for.
        """
        raise NotImplementedError

    @property
    def caption(self) -> str:
        """What stands above the estimates in a text."""
        return ""

    def further_notes(self) -> list[str]:
        """Say what there is to know of the estimates besides why some are missing."""
        return []

    def further_tables(self, confidence: float) -> list[Sheet]:
        """Give the tables below that of the estimates."""
        return []

    @property
    def headline(self) -> str:
        """The answer in a few sentences, one a line."""
        return "\n".join(self.sentences())

    @property
    def notes(self) -> tuple[str, ...]:
        return (*remarks(self.estimates()), *self.further_notes(), *map(str, self.findings))

    def records(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> list[Record]:
        """Give one record for each measure, with every digit."""
        return [record for estimate in self.estimates(measures) for record in estimate.records(confidence)]

    def sheet(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> Sheet:
        return estimate_sheet(self.estimates(measures), confidence, self.title, self.notes, self._headings)

    def text_lines(
        self,
        width: int | None = None,
        confidence: float = 0.95,
        measures: Sequence[str] | None = None,
        *,
        wording: Wording = str,
    ) -> list[Line]:
        """Give the text line by line; ``wording`` says the findings in the words of a command line."""
        width = check_width(width)
        estimates = self.estimates(measures)
        notes = [*remarks(estimates), *self.further_notes()]
        table = estimate_sheet(estimates, confidence, self.caption, notes, self._headings)
        if measures is not None:
            return table.text_lines(width)
        lines = [*opening(self.sentences(confidence), self.findings, width, wording), *table.text_lines(width)]
        for sheet in self.further_tables(confidence):
            lines += [Line(""), *sheet.text_lines(width)]
        return lines

    def text(self, confidence: float = 0.95, measures: Sequence[str] | None = None, width: int | None = None) -> str:
        """Give what ``print`` shows: the headline, findings and the tables."""
        return joined(self.text_lines(width, confidence, measures))

    def to_html(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> str:
        tables = [estimate_sheet(self.estimates(measures), confidence, headings=self._headings)]
        tables += self.further_tables(confidence)
        return opening_html(self.sentences(confidence), self.findings) + "".join(table.to_html() for table in tables)
