"""Bootstrap replicates of a table of counts, drawn without counting cases again."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array


def draw_counts(
    counts: Array, squares: Array | None, rng: np.random.Generator, size: int, parts: list[slice] | None = None
) -> Array:
    """Draw bootstrap replicates of counts; ``parts`` keep their totals.

    Without weights the counts are multinomial, which is the same as resampling the n cases with replacement (Efron
    1979). With weights, each case gets an exponential weight (the Bayesian bootstrap of Rubin 1981). The sum of the
    weights of a cell is then drawn from a gamma distribution with the cell's mean w = sum(weight) and variance
    v = sum(weight^2), that is, with the shape w^2 / v and the scale v / w.
    """
    drawn = np.zeros((size, len(counts)))
    for part in parts or [slice(0, len(counts))]:
        # A weight so small that its square is 0 is negligible next to the others.
        cells = part.start + np.flatnonzero(counts[part] if squares is None else squares[part])
        weight = counts[cells].astype(float)
        if not len(cells):
            continue
        if squares is None:
            drawn[:, cells] = rng.multinomial(round(weight.sum()), weight / weight.sum(), size)
        else:
            square = squares[cells]
            shape = np.round(weight**2 / square, 9)  # round, so that rescaled weights give the same draws
            drawn[:, cells] = rng.gamma(shape, square / weight, (size, len(cells)))
            if parts:
                drawn[:, cells] *= weight.sum() / drawn[:, cells].sum(1, keepdims=True)
    return drawn
