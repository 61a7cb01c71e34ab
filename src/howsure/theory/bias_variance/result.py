"""BiasVariance: a loss divided into noise, bias and variance, in one or two ways."""

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
    """A mean loss, divided into noise, bias and variance.

    ``bias`` is bias^2 but by Domingos, where it is the share of cases on which the main prediction is wrong. Noise is
    NaN where P(y|x) is unknown, and ``bias`` then holds both. Attributes are of ``method``, and `by` gives another.

    Attributes
    ----------
    loss_function, method
        The loss, and by whose definition it is divided.
    terms
        Every way in which the loss was divided.
    truth, labels, rows
        The labels of the test cases, all classes, and the rows of the data that were tested.
    learner, n_train, seed, sampling
        What was trained, on how many cases, and how they were drawn.
    notes
        What to know of it.
    experiment
        The experiment behind it, where there is one.
    bias, variance
        The parts of the loss.
    rounds, n_test
        The numbers of training sets and of test cases.
    identity
        The sum that gives the loss, in words and in numbers.

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
        """Give the same result with the attributes of another method.

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
        """The mean loss over rounds and cases; with P(y|x), what is expected of it."""
        return float(self._record["loss"])

    @property
    def bias(self) -> float:
        return float(self._record["bias"])

    @property
    def variance(self) -> float:
        return float(self._record["variance"])

    @property
    def noise(self) -> float:
        """The loss of the best prediction there is; NaN where P(y|x) is not known."""
        return float(self._record["noise"])

    @property
    def noise_effect(self) -> float:
        """What noise adds to the loss: noise itself, but by Domingos, where it may also undo errors."""
        return float(self._record["noise_effect"])

    @property
    def net_variance(self) -> float:
        """What variance adds to the loss: by Domingos, the unbiased less the biased part."""
        return float(self._record["net_variance"])

    @property
    def unbiased_variance(self) -> float:
        """By Domingos: variance of the cases whose main prediction is right; NaN by others."""
        return float(self._record["unbiased_variance"])

    @property
    def biased_variance(self) -> float:
        """By Domingos: how often cases whose main prediction is wrong are predicted right; NaN by others.

        With two classes this is their variance. With more, a prediction may differ from the main one and be wrong too,
        and only that part of the variance counts that makes it right.
        """
        return float(self._record["biased_variance"])

    @property
    def bias_corrected(self) -> float:
        """Bias^2 less what the finite number of rounds adds to it; NaN by Domingos, and with one round."""
        return float(self._record["bias_corrected"])

    @property
    def variance_corrected(self) -> float:
        """Variance with the factor R / (R - 1) for R rounds; NaN by Domingos, and with one round."""
        return float(self._record["variance_corrected"])

    @property
    def standard_errors(self) -> dict[str, float]:
        """Monte Carlo errors of loss, bias and variance: what other rounds, from the same cases, would change.

        A jackknife over the rounds. By Domingos that of the loss only: a majority is no smooth function of the rounds.
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
        """Give the terms of every case: its row, true label and main prediction, bias, variance, noise and loss.

        The main prediction is the majority of the rounds, the first in the order of labels where several are as
        frequent; for squared differences of numbers the mean; for probabilities the class whose mean is highest.
        """
        terms = self.terms[self.method]
        main = terms.main.tolist()
        if terms.main.dtype.kind in "iu":
            main = [self.labels[code] for code in main]
        noise = terms.noise.tolist() if terms.has_noise else [NAN] * self.n_test
        rest = (terms.bias.astype(float).tolist(), terms.variance.tolist(), noise, terms.loss.tolist())
        columns = ("case", "truth", "main", "bias", "variance", "noise", "loss")
        rows = zip(self.rows or range(self.n_test), self.truth, main, *rest, strict=True)
        return Sheet(columns, [list(row) for row in rows], f"{self.loss_function} loss, {self.method}: every case")

    def records(self) -> list[Record]:
        """Give one record for each method, with every digit; that of the result first."""
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
        """Give the table that is shown, with the sums that give the loss."""
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
    """Columns of a record and their titles; without ``squared``, noise and variance have effects of their own."""
    effect = {"noise_effect": "noise effect"} if has_noise and not squared else {}
    titles = {"loss": "loss", "noise": "noise", **effect, "bias": "bias^2" if squared else "bias"}
    return {**titles, "variance": "variance", **({} if squared else {"net_variance": "net variance"})}
