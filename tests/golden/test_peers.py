"""Label measures against scikit-learn and PyCM on 1,000 random tables: the same number, or a known difference.

Both programs are asked once for every table; each test then compares one measure over all of them. Rounding is
the only tolerance: 1e-12 relative, and 1e-12 absolute beside it because kappa, informedness and the like subtract
numbers near 1, so that close to 0 their relative error is not bounded by anything.
"""

import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pytest
import sklearn
from pycm import ConfusionMatrix
from sklearn import metrics as sk

from howsure import Confusion
from howsure.measures import estimate
from howsure.measures.declare import registry

RTOL = ATOL = 1e-12
AVERAGES = ("macro", "micro", "weighted")
BETA = 2.0


@dataclass(frozen=True)
class Case:
    """A table, and the same as two columns of labels; with weights, one row for each cell."""

    counts: np.ndarray
    truth: np.ndarray
    predicted: np.ndarray
    weight: np.ndarray | None

    @property
    def k(self):
        return len(self.counts)

    @property
    def labels(self):
        return np.arange(self.k)


def make_cases(number=1000, seed=20261115):
    """Draw tables of 2 to 6 classes; six kinds take turns.

    Dense; of a few cases only; with an empty row; with an empty column; sparse; with real-valued weights.
    """
    draw = np.random.default_rng(seed)
    cases = []
    for turn in range(number):
        kind, k = turn % 6, int(draw.integers(2, 7))
        share = draw.dirichlet(np.full(k * k, 0.15 if kind == 4 else 1.0)).reshape(k, k)
        if kind == 2:
            share[draw.integers(k)] = 0
        if kind == 3:
            share[:, draw.integers(k)] = 0
        size = int(draw.integers(1, 12) if kind == 1 else draw.integers(20, 300))
        counts = draw.multinomial(size, share.ravel() / share.sum()).reshape(k, k)
        rows, columns = (place.ravel() for place in np.indices(counts.shape))
        if kind == 5:
            weights = counts * draw.uniform(0.1, 3.0, counts.shape)
            there = weights.ravel() > 0
            cases.append(Case(weights, rows[there], columns[there], weights.ravel()[there]))
        else:
            cells = counts.ravel()
            cases.append(Case(counts, np.repeat(rows, cells), np.repeat(columns, cells), None))
    return cases


CASES = make_cases()
WHOLE = [case for case in CASES if case.weight is None]
TWO_CLASSES = [case for case in CASES if case.k == 2]
SOME = CASES[::5]  # where a peer is slow and the same sums are compared elsewhere on all tables


def ours(name, cases, average=None, **parameters):
    """Give the values of a measure over all tables: one for each class, or one for each table."""
    values = []
    for case in cases:
        table = Confusion(case.counts)
        if average is None and registry[name].scope == "class":
            values.extend(registry[name].value(table.one_versus_rest, **parameters))
        else:
            values.append(estimate(table, name, average=average, **parameters).value)
    return np.array(values)


def counted(cases):
    """Count each class against the rest by the definition, over all tables: tp, fp, fn, tn."""
    found = []
    for case in cases:
        hits = np.diag(case.counts)
        truth, predicted = case.counts.sum(1), case.counts.sum(0)
        found.append([hits, predicted - hits, truth - hits, case.counts.sum() - truth - predicted + hits])
    return np.concatenate([np.array(row, float) for row in found], axis=1)


def agree(value, expected):
    np.testing.assert_allclose(value, expected, rtol=RTOL, atol=ATOL, equal_nan=True)


@contextmanager
def quiet():
    """Keep scikit-learn from warning about undefined values, which are what is looked at here, and be quick."""
    with warnings.catch_warnings(), sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        warnings.simplefilter("ignore")
        yield


def ask(function, cases, *, labels=False, **options):
    """Let a function of scikit-learn see every table."""
    with quiet():
        return [
            function(
                case.truth,
                case.predicted,
                sample_weight=case.weight,
                **({"labels": case.labels} if labels else {}),
                **options,
            )
            for case in cases
        ]


