"""Bias-variance decomposition of a learner that is refitted on many training sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.rows import take
from howsure.errors import HowsureError, counted, must
from howsure.experiment import Dataset, ExperimentResult
from howsure.resampling.fit import learner_name
from howsure.theory.bias_variance.curve import BiasVarianceCurve
from howsure.theory.bias_variance.decomposition import BRIER, ZERO_ONE, Loss, Rounds, read_conditional
from howsure.theory.bias_variance.result import BiasVariance
from howsure.theory.bias_variance.training_sets import TrainingSets, stack_rows
from howsure.tuning.parameters import learners_by_value
from howsure.tuning.run import Folder, Run

THIRD = 1 / 3


def bias_variance(
    learner: Any,
    X: Any,
    y: Any,
    *,
    loss: str = ZERO_ONE,
    method: str | None = None,
    rounds: int = 200,
    seed: int = 0,
    test: float = THIRD,
    X_test: Any = None,
    y_test: Any = None,
    sampling: str = "bootstrap",
    probabilities: Any = None,
    folder: Folder = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> BiasVariance:
    """Decompose the loss of a learner into noise, bias and variance.

    The learner is fitted to many training sets drawn from the same cases, and predicts the same test cases each time.
    Bias and variance refer to training sets drawn in this way.

    Parameters
    ----------
    learner, X, y
        As in `Experiment`.
    loss
        ``zero-one``, ``squared`` or ``brier``, as in `decompose`.
    method
        Decomposition of the zero-one loss to show, "domingos" or "kohavi-wolpert"; the result has both.
    rounds
        Number of training sets.
    test
        Proportion of the cases to test on; training sets are drawn from the others.
    X_test, y_test
        Separate test cases, used instead of ``test``.
    sampling
        "bootstrap" draws a sample of the same size with replacement; "subset" draws half of the cases without
        replacement, as in Kohavi and Wolpert (1996).
    probabilities
        P(y|x), if known, for the rows of X, or of X_test if given: an array by case (rows) and class in sorted order
        (columns), with two classes only the column of the second, or a function that returns it for the test cases.
    seed, folder, n_jobs, progress
        As in `Experiment`.

    Returns
    -------
    BiasVariance
        The loss and its decompositions.

    Examples
    --------
    >>> import howsure
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> result = howsure.bias_variance(DecisionTreeClassifier(), *load_iris(return_X_y=True), rounds=20)
    >>> print(result.identity)
    domingos: loss = bias + unbiased variance - biased variance: 0.066 = 0.04 + 0.035 - 0.009
    """
    refits = Refits.of(
        Loss.of(loss, method),
        TrainingSets.of(rounds, test, sampling),
        Run.of((X, y), seed, folder, n_jobs, progress),
        (X_test, y_test),
        probabilities,
    )
    result = refits.results({"learner": learner})
    return refits.decomposed(result, "learner", learner)


def bias_variance_curve(
    learner: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Sequence[Any],
    *,
    loss: str = ZERO_ONE,
    method: str | None = None,
    rounds: int = 200,
    seed: int = 0,
    test: float = THIRD,
    X_test: Any = None,
    y_test: Any = None,
    sampling: str = "bootstrap",
    probabilities: Any = None,
    folder: Folder = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> BiasVarianceCurve:
    """Compute noise, bias and variance for several values of a parameter.

    All values share the same training sets and test cases.

    Parameters
    ----------
    learner, X, y
        As in `Experiment`.
    parameter
        Name of a parameter of the learner, or of a step of a pipeline, such as "svc__C".
    values
        Values of the parameter.
    loss, method, rounds, seed, test, X_test, y_test, sampling, probabilities, folder, n_jobs, progress
        As in `bias_variance`.

    Returns
    -------
    BiasVarianceCurve
        Decomposition of the loss for each value.

    Examples
    --------
    >>> from howsure.selection import bias_variance_curve
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = bias_variance_curve(DecisionTreeClassifier(), X, y, "max_depth", [1, 3], rounds=10)
    >>> curve.bias.round(3).tolist(), curve.variance.round(3).tolist()
    ([0.34, 0.04], [0.198, 0.038])
    """
    checked, learners = learners_by_value(learner, parameter, values)
    refits = Refits.of(
        Loss.of(loss, method),
        TrainingSets.of(rounds, test, sampling),
        Run.of((X, y), seed, folder, n_jobs, progress),
        (X_test, y_test),
        probabilities,
    )
    result = refits.results(learners)
    reasons = tuple(failed_rounds(result, name) for name in learners)
    is_fitted = [(failures_of(result, name) == "").any() for name in learners]
    if not any(is_fitted):
        raise HowsureError(f"the learner failed for every value of {parameter!r}: {reasons[0].rstrip('.')}.")
    points = tuple(
        refits.decomposed(result, name, learner) if fitted else None
        for name, fitted in zip(learners, is_fitted, strict=True)
    )
    return BiasVarianceCurve(learner_name(learner), parameter, checked, points, reasons, result)


@dataclass(frozen=True, eq=False)
class Refits:
    """Cases, training sets and loss, shared by several learners."""

    loss: Loss
    scheme: TrainingSets
    run: Run
    test_rows: IntArray
    conditional: Array | None  # P(y|x) of the test rows

    @classmethod
    def of(cls, loss: Loss, scheme: TrainingSets, run: Run, test_cases: tuple[Any, Any], probabilities: Any) -> Refits:
        """Append any separate test cases to the training cases, and read P(y|x)."""
        X_test, y_test = test_cases
        if (X_test is None) != (y_test is None):
            raise HowsureError("`X_test` and `y_test` must be given together.")
        data = run.data
        if X_test is not None:
            test = Dataset.of((X_test, y_test), "test data")
            scheme = replace(scheme, test=None, first=data.rows)
            data = Dataset.of((stack_rows(data.X, test.X), [*data.y.tolist(), *test.y.tolist()]), "data")
        rows = scheme.test_rows(data.y, run.seed)
        if callable(probabilities):
            table = probabilities(take(data.X, rows))
            if table is None:
                must("probabilities", "an array, or a function that returns one", given=table)
            conditional = read_conditional(table, len(rows), data.labels)
        elif probabilities is not None:
            table = read_conditional(probabilities, data.rows - scheme.first, data.labels)
            conditional = cast("Array", table)[rows - scheme.first]
        else:
            conditional = None
        return cls(loss, scheme, replace(run, data=data), rows, conditional)

    def results(self, learners: Mapping[str, Any]) -> ExperimentResult:
        if self.loss.name == BRIER and not all(hasattr(learner, "predict_proba") for learner in learners.values()):
            raise HowsureError(f"the loss {BRIER!r} needs probabilities, and the learner has no `predict_proba`.")
        return self.run.results(self.run.experiment(learners, self.scheme, training_error=False))

    def decomposed(self, result: ExperimentResult, name: str, learner: Any) -> BiasVariance:
        """Decompose the loss of a learner over the rounds in which it did not fail."""
        failed = failed_rounds(result, name)
        if (failures_of(result, name) != "").all():
            raise HowsureError(f"{learner_name(learner)} could not be fitted: {failed.rstrip('.')}.")
        predictions = result.predictions(name)
        data, n = self.run.data, len(self.test_rows)
        predicted = np.asarray(predictions.predicted, np.int64).reshape(-1, n)
        if self.loss.name == BRIER:
            tasks = result.tasks
            kinds = set(tasks["score_kind"][(tasks["learner"] == name) & (tasks["failure"] == "")])
            if kinds != {"probability"}:
                raise HowsureError(f"the loss {BRIER!r} needs probabilities, and the learner predicted none.")
            predicted = _probabilities(predictions.scores, len(predicted), n, len(data.labels))
        rounds = Rounds(predicted, data.codes[self.test_rows], data.labels, self.conditional)
        decomposed = rounds.decomposed(self.loss)
        return replace(
            decomposed,
            rows=tuple((self.test_rows - self.scheme.first).tolist()),
            learner=learner_name(learner),
            n_train=self.scheme.n_train(data.rows - n),
            seed=int(self.run.seed),
            sampling=self.scheme.sampling,
            notes=(*decomposed.notes, failed) if failed else decomposed.notes,
            experiment=result,
        )


def failures_of(result: ExperimentResult, name: str) -> Array:
    """Return the reason for a learner's failure in each round, or ""."""
    failures: Array = result.tasks["failure"][result.tasks["learner"] == name]
    return failures


def failed_rounds(result: ExperimentResult, name: str) -> str:
    """Describe how many rounds failed and why; return "" if none failed."""
    failures = failures_of(result, name)
    failed = failures[failures != ""]
    if not len(failed):
        return ""
    first = failed[0].splitlines()[0].rstrip(" :")
    return f"{counted(len(failed), 'round', of=len(failures))} failed and were left out; the first: {first}"


def _probabilities(scores: Any, rounds: int, n: int, k: int) -> Array:
    """Reshape scores to rounds x cases x classes; with two classes, only the second is stored."""
    if k == 1:
        return np.ones((rounds, n, 1))
    values = np.asarray(scores, float)
    if values.ndim == 1:
        values = np.column_stack([1 - values, values])
    return values.reshape(rounds, n, k)
