"""A tally gives what all batches together give, in whatever order they come."""

import pickle

import numpy as np
import pytest

import howsure
from howsure import HowsureError, Tally


def cases(n=4000, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.choice(["ham", "spam"], n, p=[0.7, 0.3])
    scores = rng.beta(1 + (truth == "spam"), 1.5)
    return truth, np.where(scores >= 0.4, "spam", "ham"), scores, rng


def same(one, other):
    for name in one.applicable():
        a, b = one[name], other[name]
        assert a.value == b.value or (np.isnan(a.value) and np.isnan(b.value)), name
        assert np.array_equal(tuple(a.interval()), tuple(b.interval()), equal_nan=True), name


@pytest.mark.parametrize("columns", [("predicted",), ("scores",), ("predicted", "scores")])
@pytest.mark.parametrize("sizes", [(4000,), (1, 10, 989, 3000), (1500, 2500)])
def test_batches_give_what_all_cases_give(columns, sizes):
    truth, predicted, scores, _ = cases()
    given = {name: {"predicted": predicted, "scores": scores}[name] for name in columns}
    tally, start = Tally(), 0
    for size in sizes:
        part = slice(start, start + size)
        tally.update(truth[part], **{name: column[part] for name, column in given.items()})
        start += size
    whole = howsure.assess(truth, exact=False, **given)
    same(howsure.assess(tally), whole)
    assert howsure.assess(tally).confusion == whole.confusion


@pytest.mark.parametrize("real", [False, True])
def test_weights_count_as_in_one_go(real):
    truth, predicted, scores, rng = cases()
    weight = rng.gamma(2.0, 1.0, len(truth)) if real else rng.integers(0, 4, len(truth))
    tally = Tally()
    for part in np.array_split(np.arange(len(truth)), 7):
        tally.update(truth[part], predicted[part], scores[part], weight[part])
    whole = howsure.assess(truth, predicted, scores=scores, weight=weight, exact=False)
    one = howsure.assess(tally)
    assert one.n == whole.n
    for name in one.applicable():
        assert one[name].value == pytest.approx(whole[name].value, rel=1e-11, nan_ok=True)  # sums in another order
        assert one[name].low == pytest.approx(whole[name].low, rel=1e-9, nan_ok=True)


def test_merging_changes_nothing():
    truth, predicted, scores, _ = cases()
    whole, first, second = Tally(), Tally(), Tally()
    whole.update(truth, predicted, scores)
    order = np.argsort(truth == "ham", kind="stable")  # so that the second has another class first
    first.update(truth[order[:900]], predicted[order[:900]], scores[order[:900]])
    second.update(truth[order[900:]], predicted[order[900:]], scores[order[900:]])
    both, again = first + second, second + first
    assert first.n == 900
    first.merge(second)
    for one in (both, again, first, pickle.loads(pickle.dumps(both))):
        same(howsure.assess(one), howsure.assess(whole))


def test_merging_with_itself_doubles():
    truth, _, scores, _ = cases(100)
    tally, twice = Tally(), Tally()
    tally.update(truth, scores=scores)
    tally.merge(tally)
    twice.update([*truth, *truth], scores=[*scores, *scores])
    same(howsure.assess(tally), howsure.assess(twice))


def test_many_classes_are_counted_by_their_labels():
    rng = np.random.default_rng(3)
    truth, predicted = rng.integers(0, 5, 600), rng.integers(0, 5, 600)
    tally = Tally()
    for part in np.array_split(np.arange(600), 60):
        tally.update(truth[part], predicted[part])
    same(howsure.assess(tally), howsure.assess(truth, predicted))


def test_other_scores_have_a_scale():
    truth, _, _, rng = cases()
    scores = rng.normal(0, 3, len(truth)) + 2 * (truth == "spam")
    tally = Tally(scale=4)
    tally.update(truth, scores=scores)
    a, exact = howsure.assess(tally), howsure.assess(truth, scores=scores)
    assert a.confusion == exact.confusion
    assert abs(a["auc"].value - exact["auc"].value) <= a["auc"].bound < 1e-5


def test_a_threshold_that_was_named_is_exact():
    truth, _, scores, _ = cases()
    tally = Tally(threshold=0.3137)
    tally.update(truth, scores=scores)
    assert howsure.assess(tally).confusion == howsure.assess(truth, scores=scores, threshold=0.3137).confusion


def test_a_refused_batch_leaves_the_tally_as_it_was():
    tally = Tally()
    tally.update(["a", "b"], scores=[0.2, 0.7])
    before = pickle.dumps(tally)
    for truth, scores in ((["a", "c"], [0.1, 0.2]), (["a"], [7.0]), (["a", None], [0.1, 0.2]), (["a", "b"], [0.1])):
        with pytest.raises(HowsureError):
            tally.update(truth, scores=scores)
    assert pickle.dumps(tally) == before


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: howsure.assess(Tally()),
            "the tally is empty; add a batch with `update` first.",
        ),
        (lambda: Tally().update(["a"]), "`predicted` or `scores` must be given."),
        (lambda: Tally(scale=-1), "`scale` must be positive and finite, not -1."),
        (
            lambda: Tally().update(["a", "b"], scores=[0.5, 3.0]),
            "`scores` must be between 0 and 1, but index 1 has 3; for other scores, create the tally with `scale=`, "
            "their typical size.",
        ),
        (
            lambda: Tally(threshold=0.1).merge(Tally(threshold=0.2)),
            "tallies must have the same `threshold` to be merged.",
        ),
        (lambda: Tally().merge(3), "`other` must be a Tally, not 3."),  # type: ignore[arg-type]
        (
            lambda: Tally(["a", "b"]).update(["c"], ["a"]),
            "`labels` must name every class, but 'c' of `truth` is missing.",
        ),
        (
            lambda: Tally().update(["a"], scores=[[0.1, 0.9]]),
            "`scores` of a tally must be one column, for the positive class; give that column only.",
        ),
        (
            lambda: Tally().update(["a"], scores=[[0.1, 0.2, 0.7]]),
            "`scores` of a tally must be one column, for the positive class; count labels of more classes.",
        ),
    ],
)
def test_errors_are_one_sentence(make, message):
    with pytest.raises(HowsureError) as error:
        make()
    assert str(error.value) == message


