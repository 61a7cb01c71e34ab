"""FoldTable: the value of a measure in every split, for every learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from howsure.arrays import Floats, IntArray
from howsure.checks import check_type, one_of
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

    `ExperimentResult.scores` returns it, and the tests of `howsure.significance` accept it. Values of two tables are
    paired only if the tables have the same fingerprint, that is, the same splits.

    Attributes
    ----------
    values
        An array of shape (splits, learners); NaN for undefined values.
    learners
        The names of the columns.
    fingerprint
        The fingerprint of the splits.
    measure
        The name of the measure.
    design
        The numbers of the resampling scheme that intervals and tests depend on.
    repeat, fold
        The repeat and the fold of each split, counted from 0.
    undefined
        The reason for each undefined value, by split and learner.
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
        """Return the values of one learner in each split."""
        one_of("learner", learner, self.learners)
        return self.values[:, self.learners.index(learner)]

    def estimate(self, learner: str) -> Estimate:
        """Return the mean over the splits, with its interval.

        The interval method "t" treats splits as independent. "corrected-t", the default for overlapping training sets,
        corrects the variance for the overlap (Nadeau and Bengio 2003). "cautious-t", the default for repeated testing,
        also allows for learners that depend strongly on single cases.

        Parameters
        ----------
        learner
            The name of the learner.
        """
        column = self[learner]
        is_defined = np.isfinite(column)
        defined = column[is_defined]
        notes: tuple[str, ...] = ()
        reasons = [reason for (_, name), reason in self.undefined.items() if name == learner]
        if len(defined) < len(column):
            why = f", because {reasons[0]}" if reasons else ""
            undefined = f"{counted(len(column) - len(defined), 'split', 'has', of=len(column))} no value{why}"
            notes = (f"{undefined}; the pooled value uses all predictions",)
        missing = reasons[0] if reasons else "no split has a value"
        repeat = self.repeat[is_defined] if self.design.is_repeated else None
        basis = MeanOfValues(
            defined, self.design.overlap > 0, self.design.ratio, self.span, missing=missing, repeat=repeat
        )
        of = f"mean of {counted(len(defined), 'split')}"
        return Estimate(self.measure, basis.value, len(defined), basis.reason, of, notes, basis=basis)

    def join(self, other: FoldTable) -> FoldTable:
        """Combine the learners of two tables with the same splits and measure.

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
        check_type("other", other, FoldTable, "a FoldTable")
        for name in ("fingerprint", "measure"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                kind = "splits" if name == "fingerprint" else "measures"
                raise HowsureError(f"the tables have different {kind}, {mine} and {theirs}, so values are not paired.")
        twice = [name for name in other.learners if name in self.learners]
        if twice:
            raise HowsureError(f"both tables have a learner {twice[0]!r}; rename one of them.")
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
        """Return one record for each split."""
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
