"""Share of a ball's volume near its surface, which approaches 1 in many dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import numbers
from howsure.errors import HowsureError, must, must_be_share
from howsure.kernels.shell import shell_share
from howsure.present.result import Result
from howsure.present.sheet import Record


def shell_volume(dimension: Any, epsilon: Any = 0.05) -> Any:
    """Compute the share of a ball's volume within ``epsilon`` of its surface.

    The share is 1 - (1 - epsilon)^dimension.

    Parameters
    ----------
    dimension
        Number of dimensions, or an array of such numbers.
    epsilon
        Thickness of the shell relative to the radius, or an array of thicknesses.

    Returns
    -------
    float or array
        Share of the volume.

    Examples
    --------
    >>> from howsure.selection import shell_volume
    >>> round(shell_volume(2), 4), round(shell_volume(100), 4)
    (0.0975, 0.9941)
    >>> shell_volume([1, 2, 20], 0.1).round(3).tolist()
    [0.1, 0.19, 0.878]
    """
    dimensions, widths = numbers("dimension", dimension), numbers("epsilon", epsilon)
    if not ((dimensions >= 1) & (dimensions == np.floor(dimensions)) & np.isfinite(dimensions)).all():
        must("dimension", "a whole number, 1 or above", given=dimension)
    if not ((widths >= 0) & (widths <= 1)).all():
        must_be_share("epsilon", "a share of the radius, from 0 to 1", given=epsilon)
    try:
        share = shell_share(dimensions, widths)
    except ValueError:
        shapes = f"{dimensions.shape} and {widths.shape}"
        raise HowsureError(f"`dimension` and `epsilon` must have shapes that can be broadcast, not {shapes}.") from None
    return float(share) if share.ndim == 0 else share


@dataclass(frozen=True, eq=False, repr=False)
class ShellVolumes(Result):
    """Share of a ball's volume near its surface, by number of dimensions.

    Attributes
    ----------
    epsilon
        Thicknesses of the shell relative to the radius.
    shares
        Shares of the volume by number of dimensions.

    Examples
    --------
    >>> from howsure.selection import shell_volumes
    >>> volumes = shell_volumes((2, 20), epsilon=[0.05, 0.1])
    >>> volumes.shares[20].round(3).tolist()
    [0.642, 0.878]
    """

    epsilon: Array
    shares: Mapping[int, Array]
    title = "share of a ball's volume near its surface"

    def records(self) -> list[Record]:
        return [
            {"dimension": dimension, "epsilon": epsilon, "share": share}
            for dimension, shares in self.shares.items()
            for epsilon, share in zip(self.epsilon.tolist(), shares.tolist(), strict=True)
        ]

    def __repr__(self) -> str:
        return f"ShellVolumes(dimensions {', '.join(map(str, self.shares))})"


def shell_volumes(dimensions: Sequence[int] = (1, 2, 5, 20), epsilon: Any = None) -> ShellVolumes:
    """Compute the share of a ball's volume near its surface by dimension.

    Parameters
    ----------
    dimensions
        Numbers of dimensions.
    epsilon
        Thicknesses of the shell relative to the radius; by default 401 values from 0 to 1.

    Returns
    -------
    ShellVolumes
        Shares of the volume.

    Examples
    --------
    >>> from howsure.selection import shell_volumes
    >>> print(shell_volumes((1, 20), epsilon=[0.05, 0.1]))
    share of a ball's volume near its surface
    dimension  epsilon  share
    ---------  -------  -----
            1    0.050  0.050
            1    0.100  0.100
           20    0.050  0.642
           20    0.100  0.878
    """
    counts = numbers("dimensions", dimensions)
    if counts.ndim != 1 or not len(counts) or not np.isfinite(counts).all() or np.ndim(shell_volume(counts)) != 1:
        must("dimensions", "a list of one or more whole numbers", given=dimensions)
    # Points are denser near 0, where the lines are steep.
    widths = np.linspace(0, 1, 401) ** 2 if epsilon is None else np.atleast_1d(numbers("epsilon", epsilon))
    return ShellVolumes(widths, {count: shell_volume(count, widths) for count in sorted(set(map(int, counts)))})


def plot_shell_volume(dimensions: Sequence[int] = (1, 2, 5, 20), ax: Any = None) -> Any:
    """Plot the share of a ball's volume near its surface.

    Parameters
    ----------
    dimensions
        Numbers of dimensions.
    ax
        Matplotlib axes; by default new ones.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> from howsure.selection import plot_shell_volume
    >>> from matplotlib.figure import Figure
    >>> ax = plot_shell_volume((1, 2, 20), Figure().subplots())
    >>> ax.get_xlabel()
    'epsilon: distance from the surface, as a share of the radius'
    """
    return shell_volumes(dimensions).plot(ax)