def sklearn_values(function, cases, **options):
    return np.concatenate([np.atleast_1d(value) for value in ask(function, cases, **options)])


def sklearn_rates(cases, **options):
    """Precision, recall and F as scikit-learn has them; with zero_division=nan it says where they are undefined."""
    options = {"zero_division": np.nan, **options}
    found = ask(sk.precision_recall_fscore_support, cases, labels=True, **options)
    return [np.concatenate([np.atleast_1d(row[place]) for row in found]) for place in range(3)]


def test_the_tables_hold_what_they_promise():
    rows = [(case.counts.sum(1) > 0).sum() for case in CASES]
    columns = [(case.counts.sum(0) > 0).sum() for case in CASES]
    classes = [case.k for case in CASES]
    assert len(CASES) == 1000
    assert set(classes) == {2, 3, 4, 5, 6}
    assert sum(row < k for row, k in zip(rows, classes, strict=True)) > 200  # a class without cases
    assert sum(column < k for column, k in zip(columns, classes, strict=True)) > 200  # a class never predicted
    assert min(rows) == min(columns) == 1  # one class only
    assert sum(case.weight is not None for case in CASES) > 150


@pytest.mark.parametrize("name", [name for name, measure in registry.items() if measure.scope == "class"])
def test_an_estimate_of_a_class_is_the_value_that_is_compared_here(name):
    """Most tests read all classes at once, for speed; an estimate folds the table to one class first."""
    parameters = {"beta": BETA} if "beta" in registry[name].parameters else {}
    for case in CASES[::19]:
        table = Confusion(case.counts)
        values = [estimate(table, name, label=label, **parameters).value for label in table.labels]
        agree(values, ours(name, [case], **parameters))


# ---- scikit-learn


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("accuracy", sk.accuracy_score),
        ("error_rate", sk.zero_one_loss),
        ("hamming_loss", sk.hamming_loss),
        ("balanced_accuracy", sk.balanced_accuracy_score),
    ],
)
def test_sklearn_overall(name, function):
    agree(ours(name, CASES), sklearn_values(function, CASES))


def test_sklearn_precision_recall_f1_of_each_class():
    for name, expected in zip(("precision", "recall", "f1"), sklearn_rates(CASES), strict=True):
        agree(ours(name, CASES), expected)


def test_sklearn_fbeta_of_each_class():
    agree(ours("f_beta", CASES, beta=BETA), sklearn_rates(CASES, beta=BETA)[2])


@pytest.mark.parametrize("average", AVERAGES)
def test_sklearn_averages(average):
    """With zero_division=nan scikit-learn leaves undefined classes out of an average, as howsure does.

    But where no class that occurs is ever predicted, no class with a precision has any weight: the weighted
    average is 0 / 0, which howsure leaves undefined, and scikit-learn takes the mean without weights instead.
    """
    expected = sklearn_rates(CASES, average=average)
    weightless = np.array([not (case.counts.sum(0) * case.counts.sum(1)).any() for case in CASES])
    assert weightless.any()
    for name, theirs in zip(("precision", "recall", "f1"), expected, strict=True):
        values = ours(name, CASES, average=average)
        if (name, average) == ("precision", "weighted"):
            np.testing.assert_array_equal(np.isnan(values), weightless)
            np.testing.assert_array_equal(theirs[weightless], 0)
            values, theirs = values[~weightless], theirs[~weightless]
        agree(values, theirs)


@pytest.mark.parametrize("average", AVERAGES)
def test_sklearn_averages_of_fbeta(average):
    expected = sklearn_rates(SOME, average=average, beta=BETA)[2]
    agree(ours("f_beta", SOME, average=average, beta=BETA), expected)


