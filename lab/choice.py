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
EXCEPTIONS: tuple[Known, ...] = (
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
