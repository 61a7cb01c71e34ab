"""Preference among learners by several weighted criteria: error, time, memory, size and complexity."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_type, one_of
from howsure.errors import HowsureError, listing, must
from howsure.present.quantity import quantity, show
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable

Table = dict[str, dict[str, float]]
TIE = 1e-9  # losses are between 0 and 1; a difference smaller than this is rounding error
DRAWS, SEED = 20_000, 0


class Stretch(NamedTuple):
    """A range of weights of a criterion for which ``winner`` is preferred."""

    low: float
    high: float
    winner: str


class Axis(NamedTuple):
    """A criterion as an axis, with positive values if the scale is logarithmic."""

    title: str
    values: dict[str, float]
    log: bool
    show: Callable[[float], str]


@dataclass(frozen=True)
class Preference(Result):
    """The preferred learner, and how it depends on the criteria's weights.

    Returned by `prefer` and `ExperimentResult.preference`.

    Attributes
    ----------
    names
        The learners.
    table
        The values of each criterion for each learner.
    weights
        The weight of each criterion.
    losses
        The values of each criterion, rescaled from 0 for the best learner to 1 for the worst.
    pareto
        The Pareto-optimal learners: no other learner is at least as good on every criterion and better on one.
    scores
        The weighted sum of the losses for each learner.
    ranks
        The rank of each learner by score; None if the learner was not compared.
    winner, verdict
        The preferred learner, and a sentence that explains why.
    changes
        For each criterion, the preferred learner as its weight varies from 0 to 1.
    shares, share_errors
        The proportion of all weightings for which each learner is preferred, and its standard error (0 if exact).
    notes
        Remarks, for example about unknown values.

    Examples
    --------
    >>> from howsure.experiment import prefer
    >>> criteria = {"error": {"tree": 0.08, "forest": 0.05}, "seconds": {"tree": 0.1, "forest": 2.0}}
    >>> preference = prefer(criteria, {"error": 0.4, "seconds": 0.6}, names=["tree", "forest"])
    >>> preference.winner, preference.pareto
    ('tree', ('tree', 'forest'))
    >>> print(preference.changes_sheet())
    preferred learner as one weight varies from 0 to 1 (others in proportion)
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
        """Return a record for each learner, best first, in seconds and bytes."""
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
        """Return a row for each learner, best first, in readable units."""
        rows = []
        for record in self.records():
            values = [show(c, record[c]) for c in self.table]
            mark = "*" if record["pareto"] else ""
            rows.append([record["learner"], *values, mark, record["score"], record["rank"], record["share"]])
        columns = ["learner", *(quantity(c).title for c in self.table), "Pareto", "score", "rank", "share"]
        weights = ", ".join(f"{quantity(c).title} {_short(weight)}" for c, weight in self.weights.items() if weight)
        error = max((error for error in self.share_errors.values() if error > 0), default=None)
        precision = f" ({DRAWS} draws, standard error at most {error:.2g})" if error else ""
        share = f"share: proportion of all weightings for which this learner is preferred{precision}"
        legend = (f"weights: {weights}", share)
        return Sheet(columns, rows, self.verdict, (*(legend if self.winner else ()), *self.notes))

    def changes_sheet(self) -> Sheet:
        """Return the preferred learner as the weight of each criterion varies."""
        rows = [[quantity(c).title, self.weights[c], *part] for c, parts in self.changes.items() for part in parts]
        title = "preferred learner as one weight varies from 0 to 1 (others in proportion)"
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
        """Return the axis of a criterion for a chart.

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
        positive = replace_zeros(values) if log and any(values.values()) else values
        title += " (0 drawn at half the smallest positive value)" if positive != values else ""
        return Axis(title, positive, log and min(positive.values()) > 0, lambda value: str(declared.show(value)))

    def axes(self, against: str | None = None) -> tuple[list[str], Axis, Axis]:
        """Return the learners and the horizontal and vertical axes of a chart.

        The vertical axis is the first criterion. Learners that lack a value for either criterion are left out.

        Parameters
        ----------
        against
            The criterion of the horizontal axis. Default: the second criterion.
        """
        compared = [name for name, rank in self.ranks.items() if rank]
        usable = [c for c, values in self.table.items() if any(not math.isnan(values[name]) for name in compared)]
        if len(usable) < 2:
            raise HowsureError("`plot` needs two criteria with values.")
        if against is not None:
            one_of("against", against, usable[1:])
        horizontal = against or usable[1]
        names = [name for name in self.names if not math.isnan(self.scores[name] + self.table[horizontal][name])]
        return names, self.axis(horizontal, names), self.axis(usable[0], names)


def prefer(
    criteria: Mapping[str, Mapping[str, float]], weights: Mapping[str, float] | None = None, *, names: Sequence[str]
) -> Preference:
    """Choose a learner by several criteria, for which lower values are better.

    Learners without a value for the first criterion are not compared. Another criterion counts if it is known for all
    compared learners. Ties in the score are broken by Pareto optimality, then by equal weights, then by name.

    Parameters
    ----------
    criteria
        Values ``criteria[criterion][learner]``, NaN if unknown.
    weights
        The weight of each criterion. Default: all weight is on the first criterion, the error.
    names
        The learners.

    Returns
    -------
    Preference
        The preferred learner, and the weights for which another learner would be preferred.

    Examples
    --------
    >>> from howsure.experiment import prefer
    >>> criteria = {"error": {"tree": 0.08, "forest": 0.05}, "seconds": {"tree": 0.1, "forest": 2.0}}
    >>> prefer(criteria, names=["tree", "forest"]).winner
    'forest'
    """
    if weights is not None:
        check_type("weights", weights, Mapping, "a mapping of criteria to their weights")
    requested, notes = dict(weights or {}), []
    table = _checked(criteria, requested, names)
    has = {c: [name for name in names if not math.isnan(table[c][name])] for c in table}
    first = next((c for c in table if has[c]), None)
    compared = has[first] if first else []
    used = [c for c in table if compared and set(compared) <= set(has[c])]
    for c in table:
        title, unknown = quantity(c).title, [name for name in compared if name not in has[c]]
        weight_note = "; its weight goes to the others" if requested.get(c) else ""
        if not has[c]:
            notes.append(f"{title} is unknown for every learner, so it is left out{weight_note}")
        elif unknown:
            notes.append(
                f"{title} is unknown for {listing(unknown)}: "
                f"it is left out of all scores, and of comparisons with these learners{weight_note}"
            )
        elif quantity(c).log and 0 < sum(table[c][name] == 0 for name in compared) < len(compared):
            notes.append(f"{title}: 0 counts as half the smallest positive value")
    for name in (name for name in names if name not in compared):
        lacking = quantity(first).title if first and any(name in has[c] for c in table) else "value"
        notes.append(f"{name} has no {lacking}, so it comes last and is not compared")
    weighted = np.array([float(c == first) if weights is None else requested.get(c, 0.0) for c in used], float)
    if used and not weighted.any():
        must("weights", f"positive for at least one of {', '.join(map(repr, used))}", given=weights)
    weighted /= weighted.max(initial=0.0)  # the sum of large weights might overflow
    weighted /= weighted.sum()
    pareto = tuple(name for name in compared if not any(_dominates(table, rival, name) for rival in compared))
    if compared and not pareto:
        notes.append("every learner is dominated by another one, which can happen if some values are unknown")
    losses = {c: _losses({name: table[c][name] for name in compared}, quantity(c).log) for c in used}
    # Sort by the tie-breaking rules, so that the first of the tied learners wins.
    ordered = sorted(compared, key=lambda n: (n not in pareto, round(sum(losses[c][n] for c in used), 9), n))
    points = np.array([[losses[c][name] for c in used] for name in ordered]).reshape(len(ordered), len(used))
    totals = points @ weighted
    ranks = [1 + int((totals < total - TIE).sum()) for total in totals]
    best = [name for name, rank in zip(ordered, ranks, strict=True) if rank == 1]
    changes = {c: _stretches(column, weighted, points, ordered) for column, c in enumerate(used) if len(used) > 1}
    shares, errors = _shares(points) if ordered else ([], [])
    final_weights = dict.fromkeys(table, 0.0) | dict(zip(used, weighted.tolist(), strict=True))

    def by_name(values: Sequence[float]) -> dict[str, float]:
        return dict.fromkeys(names, math.nan) | dict(zip(ordered, values, strict=True))

    return Preference(
        names=tuple(names),
        table=table,
        weights=final_weights,
        losses={c: dict.fromkeys(names, math.nan) | losses[c] for c in used},
        pareto=pareto,
        scores=by_name(totals.tolist()),
        ranks=dict.fromkeys(names) | dict(zip(ordered, ranks, strict=True)),
        winner=best[0] if best else None,
        verdict=_verdict(ordered, best, points, final_weights, changes),
        changes=changes,
        shares=by_name(shares),
        share_errors=by_name(errors),
        notes=tuple(notes),
    )


def _checked(criteria: Mapping[str, Mapping[str, float]], weights: dict[str, float], names: Sequence[str]) -> Table:
    if isinstance(names, str) or not names or len(set(names)) < len(names):
        must("names", "one or more distinct names", given=names)
    if not criteria:
        must("criteria", "one or more criteria", given=criteria)
    for c, values in criteria.items():
        for name, value in values.items():
            one_of(f"criteria[{c!r}]", name, names)
            if not isinstance(value, Real) or math.isinf(value) or (quantity(c).log and value < 0):
                kind = "a non-negative number, or NaN" if quantity(c).log else "a finite number, or NaN"
                must(f"criteria[{c!r}][{name!r}]", kind, given=value)
    for c, weight in weights.items():
        one_of("weights", c, criteria)
        if not isinstance(weight, Real) or not 0 <= weight < math.inf:
            must(f"weights[{c!r}]", "a non-negative number", given=weight)
    return {c: {name: float(values.get(name, math.nan)) for name in names} for c, values in criteria.items()}


def _dominates(table: Table, first: str, second: str) -> bool:
    """Return whether the first learner is never worse and sometimes better."""
    pairs = [(values[first], values[second]) for values in table.values()]
    return not any(a > b for a, b in pairs) and any(a < b for a, b in pairs)  # comparisons with NaN are false


def replace_zeros(values: dict[str, float]) -> dict[str, float]:
    """Replace zeros with half the smallest positive value, for log scales."""
    smallest = min((value for value in values.values() if value > 0), default=2.0)
    return {name: value or smallest / 2 for name, value in values.items()}


def _losses(values: dict[str, float], log: bool) -> dict[str, float]:
    scaled = {name: math.log(value) for name, value in replace_zeros(values).items()} if log else values
    best, worst = min(scaled.values()), max(scaled.values())
    return {name: (value - best) / (worst - best) if worst > best else 0.0 for name, value in scaled.items()}


def _envelope(start: Array, end: Array) -> list[tuple[float, float, int]]:
    """Return the lower envelope of lines on [0, 1] as (low, high, line)."""
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
    """Return the winners as one weight varies from 0 to 1."""
    rest = np.delete(weights, column)
    rest = rest / rest.sum() if rest.any() else np.full(len(rest), 1 / len(rest))
    lines = _envelope(np.delete(points, column, axis=1) @ rest, points[:, column])
    return tuple(Stretch(low, high, names[lowest]) for low, high, lowest in lines)


def _shares(points: Array) -> tuple[list[float], list[float]]:
    """Return the share of weightings for each winner, and its standard error.

    The shares are exact for one or two criteria. With more criteria, weights are drawn from a uniform Dirichlet
    distribution.
    """
    learners, criteria = points.shape
    if criteria > 2:
        weightings = np.random.default_rng(SEED).dirichlet(np.ones(criteria), DRAWS)
        parts = np.full(DRAWS, 1 / DRAWS)
    else:  # the winner is the same throughout a stretch, so it is evaluated at the midpoint
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
        return f"{listing(names)} are equal on all criteria compared"
    winner, ties = best[0], f", tied with {listing(best[1:])}" if best[1:] else ""
    nearest = []
    for c, parts in changes.items():
        for low, high, name in parts:
            side, limit = ("above", low) if high > weights[c] else ("below", high)
            sentence = f"choose {name} if the weight of {quantity(c).title} is {side} {_short(limit)}"
            if name != winner:
                nearest.append((round(abs(limit - weights[c]), 9), side == "below", sentence))
    if not nearest:  # otherwise another learner would win with all weight on one criterion
        return f"{winner} is preferred with any weights{ties}: it is best on all criteria compared"
    return f"{winner} is preferred with these weights{ties}; {min(nearest, key=lambda item: item[:2])[2]}"


def _short(weight: float) -> str:
    return f"{weight:.3f}".rstrip("0") if 5e-4 <= weight < 0.9995 else f"{weight:.6g}"
