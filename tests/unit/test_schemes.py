"""Schemes: every property that a split must have, whatever the rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import model_selection
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

import howsure
from howsure import (
    Bootstrap,
    FiveByTwo,
    Holdout,
    KFold,
    LeaveOneOut,
    RepeatedHoldout,
    Resubstitution,
    TimeOrder,
    TrainValidationTest,
)
from howsure.resampling import Splits, as_scheme, registry

SEEDS = st.integers(0, 2**32)
CLASSES = st.lists(st.integers(0, 4), min_size=12, max_size=80).map(np.array)
FOLDS = st.integers(2, 10)
SHARES = st.floats(0.2, 0.8)
GROUPED = [KFold(3), KFold(3, 2, stratified=False), FiveByTwo(), LeaveOneOut(), Holdout(), RepeatedHoldout(3)]
GROUPED += [TrainValidationTest(), Bootstrap(5)]
EVERY = [*GROUPED, Resubstitution(), TimeOrder(3)]


def by_name(scheme):
    return str(scheme)


def disjoint_and_whole(split, n):
    parts = [split.train, split.test] + ([] if split.validation is None else [split.validation])
    return (np.sort(np.concatenate(parts)) == np.arange(n)).all()


def class_counts(truth, rows):
    return np.bincount(truth[rows], minlength=truth.max() + 1)


def test_every_scheme_is_here():
    assert {type(scheme) for scheme in EVERY} == set(registry.values())


# Partitions


@given(CLASSES, FOLDS, st.integers(1, 3), st.booleans(), SEEDS)
def test_folds_test_each_row_once_in_every_repeat(truth, folds, repeats, stratified, seed):
    splits = KFold(folds, repeats, stratified).splits(truth, seed=seed)
    assert len(splits) == folds * repeats
    assert (splits.times_tested == repeats).all()
    for repeat in range(repeats):
        mine = [split for split in splits if split.repeat == repeat]
        assert [split.fold for split in mine] == list(range(folds))
        assert (np.sort(np.concatenate([split.test for split in mine])) == np.arange(len(truth))).all()
        sizes = [len(split.test) for split in mine]
        assert max(sizes) - min(sizes) <= 1
    assert all(disjoint_and_whole(split, len(truth)) for split in splits)


@given(CLASSES, SEEDS)
def test_leave_one_out(truth, seed):
    splits = LeaveOneOut().splits(truth, seed=seed)
    assert splits.is_leave_one_out
    assert [split.test.tolist() for split in splits] == [[row] for row in range(len(truth))]
    assert all(disjoint_and_whole(split, len(truth)) for split in splits)


@given(CLASSES, SEEDS)
def test_five_times_two_halves_change_places(truth, seed):
    splits = FiveByTwo().splits(truth, seed=seed)
    assert len(splits) == 10
    for one, other in zip(splits[::2], splits[1::2], strict=True):
        assert one.repeat == other.repeat
        assert (one.train == other.test).all()
        assert (one.test == other.train).all()
        assert abs(len(one.test) - len(one.train)) <= 1
    assert (splits.times_tested == 5).all()


@given(CLASSES, SEEDS)
def test_three_parts(truth, seed):
    (split,) = TrainValidationTest().splits(truth, seed=seed)
    assert disjoint_and_whole(split, len(truth))
    for part, share in ((split.train, 0.5), (split.validation, 0.25), (split.test, 0.25)):
        assert abs(len(part) - share * len(truth)) <= 2  # of two parts, one may be a case ahead, the other behind


def test_three_parts_of_a_round_number():
    (split,) = TrainValidationTest().splits(100)
    assert (len(split.train), len(split.validation), len(split.test)) == (50, 25, 25)


@given(CLASSES, SHARES, SEEDS)
def test_holdout(truth, share, seed):
    splits = RepeatedHoldout(3, share).splits(truth, seed=seed)
    assert [split.repeat for split in splits] == [0, 1, 2]
    for split in splits:
        assert disjoint_and_whole(split, len(truth))
        assert abs(len(split.test) - share * len(truth)) <= 1
    (once,) = Holdout(share).splits(truth, seed=seed)
    assert (once.test == splits[0].test).all()


def test_resubstitution_trains_and_tests_on_everything():
    (split,) = Resubstitution().splits(["a", "b", "a"])
    assert split.train.tolist() == split.test.tolist() == [0, 1, 2]


# Strata


@given(CLASSES, FOLDS, SEEDS)
def test_folds_have_their_share_of_each_class(truth, folds, seed):
    wanted = class_counts(truth, np.arange(len(truth))) / folds
    for split in KFold(folds).splits(truth, seed=seed):
        assert (np.abs(class_counts(truth, split.test) - wanted) <= 1).all()


@given(CLASSES, st.sampled_from([Holdout(), Holdout(0.25), TrainValidationTest(), RepeatedHoldout(2, 0.4)]), SEEDS)
def test_parts_have_their_share_of_each_class(truth, scheme, seed):
    of_class = class_counts(truth, np.arange(len(truth)))
    for split in scheme.splits(truth, seed=seed):
        assert (np.abs(class_counts(truth, split.test) - scheme.test * of_class) <= 1).all()
        if split.validation is not None:
            assert (np.abs(class_counts(truth, split.validation) - scheme.validation * of_class) <= 1).all()
            assert (np.abs(class_counts(truth, split.train) - 0.5 * of_class) <= 1).all()


@given(st.integers(1, 9), SEEDS)
def test_a_class_smaller_than_the_number_of_folds(rare, seed):
    truth = np.array(["common"] * 40 + ["rare"] * rare)
    for split in KFold(10).splits(truth, seed=seed):
        assert (truth[split.test] == "rare").sum() <= 1


def test_every_row_a_class_of_its_own():
    splits = KFold(5).splits(np.arange(23))
    assert sorted(len(split.test) for split in splits) == [4, 4, 5, 5, 5]


def test_without_strata_classes_fall_as_they_may():
    truth = np.repeat([0, 1], 50)
    free = [(truth[split.test] == 0).sum() for split in KFold(2, 50, stratified=False).splits(truth)]
    held = [(truth[split.test] == 0).sum() for split in KFold(2, 50).splits(truth)]
    assert set(held) == {25}
    assert len(set(free)) > 5


# The bootstrap


@given(CLASSES, SEEDS)
@settings(max_examples=30)
def test_bootstrap_tests_on_what_was_not_drawn(truth, seed):
    n = len(truth)
    for split in Bootstrap(5).splits(truth, seed=seed):
        assert len(split.train) == n
        assert (np.setdiff1d(np.arange(n), split.train) == split.test).all()
        assert len(split.test) >= 1


@pytest.mark.parametrize("n", [10, 50, 1000])
def test_share_of_distinct_rows_in_a_bootstrap_sample(n):
    shares = [1 - len(split.test) / n for split in Bootstrap(1000).splits(n, seed=0)]
    expected = 1 - (1 - 1 / n) ** n  # 63.2 % for many rows
    error = np.std(shares, ddof=1) / np.sqrt(len(shares))
    assert abs(np.mean(shares) - expected) < 4 * error  # 4 standard errors: 1 in 16,000 by chance


def test_bootstrap_of_two_rows_leaves_one_out():
    assert all(len(split.test) == 1 for split in Bootstrap(50).splits(2))


# Groups


@pytest.mark.parametrize("scheme", GROUPED, ids=by_name)
@given(groups=st.lists(st.integers(0, 12), min_size=40, max_size=60), seed=SEEDS)
@settings(max_examples=25)
def test_a_group_is_never_on_both_sides(scheme, groups, seed):
    groups = np.array([*groups, *range(13)])  # all thirteen occur
    truth = np.random.default_rng(seed).integers(0, 3, len(groups))
    splits = scheme.splits(truth, groups=groups, seed=seed)
    for split in splits:
        assert not set(groups[split.train]) & set(groups[split.test])
        if split.validation is not None:
            assert not set(groups[split.validation]) & (set(groups[split.train]) | set(groups[split.test]))
    if isinstance(scheme, KFold | FiveByTwo | LeaveOneOut):
        assert len(set(splits.times_tested)) == 1


def test_leave_one_group_out():
    splits = LeaveOneOut().splits(5, groups=["x", "y", "x", "z", "y"])
    assert [split.test.tolist() for split in splits] == [[0, 2], [1, 4], [3]]


@given(SEEDS)
@settings(max_examples=20)
def test_groups_keep_the_shares_as_well_as_they_can(seed):
    groups = np.repeat(np.arange(60), 5)
    truth = np.repeat(np.arange(60) % 3, 5)  # each group is of one class
    for split in KFold(5).splits(truth, groups=groups, seed=seed):
        assert class_counts(truth, split.test).tolist() == [20, 20, 20]


def test_whole_groups_are_drawn_by_the_bootstrap():
    groups = np.repeat(np.arange(10), 3)
    for split in Bootstrap(20).splits(30, groups=groups):
        times = np.bincount(split.train, minlength=30).reshape(10, 3)
        assert (times == times[:, :1]).all()
        assert times[:, 0].sum() == 10


# Time


@given(
    st.integers(40, 100),
    st.integers(1, 5),
    st.none() | st.integers(1, 4),
    st.integers(0, 5),
    st.none() | st.integers(1, 9),
)
def test_time_order(n, folds, test, gap, window):
    splits = TimeOrder(folds, test, gap, window).splits(n)
    size = n // (folds + 1) if test is None else test
    assert np.concatenate([split.test for split in splits]).tolist() == list(range(n - folds * size, n))
    for split in splits:
        assert len(split.test) == size
        assert split.train[-1] == split.test[0] - gap - 1
        assert (np.diff(split.train) == 1).all()
        assert split.train[0] == (0 if window is None else max(0, split.test[0] - gap - window))


# Seeds and fingerprints


@pytest.mark.parametrize("scheme", EVERY, ids=by_name)
def test_same_seed_same_splits(scheme):
    truth = np.arange(40) % 3
    one, again, other = (scheme.splits(truth, seed=seed).fingerprint for seed in (7, 7, 8))
    assert one == again
    assert (one == other) == isinstance(scheme, LeaveOneOut | Resubstitution | TimeOrder)  # nothing there is drawn


@given(CLASSES, st.permutations(["zebra", "ant", "mole", "bee", "cat"]), st.sampled_from(GROUPED), SEEDS)
def test_names_of_classes_and_groups_do_not_matter(truth, names, scheme, seed):
    groups = np.arange(len(truth)) % 11
    renamed = np.array(names)[truth]
    original = scheme.splits(truth, groups=groups, seed=seed)
    assert scheme.splits(renamed, groups=-3 * groups, seed=seed).fingerprint == original.fingerprint
    assert scheme.splits(list(renamed), groups=groups, seed=seed).fingerprint == original.fingerprint
    assert scheme.splits(renamed, seed=seed).fingerprint == scheme.splits(truth, seed=seed).fingerprint


class Yields:
    """A splitter of the least kind: it gives the index sets that it was given."""

    def __init__(self, made):
        self.made = made

    def split(self, X, y=None, groups=None):
        return iter(self.made)

    def __repr__(self):
        return "Yields"


@pytest.mark.parametrize("scheme", [one for one in EVERY if not isinstance(one, TrainValidationTest)], ids=by_name)
def test_fingerprint_is_that_of_the_rows_whoever_made_the_splits(scheme):
    truth = np.arange(40) % 3
    ours = scheme.splits(truth, seed=3)
    rng = np.random.default_rng(0)
    experiment_ = [(rng.permutation(split.train), rng.permutation(split.test)) for split in ours]
    assert as_scheme(Yields(experiment_)).splits(truth).fingerprint == ours.fingerprint
    assert as_scheme(scheme.splitter(seed=3)).splits(truth).fingerprint == ours.fingerprint
    train, test = experiment_[0]
    experiment_[0] = (np.append(train[1:], test[0]), np.append(test[1:], train[0]))  # two rows change places
    if sorted(experiment_[0][1]) != sorted(test):
        assert as_scheme(Yields(experiment_)).splits(truth).fingerprint != ours.fingerprint


def test_fingerprint_of_predefined_folds():
    ours = KFold(5).splits(np.arange(40) % 3, seed=1)
    fold = np.empty(40, int)
    for split in ours:
        fold[split.test] = split.fold
    assert as_scheme(model_selection.PredefinedSplit(fold)).splits(40).fingerprint == ours.fingerprint
    a, b = np.flatnonzero(fold == 0)[0], np.flatnonzero(fold == 1)[0]
    fold[[a, b]] = 1, 0
    assert as_scheme(model_selection.PredefinedSplit(fold)).splits(40).fingerprint != ours.fingerprint


def test_fingerprint_tells_the_number_of_rows_and_a_repeated_row():
    def fingerprint(n, train, test):
        return as_scheme(Yields([(np.array(train), np.array(test))])).splits(n).fingerprint

    assert fingerprint(4, [0, 1], [2]) != fingerprint(5, [0, 1], [2])
    assert fingerprint(4, [0, 1], [2]) != fingerprint(4, [0, 1, 1], [2])
    assert fingerprint(4, [0, 1], [2, 3]) != fingerprint(4, [0, 1, 2], [3])


# The design


@given(CLASSES, FOLDS, st.integers(1, 3), SEEDS)
@settings(max_examples=50)
def test_design_of_folds(truth, folds, repeats, seed):
    n, design = len(truth), KFold(folds, repeats).splits(truth, seed=seed).design
    assert (design.n, design.splits, design.repeats, design.tested) == (n, folds * repeats, repeats, repeats)
    assert design.ratio == pytest.approx(1 / (folds - 1), rel=1e-12)
    # Each row is in repeats (folds - 1) training sets; for one repeat this is (folds - 2) / (folds - 1).
    often = repeats * (folds - 1)
    assert design.overlap == pytest.approx((often - 1) / (folds * repeats - 1), rel=1e-12)


def test_design_against_counting():
    for scheme in EVERY:
        splits = scheme.splits(np.arange(41) % 3, seed=2)
        sets = [set(split.train.tolist()) for split in splits]
        pairs = [len(one & other) for index, one in enumerate(sets) for other in sets[:index]]
        shared = np.mean(pairs) / np.mean([len(one) for one in sets]) if pairs else 0
        assert splits.design.overlap == pytest.approx(shared, rel=1e-12)
        assert splits.design.train == pytest.approx(np.mean([len(split.train) for split in splits]), rel=1e-12)
        assert splits.design.test == pytest.approx(np.mean([len(split.test) for split in splits]), rel=1e-12)
        assert splits.design.tested == pytest.approx(splits.times_tested.mean(), rel=1e-12)
        assert splits.design.to_dict()["scheme"] == str(scheme)


def test_what_splits_and_schemes_say_of_themselves():
    splits = KFold(3).splits(9)
    assert (
        repr(splits)
        == f"Splits(KFold(folds=3, repeats=1, stratified=True), n=9, splits=3, fingerprint={splits.fingerprint[:8]})"
    )
    assert KFold(3).to_dict() == {"scheme": "KFold", "folds": 3, "repeats": 1, "stratified": True}
    assert isinstance(splits, Splits)
    assert registry["kfold"] is KFold


# scikit-learn


@pytest.mark.parametrize("scheme", [KFold(5), FiveByTwo(), Holdout(), Bootstrap(4)], ids=by_name)
def test_schemes_serve_scikit_learn(scheme):
    X, y = load_iris(return_X_y=True)
    scores = model_selection.cross_val_score(GaussianNB(), X, y, cv=scheme.splitter(seed=1))
    by_hand = [GaussianNB().fit(X[s.train], y[s.train]).score(X[s.test], y[s.test]) for s in scheme.splits(y, seed=1)]
    assert scores.tolist() == by_hand
    search = model_selection.GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, cv=scheme.splitter())
    assert search.fit(X, y).n_splits_ == len(scheme.splits(y))


def test_splitter_with_groups_and_without_classes():
    groups = np.arange(20) // 2
    X = np.zeros((20, 1))
    for train, test in KFold(3).splitter().split(X, None, groups):
        assert not set(groups[train]) & set(groups[test])
    assert KFold(3).splitter().get_n_splits(sparse.csr_matrix(X)) == 3
    assert len(list(KFold(3).splitter().split(sparse.csr_matrix(X)))) == 3
    with pytest.raises(howsure.HowsureError) as caught:
        KFold(3).splitter().get_n_splits()
    assert str(caught.value) == "the number of splits may depend on the rows; give `X` or `y`."


@pytest.mark.parametrize(
    "splitter",
    [
        model_selection.StratifiedKFold(4, shuffle=True, random_state=0),
        model_selection.GroupKFold(4),
        model_selection.TimeSeriesSplit(4),
        model_selection.ShuffleSplit(4, random_state=0),
        model_selection.RepeatedKFold(n_splits=2, n_repeats=2, random_state=0),
    ],
    ids=by_name,
)
def test_splitters_of_scikit_learn(splitter):
    truth, groups = np.array(list("abc") * 16), np.arange(48) // 4
    takes_groups = isinstance(splitter, model_selection.GroupKFold)
    splits = as_scheme(splitter).splits(truth, groups=groups if takes_groups else None)
    theirs = list(splitter.split(np.zeros((48, 1)), truth, groups if takes_groups else None))
    assert len(splits) == len(theirs) == 4
    for split, (train, test) in zip(splits, theirs, strict=True):
        assert sorted(split.train) == sorted(train)
        assert sorted(split.test) == sorted(test)
    assert as_scheme(splitter).splits(list(truth), groups=groups if takes_groups else None).design == splits.design


def test_repeats_of_a_foreign_splitter_can_be_told():
    repeated = model_selection.RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    splits = as_scheme(repeated).splits(12)
    assert [(split.repeat, split.fold) for split in splits] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert splits.design.repeats == 2


def test_what_stands_for_a_scheme():
    assert as_scheme(5) == KFold(5)
    assert as_scheme(FiveByTwo()) == FiveByTwo()


# Errors


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: KFold(1), "`folds` must be a whole number, 2 or above, not 1."),
        (lambda: KFold(2.5), "`folds` must be a whole number, 2 or above, not 2.5."),  # type: ignore[arg-type]
        (lambda: KFold(True), "`folds` must be a whole number, 2 or above, not True."),
        (lambda: KFold(5, repeats=0), "`repeats` must be a whole number, 1 or above, not 0."),
        (lambda: Holdout(test=1.5), "`test` must be a share between 0 and 1, not 1.5."),
        (lambda: Holdout(test=True), "`test` must be a share between 0 and 1, not True."),
        (lambda: RepeatedHoldout(test=0), "`test` must be a share between 0 and 1, not 0."),
        (lambda: TrainValidationTest(0.5, 0.5), "`validation + test` must be below 1, not 1.0."),
        (lambda: Bootstrap(0), "`rounds` must be a whole number, 1 or above, not 0."),
        (lambda: TimeOrder(gap=-1), "`gap` must be a whole number, 0 or above, not -1."),
        (lambda: TimeOrder(window=0), "`window` must be a whole number, 1 or above, not 0."),
        (lambda: KFold(5).splits(4), "`folds` must be at most the number of rows, 4, not 5."),
        (
            lambda: KFold(5).splits(9, groups=[1, 2, 3] * 3),
            "`folds` must be at most the number of groups, 3, not 5.",
        ),
        (lambda: KFold(5).splits([]), "`truth` must hold at least one case, but it is empty."),
        (lambda: KFold(5).splits(np.array([])), "`truth` must hold at least one case, but it is empty."),
        (lambda: KFold(5).splits(0), "`truth` must hold at least one case, but it is empty."),
        (lambda: KFold(2).splits(["a", None, "b"]), "`truth` has no value at index 1; drop such rows."),
        (lambda: KFold(2).splits(3, groups=["a", "b", None]), "`groups` has no value at index 2; drop such rows."),
        (
            lambda: KFold(2).splits(3, groups=[1, 2]),
            "`truth` has 3 rows and `groups` has 2; they must be of equal length.",
        ),
        (lambda: KFold(2).splits(9, seed=-1), "`seed` must be a whole number, 0 or above, not -1."),
        (lambda: KFold(2).splits(9, seed=None), "`seed` must be a whole number, 0 or above, not None."),  # type: ignore[arg-type]
        (
            lambda: TimeOrder(5).splits(4),
            "TimeOrder(folds=5, test=None, gap=0, window=None) needs more than 4 rows, since some must precede the "
            "first test block.",
        ),
        (
            lambda: TimeOrder(2).splits(9, groups=range(9)),
            "TimeOrder(folds=2, test=None, gap=0, window=None) cannot keep groups together; leave out `groups`.",
        ),
        (lambda: Bootstrap(5).splits(1), "a bootstrap needs at least two rows, or groups, to leave one out."),
        (
            lambda: LeaveOneOut().splits(1),
            "split 0 of LeaveOneOut() has no row to train on; more rows are needed.",
        ),
        (
            lambda: Holdout(0.1).splits(2),
            "split 0 of Holdout(test=0.1, stratified=True) has no row to test on; more rows are needed.",
        ),
        (
            lambda: TrainValidationTest(0.4, 0.4).splits(2),
            "split 0 of TrainValidationTest(validation=0.4, test=0.4, stratified=True) has no row to train on; "
            "more rows are needed.",
        ),
        (
            lambda: TrainValidationTest(0.1, 0.4).splits(4),
            "split 0 of TrainValidationTest(validation=0.1, test=0.4, stratified=True) has no row to validate on; "
            "more rows are needed.",
        ),
        (
            lambda: as_scheme("10 folds"),
            "`resampling` must be a scheme such as KFold(10), or an object with a `split` method, not '10 folds'.",
        ),
        (
            lambda: as_scheme(None),
            "`resampling` must be a scheme such as KFold(10), or an object with a `split` method, not None.",
        ),
        (lambda: as_scheme(Yields([])).splits(5), "Yields returns no split of 5 rows."),
        (
            lambda: as_scheme(Yields([([0], [7])])).splits(5),
            "Yields returns row 7, but the rows are 0 to 4.",
        ),
        (
            lambda: as_scheme(Yields([([0, 1], [2]), ([2, -1], [0])])).splits(3),
            "Yields returns row -1, but the rows are 0 to 2.",
        ),
        (
            lambda: as_scheme(Yields([([0], np.arange(0))])).splits(5),
            "split 0 of Yields has no row to test on; more rows are needed.",
        ),
    ],
)
def test_bad_input(make, sentence):
    with pytest.raises(howsure.HowsureError) as caught:
        make()
    assert str(caught.value) == sentence


class Masks:
    """A splitter that marks rows instead of naming them."""

    def split(self, X, y=None, groups=None):
        for part in range(2):
            test = np.arange(len(X)) % 2 == part
            yield ~test, test


def test_a_foreign_splitter_may_give_masks():
    splits = as_scheme(Masks()).splits(6)
    assert [one.test.tolist() for one in splits] == [[0, 2, 4], [1, 3, 5]]
    assert [one.train.tolist() for one in splits] == [[1, 3, 5], [0, 2, 4]]


def test_what_a_foreign_splitter_refuses_is_told_in_a_sentence():
    with pytest.raises(howsure.HowsureError, match=r"GroupKFold\(.*\) cannot split 6 rows: .*groups.*\."):
        as_scheme(model_selection.GroupKFold(2)).splits([0, 1] * 3)
