"""Base class of results with a headline, findings and estimates."""

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
    """Base class of results with a headline, findings and estimates.

    Subclasses define ``sentences``, ``findings`` and ``estimates``.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(correct=[1, 1, 0, 1, 1, 0, 1, 1])
    >>> print(a.headline)
    Accuracy 75.0 % [40.9, 97.0] on 8 cases.
    >>> a.sentences() == a.headline.splitlines()
    True
    >>> [estimate.name for estimate in a.estimates()]
    ['accuracy']
    """

    _last_in_frames = INTERVAL
    _headings: ClassVar[Mapping[int, str] | None] = {}  # None: the class of each estimate is in a column

    if TYPE_CHECKING:

        @property
        def findings(self) -> tuple[Finding, ...]: ...

    def sentences(self, confidence: float = 0.95) -> list[str]:
        """Summarise the result in sentences, the most important first.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Returns
        -------
        list of str
            The sentences.
        """
        raise NotImplementedError

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Estimate the named measures, or all that apply.

        Parameters
        ----------
        measures
            Names of measures; default: all that apply.

        Returns
        -------
        list of Estimate
            One estimate per name, in the same order.
        """
        raise NotImplementedError

    @property
    def caption(self) -> str:
        """The heading of the table of estimates in a text."""
        return ""

    def further_notes(self) -> list[str]:
        """Return notes on the estimates, in addition to the reasons for missing values."""
        return []

    def further_tables(self, confidence: float) -> list[Sheet]:
        """Return the tables shown below the estimates."""
        return []

    @property
    def headline(self) -> str:
        """A summary in a few sentences, one per line."""
        return "\n".join(self.sentences())

    @property
    def notes(self) -> tuple[str, ...]:
        return (*remarks(self.estimates()), *self.further_notes(), *map(str, self.findings))

    def records(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> list[Record]:
        """Return one record for each measure, unrounded."""
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
        """Return the lines of the text."""
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
        """Return the text that ``print`` shows."""
        return joined(self.text_lines(width, confidence, measures))

    def to_html(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> str:
        tables = [estimate_sheet(self.estimates(measures), confidence, headings=self._headings)]
        tables += self.further_tables(confidence)
        return opening_html(self.sentences(confidence), self.findings) + "".join(table.to_html() for table in tables)
