"""Quantities in results: titles, units, and whether they are compared as ratios."""

from __future__ import annotations

from typing import Any, NamedTuple

_SECONDS = ((1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))
_BYTES = ((1.0, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB"))


class Quantity(NamedTuple):
    """A quantity; with ``log``, ratios matter, as on a log scale."""

    title: str
    log: bool = False
    units: tuple[tuple[float, str], ...] = ()

    def show(self, value: float) -> Any:
        """Return a value as text in a suitable unit, or as a number."""
        if not self.units or value != value:
            return int(value) if self.log and value.is_integer() else value
        size, unit = next(
            ((size, unit) for size, unit in reversed(self.units) if value >= 0.9995 * size), self.units[0]
        )
        return f"{value / size:.3g} {unit}" if value / size < 999.5 else f"{value / size:.0f} {unit}"


# Times, sizes and counts are compared as ratios: 1 ms, 10 ms and 10 s are at 0, 1/4 and 1; as differences they would be
# at 0, 0.001 and 1. Errors, costs and all other quantities are compared as differences: each additional error costs the
# same.
QUANTITIES = {
    "error": Quantity("error"),
    "cost": Quantity("cost"),
    "fit_seconds": Quantity("training time", log=True, units=_SECONDS),
    "fit_cpu_seconds": Quantity("training CPU time", log=True, units=_SECONDS),
    "predict_seconds": Quantity("prediction time", log=True, units=_SECONDS),
    "predict_cpu_seconds": Quantity("prediction CPU time", log=True, units=_SECONDS),
    "peak_memory_bytes": Quantity("peak memory", log=True, units=_BYTES),
    "model_bytes": Quantity("model size", log=True, units=_BYTES),
    "complexity": Quantity("complexity", log=True),
}


def quantity(name: str) -> Quantity:
    """Return the quantity with this name; an unknown one has no unit."""
    return QUANTITIES.get(name) or Quantity(name.replace("_", " "))


def show(name: str, value: float) -> Any:
    """Return a value of a quantity as text in a suitable unit."""
    return quantity(name).show(value)
