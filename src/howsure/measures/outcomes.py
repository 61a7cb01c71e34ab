"""Measures of outcomes: answers that are right, wrong or graded.

Each measure is a mean over the cases. If a case has n answers, measures of ``k`` answers are averages over all subsets
of ``k`` of them, and therefore unbiased.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import getdoc, signature
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_whole
from howsure.errors import HowsureError
from howsure.registry import Registry
from howsure.tables.outcomes import Outcomes

MAX_ANSWERS = 10_000  # largest value of k


@dataclass(frozen=True)
class OutcomeMeasure:
    """A declared measure of outcomes; ``by_case`` returns a value per case."""

    name: str
    title: str
    formula: str
    summary: str
    by_case: Callable[..., Array] = field(repr=False)
    binary: bool = False  # requires answers that are right or wrong

    better = "higher"
    range = (0.0, 1.0)
    of_accuracy = None
    of_auc = None

    @property
    def takes_k(self) -> bool:
        return "k" in signature(self.by_case).parameters

    def check(self, parameters: dict[str, Any]) -> None:
        """Raise an error for unknown parameters and invalid numbers of answers."""
        for name in parameters:
            if not (name == "k" and self.takes_k):
                takes = "it takes `k`" if self.takes_k else "it takes none"
                raise HowsureError(f"`{self.name}` has no parameter {name!r}; {takes}.")
        if self.takes_k:
            if "k" not in parameters:
                raise HowsureError(f"`{self.name}` needs `k`, a number of answers: `{self.name}(k=5)`.")
            check_whole("k", parameters["k"], 1, MAX_ANSWERS)


registry: Registry[OutcomeMeasure] = Registry("measure of outcomes", "`a.applicable()` lists them")


def outcome_measure(
    title: str, *, formula: str, binary: bool = False, aliases: tuple[str, ...] = ()
) -> Callable[[Callable[..., Array]], Callable[..., Array]]:
    """Register a function of outcomes that returns a value for each case."""

    def declare(by_case: Callable[..., Array]) -> Callable[..., Array]:
        summary = " ".join((getdoc(by_case) or "").split())
        declared = OutcomeMeasure(by_case.__name__, title, formula, summary, by_case, binary)
        registry.add(declared.name, declared, aliases)
        return by_case

    return declare


@outcome_measure("Accuracy", formula="mean over cases of the share of right answers", binary=True)
def accuracy(outcomes: Outcomes) -> Array:
    """Share of right answers, averaged over the cases."""
    return outcomes.means


@outcome_measure("Mean score", formula="mean over cases of the mean score", aliases=("score",))
def mean_score(outcomes: Outcomes) -> Array:
    """Mean score, averaged over the cases."""
    return outcomes.means


@outcome_measure("pass@k", formula="mean over cases of 1 - C(n - c, k) / C(n, k)", binary=True, aliases=("pass@k",))
def pass_at(outcomes: Outcomes, k: int) -> Array:
    """Probability that any of ``k`` answers is right (Chen et al. 2021)."""
    return 1 - _none_of(outcomes.answers - outcomes.total, outcomes.answers, k)


@outcome_measure("pass^k", formula="mean over cases of C(c, k) / C(n, k)", binary=True, aliases=("pass^k",))
def pass_all(outcomes: Outcomes, k: int) -> Array:
    """Probability that all of ``k`` answers to a case are right."""
    return _none_of(outcomes.total, outcomes.answers, k)


@outcome_measure("Majority of k", formula="mean over cases of P(more than k / 2 of k answers are right)", binary=True)
def majority(outcomes: Outcomes, k: int) -> Array:
    """Probability that most of ``k`` answers are right; a tie counts half."""
    from scipy.special import gammaln

    pairs, index = np.unique(np.stack([outcomes.answers, outcomes.total]), axis=1, return_inverse=True)
    n, c = pairs[:, :, None]
    right = np.arange(k + 1)

    def log_binomial(total: Array, chosen: Array) -> Array:
        with np.errstate(invalid="ignore"):
            log = gammaln(total + 1) - gammaln(chosen + 1) - gammaln(np.maximum(total - chosen, 0) + 1)
        return np.asarray(np.where(chosen <= total, log, -np.inf))

    # Hypergeometric: `right` of k answers drawn from n, of which c are right.
    share = np.exp(log_binomial(c, right) + log_binomial(n - c, k - right) - log_binomial(n, np.full(1, k)))
    counts = np.where(2 * right > k, 1.0, np.where(2 * right == k, 0.5, 0.0))
    return np.asarray((share * counts).sum(1)[index.ravel()])


def _none_of(others: Array, n: Array, k: int) -> Array:
    """Probability that ``k`` of n answers are all among ``others``."""
    share = np.ones(len(n))
    for drawn in range(k):
        share *= np.maximum(others - drawn, 0) / np.maximum(n - drawn, 1)
    return share
