"""Compare classifiers by their predictions of the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.assessment.entry import assess_predictions
from assay.comparison.folds import ROPE, adjusted, check_options
from assay.comparison.pairs import all_at_once, compare_pair, other_tests
from assay.comparison.result import Comparison, pairs_of
from assay.costs import Costs
from assay.data import Predictions
from assay.data.encode import Label
from assay.data.read.gather import gather_each
from assay.errors import AssayError
from assay.measures import registry
from assay.measures.agreement import accuracy, error_rate
from assay.measures.ranking import auc
from assay.measures.spec import read_spec

ODDS, STANDARDISED = "odds ratio of discordant cases", "standardised difference"


def compare(
    truth: Any,
    predicted: Mapping[str, Any] | Sequence[str] | None = None,
    *,
    scores: Mapping[str, Any] | Sequence[str] | None = None,
    data: Any = None,
    measure: str | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
    adjust: str = "holm",
    rope: float = ROPE,
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    threshold: float | None = None,
    costs: Any = None,
    seed: int = 0,
) -> Comparison:
    """Compare classifiers on the same cases, by the test that is valid for the measure.

    Parameters
    ----------
    truth
        The true labels, or their column in ``data``.
    predicted, scores
        Names and predicted labels, or scores of the positive class; with ``data``, names and columns, or columns.
    measure
        Any measure. Default: accuracy of labels, AUC of scores.
    baseline
        Compare each of the others with this one only.
    alpha
        The level at which a difference counts as shown.
    adjust
        How p-values allow for several pairs: "holm", "shaffer", "bh" and others, or "none".
    rope
        The largest difference that would not matter, for the Bayesian probabilities.
    positive, labels, threshold, data, costs
        As `assess` takes them.

    Examples
    --------
    >>> import assay
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> one, other = [0, 0, 0, 1, 1, 1, 1, 1] * 10, [0, 0, 1, 1, 0, 1, 1, 1] * 10
    >>> c = assay.compare(truth, {"one": one, "other": other})
    >>> print(c.verdict.partition(". ")[0])
    one is better than other: its accuracy is 0.250 higher (one - other 0.250, 95 % interval [0.168, 0.355]; McNemar's \
test (mid-p), p = 9.54e-07)
    """
    if (predicted is None) == (scores is None):
        raise AssayError("`compare` must be given `predicted` or `scores`, and not both.")
    kind = "predicted" if scores is None else "scores"
    columns: Any = predicted if scores is None else scores
    made = gather_each(truth, kind, columns, data, labels, positive, threshold)
    wanted = measure or (accuracy.name if scores is None else auc.name)
    return compare_predictions(
        made, wanted, baseline=baseline, alpha=alpha, adjust=adjust, rope=rope, costs=costs, seed=seed
    )


def compare_predictions(
    made: Mapping[str, Predictions],
    measure: str,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    adjust: str = "holm",
    rope: float = ROPE,
    costs: Any = None,
    seed: int = 0,
) -> Comparison:
    """Compare checked predictions of the same cases."""
    spec, parameters = read_spec(measure)
    declared = registry[spec]
    if declared.better is None:
        raise AssayError(f"`{declared.name}` has no better or worse, so nothing can be compared by it.")
    if costs is not None and "costs" in declared.parameters:
        parameters["costs"] = _costs_in_use(costs, next(iter(made.values())))
    declared.check(parameters)
    check_options(alpha, adjust, rope)
    wanted = pairs_of(list(made), baseline)
    pairs = [compare_pair(declared, parameters, (a, made[a]), (b, made[b]), seed, rope) for a, b in wanted]
    values = {name: assess_predictions(one).estimate(spec, **parameters) for name, one in made.items()}
    return Comparison(
        measure,
        declared.better,
        values,
        adjusted(pairs, adjust),
        alpha,
        adjust,
        "cases like these, with the classifiers as they are",
        ODDS if declared in (accuracy, error_rate) else STANDARDISED,
        all_at_once(declared, made) if len(made) > 2 and baseline is None else None,
        invalid=(
            (
                "an unpaired test of two proportions",
                "the classifiers were tested on the same cases, and it takes them for different ones",
            ),
        ),
        notes=(f"{len(next(iter(made.values())).truth)} cases; practically equal: within {rope:g}",),
        others=partial(other_tests, declared, parameters, made, seed),
    )


def _costs_in_use(costs: Any, cases: Predictions) -> NDArray[np.float64]:
    """Give the costs; where they have a prior, each true class weighs as much more as it is more frequent in use."""
    known, space = costs if isinstance(costs, Costs) else Costs(costs), cases.classes
    matrix, shares = known.matrix(space.labels, space.positive), known.priors(space.labels, space.positive)
    if shares is None:
        return matrix
    sample = np.bincount(cases.truth, cases.weight, len(space.labels)).astype(float)
    if ((sample == 0) & (shares > 0)).any():
        missing = space.labels[int(((sample == 0) & (shares > 0)).argmax())]
        raise AssayError(f"`prior` must be 0 for {missing!r}, of which there is no case.")
    ratio = np.divide(shares * sample.sum(), sample, out=np.zeros(len(shares)), where=sample > 0)
    return np.asarray(matrix * ratio[:, None])
