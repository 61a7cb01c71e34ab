"""Few human labels beside many of a judge: identities, invariance, and what cannot be used."""

import math

import numpy as np
import pytest

import howsure
from howsure import HowsureError, plan
from howsure.judges import prediction_powered_mean, rogan_gladen
from howsure.judges.label_plan import shared_by

SIZE, LABELLED = 1200, 120
RNG = np.random.default_rng(3)
TRUTH = (RNG.random(SIZE) < 0.3).astype(int)
PREDICTED = np.where(RNG.random(SIZE) < 0.85, TRUTH, 1 - TRUTH)
JUDGE = np.where(RNG.random(SIZE) < 0.9, TRUTH, 1 - TRUTH)
SCORES = 1 / (1 + np.exp(-(RNG.normal(size=SIZE) + 2 * TRUTH - 1)))
HUMAN = np.where(np.arange(SIZE) < LABELLED, TRUTH, np.nan)
MEASURES = ("accuracy", "balanced_accuracy", "kappa", "mcc", "precision", "recall", "specificity", "f1", "jaccard")


def ends(estimate, **options):
    interval = estimate.interval(**options)
    return estimate.value, interval.low, interval.high


def test_with_one_stratum_and_no_weights_the_value_is_the_formula():
    """Human value + lambda (judge's on the others - judge's on the labelled), with measures of plain assessments."""
    a = howsure.assess(HUMAN, PREDICTED, judge=JUDGE)
    labelled = np.arange(SIZE) < LABELLED
    human = howsure.assess(TRUTH[labelled], PREDICTED[labelled])
    same = howsure.assess(JUDGE[labelled], PREDICTED[labelled])
    others = howsure.assess(JUDGE[~labelled], PREDICTED[~labelled])
    for name in MEASURES:
        result = a[name]
        assert 0 < result.tuning < 1
        expected = human[name].value + result.tuning * (others[name].value - same[name].value)
        assert result.value == pytest.approx(expected, rel=1e-12)  # the same numbers, added in another order
        assert result.human.value == human[name].value
        assert ends(result.human) == pytest.approx(ends(human[name]), rel=1e-12)
        assert result.worth > LABELLED
        assert result.interval().width < result.human.interval().width


def test_lambda_makes_the_variance_least():
    powered = howsure.assess(HUMAN, PREDICTED, judge=JUDGE)["f1"].powered
    best = powered.variance_with(powered.tuning)
    assert all(powered.variance_with(powered.tuning + step) > best * (1 - 1e-3) for step in (-0.3, -0.1, 0.1, 0.3))
    assert powered.variance_with(0) == powered.alone > best


def test_influences_of_the_auc_are_delongs():
    a = howsure.assess(HUMAN, scores=SCORES, judge=JUDGE)
    labelled = np.arange(SIZE) < LABELLED
    alone = howsure.assess(TRUTH[labelled], scores=SCORES[labelled])["auc"]
    assert a["auc"].human.value == alone.value
    assert ends(a["auc"].human) == pytest.approx(ends(alone), rel=1e-12)
    # DeLong divides by n - 1 in each class, influences by n
    assert math.sqrt(a["auc"].powered.alone) == pytest.approx(alone.standard_error, rel=0.02)
    assert a["auc"].interval().width < alone.interval().width
    assert a["gini"].value == pytest.approx(2 * a["auc"].value - 1, rel=1e-12)
    assert a["brier"].human.value == howsure.assess(TRUTH[labelled], scores=SCORES[labelled])["brier"].value


@pytest.mark.parametrize("scores", [False, True])
def test_where_all_are_labelled_it_is_an_assessment_without_a_judge(scores):
    columns = {"scores": SCORES} if scores else {"predicted": PREDICTED}
    both, plain = howsure.assess(TRUTH, **columns, judge=JUDGE), howsure.assess(TRUTH, **columns)
    for name in both.applicable():
        assert both[name].value == plain[name].value
        assert ends(both[name]) == pytest.approx(ends(plain[name]), rel=1e-12)
        assert (both[name].worth, both[name].judged) == (SIZE, 0)
    assert howsure.assess(TRUTH, judge=JUDGE)["rate"].value == TRUTH.mean()


