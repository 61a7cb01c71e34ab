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
        "'c' has no cases and is never predicted; averages leave such classes out",
    ),
    "A002": (
        Confusion([[50, 0], [50, 0]], list("ab")),
        "the classifier never predicts 'b', so its precision is undefined",
    ),
    "A003": (
        Confusion([[998, 1], [1, 0]], list("ab")),
        "99.9 % of the cases are of class 'a'; always predicting it would reach this accuracy, so accuracy alone says "
        "little",
    ),
    "A004": (
        Confusion([[40, 10], [9, 20]], list("ab")),
        "fewer than 30 cases support recall of 'b' (29); expect wide intervals",
    ),
    "A005": (
        Confusion([[40, 10, 2], [10, 40, 0], [0, 0, 0]], list("abc")),
        "'c' is predicted but never occurs in the truth; check the spelling of the labels",
    ),
    "A006": (
        Confusion([[10, 40], [45, 5]], list("ab")),
        "accuracy 0.150 is below the 0.500 obtained by always predicting the most frequent class; "
        "inverting every prediction would be better (0.850)",
    ),
}
SCORED = {
    "A007": (
        ScoreTable.from_scores([1, 1, 0, 0], [np.inf, 0.5, 0.4, -np.inf]),
        "2 scores are infinite: they rank above or below all others, and tie with each other",
    ),
    "A008": (
        ScoreTable.from_scores([1, 0], [0.5, 0.5]),
        "all scores are 0.5, so they do not rank the cases, and the AUC is 0.5 whatever the classifier",
    ),
    "A009": (
        ScoreTable.from_scores([1, 1, 0, 0], [0.2, 0.6, 0.5, 0.7]),
        "the AUC, 0.250, is worse than random; check the positive class (inverted scores have an AUC of 0.750)",
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
        "leave-one-out cannot be stratified: in training, the class of the left-out case has one case fewer, so a "
        "learner that depends on class sizes looks worse than it is (a majority vote between two classes of equal size "
        "is wrong on every case); use stratified folds",
    ),
    "A011": (
        {"table": EVEN, "touches": ("tree(depth=1)", "tree(depth=2)", "tree(depth=1)")},
        {"table": EVEN, "touches": ("tree(depth=1)",)},
        "the test cases were used 3 times, with 2 models (tree(depth=1), tree(depth=2)); reporting the best of them "
        "selects on the test cases, so its value is optimistic: use new cases for the final estimate",
    ),
    "A012": (
        {"stacking": "in-sample"},
        {"stacking": "out-of-fold"},
        "the combiner was trained on the predictions of the base learners for their own training cases; these look "
        "better than they are, so the combiner gives the most weight to the learner that overfits most; train it on "
        "out-of-fold predictions, the default",
    ),
    "A013": (
        {"shape": (299, 30)},
        {"shape": (300, 30)},
        "299 cases with 30 attributes are fewer than 10 cases per attribute: the space is nearly empty (78.5 % of a "
        "ball of 30 dimensions lies within 5 % of its surface), and attributes that fit by chance are easily found; "
        "select or combine attributes inside each training set, use a simpler or more strongly regularised learner, or "
        "get more cases",
    ),
    "A014": (
        {"scores": THREE, "threshold": 4.0},
        {"scores": THREE, "threshold": 3.0},
        "all scores, from 1 to 3, are below the threshold 4, so every case is predicted negative; give a `threshold` "
        "within this range",
    ),
    "A015": (
        {"scores": ScoreTable.from_scores([1, 1, 0], [95, 33.3, 0.5]), "threshold": 0.5},
        {"scores": ScoreTable.from_scores([1, 1, 0], [95, 33.3, 0.5]), "threshold": 1.0},
        "the scores, from 0.5 to 95, look like percentages, but the threshold is 0.5; divide them by 100, or give "
        "`threshold=50`",
    ),
    "A017": (
        {"clusters": in_clusters(9, 10).clusters},
        {"clusters": in_clusters(10, 10).clusters},
        "there are only 9 clusters, so the variation between clusters is poorly estimated",
    ),
    "A018": (
        {"clusters": in_clusters(10, 5, first=25).clusters},
        {"clusters": in_clusters(10, 5, first=20).clusters},
        "cluster 0 holds 36 % of the cases and dominates the result",
    ),
    "A020": (
        {"table": in_clusters(12, 4, rare=5), "clusters": in_clusters(12, 4, rare=5).clusters},
        {"table": in_clusters(12, 4, rare=10), "clusters": in_clusters(12, 4, rare=10).clusters},
        "fewer than 10 clusters have cases of 1 (5); rates of such classes are poorly estimated",
    ),
    "A021": (
        {"ratings": agreement([[0, 0]] * 94 + [[0, 1], [1, 0]] * 3)},
        {"ratings": agreement([[0, 0]] * 50 + [[1, 1]] * 44 + [[0, 1], [1, 0]] * 3)},
        "raters agree on 94 %, but alpha is -0.03: 97 % of the ratings are 0, so the agreement expected by chance is "
        "as high; compare AC1, 0.94",
    ),
    "A022": (
        {"ratings": agreement([[0, 0, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0]])},
        {"ratings": agreement([[0, 0], [1, 1], [0, 1]] * 10)},
        "only 3 items were rated at least twice; expect wide intervals, and check that rows are items and columns are "
        "raters",
    ),
    "A023": (
        {"ratings": agreement({"anna": [0, 1, 0, 1, 0] * 6, "ben": [1] * 30})},
        {"ratings": agreement({"anna": [0, 1, 0, 1, 0] * 6, "ben": [1] * 29 + [0]})},
        "'ben' (1) gave every item the same rating; such ratings carry no information about the items",
    ),
    "A024": (
        {"ratings": agreement([["a", "a"], ["b", "c"], ["c", "c"]] * 10, labels=list("abcd"))},
        {"ratings": agreement([["a", "a"], ["b", "c"], ["c", "c"]] * 10)},
        "no rater chose 'd'; Brennan-Prediger and Gwet's coefficients count such categories too",
    ),
    "A025": (
        {"annotations": Annotations(3, 40, 0.23, 0.88)},
        {"annotations": Annotations(3, 40, 0.05, 0.98)},
        "annotators disagree on 23 % of the cases, so no classifier can agree with all of them; the highest possible "
        "accuracy is 0.880",
    ),
    "A019": (
        {"repeated": ("patient_id", "page")},
        {"repeated": ()},
        "'patient_id', 'page' have repeated values: if such cases belong together, intervals are too narrow; name the "
        "column with `cluster=`",
    ),
    "A016": (
        {"scores": ScoreTable.from_scores([1, 1, 0], [1, 0.5, -2]), "threshold": 0.0},
        {"scores": THREE, "threshold": 0.0},
        "the scores, from -2 to 1, are not probabilities: like the values of a decision function, they are compared "
        "with 0, unless `threshold` is given",
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
    assert messages["A006"] == "accuracy 0.600 is below the 0.800 obtained by always predicting the most frequent class"


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
    with pytest.raises(TypeError, match="which is not a field of Evidence"):
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
    assert finding.message.startswith("20 cases with 3 attributes are fewer than 10 cases per attribute: ")
    assert str(finding) in wide.text(width=1000)
    assert wide.to_dict()["findings"] == [finding.to_dict()]
    assert narrow.findings == ()


@pytest.mark.parametrize("kind", [lambda X: X.astype(str), lambda X: as_frame(X).assign(text="a"), lambda X: X[:, 0]])
def test_an_experiment_is_silent_where_attributes_are_no_numbers(kind):
    result = experiment(kind(np.random.default_rng(0).normal(size=(20, 3)))).run(progress=False)
    assert result.plan["datasets"]["data"]["columns"] is None
    assert result.findings == ()
