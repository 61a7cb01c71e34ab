"""Groups are counted, added and estimated at once, and give what each by itself gives, to the last bit."""

from __future__ import annotations

import math
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest

import howsure
from howsure.assessment import assess_each
from howsure.data.predictions import Key, Predictions
from howsure.tables import Confusion, ScoreTable
from howsure.tables.added import add_tables


def cases(n: int, groups: int, classes: int = 2) -> dict[str, Any]:
    rng = np.random.default_rng(20261118)
    truth = rng.integers(0, classes, n)
    score = np.round(rng.normal(truth % 2, 1.0), 1)  # with ties, and some below 0
    return {
        "truth": truth,
        "predicted": np.where(rng.random(n) < 0.8, truth, rng.integers(0, classes, n)),
        "by": rng.integers(0, groups, n),
        "score": score,
        "weight": rng.random(n) + 0.1,
        "repeats": rng.integers(0, 4, n),
        "cluster": rng.integers(0, n // 4, n),
    }


KINDS: dict[str, dict[str, str]] = {
    "labels": {"predicted": "predicted"},
    "scores": {"scores": "score"},
    "labels and scores": {"predicted": "predicted", "scores": "score"},
    "weights": {"predicted": "predicted", "weight": "weight"},
    "repeated": {"predicted": "predicted", "weight": "repeats"},
    "weighted scores": {"predicted": "predicted", "scores": "score", "weight": "weight"},
    "clusters": {"predicted": "predicted", "cluster": "cluster"},
    "clustered scores": {"scores": "score", "cluster": "cluster"},
    "all": {"predicted": "predicted", "scores": "score", "cluster": "cluster", "weight": "weight"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_group_is_what_its_rows_alone_are(kind: str) -> None:
    data = cases(600, 7)
    columns = {role: data[name] for role, name in KINDS[kind].items()}
    groups = howsure.assess(data["truth"], by=data["by"], labels=[0, 1], threshold=_threshold(columns), **columns)
    for group in range(7):
        rows = data["by"] == group
        own = {role: column[rows] for role, column in columns.items()}
        alone = howsure.assess(data["truth"][rows], labels=[0, 1], threshold=_threshold(columns), **own)
        assert groups[group].to_dict() == alone.to_dict()


def _threshold(columns: dict[str, Any]) -> float | None:
    return None if "predicted" in columns else 0.5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("confidence", [0.95, 0.6])
def test_a_text_of_groups_says_what_each_estimate_says(kind: str, confidence: float) -> None:
    data = cases(400, 9)
    columns = {role: data[name] for role, name in KINDS[kind].items()}
    groups = howsure.assess(data["truth"], by=data["by"], labels=[0, 1], threshold=_threshold(columns), **columns)
    records = groups.sheet(confidence).records()
    measures = groups.shown()
    alone = [groups[group][measure] for measure in measures for group in groups]
    assert [float(record["value"]) for record in records] == [one.value for one in alone]
    assert [record["method"] for record in records] == [
        one.interval(confidence).method if one.interval(confidence).low == one.interval(confidence).low else ""
        for one in alone
    ]


def test_folds_are_parted_like_groups() -> None:
    data = cases(300, 5)
    predictions = Predictions.of(data["truth"], scores=data["score"], labels=[0, 1], fold=data["by"])
    folds = assess_each(predictions, "fold")
    for fold in range(5):
        rows = data["by"] == fold
        alone = howsure.assess(data["truth"][rows], scores=data["score"][rows], labels=[0, 1], threshold=0.0)
        assert folds[fold].to_dict()["measures"] == alone.to_dict()["measures"]


@pytest.mark.parametrize("values", [3, 70_000])  # codes of 16 bits, and wider ones
def test_the_rows_of_each_value_come_in_their_order(values: int) -> None:
    codes = np.random.default_rng(3).integers(0, values, 200).astype(np.int32)
    key = Key(codes, tuple(range(values)))
    rows = key.rows()
    assert len(rows) == values
    for code in {*codes.tolist(), 0, 1, values - 1}:
        assert rows[code].tolist() == np.flatnonzero(codes == code).tolist()


def tables(count: int, weighted: bool) -> list[Confusion]:
    rng = np.random.default_rng(11)
    labels = ["a", "b"]
    made = []
    for size in rng.integers(1, 80, count).tolist():
        truth = rng.integers(0, 2, size)
        predicted = np.where(rng.random(size) < rng.choice([0.0, 0.7, 1.0]), truth, 1 - truth)
        names = np.array(labels)
        weight = rng.random(size) + 0.1 if weighted else None
        made.append(Confusion.from_labels(names[truth], names[predicted], weight=weight, labels=labels))
    return made


@pytest.mark.parametrize("weighted", [False, True])
def test_confusions_added_at_once(weighted: bool) -> None:
    many = tables(30, weighted)
    at_once, in_turn = add_tables(many), reduce(add, many)
    assert at_once.counts.tobytes() == in_turn.counts.tobytes()
    assert at_once.counts.dtype == in_turn.counts.dtype
    assert at_once.variances.tobytes() == in_turn.variances.tobytes()


def test_tables_of_different_classes_are_added_in_turn() -> None:
    many = [Confusion([[1, 2], [3, 4]], labels) for labels in (["a", "b"], ["b", "c"], ["a", "d"])]
    assert add_tables(many) == reduce(add, many)


@pytest.mark.parametrize("kind", ["clusters", "clustered scores", "all"])
def test_clusters_added_at_once(kind: str) -> None:
    data = cases(600, 9)
    columns = {role: data[name] for role, name in KINDS[kind].items()}
    groups = howsure.assess(data["truth"], by=data["by"], labels=[0, 1], threshold=_threshold(columns), **columns)
    many = [one.confusion for one in groups.values()]
    at_once, in_turn = add_tables(many).clusters, reduce(add, many).clusters
    assert at_once.names == in_turn.names
    for column in ("cluster", "cell", "counts", "rows"):
        assert getattr(at_once, column).tobytes() == getattr(in_turn, column).tobytes()


@pytest.mark.parametrize("weighted", [False, True])
def test_score_tables_added_at_once(weighted: bool) -> None:
    rng = np.random.default_rng(5)
    many = []
    for _ in range(40):
        scores = np.round(rng.normal(size=30), 1)  # a score occurs in more than eight of the tables, and -0.0 does
        weight = rng.random(30) if weighted else None
        many.append(ScoreTable.from_scores(rng.random(30) < 0.4, scores, weight=weight))
    at_once, in_turn = add_tables(many), reduce(add, many)
    columns = [(one.scores, one.positives, one.negatives, *(one.squares or ())) for one in (at_once, in_turn)]
    for mine, theirs in zip(*columns, strict=True):
        assert mine.tobytes() == theirs.tobytes()
        assert mine.dtype == theirs.dtype


@pytest.mark.parametrize("weight", [None, "weight"])
def test_scores_of_many_classes_added_at_once(weight: str | None) -> None:
    data = cases(300, 6, classes=3)
    shares = np.random.default_rng(2).dirichlet([1, 1, 1], 300)
    options = {} if weight is None else {"weight": data[weight]}
    groups = howsure.assess(data["truth"], scores=shares, by=data["by"], labels=[0, 1, 2], **options)
    many: list[Any] = [one.scores for one in groups.values()]
    at_once, in_turn = add_tables(many), reduce(add, many)
    for name in ("truth", "scores", "weight"):
        assert getattr(at_once.rows, name).tobytes() == getattr(in_turn.rows, name).tobytes()
    assert at_once.squares.tobytes() == in_turn.squares.tobytes()


def test_a_text_needs_no_scores_of_all_groups_together(monkeypatch: pytest.MonkeyPatch) -> None:
    data = cases(300, 6)
    groups = howsure.assess(data["truth"], scores=data["score"], by=data["by"])
    monkeypatch.setattr("howsure.assessment.groups.merged", lambda _: pytest.fail("adds up all scores"))
    assert "AUC" in groups.text()


@pytest.mark.parametrize("kind", ["labels", "scores", "weights", "clusters"])
@pytest.mark.parametrize("measure", ["accuracy", "recall", "mcc"])
def test_the_rest_of_each_group_is_all_other_groups_added(kind: str, measure: str) -> None:
    data = cases(500, 6)
    columns = {role: data[name] for role, name in KINDS[kind].items()}
    groups = howsure.assess(data["truth"], by=data["by"], labels=[0, 1], threshold=_threshold(columns), **columns)
    for one in groups.differences(measure).groups:
        others = [other.confusion for group, other in groups.items() if group != one.group]
        alone = howsure.assess(reduce(add, others), positive=1)[measure]
        assert repr(one.rest.value) == repr(alone.value)
        assert one.rest.to_dict() == alone.to_dict()
        own = groups[one.group][measure]
        assert one.own.to_dict() == own.to_dict()
        if not one.note:
            level = 1 - 0.05 / 6
            lows = own.value - own.interval(level).low, alone.interval(level).high - alone.value
            assert one.low == one.difference - math.hypot(*lows)


def test_differences_in_ranking_take_the_scores_of_the_rest() -> None:
    data = cases(300, 4)
    groups = howsure.assess(data["truth"], scores=data["score"], by=data["by"])
    for one in groups.differences("auc").groups:
        rows = data["by"] != one.group
        alone = howsure.assess(data["truth"][rows], scores=data["score"][rows])["auc"]
        assert one.rest.to_dict() == alone.to_dict()
