"""FoldTable: a measure's value in every split, for every learner; and what the splits together say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from howsure.arrays import Floats, IntArray
from howsure.checks import is_a, one_of
from howsure.errors import HowsureError, counted
from howsure.intervals.mean import MeanOfValues
from howsure.present import Record, Result
from howsure.present.value_text import jsonable, number, spoken
from howsure.present.words import LONGEST_REPR, shorten
from howsure.results import Estimate
from howsure.tables.design import Design


@dataclass(frozen=True, eq=False, repr=False)
class FoldTable(Result):
    """The value of a measure in every split, for every learner.

    `ExperimentResult.scores` gives it, and tests of `howsure.significance` take it. Only tables with the same
    fingerprint
    can be compared pair by pair, and joined. Tables of different splits cannot be merged: a mean of one has nothing to
    do with the splits of the other.

    Attributes
    ----------
    values
        An array of shape (splits, learners), NaN where undefined.
    learners
        The names of the columns.
    fingerprint
        That of the splits.
    measure
        What the values are of.
    design
        What intervals and tests must know of the splits.
    repeat, fold
        The numbers of the repeat and of the fold of each split.
    undefined
        Why a value is missing, by split and learner.
    dataset
        The name of the data set.
    span
        The range of the measure.

    Examples
    --------
    >>> import howsure
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(40)], [i % 2 for i in range(40)]
    >>> learners = {"gauss": GaussianNB(), "bernoulli": BernoulliNB()}
    >>> table = howsure.Experiment(learners, {"toy": (X, y)}, howsure.KFold(4)).run(progress=False).scores("accuracy")
    >>> table.values.shape, table.learners
    ((4, 2), ('gauss', 'bernoulli'))
    >>> table.estimate("gauss").value
    1.0
    """

    values: Floats = field(repr=False)
    learners: tuple[str, ...]
    fingerprint: str
    measure: str
    design: Design = field(repr=False)
    repeat: IntArray = field(repr=False)
    fold: IntArray = field(repr=False)
    undefined: Mapping[tuple[int, str], str] = field(default_factory=dict, repr=False)
    dataset: str = ""
    span: tuple[float, float] = (-np.inf, np.inf)

    def __getitem__(self, learner: str) -> Floats:
        """Give the values of one learner, split by split."""
        one_of("learner", learner, self.learners)
        return self.values[:, self.learners.index(learner)]

    def estimate(self, learner: str) -> Estimate:
        """Average over the splits.

        Its intervals: "t" takes the splits for independent; "corrected-t" allows for training sets that overlap, and is
        the default where they do; "cautious-t", the default where cases are tested more than once, also allows for
        learners that follow single cases.

        Parameters
        ----------
        learner
            Its name.
        """
        column = self[learner]
        is_defined = np.isfinite(column)
        defined = column[is_defined]
        notes: tuple[str, ...] = ()
        reasons = [reason for (_, name), reason in self.undefined.items() if name == learner]
        if len(defined) < len(column):
            why = f", because {reasons[0]}" if reasons else ""
            lost = f"{counted(len(column) - len(defined), 'split', 'has', of=len(column))} no value{why}"
            notes = (f"{lost}; the pooled value is of all predictions",)
        missing = reasons[0] if reasons else "no split has a value"
        repeat = self.repeat[is_defined] if self.design.is_repeated else None
        basis = MeanOfValues(
            defined, self.design.overlap > 0, self.design.ratio, self.span, missing=missing, repeat=repeat
        )
        of = f"mean of {counted(len(defined), 'split')}"
        return Estimate(self.measure, basis.value, len(defined), basis.reason, of, notes, basis=basis)

    def join(self, other: FoldTable) -> FoldTable:
        """Put the learners of another table beside these; both must have the same splits and measure.

        Parameters
        ----------
        other
            A table of the same splits.

        Examples
        --------
        >>> import howsure
        >>> from dataclasses import replace
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = [[i % 7, i % 2] for i in range(40)], [i % 2 for i in range(40)]
        >>> run = howsure.Experiment({"bayes": GaussianNB()}, {"toy": (X, y)}, howsure.KFold(2)).run(progress=False)
        >>> table = run.scores("accuracy")
        >>> table.join(replace(table, learners=("again",))).learners
        ('bayes', 'again')
        """
        is_a("other", other, FoldTable, "a FoldTable")
        for name in ("fingerprint", "measure"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                what = "splits" if name == "fingerprint" else "measures"
                raise HowsureError(f"the tables are of different {what}, {mine} and {theirs}, so they make no pairs.")
        twice = [name for name in other.learners if name in self.learners]
        if twice:
            raise HowsureError(f"both tables have a learner {twice[0]!r}; name them differently.")
        return replace(
            self,
            values=np.hstack([self.values, other.values]),
            learners=(*self.learners, *other.learners),
            undefined={**self.undefined, **other.undefined},
        )

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {number(self.estimate(name).value)}" for name in self.learners)
        splits = f"{len(self.values)} splits of {self.design.scheme}"
        return shorten(f"FoldTable(mean {self.measure}: {means}; {splits})", LONGEST_REPR)

    @property
    def title(self) -> str:
        return f"{spoken(self.measure)} in each split of {self.design.scheme}"

    def records(self) -> list[Record]:
        """Give one record for each split."""
        return [
            {"repeat": int(repeat) + 1, "fold": int(fold) + 1, **dict(zip(self.learners, map(float, row), strict=True))}
            for repeat, fold, row in zip(self.repeat, self.fold, self.values, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        undefined = [{"split": split, "learner": name, "reason": why} for (split, name), why in self.undefined.items()]
        return dict(
            jsonable(
                {
                    "measure": self.measure,
                    "dataset": self.dataset,
                    "fingerprint": self.fingerprint,
                    "design": self.design.to_dict(),
                    "learners": list(self.learners),
                    "values": self.values,
                    "undefined": undefined,
                }
            )
        )
