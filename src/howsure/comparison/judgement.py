"""What may be said of a pair: one rule, from the interval, the adjusted p-value and the region that does not matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from howsure.comparison.pair import NO_DIRECTION, NO_TEST, PairComparison, is_below
from howsure.results import Interval

Outcome = Literal["better", "slightly better", "equivalent", "cannot tell", "no answer"]


@dataclass(frozen=True)
class Family:
    """The pairs that are judged together: what each is held to so that ``alpha`` and ``rope`` hold for all.

    ``level`` is that of each pair, and ``stepwise`` says that p-values were adjusted in several steps: there is no
    level that serves every pair then, and ``level``, that of Bonferroni, is on the safe side.
    """

    better: str
    alpha: float
    level: float
    rope: float
    stepwise: bool = False

    def judge(self, pair: PairComparison) -> Judgement:
        """Say what is shown of a pair.

        "better" and "slightly better": the adjusted p-value is below ``alpha``, and the difference is at least as
        large as ``rope`` or smaller. "equivalent": it is not, and the interval of confidence 1 - 2 ``level`` lies
        within ``rope`` either way, which is two one-sided tests. Otherwise one "cannot tell".
        """
        value = pair.difference.value
        outcome: Outcome = "cannot tell"
        why = ""
        if math.isnan(pair.adjusted):
            outcome, why = "no answer", pair.difference.undefined or (pair.test.notes or (NO_TEST,))[0]
        elif self.shows(pair):
            outcome = "slightly better" if abs(value) < self.rope else "better"
        elif is_below(pair.adjusted, self.alpha):
            outcome, why = "no answer", NO_DIRECTION
        elif self._within(pair):
            outcome = "equivalent"
        return Judgement(outcome, *self.order(pair), pair, self, why)

    def order(self, pair: PairComparison) -> tuple[str, str]:
        """Name the one with the better value first; where neither has, the first of the pair."""
        value = pair.difference.value
        is_first = value == 0 or math.isnan(value) or (value > 0) == (self.better == "higher")
        return (pair.a, pair.b) if is_first else (pair.b, pair.a)

    def shows(self, pair: PairComparison) -> bool:
        """Tell whether one is shown to be better."""
        return is_below(pair.adjusted, self.alpha) and pair.difference.value != 0

    def _within(self, pair: PairComparison) -> bool:
        if not 2 * self.level < 1 or not abs(pair.difference.value) < self.rope:
            return False
        interval = pair.difference.interval(1 - 2 * self.level)
        return -self.rope < interval.low and interval.high < self.rope


@dataclass(frozen=True)
class Judgement:
    """A pair as it is spoken of: ``good`` has the better value, which is shown only where the outcome says so."""

    outcome: Outcome
    good: str
    bad: str
    pair: PairComparison
    family: Family
    why: str = ""  # there is no answer

    @property
    def is_shown(self) -> bool:
        return self.outcome in ("better", "slightly better")

    @property
    def change(self) -> float:
        """The measure of the good one less that of the bad one."""
        return self._turn * self.pair.difference.value

    def interval(self, level: float | None = None) -> Interval:
        """The interval of the change: at the level of each pair, for all pairs together."""
        interval = self.pair.difference.interval(1 - (self.family.level if level is None else level))
        if self._turn > 0:
            return interval
        return Interval(-interval.high, -interval.low, interval.confidence, interval.method, notes=interval.notes)

    @property
    def gain(self) -> tuple[float, float]:
        """The interval of how much better the good one is, whichever way the measure goes."""
        low, high = self.interval()
        return (low, high) if self.family.better == "higher" else (-high, -low)

    @property
    def _turn(self) -> int:
        return 1 if self.good == self.pair.a else -1