def test_a_judge_that_always_says_the_same_is_worth_nothing():
    a = howsure.assess(HUMAN, judge=np.ones(SIZE, int))
    assert a["rate"].tuning == 0
    assert ends(a["rate"]) == ends(a["rate"].human)
    assert a["rate"].interval().method == "wilson"
    text = "120 human labels and 1,080 judge labels carry no more information than the human labels alone."
    assert a.sentences()[1] == text
    assert a["rogan_gladen"].undefined == (
        "sensitivity + specificity is 1; at 1 or below, the judge's labels do not distinguish positive cases from "
        "negative ones"
    )


def test_a_judge_that_is_always_wrong_is_worth_nothing():
    assert howsure.assess(HUMAN, judge=1 - TRUTH)["rate"].tuning == 0


@pytest.mark.parametrize("extra", [{}, {"cluster": np.arange(SIZE) // 4}, {"stratum": np.arange(SIZE) % 3}])
def test_order_and_names_do_not_matter(extra):
    order = RNG.permutation(SIZE)
    names = np.array(["no", "yes"])
    text = [None if np.isnan(label) else names[int(label)] for label in HUMAN[order]]
    moved = {key: column[order] for key, column in extra.items()}
    one = howsure.assess(HUMAN, PREDICTED, judge=JUDGE, **extra)
    two = howsure.assess(text, names[PREDICTED][order], judge=names[JUDGE][order], **moved)
    for name in (*MEASURES, "rate", "rogan_gladen"):
        assert ends(one[name]) == pytest.approx(ends(two[name]), rel=1e-9)  # sums of 1,200 in another order


def test_every_interval_holds_its_value_and_widens():
    a = howsure.assess(HUMAN, scores=SCORES, judge=JUDGE)
    names = [name for name in howsure.measures.names() if name in a]
    assert len(names) > 25
    for name in (*names, "rate", "rogan_gladen"):
        estimate = a[name]
        assert estimate.methods
        for method in ("auto", *estimate.methods):
            wide, narrow = (estimate.interval(level, method) for level in (0.99, 0.9))
            assert wide.low <= narrow.low <= estimate.value <= narrow.high <= wide.high, (name, method)
            assert wide.width > 0


def test_cases_in_clusters_are_worth_less():
    """Each case three times over, in a cluster: the interval of a third of them."""
    once = howsure.assess(HUMAN, PREDICTED, judge=JUDGE)["accuracy"]
    three = [np.tile(column, 3) for column in (HUMAN, PREDICTED, JUDGE)]
    cluster = np.tile(np.arange(SIZE), 3)
    result = howsure.assess(three[0], three[1], judge=three[2], cluster=cluster)["accuracy"]
    assert result.value == pytest.approx(once.value, rel=1e-4)  # lambda divides a variance by one less than the cases
    assert result.standard_error == pytest.approx(once.standard_error, rel=1e-3)  # clusters / (clusters - 1)
    assert result.clusters == SIZE
    assert result.interval().width == pytest.approx(once.interval().width, rel=0.1)
    blind = howsure.assess(three[0], three[1], judge=three[2])["accuracy"]
    assert blind.interval().width < 0.7 * result.interval().width


def test_strata_are_weighed_by_their_share():
    """Cases that the judge calls positive are labelled ten times as often; the rate is that of all cases still."""
    rng = np.random.default_rng(5)
    truth = (rng.random(40_000) < 0.3).astype(int)
    judge = np.where(rng.random(40_000) < 0.8, truth, 1 - truth)
    drawn = rng.random(40_000) < np.where(judge == 1, 0.5, 0.05)
    human = np.where(drawn, truth, np.nan)
    stratified = howsure.assess(human, judge=judge, stratum=judge)
    assert stratified["rate"].value == pytest.approx(truth.mean(), abs=4 * stratified["rate"].standard_error)
    assert stratified.judge["recall"].value == pytest.approx(0.8, abs=0.05)
    naive = howsure.assess(human, judge=np.zeros(40_000, int))["rate"]
    assert naive.low > truth.mean() + 0.1  # as if labels were drawn at random
    shares = [truth[judge == label].mean() for label in (0, 1)]
    by_hand = sum(
        (judge == label).mean() * truth[drawn & (judge == label)].mean() for label in (0, 1)
    )  # the judge is constant within each stratum, and so tells no more than the strata do
    assert stratified["rate"].value == pytest.approx(by_hand, rel=1e-12)
    assert shares[0] < stratified["rate"].value < shares[1]


def test_a_stratum_with_one_label_has_no_interval():
    human = np.where(np.arange(SIZE) % 40 < 4, TRUTH, np.nan)
    stratum = np.where(np.arange(SIZE) == 0, "alone", "rest")
    stratum[5:30] = "alone"
    rate = howsure.assess(human, judge=JUDGE, stratum=stratum)["rate"]
    interval = rate.interval()
    assert math.isnan(interval.low)
    assert interval.notes == ("the stratum 'alone' has only one human label, so its variance is unknown",)


def test_many_classes():
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 3, 900)
    predicted, judge = (np.where(rng.random(900) < right, truth, rng.integers(0, 3, 900)) for right in (0.7, 0.85))
    names = np.array(["a", "b", "c"])
    human = [names[label] if row < 90 else "" for row, label in enumerate(truth)]
    a = howsure.assess(human, names[predicted], judge=names[judge])
    assert a["recall"].of == "macro average"
    assert a.estimate("recall", label="b").of == "b"
    assert a.estimate("f1", average="weighted").worth > 90
    assert a["cohen_kappa"].asked == "cohen_kappa"
    rates = howsure.assess(human, judge=names[judge]).estimates()
    assert [rate.of for rate in rates] == ["a", "b", "c"]
    assert sum(rate.value for rate in rates) == pytest.approx(1, abs=0.05)  # each has a lambda of its own
    with pytest.raises(HowsureError, match=r"^`rate` needs one class, and there is no positive class; give `label="):
        a["rate"]


def test_files_frames_and_arrays_are_the_same(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"human": HUMAN, "model": PREDICTED, "gpt": JUDGE, "p": SCORES, "who": np.arange(SIZE) // 3})
    frame.to_csv(tmp_path / "cases.csv", index=False)
    frame.to_parquet(tmp_path / "cases.parquet")
    expected = howsure.assess(HUMAN, PREDICTED, judge=JUDGE)["f1"]
    for data in (frame, tmp_path / "cases.csv", tmp_path / "cases.parquet", dict(frame)):
        result = howsure.assess("human", "model", judge="gpt", data=data)["f1"]
        assert ends(result) == pytest.approx(ends(expected), rel=1e-12)
        area = howsure.assess("human", scores="p", judge="gpt", data=data)["auc"]
        assert area.value == pytest.approx(howsure.assess(HUMAN, scores=SCORES, judge=JUDGE)["auc"].value, rel=1e-9)
    grouped = howsure.assess("human", "model", judge="gpt", data=tmp_path / "cases.csv", cluster="who")
    assert grouped["accuracy"].clusters == 400


def refuse(sentence, *args, **options):
    with pytest.raises(HowsureError) as refused:
        howsure.assess(*args, **options)
    assert str(refused.value) == sentence


def test_what_cannot_be_used():
    refuse(
        "`truth` has no human label at all; label some of the cases, or assess the judge's labels by themselves.",
        [None] * 3, [1, 0, 1], judge=[1, 0, 0],
    )  # fmt: skip
    gap = [1, None, 0, 1]
    refuse(
        "`judge` has no label at index 1; drop these rows or give them a label.",
        gap, [1, 0, 0, 1], judge=[1, None, 0, 1],
    )  # fmt: skip
    refuse(
        "`judge` has 'unsure' at index 2, which is not a class of `truth` or `predicted`; give such rows a class, or "
        "name all classes with `labels=`.",
        ["a", "b", None], ["a", "b", "a"], judge=["a", "b", "unsure"],
    )  # fmt: skip
    refuse(
        "`judge` cannot be combined with `weight`; leave out `weight`.",
        gap, gap, judge=gap, weight=gap,
    )  # fmt: skip
    refuse(
        "`stratum` describes how cases were sampled for human labels; give `judge` too, or leave out `stratum`.",
        [1, 0], [1, 0], stratum=[1, 2],
    )  # fmt: skip
    refuse(
        "`stratum` 'y' has no human label; label some of its cases, or merge it with another stratum.",
        [1, 0, None], judge=[1, 0, 1], stratum=["x", "x", "y"],
    )  # fmt: skip
    refuse(
        "`truth` has 4 rows and `judge` has 3; they must be of equal length.",
        gap, judge=[1, 0, 1],
    )  # fmt: skip
    refuse("`judge` is the name of a column, 'gpt', so `data` must be given too.", gap, gap, judge="gpt")
    refuse("`correct` already says which answers are right; leave out `judge`.", correct=[1, 0], judge=[1, 0])
    refuse("`threshold` applies to `scores` without `predicted`; leave it out.", gap, judge=[1, 0, 0, 1], threshold=1)


def test_measures_that_a_judge_cannot_power():
    a = howsure.assess(HUMAN, scores=SCORES, judge=JUDGE)
    with pytest.raises(HowsureError) as refused:
        a["average_precision"]
    assert str(refused.value) == (
        "`average_precision` has its own interval method and cannot be combined with a judge's labels; assess the "
        "human labels alone."
    )
    with pytest.raises(HowsureError) as refused:
        howsure.assess(HUMAN, judge=JUDGE)["recall"]
    assert str(refused.value) == (
        "`recall` needs predictions; give `predicted` or `scores`, or use `a.judge['recall']` to assess the judge."
    )
    assert "auc" in a
    assert "average_precision" not in a


def test_human_labels_of_one_class():
    human = ["ham"] * 20 + [None] * 80
    judge = ["ham"] * 85 + ["spam"] * 15
    a = howsure.assess(human, judge=judge, positive="spam")
    rate = a["rate"]
    assert rate.value == 0
    assert rate.tuning == 0
    assert 0.1 < rate.high < 0.2  # none of 20
    assert a["rogan_gladen"].undefined == "no positive case has a human label, so the judge's sensitivity is unknown"
    both = howsure.assess(human, ["ham"] * 100, judge=judge, labels=["ham", "spam"])
    assert both["recall"].undefined == "no case belongs to this class"
    assert math.isnan(both["f1"].value) or both["f1"].undefined
    assert str(both)


def test_one_human_label():
    a = howsure.assess([1, *[None] * 50], [1, 0] * 25 + [1], judge=[1, 0] * 25 + [1])
    assert a["accuracy"].value == 1
    assert a["accuracy"].interval().width > 0.5


def test_a_value_stays_within_its_range():
    """Nearly all found by the human labels, and by the judge more elsewhere than here."""
    human = [1] * 20 + [0] * 20 + [None] * 400
    predicted = [1] * 19 + [0] * 21 + [1, 0] * 200
    judge = [1] * 26 + [0] * 14 + [1, 0] * 200
    recall = howsure.assess(human, predicted, judge=judge)["recall"]
    assert 0 <= recall.low <= recall.value <= recall.high <= 1
    assert recall.value == 1
    assert recall.notes == ("the combined estimate is outside the range of the measure and was clipped to it",)
    assert recall.low < 1


def test_means_of_numbers():
    with pytest.raises(HowsureError, match=r"^`judged` must have a number for each of the 2 values, not 1\.$"):
        prediction_powered_mean([1, 2], [1], [3])
    with pytest.raises(HowsureError, match=r"^`others` must be a column of finite numbers, not \[nan\]\.$"):
        prediction_powered_mean([1, 2], [1, 3], [math.nan])
    one = prediction_powered_mean([1.0], [2.0], [3.0, 4.0])
    assert math.isnan(one.interval().low)
    assert one.interval().notes == ("one value has no standard deviation",)
    values = [1.0, 4.0, 2.0]
    alone = prediction_powered_mean(values, [1, 4, 2], [])
    np.testing.assert_allclose(tuple(alone.interval()), tuple(howsure.intervals.mean_t(values)), rtol=1e-12)


def test_a_corrected_rate_is_the_formula():
    rate = rogan_gladen(120, 1000, sensitivity=(45, 50), specificity=(190, 200))
    assert rate.value == pytest.approx((0.12 + 0.95 - 1) / (0.9 + 0.95 - 1), rel=1e-12)
    by_hand = math.sqrt(0.12 * 0.88 / 1000 + rate.value**2 * 0.9 * 0.1 / 50 + (1 - rate.value) ** 2 * 0.95 * 0.05 / 200)
    assert rate.standard_error == pytest.approx(by_hand / 0.85, rel=1e-12)
    assert rate.methods == ("rogan-gladen-fieller", "lang-reiczigel")
    perfect = rogan_gladen(120, 1000, sensitivity=1.0, specificity=1.0)
    assert perfect.value == pytest.approx(0.12, rel=1e-12)
    assert tuple(perfect.interval()) == pytest.approx(tuple(howsure.intervals.agresti_coull(120, 1000)), rel=1e-12)


def test_ends_of_a_corrected_rate_solve_the_equation():
    """At each end the distance from what was seen is z standard errors, of smoothed shares."""
    rate = rogan_gladen(120, 1000, sensitivity=(45, 50), specificity=(190, 200))
    z2 = 1.959963984540054**2
    judged, result, refused = (120 + z2 / 2) / (1000 + z2), 46 / 52, 191 / 202
    for end in rate.interval():
        distance = judged + refused - 1 - end * (result + refused - 1)
        variance = judged * (1 - judged) / (1000 + z2) + end**2 * result * (1 - result) / 52
        variance += (1 - end) ** 2 * refused * (1 - refused) / 202
        assert distance**2 == pytest.approx(z2 * variance, rel=1e-9)


def test_corrected_rates_that_say_little():
    low = rogan_gladen(10, 1000, sensitivity=(9, 10), specificity=(18, 20))
    assert low.value == 0
    assert low.notes == ("the formula gives -0.112, which was clipped to the range from 0 to 1",)
    assert low.low == 0 < low.high
    unknown = rogan_gladen(10, 1000, sensitivity=(0, 0), specificity=(18, 20))
    assert unknown.undefined == "no positive case has a human label, so the judge's sensitivity is unknown"
    vague = rogan_gladen(500, 1000, sensitivity=(2, 3), specificity=(2, 3)).interval()
    assert (vague.low, vague.high) == (0, 1)
    assert vague.notes == (
        "the labels say nothing about the rate: the judge's sensitivity and specificity are too uncertain",
    )
    none = rogan_gladen(0, 5000, sensitivity=(50, 50), specificity=(30, 50)).interval()
    assert math.isnan(none.low)
    assert none.notes == (
        "no rate fits: the judge called fewer or more cases positive than its sensitivity and specificity allow; "
        "check that all labels are by the same judge, on cases of the same kind",
    )
    with pytest.raises(
        HowsureError, match=r"^`sensitivity` must be two counts, such as \(45, 50\), or a number from 0 to 1"
    ):
        rogan_gladen(1, 10, sensitivity=(60, 50), specificity=0.9)
    with pytest.raises(HowsureError, match=r"^`positives` must be a number of cases from 0 to `n`, not 11\.$"):
        rogan_gladen(11, 10, sensitivity=0.9, specificity=0.9)
    with pytest.raises(HowsureError, match=r"^`specificity` must be .*, not 90; did you mean 0\.9\?$"):
        rogan_gladen(1, 10, sensitivity=0.9, specificity=90)


def test_plans_keep_what_they_promise():
    """The mean half-width of samples as planned is the one that was asked for, within 4 %."""
    rng = np.random.default_rng(2)
    result = plan.labels(0.3, 0.05, judged=3000, sensitivity=0.85, specificity=0.9)
    halves = []
    for _ in range(60):
        truth = rng.random(3000) < 0.3
        judge = np.where(truth, rng.random(3000) < 0.85, rng.random(3000) > 0.9)
        human = [bool(label) if row < result.n else None for row, label in enumerate(truth)]
        halves.append(howsure.assess(human, judge=judge)["rate"].interval().width / 2)
    assert np.mean(halves) == pytest.approx(0.05, rel=0.04)
    assert result.half_width <= 0.05
    assert plan.labels(0.3, n=result.n - 1, judged=3000, sensitivity=0.85, specificity=0.9).half_width > 0.05
    assert plan.labels(0.3, n=100, judged=3000, sensitivity=0.5, specificity=0.5).worth == 100


def test_the_correlation_of_labels_is_that_of_a_sample():
    truth = RNG.random(200_000) < 0.3
    judge = np.where(truth, RNG.random(200_000) < 0.8, RNG.random(200_000) > 0.9)
    shared, telling = shared_by(0.3, 0.8, 0.9)
    assert shared == pytest.approx(np.corrcoef(truth, judge)[0, 1] ** 2, abs=0.01)
    assert 0 < telling < 1


def test_a_pilot_says_where_to_label_next():
    """The judge errs only in one stratum, so that most labels go there."""
    rng = np.random.default_rng(4)
    truth, hard = rng.random(4000) < 0.4, rng.random(4000) < 0.3
    judge = np.where(hard & (rng.random(4000) < 0.4), ~truth, truth)
    human = [bool(label) if row < 200 else None for row, label in enumerate(truth)]
    pilot = howsure.assess(human, judge=judge, stratum=np.where(hard, "hard", "easy"))
    result = plan.labels(pilot=pilot, n=600)
    by_name = {row["stratum"]: row for row in result.allocation}
    assert by_name["hard"]["next"] > 300
    assert by_name["hard"]["next"] + by_name["easy"]["next"] == pytest.approx(400, abs=2)
    assert by_name["easy"]["labelled"] + by_name["hard"]["labelled"] == 200
    assert "Label next: " in str(result)
    assert result.half_width < pilot["rate"].interval().width / 2
    unstratified = plan.labels(pilot=howsure.assess(human, judge=judge), n=600)
    assert [row["stratum"] for row in unstratified.allocation] == ["judged True", "judged not True"]


def test_plans_that_cannot_be_made():
    assumptions = {"judged": 500, "sensitivity": 0.9, "specificity": 0.9}
    with pytest.raises(HowsureError, match=r"^exactly one of `n` and `half_width` must be left out, not both"):
        plan.labels(0.3, **assumptions)
    with pytest.raises(HowsureError, match=r"^`judged` must be given if there is no `pilot`\.$"):
        plan.labels(0.3, 0.1, sensitivity=0.9, specificity=0.9)
    with pytest.raises(HowsureError) as refused:
        plan.labels(0.3, 0.01, **assumptions)
    assert str(refused.value) == (
        "a half-width of 0.01 is out of reach: human labels for all 500 judged cases give ±0.040."
    )
    with pytest.raises(HowsureError, match=r"^`rate` must be left out: it comes from the `pilot`\.$"):
        plan.labels(0.3, 0.1, pilot=howsure.assess(HUMAN, judge=JUDGE))
    with pytest.raises(HowsureError, match=r"^`n` must be at most 500, the number of judged cases, not 501\.$"):
        plan.labels(0.3, n=501, **assumptions)
