"""Formulas for noise, bias and variance, by case.

1 - p is computed as the sum of the other probabilities so that the terms add up to the loss without loss of precision
even if p is close to 1.
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
    """Terms of a decomposition, by case."""

    method: str
    rounds: int
    has_noise: bool  # False without P(y|x), in which case the noise is 0
    main: Array  # main prediction over the rounds: the index of a label, or a mean
    loss: Array
    noise: Array
    noise_effect: Array  # amount that noise adds to the loss
    bias: Array
    variance: Array
    unbiased: Array | None = None  # variance that increases the loss; None if all variance does
    biased: Array | None = None  # variance that decreases the loss
    errors: dict[str, float] = field(default_factory=dict)  # Monte Carlo errors

    def mean(self, name: str) -> float:
        column = getattr(self, name)
        if column is None or (name in NOISE and not self.has_noise):
            return NAN
        return math.fsum(column.tolist()) / len(column)

    @cached_property
    def record(self) -> Record:
        """Means of the terms over the cases."""
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
        """The loss as a sum of its terms, in words and numbers."""
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
    """Decompose the zero-one loss around the majority prediction over the rounds (Domingos, 2000).

    ``codes`` are the predicted classes (rounds x cases). ``conditional`` is P(y|x) (cases x classes), or the indicator
    of the observed label if ``has_noise`` is False.
    """
    share = shares(codes, conditional.shape[1])
    cases = np.arange(len(conditional))
    main = share.argmax(1)
    # If several classes are tied as most probable, the main prediction is correct if it is any of them.
    best = np.where(conditional[cases, main] == conditional.max(1), main, conditional.argmax(1))
    correct = share[cases, best]
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
        # Noise may make a suboptimal prediction correct.
        noise_effect=correct * noise - np.where(is_best, 0, share * conditional).sum(1),
        bias=(~unbiased).astype(float),
        variance=variance,
        unbiased=np.where(unbiased, variance, 0),
        biased=np.where(unbiased, 0, correct),
        errors={"loss": _mean_error(_loss_of_rounds(codes, conditional))},
    )


def kohavi_wolpert(codes: IntArray, conditional: Array, has_noise: bool, method: str = KOHAVI_WOLPERT) -> Terms:
    """Decompose the zero-one loss as half the sum of squared differences of indicators (Kohavi and Wolpert, 1996)."""
    share = shares(codes, conditional.shape[1])
    cases = np.arange(len(conditional))
    offset = share - conditional
    # For the jackknife, by predicted class: with d the deviation of a round from the mean, |d|^2 and d times the bias.
    squared = (1 - 2 * share + (share**2).sum(1, keepdims=True)) / 2
    with_bias = (offset - (offset * share).sum(1, keepdims=True)) / 2
    noise = (conditional * others(conditional)).sum(1) / 2
    return Terms(
        method,
        len(codes),
        has_noise,
        share.argmax(1),
        loss=(share * others(conditional)).sum(1),
        noise=noise,
        noise_effect=noise,
        bias=(offset**2).sum(1) / 2,
        variance=(share * others(share)).sum(1) / 2,
        errors=_errors(
            _loss_of_rounds(codes, conditional), with_bias[cases, codes].mean(1), squared[cases, codes].mean(1)
        ),
    )


def squares_of_numbers(values: Array, support: Array, conditional: Array, has_noise: bool) -> Terms:
    """Decompose (y - prediction)^2 for numbers (rounds x cases); ``support`` holds the values of y (cases x values)."""
    cases = np.arange(len(conditional))
    likely = support[cases, conditional.argmax(1)]
    # Differences from the most probable value avoid cancellation of large numbers.
    centre = (conditional * (support - likely[:, None])).sum(1)
    noise = (conditional * (support - likely[:, None] - centre[:, None]) ** 2).sum(1)
    losses = np.zeros(values.shape)
    for value, probability in zip(support.T, conditional.T, strict=True):
        losses += probability * (values - value) ** 2
    return _squares((values - likely - centre)[..., None], 1.0, losses, noise, values.mean(0), has_noise)


def squares_of_probabilities(values: Array, conditional: Array, has_noise: bool) -> Terms:
    """Decompose half the sum over classes of (y - p)^2 for probabilities (rounds x cases x classes)."""
    losses = (conditional * (1 - values) ** 2 + others(conditional) * values**2).sum(2) / 2
    noise = (conditional * others(conditional)).sum(1) / 2
    return _squares(values - conditional, 0.5, losses, noise, values.mean(0).argmax(1), has_noise)


def _squares(offset: Array, scale: float, losses: Array, noise: Array, main: Array, has_noise: bool) -> Terms:
    """Decompose a squared loss; ``offset`` is the difference between each prediction and the mean of y."""
    bias = offset.mean(0)
    deviation = offset - bias
    return Terms(
        SQUARED,
        len(offset),
        has_noise,
        main,
        loss=losses.mean(0),
        noise=noise,
        noise_effect=noise,
        bias=scale * (bias**2).sum(1),
        variance=scale * (deviation**2).mean(0).sum(1),
        errors=_errors(
            losses.mean(1),
            scale * np.einsum("rnd,nd->r", deviation, bias) / len(bias),
            scale * np.einsum("rnd,rnd->r", deviation, deviation) / len(bias),
        ),
    )


def shares(codes: IntArray, k: int) -> Array:
    """Return the proportion of rounds that predict each class (cases x classes)."""
    n = codes.shape[1]
    cells = np.arange(n) * k + codes
    return np.bincount(cells.ravel(), minlength=n * k).reshape(n, k) / len(codes)


def others(shares: Array) -> Array:
    """Return 1 - share as the sum of the other shares, without cancellation."""
    rest = np.zeros_like(shares)
    rest[:, 1:] = np.cumsum(shares[:, :-1], axis=1)
    rest[:, :-1] += np.cumsum(shares[:, :0:-1], axis=1)[:, ::-1]
    return rest


def _loss_of_rounds(codes: IntArray, conditional: Array) -> Array:
    return np.asarray(others(conditional)[np.arange(len(conditional)), codes].mean(1))


def _mean_error(values: Array) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else NAN


def _errors(losses: Array, with_bias: Array, squared: Array) -> dict[str, float]:
    """Return jackknife standard errors over the rounds.

    Leaving out round r shifts the mean prediction by -d / (R - 1), where d is the deviation of the round from the mean
    of all rounds. ``with_bias`` is the mean over cases of d times the bias, and ``squared`` is the mean of d^2.
    """
    R = len(losses)
    if R < 2:
        return {}
    bias = squared / (R - 1) ** 2 - 2 * with_bias / (R - 1)
    variance = -squared / (R - 1) - squared / (R - 1) ** 2
    jackknife = {name: float(term.std() * math.sqrt(R - 1)) for name, term in (("bias", bias), ("variance", variance))}
    return {"loss": _mean_error(losses), **jackknife}