def test_columns_must_be_the_same_in_every_batch():
    tally = Tally()
    tally.update(["a", "b"], ["a", "a"])
    with pytest.raises(HowsureError, match="every batch of a tally must have the same columns"):
        tally.update(["a", "b"], scores=[0.1, 0.2])


@pytest.mark.parametrize(
    ("truth", "scores", "weight"),
    [
        ([], [], None),
        (np.array([], int), np.array([], np.float32), None),
        (["a", "b"], [0.1, 0.2], [0, 0]),
        (["a", "b"], [0.1, 0.2], [0.0, 0.0]),
    ],
)
def test_a_batch_of_nothing_changes_nothing(truth, scores, weight):
    """The last batch of a loader may be empty, and in a shard all cases may have the weight 0."""
    tally = Tally()
    tally.update(["a", "b"], scores=[0.2, 0.7])
    before = pickle.dumps(tally)
    tally.update(truth, scores=scores, weight=weight)
    assert pickle.dumps(tally) == before
    with pytest.raises(HowsureError, match=r"^`truth` has 0 rows and `scores` has 1; they must be of equal length\.$"):
        tally.update([], scores=[0.5])


def test_weights_of_batches_keep_their_scale():
    tally = Tally()
    tally.update(["a", "b"], scores=[0.2, 0.7], weight=[1.0, 1.0])
    tally.update(["a", "b"], scores=[0.6, 0.1], weight=[1e-80, 1e-80])
    assert howsure.assess(tally)["auc"].value == 1
    with pytest.raises(
        HowsureError, match=r"^`weight` must be closer to 1 than 1e-200; scale all batches by the same factor\.$"
    ):
        tally.update(["a", "b"], scores=[0.2, 0.7], weight=[1e-200, 1e-200])


def test_one_class_so_far_is_no_fault():
    tally = Tally(["no", "yes"])
    tally.update(["no", "no"], scores=[0.2, 0.7])
    a = howsure.assess(tally)
    assert a.confusion.counts.tolist() == [[1, 1], [0, 0]]
    assert a["auc"].undefined
