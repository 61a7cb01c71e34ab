"""Each finding: when it speaks, what it says, and when it is silent."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from howsure import (
    Confusion,
    Experiment,
    KFold,
    LeaveOneOut,
    Predictions,
    ScoreTable,
    advice,
    agreement,
)
from howsure.advice import Evidence, findings
from howsure.advice.declare import advice as declare
from howsure.data.truths import Annotations

SPEAKS = {
    "A001": (
        Confusion([[50, 5, 0], [5, 50, 0], [0, 0, 0]], list("abc")),
        "no case belongs to 'c' and none was predicted so; averages leave such classes out",
    ),
    "A002": (
        Confusion([[50, 0], [50, 0]], list("ab")),
        "the classifier never predicts 'b', so precision is undefined there",
    ),
    "A003": (
        Confusion([[998, 1], [1, 0]], list("ab")),
        "99.9% of the cases are of class 'a'; always predicting it would be as accurate as that, "
        "so accuracy says little",
    ),
    "A004": (
        Confusion([[40, 10], [9, 20]], list("ab")),
        "fewer than 30 cases are behind recall of 'b' (29); mind the intervals",
    ),
    "A005": (
        Confusion([[40, 10, 2], [10, 40, 0], [0, 0, 0]], list("abc")),
        "'c' is predicted but never occurs in truth; check the spelling of labels",
    ),
    "A006": (
        Confusion([[10, 40], [45, 5]], list("ab")),
        "accuracy 0.150 is below the 0.500 of always predicting the most frequent class; "
        "inverting every prediction would be better (0.850)",
    ),
}
SCORED = {
    "A007": (
        ScoreTable.from_scores([1, 1, 0, 0], [np.inf, 0.5, 0.4, -np.inf]),
        "2 scores are infinite: above or below all others in rank, and equal to each other",
    ),
    "A008": (
        ScoreTable.from_scores([1, 0], [0.5, 0.5]),
        "all scores are 0.5, so they rank nothing and an AUC of 0.5 says no more than that",
    ),
    "A009": (
        ScoreTable.from_scores([1, 1, 0, 0], [0.2, 0.6, 0.5, 0.7]),
        "the AUC 0.250 is worse than random; inverting the scores gives 0.750: check the positive class",
    ),
}
THREE = ScoreTable.from_scores([1, 1, 0], [3, 2, 1])
EVEN = Confusion([[0, 10], [10, 0]], list("ab"))


def in_clusters(clusters, size, first=None, rare=None):
    """A table of two classes in clusters of one size; the first may have another, and few the second class."""
    sizes = [size if first is None else first, *[size] * (clusters - 1)]
    cluster = np.repeat(np.arange(clusters), sizes)
    truth = np.arange(len(cluster)) % 2 * (cluster < (clusters if rare is None else rare))
    return Confusion.from_predictions(Predictions.of(truth, truth, cluster=cluster))


OTHER = {
    "A010": (
        {"table": EVEN, "splits": LeaveOneOut().splits(20)},
        {"table": EVEN, "splits": KFold(10).splits(20)},
        "leave-one-out cannot be stratified: in training, the class of the case left out is one short, so a learner "
        "that follows class sizes looks worse than it is (a majority vote of two equal classes errs on every case); "
        "stratified folds do not have this",
    ),
    "A011": (
        {"table": EVEN, "touches": ("tree(depth=1)", "tree(depth=2)", "tree(depth=1)")},
        {"table": EVEN, "touches": ("tree(depth=1)",)},
        "the test cases were looked at 3 times, with 2 models (tree(depth=1), tree(depth=2)); to report the best of "
        "them is to choose on the test cases, and its value is too good: take new cases for the last word",
    ),
    "A012": (
        {"stacking": "in-sample"},
        {"stacking": "out-of-fold"},
        "the combiner was trained on what its base learners predict for their own training cases; that looks better "
        "than it is, so the combiner trusts most whichever of them overfits most; train it on out-of-fold "
        "predictions, as is the default",
    ),
    "A013": (
        {"shape": (299, 30)},
        {"shape": (300, 30)},
        "299 cases with 30 attributes are fewer than 10 for each: space is nearly empty (78.5% of a ball of 30 "
        "dimensions lies within 5% of its surface), and what fits by chance is easily found; select or combine "
        "attributes inside each training set, take a simpler or more strongly regularised learner, or get more cases",
    ),
    "A014": (
        {"scores": THREE, "threshold": 4.0},
        {"scores": THREE, "threshold": 3.0},
        "all scores, from 1 to 3, are below the threshold 4, so every case is called negative; give a `threshold` "
        "between the two",
    ),
    "A015": (
        {"scores": ScoreTable.from_scores([1, 1, 0], [95, 33.3, 0.5]), "threshold": 0.5},
        {"scores": ScoreTable.from_scores([1, 1, 0], [95, 33.3, 0.5]), "threshold": 1.0},
        "the scores, from 0.5 to 95, look like percentages, and those from 0.5 on are called positive; give them "
        "divided by 100, or `threshold=50`",
    ),
    "A017": (
        {"clusters": in_clusters(9, 10).clusters},
        {"clusters": in_clusters(10, 10).clusters},
        "there are only 9 clusters; how far clusters differ is hardly known",
    ),
    "A018": (
        {"clusters": in_clusters(10, 5, first=25).clusters},
        {"clusters": in_clusters(10, 5, first=20).clusters},
        "the cluster 0 holds 36 % of the cases; the result is mostly its own",
    ),
    "A020": (
        {"table": in_clusters(12, 4, rare=5), "clusters": in_clusters(12, 4, rare=5).clusters},
        {"table": in_clusters(12, 4, rare=10), "clusters": in_clusters(12, 4, rare=10).clusters},
        "fewer than 10 clusters have cases of 1 (5); mind the rates of such classes",
    ),
    "A021": (
        {"ratings": agreement([[0, 0]] * 94 + [[0, 1], [1, 0]] * 3)},
        {"ratings": agreement([[0, 0]] * 50 + [[1, 1]] * 44 + [[0, 1], [1, 0]] * 3)},
        "ratings agree in 94 %, and alpha is -0.03: 97 % of the ratings are 0, so that chance alone agrees that often; "
        "compare AC1, 0.94",
    ),
    "A022": (
        {"ratings": agreement([[0, 0, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0]])},
        {"ratings": agreement([[0, 0], [1, 1], [0, 1]] * 10)},
        "only 3 items were rated twice or more; mind the intervals, and that rows are items and columns raters",
    ),
    "A023": (
        {"ratings": agreement({"anna": [0, 1, 0, 1, 0] * 6, "ben": [1] * 30})},
        {"ratings": agreement({"anna": [0, 1, 0, 1, 0] * 6, "ben": [1] * 29 + [0]})},
        "'ben' (1) said the same of every item; such ratings tell nothing of the items",
    ),
    "A024": (
        {"ratings": agreement([["a", "a"], ["b", "c"], ["c", "c"]] * 10, labels=list("abcd"))},
        {"ratings": agreement([["a", "a"], ["b", "c"], ["c", "c"]] * 10)},
        "nobody chose 'd'; Brennan-Prediger and Gwet's coefficients count such categories too",
    ),
    "A025": (
        {"annotations": Annotations(3, 40, 0.23, 0.88)},
        {"annotations": Annotations(3, 40, 0.05, 0.98)},
        "annotators disagree on 23 % of the cases: no classifier can agree with all of them; the most that can be "
        "reached is an accuracy of 0.880",
    ),
    "A019": (
        {"repeated": ("patient_id", "page")},
        {"repeated": ()},
        "'patient_id', 'page' repeat in the data: if such cases belong together, intervals are too narrow; name it by "
        "`cluster`",
    ),
    "A016": (
        {"scores": ScoreTable.from_scores([1, 1, 0], [1, 0.5, -2]), "threshold": 0.0},
        {"scores": THREE, "threshold": 0.0},
        "the scores, from -2 to 1, are no probabilities: as those of a decision function they are cut at 0, unless "
        "`threshold` says otherwise",
    ),
}
HEALTHY = Confusion([[40, 10], [10, 40]], list("ab"))


def test_every_code_is_here_and_explained():
    assert set(SPEAKS) | set(SCORED) | set(OTHER) == set(advice.registry)
    for code, declared in advice.registry.items():
        assert len(" ".join(declared.explanation)) > 60, code


@pytest.mark.parametrize("code", SPEAKS)
def test_it_speaks(code):
    table, message = SPEAKS[code]
    assert {finding.code: finding.message for finding in findings(Evidence(table=table))}[code] == message
    assert code not in {finding.code for finding in findings(Evidence(table=HEALTHY))}


@pytest.mark.parametrize("code", OTHER)
def test_it_speaks_of_other_evidence(code):
    speaks, silent, message = OTHER[code]
    assert {finding.code: finding.message for finding in findings(Evidence(**speaks))}[code] == message
    assert code not in {finding.code for finding in findings(Evidence(**silent))}


@pytest.mark.parametrize("code", SCORED)
def test_it_speaks_of_scores(code):
    scores, message = SCORED[code]
    evidence = Evidence(table=HEALTHY, scores=scores)
    assert {finding.code: finding.message for finding in findings(evidence)}[code] == message
    good = ScoreTable.from_scores([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1])
    assert findings(Evidence(table=HEALTHY, scores=good)) == ()


def test_accuracy_below_the_baseline_but_not_worth_inverting():
    table = Confusion([[50, 30], [10, 10]], list("ab"))
    messages = {finding.code: finding.message for finding in findings(Evidence(table=table))}
    assert messages["A006"] == "accuracy 0.600 is below the 0.800 of always predicting the most frequent class"


def test_nothing_is_said_without_evidence():
    assert findings(Evidence()) == ()
    assert findings(Evidence(splits=LeaveOneOut().splits(20))) == ()  # A010 needs the table too


def test_one_kind_of_evidence_can_be_asked_for():
    evidence = Evidence(table=EVEN, splits=LeaveOneOut().splits(20), stacking="in-sample", shape=(5, 4))
    assert [finding.code for finding in findings(evidence)] == ["A004", "A006", "A010", "A012", "A013"]
    assert [finding.code for finding in findings(evidence, needs="table")] == ["A004", "A006", "A010"]
    assert [finding.code for finding in findings(evidence, needs="splits")] == ["A010"]
    assert findings(evidence, needs="touches") == ()


@pytest.mark.parametrize("shape", [(0, 0), (5, 0), (10, 1)])
def test_no_word_on_dimension_where_there_is_none(shape):
    assert findings(Evidence(shape=shape)) == ()


def test_a_check_asks_only_for_what_evidence_has():
    with pytest.raises(TypeError, match="which is no field of Evidence"):
        declare("A999", "Moon")(lambda moon: None)
    assert "A999" not in advice.registry


def experiment(X, n=20):
    return Experiment({"it": DummyClassifier()}, {"data": (X, np.arange(n) % 2)}, KFold(2))


def as_sparse(X):
    from scipy.sparse import csr_array

    return csr_array(X)


def as_frame(X):
    import pandas as pd

    return pd.DataFrame(X)


def as_arrow(X):
    import pyarrow as pa

    return pa.table({f"x{index}": column for index, column in enumerate(X.T)})


@pytest.mark.parametrize("kind", [np.asarray, as_sparse, as_frame, as_arrow, lambda X: X.tolist(), lambda X: X > 0])
def test_an_experiment_tells_of_many_attributes(kind):
    X = np.random.default_rng(0).normal(size=(20, 3))
    wide, narrow = (experiment(kind(some)).run(progress=False) for some in (X, X[:, :2]))
    (finding,) = wide.findings
    assert finding.code == "A013"
    assert finding.message.startswith("20 cases with 3 attributes are fewer than 10 for each: ")
    assert str(finding) in wide.text(width=1000)
    assert wide.to_dict()["findings"] == [finding.to_dict()]
    assert narrow.findings == ()


@pytest.mark.parametrize("kind", [lambda X: X.astype(str), lambda X: as_frame(X).assign(text="a"), lambda X: X[:, 0]])
def test_an_experiment_is_silent_where_attributes_are_no_numbers(kind):
    result = experiment(kind(np.random.default_rng(0).normal(size=(20, 3)))).run(progress=False)
    assert result.plan["datasets"]["data"]["columns"] is None
    assert result.findings == ()
