"""Answers without a truth: right or wrong, graded, and several to a case."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

import howsure
from howsure import HowsureError
from howsure.tables.outcomes import Outcomes

RNG = np.random.default_rng(15)
N, K = 120, 6
CASE = np.repeat(np.arange(N), K)
TOPIC = np.arange(N) % 15
SKILL = RNG.beta(2, 1, N)
RIGHT = RNG.random(N * K) < np.repeat(SKILL, K)
OTHER = RNG.random(N * K) < np.repeat(np.clip(SKILL - 0.15, 0, 1), K)
GRADED = np.clip(SKILL + RNG.normal(0, 0.1, N), 0, 1)


def repeated(**keys):
    return howsure.assess(correct=RIGHT, case=CASE, **keys)


# One answer to each case


def test_right_and_wrong_is_a_share_to_the_last_bit():
    right = SKILL > 0.5
    mine = howsure.assess(correct=right)["accuracy"]
    labels = howsure.assess(["yes"] * N, np.where(right, "yes", "no"), labels=["yes", "no"])["accuracy"]
    assert mine.value == labels.value
    for method in ("auto", "wilson", "clopper-pearson", "jeffreys"):
        assert tuple(mine.interval(method=method)) == tuple(labels.interval(method=method))


def test_no_precision_and_no_baseline_is_invented():
    a = howsure.assess(correct=[1, 0, 1, 1])
    assert a.applicable() == ["accuracy"]
    assert "baseline" not in str(a)
    assert "always answering" not in str(a)
    with pytest.raises(HowsureError, match="measure of outcomes"):
        a["precision"]


@pytest.mark.parametrize("correct", [[True, False, True], [1, 0, 1], [1.0, 0.0, 1.0], np.array([1, 0, 1], np.int8)])
def test_right_and_wrong_come_in_many_types(correct):
    assert howsure.assess(correct=correct)["accuracy"].value == pytest.approx(2 / 3, rel=1e-15)


def test_graded_scores_have_a_mean_and_no_accuracy():
    a = howsure.assess(correct=GRADED)
    assert a["mean_score"].value == pytest.approx(GRADED.mean(), rel=1e-13)
    assert a.applicable() == ["mean_score"]
    with pytest.raises(
        HowsureError, match=r"^`accuracy` needs answers that are right or wrong, but these are graded\.$"
    ):
        a["accuracy"]


def test_graded_scores_vary_less_than_shares_and_so_tell_more():
    graded, share = howsure.assess(correct=GRADED)["mean_score"], howsure.assess(correct=GRADED > 0.5)["accuracy"]
    assert graded.interval().width < 0.8 * share.interval().width


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("n", [1, 2, 5, 50])
def test_equal_scores_have_an_interval_with_width_that_stays_inside(score, n):
    low, high = howsure.assess(correct=[score] * n)["mean_score"].interval()
    assert 0 <= low <= score <= high <= 1
    assert high - low > 0.01


def test_standard_error_is_that_of_a_mean():
    a = howsure.assess(correct=GRADED)["mean_score"]
    assert a.standard_error == pytest.approx(GRADED.std() / np.sqrt(N), rel=1e-12)


def test_bootstrap_agrees_with_the_default():
    estimate = howsure.assess(correct=GRADED)["mean_score"]
    drawn = estimate.interval(method="bootstrap", replicates=4000, seed=1)
    assert tuple(estimate.interval()) == pytest.approx(tuple(drawn), abs=0.012)  # about a sixth of the width


# Several answers to a case


def brute(value):
    """Average a function of k answers over all ways to take them, case by case."""
    right = RIGHT.reshape(N, K)
    return np.mean([np.mean([value(list(some)) for some in combinations(row, 3)]) for row in right])


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("pass_at(k=3)", any),
        ("pass_all(k=3)", all),
        ("majority(k=3)", lambda some: sum(some) > 1.5),
    ],
)
def test_measures_of_k_answers_average_over_all_ways_to_take_them(measure, value):
    assert repeated()[measure].value == pytest.approx(brute(value), rel=1e-12)


def test_half_of_the_answers_counts_half():
    a = howsure.assess(correct=[1, 0, 1, 1], case=["a", "a", "b", "b"])
    assert a["majority(k=2)"].value == pytest.approx((0.5 + 1) / 2, rel=1e-12)


def test_pass_at_is_the_unbiased_estimator():
    outcomes = repeated().outcomes
    n, c = outcomes.answers, outcomes.total.astype(int)
    expected = np.mean([1 - comb(int(m - s), 4) / comb(int(m), 4) for m, s in zip(n, c, strict=True)])
    assert repeated()["pass_at(k=4)"].value == pytest.approx(expected, rel=1e-12)


def test_more_answers_than_there_are_is_undefined_and_says_why():
    estimate = repeated()[f"pass_at(k={K + 1})"]
    assert np.isnan(estimate.value)
    assert estimate.undefined == f"{N} of {N} cases have fewer than {K + 1} answers"


@pytest.mark.parametrize("k", [0, -1, 1.5, "2"])
def test_numbers_of_answers_that_are_none_are_refused(k):
    with pytest.raises(HowsureError, match="`k` must be"):
        repeated().estimate("pass_at", k=k)


def test_a_parameter_that_is_missing_or_not_there_is_refused():
    with pytest.raises(HowsureError, match=r"^`pass_at` needs `k`, a number of answers: `pass_at\(k=5\)`\.$"):
        repeated()["pass_at"]
    with pytest.raises(HowsureError, match=r"^`accuracy` has no parameter 'k'; it takes none\.$"):
        repeated()["accuracy(k=2)"]


def test_each_case_counts_once_however_often_it_was_answered():
    a = howsure.assess(correct=[1, 1, 1, 0, 0], case=["a", "a", "a", "a", "b"])
    assert a["accuracy"].value == pytest.approx((0.75 + 0) / 2, rel=1e-12)
    assert a.n == 2


def test_variance_is_split_into_that_of_cases_and_of_repeats():
    many = 4000
    skill, case = RNG.beta(2, 2, many), np.repeat(np.arange(many), 5)
    noise = howsure.assess(correct=RNG.random(5 * many) < np.repeat(skill, 5), case=case).noise
    assert noise.case_variance == pytest.approx(0.05, abs=0.004)  # of Beta(2, 2); Monte Carlo error about 0.001
    assert noise.repeat_variance == pytest.approx(0.2, abs=0.006)  # mean of p (1 - p)
    assert noise.repeat_share == pytest.approx(0.04 / 0.09, abs=0.03)


def test_noise_is_none_without_repeats():
    assert howsure.assess(correct=[1, 0, 1]).noise is None


# Clusters


def test_clusters_are_of_cases_and_widen_the_interval():
    alike = np.repeat(RNG.random(20) < 0.6, 10)
    topic = np.repeat(np.arange(20), 10)
    plain, clustered = (howsure.assess(correct=alike, **keys)["accuracy"] for keys in ({}, {"cluster": topic}))
    assert clustered.clusters == 20
    assert clustered.design_effect == pytest.approx(10 * 20 / 19, rel=1e-9)
    assert clustered.effective_n == pytest.approx(19, rel=1e-9)
    assert clustered.interval().width > 2.5 * plain.interval().width


def test_clusters_of_one_case_each_change_no_bit():
    assert howsure.assess(correct=GRADED, cluster=np.arange(N)).to_dict() == howsure.assess(correct=GRADED).to_dict()


def test_a_case_of_two_clusters_is_refused():
    with pytest.raises(
        HowsureError, match=r"^`cluster` must be the same in all rows of a case, but 'a' is in both 'x' and 'y'\.$"
    ):
        howsure.assess(correct=[1, 0, 1], case=["a", "a", "b"], cluster=["x", "y", "x"])


def test_order_of_rows_does_not_matter():
    order = RNG.permutation(N * K)
    shuffled = howsure.assess(correct=RIGHT[order], case=CASE[order], cluster=TOPIC[CASE][order])
    straight = repeated(cluster=TOPIC[CASE])
    for measure in straight.applicable():
        assert tuple(shuffled[measure].interval()) == pytest.approx(tuple(straight[measure].interval()), rel=1e-12)


def test_tables_of_shards_add_up_to_the_whole():
    keys = howsure.assess(correct=RIGHT, case=CASE, cluster=TOPIC[CASE]).outcomes
    halves = [
        howsure.assess(correct=RIGHT[rows], case=CASE[rows], cluster=TOPIC[CASE][rows]).outcomes
        for rows in (slice(0, 301), slice(301, None))  # inside a case
    ]
    both = halves[0] + halves[1]
    assert isinstance(both, Outcomes)
    assert dict(zip(both.names, both.total, strict=True)) == dict(zip(keys.names, keys.total, strict=True))
    one, other = (howsure.OutcomeAssessment(table)["accuracy"].interval() for table in (both, keys))
    assert tuple(one) == pytest.approx(tuple(other), rel=1e-12)


# What is refused


@pytest.mark.parametrize(
    ("correct", "sentence"),
    [
        ([1, 2, 0], "not 2 at index 1."),
        ([1, -0.5], "not -0.5 at index 1."),
        ([1, float("nan")], "not nothing at index 1."),
        (["yes", "no"], "right or wrong"),
        ([[1, 0], [0, 1]], "right or wrong"),
        (1, "a column of 1 (right) and 0 (wrong)"),
        ([], "at least one case"),
    ],
)
def test_what_is_no_outcome_is_refused_with_its_place(correct, sentence):
    with pytest.raises(HowsureError) as refused:
        howsure.assess(correct=correct)
    assert sentence in str(refused.value)


def test_columns_of_other_lengths_are_refused():
    with pytest.raises(HowsureError, match="equal length"):
        howsure.assess(correct=[1, 0, 1], case=["a", "b"])


@pytest.mark.parametrize("extra", [{"truth": [1, 0]}, {"scores": [0.1, 0.2]}, {"costs": [[0, 1], [1, 0]]}])
def test_a_truth_beside_outcomes_is_refused(extra):
    with pytest.raises(HowsureError, match="already says which answers are right"):
        howsure.assess(correct=[1, 0], **extra)


def test_a_case_without_outcomes_is_refused():
    with pytest.raises(HowsureError, match="`case` identifies the case of each answer"):
        howsure.assess([1, 0], [1, 1], case=[1, 2])


# Files and frames


@pytest.mark.parametrize("words", [("1", "0"), ("true", "false"), ("True", "False")])
def test_files_say_right_and_wrong_in_words_or_numbers(tmp_path, words):
    path = tmp_path / "answers.csv"
    rows = [f"{words[not right]},{case},{TOPIC[case]}" for right, case in zip(RIGHT, CASE, strict=True)]
    path.write_text("\n".join(["right,question,topic", *rows]))
    a = howsure.assess(correct="right", case="question", cluster="topic", data=path)
    assert a.to_dict()["measures"] == repeated(cluster=TOPIC[CASE]).to_dict()["measures"]


def test_a_frame_gives_the_same(tmp_path):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"right": RIGHT, "question": CASE})
    assert howsure.assess(correct="right", case="question", data=frame).to_dict() == repeated().to_dict()


def test_a_bad_cell_of_a_file_is_named_by_its_row(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("right\n1\nperhaps\n")
    with pytest.raises(HowsureError, match=r"^`right` must be a number, not 'perhaps' in row 2 of "):
        howsure.assess(correct="right", data=path)


# Comparing


def test_one_answer_each_is_compared_by_mcnemar():
    first, second = SKILL > 0.5, SKILL > 0.6
    c = howsure.compare(correct={"old": first, "new": second})
    won, lost = int((first & ~second).sum()), int((second & ~first).sum())
    assert c.test.pvalue == howsure.significance.mcnemar(lost, won, n=N).pvalue
    assert tuple(c.difference.interval()) == tuple(howsure.intervals.tango(lost, won, N))


def test_differences_are_of_cases_so_that_their_difficulty_drops_out():
    other = np.clip(GRADED - 0.05 + RNG.normal(0, 0.02, N), 0, 1)
    c = howsure.compare(correct={"a": GRADED, "b": other})
    apart = GRADED - other
    assert c.difference.value == pytest.approx(apart.mean(), rel=1e-12)
    assert c.difference.standard_error == pytest.approx(apart.std() / np.sqrt(N), rel=1e-12)
    assert c.difference.interval().width < c.values["a"].interval().width / 4
    assert c.test.pvalue < 1e-6


def test_repeats_are_compared_by_any_measure_of_them():
    c = howsure.compare(correct={"a": RIGHT, "b": OTHER}, case=CASE, measure="pass_all(k=2)")
    a, b = (howsure.assess(correct=one, case=CASE)["pass_all(k=2)"].value for one in (RIGHT, OTHER))
    assert c.difference.value == pytest.approx(a - b, rel=1e-12)
    assert c.measure == "pass_all(k=2)"


def test_same_answers_are_no_difference():
    c = howsure.compare(correct={"a": GRADED, "b": GRADED})
    assert c.test.pvalue == 1
    assert c.difference.interval().low < 0 < c.difference.interval().high


def test_clusters_of_a_comparison_take_mcnemar_away():
    first, second, topic = SKILL > 0.4, SKILL > 0.6, np.arange(N) // 10
    c = howsure.compare(correct={"old": first, "new": second}, cluster=topic)
    assert c.test.test.name == "paired_delta"
    assert c.difference.clusters == 12
    assert "mcnemar" in {test.name for test, _ in c.tests_valid.invalid}


def test_a_comparison_shows_itself_everywhere():
    c = howsure.compare(correct={"a": RIGHT, "b": OTHER}, case=CASE, cluster=TOPIC[CASE])
    assert "120 paired cases in 15 clusters" in str(c)
    assert c.to_dict()["pairs"][0]["measure"] == "accuracy"
    assert "new clusters of this kind" in c.methods_text()
    assert c.tests().records()
    assert "accuracy" in c.to_markdown()


@pytest.mark.parametrize("correct", [{"a": [1, 0]}, [1, 0], {}])
def test_fewer_than_two_are_no_comparison(correct):
    with pytest.raises(HowsureError, match="at least two names"):
        howsure.compare(correct=correct)


def test_headline_answers_first():
    assert str(repeated(cluster=TOPIC[CASE])).startswith("Accuracy 68.")
    lines = repeated(cluster=TOPIC[CASE]).headline.splitlines()
    assert lines[0].endswith("] on 120 cases in 15 clusters.")
    assert lines[1].startswith("Cases within a cluster are no more alike than others: these 120 ")
    assert lines[2].startswith("Each case was answered 6 times; variation between answers to the same case causes ")
    assert lines[3].startswith("At least one of 5 answers is correct for ")


def test_few_clusters_are_a_finding():
    (finding,) = howsure.assess(correct=[1, 0] * 10, cluster=[0, 1, 2, 3] * 5).findings
    assert str(finding) == "A017: there are only 4 clusters, so the variation between clusters is poorly estimated"


def test_page_has_the_answer(tmp_path):
    page = repeated().report(tmp_path / "page.html")
    text = page.read_text(encoding="utf-8")
    assert "How good are the answers?" in text
    assert "pass_at(k=5)" in text


def test_many_are_tested_together():
    columns = {"a": SKILL > 0.4, "b": SKILL > 0.6, "c": SKILL > 0.7}
    c = howsure.compare(correct=columns)
    assert c.test.pvalue == howsure.significance.cochran_q(columns).pvalue
    clustered = howsure.compare(correct=columns, cluster=TOPIC)
    assert clustered.test.pvalue == howsure.significance.clustered_wald(columns, cluster=TOPIC).pvalue


def test_few_graded_scores_near_the_end_hold_the_truth():
    """Of ten scores near 1 few tell the variance: taken as sure, 87 % of the intervals held the truth."""
    rng, truth = np.random.default_rng(406), 2 / 2.1
    ends = [tuple(howsure.assess(correct=rng.beta(2, 0.1, 10))["mean_score"].interval()) for _ in range(1000)]
    assert np.mean([low <= truth <= high for low, high in ends]) > 0.91  # measured 92.9 %; Monte Carlo error 0.8 %
