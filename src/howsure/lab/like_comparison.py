"""Simulation of the test of a comparison on samples that resemble its data.

For labels, the population is the paired table itself, with the half cases that the delta test adds. Swapping the
classifiers in half of the cases makes them equal; otherwise, they differ as in the comparison. Scores are simulated as
normal: their separation follows from the areas under the ROC curves, and their correlation from the ranks within the
classes. For splits of one data set, three learners, from the most to the least stable, are used instead of those
compared.
"""

from __future__ import annotations

import math

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_type, check_whole
from howsure.comparison import Comparison
from howsure.errors import HowsureError
from howsure.kernels.ranking import mean_ranks
from howsure.lab.paired_rejections import MAX_ROUNDS, ROUNDS, PairSamples, RejectionRate, Rejections
from howsure.lab.paired_tests import paired_tests_of
from howsure.lab.pairs import LabelPair, ScorePair
from howsure.lab.samples import ParsedMeasure
from howsure.lab.scorers import Scorer
from howsure.lab.splits import split_rejections
from howsure.measures.estimate.paired_error import HALF
from howsure.measures.ranking import auc
from howsure.resampling.declare import Scheme
from howsure.significance.evidence import PairedAnswers, PairedValues
from howsure.tables import PairedScores, PairedTable, ScoreTable

MAX_SEPARATION = 5.0  # maximum distance between the class means, at which the classes hardly overlap
MAX_CORRELATION = 0.99
SPLIT_ROUNDS = 100
STAND_INS = ("nearest_mean", "tree", "nearest_neighbour")
EQUAL, AS_OBSERVED = "equal classifiers like these", "classifiers like these"


def like(comparison: Comparison, *, rounds: int | None = None, seed: int = 0) -> Rejections:
    """Simulate the test of a comparison with its sample size or splits.

    The first row of the result is the type I error rate for two equal classifiers like those of the leading pair; the
    second row is the power to detect the observed difference.

    Parameters
    ----------
    comparison
        A result of `howsure.compare`.
    rounds
        Number of simulated samples; by default 1,000, or 100 if the comparison is over splits.
    seed
        Seed of the random numbers.

    Returns
    -------
    Rejections
        The rates with their Monte Carlo errors.

    Examples
    --------
    >>> import howsure
    >>> from howsure.lab import like
    >>> truth = [0] * 40 + [1] * 10
    >>> a, b = [0] * 38 + [1] * 12, [0] * 30 + [1] * 20
    >>> result = like(howsure.compare(truth, {"a": a, "b": b}, measure="f1"), rounds=200)
    >>> [row.test for row in result.rows]
    ['paired_delta', 'paired_delta']
    """
    check_type("comparison", comparison, Comparison, "a result of `compare`")
    evidence = comparison.pair().evidence
    default_rounds = ROUNDS if isinstance(evidence, PairedAnswers) else SPLIT_ROUNDS
    rounds = default_rounds if rounds is None else rounds
    check_whole("rounds", rounds, 1, MAX_ROUNDS)
    check_whole("seed", seed, 0, 2**63 - 1)
    if isinstance(evidence, PairedAnswers):
        return _of_cases(evidence, rounds, seed)
    if isinstance(evidence, PairedValues) and isinstance(comparison.scheme, Scheme):
        return _of_splits(evidence, comparison, rounds, seed)
    raise HowsureError("only comparisons on the same cases, or over the splits of one data set, can be simulated.")


