"""Redraw the cells of a table of counts: a replicate re-weighs the table, which is never counted or sorted again."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array


def draw_counts(
    counts: Array, squares: Array | None, rng: np.random.Generator, size: int, parts: list[slice] | None = None
) -> Array:
    """Draw ``size`` rows of counts like those given; each of ``parts`` keeps its own total.

    Without weights that is a multinomial draw, the same as resampling the cases. With weights it is Rubin's bootstrap,
    which gives each case an exponential weight: the sum over the cases of a cell has the cell's weight as its mean and
    the squared weights as its variance, as a gamma variable has.
    """
    drawn = np.zeros((size, len(counts)))
    for part in parts or [slice(0, len(counts))]:
        # A weight so small that its square is 0 counts for nothing beside the others.
        cells = part.start + np.flatnonzero(counts[part] if squares is None else squares[part])
        weight = counts[cells].astype(float)
        if not len(cells):
            continue
        if squares is None:
            drawn[:, cells] = rng.multinomial(round(weight.sum()), weight / weight.sum(), size)
        else:
            square = squares[cells]
            shape = np.round(weight**2 / square, 9)  # the last bits of a scale must not decide about draws
            drawn[:, cells] = rng.gamma(shape, square / weight, (size, len(cells)))
            if parts:
                drawn[:, cells] *= weight.sum() / drawn[:, cells].sum(1, keepdims=True)
    return drawn
