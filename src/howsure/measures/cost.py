"""Measures of misclassification costs."""

from __future__ import annotations

from howsure.arrays import Array
from howsure.measures.declare import Matrix, divide, measure
from howsure.tables import LabelCounts

INFINITY = float("inf")


@measure(
    "Mean cost",
    formula="sum(costs * cells) / n",
    range=(-INFINITY, INFINITY),
    best=None,
    better="lower",
    within=lambda n, costs: (costs.min(), costs.max()),
    aliases=("expected_cost", "average_cost"),
)
def mean_cost(c: LabelCounts, costs: Matrix) -> Array:
    """Mean cost per case."""
    return divide(c.weigh(costs), c.n)


@measure(
    "Total cost",
    formula="sum(costs * cells)",
    range=(-INFINITY, INFINITY),
    best=None,
    better="lower",
    within=lambda n, costs: (n * costs.min(), n * costs.max()),
    total_of=mean_cost,
)
def total_cost(c: LabelCounts, costs: Matrix) -> Array:
    """Total cost of all cases."""
    return c.weigh(costs)
