"""How often do tests of two classifiers find a difference where there is none? At most as often as they say?

McNemar's tests and the sign test are enumerated, the others simulated, seeded, the count judged by a binomial test.
The short form runs always; ``make calibration`` runs the full grid and compares it with the stored table, and
``python tests/calibration/test_type_one.py --write`` stores it anew in src/assay/comparison/type_one.json. With names
of parts of the grid, only these are measured again: ``... --write enumerated "ranks auc"``.
"""

from __future__ import annotations

import json
import math
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binom, binomtest, rankdata
from sklearn.metrics import roc_auc_score

import assay
from assay import FiveByTwo, KFold, RepeatedHoldout
from assay.comparison.type_one import measured, table
from assay.measures import registry as measures
from assay.resampling.declare import Scheme
from assay.results import TestResult
from assay.significance import (
    bootstrap_difference,
    cautious_paired_t,
    corrected_paired_t,
    delong,
    five_by_two_f,
    five_by_two_t,
    mcnemar,
    paired_delta,
    paired_t,
    permutation,
    sign_test,
    wilcoxon,
)
from assay.significance.declare import registry

ALPHA = 0.05
SEED = 20261115
AUTO = "auto"  # the variant where the test itself chooses one
NAMED = ("normal",)  # variants that comparisons do not choose, simulated under their name
FILE = Path(__file__).parents[2] / "src/assay/comparison/type_one.json"
Identity = tuple[str, str, str]  # test, variant, measure
IDENTITY = ("test", "variant", "measure")
Row = dict[str, Any]  # the identity, facts of the setting, and setting, rate, standard_error, rounds, seed


def counted(rejected: dict[Identity, int], setting: str, rounds: int, seed: int, **facts: Any) -> Iterator[Row]:
    for identity, count in rejected.items():
        q = (count + 0.5) / (rounds + 1)  # so that no rejection at all has an error, too
        error = math.sqrt(q * (1 - q) / rounds)
        yield row(identity, setting, count / rounds, error, rounds, seed, **facts)


def row(
    identity: Identity, setting: str, rate: float, error: float, rounds: int | None, seed: int | None, **facts: Any
) -> Row:
    values = {"rate": round(rate, 6), "standard_error": round(error, 6), "rounds": rounds, "seed": seed}
    return {**dict(zip(IDENTITY, identity, strict=True)), **facts, "setting": setting, **values}


def identity_of(row: Row) -> Identity:
    return row["test"], row["variant"], row["measure"]


def tally(rejected: dict[Identity, int], result: TestResult, measure: str = "") -> None:
    """Count a rejection; a test without an answer, a p-value of NaN, does not reject."""
    variants = result.test.variants
    variant = result.variant if result.variant in NAMED else AUTO if variants else ""
    identity = (result.test.name, variant, measure)
    rejected[identity] = rejected.get(identity, 0) + (result.pvalue <= ALPHA)


# Same cases, counts only: enumerated. A classifier's accuracy matters only by how often the two can differ.

DISCORDANT = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)  # 40 % is what two classifiers of accuracy 0.8 can reach


def signs(loss: int, gain: int) -> TestResult:
    return sign_test(np.repeat([0, 1], [loss, gain]), np.repeat([1, 0], [loss, gain]))


COUNTED: dict[Identity, Callable[[int, int], TestResult]] = {
    **{("mcnemar", name, ""): partial(mcnemar, method=name) for name in ("exact", "mid-p", "chi2", "chi2-corrected")},
    ("mcnemar", AUTO, ""): mcnemar,
    ("sign_test", "", ""): signs,
}