def test_sklearn_macro_averages_count_undefined_as_zero_unless_told():
    """The default of scikit-learn: an undefined class is a 0 in the mean, so the sum is divided by all k."""
    differ = 0
    expected = sklearn_rates(SOME, average="macro", zero_division=0)
    for name, theirs in zip(("precision", "recall", "f1"), expected, strict=True):
        macro = ours(name, SOME, average="macro")
        by_class = [ours(name, [case]) for case in SOME]
        share = np.array([np.mean(~np.isnan(values)) for values in by_class])
        agree(np.nan_to_num(macro) * share, theirs)
        differ += np.sum(~np.isclose(macro, theirs, equal_nan=True))
    assert differ > 100  # so the difference is real, and not only in words


def test_sklearn_jaccard_of_each_class():
    """scikit-learn has 0 where howsure has no value: a class that neither occurs nor is predicted."""
    values = ours("jaccard", CASES)
    tp, fp, fn, _ = counted(CASES)
    np.testing.assert_array_equal(np.isnan(values), tp + fp + fn == 0)
    theirs = sklearn_values(sk.jaccard_score, CASES, labels=True, average=None, zero_division=0)
    agree(np.nan_to_num(values), theirs)


@pytest.mark.parametrize("average", AVERAGES)
def test_sklearn_averages_of_jaccard(average):
    values = ours("jaccard", SOME, average=average)
    if average == "macro":  # again the sum divided by all k
        values = values * [np.mean(~np.isnan(ours("jaccard", [case]))) for case in SOME]
    agree(values, sklearn_values(sk.jaccard_score, SOME, labels=True, average=average, zero_division=0))


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_sklearn_kappa(weights):
    """Both have no value where all cases are of one class and predicted as it."""
    name, options = ("kappa", {}) if weights is None else ("weighted_kappa", {"weights": weights})
    values = ours(name, CASES, **options)
    agree(values, sklearn_values(sk.cohen_kappa_score, CASES, labels=True, weights=weights))
    one = [np.count_nonzero(case.counts.sum(0) + case.counts.sum(1)) == 1 for case in CASES]
    np.testing.assert_array_equal(np.isnan(values), one)
    assert any(one)


def test_sklearn_counts_steps_between_the_classes_it_sees():
    """Without `labels` scikit-learn forgets a class that never occurs, and linear weights lose a step."""
    counts = np.array([[5, 2, 0, 1], [1, 6, 0, 2], [0, 0, 0, 0], [1, 1, 0, 7]])
    truth, predicted = (np.repeat(place.ravel(), counts.ravel()) for place in np.indices(counts.shape))
    three = np.delete(np.delete(counts, 2, 0), 2, 1)
    theirs = sk.cohen_kappa_score(truth, predicted, weights="linear")
    agree(estimate(Confusion(three), "weighted_kappa", weights="linear").value, theirs)
    assert abs(estimate(Confusion(counts), "weighted_kappa", weights="linear").value - theirs) > 0.008


def test_sklearn_mcc():
    """scikit-learn says 0 where one margin is a single class and the correlation is 0 / 0; howsure says undefined."""
    values, theirs = ours("mcc", CASES), sklearn_values(sk.matthews_corrcoef, CASES)
    one = [1 in (np.count_nonzero(case.counts.sum(0)), np.count_nonzero(case.counts.sum(1))) for case in CASES]
    np.testing.assert_array_equal(np.isnan(values), one)
    assert any(one)
    agree(np.nan_to_num(values), theirs)


def test_sklearn_likelihood_ratios_of_two_classes():
    """Of two classes only; scikit-learn takes the second label as the positive one."""
    for positive in (0, 1):
        with quiet():
            theirs = [
                sk.class_likelihood_ratios(
                    case.truth, case.predicted, labels=[1 - positive, positive], sample_weight=case.weight
                )
                for case in TWO_CLASSES
            ]
        names = ("positive_likelihood_ratio", "negative_likelihood_ratio")
        for name, expected in zip(names, np.transpose(theirs), strict=True):
            agree([estimate(Confusion(case.counts), name, label=positive).value for case in TWO_CLASSES], expected)


# ---- PyCM: it takes whole numbers only, so the weighted tables are not shown to it


@pytest.fixture(scope="module")
def pycm():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [ConfusionMatrix(matrix=case.counts.tolist()) for case in WHOLE]


