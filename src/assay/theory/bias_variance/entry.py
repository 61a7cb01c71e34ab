"""Noise, bias and variance of a learner, and how they depend on a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.errors import AssayError, must
from assay.theory.bias_variance.curve import BiasVarianceCurve
from assay.theory.bias_variance.result import BiasVariance
from assay.theory.bias_variance.rounds import ZERO_ONE
from assay.theory.bias_variance.setup import Setup, failed_rounds, failures_of
from assay.tuning.running import Folder
from assay.tuning.settings import check_values, name_of, spell_value, with_setting

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
    """Divide the loss of a learner into noise, bias and variance.

    The learner is trained on many samples of the same cases, and always predicts the same test cases. What the samples
    have in common is bias, in what they differ is variance; both are for training sets of that kind.

    Parameters
    ----------
    learner, X, y
        As `Experiment` takes them.
    loss
        "zero-one", "squared" or ``brier`` (of predicted probabilities), as `decompose` says.
    method
        By whose definition the zero-one loss is shown, "domingos" or "kohavi-wolpert"; the result has both.
    rounds
        Number of training sets.
    test
        The share of cases to test on; the training sets are drawn from the others.
    X_test, y_test
        Cases to test on, instead of a share of the others.
    sampling
        "bootstrap": as many as there are to draw from, with replacement. "subset": half of them, without replacement,
        as Kohavi and Wolpert did.
    probabilities
        P(y|x) where it is known, for the rows of X, or of X_test where that is given: a table with a column for each
        class in sorted order (or, of two, the second alone), or a function of the test cases that gives it.
    seed, folder, n_jobs, progress
        As `Experiment` takes them.

    Examples
    --------
    >>> import assay
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> found = assay.bias_variance(DecisionTreeClassifier(), *load_iris(return_X_y=True), rounds=50)
    >>> print(found.identity)
    domingos: loss = bias + unbiased variance - biased variance: 0.0592 = 0.04 + 0.03 - 0.0108
    """
    setup = Setup.of(
        X,
        y,
        loss=loss,
        method=method,
        rounds=rounds,
        seed=seed,
        test=test,
        X_test=X_test,
        y_test=y_test,
        sampling=sampling,
        given=probabilities,
    )
    result = setup.run({"learner": learner}, folder, n_jobs, progress)
    return setup.collected(result, "learner", name_of(learner))


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
    """Find how noise, bias and variance depend on a parameter of the learner.

    ``parameter`` is a name that ``set_params`` takes, also of a step of a pipeline: "svc__C". All values have the same
    training sets and test cases. The others are those of `bias_variance`.

    Examples
    --------
    >>> from assay.selection import bias_variance_curve
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = bias_variance_curve(DecisionTreeClassifier(), X, y, "max_depth", [1, 2, 3], rounds=50)
    >>> curve.bias.round(3).tolist(), curve.variance.round(3).tolist()
    ([0.34, 0.06, 0.02], [0.276, 0.045, 0.041])
    """
    chosen = check_values("values", values)
    learners = {spell_value(value): with_setting(learner, {parameter: value}) for value in chosen}
    if len(learners) < len(chosen):
        must("values", "different from each other", given=values)
    setup = Setup.of(
        X,
        y,
        loss=loss,
        method=method,
        rounds=rounds,
        seed=seed,
        test=test,
        X_test=X_test,
        y_test=y_test,
        sampling=sampling,
        given=probabilities,
    )
    result = setup.run(learners, folder, n_jobs, progress)
    reasons = tuple(failed_rounds(result, name) for name in learners)
    alive = [(failures_of(result, name) == "").any() for name in learners]
    if not any(alive):
        raise AssayError(f"no value of {parameter!r} could be fitted: {reasons[0].rstrip('.')}.")
    pairs = zip(learners, alive, strict=True)
    found = tuple(setup.collected(result, name, name_of(learner)) if is_ok else None for name, is_ok in pairs)
    return BiasVarianceCurve(name_of(learner), parameter, tuple(chosen), found, reasons, result)
