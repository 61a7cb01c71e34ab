"""Label errors: exact populations lead back to what they are of, bounds hold in every sample, and words say so."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import howsure
from howsure.measures import estimate

TWO = np.array([[380, 20], [30, 170]])
THREE = np.array([[90, 6, 4], [8, 70, 2], [5, 5, 60]])
MEASURES = ("accuracy", "error_rate", "recall", "specificity", "precision", "f1", "kappa", "mcc", "balanced_accuracy")


def recorded(truth, matrix):
    """The table of recorded classes that is to be expected."""
    return np.asarray(matrix).T @ truth


def symmetric(rate, k):
    return np.where(np.eye(k, dtype=bool), 1 - rate, rate / (k - 1))


def as_assessment(table, labels):
    """Real-valued counts, as shares of a case that are expected: times a million, they are whole."""
    return howsure.assess(howsure.Confusion(np.rint(np.asarray(table) * 10**6).astype(np.int64), labels=labels))


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.3])
@pytest.mark.parametrize("truth", [TWO, THREE], ids=["two", "three"])
def test_the_expected_table_leads_back_to_the_true_one(truth, rate):
    k = len(truth)
    labels = list("abc")[:k]
    noise = howsure.label_noise(as_assessment(recorded(truth, symmetric(rate, k)), labels), rate)
    np.testing.assert_allclose(noise.counts, truth * 10**6, rtol=1e-6)  # whole numbers of millionths of a case
    true = howsure.assess(howsure.Confusion(truth, labels=labels))
    for name in MEASURES:
        if name != "specificity" or k == 2:
            assert noise[name].value == pytest.approx(true[name].value, rel=1e-6), name
    assert noise.share == rate


@pytest.mark.parametrize(
    "error",
    [{"a": 0.1, "b": 0.02}, [[0.9, 0.1], [0.02, 0.98]], {"b": (2, 100), "a": (10, 100)}, [[90, 10], [2, 98]]],
    ids=["rates", "chances", "counts of classes", "table of counts"],
)
def test_rates_of_classes_are_a_matrix(error):
    matrix = np.array([[0.9, 0.1], [0.02, 0.98]])
    noise = howsure.label_noise(as_assessment(recorded(TWO, matrix), ["a", "b"]), error)
    np.testing.assert_allclose(noise.matrix, matrix, rtol=1e-12)
    np.testing.assert_allclose(noise.counts, TWO * 10**6, rtol=1e-6)
    true = howsure.assess(howsure.Confusion(TWO, labels=["a", "b"]))
    for name in MEASURES:
        assert noise[name].value == pytest.approx(true[name].value, rel=1e-6), name
    wrong = (400 * 0.1 + 200 * 0.02) / 600
    assert noise.share == pytest.approx(wrong, rel=1e-6)
    # The positive class may be the first, and the order of classes another.
    turned = howsure.Confusion(np.rint(recorded(TWO, matrix) * 10**6).astype(int), labels=["a", "b"]).reindex(
        ["b", "a"]
    )
    again = howsure.label_noise(howsure.assess(turned, positive="b"), {"a": 0.1, "b": 0.02})
    assert again["recall"].value == pytest.approx(noise["recall"].value, rel=1e-9)
    about_a = howsure.label_noise(howsure.assess(turned, positive="a"), {"a": 0.1, "b": 0.02})
    assert about_a["recall"].value == pytest.approx(380 / 400, rel=1e-6)


def test_a_matrix_of_three_classes_leads_back_too():
    matrix = np.array([[0.9, 0.1, 0.0], [0.05, 0.9, 0.05], [0.0, 0.2, 0.8]])
    noise = howsure.label_noise(as_assessment(recorded(THREE, matrix), list("abc")), matrix)
    true = howsure.assess(howsure.Confusion(THREE, labels=list("abc")))
    for name in ("accuracy", "f1", "kappa", "recall"):
        assert noise[name].value == pytest.approx(true[name].value, rel=1e-6)
    assert noise.estimate("recall", label="c").value == pytest.approx(60 / 70, rel=1e-6)
    assert noise.table.labels == ("a", "b", "c")


def test_known_errors_stretch_the_interval_of_accuracy_and_no_more():
    a = howsure.assess(howsure.Confusion([[450, 50], [50, 450]], labels=["ham", "spam"]))
    noise = howsure.label_noise(a, 0.05)
    low, high = ((end - 0.05) / 0.9 for end in a["accuracy"].interval())
    np.testing.assert_allclose(list(noise["accuracy"].interval()), [low, high], rtol=1e-12)
    low, high = (1 - end for end in reversed([low, high]))
    np.testing.assert_allclose(list(noise["error_rate"].interval()), [low, high], rtol=1e-9)
    assert noise["accuracy"].standard_error == pytest.approx(a["accuracy"].standard_error / 0.9, rel=1e-9)
    for name in ("accuracy", "f1", "kappa"):
        np.testing.assert_allclose(
            list(howsure.label_noise(a, 0.0)[name].interval()), list(a[name].interval()), rtol=1e-9
        )


def test_the_standard_error_is_that_of_both_samples():
    a = howsure.assess(howsure.Confusion([[450, 50], [50, 450]], labels=["ham", "spam"]))
    noise = howsure.label_noise(a, (6, 120))
    seen, rate, checked = 0.9, 0.05, 120
    of_rate = (2 * seen - 1) / (1 - 2 * rate) ** 2  # the derivative of (seen - rate) / (1 - 2 rate)
    expected = math.hypot(math.sqrt(0.09 / 1000) / 0.9, of_rate * math.sqrt(rate * (1 - rate) / checked))
    assert noise["accuracy"].standard_error == pytest.approx(expected, rel=1e-6)
    known = howsure.label_noise(a, 0.05)
    for name in ("accuracy", "recall", "f1", "kappa"):
        unsure, sure = noise[name].interval(), known[name].interval()
        assert noise[name].value == pytest.approx(known[name].value, rel=1e-12)
        assert unsure.low < sure.low < noise[name].value < sure.high < unsure.high
    many = howsure.label_noise(a, (60000, 1200000))["accuracy"].interval()
    np.testing.assert_allclose(list(many), list(known["accuracy"].interval()), atol=1e-3)


def test_bounds_hold_whatever_is_wrong():
    truth, predicted = [0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 0, 1]
    a = howsure.assess(truth, predicted)
    noise = howsure.label_noise(a, 2 / 8)
    low, high = noise.worst
    found = []
    for wrong in itertools.combinations(range(8), 2):
        right = np.array(truth)
        right[list(wrong)] = 1 - right[list(wrong)]
        found.append((right == predicted).mean())
    assert (min(found), max(found)) == (low, high)
    wide = noise.worst_interval()
    assert wide[0] < low < high <= wide[1]


def test_bounds_of_a_difference_hold_whatever_is_wrong():
    truth, one, other = [0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 0, 0, 1, 1]
    c = howsure.compare(truth, {"one": one, "other": other})
    for wrong, may_be in ((1, False), (2, True), (3, True)):
        pair = howsure.label_noise(c, wrong / 8).pairs[0]
        found = []
        for places in itertools.combinations(range(8), wrong):
            right = np.array(truth)
            right[list(places)] = 1 - right[list(places)]
            found.append((right == one).mean() - (right == other).mean())
        assert pair.bounds[0] <= min(found)
        assert max(found) <= pair.bounds[1]
        if wrong == 1:
            assert pair.bounds[0] == min(found)
        assert pair.may_be_noise is may_be
        assert (min(found) <= 0) == may_be
    assert howsure.label_noise(c, 3 / 8).pairs[0].most == 3 / 8  # they differ on no more cases


def test_errors_at_random_shrink_a_difference_and_leave_the_test():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 400)
    names = {name: np.where(rng.random(400) < p, truth, 1 - truth) for name, p in (("one", 0.9), ("other", 0.8))}
    c = howsure.compare(truth, names)
    noise = howsure.label_noise(c, 0.1)
    (pair,) = noise.pairs
    assert noise.factor == pytest.approx(0.8)
    assert pair.corrected.value == pytest.approx(c.difference.value / 0.8, rel=1e-12)
    np.testing.assert_allclose(
        list(pair.corrected.interval()), np.array(list(c.difference.interval())) / 0.8, rtol=1e-9
    )
    assert noise.records()[0]["pvalue"] == c.test.pvalue
    values = noise.values
    assert values["one"].value - values["other"].value == pytest.approx(pair.corrected.value, rel=1e-9)
    for measure in ("f1", "kappa", "recall"):
        other = howsure.label_noise(howsure.compare(truth, names, measure=measure), {0: 0.1, 1: 0.02})
        (pair,) = other.pairs
        assert pair.corrected.value == pytest.approx(
            other.values["one"].value - other.values["other"].value, rel=1e-9
        ), measure
        low, high = pair.corrected.interval()
        assert low < pair.corrected.value < high
        assert math.isnan(pair.most)
        assert pair.may_be_noise is None


def test_the_answer_is_said_in_words():
    a = howsure.assess(howsure.Confusion([[450, 50], [50, 450]], labels=["ham", "spam"]))
    assert howsure.label_noise(a, (6, 120)).sentences == (
        "If 5 % of the labels are wrong at random (6 of 120 checked), the true accuracy is about 0.944 [0.911, 1.000] "
        "instead of 0.900; if the errors favour one side, it is between 0.850 and 0.950.",
    )
    assert howsure.label_noise(a, 0.3).sentences == (
        "If 30 % of the labels are wrong at random, more errors would be observed than there are: either fewer labels "
        "are wrong, or the errors favour the classifier; in both cases the accuracy is between 0.600 and 1.000.",
    )
    truth = np.repeat([0, 1], 100)
    one, other = truth.copy(), truth.copy()
    one[:10], other[:30] = 1, 1
    c = howsure.compare(truth, {"one": one, "other": other})
    assert howsure.label_noise(c, 0.02).sentences == (
        "If 2 % of the labels are wrong at random, the true difference in accuracy (one - other) is about 0.104 "
        "[0.068, 0.156] instead of 0.100; if the errors favour one of the two, it is between 0.060 and 0.100, and the "
        "errors alone cannot explain the observed difference: they can cause at most 0.040.",
    )


@pytest.mark.parametrize("error", [0.5, 0.7, {"ham": 0.4, "spam": 0.6}, [[0.2, 0.8], [0.8, 0.2]]])
def test_noise_as_large_as_chance_leaves_nothing_to_correct(error):
    a = howsure.assess(howsure.Confusion([[450, 50], [50, 450]], labels=["ham", "spam"]))
    noise = howsure.label_noise(a, error)
    reason = "with these error rates, the labels are no better than chance"
    assert noise.undefined == reason
    assert noise.table is None
    for name in ("accuracy", "recall", "kappa"):
        assert math.isnan(noise[name].value)
        assert noise[name].undefined == reason
        assert math.isnan(noise[name].interval().low)
    assert "so no correction is possible." in " ".join(str(noise).split())
    assert noise.to_dict()["measures"][0]["value"] is None
    three = howsure.assess(howsure.Confusion(THREE, labels=list("abc")))
    assert howsure.label_noise(three, 2 / 3).undefined == reason
    assert howsure.label_noise(three, 0.6).undefined is None
    c = howsure.compare([0, 1] * 20, {"a": [0, 1] * 20, "b": [0] * 40})
    assert howsure.label_noise(c, 0.5).undefined == reason
    assert math.isnan(howsure.label_noise(c, 0.5).factor)


def test_more_errors_than_there_are_have_no_value_with_a_reason():
    a = howsure.assess(howsure.Confusion([[500, 0], [1, 499]], labels=["ham", "spam"]))
    accuracy = howsure.label_noise(a, 0.1)["accuracy"]
    assert math.isnan(accuracy.value)
    assert (
        accuracy.undefined
        == "with these label error rates, more misclassified cases would be expected than were observed"
    )
    few = howsure.assess(howsure.Confusion([[49, 1], [0, 50]], labels=["ham", "spam"]))
    accuracy = howsure.label_noise(few, 0.03)["accuracy"]
    assert accuracy.value == 1
    assert accuracy.notes == (
        "the correction exceeds the range of the measure, so the value was set to the end of the range",
    )
    assert accuracy.interval().low < 1


def test_checks_that_leave_the_rate_open_leave_the_value_open():
    a = howsure.assess(howsure.Confusion([[45, 5], [5, 45]], labels=["ham", "spam"]))
    low, high = howsure.label_noise(a, (0, 3))["accuracy"].interval()
    assert (low, high) == (0, 1)  # of three labels, more than half may be wrong


def test_clusters_and_weights_are_in_corrected_intervals():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 300)
    right = np.repeat(rng.random(60) < 0.8, 5)
    predicted = np.where(right, truth, 1 - truth)
    plain, clustered = howsure.assess(truth, predicted), howsure.assess(truth, predicted, cluster=np.arange(300) // 5)
    for name in ("accuracy", "recall", "kappa"):
        widths = [np.diff(list(howsure.label_noise(a, 0.05)[name].interval()))[0] for a in (plain, clustered)]
        assert widths[1] > 1.5 * widths[0], name
    weighed = howsure.assess(truth, predicted, weight=rng.random(300))
    whole = howsure.assess(howsure.Confusion(np.rint(weighed.confusion.counts * 1e9).astype(int)))
    recalls = [howsure.label_noise(a, 0.05)["recall"].value for a in (weighed, whole)]
    assert recalls[0] == pytest.approx(recalls[1], rel=1e-6)


A = howsure.assess(howsure.Confusion([[45, 5], [5, 45]], labels=["ham", "spam"]))


@pytest.mark.parametrize(
    ("result", "error", "sentence"),
    [
        (A, 5, "`error` must be a number between 0 and 1, not 5; did you mean 0.05?"),
        (A, -0.1, "`error` must be a number between 0 and 1, not -0.1."),
        (A, (7, 5), "`error` must be the numbers of wrong and of checked labels, such as (6, 120), not (7, 5)."),
        (A, (0.5, 5), "`error` must be the numbers of wrong and of checked labels, such as (6, 120), not (0.5, 5)."),
        (A, {"ham": 0.1}, "`error` must have a rate for each of the classes 'ham', 'spam', not ['ham']."),
        (
            A, {"ham": "x", "spam": 0.1},
            "`error` must be the share of wrong labels, such as 0.05, or numbers of wrong and checked labels, such as "
            "(6, 120), not 'x'.",
        ),
        (
            A, "much",
            "`error` must be a share, (wrong, checked), a rate for each class, or a table of 2 x 2 probabilities or "
            "checked labels by true and recorded class, not 'much'.",
        ),
        (
            A, [[0.9, 0.2], [0.1, 0.9]],
            "`error` must have probabilities that add up to 1 for each true class, or numbers of checked labels; those "
            "of 'ham' add up to 1.1.",
        ),
        (0.9, 0.1, "`result` must be an `Assessment` or a `Comparison`, not 0.9."),
        (
            howsure.assess([["a", "b"], ["a", "a"], ["b", "b"]], ["a", "a", "b"]), 0.1,
            "label errors need one true label for each case, and some cases have several; assess one annotator, or use "
            "`ceiling`, the highest possible accuracy.",
        ),
        (
            A.at_prevalence(0.1), 0.1,
            "label errors are those of the sample; give the assessment at the prevalence of the sample.",
        ),
        (
            howsure.compare([0, 1] * 9, scores={"a": np.arange(18), "b": np.arange(18)[::-1]}), 0.1,
            "`label_noise` needs a comparison of labels on the same cases.",
        ),
        (
            howsure.compare(list("abc") * 9, {"x": list("abc") * 9, "y": list("acb") * 9}, positive="a", measure="f1"),
            0.1,
            "`f1` describes one class, but labels may be confused among the other classes; compare by a measure of all "
            "classes, such as 'accuracy'.",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_in_words(result, error, sentence):
    with pytest.raises(howsure.HowsureError) as refused:
        howsure.label_noise(result, error)
    assert str(refused.value) == sentence


def test_measures_of_scores_cannot_be_corrected():
    noise = howsure.label_noise(howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.6, 0.9]), 0.1)
    with pytest.raises(howsure.HowsureError) as refused:
        _ = noise["auc"]
    assert str(refused.value) == "`auc` cannot be corrected for label errors; measures of labels can."


def test_the_classes_of_a_table_have_any_order_and_names():
    table = howsure.Confusion(THREE, labels=list("abc"))
    first = howsure.label_noise(howsure.assess(table), (6, 120))
    second = howsure.label_noise(howsure.assess(table.reindex(list("cab"))), (6, 120))
    for name in ("accuracy", "f1", "kappa", "recall"):
        assert second[name].value == pytest.approx(first[name].value, rel=1e-9)
        np.testing.assert_allclose(list(second[name].interval()), list(first[name].interval()), rtol=1e-6)
    assert estimate(first.table, "accuracy").value == pytest.approx(first["accuracy"].value, rel=1e-9)
