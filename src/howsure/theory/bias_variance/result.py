"""Result of a bias-variance decomposition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from howsure.checks import one_of
from howsure.data.encode import Label
from howsure.errors import counted
from howsure.experiment import ExperimentResult
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable
from howsure.theory.bias_variance.formulas import NAN, SQUARED, Terms


@dataclass(frozen=True, eq=False, repr=False)
class BiasVariance(Result):
    """A mean loss, decomposed into noise, bias and variance.

    For "domingos", ``bias`` is the proportion of cases whose main prediction is wrong; otherwise, it is the squared
    bias. Without P(y|x), noise is NaN and part of ``bias``. All attributes are those of ``method``; `by` switches to
    another method.

    Attributes
    ----------
    loss_function, method
        Names of the loss and of the decomposition.
    terms
        All decompositions by name.
    truth, labels, rows
        Labels of the test cases, all classes, and row numbers of the test cases.
    learner, n_train, seed, sampling
        Name of the learner, size of the training sets, seed, and sampling method.
    notes
        Notes below the table.
    experiment
        The underlying experiment, if any.
    bias, variance
        Terms of the loss.
    rounds, n_test
        Numbers of training sets and test cases.
    identity
        The loss as a sum of its terms, in words and numbers.

    Examples
    --------
    >>> from howsure.selection import decompose
    >>> result = decompose([[0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0]], [0, 0, 1, 1])
    >>> result.loss, result.bias, result.unbiased_variance, result.biased_variance
    (0.4375, 0.5, 0.0625, 0.125)
    >>> result.by("kohavi-wolpert").variance
    0.140625
    >>> len(result.cases())
    4
    """

    loss_function: str
    method: str
    terms: dict[str, Terms]
    truth: tuple[Any, ...]
    labels: tuple[Label, ...] = ()
    rows: tuple[int, ...] = ()
    learner: str = ""
    n_train: int | None = None
    seed: int | None = None
    sampling: str | None = None
    notes: tuple[str, ...] = ()
    experiment: ExperimentResult | None = None

    def by(self, method: str) -> BiasVariance:
        """Return the result with the terms of another decomposition.

        Parameters
        ----------
        method
            "domingos" or "kohavi-wolpert".
        """
        one_of("method", method, self.terms)
        return replace(self, method=method)

    @property
    def _record(self) -> Record:
        return self.terms[self.method].record

    @property
    def loss(self) -> float:
        """Mean loss over rounds and cases; with P(y|x), the expected loss."""
        return float(self._record["loss"])

    @property
    def bias(self) -> float:
        return float(self._record["bias"])

    @property
    def variance(self) -> float:
        return float(self._record["variance"])

    @property
    def noise(self) -> float:
        """Loss of the best possible prediction; NaN without P(y|x)."""
        return float(self._record["noise"])

    @property
    def noise_effect(self) -> float:
        """Contribution of noise to the loss; for "domingos", less than the noise, which may also correct errors."""
        return float(self._record["noise_effect"])

    @property
    def net_variance(self) -> float:
        """Contribution of variance to the loss; for "domingos", unbiased minus biased variance."""
        return float(self._record["net_variance"])

    @property
    def unbiased_variance(self) -> float:
        """For "domingos", variance of cases whose main prediction is correct; otherwise NaN."""
        return float(self._record["unbiased_variance"])

    @property
    def biased_variance(self) -> float:
        """For "domingos", frequency of correct predictions for cases whose main prediction is wrong; otherwise NaN.

        With two classes, this is their variance. With more, a prediction that differs from the main one may also be
        wrong, and such predictions do not count.
        """
        return float(self._record["biased_variance"])

    @property
    def bias_corrected(self) -> float:
        """Squared bias, corrected for the finite number of rounds; NaN for "domingos" or a single round."""
        return float(self._record["bias_corrected"])

    @property
    def variance_corrected(self) -> float:
        """Variance times R / (R - 1), for R rounds; NaN for "domingos" or a single round."""
        return float(self._record["variance_corrected"])

    @property
    def standard_errors(self) -> dict[str, float]:
        """Monte Carlo errors of loss, bias and variance, from a jackknife over the rounds.

        For "domingos", only the loss has one, since a majority is not a smooth function of the rounds.
        """
        return {name: float(self._record[f"{name}_error"]) for name in ("loss", "bias", "variance")}

    @property
    def rounds(self) -> int:
        return self.terms[self.method].rounds

    @property
    def n_test(self) -> int:
        return len(self.truth)

    @property
    def identity(self) -> str:
        return self.terms[self.method].identity

    def cases(self) -> Sheet:
        """Return the terms of each case.

        The main prediction is the majority label over the rounds (the first one among ties), the mean of numbers, or
        the class with the highest mean probability.
        """
        terms = self.terms[self.method]
        main = terms.main.tolist()
        if terms.main.dtype.kind in "iu":
            main = [self.labels[code] for code in main]
        noise = terms.noise.tolist() if terms.has_noise else [NAN] * self.n_test
        values = (terms.bias.astype(float).tolist(), terms.variance.tolist(), noise, terms.loss.tolist())
        columns = ("case", "truth", "main", "bias", "variance", "noise", "loss")
        rows = zip(self.rows or range(self.n_test), self.truth, main, *values, strict=True)
        return Sheet(columns, [list(row) for row in rows], f"{self.loss_function} loss, {self.method}, by case")

    def records(self) -> list[Record]:
        """Return one record per decomposition, starting with ``method``."""
        return [self.terms[name].record for name in self._methods]

    @property
    def _methods(self) -> list[str]:
        return sorted(self.terms, key=lambda name: name != self.method)

    @property
    def title(self) -> str:
        of = f" of {self.learner}" if self.learner else ""
        trained = "" if self.n_train is None else f" of {self.n_train} cases ({self.sampling})"
        return (
            f"bias and variance{of}, {self.loss_function} loss: {counted(self.rounds, 'round')}{trained}, "
            f"{counted(self.n_test, 'test case')}"
        )

    def sheet(self) -> Sheet:
        """Return the table to show."""
        is_squared = self.method == SQUARED
        titles = column_titles(self.terms[self.method].has_noise, squared=is_squared)
        columns = titles if is_squared else {"method": "method", **titles}
        rows = [{title: record[name] for name, title in columns.items()} for record in self.records()]
        return Sheet.of(rows, self.title, (*self._identities, *self.notes))

    @property
    def _identities(self) -> list[str]:
        return [self.terms[name].identity for name in self._methods]

    def to_dict(self) -> dict[str, Any]:
        values = {
            "loss_function": self.loss_function,
            **self._record,
            "learner": self.learner,
            "rounds": self.rounds,
            "n_train": self.n_train,
            "n_test": self.n_test,
            "sampling": self.sampling,
            "seed": self.seed,
            "methods": self.records(),
            "identities": self._identities,
            "notes": self.notes,
        }
        return dict(jsonable(values))

    def __repr__(self) -> str:
        values = [f"{name}={self._record[name]:.6g}" for name in ("loss", "noise", "bias", "variance", "net_variance")]
        return f"BiasVariance({', '.join(values)}, {self.loss_function!r}, {self.method!r}, rounds={self.rounds})"


def column_titles(has_noise: bool, *, squared: bool) -> dict[str, str]:
    """Return the column titles; for "domingos", there are also a noise effect and a net variance."""
    effect = {"noise_effect": "noise effect"} if has_noise and not squared else {}
    titles = {"loss": "loss", "noise": "noise", **effect, "bias": "bias^2" if squared else "bias"}
    return {**titles, "variance": "variance", **({} if squared else {"net_variance": "net variance"})}
