"""Preference among learners when error is not everything: time, memory, size and complexity count too."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from howsure.arrays import Array
from howsure.checks import is_a, one_of
from howsure.errors import HowsureError, listing, must
from howsure.present.quantity import quantity, show
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable

Table = dict[str, dict[str, float]]
TIE = 1e-9  # losses lie between 0 and 1: what differs by less than this differs by rounding
DRAWS, SEED = 20_000, 0


class Stretch(NamedTuple):
    """The weights of a criterion, from ``low`` to ``high``, with which ``winner`` is preferred."""

    low: float
    high: float
    winner: str


class Axis(NamedTuple):
    """A criterion as it is drawn: the value of each learner, in which a zero has its place on a logarithmic scale."""

    title: str
    values: dict[str, float]
    log: bool
    show: Callable[[float], str]


@dataclass(frozen=True)
class Preference(Result):
    """Which learner to prefer, and how that depends on the weights of the criteria.

    `prefer` and `ExperimentResult.preference` give it.

    Attributes
    ----------
    names
        The learners.
    table
        The values by criterion and learner.
    weights
        The weight of each criterion.
    losses
        Positions between the best (0) and the worst (1) on a criterion.
    pareto
        The learners of which no other is better on all criteria.
    scores
        The weighted sums of the losses.
    ranks
        The place of each learner, None where it was not compared.
    winner, verdict
        Who is preferred, and why, in a sentence.
    changes
        By criterion, who is preferred as its weight goes from 0 to 1.
    shares, share_errors
        The parts of all weightings with which a learner wins, and their errors, 0 where they are exact.
    notes
        What to know of it.

    Examples
    --------
    >>> from howsure.experiment import prefer
    >>> criteria = {"error": {"tree": 0.08, "forest": 0.05}, "seconds": {"tree": 0.1, "forest": 2.0}}
    >>> preference = prefer(criteria, {"error": 0.4, "seconds": 0.6}, names=["tree", "forest"])
    >>> preference.winner, preference.pareto
    ('tree', ('tree', 'forest'))
    >>> print(preference.changes_sheet())
    preferred as one weight goes from 0 to 1 and the others keep their proportions
    criterion  weight now   from     to  preferred
    ---------  ----------  -----  -----  ---------
    error           0.400  0.000  0.500  tree
    error           0.400  0.500  1.000  forest
    seconds         0.600  0.000  0.500  forest
    seconds         0.600  0.500  1.000  tree
    >>> names, across, upwards = preference.axes("seconds")
    >>> across.title == preference.axis("seconds", names).title
    True
    """

    names: tuple[str, ...]
    table: Table
    weights: dict[str, float]
    losses: Table
    pareto: tuple[str, ...]
    scores: dict[str, float]
    ranks: dict[str, int | None]
    winner: str | None
    verdict: str
    changes: dict[str, tuple[Stretch, ...]]
    shares: dict[str, float]
    share_errors: dict[str, float]
    notes: tuple[str, ...] = ()

    def records(self) -> list[Record]:
        """Return one record per learner, the preferred one first, in seconds and bytes."""
        return [
            {
                "learner": name,
                **{c: values[name] for c, values in self.table.items()},
                "pareto": name in self.pareto,
                "score": self.scores[name],
                "rank": self.ranks[name],
                "share": self.shares[name],
            }
            for name in sorted(self.names, key=lambda name: (self.ranks[name] or math.inf, name != self.winner))
        ]

    def sheet(self) -> Sheet:
        """Return one row per learner, the preferred one first, with times and sizes in readable units."""
        rows = []
        for record in self.records():
            values = [show(c, record[c]) for c in self.table]
            mark = "*" if record["pareto"] else ""
            rows.append([record["learner"], *values, mark, record["score"], record["rank"], record["share"]])
        columns = ["learner", *(quantity(c).title for c in self.table), "Pareto", "score", "rank", "share"]
        weights = ", ".join(f"{quantity(c).title} {_short(weight)}" for c, weight in self.weights.items() if weight)
        error = max((error for error in self.share_errors.values() if error > 0), default=None)
        drawn = f" ({DRAWS} draws, standard error at most {error:.2g})" if error else ""
        legend = (f"weights: {weights}", f"share: the part of all weightings with which it is preferred{drawn}")
        return Sheet(columns, rows, self.verdict, (*(legend if self.winner else ()), *self.notes))

    def changes_sheet(self) -> Sheet:
        """Return who is preferred as the weight of one criterion goes from 0 to 1, the others in proportion."""
        rows = [[quantity(c).title, self.weights[c], *part] for c, parts in self.changes.items() for part in parts]
        title = "preferred as one weight goes from 0 to 1 and the others keep their proportions"
        return Sheet(["criterion", "weight now", "from", "to", "preferred"], rows, title)

    def _sheets(self) -> list[Sheet]:
        return [sheet for sheet in (self.sheet(), self.changes_sheet()) if sheet.rows]

    def text(self, width: int | None = None) -> str:
        return "\n\n".join(sheet.text(width) for sheet in self._sheets())

    def to_html(self) -> str:
        return "".join(sheet.to_html() for sheet in self._sheets())

    def to_dict(self) -> dict[str, Any]:
        changes = {c: [part._asdict() for part in parts] for c, parts in self.changes.items()}
        return dict(jsonable({**self.__dict__, "changes": changes}))

    def __repr__(self) -> str:
        return f"Preference({self.verdict})"

    def axis(self, c: str, names: Sequence[str]) -> Axis:
        """Return a criterion of some learners as it is drawn.

        Parameters
        ----------
        c
            The criterion.
        names
            The learners.
        """
        one_of("criterion", c, self.table)
        for name in names:
            one_of("names", name, self.names)
        title, log, _ = declared = quantity(c)
        values = {name: self.table[c][name] for name in names}
        moved = raised(values) if log and any(values.values()) else values
        title += " (0 at half of the smallest other)" if moved != values else ""
        return Axis(title, moved, log and min(moved.values()) > 0, lambda value: str(declared.show(value)))

    def axes(self, against: str | None = None) -> tuple[list[str], Axis, Axis]:
        """Give what is drawn: the learners that have both criteria, the criterion across and the first one, upwards.

        Parameters
        ----------
        against
            The criterion across; default: the second one.
        """
        compared = [name for name, rank in self.ranks.items() if rank]
        usable = [c for c, values in self.table.items() if any(not math.isnan(values[name]) for name in compared)]
        if len(usable) < 2:
            raise HowsureError("`plot` must have two criteria with values, to draw one against the other.")
        if against is not None:
            one_of("against", against, usable[1:])
        across = against or usable[1]
        names = [name for name in self.names if not math.isnan(self.scores[name] + self.table[across][name])]
        return names, self.axis(across, names), self.axis(usable[0], names)


def prefer(
    criteria: Mapping[str, Mapping[str, float]], weights: Mapping[str, float] | None = None, *, names: Sequence[str]
) -> Preference:
    """Compare learners by criteria of which lower is better.

    A learner without the first criterion is not compared; any other criterion enters the scores if it is known for all
    who are. Among equal scores the Pareto set, then equal weights, then the name decide.

    Parameters
    ----------
    criteria
        The value of each criterion of each learner, ``criteria[criterion][learner]``, NaN where unknown.
    weights
        The weight of each criterion. Default: the first criterion, the error, has them all.
    names
        The learners.

    Returns
    -------
    Preference
        Who is preferred, and with which weights another would be.

    Examples
    --------
    >>> from howsure.experiment import prefer
    >>> criteria = {"error": {"tree": 0.08, "forest": 0.05}, "seconds": {"tree": 0.1, "forest": 2.0}}
    >>> prefer(criteria, names=["tree", "forest"]).winner
    'forest'
    """
    if weights is not None:
        is_a("weights", weights, Mapping, "a mapping of criteria to their weights")
    asked, notes = dict(weights or {}), []
    table = _checked(criteria, asked, names)
    has = {c: [name for name in names if not math.isnan(table[c][name])] for c in table}
    first = next((c for c in table if has[c]), None)
    compared = has[first] if first else []
    used = [c for c in table if compared and set(compared) <= set(has[c])]
    for c in table:
        title, lack = quantity(c).title, [name for name in compared if name not in has[c]]
        moved = "; its weight goes to the others" if asked.get(c) else ""
        if not has[c]:
            notes.append(f"{title} is unknown for every learner and left out{moved}")
        elif lack:
            notes.append(f"{title} is unknown for {listing(lack)}: it is in no score and in none of their pairs{moved}")
        elif quantity(c).log and 0 < sum(table[c][name] == 0 for name in compared) < len(compared):
            notes.append(f"a {title} of 0 counts as half of the smallest other one")
    for name in (name for name in names if name not in compared):
        what = quantity(first).title if first and any(name in has[c] for c in table) else "value"
        notes.append(f"{name} has no {what}, so it comes last and is not compared")
    weighted = np.array([float(c == first) if weights is None else asked.get(c, 0.0) for c in used], float)
    if used and not weighted.any():
        must("weights", f"above 0 for one of {', '.join(map(repr, used))}", given=weights)
    weighted /= weighted.max(initial=0.0)  # first, as a sum of large ones may overflow
    weighted /= weighted.sum()
    pareto = tuple(name for name in compared if not any(_dominates(table, other, name) for other in compared))
    if compared and not pareto:
        notes.append("each learner is dominated by another one, as unknown values are left out pair by pair")
    losses = {c: _losses({name: table[c][name] for name in compared}, quantity(c).log) for c in used}
    # in the order that decides among equals, so that of the lowest the first is taken
    ordered = sorted(compared, key=lambda n: (n not in pareto, round(sum(losses[c][n] for c in used), 9), n))
    points = np.array([[losses[c][name] for c in used] for name in ordered]).reshape(len(ordered), len(used))
    totals = points @ weighted
    ranks = [1 + int((totals < total - TIE).sum()) for total in totals]
    best = [name for name, rank in zip(ordered, ranks, strict=True) if rank == 1]
    changes = {c: _stretches(column, weighted, points, ordered) for column, c in enumerate(used) if len(used) > 1}
    shares, errors = _shares(points) if ordered else ([], [])
    now = dict.fromkeys(table, 0.0) | dict(zip(used, weighted.tolist(), strict=True))

    def by_name(values: Sequence[float]) -> dict[str, float]:
        return dict.fromkeys(names, math.nan) | dict(zip(ordered, values, strict=True))

    return Preference(
        names=tuple(names),
        table=table,
        weights=now,
        losses={c: dict.fromkeys(names, math.nan) | losses[c] for c in used},
        pareto=pareto,
        scores=by_name(totals.tolist()),
        ranks=dict.fromkeys(names) | dict(zip(ordered, ranks, strict=True)),
        winner=best[0] if best else None,
        verdict=_verdict(ordered, best, points, now, changes),
        changes=changes,
        shares=by_name(shares),
        share_errors=by_name(errors),
        notes=tuple(notes),
    )


def _checked(criteria: Mapping[str, Mapping[str, float]], weights: dict[str, float], names: Sequence[str]) -> Table:
    if isinstance(names, str) or not names or len(set(names)) < len(names):
        must("names", "one or more different names", given=names)
    if not criteria:
        must("criteria", "one or more criteria", given=criteria)
    for c, values in criteria.items():
        for name, value in values.items():
            one_of(f"criteria[{c!r}]", name, names)
            if not isinstance(value, Real) or math.isinf(value) or (quantity(c).log and value < 0):
                kind = "a number of at least 0, or NaN" if quantity(c).log else "a finite number, or NaN"
                must(f"criteria[{c!r}][{name!r}]", kind, given=value)
    for c, weight in weights.items():
        one_of("weights", c, criteria)
        if not isinstance(weight, Real) or not 0 <= weight < math.inf:
            must(f"weights[{c!r}]", "a number of at least 0", given=weight)
    return {c: {name: float(values.get(name, math.nan)) for name in names} for c, values in criteria.items()}


def _dominates(table: Table, one: str, other: str) -> bool:
    pairs = [(values[one], values[other]) for values in table.values()]
    return not any(a > b for a, b in pairs) and any(a < b for a, b in pairs)  # NaN is neither above nor below


def raised(values: dict[str, float]) -> dict[str, float]:
    """Give a zero its place on a logarithmic scale: half of the smallest other value, whatever the unit."""
    smallest = min((value for value in values.values() if value > 0), default=2.0)
    return {name: value or smallest / 2 for name, value in values.items()}


def _losses(values: dict[str, float], log: bool) -> dict[str, float]:
    scaled = {name: math.log(value) for name, value in raised(values).items()} if log else values
    best, worst = min(scaled.values()), max(scaled.values())
    return {name: (value - best) / (worst - best) if worst > best else 0.0 for name, value in scaled.items()}


def _envelope(start: Array, end: Array) -> list[tuple[float, float, int]]:
    """Return the stretches between 0 and 1 on which one line is lowest, and that line; of equal lines the first."""
    ahead, behind = start[:, None] - start, end - end[:, None]
    crossing = (ahead > TIE) & (behind > TIE)
    cuts = np.unique(ahead[crossing] / (ahead + behind)[crossing])
    cuts = np.concatenate([[0.0], cuts[np.diff(cuts, prepend=-1.0) > TIE], [1.0]])
    middles = (cuts[1:] + cuts[:-1]) / 2
    heights = start + middles[:, None] * (end - start)
    lowest = (heights <= heights.min(axis=1, keepdims=True) + TIE).argmax(axis=1)
    begins = np.flatnonzero(np.diff(lowest, prepend=-1))
    return list(zip(cuts[begins].tolist(), [*cuts[begins[1:]].tolist(), 1.0], lowest[begins].tolist(), strict=True))


def _stretches(column: int, weights: Array, points: Array, names: list[str]) -> tuple[Stretch, ...]:
    """Follow the winner as one weight goes from 0 to 1; scores are linear in it."""
    others = np.delete(weights, column)
    others = others / others.sum() if others.any() else np.full(len(others), 1 / len(others))
    lines = _envelope(np.delete(points, column, axis=1) @ others, points[:, column])
    return tuple(Stretch(low, high, names[lowest]) for low, high, lowest in lines)


def _shares(points: Array) -> tuple[list[float], list[float]]:
    """Return the part of all weightings that each wins, equals sharing it, and its standard error, 0 if exact."""
    learners, criteria = points.shape
    if criteria > 2:
        weightings = np.random.default_rng(SEED).dirichlet(np.ones(criteria), DRAWS)
        parts = np.full(DRAWS, 1 / DRAWS)
    else:  # who wins does not change within a stretch, so its middle stands for it
        stretches = _envelope(points[:, -1], points[:, 0])
        middles = np.array([(low + high) / 2 for low, high, _ in stretches])
        weightings = np.stack([middles, 1 - middles], axis=1)[:, :criteria]
        parts = np.array([high - low for low, high, _ in stretches])
    totals = weightings @ points.T
    won = totals <= totals.min(axis=1, keepdims=True) + TIE
    split = won / won.sum(axis=1, keepdims=True)
    errors = split.std(axis=0) / math.sqrt(DRAWS) if criteria > 2 else np.zeros(learners)
    return (parts @ split).tolist(), errors.tolist()


def _verdict(
    names: list[str], best: list[str], points: Array, weights: dict[str, float], changes: dict[str, tuple[Stretch, ...]]
) -> str:
    if len(names) < 2:
        return f"{names[0]} is the only learner to compare" if names else "no learner is preferred: none has a value"
    if points.max() <= TIE:
        return f"{listing(names)} are equal on every criterion compared"
    winner, beside = best[0], f", level with {listing(best[1:])}" if best[1:] else ""
    nearest = []
    for c, parts in changes.items():
        for low, high, other in parts:
            way, limit = ("more", low) if high > weights[c] else ("less", high)
            sentence = f"{other} takes over when {quantity(c).title} weighs {way} than {_short(limit)}"
            if other != winner:
                nearest.append((round(abs(limit - weights[c]), 9), way == "less", sentence))
    if not nearest:  # on a criterion on which it is not best, another would take over at full weight
        return f"{winner} is preferred with any weights{beside}: it is best on every criterion compared"
    return f"{winner} is preferred with these weights{beside}; {min(nearest, key=lambda it: it[:2])[2]}"


def _short(weight: float) -> str:
    return f"{weight:.3f}".rstrip("0") if 5e-4 <= weight < 0.9995 else f"{weight:.6g}"
