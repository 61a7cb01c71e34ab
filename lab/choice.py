"""Check of the default methods: they cover the true value, and no other method that does is much narrower.

Methods are compared on the seed for choosing; the defaults and all widths are checked on the other seed. `EXCEPTIONS`
lists all known deviations with their reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lab.summary import Measured, Rival, Short, rivals, shortfalls

WIDER = 1.1  # a default may be 10 % wider than the narrowest valid method


@dataclass(frozen=True)
class Known:
    """Measures whose default is known to have a low coverage or to be too wide.

    ``bound`` is the lowest coverage, or the largest ratio of widths; ``most`` the largest number of cases with a low
    coverage.
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
        """Return whether a fault is within the known bounds."""
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
        "Jeffreys' interval, which is valid in these cells, covers 87 % with ten cases at a share of 0.8",
    ),
)


@dataclass(frozen=True)
class Fault:
    """A default with a low coverage in a cell, or one that is too wide."""

    measure: str
    kind: str
    value: float
    text: str
    n: int = 0


def faults(chosen: Mapping[str, Measured], shown: Mapping[str, Measured]) -> list[Fault]:
    """Return all faults of the defaults, known or not."""
    faults = []
    for name, measured in shown.items():
        faults += [_low_coverage(name, short) for short in shortfalls(measured.every, measured.is_ratio)]
        narrower = rivals(chosen[name], measured) if name in chosen else []
        faults += [_too_wide(measured, rival) for rival in narrower[:1] if rival.ratio > WIDER]
    return faults


def unexpected(faults: Iterable[Fault], exceptions: Iterable[Known] = EXCEPTIONS) -> list[str]:
    """Describe the faults that are not in the list of exceptions."""
    exceptions = tuple(exceptions)
    return [
        f"{fault.measure}: {fault.text}"
        for fault in faults
        if not any(exception.covers(fault) for exception in exceptions)
    ]


def outlived(faults: Iterable[Fault], shown: Iterable[str], exceptions: Iterable[Known] = EXCEPTIONS) -> list[str]:
    """Describe exceptions that are no longer needed."""
    existing, measured = {(fault.measure, fault.kind) for fault in faults}, set(shown)
    return [
        f"{name} is not {exception.kind} any more"
        for exception in exceptions
        for name in exception.names
        if name in measured and (name, exception.kind) not in existing
    ]


def _low_coverage(name: str, short: Short) -> Fault:
    return Fault(name, SHORT, short.coverage, short.text, short.held.cell["n"])


def _too_wide(measured: Measured, rival: Rival) -> Fault:
    text = f"{measured.default} is wider than {rival.method}, which is valid too, by a factor of {rival.ratio:.2f}"
    return Fault(measured.name, WIDE, rival.ratio, text)
