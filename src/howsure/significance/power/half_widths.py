"""Sample size for the half-width of an interval of one classifier."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from howsure.checks import as_float, check_confidence, check_share
from howsure.errors import HowsureError, must_be_share
from howsure.intervals.auc import MIN_OF_A_CLASS, hanley_mcneil_error, satterthwaite
from howsure.intervals.declare import Basis, Ranks, Request, registry
from howsure.intervals.proportion import modified_wilson, z_value
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable, number
from howsure.significance.binomial import at_least
from howsure.significance.inputs import whole, whole_numbers, zero_to_one
from howsure.significance.power import formulas
from howsure.significance.power.clusters import Clusters, cluster_entries, design_effect, in_clusters
from howsure.significance.power.search import MAXIMUM, least_cases, least_count

WIDEST = 0.5  # upper limit of the half-width; wider intervals are trivial
SURE = 0.9  # probability of having at least the planned number of cases of a class
MAX_COUNTS = 20_000  # maximum number of success counts that are summed one by one
HalfOf = Callable[[float, float], float]  # half-width as a function of the number of relevant cases and the confidence


def check_one_is_missing(n: object, half_width: object) -> None:
    if (half_width is None) == (n is None):
        missing = "both" if n is None else "none"
        raise HowsureError(f"exactly one of `n` and `half_width` must be left out, not {missing}.")


def check_half_width(half_width: Any) -> float:
    number = as_float(half_width)
    if not 0 < number < WIDEST:
        must_be_share("half_width", f"a number between 0 and {WIDEST:g}", given=half_width)
    return number


@dataclass(frozen=True)
class WidthPlan(Result):
    """Plan of an interval: sample size and corresponding mean half-width.

    Attributes
    ----------
    measure, value
        The measure, and its assumed value.
    n
        Number of cases.
    half_width
        Mean half-width of the interval.
    confidence, method
        Confidence level and method of the interval.
    solved_for
        Which of n and the half-width was computed.
    counted, share
        Number of relevant cases (for recall, the positives), and their share of all cases.
    notes
        Remarks, such as the result of a simpler formula.
    clusters, design_effect
        Number of clusters, and the factor by which clustering multiplies the variance.

    Examples
    --------
    >>> from howsure import plan
    >>> width = plan.half_width(0.9, 0.03)
    >>> width.n, width.solved_for
    (385, 'n')
    >>> [round(row["half_width"], 4) for row in width.records(sizes=[100, 400])]
    [0.0589, 0.0294]
    """

    measure: str
    value: float
    n: int
    half_width: float
    confidence: float
    method: str
    solved_for: str
    counted: int
    share: float
    notes: tuple[str, ...] = ()
    clusters: int | None = None
    design_effect: float | None = None
    _half: HalfWidth = field(repr=False, compare=False, kw_only=True)

    @property
    def title(self) -> str:
        return f"{self.measure} {number(self.value)}, {100 * self.confidence:g} % interval"

    def text(self) -> str:
        kind = "positive" if self.measure == "AUC" else "relevant"
        counted = f", {self.counted} of them {kind}," if self.share < 1 else ""
        plan = (
            f"{self.measure} {number(self.value)}: {self.n} cases{counted}{in_clusters(self.clusters)} give a "
            f"{100 * self.confidence:g} % interval of ±{number(self.half_width)} ({self.method})."
        )
        return "\n".join([plan, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        hidden = ("_half", "clusters", "design_effect")
        values = {key: value for key, value in self.__dict__.items() if key not in hidden}
        return dict(jsonable({**values, **cluster_entries(self.clusters, self.design_effect)}))

    def records(self, sizes: Sequence[int] | None = None) -> list[Record]:
        """Return the half-width for several sample sizes.

        Parameters
        ----------
        sizes
            Numbers of cases. Default: from a quarter of ``n`` to four times ``n``.
        """
        if sizes is None:
            sizes = sorted(
                {max(self._half.fewest, math.ceil(self.n * part)) for part in (0.25, 0.5, 0.75, 1, 1.5, 2, 4)}
            )
        return [self._record(size) for size in whole_numbers("sizes", sizes, self._half.fewest, "numbers of cases")]

    def _record(self, size: int) -> Record:
        counted, layout = self._half.counted(size), self._half.clusters
        of_part = {"counted": counted} if self._half.part < 1 else {}
        clusters = {} if layout is None else {"clusters": layout.number(counted)}
        return {"cases": size, **of_part, **clusters, "half_width": self._half(size)}

    def sheet(self, sizes: Sequence[int] | None = None) -> Sheet:
        """Return the table of ``records``.

        Parameters
        ----------
        sizes
            Numbers of cases.
        """
        return Sheet.of(self.records(sizes), self.title)


@dataclass(frozen=True)
class HalfWidth:
    """Half-width as a function of the number of cases, clustered or not.

    Only the share ``part`` of the cases is relevant. Fewer than ``least`` independent cases have no interval.
    """

    half_of: HalfOf
    confidence: float
    part: float = 1.0
    clusters: Clusters | None = None
    least: int = 1

    def __call__(self, n: int) -> float:
        return self.of_counted(self.counted(n))

    def counted(self, n: int) -> int:
        return math.floor(self.part * n + 1e-9)

    def of_counted(self, counted: int) -> float:
        effective, tail = counted, (1 - self.confidence) / 2
        if self.clusters is not None:
            effective, tail = self.clusters.effective_size(counted), self.clusters.level(tail, counted)
        return math.inf if effective < self.least else self.half_of(effective, 1 - 2 * tail)

    @property
    def fewest(self) -> int:
        """Smallest number of cases with an interval."""
        counted = self.least if self.clusters is None else self.clusters.fewest(self.least)
        return math.ceil(min(counted / self.part - 1e-9, MAXIMUM))


@dataclass(frozen=True)
class WidthQuestion:
    """An interval to be planned."""

    measure: str
    value: float
    method: str
    share: float
    half: HalfWidth
    notes: Callable[[int, int], tuple[str, ...]]  # takes the total number of cases and the number of relevant cases

    def solve(self, half_width: float | None, n: int | None) -> WidthPlan:
        """Compute whichever of half_width and n is None."""
        check_one_is_missing(n, half_width)
        cases = self._least_n(half_width) if n is None else whole("n", n, self.half.fewest)
        clusters, counted = self.half.clusters, self.half.counted(cases)
        notes = (*self.notes(cases, counted), *(clusters.notes(counted) if clusters else ()))
        return WidthPlan(
            self.measure,
            self.value,
            cases,
            self.half(cases),
            self.half.confidence,
            self.method,
            "n" if n is None else "half_width",
            counted if self.half.part < 1 else round(self.share * cases),
            self.share,
            notes,
            None if clusters is None else clusters.number(counted),
            None if clusters is None else clusters.design_effect,
            _half=self.half,
        )

    def _least_n(self, half_width: float | None) -> int:
        """Return the least number of cases for the half-width."""
        target, clusters = check_half_width(half_width), self.half.clusters

        def is_enough(counted: int) -> bool:
            return self.half.of_counted(counted) <= target

        counted = least_cases(is_enough, clusters, 1 if clusters is None else 2, MAXIMUM * self.half.part)
        if counted is None:
            raise HowsureError(f"a half-width of {target:g} needs more than {MAXIMUM:,} cases.")
        return math.ceil(counted / self.half.part - 1e-9)


def plan_half_width(
    proportion: float,
    half_width: float | None = None,
    *,
    n: int | None = None,
    prevalence: float | None = None,
    confidence: float = 0.95,
    icc: float | None = None,
    cluster_size: float | None = None,
    size_variation: float = 0.0,
) -> WidthPlan:
    """Plan the interval of a proportion, such as accuracy or recall.

    The half-width is that of the default interval (`modified_wilson`), averaged over all samples of n cases.

    Parameters
    ----------
    proportion
        True proportion, from 0 to 1.
    half_width, n
        One of the two; the other is computed.
    prevalence
        Share of all cases that are relevant: for recall the positives, for precision the positive predictions. Default:
        all cases, as for accuracy.
    confidence
        Confidence level of the interval.
    icc, cluster_size, size_variation
        As in `plan_mcnemar`, with the intraclass correlation of the correctness of cases. With a prevalence, clusters
        consist of relevant cases.

    Returns
    -------
    WidthPlan
        Number of cases and half-width.

    Examples
    --------
    >>> from howsure.significance import plan_half_width
    >>> plan_half_width(0.9, 0.03).n
    385
    >>> plan_half_width(0.9, n=3850, prevalence=0.1).counted
    385
    """
    value = zero_to_one("proportion", proportion)
    share = 1.0 if prevalence is None else check_share("prevalence", prevalence)
    level, clusters = check_confidence(confidence), Clusters.of(icc, cluster_size, size_variation)
    half = HalfWidth(partial(mean_half_width, value), level, share, clusters)

    def notes(_: int, counted: int) -> tuple[str, ...]:
        if half_width is None:
            return ()
        by_formula = (
            design_effect(clusters) / share * value * (1 - value) * (z_value((1 - level) / 2) / half_width) ** 2
        )
        textbook = f"the textbook formula p ± z sqrt(p (1 - p) / n) needs {math.ceil(by_formula)} cases"
        sure = f"{_cases_with(counted, share)} cases include {counted} or more relevant ones with probability {SURE:g}"
        return (*((textbook,) if 0 < value < 1 else ()), *((sure,) if share < 1 else ()))

    return WidthQuestion("proportion", value, "modified-wilson", share, half, notes).solve(half_width, n)


def plan_auc_half_width(
    auc: float,
    half_width: float | None = None,
    *,
    n: int | None = None,
    prevalence: float = 0.5,
    confidence: float = 0.95,
    icc: float | None = None,
    cluster_size: float | None = None,
    size_variation: float = 0.0,
) -> WidthPlan:
    """Plan the confidence interval of an AUC.

    The half-width is that of the default interval (delong-newcombe) if the estimated AUC equals the true one. Scores
    are assumed to be normal in each class, as in `plan_auc`.

    Parameters
    ----------
    auc
        True AUC, between 0 and 1.
    half_width, n
        One of the two; the other is computed.
    prevalence
        Share of positive cases.
    confidence
        Confidence level of the interval.
    icc, cluster_size, size_variation
        As in `plan_mcnemar`, with the intraclass correlation of the contribution of a case to the AUC (its placements).

    Returns
    -------
    WidthPlan
        Number of cases and half-width.

    Examples
    --------
    >>> from howsure.significance import plan_auc_half_width
    >>> plan_auc_half_width(0.8, 0.05, prevalence=0.1).n
    828
    """
    value, share, level = check_share("auc", auc), check_share("prevalence", prevalence), check_confidence(confidence)
    clusters = Clusters.of(icc, cluster_size, size_variation)
    least = math.ceil(min(MIN_OF_A_CLASS / min(share, 1 - share), MAXIMUM))
    half = HalfWidth(partial(auc_half_width, value, share), level, 1.0, clusters, least)

    def notes(cases: int, _: int) -> tuple[str, ...]:
        effective = cases / design_effect(clusters)
        error = hanley_mcneil_error(value, share * effective, (1 - share) * effective)
        exponential = number(z_value((1 - level) / 2) * error)
        return (f"for exponential scores (Hanley and McNeil 1982), the half-width is ±{exponential}",)

    return WidthQuestion("AUC", value, "delong-newcombe", share, half, notes).solve(half_width, n)


def mean_half_width(proportion: float, n: float, confidence: float) -> float:
    """Mean half-width of the default interval of a proportion.

    The mean is over the binomial distribution of the successes.
    """
    cases = int(n)
    # Numbers of successes outside this range have a probability below 1e-20.
    spread = 10 * math.sqrt(cases * proportion * (1 - proportion)) + 10
    if spread > MAX_COUNTS:  # the half-width at the expected number is accurate enough
        low, high = modified_wilson(cases * proportion, cases, confidence)
        return (high - low) / 2
    first = max(0, math.floor(cases * proportion - spread))
    successes = np.arange(first, min(cases, math.ceil(cases * proportion + spread)) + 1)
    log_choose = gammaln(cases + 1) - gammaln(successes + 1) - gammaln(cases - successes + 1)
    chance = np.exp(log_choose + xlogy(successes, proportion) + xlog1py(cases - successes, -proportion))
    interval = modified_wilson(successes, cases, confidence)
    return float(chance @ (np.asarray(interval.high) - np.asarray(interval.low)) / chance.sum() / 2)


@dataclass(frozen=True)
class _Area(Basis):
    ranks: Ranks


def auc_half_width(auc: float, share: float, n: float, confidence: float) -> float:
    """Half-width of the default interval of an AUC, for normal scores."""
    positives, negatives = n * share, n * (1 - share)
    error = math.sqrt(formulas.auc_variances(n, 0.0, auc, 0.0, share)[0])
    freedom = satterthwaite((1 / positives, 1 / negatives), (positives - 1, negatives - 1))
    basis = _Area(Ranks(auc, error, positives, negatives, freedom))
    interval = registry["delong-newcombe"].make(basis, Request(confidence))
    return (interval.high - interval.low) / 2


def _cases_with(counted: int, share: float) -> int:
    """Return how many cases have enough relevant ones with probability SURE."""
    cases = least_count(lambda n: at_least(counted, n, share) >= SURE, max(counted, 1), 2**53)
    assert cases is not None
    return cases
