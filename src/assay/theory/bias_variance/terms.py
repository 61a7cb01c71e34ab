"""Noise, bias and variance of a loss, case by case: the kernels, which see codes and numbers that were checked.

Sums over classes are taken so that nothing is subtracted from 1: the terms add up to the loss to the last digits, also
where a probability is all but 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from assay.arrays import Array, IntArray
from assay.present.sheet import Record

NAN = float("nan")
DOMINGOS, KOHAVI_WOLPERT, SQUARED = "domingos", "kohavi-wolpert", "squared"


@dataclass(frozen=True, eq=False)
class Terms:
    """One way to divide a loss: its terms for each case.

    ``main`` is what the rounds predict together: a place among the labels, or a mean. ``unbiased`` is the variance that
    costs, ``biased`` that which mends; they are None where all variance costs. Without P(y|x), ``noise`` and
    ``noise_effect`` are 0 here and ``known`` is False.
    """

    method: str
    rounds: int
    known: bool
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
        if column is None or (name.startswith("noise") and not self.known):
            return NAN
        return math.fsum(column.tolist()) / len(column)

    @cached_property
    def record(self) -> Record:
        """The means over the cases, with every digit."""
        told = {name: self.mean(name) for name in ("loss", "noise", "bias", "variance")}
        unbiased, biased = self.mean("unbiased"), self.mean("biased")
        smooth = self.unbiased is None and self.rounds > 1
        excess = told["variance"] / (self.rounds - 1) if smooth else NAN
        return {
            "method": self.method,
            **told,
            "net_variance": told["variance"] if self.unbiased is None else unbiased - biased,
            "noise_effect": self.mean("noise_effect"),
            "unbiased_variance": unbiased,
            "biased_variance": biased,
            "bias_corrected": told["bias"] - excess,
            "variance_corrected": told["variance"] + excess,
            **{f"{name}_error": self.errors.get(name, NAN) for name in ("loss", "bias", "variance")},
        }

    @property
    def identity(self) -> str:
        """The sum that gives the loss, in words and in numbers."""
        row = self.record
        names = [("noise_effect", " + ")] if self.known else []
        names += [("bias", " + ")]
        names += [("variance", " + ")] if self.unbiased is None else [("unbiased_variance", " + ")]
        names += [] if self.unbiased is None else [("biased_variance", " - ")]
        spelled = {"bias": "bias^2", "noise_effect": "noise"} if self.unbiased is None else {}
        words = "".join(f"{sign}{spelled.get(name, name).replace('_', ' ')}" for name, sign in names)[3:]
        figures = "".join(f"{sign}{row[name]:.6g}" for name, sign in names)[3:]
        return f"{self.method}: loss = {words}: {row['loss']:.6g} = {figures}"


def domingos(codes: IntArray, given: Array, known: bool) -> Terms:
    """Divide the zero-one loss by the majority of the rounds (Domingos, 2000), for any number of classes.

    ``codes`` are the predicted classes, rounds x cases; ``given`` is P(y|x), cases x classes, or 1 for the observed
    label where it is not ``known``.
    """
    share = shares(codes, given.shape[1])
    cases = np.arange(len(given))
    main = share.argmax(1)
    # Where several classes are likeliest, each is as good as the others: the main prediction is right with any of them.
    best = np.where(given[cases, main] == given.max(1), main, given.argmax(1))
    right = share[cases, best]
    is_best = np.arange(given.shape[1]) == best[:, None]
    noise = others(given)[cases, best]
    variance = others(share)[cases, main]
    unbiased = main == best
    return Terms(
        DOMINGOS,
        len(codes),
        known,
        main,
        loss=(share * others(given)).sum(1),
        noise=noise,
        # Where the prediction is not the best one, noise may make it right.
        noise_effect=right * noise - np.where(is_best, 0, share * given).sum(1),
        bias=(~unbiased).astype(float),
        variance=variance,
        unbiased=np.where(unbiased, variance, 0),
        biased=np.where(unbiased, 0, right),
        errors={"loss": _mean_error(_loss_of_rounds(codes, given))},
    )


def kohavi_wolpert(codes: IntArray, given: Array, known: bool, method: str = KOHAVI_WOLPERT) -> Terms:
    """Divide the zero-one loss as half the squared differences of class indicators (Kohavi and Wolpert, 1996)."""
    share = shares(codes, given.shape[1])
    cases = np.arange(len(given))
    apart = share - given
    # Of each round: how far it is from the mean of all, and in which direction; both only depend on the class.
    lengths = (1 - 2 * share + (share**2).sum(1, keepdims=True)) / 2
    along = (apart - (apart * share).sum(1, keepdims=True)) / 2
    noise = (given * others(given)).sum(1) / 2
    return Terms(
        method,
        len(codes),
        known,
        share.argmax(1),
        loss=(share * others(given)).sum(1),
        noise=noise,
        noise_effect=noise,
        bias=(apart**2).sum(1) / 2,
        variance=(share * others(share)).sum(1) / 2,
        errors=_errors(_loss_of_rounds(codes, given), along[cases, codes].mean(1), lengths[cases, codes].mean(1)),
    )


def squares_of_numbers(values: Array, support: Array, given: Array, known: bool) -> Terms:
    """Divide (y - M)^2, for predicted numbers (rounds x cases) and the values that y can have (cases x values)."""
    cases = np.arange(len(given))
    likely = support[cases, given.argmax(1)]
    # Differences from the likeliest value: large numbers that are alike must not cost digits.
    centre = (given * (support - likely[:, None])).sum(1)
    noise = (given * (support - likely[:, None] - centre[:, None]) ** 2).sum(1)
    losses = np.zeros(values.shape)
    for place in range(given.shape[1]):
        losses += given[:, place] * (values - support[:, place]) ** 2
    return _squares((values - likely - centre)[..., None], 1.0, losses, noise, values.mean(0), known)


def squares_of_probabilities(values: Array, given: Array, known: bool) -> Terms:
    """Divide half the sum over classes of (y - p)^2, for predicted probabilities, rounds x cases x classes."""
    losses = (given * (1 - values) ** 2 + others(given) * values**2).sum(2) / 2
    noise = (given * others(given)).sum(1) / 2
    return _squares(values - given, 0.5, losses, noise, values.mean(0).argmax(1), known)


def _squares(apart: Array, scale: float, losses: Array, noise: Array, main: Array, known: bool) -> Terms:
    """Divide a squared loss; ``apart`` is how far each prediction is from the mean of y."""
    middle = apart.mean(0)
    around = apart - middle
    return Terms(
        SQUARED,
        len(apart),
        known,
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
    places = np.arange(n) * k + codes
    return np.bincount(places.ravel(), minlength=n * k).reshape(n, k) / len(codes)


def others(shares: Array) -> Array:
    """Give what all other classes have together: 1 - share, without its loss of digits."""
    found = np.zeros_like(shares)
    found[:, 1:] = np.cumsum(shares[:, :-1], axis=1)
    found[:, :-1] += np.cumsum(shares[:, :0:-1], axis=1)[:, ::-1]
    return found


def _loss_of_rounds(codes: IntArray, given: Array) -> Array:
    return np.asarray(others(given)[np.arange(len(given)), codes].mean(1))


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
