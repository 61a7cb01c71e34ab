"""Declare a finding once: its code, its title, and the function that looks for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from howsure.checks import is_a, one_of
from howsure.registry import Registry

if TYPE_CHECKING:
    from howsure.data.truths import Annotations
    from howsure.raters import Agreement
    from howsure.resampling.index_sets import Splits
    from howsure.tables import Clusters, Confusion, ScoreTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What findings are based on; leave out what is unknown. A new kind of evidence is a new field, and no more.

    Attributes
    ----------
    table
        The confusion table.
    scores
        The score table of two classes.
    threshold
        The one that decided, where no labels were given.
    splits
        Those of a resampling.
    touches
        The model of each look at a test set.
    stacking
        On what a combiner was trained: "in-sample" or "out-of-fold".
    shape
        The number of cases and of attributes.
    repeated
        Columns that look like identifiers, with values that repeat.
    clusters
        Those of the cases, where they are not independent.
    ratings
        How far raters agree.
    annotations
        How far annotators disagree, where cases have several truths.

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
        """Give what is known, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None and value != ()}


Check = Callable[..., str | None]


@dataclass(frozen=True, slots=True)
class Advice:
    """A thing to look for; the check gives a sentence, or None where there is nothing to say.

    ``needs`` are the fields of `Evidence` that the check is called with, and without which it is not.
    """

    code: str
    title: str
    check: Check
    needs: tuple[str, ...]

    @property
    def explanation(self) -> list[str]:
        """The paragraphs of the docstring of the check below its first line, or that line where there is no more."""
        words, _, _ = (inspect.getdoc(self.check) or "").partition("\n\nExamples\n")
        first, *more = (" ".join(text.split()) for text in words.split("\n\n"))
        return more or [first]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the data or the result that a reader should know.

    Attributes
    ----------
    code
        Such as "A003", by which it has a page of its own.
    title
        What it is about.
    message
        What was found, in a sentence.

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
        """Give plain values, ready for JSON."""
        return {"code": self.code, "title": self.title, "message": self.message}


registry: Registry[Advice] = Registry("advice", "`list(howsure.advice.registry)` lists them")


def advice(code: str, title: str) -> Callable[[Check], Check]:
    """Declare a check; its parameters say which evidence it needs, its docstring is its page of the reference."""

    def declare(check: Check) -> Check:
        needs = tuple(inspect.signature(check).parameters)
        if unknown := set(needs) - {field.name for field in fields(Evidence)}:
            raise TypeError(f"{code} asks for {unknown}, which is no field of Evidence")
        registry.add(code, Advice(code, title, check, needs))
        return check

    return declare


def findings(evidence: Evidence, needs: str | None = None) -> tuple[Finding, ...]:
    """Check everything there is advice on, or only that which needs one kind of evidence, such as "splits".

    Parameters
    ----------
    evidence
        What is known.
    needs
        The name of a kind of evidence.

    Returns
    -------
    tuple of Finding
        In the order of their codes.

    Examples
    --------
    >>> from howsure import Confusion
    >>> from howsure.advice import Evidence, findings
    >>> [finding.code for finding in findings(Evidence(table=Confusion([[990, 0], [10, 0]])))]
    ['A002', 'A003', 'A004']
    """
    is_a("evidence", evidence, Evidence, "an Evidence")
    if needs is not None:
        one_of("needs", needs, [field.name for field in fields(Evidence)])
    known, found = evidence.known(), []
    for declared in registry.values():
        if (needs is None or needs in declared.needs) and all(map(known.__contains__, declared.needs)):
            text = declared.check(**{name: known[name] for name in declared.needs})
            if text:
                found.append(Finding(declared.code, declared.title, text))
    return tuple(sorted(found, key=lambda finding: finding.code))
