"""The error by which two classifiers are tested: equal ones are not called different because they are unlike."""

import numpy as np
import pytest
from scipy import stats

import howsure
from howsure.measures import registry
from howsure.significance import delong, friedman, paired_delta, permutation, sign_test, valid_tests
from howsure.significance.declare import CROSS_VALIDATED
from howsure.tables import Design, FoldTable, ScoreCounts, ScoreTable

ALPHA = 0.05


def answers(rng, n, prevalence, *classifiers):
    """Truth, and the labels of classifiers that have these recalls and specificities."""
    truth = rng.random(n) < prevalence
    columns = [rng.random(n) < np.where(truth, recall, 1 - specificity) for recall, specificity in classifiers]
    return truth.astype(int), *(column.astype(int) for column in columns)


def rejections(measure, n, prevalence, one, other, rounds, test=paired_delta, **options):
    rng = np.random.default_rng(1)
    count = 0
    for _ in range(rounds):
        result = test(*answers(rng, n, prevalence, one, other), measure, labels=[0, 1], **options)
        count += result.pvalue <= ALPHA
    return count


def is_within(count, rounds):
    return stats.binomtest(count, rounds, 0.06, alternative="greater").pvalue > 1e-3


def test_equal_balanced_accuracy_by_other_errors_is_called_equal():
    """Three positives that both find leave the permutation test sure of the recalls."""
    setting = ("balanced_accuracy", 30, 0.1, (0.95, 0.65), (0.65, 0.95))
    assert is_within(rejections(*setting, 200), 200)
    assert not is_within(rejections(*setting, 100, permutation, replicates=99), 100)


def test_equal_precision_by_other_recall_is_called_equal():
    # precision 0.75 by recall 0.9 with 3 of 10 negatives called positive, and by 0.3 with 1
    assert is_within(rejections("precision", 200, 0.5, (0.9, 0.7), (0.3, 0.9), 200), 200)


def test_half_a_case_is_added_on_each_side_of_each_class():
    """By hand: recalls of 10 positives, of which 4 only the first finds, are those of 11 with 4.5 and 0.5."""
    truth = np.repeat([1, 0], [10, 30])
    a, b = truth.copy(), truth.copy()
    b[:4] = 0
    result = paired_delta(truth, a, b, "recall")
    first, second = 4.5 / 11, 0.5 / 11
    error = np.sqrt((first + second - (first - second) ** 2) / 11)
    assert result.difference == pytest.approx(0.4, rel=1e-12)
    assert result.statistic == pytest.approx((first - second) / error, rel=1e-12)
    interval = howsure.compare(truth, {"a": a, "b": b}, measure="recall").difference.interval(method="paired-delta")
    reach = stats.norm.isf(0.025) * error
    assert tuple(interval) == pytest.approx((first - second - reach, first - second + reach), rel=1e-9)


def test_a_ratio_is_tested_by_its_logarithm():
    """So that which classifier comes first, or whether it is the ratio or its inverse, makes no difference."""
    rng = np.random.default_rng(3)
    truth, a, b = answers(rng, 300, 0.4, (0.8, 0.9), (0.7, 0.8))
    plus = paired_delta(truth, a, b, "diagnostic_odds_ratio")
    turned = paired_delta(truth, b, a, "diagnostic_odds_ratio")
    inverse = paired_delta(truth, 1 - a, 1 - b, "diagnostic_odds_ratio")
    assert plus.statistic == pytest.approx(-turned.statistic, rel=1e-9)
    assert plus.statistic == pytest.approx(-inverse.statistic, rel=1e-9)


def test_a_ratio_to_nothing_is_tested_with_the_cases_that_are_added():
    """Else only samples with every kind of error had an answer, and these are unlike the others."""
    truth = np.repeat([1, 0], [10, 30])
    a, b = truth.copy(), truth.copy()
    a[0], b[:6], b[20:25] = 0, 0, 1
    result = paired_delta(truth, a, b, "diagnostic_odds_ratio")
    assert np.isnan(result.difference)  # the first makes no false positive, so its odds ratio has no value
    assert 0 < result.pvalue < 0.1
    assert result.statistic > 0
    assert result.df == 8 * 0.5  # eight for each case of the smallest count
    called = (np.repeat([0, 1], [15, 5]), np.repeat([0, 1], [18, 2]))
    nobody = paired_delta(np.zeros(20, int), *called, "diagnostic_odds_ratio", positive=1, labels=[0, 1])
    assert np.isnan(nobody.pvalue)


