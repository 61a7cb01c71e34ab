"""Noise, bias and variance of a loss, case by case: the kernels, which see codes and numbers that were checked.

Sums over classes are taken so that nothing is subtracted from 1: the terms add up to the loss to the last digits, also
where a probability is all but 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.present.sheet import Record

NAN = float("nan")
NOISE = ("noise", "noise_effect")
DOMINGOS, KOHAVI_WOLPERT, SQUARED = "domingos", "kohavi-wolpert", "squared"


@dataclass(frozen=True, eq=False)
class Terms:
    """One way to divide a loss: its terms for each case.

    ``main`` is what the rounds predict together: the index of a label, or a mean. ``unbiased`` is the variance that
    adds to the loss, ``biased`` that which lowers it; they are None where all variance adds to it. Without P(y|x),
    ``noise`` and ``noise_effect`` are 0 here and ``has_noise`` is False.
    """

    method: str
    rounds: int
    has_noise: bool
    main: Array
    loss: Array
    noise: Array
    noise_effect: Array
    bias: Array
    variance: Array
    unbiased: Array | None = None
    biased: Array | None = None
    errors: dict[str, float] = field(default_factory=dict)

    def mean(self, name: str) -> float:
        column = getattr(self, name)
        if column is None or (name in NOISE and not self.has_noise):
            return NAN
        return math.fsum(column.tolist()) / len(column)

    @cached_property
    def record(self) -> Record:
        """The means over the cases, with every digit."""
        means = {name: self.mean(name) for name in ("loss", "noise", "bias", "variance")}
        unbiased, biased = self.mean("unbiased"), self.mean("biased")
        is_smooth = self.unbiased is None and self.rounds > 1
        excess = means["variance"] / (self.rounds - 1) if is_smooth else NAN
        return {
            "method": self.method,
            **means,
            "net_variance": means["variance"] if self.unbiased is None else unbiased - biased,
            "noise_effect": self.mean("noise_effect"),
            "unbiased_variance": unbiased,
            "biased_variance": biased,
            "bias_corrected": means["bias"] - excess,
            "variance_corrected": means["variance"] + excess,
            **{f"{name}_error": self.errors.get(name, NAN) for name in ("loss", "bias", "variance")},
        }

    @property
    def identity(self) -> str:
        """The sum that gives the loss, in words and in numbers."""
        row = self.record
        names = [("noise_effect", " + ")] if self.has_noise else []
        names += [("bias", " + ")]
        names += [("variance", " + ")] if self.unbiased is None else [("unbiased_variance", " + ")]
        names += [] if self.unbiased is None else [("biased_variance", " - ")]
        spelled = {"bias": "bias^2", "noise_effect": "noise"} if self.unbiased is None else {}
        words = "".join(f"{sign}{spelled.get(name, name).replace('_', ' ')}" for name, sign in names)[3:]
        figures = "".join(f"{sign}{row[name]:.6g}" for name, sign in names)[3:]
        return f"{self.method}: loss = {words}: {row['loss']:.6g} = {figures}"


def domingos(codes: IntArray, conditional: Array, has_noise: bool) -> Terms:
    """Divide the zero-one loss by the majority of the rounds (Domingos, 2000), for any number of classes.

    ``codes`` are the predicted classes, rounds x cases; ``conditional`` is P(y|x), cases x classes, or 1 for the
    observed label where that is unknown and ``has_noise`` is False.
    """
    share = shares(codes, conditional.shape[1])
    cases = np.arange(len(conditional))
    main = share.argmax(1)
    # Where several classes are likeliest, each is as good as the others: the main prediction is right with any of them.
    best = np.where(conditional[cases, main] == conditional.max(1), main, conditional.argmax(1))
    right = share[cases, best]
    is_best = np.arange(conditional.shape[1]) == best[:, None]
    noise = others(conditional)[cases, best]
    variance = others(share)[cases, main]
    unbiased = main == best
    return Terms(
        DOMINGOS,
        len(codes),
        has_noise,
        main,
        loss=(share * others(conditional)).sum(1),
        noise=noise,
        # Where the prediction is not the best one, noise may make it right.
        noise_effect=right * noise - np.where(is_best, 0, share * conditional).sum(1),
        bias=(~unbiased).astype(float),
        variance=variance,
        unbiased=np.where(unbiased, variance, 0),
        biased=np.where(unbiased, 0, right),
        errors={"loss": _mean_error(_loss_of_rounds(codes, conditional))},
    )


def kohavi_wolpert(codes: IntArray, conditional: Array, has_noise: bool, method: str = KOHAVI_WOLPERT) -> Terms:
    """Divide the zero-one loss as half the squared differences of class indicators (Kohavi and Wolpert, 1996)."""
    share = shares(codes, conditional.shape[1])
    cases = np.arange(len(conditional))
    apart = share - conditional
    # Of each round: how far it is from the mean of all, and in which direction; both only depend on the class.
    lengths = (1 - 2 * share + (share**2).sum(1, keepdims=True)) / 2
    along = (apart - (apart * share).sum(1, keepdims=True)) / 2
    noise = (conditional * others(conditional)).sum(1) / 2
    return Terms(
        method,
        len(codes),
        has_noise,
        share.argmax(1),
        loss=(share * others(conditional)).sum(1),
        noise=noise,
        noise_effect=noise,
        bias=(apart**2).sum(1) / 2,
        variance=(share * others(share)).sum(1) / 2,
        errors=_errors(_loss_of_rounds(codes, conditional), along[cases, codes].mean(1), lengths[cases, codes].mean(1)),
    )


def squares_of_numbers(values: Array, support: Array, conditional: Array, has_noise: bool) -> Terms:
    """Divide (y - M)^2, for predicted numbers (rounds x cases) and the values that y can have (cases x values)."""
    cases = np.arange(len(conditional))
    likely = support[cases, conditional.argmax(1)]
    # Differences from the likeliest value: large numbers that are alike must not cost digits.
    centre = (conditional * (support - likely[:, None])).sum(1)
    noise = (conditional * (support - likely[:, None] - centre[:, None]) ** 2).sum(1)
    losses = np.zeros(values.shape)
    for value, probability in zip(support.T, conditional.T, strict=True):
        losses += probability * (values - value) ** 2
    return _squares((values - likely - centre)[..., None], 1.0, losses, noise, values.mean(0), has_noise)


def squares_of_probabilities(values: Array, conditional: Array, has_noise: bool) -> Terms:
    """Divide half the sum over classes of (y - p)^2, for predicted probabilities, rounds x cases x classes."""
    losses = (conditional * (1 - values) ** 2 + others(conditional) * values**2).sum(2) / 2
    noise = (conditional * others(conditional)).sum(1) / 2
    return _squares(values - conditional, 0.5, losses, noise, values.mean(0).argmax(1), has_noise)


def _squares(apart: Array, scale: float, losses: Array, noise: Array, main: Array, has_noise: bool) -> Terms:
    """Divide a squared loss; ``apart`` is how far each prediction is from the mean of y."""
    middle = apart.mean(0)
    around = apart - middle
    return Terms(
        SQUARED,
        len(apart),
        has_noise,
        main,
        loss=losses.mean(0),
        noise=noise,
        noise_effect=noise,
        bias=scale * (middle**2).sum(1),
        variance=scale * (around**2).mean(0).sum(1),
        errors=_errors(
            losses.mean(1),
            scale * np.einsum("rnd,nd->r", around, middle) / len(middle),
            scale * np.einsum("rnd,rnd->r", around, around) / len(middle),
        ),
    )


def shares(codes: IntArray, k: int) -> Array:
    """Give the share of rounds that predict each class, cases x classes."""
    n = codes.shape[1]
    cells = np.arange(n) * k + codes
    return np.bincount(cells.ravel(), minlength=n * k).reshape(n, k) / len(codes)


def others(shares: Array) -> Array:
    """Give what all other classes have together: 1 - share, without its loss of digits."""
    rest = np.zeros_like(shares)
    rest[:, 1:] = np.cumsum(shares[:, :-1], axis=1)
    rest[:, :-1] += np.cumsum(shares[:, :0:-1], axis=1)[:, ::-1]
    return rest


def _loss_of_rounds(codes: IntArray, conditional: Array) -> Array:
    return np.asarray(others(conditional)[np.arange(len(conditional)), codes].mean(1))


def _mean_error(values: Array) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else NAN


def _errors(losses: Array, along: Array, lengths: Array) -> dict[str, float]:
    """Standard errors by the jackknife, from the mean over cases of each round.

    Without round r the mean prediction moves by d / (R - 1) away from it, where d is how far the round is from the
    mean of all. ``along`` is the product of d and the bias, ``lengths`` that of d with itself.
    """
    R = len(losses)
    if R < 2:
        return {}
    bias = lengths / (R - 1) ** 2 - 2 * along / (R - 1)
    variance = -lengths / (R - 1) - lengths / (R - 1) ** 2
    jackknife = {name: float(left.std() * math.sqrt(R - 1)) for name, left in (("bias", bias), ("variance", variance))}
    return {"loss": _mean_error(losses), **jackknife}
