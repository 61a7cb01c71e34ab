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
ONE_POSITIVE = (
    "with a single positive case that is missed, the bounds of its count leave out a recall of 0.9; and so do those of "
    "two or three, where weights make less of them"
)
NEAR_ONE = "with one false positive, the bounds of its count leave out a specificity of 0.99, where that is rare"
SELECTED = (
    "without a positive case there is no interval, and the few samples that have one are unlike the others: with one "
    "positive among 20 cases, precision is far above that of the population"
)
FEW_EACH = "a class of many has two or three cases, or none, which is less than the bounds of its rates allow for"
NO_POSITIVE = "one sample in twelve has no positive case, and so none of the few losses that are large"
EXCEPTIONS: tuple[Known, ...] = (
    Known("balanced_accuracy, informedness", SHORT, 0.865, 50, ONE_POSITIVE),
    Known("geometric_mean", SHORT, 0.864, 200, f"{ONE_POSITIVE}; of ten classes, {FEW_EACH}"),
    Known("positive_likelihood_ratio", SHORT, 0.903, 200, NEAR_ONE),
    Known("negative_likelihood_ratio", SHORT, 0.865, 1000, f"{ONE_POSITIVE}; {NEAR_ONE}"),
    Known("f1", SHORT, 0.909, 50, SELECTED),
    Known("markedness", SHORT, 0.631, 50, SELECTED),
    Known("macro f1, macro f_beta(beta=2), macro informedness", SHORT, 0.784, 50, FEW_EACH),
    Known(
        "macro diagnostic_odds_ratio", SHORT, 0.867, 1000, "the mean of odds ratios is that of the largest, and skewed"
    ),
    Known("log_loss", SHORT, 0.861, 50, NO_POSITIVE),
    Known("mean_absolute_error", SHORT, 0.889, 50, NO_POSITIVE),
    Known(
        "negative_predictive_value, false_omission_rate",
        WIDE,
        1.13,
        0,
        "Jeffreys' interval, which holds in these cells, has 87 % of ten cases at a share of 0.8",
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
