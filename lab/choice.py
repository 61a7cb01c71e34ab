"""Are the defaults the right ones? They hold the truth, and no method that holds is much narrower.

Methods are judged on the seed for choosing, and the defaults, with all widths, on the other one. What is known not to
be so stands here with its reason, and only here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lab.summary import Measured, Rival, Short, rivals, shortfalls

WIDER = 1.1  # a default may be wider than the narrowest that holds by a tenth


@dataclass(frozen=True)
class Known:
    """Measures whose default is known to fall short, or to be wider than need be, and how far it goes.

    ``bound`` is the least coverage, or the greatest ratio of widths, that is known; ``most`` the number of cases up to
    which it falls short.
    """

    measures: str
    kind: str
    bound: float
    most: int
    reason: str

    @property
    def names(self) -> list[str]:
        return self.measures.split(", ")

    def covers(self, fault: Fault) -> bool:
        """Tell whether a fault is this one, and goes no further."""
        if fault.measure not in self.names or fault.kind != self.kind or fault.n > self.most:
            return False
        return fault.value >= self.bound if self.kind == SHORT else fault.value <= self.bound


SHORT, WIDE = "short", "wide"
NEAR_ONE = (
    "Wilson's interval of few cases leaves out a rate so near to 0 or 1 that one error is rare among them: of 10 cases "
    "with one error it ends at 0.98, below a rate of 0.99"
)
ONE_CASE = (
    "Wilson's interval of a single case that is wrong ends at 0.79, below a rate of 0.8 or 0.9, and rare classes often "
    "have no second case"
)
ONE_POSITIVE = "as recall: with a single positive case, the bounds of recall are those of one case"
SELECTED = (
    "without a positive case there is no interval, and the few samples that have one are unlike the others: with one "
    "positive among 20 cases, precision is far above that of the population"
)
FEW_EACH = "a class of many has two or three cases, or none, which is less than the bounds of its rates allow for"
EXCEPTIONS: tuple[Known, ...] = (
    Known("accuracy, error_rate", SHORT, 0.928, 100, NEAR_ONE),
    Known("majority_baseline, prevalence", SHORT, 0.926, 100, NEAR_ONE),
    Known("specificity, false_positive_rate", SHORT, 0.852, 50, f"{NEAR_ONE}; where most are positive, {ONE_CASE}"),
    Known("negative_predictive_value, false_omission_rate", SHORT, 0.925, 1000, NEAR_ONE),
    Known("precision, false_discovery_rate", SHORT, 0.872, 200, f"{ONE_CASE}; {NEAR_ONE}"),
    Known("jaccard", SHORT, 0.863, 20, ONE_CASE),
    Known("recall, false_negative_rate", SHORT, 0.792, 200, ONE_CASE),
    Known("balanced_accuracy, informedness", SHORT, 0.865, 50, ONE_POSITIVE),
    Known("geometric_mean", SHORT, 0.864, 200, f"{ONE_POSITIVE}; of ten classes, {FEW_EACH}"),
    Known("positive_likelihood_ratio", SHORT, 0.903, 200, f"of specificity, {NEAR_ONE}"),
    Known("negative_likelihood_ratio", SHORT, 0.865, 1000, f"{ONE_POSITIVE}; {NEAR_ONE}"),
    Known("f1", SHORT, 0.909, 50, SELECTED),
    Known("markedness", SHORT, 0.631, 50, SELECTED),
    Known("macro f1, macro f_beta(beta=2), macro informedness", SHORT, 0.784, 50, FEW_EACH),
    Known(
        "macro diagnostic_odds_ratio", SHORT, 0.867, 1000, "the mean of odds ratios is that of the largest, and skewed"
    ),
)


@dataclass(frozen=True)
class Fault:
    """A default that is not the right one, in a cell or by its width."""

    measure: str
    kind: str
    value: float
    text: str
    n: int = 0


def faults(chosen: Mapping[str, Measured], shown: Mapping[str, Measured]) -> list[Fault]:
    """Give everything that is wrong with the defaults, known or not."""
    found = []
    for name, measured in shown.items():
        found += [_fell(name, one) for one in shortfalls(measured.every, measured.is_ratio)]
        narrower = rivals(chosen[name], measured) if name in chosen else []
        found += [_wide(measured, rival) for rival in narrower[:1] if rival.ratio > WIDER]
    return found


def unexpected(found: Iterable[Fault], known: Iterable[Known] = EXCEPTIONS) -> list[str]:
    """Say what is wrong beyond what is known."""
    known = tuple(known)
    return [f"{fault.measure}: {fault.text}" for fault in found if not any(one.covers(fault) for one in known)]


def outlived(found: Iterable[Fault], shown: Iterable[str], known: Iterable[Known] = EXCEPTIONS) -> list[str]:
    """Name exceptions that are none any more, among the measures that were measured."""
    real, measured = {(fault.measure, fault.kind) for fault in found}, set(shown)
    return [
        f"{name} is not {one.kind} any more"
        for one in known
        for name in one.names
        if name in measured and (name, one.kind) not in real
    ]


def _fell(name: str, short: Short) -> Fault:
    return Fault(name, SHORT, short.coverage, short.text, short.held.cell["n"])


def _wide(measured: Measured, rival: Rival) -> Fault:
    text = f"{measured.default} is wider than {rival.method}, which holds, by a factor of {rival.ratio:.2f}"
    return Fault(measured.name, WIDE, rival.ratio, text)