def test_losses_without_an_end_have_two_cases_added():
    """By hand: the most different case once more for the Brier score, twice more for the log loss."""
    rng = np.random.default_rng(5)
    truth = np.repeat([1, 0], [12, 18])
    a, b = (np.clip(0.3 + 0.4 * truth + rng.normal(0, 0.15, 30), 0.05, 0.95) for _ in range(2))
    losses = {
        "brier": (lambda p: (p - truth) ** 2, 1),
        "log_loss": (lambda p: -np.log(np.where(truth == 1, p, 1 - p)), 2),
    }
    for name, (loss, added) in losses.items():
        apart = loss(a) - loss(b)
        spread = apart - apart.mean()
        error = np.sqrt((spread**2).sum() + added * np.abs(spread).max() ** 2) / (30 + added)
        result = howsure.compare(truth, scores={"a": a, "b": b}, measure=name, positive=1).test
        assert result.error == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize(("positives", "negatives", "said"), [(1, 60, "one positive"), (40, 1, "one negative")])
@pytest.mark.parametrize("measure", ["auc", "brier", "ks_distance"])
def test_one_case_of_a_class_is_no_test_and_no_interval(positives, negatives, said, measure):
    rng = np.random.default_rng(4)
    truth = np.repeat([1, 0], [positives, negatives])
    found = howsure.compare(truth, scores={"a": rng.random(len(truth)), "b": rng.random(len(truth))}, measure=measure)
    assert np.isnan(found.test.pvalue)
    assert np.isnan(found.difference.interval().low)
    assert f"cannot be tested: {said} case" in found.verdict


def raised_covariance(truth, *columns):
    """DeLong's covariance, each variance a quarter of the way to what Newcombe expects of the area, by hand."""
    flags = truth == 1
    placed = np.array(
        [
            np.where(
                flags,
                [(s > column[~flags]).mean() for s in column],
                [(s < column[flags]).mean() for s in column],
            )
            for column in columns
        ]
    )
    p, q = flags.sum(), (~flags).sum()
    seen = np.cov(placed[:, flags]) / p + np.cov(placed[:, ~flags]) / q
    areas = placed[:, flags].mean(1)
    half = (p + q) / 2 - 1
    expected = areas * (1 - areas) * (1 + half * ((1 - areas) / (2 - areas) + areas / (1 + areas))) / (p * q)
    deviation = np.sqrt(seen.diagonal())
    raised = np.sqrt(np.maximum(seen.diagonal(), expected))
    return 0.75 * seen + 0.25 * seen / np.outer(deviation, deviation) * np.outer(raised, raised)


def raised_error(truth, a, b):
    covariance = raised_covariance(truth, a, b)
    return np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])


def test_few_positives_have_few_degrees_of_freedom():
    rng = np.random.default_rng(5)
    truth = np.repeat([1, 0], [3, 60])
    a, b = rng.random((2, 63))
    found = howsure.compare(truth, scores={"a": a, "b": b})
    shares = np.array([1 / 3, 1 / 60])
    df = shares.sum() ** 2 / (shares**2 / [2, 59]).sum()
    normal = delong(truth, a, b)
    error = raised_error(truth, a, b)
    assert error > normal.error
    assert found.test.pvalue == pytest.approx(2 * stats.t.sf(abs(normal.difference) / error, df), rel=1e-9)
    assert found.test.pvalue > normal.pvalue
    reach = stats.t.isf(0.025, df) * error
    interval = found.difference.interval(method="paired-delta")
    assert tuple(interval) == pytest.approx((normal.difference - reach, 1.0), rel=1e-9)  # cut at the range