def _of_cases(evidence: PairedAnswers, rounds: int, seed: int) -> Rejections:
    observed = evidence.difference
    if np.isnan(observed.value):
        raise HowsureError(f"`{observed.measure.name}` is undefined for this comparison, so it cannot be simulated.")
    measure = ParsedMeasure(observed.first.name, observed.measure, dict(observed.parameters))
    table = observed.table
    if isinstance(table, PairedTable):
        if table.shared:
            raise HowsureError("cases with several true labels cannot be simulated.")
        equal, as_observed = _label_populations(table, measure)
    elif table.positive is None:
        raise HowsureError("comparisons based on scores for more than two classes cannot be simulated.")
    else:
        equal, as_observed = _score_populations(table, measure)
    tests = paired_tests_of(observed.measure)[:1]
    rows: list[RejectionRate] = []
    for name, population in ((EQUAL, equal), (AS_OBSERVED, as_observed)):
        rng = np.random.default_rng([seed, len(rows)])
        rows += PairSamples(population, evidence.n, rounds, rng).rejections(measure, tests, name)
    return Rejections(measure.spec, f"{evidence.n} cases like these", seed, tuple(rows))


def _label_populations(
    table: PairedTable, measure: ParsedMeasure
) -> tuple[LabelPair | ScorePair, LabelPair | ScorePair]:
    counts = np.zeros((table.k,) * 3)
    counts[tuple(table.cells.T)] = table.counts
    if measure.measure.scope == "class" and table.k == 2:
        counts = counts[::-1, ::-1, ::-1]  # the positive class comes first in this table, but second in the lab
    counts = counts + half_cases(table.k)
    shares = counts / counts.sum()
    return LabelPair((shares + shares.swapaxes(1, 2)) / 2), LabelPair(shares)


def half_cases(k: int) -> Array:
    """Return, for each class, half a case that only the first classifier gets right, and half that only the second."""
    truth, first, second = np.indices((k, k, k))
    return np.asarray(HALF * ((first == truth) != (second == truth)) / max(k - 1, 1))


def _score_populations(
    table: PairedScores, measure: ParsedMeasure
) -> tuple[LabelPair | ScorePair, LabelPair | ScorePair]:
    flags, prevalence = table.flags, float(table.flags.mean())
    slope = 1.0 if measure.kind == "probabilities" else None
    separations = [_separation(flags, scores) for scores in table.scores]
    correlation = _correlation(flags, *table.scores)
    middle = Scorer(float(np.mean(separations)), slope=slope)
    first, second = (Scorer(separation, slope=slope) for separation in separations)
    return ScorePair(prevalence, middle, middle, correlation), ScorePair(prevalence, first, second, correlation)


def _separation(flags: Array, scores: Array) -> float:
    """Return the distance between two unit normal distributions that have the same area under the ROC curve."""
    from scipy.special import ndtri

    area = float(auc.value(ScoreTable.from_scores(flags, scores).counts))
    # AUC = Phi(separation / sqrt(2))
    return float(np.clip(math.sqrt(2) * ndtri(area), -MAX_SEPARATION, MAX_SEPARATION))


def _correlation(flags: Array, first: Array, second: Array) -> float:
    """Return the mean rank correlation within the classes; 0 if all ranks are tied."""
    correlations, sizes = [], []
    for members in (flags, ~flags):
        ranks: list[Floats] = [mean_ranks(scores[members]) for scores in (first, second)]
        if min(float(of_scores.std()) for of_scores in ranks) > 0:
            correlations.append(float(np.corrcoef(ranks[0], ranks[1])[0, 1]))
            sizes.append(int(members.sum()))
    return float(np.clip(np.average(correlations, weights=sizes), 0, MAX_CORRELATION)) if correlations else 0.0


def _of_splits(evidence: PairedValues, comparison: Comparison, rounds: int, seed: int) -> Rejections:
    n, scheme = int(evidence.setting["cases"]), comparison.scheme
    rows = []
    for name in STAND_INS:
        default = split_rejections(name, n, scheme, rounds=rounds, seed=seed)["auto"]
        population = f"two equal {name.replace('_', ' ')} learners"
        rows.append(RejectionRate(population, 0.0, default.test, default.pair, 1.0, math.nan, rounds, is_default=True))
    return Rejections("accuracy", f"{n} cases, {scheme}", seed, tuple(rows))
