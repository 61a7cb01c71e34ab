"""Copying, seeding, fitting and asking a learner: the step that all resampling is made of."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from howsure import HowsureError
from howsure.resampling.fit import (
    class_probabilities,
    class_scores,
    constant_if_one_class,
    encode_predicted,
    fit_rows,
    fresh,
    learner_name,
    set_random_state,
)

X = np.array([[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]])
Y = np.array(["a", "a", "b", "b", "c", "c"])
LABELS = np.array(["a", "b", "c"])


def test_a_fresh_copy_is_seeded_where_the_user_left_it_open():
    learner = make_pipeline(StandardScaler(), RandomForestClassifier())
    copy = fresh(learner, (3, 1))
    assert learner[-1].random_state is None
    assert copy[-1].random_state == int(np.random.SeedSequence((3, 1)).generate_state(1)[0]) >> 1
    assert fresh(learner)[-1].random_state is None


def test_a_random_state_of_the_user_stays_unless_it_is_to_be_replaced():
    learner = RandomForestClassifier(random_state=7)
    assert fresh(learner, 0).random_state == 7
    assert fresh(learner, 0, overwrite=True).random_state == set_random_state(RandomForestClassifier(), 0).random_state


def test_a_seed_may_be_a_seed_sequence():
    sequence = np.random.SeedSequence(5)
    assert fresh(RandomForestClassifier(), sequence).random_state == fresh(RandomForestClassifier(), 5).random_state


def test_a_learner_without_parameters_is_copied_all_the_same():
    class Plain:
        def __init__(self):
            self.state = [2]

    plain = Plain()
    copy = fresh(plain, 0)
    copy.state.append(3)
    assert plain.state == [2]


def test_rows_are_fitted_as_often_as_they_are_listed():
    model = fit_rows(GaussianNB(), X, Y, np.array([0, 1, 2, 2, 3, 3]))
    assert model.class_count_.tolist() == [2, 4]


def test_a_fit_that_returns_nothing_gives_the_learner():
    class Silent:
        def fit(self, X, y):
            self.n = len(y)

    learner = Silent()
    assert fit_rows(learner, X, Y, np.arange(4)) is learner
    assert learner.n == 4


def test_weights_go_with_their_rows():
    model = fit_rows(GaussianNB(), X, Y, np.arange(4), np.array([1.0, 1, 3, 3, 9, 9]))
    assert model.class_count_.tolist() == [2, 6]


def test_predicted_labels_become_class_codes():
    assert encode_predicted(["c", "a"], LABELS, 2).tolist() == [2, 0]
    assert encode_predicted([[2.0], [0.0]], (0, 1, 2), 2).tolist() == [2, 0]
    assert encode_predicted(np.array(["c", None], object), LABELS, 2, strict=False).tolist() == [2, -1]


@pytest.mark.parametrize(
    ("predicted", "sentence"),
    [
        (["a", "z"], "the learner predicted 'z', which is not a class of the data"),
        (["a"], "the learner returned predictions of shape (1,) for 2 rows"),
        ([["a", "b"], ["a", "b"]], "the learner returned predictions of shape (2, 2) for 2 rows"),
        ([0, 1], "the learner predicted 0, which is not a class of the data"),
    ],
)
def test_predictions_that_are_refused(predicted, sentence):
    with pytest.raises(HowsureError) as caught:
        encode_predicted(predicted, LABELS, 2)
    assert str(caught.value) == sentence


def test_a_class_that_was_not_in_training_has_no_probability():
    model = fit_rows(GaussianNB(), X, Y, np.array([0, 1, 4, 5]))
    assert class_probabilities(model, X[:1], LABELS).tolist() == [[1, 0, 0]]


def test_scores_are_probabilities_first_and_decisions_else():
    scores, kind = class_scores(fit_rows(GaussianNB(), X, Y), X, LABELS, 6)
    assert (scores.shape, kind) == ((6, 3), "probability")
    scores, kind = class_scores(fit_rows(LinearSVC(), X, Y, np.array([0, 1, 4, 5])), X, LABELS, 6)
    assert kind == "decision"
    assert np.isneginf(scores[:, 1]).all()
    np.testing.assert_array_equal(scores[:, 0], -scores[:, 2])


def test_one_class_is_predicted_by_a_constant():
    learner = GaussianNB()
    assert constant_if_one_class(learner, Y) is learner
    model = constant_if_one_class(learner, Y[:2]).fit(X[:2], Y[:2])
    assert model.predict(X).tolist() == ["a"] * 6


def test_a_pipeline_is_named_by_its_steps():
    assert learner_name(make_pipeline(StandardScaler(), GaussianNB())) == "StandardScaler > GaussianNB"
    assert learner_name(GaussianNB()) == "GaussianNB"
