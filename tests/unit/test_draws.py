"""Replicates that measures share: what each would draw by itself, drawn once."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import howsure
from howsure import ScoreTable
from howsure.kernels.table_bootstrap import draw_counts
from howsure.measures import estimate_scores, registry
from howsure.measures.estimate import classes, draws
from howsure.measures.estimate.classes import AverageBasis, ClassBasis, estimate_classes
from howsure.tables import ClassScores, ScoreCounts, ScoreRows

MEASURES = ("auc", "average_precision", "ks_distance", "equal_error_rate", "brier", "expected_calibration_error")


def table(seed=0, n=3000, weighted=False):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    weight = rng.random(n) + 0.1 if weighted else None
    return ScoreTable.from_scores(positive, 1 / (1 + np.exp(-rng.normal(size=n) - positive)), weight)


def of_classes(seed=0, n=400, weighted=False, rounded=False):
    rng = np.random.default_rng(seed)
    truth, values = rng.integers(0, 3, n), rng.normal(size=(n, 3))
    values[np.arange(n), truth] += 1
    shares = np.exp(values)
    shares /= shares.sum(1, keepdims=True)
    weight = rng.random(n) + 0.1 if weighted else np.ones(n)
    square = weight**2 if weighted else None
    return ClassScores(ScoreRows(truth, shares.round(2) if rounded else shares, weight), (0, 1, 2), square)


def count_draws(monkeypatch, module):
    """Count how often tables are drawn."""
    calls = []

    def counted(*given, **named):
        calls.append(given)
        return draw_counts(*given, **named)

    monkeypatch.setattr(module, "draw_counts", counted)
    return calls


@pytest.mark.parametrize("method", ["bootstrap", "bca", "basic", "bootstrap-stratified"])
@pytest.mark.parametrize("weighted", [False, True])
def test_measures_of_a_table_share_one_draw(method, weighted, monkeypatch):
    import howsure.tables.scores as scores

    one = table(weighted=weighted)
    alone = [
        estimate_scores(table(weighted=weighted), name).interval(method=method, replicates=200) for name in MEASURES
    ]
    calls = count_draws(monkeypatch, scores)
    together = [estimate_scores(one, name).interval(method=method, replicates=200) for name in MEASURES]
    assert [(i.low, i.high) for i in together] == [(i.low, i.high) for i in alone]
    assert len(calls) == 1


def test_another_seed_or_number_is_drawn_anew():
    one = estimate_scores(table(), "auc")
    first = one.interval(method="bootstrap", replicates=200)
    assert first != one.interval(method="bootstrap", replicates=200, seed=1)
    assert first != one.interval(method="bootstrap", replicates=300)
    again = one.interval(method="bootstrap", replicates=200)
    assert (first.low, first.high) == (again.low, again.high)


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("kind", ["plain", "weighted", "rounded"])
@pytest.mark.parametrize("name", ["auc", "average_precision", "ks_distance", "brier"])
def test_averages_are_those_of_every_replicate_by_itself(name, average, kind):
    """One replicate at a time, as any other measure of rows is redrawn."""
    scores = of_classes(weighted=kind == "weighted", rounded=kind == "rounded")
    basis = AverageBasis(scores, registry[name], {}, average)
    one_by_one = ClassBasis.replicates(basis, 40, 3)
    np.testing.assert_allclose(basis.replicates(40, 3), one_by_one, rtol=1e-12)


def test_a_class_that_a_replicate_lacks_is_left_out():
    scores = of_classes(n=12, seed=5)
    for average in ("macro", "weighted"):
        basis = AverageBasis(scores, registry["auc"], {}, average)
        np.testing.assert_allclose(basis.replicates(300, 0), ClassBasis.replicates(basis, 300, 0), rtol=1e-12)


def test_replicates_that_are_too_many_to_remember_are_the_same(monkeypatch):
    shared = AverageBasis(of_classes(), registry["ks_distance"], {}, "macro").replicates(50, 0)
    monkeypatch.setattr(draws, "MOST_SHARED", 7 * 6 * classes.GROUPS)  # blocks of seven
    calls = count_draws(monkeypatch, draws)
    basis = AverageBasis(of_classes(), registry["ks_distance"], {}, "macro")
    assert basis.replicates(50, 0).tobytes() == shared.tobytes()
    assert basis.replicates(50, 0).tobytes() == shared.tobytes()
    assert len(calls) == 100


def test_averages_share_one_draw(monkeypatch):
    scores = of_classes()
    calls = count_draws(monkeypatch, draws)
    for name in ("auc", "average_precision", "ks_distance"):
        for average in ("macro", "weighted"):
            estimate_classes(scores, registry[name], average=average).interval(method="bootstrap", replicates=50)
    assert len(calls) == 50
    assert classes.GROUPS >= 400  # so that nothing was joined


def test_what_was_drawn_is_forgotten_with_its_table():
    last, owner = draws.LastOne(), table()
    made = ScoreCounts(np.ones(1), np.ones(1), np.ones(1))
    assert last.get(owner, 1, lambda: made) is made
    assert last.get(owner, 1, lambda: None) is made
    assert last.get(owner, 2, lambda: None) is None
    last.get(owner, 1, lambda: made)
    gone = weakref.ref(made)
    made = owner = None
    gc.collect()
    assert gone() is None


def test_groups_of_an_assessment_do_not_mix():
    rng = np.random.default_rng(0)
    truth, scores, group = rng.integers(0, 2, 600), rng.random(600), np.repeat(["a", "b"], 300)
    groups = howsure.assess(truth, scores=scores, by=group)
    together = {name: one["auc"].interval(method="bootstrap", replicates=100) for name, one in groups.items()}
    for name in ("a", "b"):
        alone = howsure.assess(truth[group == name], scores=scores[group == name])["auc"]
        interval = alone.interval(method="bootstrap", replicates=100)
        assert (interval.low, interval.high) == (together[name].low, together[name].high)
