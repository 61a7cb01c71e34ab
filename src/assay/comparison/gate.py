"""A gate for pipelines: may the candidate replace the baseline?"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from assay.checks import check_number, one_of
from assay.comparison.cases import compare
from assay.comparison.result import Comparison
from assay.errors import AssayError, must
from assay.present import Record, Result
from assay.present.value_text import jsonable, number


@dataclass(frozen=True)
class Gate(Result):
    """Whether the candidate is shown to be no worse than the baseline by more than the margin, or better.

    ``bound`` is the one-sided confidence bound of the gain, candidate over baseline: what the gain is at least, at the
    level ``1 - alpha``. The gate opens when it is above ``-margin``, or above 0 where superiority is asked for.
    """

    passed: bool
    candidate: str
    baseline: str
    measure: str
    gain: float
    bound: float
    margin: float
    superior: bool
    alpha: float
    method: str
    values: dict[str, float]
    n: float

    @property
    def verdict(self) -> str:
        wanted = f"better than {self.baseline}"
        if not self.superior:
            wanted = f"no worse than {self.baseline}" + (f" by more than {self.margin:g}" if self.margin else "")
        outcome = "is shown to be" if self.passed else "is not shown to be"
        values = f"{self.measure} {number(self.values[self.candidate])} against {number(self.values[self.baseline])}"
        sure = f"gain {number(self.gain)}, at least {number(self.bound)} with {(1 - self.alpha) * 100:g} % confidence"
        return f"{self.candidate} {outcome} {wanted}: {values}; {sure} ({self.method}, n = {self.n:g})"

    @property
    def title(self) -> str:
        return self.verdict

    def text(self) -> str:
        return self.verdict

    def records(self) -> list[Record]:
        return [
            {
                "passed": self.passed,
                "candidate": self.candidate,
                "baseline": self.baseline,
                "measure": self.measure,
                "value_candidate": self.values[self.candidate],
                "value_baseline": self.values[self.baseline],
                "gain": self.gain,
                "bound": self.bound,
                "margin": self.margin,
                "confidence": 1 - self.alpha,
                "method": self.method,
                "n": self.n,
            }
        ]

    def to_dict(self) -> dict[str, Any]:
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return dict(jsonable({**values, "verdict": self.verdict}))


def gate(
    truth: Any,
    candidate: Any = None,
    baseline: Any = None,
    *,
    margin: float = 0.0,
    superior: bool = False,
    scores: bool = False,
    **options: Any,
) -> Gate:
    """Decide by the one-sided bound of the difference, which is the test of non-inferiority turned round.

    Parameters
    ----------
    truth
        The true labels, or a `Comparison`.
    candidate, baseline
        Predicted labels of the two, or with ``scores=True`` their scores; of a comparison, their names.
    margin
        The loss that would not matter.
    superior
        Ask for a gain, not only for no loss.
    options
        Those of `compare`, such as ``measure``, ``alpha`` and ``positive``.

    Examples
    --------
    >>> import assay
    >>> truth, old, new = [0, 1] * 200, [0, 1, 1, 1] * 100, [0, 1, 0, 1, 1, 1, 0, 1] * 50
    >>> assay.gate(truth, baseline=old, candidate=new, margin=0.01).passed
    True
    >>> assay.gate(assay.compare(truth, {"old": old, "new": new}), "new", "old", margin=0.01).passed
    True
    """
    if isinstance(truth, Comparison):
        if options or scores:
            raise AssayError(f"a comparison has its options already; leave out `{[*options, 'scores'][0]}`.")
        return _decide(truth, candidate, baseline, margin, superior)
    columns: Any = {"candidate": candidate, "baseline": baseline}
    comparison = compare(truth, **{"scores" if scores else "predicted": columns}, **options)
    return _decide(comparison, "candidate", "baseline", margin, superior)


def _decide(comparison: Comparison, candidate: str, baseline: str, margin: float, superior: bool) -> Gate:
    if candidate is None or baseline is None:
        raise AssayError("`candidate` and `baseline` must name two classifiers of the comparison.")
    if not 0 <= check_number(margin, "margin") < np.inf:
        must("margin", "a number, 0 or above", given=margin)
    if one_of("superior", superior, (True, False)) and margin:
        raise AssayError("`margin` and `superior` exclude each other: superiority is a gain above 0.")
    pair = comparison.pair(candidate, baseline)
    sign = (1 if pair.a == candidate else -1) * (1 if comparison.better == "higher" else -1)
    interval = pair.difference.interval(1 - comparison.alpha, side="lower" if sign > 0 else "upper")
    bound = interval.low if sign > 0 else -interval.high
    passed = bool(np.isfinite(bound) and (bound > 0 if superior else bound > -margin))
    return Gate(
        passed,
        candidate,
        baseline,
        comparison.measure,
        sign * pair.difference.value,
        float(bound),
        float(margin),
        superior,
        comparison.alpha,
        interval.method,
        {name: comparison.values[name].value for name in (candidate, baseline)},
        pair.difference.n,
    )
