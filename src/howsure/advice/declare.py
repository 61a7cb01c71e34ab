"""Declare findings: a code, a title, and the function that checks for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from howsure.checks import check_type, one_of
from howsure.registry import Registry

if TYPE_CHECKING:
    from howsure.data.truths import Annotations
    from howsure.raters import Agreement
    from howsure.resampling.index_sets import Splits
    from howsure.tables import Clusters, Confusion, ScoreTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Data that findings are based on; omit any that are not available.

    Attributes
    ----------
    table
        The confusion matrix.
    scores
        The score table for two classes.
    threshold
        The threshold, if scores determine the predictions.
    splits
        The splits of a resampling scheme.
    touches
        The name of the model at each use of a test set.
    stacking
        The training data of a combiner: "in-sample" or "out-of-fold".
    shape
        The numbers of cases and attributes.
    repeated
        Unused columns that look like identifiers and have repeated values.
    clusters
        The clusters of cases that are not independent.
    ratings
        The agreement of raters.
    annotations
        The agreement of annotators, if cases have several true labels.

    Examples
    --------
    >>> from howsure import Confusion
    >>> from howsure.advice import Evidence
    >>> list(Evidence(table=Confusion([[990, 0], [10, 0]])).known())
    ['table']
    """

    table: Confusion | None = None
    scores: ScoreTable | None = None
    threshold: float | None = None
    splits: Splits | None = None
    touches: tuple[str, ...] = ()
    stacking: str | None = None
    shape: tuple[int, int] | None = None
    repeated: tuple[str, ...] = ()
    clusters: Clusters | None = None
    ratings: Agreement | None = None
    annotations: Annotations | None = None

    def known(self) -> dict[str, Any]:
        """Return the fields that have a value, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None and value != ()}


Check = Callable[..., str | None]


@dataclass(frozen=True, slots=True)
class Advice:
    """A declared check, which returns a sentence or None.

    ``needs`` lists the fields of `Evidence` that are its arguments; it is only called if all are available.
    """

    code: str
    title: str
    check: Check
    needs: tuple[str, ...]

    @property
    def explanation(self) -> list[str]:
        """The paragraphs after the summary in the check's docstring."""
        text, _, _ = (inspect.getdoc(self.check) or "").partition("\n\nExamples\n")
        summary, *paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
        return paragraphs or [summary]


@dataclass(frozen=True, slots=True)
class Finding:
    """A warning about the data or the result.

    Attributes
    ----------
    code
        A code such as "A003", which is also the name of its page in the reference.
    title
        A short title.
    message
        The warning in a sentence.

    Examples
    --------
    >>> import howsure
    >>> finding = howsure.assess([0] * 990 + [1] * 10, [0] * 1000).findings[0]
    >>> finding.code, finding.title
    ('A002', 'Classes never predicted')
    >>> sorted(finding.to_dict())
    ['code', 'message', 'title']
    """

    code: str
    title: str
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def to_dict(self) -> dict[str, str]:
        """Return the finding as plain values, for JSON."""
        return {"code": self.code, "title": self.title, "message": self.message}


registry: Registry[Advice] = Registry("advice", "`list(howsure.advice.registry)` lists them")


def advice(code: str, title: str) -> Callable[[Check], Check]:
    """Declare a check; its parameters are fields of `Evidence`."""

    def declare(check: Check) -> Check:
        needs = tuple(inspect.signature(check).parameters)
        if unknown := set(needs) - {field.name for field in fields(Evidence)}:
            raise TypeError(f"{code} asks for {unknown}, which is not a field of Evidence")
        registry.add(code, Advice(code, title, check, needs))
        return check

    return declare


def findings(evidence: Evidence, needs: str | None = None) -> tuple[Finding, ...]:
    """Run all checks that the evidence allows.

    Parameters
    ----------
    evidence
        The evidence.
    needs
        The name of a field of the evidence, to run only the checks that need it.

    Returns
    -------
    tuple of Finding
        The findings, sorted by code.

    Examples
    --------
    >>> from howsure import Confusion
    >>> from howsure.advice import Evidence, findings
    >>> [finding.code for finding in findings(Evidence(table=Confusion([[990, 0], [10, 0]])))]
    ['A002', 'A003', 'A004']
    """
    check_type("evidence", evidence, Evidence, "an Evidence")
    if needs is not None:
        one_of("needs", needs, [field.name for field in fields(Evidence)])
    fields_with_value, results = evidence.known(), []
    for declared in registry.values():
        if (needs is None or needs in declared.needs) and all(name in fields_with_value for name in declared.needs):
            message = declared.check(**{name: fields_with_value[name] for name in declared.needs})
            if message:
                results.append(Finding(declared.code, declared.title, message))
    return tuple(sorted(results, key=lambda finding: finding.code))
