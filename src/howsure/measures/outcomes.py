"""Measures of outcomes: of cases whose answers were right or wrong, or graded, without a column of the truth.

Each has a value for every case, and is its mean over the cases. With several answers to a case, all but the mean are
what would be found with ``k`` of them, on average over all ways to take ``k`` of those that are there: no bias.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import getdoc, signature
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import whole_between
from howsure.errors import HowsureError
from howsure.registry import Registry
from howsure.tables.outcomes import Outcomes

MOST_ANSWERS = 10_000  # that can be asked for of a case


@dataclass(frozen=True)
class OutcomeMeasure:
    """A declared measure of outcomes: ``by_case`` gives its value for each case."""

    name: str
    title: str
    formula: str
    summary: str
    by_case: Callable[..., Array] = field(repr=False)
    binary: bool = False  # only of answers that are right or wrong

    better = "higher"
    range = (0.0, 1.0)
    of_accuracy = None
    of_auc = None

    @property
    def takes_k(self) -> bool:
        return "k" in signature(self.by_case).parameters

    def check(self, parameters: dict[str, Any]) -> None:
        """Refuse parameters that it does not have, and numbers of answers that are none."""
        for name in parameters:
            if not (name == "k" and self.takes_k):
                takes = "it takes `k`" if self.takes_k else "it takes none"
                raise HowsureError(f"`{self.name}` has no parameter {name!r}; {takes}.")
        if self.takes_k:
            if "k" not in parameters:
                raise HowsureError(f"`{self.name}` needs `k`, a number of answers: `{self.name}(k=5)`.")
            whole_between("k", parameters["k"], 1, MOST_ANSWERS)


registry: Registry[OutcomeMeasure] = Registry("measure of outcomes", "`a.applicable()` lists them")


def outcome_measure(
    title: str, *, formula: str, binary: bool = False, aliases: tuple[str, ...] = ()
) -> Callable[[Callable[..., Array]], Callable[..., Array]]:
    """Register a function of outcomes that gives a value for each case."""

    def declare(by_case: Callable[..., Array]) -> Callable[..., Array]:
        summary = " ".join((getdoc(by_case) or "").split())
        declared = OutcomeMeasure(by_case.__name__, title, formula, summary, by_case, binary)
        registry.add(declared.name, declared, aliases)
        return by_case

    return declare


@outcome_measure("Accuracy", formula="mean over cases of the share of right answers", binary=True)
def accuracy(outcomes: Outcomes) -> Array:
    """Share of the answers that are right, each case counting once."""
    return outcomes.means


@outcome_measure("Mean score", formula="mean over cases of the mean score", aliases=("score",))
def mean_score(outcomes: Outcomes) -> Array:
    """Mean of the scores, each case counting once."""
    return outcomes.means


@outcome_measure("pass@k", formula="mean over cases of 1 - C(n - c, k) / C(n, k)", binary=True, aliases=("pass@k",))
def pass_at(outcomes: Outcomes, k: int) -> Array:
    """Probability that at least one of ``k`` answers to a case is right (Chen et al. 2021)."""
    return 1 - _none_of(outcomes.answers - outcomes.total, outcomes.answers, k)


@outcome_measure("pass^k", formula="mean over cases of C(c, k) / C(n, k)", binary=True, aliases=("pass^k",))
def pass_all(outcomes: Outcomes, k: int) -> Array:
    """Probability that all of ``k`` answers to a case are right."""
    return _none_of(outcomes.total, outcomes.answers, k)


@outcome_measure("Majority of k", formula="mean over cases of P(more than k / 2 of k answers are right)", binary=True)
def majority(outcomes: Outcomes, k: int) -> Array:
    """Probability that most of ``k`` answers to a case are right; half of them counts half."""
    from scipy.special import gammaln

    pairs, place = np.unique(np.stack([outcomes.answers, outcomes.total]), axis=1, return_inverse=True)
    n, c = pairs[:, :, None]
    right = np.arange(k + 1)

    def ways(
        of: Array, taken: Array
    ) -> Array:  # the logarithm of their number; none where more are taken than there are
        with np.errstate(invalid="ignore"):
            many = gammaln(of + 1) - gammaln(taken + 1) - gammaln(np.maximum(of - taken, 0) + 1)
        return np.asarray(np.where(taken <= of, many, -np.inf))

    share = np.exp(ways(c, right) + ways(n - c, k - right) - ways(n, np.full(1, k)))
    counts = np.where(2 * right > k, 1.0, np.where(2 * right == k, 0.5, 0.0))
    return np.asarray((share * counts).sum(1)[place.ravel()])


def _none_of(others: Array, n: Array, k: int) -> Array:
    """Probability that ``k`` of n answers are all among ``others``."""
    share = np.ones(len(n))
    for taken in range(k):
        share *= np.maximum(others - taken, 0) / np.maximum(n - taken, 1)
    return share