def number(value):
    """PyCM has the text "None" where a value is undefined."""
    return np.nan if value == "None" else float(value)


def by_class(peers, attribute):
    return np.array([number(value) for peer in peers for value in getattr(peer, attribute).values()])


OF_CLASSES = {
    "precision": "PPV",
    "recall": "TPR",
    "specificity": "TNR",
    "negative_predictive_value": "NPV",
    "false_positive_rate": "FPR",
    "false_negative_rate": "FNR",
    "false_discovery_rate": "FDR",
    "false_omission_rate": "FOR",
    "f1": "F1",
    "jaccard": "J",
    "prevalence": "PRE",
    "informedness": "BM",
    "markedness": "MK",
    "positive_likelihood_ratio": "PLR",
    "negative_likelihood_ratio": "NLR",
}


@pytest.mark.parametrize("name", OF_CLASSES)
def test_pycm_of_each_class(pycm, name):
    agree(ours(name, WHOLE), by_class(pycm, OF_CLASSES[name]))


def test_pycm_diagnostic_odds_ratio(pycm):
    """PyCM divides the likelihood ratios, and so has no value where there is no true negative; tp tn / fp fn is 0."""
    values, theirs = ours("diagnostic_odds_ratio", WHOLE), by_class(pycm, "DOR")
    _, fp, fn, tn = counted(WHOLE)
    none = (tn == 0) & (fp > 0) & (fn > 0)
    assert none.any()
    np.testing.assert_array_equal(values[none], 0)
    assert np.isnan(theirs[none]).all()
    agree(values[~none], theirs[~none])


@pytest.mark.parametrize(
    ("name", "attribute"),
    [("accuracy", "Overall_ACC"), ("majority_baseline", "NIR"), ("kappa", "Kappa"), ("mcc", "Overall_MCC")],
)
def test_pycm_overall(pycm, name, attribute):
    agree(ours(name, WHOLE), [number(getattr(peer, attribute)) for peer in pycm])


def test_pycm_losses(pycm):
    """The Hamming loss is the error rate; what PyCM calls zero-one loss is the number of errors, not their share."""
    errors = ours("error_rate", WHOLE)
    agree(errors, [peer.HammingLoss for peer in pycm])
    agree(errors * [case.counts.sum() for case in WHOLE], [peer.ZeroOneLoss for peer in pycm])


@pytest.mark.parametrize(
    ("name", "attribute"), [("precision", "PPV_Macro"), ("recall", "TPR_Macro"), ("f1", "F1_Macro")]
)
def test_pycm_macro_averages(pycm, name, attribute):
    """PyCM has no macro average as soon as one class has no value; howsure leaves the class out and says so."""
    values = ours(name, WHOLE, average="macro")
    theirs = np.array([number(getattr(peer, attribute)) for peer in pycm])
    some = np.array([np.isnan(ours(name, [case])).any() for case in WHOLE])
    assert some.any()
    np.testing.assert_array_equal(np.isnan(theirs), some)
    assert not np.isnan(values).any()
    agree(values[~some], theirs[~some])


def test_pycm_standard_errors(pycm):
    """PyCM has Cohen's standard error of 1960 for kappa, and Wald's interval with z = 1.96 for accuracy."""
    compared = 0
    for case, peer in zip(WHOLE, pycm, strict=True):
        n, table = case.counts.sum(), Confusion(case.counts)
        accuracy, kappa = estimate(table, "accuracy"), estimate(table, "kappa")
        if n < 50 or np.isnan(kappa.value) or not 0.1 < accuracy.value < 0.9:
            continue
        compared += 1
        chance = (case.counts.sum(0) @ case.counts.sum(1)) / n**2
        simple = np.sqrt(accuracy.value * (1 - accuracy.value) / n) / (1 - chance)
        agree(peer.Kappa_SE, simple)
        interval = accuracy.interval(2 * NormalDist().cdf(1.96) - 1, method="wald")
        agree([interval.low, interval.high], peer.CI95)
    assert compared > 300
