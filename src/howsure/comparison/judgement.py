"""Judge a pair by its adjusted p-value and its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from howsure.comparison.pair import NO_DIRECTION, NO_TEST, PairComparison, is_below
from howsure.results import Interval

Outcome = Literal["better", "slightly better", "equivalent", "cannot tell", "no answer"]


@dataclass(frozen=True)
class Family:
    """Significance level and equivalence region for all pairs together.

    ``level`` is the significance level of each pair that controls ``alpha`` for all pairs. A stepwise adjustment of
    p-values has no such level; ``level`` is then the Bonferroni level, which is conservative.
    """

    better: str
    alpha: float
    level: float
    rope: float
    stepwise: bool = False

    def judge(self, pair: PairComparison) -> Judgement:
        """Decide the outcome of a pair.

        - "better", "slightly better": the adjusted p-value is below ``alpha``, and the difference is at least ``rope``
          or smaller, respectively.
        - "equivalent": the p-value is not below ``alpha``, and the interval with confidence 1 - 2 ``level`` lies within
          ``rope`` of 0, which is the two one-sided tests procedure (Schuirmann 1987).
        - "cannot tell": neither; "no answer": there is no p-value or no direction.
        """
        value = pair.difference.value
        outcome: Outcome = "cannot tell"
        reason = ""
        if math.isnan(pair.adjusted):
            outcome, reason = "no answer", pair.difference.undefined or (pair.test.notes or (NO_TEST,))[0]
        elif self.shows(pair):
            outcome = "slightly better" if abs(value) < self.rope else "better"
        elif is_below(pair.adjusted, self.alpha):
            outcome, reason = "no answer", NO_DIRECTION
        elif self._is_equivalent(pair):
            outcome = "equivalent"
        return Judgement(outcome, *self.order(pair), pair, self, reason)

    def order(self, pair: PairComparison) -> tuple[str, str]:
        """Return the names of a pair, the one with the better value first."""
        value = pair.difference.value
        is_first = value == 0 or math.isnan(value) or (value > 0) == (self.better == "higher")
        return (pair.a, pair.b) if is_first else (pair.b, pair.a)

    def shows(self, pair: PairComparison) -> bool:
        """Return whether one of the two is significantly better."""
        return is_below(pair.adjusted, self.alpha) and pair.difference.value != 0

    def _is_equivalent(self, pair: PairComparison) -> bool:
        if not 2 * self.level < 1 or not abs(pair.difference.value) < self.rope:
            return False
        interval = pair.difference.interval(1 - 2 * self.level)
        return -self.rope < interval.low and interval.high < self.rope


@dataclass(frozen=True)
class Judgement:
    """Outcome for a pair; ``good`` is the classifier with the better value.

    The difference is significant only if the outcome says so.
    """

    outcome: Outcome
    good: str
    bad: str
    pair: PairComparison
    family: Family
    reason: str = ""  # the reason why there is no answer

    @property
    def is_shown(self) -> bool:
        return self.outcome in ("better", "slightly better")

    @property
    def change(self) -> float:
        """The value of ``good`` minus that of ``bad``."""
        return self._sign * self.pair.difference.value

    def interval(self, level: float | None = None) -> Interval:
        """Return the interval of the change, by default at the joint level."""
        interval = self.pair.difference.interval(1 - (self.family.level if level is None else level))
        if self._sign > 0:
            return interval
        return Interval(-interval.high, -interval.low, interval.confidence, interval.method, notes=interval.notes)

    @property
    def gain(self) -> tuple[float, float]:
        """The interval of the gain of ``good`` over ``bad``."""
        low, high = self.interval()
        return (low, high) if self.family.better == "higher" else (-high, -low)

    @property
    def _sign(self) -> int:
        return 1 if self.good == self.pair.a else -1