def test_many_areas_with_few_positives_are_tested_by_hotelling():
    rng = np.random.default_rng(6)
    truth = np.repeat([1, 0], [6, 40])
    columns = rng.random((3, 46))
    few = delong(truth, *columns, method="student")
    rows = np.array([[-1, 1, 0], [-1, 0, 1]])
    areas = [(column[:6, None] > column[6:]).mean() for column in columns]
    apart = rows @ areas
    statistic = apart @ np.linalg.inv(rows @ raised_covariance(truth, *columns) @ rows.T) @ apart
    df = (1 / 6 + 1 / 40) ** 2 / ((1 / 6) ** 2 / 5 + (1 / 40) ** 2 / 39)
    assert few.pvalue == pytest.approx(stats.f.sf(statistic * (df - 1) / (2 * df), 2, df - 1), rel=1e-9)
    too_many = delong(truth, *rng.random((9, 46)), method="student")
    assert np.isnan(too_many.pvalue)


def test_the_influence_on_average_precision_is_its_derivative():
    rng = np.random.default_rng(7)
    flags = rng.random(80) < 0.3
    table = ScoreTable.from_scores(flags, np.round(rng.random(80) + 0.4 * flags, 1))
    measure, step = registry["average_precision"], 1e-7
    both = measure.influence(table.counts)
    for index in range(len(table.scores)):
        more = np.zeros(len(table.scores))
        more[index] = step * 80
        nudged = (
            ScoreCounts(table.positives + more, table.negatives, table.scores),
            ScoreCounts(table.positives, table.negatives + more, table.scores),
        )
        for one, influence in zip(nudged, both, strict=True):
            slope = (measure.value(one) - measure.value(table.counts)) / step
            assert slope == pytest.approx(influence[index], rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("measure", ["average_precision", "brier", "log_loss", "root_relative_squared_error"])
def test_the_error_of_scores_is_that_of_the_bootstrap(measure):
    rng = np.random.default_rng(8)
    truth = rng.random(400) < 0.3
    scores = {name: np.clip(rng.normal(0.3 + 0.3 * truth, 0.2), 0.02, 0.98) for name in "ab"}
    found = howsure.compare(truth.astype(int), scores=scores, measure=measure)
    drawn = found.difference.basis.basis.replicates(1000, 0)
    assert found.test.error == pytest.approx(drawn.std(), rel=0.12)  # 1,000 replicates, and a case added
    assert "delta test" in found.test.method


def test_calibration_errors_are_not_tested_where_chance_decides():
    rng = np.random.default_rng(9)
    truth = (rng.random(100) < 0.5).astype(int)
    scores = {"a": rng.random(100), "b": rng.random(100)}
    for measure, remedy in (("ece", "a test needs at least 200 cases"), ("mce", "no valid test is known")):
        found = howsure.compare(truth, scores=scores, measure=measure)
        assert np.isnan(found.test.pvalue)
        assert remedy in found.verdict
        assert np.isnan(found.difference.interval().low)


def test_rows_that_share_training_cases_are_refused():
    values = np.random.default_rng(10).random((10, 3))
    zeros = np.zeros(10, int)
    for overlap in (0.0, 0.9):
        design = Design(howsure.KFold(10), 100, 10, 1, 90.0, 10.0, overlap, 1.0)
        table = FoldTable(values, ("a", "b", "c"), "x", "accuracy", design, zeros, zeros)
        if overlap:
            with pytest.raises(howsure.HowsureError, match="splits without common training cases"):
                friedman(table)
        else:
            assert friedman(table).pvalue == friedman(values).pvalue
    for design in CROSS_VALIDATED:
        many = {test.name for test in valid_tests("any", design, "many").valid}
        assert not many & {"friedman", "iman_davenport", "repeated_anova", "quade", "anova", "kruskal_wallis"}
        assert sign_test.__name__ not in {test.name for test in valid_tests("any", design).valid}
        assert sign_test.__name__ in {test.name for test, _ in valid_tests("any", design).invalid}
