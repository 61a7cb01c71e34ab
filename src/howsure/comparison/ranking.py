"""Classifiers from best to worst, in tiers."""

from __future__ import annotations

from dataclasses import dataclass, field

from howsure.errors import merge_notes
from howsure.present import Record, Result, Sheet
from howsure.present.value_text import spoken, with_interval
from howsure.results import Estimate

RULE = (
    "a new tier starts where a classifier is significantly worse than a member of the tier above, not necessarily than "
    "all of them"
)


@dataclass(frozen=True, eq=False)
class Ranking(Result):
    """Classifiers from best to worst, in tiers.

    A new tier starts where a classifier is significantly worse than a member of the tier above. Classifiers without a
    value come last and belong to no tier.

    Attributes
    ----------
    measure
        The name of the measure.
    tiers
        The names of the classifiers by tier.
    values
        The value of each classifier.
    confidence
        Confidence level of the intervals.

    Examples
    --------
    >>> import howsure
    >>> truth = [0, 0, 1, 1] * 30
    >>> predicted = {"a": truth, "b": [0, 0, 1, 1, 0, 0, 1, 0] * 15, "c": [1, 0, 0, 1] * 30}
    >>> ranking = howsure.compare(truth, predicted).ranking()
    >>> ranking.tiers, ranking.names
    ((('a',), ('b',), ('c',)), ('a', 'b', 'c'))
    >>> ranking.records(most=1)[0]["tier"]
    1
    """

    measure: str
    tiers: tuple[tuple[str, ...], ...]
    values: dict[str, Estimate] = field(repr=False)
    confidence: float = 0.95

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers from best to worst."""
        return tuple(self.values)

    @property
    def notes(self) -> tuple[str, ...]:
        return (RULE,) if len(self.tiers) > 1 else ()

    def records(self, most: int | None = None) -> list[Record]:
        """Return one record for each classifier, unrounded.

        Parameters
        ----------
        most
            The number of classifiers, the best first; default: all.
        """
        tiers = {name: number for number, tier in enumerate(self.tiers, 1) for name in tier}
        records = []
        for name in self.names[:most]:
            low, high = self.values[name].interval(self.confidence)
            value = self.values[name].value
            records.append({"tier": tiers.get(name), "classifier": name, "value": value, "low": low, "high": high})
        return records

    def without_interval(self, most: int | None = None) -> list[str]:
        """Return the reasons why classifiers have no interval.

        Parameters
        ----------
        most
            The number of classifiers, the best first; default: all.

        Returns
        -------
        list of str
            Each reason with the names of the classifiers.

        Examples
        --------
        >>> import howsure
        >>> c = howsure.compare([1, 0, 0], scores={"a": [0.9, 0.4, 0.2], "b": [0.9, 0.1, 0.95]})
        >>> [reason.partition(";")[0] for reason in c.ranking().without_interval()]
        ['a, b: no interval, because 1 positive case is too few for an interval of the AUC']
        """
        return merge_notes((name, self.values[name].no_interval(self.confidence)) for name in self.names[:most])

    def sheet(self, most: int | None = None) -> Sheet:
        """Return the table that is shown.

        Parameters
        ----------
        most
            The number of classifiers, the best first; default: all.
        """
        headings = spoken(self.measure), f"{self.confidence * 100:g} % interval"
        rows = [
            {
                "tier": record["tier"],
                "classifier": record["classifier"],
                **dict(zip(headings, with_interval(record["value"], record["low"], record["high"]), strict=True)),
            }
            for record in self.records(most)
        ]
        return Sheet.of(rows, self.title, (*self.notes, *self.without_interval(most)))
