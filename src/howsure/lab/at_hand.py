"""A comparison at hand in the lab: how often would its test find a difference that is not there, and one like this?

Of labels the population is the paired table itself, with the half cases that the test adds: with the classifiers
exchanged in half of the cases there is no difference, and as it stands there is that of the comparison. Scores are
taken for normal, as far apart as the areas under the curves say, and correlated within the classes as their ranks are.
Over the splits of one data set, learners that follow single cases less and more stand in for those compared.
"""

from __future__ import annotations

import math

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import is_a, whole_between
from howsure.comparison import Comparison
from howsure.errors import HowsureError
from howsure.kernels.ranking import mean_ranks
from howsure.lab.paired_rejections import MOST_ROUNDS, ROUNDS, Drawn, Found, Rejections
from howsure.lab.paired_tests import paired_tests_of
from howsure.lab.pairs import LabelPair, ScorePair
from howsure.lab.samples import Asked
from howsure.lab.scorers import Scorer
from howsure.lab.splits import split_rejections
from howsure.measures.estimate.paired_error import HALF
from howsure.measures.ranking import auc
from howsure.resampling.declare import Scheme
from howsure.significance.evidence import PairedAnswers, PairedValues
from howsure.tables import PairedScores, PairedTable, ScoreTable

MOST_SEPARATION = 5.0  # of scores that no sample sees overlap
MOST_ALIKE = 0.99
SPLIT_ROUNDS = 100
STAND_INS = ("nearest_mean", "tree", "nearest_neighbour")
EQUAL, AS_HERE = "two like these, but equal", "two like these"


def like(comparison: Comparison, *, rounds: int | None = None, seed: int = 0) -> Rejections:
    """Measure the test of a comparison at its own number of cases, prevalence and splits.

    The first row is the rate of false differences between two equal classifiers like those of the leading pair; the
    second the rate at which a difference as large as the one seen would be found.

    Parameters
    ----------
    comparison
        What `howsure.compare` gave.
    rounds
        The number of samples: by default 1,000 of cases, 100 of splits.
    seed
        The same seed gives the same samples.

    Returns
    -------
    Rejections
        The rates, with their errors by simulation.

    Examples
    --------
    >>> import howsure
    >>> from howsure.lab import like
    >>> truth = [0] * 40 + [1] * 10
    >>> one, other = [0] * 38 + [1] * 12, [0] * 30 + [1] * 20
    >>> result = like(howsure.compare(truth, {"one": one, "other": other}, measure="f1"), rounds=200)
    >>> [row.test for row in result.rows]
    ['paired_delta', 'paired_delta']
    """
    is_a("comparison", comparison, Comparison, "what `compare` gives")
    evidence = comparison.pair().evidence
    of_cases = isinstance(evidence, PairedAnswers)
    rounds = (ROUNDS if of_cases else SPLIT_ROUNDS) if rounds is None else rounds
    whole_between("rounds", rounds, 1, MOST_ROUNDS)
    whole_between("seed", seed, 0, 2**63 - 1)
    if isinstance(evidence, PairedAnswers):
        return _of_cases(evidence, rounds, seed)
    if isinstance(evidence, PairedValues) and isinstance(comparison.scheme, Scheme):
        return _of_splits(evidence, comparison, rounds, seed)
    raise HowsureError(
        "the lab simulates predictions of the same cases and splits of one data set, not several of them."
    )


def _of_cases(evidence: PairedAnswers, rounds: int, seed: int) -> Rejections:
    seen = evidence.difference
    if np.isnan(seen.value):
        raise HowsureError(f"`{seen.measure.name}` has no value here, so there is nothing to simulate.")
    asked = Asked(seen.first.name, seen.measure, dict(seen.parameters))
    table = seen.table
    if isinstance(table, PairedTable):
        if table.shared:
            raise HowsureError("the lab gives each case one truth, and some of these have several.")
        equal, as_here = _label_populations(table, asked)
    elif table.positive is None:
        raise HowsureError("comparisons by scores of more than two classes are not simulated.")
    else:
        equal, as_here = _score_populations(table, asked)
    tests = paired_tests_of(seen.measure)[:1]
    rows: list[Found] = []
    for name, population in ((EQUAL, equal), (AS_HERE, as_here)):
        rng = np.random.default_rng([seed, len(rows)])
        rows += Drawn(population, evidence.n, rounds, rng).found(asked, tests, name)
    return Rejections(asked.spec, f"{evidence.n} cases like these", seed, tuple(rows))


def _label_populations(table: PairedTable, asked: Asked) -> tuple[LabelPair | ScorePair, LabelPair | ScorePair]:
    counts = np.zeros((table.k,) * 3)
    counts[tuple(table.cells.T)] = table.counts
    if asked.measure.scope == "class" and table.k == 2:
        counts = counts[::-1, ::-1, ::-1]  # the class of the measure is the first here, and the second in the lab
    counts = counts + halves(table.k)
    shares = counts / counts.sum()
    return LabelPair((shares + shares.swapaxes(1, 2)) / 2), LabelPair(shares)


def halves(k: int) -> Array:
    """Half a case in each class that only the first gets right, and half a case that only the second does."""
    truth, first, second = np.indices((k, k, k))
    return np.asarray(HALF * ((first == truth) != (second == truth)) / max(k - 1, 1))


def _score_populations(table: PairedScores, asked: Asked) -> tuple[LabelPair | ScorePair, LabelPair | ScorePair]:
    flags, prevalence = table.flags, float(table.flags.mean())
    slope = 1.0 if asked.kind == "probabilities" else None
    apart = [_separation(flags, scores) for scores in table.scores]
    alike = _correlation(flags, *table.scores)
    middle = Scorer(float(np.mean(apart)), slope=slope)
    first, second = (Scorer(separation, slope=slope) for separation in apart)
    return ScorePair(prevalence, middle, middle, alike), ScorePair(prevalence, first, second, alike)


def _separation(flags: Array, scores: Array) -> float:
    """How far apart normal scores are that have this area under the curve."""
    from scipy.special import ndtri

    area = float(auc.value(ScoreTable.from_scores(flags, scores).counts))
    return float(np.clip(math.sqrt(2) * ndtri(area), -MOST_SEPARATION, MOST_SEPARATION))


def _correlation(flags: Array, first: Array, second: Array) -> float:
    """Correlation of the ranks within the classes, as far as there is any."""
    found, sizes = [], []
    for those in (flags, ~flags):
        ranks: list[Floats] = [mean_ranks(scores[those]) for scores in (first, second)]
        if min(float(one.std()) for one in ranks) > 0:
            found.append(float(np.corrcoef(ranks[0], ranks[1])[0, 1]))
            sizes.append(int(those.sum()))
    return float(np.clip(np.average(found, weights=sizes), 0, MOST_ALIKE)) if found else 0.0


def _of_splits(evidence: PairedValues, comparison: Comparison, rounds: int, seed: int) -> Rejections:
    n, scheme = int(evidence.setting["cases"]), comparison.scheme
    rows = []
    for name in STAND_INS:
        found = split_rejections(name, n, scheme, rounds=rounds, seed=seed)["auto"]
        learners = f"two equal {name.replace('_', ' ')} learners"
        rows.append(Found(learners, 0.0, found.test, found.pair, 1.0, math.nan, rounds, is_default=True))
    return Rejections("accuracy", f"{n} cases, {scheme}", seed, tuple(rows))