@cache
def rejecting(identity: Identity, m: int) -> float:
    """Chance to reject when m cases are discordant and either classifier is as likely to be the one that is wrong."""
    test = COUNTED[identity]
    # The p-value rises with the smaller count, so the counts that reject are the first ones.
    few = bisect_right(range(m // 2 + 1), ALPHA, key=lambda smaller: test(smaller, m - smaller).pvalue) if m else 0
    return min(1.0, 2 * float(binom.cdf(few - 1, m, 0.5)))


def enumerated(sizes: tuple[int, ...] = (50, 100, 200, 1000)) -> Iterator[Row]:
    for identity in COUNTED:
        for n in sizes:
            chances = np.array([rejecting(identity, m) for m in range(n + 1)])
            for share in DISCORDANT:
                rate = float(binom.pmf(np.arange(n + 1), n, share) @ chances)
                yield row(identity, f"{n} cases, {100 * share:g} % discordant", rate, 0.0, None, None)


# Same cases, any measure: labels are drawn from the joint distribution of both classifiers.

# Accuracy and share of discordant cases; F1 of both is 0.8, of 30 % positives, by recall and false alarms.
ACCURACY = ((50, 0.8, 0.2), (200, 0.9, 0.1), (200, 0.8, 0.32), (1000, 0.9, 0.05))
ALIKE, OTHER = (0.8, 0.06 / 0.7), (0.9, 0.105 / 0.7)
F1 = ((50, ALIKE), (200, ALIKE), (200, OTHER), (1000, OTHER))
REPLICATES = 999


def accuracy_columns(rng: np.random.Generator, n: int, accuracy: float, discordant: float) -> tuple[np.ndarray, ...]:
    half = discordant / 2
    outcome = rng.choice(4, n, p=[accuracy - half, half, half, 1 - accuracy - half])
    truth = np.arange(n) % 2
    return truth, truth ^ (outcome % 2), truth ^ (outcome // 2)


def f1_columns(rng: np.random.Generator, n: int, second: tuple[float, float]) -> tuple[np.ndarray, ...]:
    truth = (rng.random(n) < 0.3).astype(int)
    return truth, *((rng.random(n) < np.where(truth, *rates)).astype(int) for rates in (ALIKE, second))


def of_measures(test: Callable[..., TestResult], rounds: int = 3000) -> Iterator[Row]:
    makers = [
        (
            "accuracy",
            f"accuracy {right:g}, {n} cases, {100 * apart:g} % discordant",
            accuracy_columns,
            (n, right, apart),
        )
        for n, right, apart in ACCURACY
    ] + [
        ("f1", f"F1 0.8, {n} cases, recall {'equal' if rates is ALIKE else '0.8 and 0.9'}", f1_columns, (n, rates))
        for n, rates in F1
    ]
    for index, (measure, setting, make, parameters) in enumerate(makers):
        seed = SEED + index
        rng, rejected = np.random.default_rng(seed), {}
        drawn = {} if test is paired_delta else {"replicates": REPLICATES}
        for number in range(rounds):
            columns = make(rng, *parameters)
            result = test(*columns, measure, labels=[0, 1], **drawn, **({"seed": number} if drawn else {}))
            tally(rejected, result, measure)
        yield from counted(rejected, f"{setting}, {REPLICATES} replicates" if drawn else setting, rounds, seed)


# Same cases, scores: normal in both classes, those of the two classifiers correlated.

FEW_POSITIVES = ((30, 0.8, 0.1, 0.5), (60, 0.8, 0.05, 0.0), (100, 0.8, 0.1, 0.0))  # 3, 3 and 10
AREAS = (
    *((n, *rest) for n in (100, 400) for rest in ((0.8, 0.5, 0.5), (0.8, 0.5, 0.9), (0.95, 0.2, 0.5))),
    *FEW_POSITIVES,
)


def score_columns(
    rng: np.random.Generator, n: int, area: float, share: float, rho: float, spread: float = 1.0
) -> tuple[np.ndarray, ...]:
    """Truth and scores of two classifiers with the same area; positives of the second may spread more or less."""
    positive = np.arange(n) < share * n
    common, *own = rng.standard_normal((3, n))
    first, second = (math.sqrt(rho) * common + math.sqrt(1 - rho) * noise for noise in own)
    first = math.sqrt(2) * ndtri(area) * positive + first
    second = math.hypot(1, spread) * ndtri(area) * positive + np.where(positive, spread, 1) * second
    return positive, first, second


def of_areas(rounds: int = 10_000) -> Iterator[Row]:
    for index, (n, area, share, rho) in enumerate(AREAS):
        seed = SEED + index
        rng, rejected = np.random.default_rng(seed), {}
        for _ in range(rounds):
            columns = score_columns(rng, n, area, share, rho)
            for method in ("normal", "student"):
                tally(rejected, delong(*columns, method=method))
        setting = f"AUC {area:g}, {n} cases, {100 * share:g} % positive, scores correlated {rho:g}"
        yield from counted(rejected, setting, rounds, seed)


# The permutation test of them: scores of the second classifier are exponentiated, so the two have different scales.
# n, area, share of positives, correlation, spread of the positives of the second. Where it is not 1, the curves cross.

RANKED = {
    "auc": (
        *((n, area, share, rho, 1.0)
          for n in (50, 100, 200) for area in (0.8, 0.95) for share in (0.5, 0.2) for rho in (0.5, 0.9)),
        (200, 0.8, 0.5, 0.5, 2.0),
    ),
    "average_precision": tuple(
        (n, area, share, 0.5, 1.0) for n in (50, 100, 200) for area, share in ((0.8, 0.5), (0.95, 0.2))
    ),
}  # fmt: skip
FEW = 199


def permuted(truth: np.ndarray, a: np.ndarray, b: np.ndarray, measure: str, seed: int) -> float:
    """Test with few replicates; where all of them, which begin with these, might reject, test with all.

    With all, a test rejects if at most 49 of 999 are as large as what was seen. If more than 49 of the first 199 are,
    the p-value of these is above 50 / 200.
    """
    result = permutation(truth, a, b, measure, positive=True, replicates=FEW, seed=seed)
    if result.pvalue * (FEW + 1) > ALPHA * (REPLICATES + 1) + 1e-6:
        return result.pvalue
    return permutation(truth, a, b, measure, positive=True, replicates=REPLICATES, seed=seed).pvalue


def exchanged_areas(truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The weights of cases in the difference of areas: with the signs s of cases, -1 if exchanged, it is s @ weights.

    Whether a positive is above a negative is a difference of 1, 1/2 or 0 between classifiers. It turns its sign if both
    are exchanged; so it is the positive's sign times one number, plus the negative's sign times another.
    """
    ranks = [rankdata(scores) for scores in (a, b)]
    above = {
        (i, j): np.sign(ranks[i][truth][:, None] - ranks[j][~truth]) / 2 for i in (0, 1) for j in (0, 1)
    }  # positives of classifier i against negatives of classifier j
    alike, crosswise = above[0, 0] - above[1, 1], above[0, 1] - above[1, 0]
    weights = np.empty(len(truth))
    weights[truth] = (alike + crosswise).sum(1) / 2
    weights[~truth] = (alike - crosswise).sum(0) / 2
    return weights / alike.size


def permuted_areas(truth: np.ndarray, a: np.ndarray, b: np.ndarray, _: str, seed: int) -> float:
    """The same test of areas from these weights, far faster, with swaps drawn by itself."""
    weights = exchanged_areas(truth, a, b)
    bits = np.random.default_rng(seed).bytes(REPLICATES * len(a) // 8 + 1)
    swaps = np.unpackbits(np.frombuffer(bits, np.uint8), count=REPLICATES * len(a)).reshape(REPLICATES, -1)
    drawn = weights.sum() - 2 * swaps @ weights
    return (1 + int((np.abs(drawn) >= abs(weights.sum()) - 1e-12).sum())) / (1 + REPLICATES)


def by_error(truth: np.ndarray, a: np.ndarray, b: np.ndarray, measure: str, _: int) -> float:
    return paired_delta(truth, a, b, measure, positive=True).pvalue


def of_ranks(
    measure: str,
    pvalue: Callable[..., float],
    rounds: int,
    sizes: tuple[int, ...] = (50, 100, 200),
    test: str = "permutation",
) -> Iterator[Row]:
    for index, (n, area, share, rho, spread) in enumerate(RANKED[measure]):
        if n not in sizes:
            continue
        seed = SEED + index
        rng, rejected = np.random.default_rng(seed), 0
        for number in range(rounds):
            truth, a, b = score_columns(rng, n, area, share, rho, spread)
            rejected += pvalue(truth, a, np.exp(b), measure, number) <= ALPHA
        setting = f"AUC {area:g}, {n} cases, {100 * share:g} % positive, scores correlated {rho:g}"
        setting += "" if spread == 1 else ", curves that cross"
        setting += f", {REPLICATES} replicates" if test == "permutation" else ""
        yield from counted({(test, "", measure): rejected}, setting, rounds, seed)


# Splits: two exchangeable blocks of features, and one learner for each. By symmetry the expected errors are equal.

FEATURES, DISTANCE = 5, 1.7  # the distance of the class means in a block, for an accuracy of about 0.8
NEIGHBOURS = 40  # with half of the rows for training, none of the 40 nearest is there with a chance below 1e-12


def nearest_mean(x: np.ndarray, y: np.ndarray, train: np.ndarray) -> np.ndarray:
    """Is each row right, in each split? The class of the nearest mean of the training rows."""
    of_class = [train * (y == label) for label in (0, 1)]
    low, high = (rows @ x / rows.sum(1, keepdims=True) for rows in of_class)
    return y == (x @ (high - low).T > ((high**2).sum(1) - (low**2).sum(1)) / 2).T


def naive_bayes(x: np.ndarray, y: np.ndarray, train: np.ndarray) -> np.ndarray:
    """The same, by the more likely of two normal classes, each feature with a mean and a variance in each class."""
    likely = []
    for label in (0, 1):
        rows = train * (y == label)
        sizes = rows.sum(1, keepdims=True)
        mean = rows @ x / sizes
        variance = rows @ x**2 / sizes - mean**2
        constant = np.log(sizes) - (np.log(variance) + mean**2 / variance).sum(1, keepdims=True) / 2
        likely.append(constant + (mean / variance) @ x.T - (1 / variance) @ (x**2).T / 2)
    return (likely[1] > likely[0]) == y


def nearest_neighbour(x: np.ndarray, y: np.ndarray, train: np.ndarray) -> np.ndarray:
    """The same, by the class of the nearest training row: a learner that changes more with its training rows."""
    squares = (x**2).sum(1)
    distances = squares - 2 * x @ x.T  # + squares[:, None], which does not change the order
    np.fill_diagonal(distances, np.inf)
    order = np.argsort(distances, axis=1)[:, :NEIGHBOURS]
    first = train.astype(bool)[:, order].argmax(2)
    return y[order[np.arange(len(y)), first]] == y


LEARNERS = {"nearest mean": nearest_mean, "naive Bayes": naive_bayes, "nearest neighbour": nearest_neighbour}


def accuracies(scheme, learner, x, y, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Accuracy of both learners in each split, and the ratio of test to training rows."""
    entries = scheme.splits(y, seed=seed).entries
    test = np.zeros((len(entries), len(y)))
    for index, entry in enumerate(entries):
        test[index, entry.test] = 1
    sizes = test.sum(1)
    a, b = ((learner(block, y, 1 - test) * test).sum(1) / sizes for block in x)
    return a, b, float(sizes.mean() / (len(y) - sizes.mean()))


REPEAT = np.repeat(np.arange(10), 10)
Simulated = tuple[TestResult, Scheme, str]  # the result, the scheme that it is of, and how a setting names it


def folds(learner, x, y, seed: int) -> Iterator[Simulated]:
    a, b, ratio = accuracies(KFold(10, 10), learner, x, y, seed)
    yield paired_t(a[:10], b[:10]), KFold(10), "10 folds"
    yield corrected_paired_t(a[:10], b[:10], ratio), KFold(10), "10 folds"
    yield paired_t(a, b), KFold(10, 10), "10 x 10 folds"
    yield corrected_paired_t(a, b, ratio), KFold(10, 10), "10 x 10 folds"
    yield cautious_paired_t(a, b, ratio, REPEAT), KFold(10, 10), "10 x 10 folds"
    few = slice(0, 30)
    yield cautious_paired_t(a[few], b[few], ratio, REPEAT[few]), KFold(10, 3), "3 x 10 folds"


def holdouts(learner, x, y, seed: int) -> Iterator[Simulated]:
    scheme = RepeatedHoldout(30)
    a, b, ratio = accuracies(scheme, learner, x, y, seed)
    yield paired_t(a, b), scheme, "30 holdouts of a third"
    yield corrected_paired_t(a, b, ratio), scheme, "30 holdouts of a third"
    yield cautious_paired_t(a, b, ratio, np.arange(30)), scheme, "30 holdouts of a third"


def halves(learner, x, y, seed: int) -> Iterator[Simulated]:
    scheme = FiveByTwo()
    a, b, ratio = accuracies(scheme, learner, x, y, seed)
    yield cautious_paired_t(a, b, ratio, np.repeat(np.arange(5), 2)), scheme, "5 x 2 folds"
    d = (a - b).reshape(5, 2)
    yield five_by_two_t(d), scheme, "5 x 2 folds"
    yield five_by_two_f(d), scheme, "5 x 2 folds"


def facts_of(scheme: Scheme) -> dict[str, Any]:
    """What makes the scheme of a comparison one like this; whether it is stratified is left open."""
    return {name: value for name, value in scheme.to_dict().items() if name != "stratified"}


def of_splits(n: int, learner: str, rounds: int = 3000, designs=(folds, holdouts, halves)) -> Iterator[Row]:
    seed = SEED + n
    rng = np.random.default_rng(seed)
    rejected: dict[tuple[Scheme, str], dict[Identity, int]] = {}
    for number in range(rounds):
        y = (rng.random(n) < 0.5).astype(int)
        x = rng.standard_normal((2, n, FEATURES)) + DISTANCE / math.sqrt(FEATURES) * y[:, None]
        for design in designs:
            for result, scheme, name in design(LEARNERS[learner], x, y, number):
                tally(rejected.setdefault((scheme, name), {}), result)
    for (scheme, name), counts in rejected.items():
        facts = {"design": facts_of(scheme), "cases": n, "learner": learner}
        yield from counted(counts, f"{name} of {n} cases, {learner}", rounds, seed, **facts)


# Data sets: independent ones, easy and hard, each with a training and a test set of its own.

TRAINED, TESTED = 20, 50  # cases of each class


def dataset_accuracies(rng: np.random.Generator, shape: tuple[int, int]) -> Iterator[np.ndarray]:
    """Accuracy of the nearest mean on either block of features, without a row being made.

    The means of the training rows are normal; given these, a test row is right with a known chance, and the blocks are
    independent.
    """
    distance = rng.uniform(0.5, 2.5, shape)
    for _ in range(2):
        low, high = rng.standard_normal((2, *shape, FEATURES)) / math.sqrt(TRAINED)
        high[..., 0] += distance  # spherical classes: only the length of the distance matters
        normal, middle = high - low, (high + low) / 2
        length, offset = np.sqrt((normal**2).sum(-1)), (normal * middle).sum(-1)
        right = [ndtr(offset / length), ndtr((normal[..., 0] * distance - offset) / length)]
        yield sum(rng.binomial(TESTED, chance) for chance in right) / (2 * TESTED)


def of_datasets(rounds: int = 10_000, sizes: tuple[int, ...] = (10, 30, 60)) -> Iterator[Row]:
    for n in sizes:
        seed = SEED + n
        rng, rejected = np.random.default_rng(seed), {}
        for a, b in zip(*dataset_accuracies(rng, (rounds, n)), strict=True):
            for test in (wilcoxon, sign_test, paired_t):
                tally(rejected, test(a, b))
        yield from counted(rejected, f"{n} data sets, nearest mean", rounds, seed)


GRID: dict[str, Callable[[], Iterator[Row]]] = {
    "enumerated": enumerated,
    "permutation": partial(of_measures, permutation),
    "delta": partial(of_measures, paired_delta),
    "delta average_precision": partial(of_ranks, "average_precision", by_error, 2000, test="paired_delta"),
    "bootstrap": partial(of_measures, bootstrap_difference),
    "areas": of_areas,
    **{f"splits {n} {learner}": partial(of_splits, n, learner) for n in (100, 200, 300) for learner in LEARNERS},
    "datasets": of_datasets,
    "ranks auc": partial(of_ranks, "auc", permuted_areas, 5000),
    "ranks average_precision": partial(of_ranks, "average_precision", permuted, 2000),
}


def rows_of(stored: dict[str, Any]) -> list[Row]:
    """All settings of a table, each with its test, variant and measure."""
    return [
        {**{name: entry[name] for name in IDENTITY}, **setting}
        for entry in stored["tests"]
        for setting in entry["settings"]
    ]


def tabulated(rows: Iterable[Row]) -> dict[str, Any]:
    """Group the settings by test, variant and measure; of two that are the same, the later one counts, at its place."""
    settings: dict[Identity, dict[str, Row]] = {}
    for one in rows:
        facts = {key: value for key, value in one.items() if key not in IDENTITY}
        settings.setdefault(identity_of(one), {})[one["setting"]] = facts
    tests = [
        {**dict(zip(IDENTITY, identity, strict=True)), "settings": list(group.values())}
        for identity, group in settings.items()
    ]
    return {"alpha": ALPHA, "made_by": "python tests/calibration/test_type_one.py --write", "tests": tests}


def written(tables: dict[str, Any]) -> str:
    """JSON with a line for each setting, so that a change can be read."""
    blocks = []
    for entry in tables["tests"]:
        identity = json.dumps({name: entry[name] for name in IDENTITY})[1:-1]
        lines = ",\n".join(f"    {json.dumps(setting)}" for setting in entry["settings"])
        blocks.append(f'  {{\n   {identity},\n   "settings": [\n{lines}\n   ]\n  }}')
    head = json.dumps({key: tables[key] for key in tables if key != "tests"})[1:-1]
    return f'{{\n {head},\n "tests": [\n' + ",\n".join(blocks) + "\n ]\n}\n"


# What the levels are, short and full.

# The chi-square approximation is above its level by this little; exact, corrected and mid-p are not above it anywhere.
SLACK = {("mcnemar", "chi2", ""): 0.004, ("mcnemar", AUTO, ""): 0.002}
STABLE = ("nearest mean", "naive Bayes")


def within(one: Row, level: float = ALPHA) -> bool:
    """Does the count leave it possible that the test rejects no more often than the level says?"""
    count = round(one["rate"] * one["rounds"])
    return binomtest(count, one["rounds"], level, alternative="greater").pvalue > 1e-3


def naive(one: Row) -> bool:
    """Is it the t test of repeated splits, which takes them for independent?"""
    return one["test"] == "paired_t" and one.get("design", {}).get("repeats", 1) > 1


def too_normal(one: Row) -> bool:
    """Is it DeLong's test by the normal distribution, which takes few positives for many?"""
    few = [f"{n} cases, {100 * share:g} % positive, scores correlated {rho:g}" for n, _, share, rho in FEW_POSITIVES]
    return one["variant"] == "normal" and any(text in one["setting"] for text in few)


def level(one: Row) -> float:
    """The level to keep: 5 %, or what was seen of tests of splits whose learners do not suit them."""
    if one["test"] == "cautious_paired_t":
        return ALPHA
    if one.get("learner") == "nearest neighbour":
        return 0.15
    halved = one["test"] in ("five_by_two_t", "five_by_two_f")
    return 0.07 if halved and (one["cases"], one["learner"]) == (100, "naive Bayes") else ALPHA


def check(rows: list[Row]) -> None:
    for one in rows:
        if one["rounds"] is None:
            assert one["rate"] <= ALPHA + SLACK.get(identity_of(one), 0), one
        elif naive(one):
            assert one["rate"] > 4 * ALPHA, one
        elif one["test"] != "paired_t" and not too_normal(one):
            assert within(one, level(one)), one


def stored_setting(one: Row) -> Row:
    (stored,) = [
        other
        for other in rows_of(table())
        if identity_of(other) == identity_of(one) and other["setting"] == one["setting"]
    ]
    return stored


def test_counts_keep_their_level_at_any_share_of_discordant_cases():
    for identity in COUNTED:
        for n in (20, 50, 100, 200):
            chances = np.array([rejecting(identity, m) for m in range(n + 1)])
            for share in np.arange(1, 41) / 100:
                rate = float(binom.pmf(np.arange(n + 1), n, share) @ chances)
                assert rate <= ALPHA + SLACK.get(identity, 0), (identity, n, share, rate)


def test_p_values_rise_with_the_smaller_count():
    """The enumeration relies on it."""
    for test in COUNTED.values():
        for m in (1, 2, 7, 24, 25, 26, 61):
            pvalues = [test(smaller, m - smaller).pvalue for smaller in range(m // 2 + 1)]
            assert pvalues == sorted(pvalues)
            assert [test(m - smaller, smaller).pvalue for smaller in range(m // 2 + 1)] == pvalues


def test_the_stored_table_keeps_the_levels():
    check(rows_of(table()))


def test_the_stored_enumeration_is_the_one_of_today():
    for one in enumerated():
        assert stored_setting(one)["rate"] == pytest.approx(one["rate"], abs=2e-6)  # stored with six decimals


def test_the_stored_file_is_what_the_writer_writes():
    text = FILE.read_text("utf-8")
    rows = rows_of(json.loads(text))
    assert written(tabulated(rows)) == text
    assert written(tabulated([*rows, *enumerated()])) == text  # the enumerated part again, setting by setting


@pytest.mark.parametrize("learner", STABLE)
def test_splits_keep_their_level_and_the_naive_t_test_does_not(learner):
    rows = list(of_splits(100, learner, rounds=300))
    assert sum(map(naive, rows)) == 2
    check(rows)


def test_five_by_two_rejects_too_often_where_halves_err_together():
    """With the nearest neighbour, what one half gets wrong the other does, too: their distance tells too little."""
    for one in of_splits(100, "nearest neighbour", rounds=800, designs=(halves,)):
        if one["test"] == "cautious_paired_t":
            assert within(one), one
            continue
        assert not within(one), one
        assert one["rate"] < 4 * ALPHA, one


def test_the_cautious_t_keeps_its_level_where_the_corrected_one_does_not():
    of_ten = [
        one
        for one in of_splits(100, "nearest neighbour", rounds=400, designs=(folds,))
        if "10 x 10" in one["setting"] and one["test"] != "paired_t"
    ]
    kept = {one["test"]: within(one) for one in of_ten}
    assert kept == {"corrected_paired_t": False, "cautious_paired_t": True}


def test_scores_measures_and_data_sets_keep_their_level():
    rows = [
        *of_measures(permutation, 100),
        *of_measures(paired_delta, 100),
        *of_areas(400),
        *of_datasets(1000, (10, 30)),
    ]
    check(rows)
    assert not all(within(one) for one in rows if too_normal(one))


def test_ranks_exchanged_keep_the_level():
    rows = [one for measure in RANKED for one in of_ranks(measure, permuted, 60, (50,))]
    check([*rows, *of_ranks("auc", permuted_areas, 200, (50, 100))])


def test_the_fast_form_is_the_permutation_test_of_areas():
    """Its weights give the difference for any swaps, and its exact p-value is the library's up to chance."""
    rng = np.random.default_rng(SEED)
    replicates = 20_000
    for number in range(4):
        truth, a, b = score_columns(rng, 10, 0.8, 0.4, 0.5)
        a = np.round(a)  # with ties
        weights = exchanged_areas(truth, a, b)
        ranks = np.array([rankdata(a), rankdata(b)])
        swaps = (np.arange(2**10)[:, None] >> np.arange(10)) % 2
        drawn = (1 - 2 * swaps) @ weights
        for swap, difference in zip(swaps[::37], drawn[::37], strict=True):
            first, second = np.where(swap, ranks[::-1], ranks)
            expected = roc_auc_score(truth, first) - roc_auc_score(truth, second)
            assert difference == pytest.approx(expected, rel=1e-12, abs=1e-12)
        exact = float((np.abs(drawn) >= abs(drawn[0]) - 1e-12).mean())
        result = permutation(truth, a, np.exp(b), "auc", replicates=replicates, seed=number)
        assert result.difference == pytest.approx(drawn[0], rel=1e-12, abs=1e-12)
        assert binomtest(round(result.pvalue * (replicates + 1)) - 1, replicates, exact).pvalue > 1e-3


@pytest.mark.parametrize("measure", RANKED)
def test_the_scale_of_scores_does_not_matter_where_ranks_are_exchanged(measure):
    rng = np.random.default_rng(SEED)
    for number in range(5):
        truth, a, b = score_columns(rng, 60, 0.8, 0.5, 0.5)
        results = [
            permutation(truth, first, second, measure, replicates=FEW, seed=number)
            for first, second in ((a, b), (a, np.exp(b)), (a / 7 - 3, b**3))
        ]
        assert len({result.pvalue for result in results}) == 1


@pytest.mark.parametrize("measure", RANKED)
def test_few_replicates_are_the_first_of_all(measure):
    """The simulation of ranks relies on it."""
    rng = np.random.default_rng(SEED)
    stopped = 0
    for number in range(40):
        columns = score_columns(rng, 50, 0.8, 0.5, 0.5)
        few, every = (permutation(*columns, measure, replicates=size, seed=number) for size in (FEW, REPLICATES))
        extreme = [round(result.pvalue * (size + 1)) - 1 for result, size in ((few, FEW), (every, REPLICATES))]
        assert 0 <= extreme[1] - extreme[0] <= REPLICATES - FEW
        pvalue = permuted(*columns, measure, number)
        stopped += pvalue != every.pvalue
        assert (pvalue <= ALPHA) == (every.pvalue <= ALPHA)
    assert 0 < stopped < 40


@pytest.mark.slow
@pytest.mark.parametrize("part", GRID)
def test_full_grid(part):
    """The levels hold, and the table that is quoted is what is measured, up to chance where NumPy draws anew."""
    rows = list(GRID[part]())
    check(rows)
    for one in rows:
        stored = stored_setting(one)
        spread = math.hypot(one["standard_error"], stored["standard_error"])
        assert abs(one["rate"] - stored["rate"]) <= 4 * spread + 2e-6, (one, stored)


def test_every_setting_that_was_drawn_has_an_error_and_a_seed():
    for one in rows_of(table()):
        assert (one["standard_error"] == 0) == (one["rounds"] is None) == (one["seed"] is None), one


def test_the_table_is_of_declared_tests_variants_measures_and_schemes():
    identities = [identity_of(entry) for entry in table()["tests"]]
    assert len(set(identities)) == len(identities)
    for name, variant, measure in identities:
        test = registry[name]
        assert test.name == name  # not an alias
        assert variant in ((AUTO, *test.variants) if test.variants else ("",)), (name, variant)
        assert (measure != "") == (test.measures == "any" and test.designs == ("cases",)), (name, measure)
        assert not measure or measures[measure].name == measure
    schemes = (KFold(10), KFold(10, 3), KFold(10, 10), RepeatedHoldout(30), FiveByTwo())
    for one in rows_of(table()):
        assert ("design" in one) == ("learner" in one) == ("cases" in one), one
        assert "design" not in one or one["design"] in [facts_of(scheme) for scheme in schemes], one


def test_results_lead_to_what_was_measured_of_their_test():
    a, b, d = [0.9, 0.8, 0.7, 0.9], [0.8, 0.8, 0.6, 0.7], [[0.1, 0.2]] * 4 + [[0.1, 0.0]]
    truth, one, other = [0, 1, 0, 1, 1, 0], [0, 1, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1]
    variants = [mcnemar(3, 9, method=method) for method in ("exact", "mid-p", "chi2", "chi2-corrected")]
    identities = {(result.test.name, result.variant, "") for result in variants}
    results = [
        mcnemar(3, 9),
        sign_test(a, b),
        paired_t(a, b),
        corrected_paired_t(a, b, 1 / 3),
        cautious_paired_t(a, b, 1, [1, 1, 2, 2]),
        wilcoxon(a, b),
        delong(truth, a + b[:2], b + a[:2]),
        delong(truth, a + b[:2], b + a[:2], method="student"),
        five_by_two_t(d),
        five_by_two_f(d),
    ]
    counts: dict[Identity, int] = {}
    for result in results:
        tally(counts, result)
    for test in (permutation, bootstrap_difference):
        for measure in ("accuracy", "f1"):
            tally(counts, test(truth, one, other, measure, replicates=99), measure)
    for measure in ("accuracy", "f1"):
        tally(counts, paired_delta(truth, one, other, measure), measure)
    tally(counts, paired_delta(truth, a + b[:2], b + a[:2], "average_precision"), "average_precision")
    for measure in RANKED:
        tally(counts, permutation(truth, a + b[:2], b + a[:2], measure, replicates=99), measure)
    identities |= set(counts)
    assert identities == {identity_of(entry) for entry in table()["tests"]}
    assert all(measured(*identity) for identity in identities)


def test_what_is_said():
    assert measured("mcnemar", "exact") == (
        "measured type-I error of this procedure at the 5 % level: 4.5 % in the worst of 32 settings "
        "(1000 cases, 40 % discordant), 0.0 % in the mildest"
    )
    f1 = measured("permutation", measure="f1")
    assert f1 is not None
    assert " ± 0." in f1
    assert measured("permutation", measure="macro f1") is None
    assert measured("permutation", measure="kappa") is None
    assert measured("permutation") is None
    assert measured("mcnemar", "none") is None
    assert measured("none") is None


def test_only_simulations_of_such_splits_are_quoted():
    name = "corrected_paired_t"
    said = {str(scheme): measured(name, scheme=scheme) for scheme in (KFold(10), KFold(10, 10), RepeatedHoldout(30))}
    assert len(set(said.values())) == 3
    assert all("in the worst of 9 settings" in sentence for sentence in said.values())
    assert measured(name, scheme=KFold(10, stratified=False)) == said[str(KFold(10))]
    for scheme in (KFold(5), KFold(10, 5), RepeatedHoldout(10), RepeatedHoldout(30, test=0.1), FiveByTwo()):
        assert measured(name, scheme=scheme) is None
    for scheme in (KFold(10, 10), KFold(10, 3), RepeatedHoldout(30), FiveByTwo()):
        assert "in the worst of 9 settings" in measured("cautious_paired_t", scheme=scheme)


@pytest.mark.parametrize("measure", RANKED)
def test_a_comparison_of_scores_quotes_what_was_measured(measure):
    truth, a, b = score_columns(np.random.default_rng(SEED), 60, 0.8, 0.5, 0.5)
    comparison = assay.compare(truth.astype(int), scores={"a": ndtr(a), "b": ndtr(b)}, measure=measure)
    test = comparison.test.test.name
    said = measured(test, measure="" if test == "delong" else measure)
    assert said is not None
    assert said in comparison.sheet().notes


if __name__ == "__main__":
    names = [argument for argument in sys.argv[1:] if argument != "--write"] or list(GRID)
    rows = []
    for name in names:
        start = time.perf_counter()
        rows += GRID[name]()
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    if "--write" in sys.argv:
        others = [] if names == list(GRID) else rows_of(json.loads(FILE.read_text("utf-8")))
        FILE.write_text(written(tabulated([*others, *rows])), "utf-8")
    for entry in tabulated(rows)["tests"]:
        worst = max(entry["settings"], key=lambda setting: setting["rate"])
        low = min(setting["rate"] for setting in entry["settings"])
        named = " ".join(filter(None, identity_of(entry)))
        print(f"{named}: {low:.4f} to {worst['rate']:.4f} +- {worst['standard_error']:.4f} ({worst['setting']})")
