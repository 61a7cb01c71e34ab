"""Every result carries the declared test that it comes from, and the declarations say which tests are valid."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest

from howsure import HowsureError, significance
from howsure.significance import mcnemar, valid_tests
from howsure.significance.declare import CROSS_VALIDATED, DESIGNS, MEASURES, registry

RNG = np.random.default_rng(5)
A, B = RNG.random((2, 12)).round(2)
TABLE = RNG.random((6, 3))
TRUTH = np.arange(12) % 2
CALLS = {
    "z_test": lambda test: test(A, 0.5, 0.1),
    "t_test": lambda test: test(A, 0.5),
    "binomial_test": lambda test: test(4, 40, 0.2),
    "normal_test": lambda test: test(4, 40, 0.2),
    "mcnemar": lambda test: test(2, 12),
    "clustered_mcnemar": lambda test: test([0, 1, 2], [3, 1, 0], [5, 4, 6]),
    "clustered_wald": lambda test: test((TABLE > 0.5).astype(int), cluster=np.arange(len(TABLE))),
    "sign_test": lambda test: test(A, B),
    "delong": lambda test: test(TRUTH, A, B),
    "delong_unpaired": lambda test: test(TRUTH, A, TRUTH, B),
    "equivalence": lambda test: test(0.01, 0.01, 0.02),
    "non_inferiority": lambda test: test(0.01, 0.01, 0.02),
    "paired_delta": lambda test: test(TRUTH, A > 0.5, B > 0.5),
    "permutation": lambda test: test(TRUTH, A > 0.5, B > 0.5, replicates=20),
    "bootstrap_difference": lambda test: test(TRUTH, A > 0.5, B > 0.5, replicates=20),
    "paired_t": lambda test: test(A, B),
    "corrected_paired_t": lambda test: test(A, B, ratio=0.1),
    "cautious_paired_t": lambda test: test(A, B, ratio=0.1, repeat=np.arange(len(A)) % 2),
    "corrected_paired_t_folds": lambda test: test(A, B, ratio=0.1, repeat=np.arange(len(A)) % 2),
    "corrected_paired_t_once": lambda test: test(A, B, ratio=0.1, repeat=np.arange(len(A)) % 2),
    "cross_validated_z": lambda test: test(A, B),
    "five_by_two_t": lambda test: test(A[:10].reshape(5, 2)),
    "five_by_two_f": lambda test: test(A[:10].reshape(5, 2)),
    "wilcoxon": lambda test: test(A, B),
    "cochran_q": lambda test: test((TABLE > 0.5).astype(int)),
    "contrast": lambda test: test(TABLE, weights=[1, -1, 0]),
    "bonferroni_dunn": lambda test: test(TABLE, control="1"),
    "dunnett": lambda test: test(TABLE, control="1"),
    "bayesian_correlated_t": lambda test: test(A, B, rho=0.1, rope=0.01),
    "bayesian_sign": lambda test: test(A, B, rope=0.01),
    "bayesian_signed_rank": lambda test: test(A, B, rope=0.01),
    "bayesian_normal": lambda test: test(0.01, 0.01),
    "bayesian_proportions": lambda test: test(20, 10, 100),
    "bayesian_hierarchical": lambda test: test(TABLE, rho=0.1, rope=0.01),
}


@pytest.mark.parametrize("name", registry)
def test_a_result_carries_its_test(name):
    declared = registry[name]
    assert getattr(significance, name) is declared.function
    result = CALLS.get(name, lambda test: test(TABLE))(declared.function)
    assert result.test is declared
    assert result.to_dict()["test"] == name
    assert result.variant in (declared.variants or [""])
    for copied in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert copied.test is declared
        assert str(copied) == str(result)
    assert "test=" not in repr(result)


@pytest.mark.parametrize("name", registry)
def test_what_is_declared(name):
    declared = registry[name]
    assert set(declared.designs) <= set(DESIGNS)
    assert set(declared.invalid) <= set(DESIGNS) - set(declared.designs)
    assert declared.measures in MEASURES
    assert declared.classifiers in ("one", "two", "two or more", "many")
    assert declared.null
    assert declared.assumes
    signature = inspect.signature(declared.function)
    assert "args" not in signature.parameters  # the wrapped function's own
    assert declared.function.__doc__


@pytest.mark.parametrize("method", ["exact", "mid-p", "chi2", "chi2-corrected"])
@pytest.mark.parametrize("counts", [(0, 0), (1, 4), (30, 20)])
def test_variants_of_mcnemar(method, counts):
    assert mcnemar(*counts, method).variant == method
    assert method in registry["mcnemar"].variants
    assert mcnemar(*counts).variant == ("chi2" if sum(counts) >= 25 else "mid-p")


def test_variants_of_ranks():
    scores = [[3, 2, 1]] * 4
    for test in (significance.friedman, significance.iman_davenport):
        for table in (np.array(scores), TABLE, np.ones((3, 2))):
            assert test(table).variant == "ties"
            assert test(table, ties=False).variant == "demsar"
    assert significance.wilcoxon(A, B).variant == "exact-drop"
    assert significance.wilcoxon(A, A).variant == "exact-drop"
    assert significance.wilcoxon(A, B, zeros="pratt", exact=False).variant == "normal-pratt"
    assert significance.wilcoxon(np.arange(60.0), np.zeros(60)).variant == "normal-drop"


def named(tests):
    return [test.name for test in tests]


def test_valid_tests_of_two_on_the_same_cases():
    by_drawing = ["permutation", "bootstrap_difference"]
    assert named(valid_tests("accuracy", "cases").valid) == ["mcnemar", "paired_delta", *by_drawing]
    assert named(valid_tests("of_auc", "cases").valid) == ["delong", "paired_delta", *by_drawing]
    assert named(valid_tests("any", "cases").valid) == ["paired_delta", *by_drawing]
    assert {test.name: reason for test, reason in valid_tests("any", "cases").invalid} == {
        "mcnemar": "it tests accuracy and the error rate only",
        "delong": "it tests the area under the ROC curve only",
    }
    assert "sign_test" in named(valid_tests("values", "cases").valid)


def test_valid_tests_of_two_on_cases_in_clusters():
    assert valid_tests("accuracy", "clusters").valid[0].name == "paired_delta"
    assert "clustered_mcnemar" in named(valid_tests("accuracy", "clusters").valid)
    for measure, test in (("accuracy", "mcnemar"), ("of_auc", "delong")):
        invalid = {one.name: reason for one, reason in valid_tests(measure, "clusters").invalid}
        assert invalid[test] == "it assumes independent cases, but cases of a cluster are correlated"


def test_valid_tests_over_splits_and_data_sets():
    assert named(valid_tests("any", "splits").valid) == ["paired_t", "sign_test"]
    for design in CROSS_VALIDATED:
        invalid = {test.name: reason for test, reason in valid_tests("of_auc", design).invalid}
        assert invalid["paired_t"] == "it assumes independent splits, but their training sets overlap"
        assert ("mcnemar" in invalid) == (design != "overlapping")
    assert named(valid_tests("any", "overlapping").valid) == ["corrected_paired_t", "cross_validated_z"]
    for design in ("repeated", "five_by_two"):
        assert valid_tests("any", design).valid[0].name == "cautious_paired_t"
    assert "five_by_two_f" in named(valid_tests("any", "five_by_two").valid)
    assert named(valid_tests("any", "datasets").valid) == ["wilcoxon", "sign_test"]
    assert "paired_t" in named(test for test, _ in valid_tests("any", "datasets").invalid)


def test_valid_tests_of_one_and_many():
    assert named(valid_tests("accuracy", "cases", "many").valid) == ["cochran_q"]
    assert named(valid_tests("of_auc", "cases", "many").valid) == ["delong"]
    assert named(valid_tests("any", "datasets", "many").valid) == [
        "iman_davenport",
        "friedman",
        "quade",
        "repeated_anova",
    ]
    assert not valid_tests("any", "overlapping", "many").valid
    reason = "it assumes independent rows, but the training sets of folds overlap"
    for design in CROSS_VALIDATED:
        of_rows = ["anova", "repeated_anova", "kruskal_wallis", "friedman", "iman_davenport", "quade"]
        refused = valid_tests("any", design, "many").invalid
        assert [(test.name, why) for test, why in refused] == [(name, reason) for name in of_rows]
        afterwards = valid_tests("any", design, "many", kind="posthoc")
        assert {why for _, why in afterwards.invalid} == {reason}
        assert {"tukey", "nemenyi", "critical_difference"} <= set(named(test for test, _ in afterwards.invalid))
    assert str(valid_tests("any", "unpaired", "many")) == "no test is declared for this design"
    assert named(valid_tests("any", "datasets", "many", kind="posthoc").valid)[0] == "nemenyi"
    assert named(valid_tests("any", "repeated", kind="bayesian").valid) == ["bayesian_correlated_t"]
    assert "binomial_test" in named(valid_tests("accuracy", "one", "one").valid)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("f1", "cases"), "`measure` must be one of 'accuracy', 'of_auc', 'any', 'values', not 'f1'."),
        (("any", "cases", "three"), "`classifiers` must be one of 'one', 'two', 'many', not 'three'."),
    ],
)
def test_refusals(arguments, sentence):
    with pytest.raises(HowsureError) as refused:
        valid_tests(*arguments)
    assert str(refused.value) == sentence
