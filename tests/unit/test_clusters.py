"""Cases that come in clusters: what is told of them does not depend on how they are written down, and is wider."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import howsure
from howsure import Confusion, HowsureError
from howsure.cli import main
from howsure.data.predictions import Key
from howsure.intervals.clustered import ClusterSpread
from howsure.measures import estimate, estimate_scores, registry
from howsure.measures.estimate.classes import estimate_classes
from howsure.measures.estimate.difference import difference
from howsure.present.value_text import jsonable
from howsure.tables import ClassScores, Clusters, PairedScores, PairedTable, ScoreRows, ScoreTable

N, CLUSTERS = 240, 24


def drawn(seed=0, classes=2, alike=0.7):
    """Give truth, labels, scores and clusters; clusters differ in how often, and how far, they are right."""
    rng = np.random.default_rng(seed)
    cluster = np.sort(rng.integers(0, CLUSTERS, N))
    effect = rng.normal(size=CLUSTERS)[cluster]
    truth = rng.integers(0, classes, N)
    scores = rng.normal(size=(N, classes))
    scores[np.arange(N), truth] += 1.2 + alike * effect
    scores = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    return truth, scores.argmax(1), scores, cluster


@pytest.fixture
def cases():
    truth, predicted, scores, cluster = drawn()
    other = np.where(np.random.default_rng(1).random(N) < 0.8, predicted, truth)
    columns = {"y": truth, "p": predicted, "q": other, "s": scores[:, 1], "patient": cluster}
    return pd.DataFrame(columns)


def ends(estimates):
    """All numbers of estimates: values, ends and standard errors."""
    return np.array([(one.value, *one.interval(), one.standard_error) for one in estimates], float)


def of_labels(table, names=("accuracy", "kappa", "mcc", "balanced_accuracy")):
    by_class = [estimate(table, name, label=table.labels[0]) for name in ("recall", "precision", "f1")]
    return ends([*(estimate(table, name) for name in names), *by_class])


def of_scores(table):
    return ends(estimate_scores(table, name) for name in ("auc", "brier", "log_loss", "average_precision"))


def score_table(truth, scores, cluster, weight=None):
    flags = truth == 1
    table = ScoreTable.from_scores(flags, scores, weight)
    return table.clustered(Key(*np.unique(cluster, return_inverse=True)[::-1]), flags, scores, weight)


def label_table(truth, predicted, cluster, weight=None, k=2):
    names, codes = np.unique(cluster, return_inverse=True)
    counts = np.zeros((k, k), int if weight is None or np.asarray(weight).dtype.kind == "i" else float)
    np.add.at(counts, (truth, predicted), 1 if weight is None else weight)
    clusters = Clusters.of_rows(codes, tuple(names), truth * k + predicted, k * k, weight)
    return Confusion(counts, range(k), clusters=clusters)


# Clusters of one case are independent cases.


@pytest.mark.parametrize("weight", [None, "ones", "real"])
@pytest.mark.parametrize("classes", [2, 3])
def test_clusters_of_one_case_give_the_same_bits(classes, weight):
    truth, predicted, scores, _ = drawn(classes=classes)
    given = {None: None, "ones": np.ones(N, int), "real": np.random.default_rng(2).uniform(0.5, 2, N)}[weight]
    each = [f"case {row}" for row in np.random.default_rng(3).permutation(N)]
    column = scores[:, 1] if classes == 2 else scores
    for answers in ({"predicted": predicted}, {"scores": column}):
        plain, clustered = (howsure.assess(truth, weight=given, cluster=one, **answers) for one in (None, each))
        assert plain.to_dict() == clustered.to_dict()
        assert clustered["accuracy"].clusters is None


def test_comparisons_and_gates_of_clusters_of_one_case_give_the_same_bits(cases):
    each = np.arange(N)
    for kind, columns in (("predicted", {"a": cases.p, "b": cases.q}), ("scores", {"a": cases.s, "b": cases.s**2 / 2})):
        plain, clustered = (howsure.compare(cases.y, **{kind: columns}, cluster=one) for one in (None, each))
        assert plain.to_dict() == clustered.to_dict()
    frame = cases.assign(case=each)
    plain, clustered = (howsure.gate("y", "p", "q", data=frame, margin=0.05, cluster=one) for one in (None, "case"))
    assert plain.to_dict() == clustered.to_dict()


def test_a_repeated_row_is_a_cluster_of_several_cases(cases):
    """Whole-number weights repeat a case, so that a cluster of one row may have two cases."""
    weight = np.ones(N, int)
    weight[0] = 2
    a = howsure.assess(cases.y, cases.p, weight=weight, cluster=np.arange(N))
    assert a["accuracy"].clusters == N


# How cases are written down changes nothing.


def test_the_order_of_rows_and_the_names_of_clusters_change_nothing(cases):
    order = np.random.default_rng(4).permutation(N)
    named = np.array([f"patient {97 * code % 31}" for code in range(CLUSTERS)])
    for answers in ({"predicted": "p"}, {"scores": "s"}):
        first = howsure.assess("y", data=cases, cluster="patient", **answers)
        turned = cases.iloc[order].assign(patient=named[cases.patient.to_numpy()[order]])
        second = howsure.assess("y", data=turned, cluster="patient", **answers)
        # sums over clusters are taken in another order
        np.testing.assert_allclose(ends(first.estimates()), ends(second.estimates()), rtol=1e-10)


def test_the_order_of_rows_and_the_names_of_clusters_change_no_comparison(cases):
    order = np.random.default_rng(5).permutation(N)
    for kind, columns in (("predicted", ("p", "q")), ("scores", ("s", "t"))):
        frame = cases.assign(t=np.sqrt(cases.s) * (cases.q == cases.y))
        found = []
        for one, cluster in ((frame, frame.patient), (frame.iloc[order], -frame.patient.to_numpy()[order])):
            given = {name: one[name].to_numpy() for name in columns}
            c = howsure.compare(one.y.to_numpy(), **{kind: given}, cluster=cluster)
            found.append([c.difference.value, *c.difference.interval(), c.pair().test.pvalue])
        np.testing.assert_allclose(*found, rtol=1e-10)


@pytest.mark.parametrize("k", [2, 3])
def test_tables_of_shards_are_those_of_all_rows(k):
    """Clusters are split over the shards, as rows of a patient may stand in two files."""
    truth, predicted, scores, cluster = drawn(classes=k)
    part = np.random.default_rng(6).random(N) < 0.4
    whole = label_table(truth, predicted, cluster, k=k)
    added = sum(
        (label_table(truth[rows], predicted[rows], cluster[rows], k=k) for rows in (part, ~part)),
        start=Confusion(np.zeros((k, k), int), range(k), clusters=Clusters.of_tables((), np.zeros((0, k * k), int))),
    )
    np.testing.assert_allclose(of_labels(whole), of_labels(added), rtol=1e-10)
    if k == 2:
        whole = score_table(truth, scores[:, 1], cluster)
        added = score_table(truth[part], scores[part, 1], cluster[part]) + score_table(
            truth[~part], scores[~part, 1], cluster[~part]
        )
        np.testing.assert_allclose(of_scores(whole), of_scores(added), rtol=1e-10)


def test_paired_tables_of_shards_are_those_of_all_rows(cases):
    part = np.random.default_rng(7).random(N) < 0.5

    def labels(rows):
        key = Key(*np.unique(cases.patient[rows], return_inverse=True)[::-1])
        return PairedTable.from_codes(cases.y[rows], cases.p[rows], cases.q[rows], (0, 1), cluster=key)

    def scores(rows):
        key = Key(*np.unique(cases.patient[rows], return_inverse=True)[::-1])
        of_rows = cases[rows]
        second = np.where(of_rows.q == of_rows.y, of_rows.s, 0.5)
        return PairedScores(of_rows.y.to_numpy(), of_rows.s.to_numpy(), second, (0, 1), 1, key)

    for make, measure in ((labels, "f1"), (labels, "accuracy"), (scores, "auc"), (scores, "brier")):
        one = difference(make(np.full(N, True)), registry[measure], label=1 if make is labels else None)
        two = difference(make(part) + make(~part), registry[measure], label=1 if make is labels else None)
        assert one.standard_error == pytest.approx(two.standard_error, rel=1e-10)
        assert one.paired_error.error == pytest.approx(two.paired_error.error, rel=1e-10)


def test_class_scores_of_shards_are_those_of_all_rows():
    truth, _, scores, cluster = drawn(classes=3)

    def made(rows):
        key = Key(*np.unique(cluster[rows], return_inverse=True)[::-1])
        return ClassScores(ScoreRows(truth[rows], scores[rows], np.ones(rows.sum())), (0, 1, 2), cluster=key)

    part = np.random.default_rng(8).random(N) < 0.5
    for name, average in (("auc", "macro"), ("log_loss", None), ("brier", None)):
        tables = made(part | True), made(part) + made(~part)
        found = [estimate_classes(one, registry[name], average=average) for one in tables]
        np.testing.assert_allclose(*ends(found), rtol=1e-10)


def test_tables_with_and_without_clusters_are_not_added(cases):
    table = label_table(cases.y, cases.p, cases.patient)
    with pytest.raises(HowsureError) as error:
        table + Confusion(table.counts, table.labels)
    expected = "a table with clusters cannot be added to a table without clusters."
    assert str(error.value) == expected


# Standard errors and design effects are what they are said to be.


def test_the_standard_error_is_that_of_sums_over_clusters(cases):
    a = howsure.assess("y", "p", data=cases, cluster="patient", positive=1)
    clusters = cases.patient.nunique()
    for name, rows, right in (
        ("accuracy", cases.y >= 0, cases.y == cases.p),
        ("recall", cases.y == 1, cases.p == 1),
        ("precision", cases.p == 1, cases.y == 1),
    ):
        value = right[rows].mean()
        sums = ((right - value) * rows).groupby(cases.patient).sum()
        error = np.sqrt(clusters / (clusters - 1) * (sums**2).sum()) / rows.sum()
        assert a[name].standard_error == pytest.approx(error, rel=1e-12)
        effect = error**2 / (value * (1 - value) / rows.sum())
        assert a[name].design_effect == pytest.approx(effect, rel=1e-12)
        assert a[name].effective_n == pytest.approx(rows.sum() / effect, rel=1e-12)
        assert a[name].clusters == clusters


def test_the_interval_is_that_of_fewer_cases_at_students_confidence(cases):
    """By hand: the design effect that is allowed for, and modified Wilson's interval of so many fewer cases."""
    from scipy import stats

    from howsure.intervals import modified_wilson

    right, sizes = (cases.y == cases.p), cases.groupby("patient").size().to_numpy()
    value = right.mean()
    sums = (right - value).groupby(cases.patient).sum().to_numpy() / N
    independent, left_out = value * (1 - value) / N, (sums**2 / (1 - sizes / N) ** 2).sum()
    seen = max(left_out / independent, 1)
    k = (sums**2).sum() ** 2 / (sums**4).sum()
    believed = max(seen, 1 + 0.2 * ((sizes**2).sum() / N - 1))
    effect = np.exp((k * np.log(seen) + np.log(believed)) / (k + 1))
    freedom = max(3, min(2 * k / (1 - k / len(sizes)), len(sizes) - 1))
    confidence = 1 - 2 * stats.norm.sf(stats.t.isf(0.025, freedom))
    expected = modified_wilson(right.sum() / effect, N / effect, confidence=confidence)
    found = howsure.assess("y", "p", data=cases, cluster="patient")["accuracy"].interval()
    assert tuple(found) == pytest.approx(tuple(expected), rel=1e-9)
    assert found.confidence == 0.95
    assert found.method == "wilson-clustered"


def test_obuchowski_1997_by_her_formula():
    """Placements summed over clusters, positives and negatives each with their own number of clusters."""
    truth, _, scores, cluster = drawn()
    scores, flags = np.round(scores[:, 1], 1), truth == 1  # with ties
    kernel = (scores[flags][:, None] > scores[~flags]) + 0.5 * (scores[flags][:, None] == scores[~flags])
    area, (m, n) = kernel.mean(), kernel.shape
    names = np.unique(cluster)
    of_positive = np.array([(kernel.mean(1) - area)[cluster[flags] == name].sum() for name in names])
    of_negative = np.array([(kernel.mean(0) - area)[cluster[~flags] == name].sum() for name in names])
    with_positives, with_negatives = (len(np.unique(cluster[those])) for those in (flags, ~flags))
    variance = (
        with_positives / (with_positives - 1) * (of_positive**2).sum() / m**2
        + with_negatives / (with_negatives - 1) * (of_negative**2).sum() / n**2
        + 2 * len(names) / (len(names) - 1) * (of_positive * of_negative).sum() / (m * n)
    )
    found = estimate_scores(score_table(truth, scores, cluster), "auc")
    assert found.value == pytest.approx(area, rel=1e-12)
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-10)


def test_weights_of_whole_numbers_repeat_cases(cases):
    times = np.random.default_rng(9).integers(1, 4, N)
    rows = np.repeat(np.arange(N), times)
    weighted = howsure.assess(cases.y, cases.p, weight=times, cluster=cases.patient)
    frame = cases.iloc[rows].reset_index()
    repeated = howsure.assess(frame.y, frame.p, cluster=frame.patient)
    np.testing.assert_allclose(ends(weighted.estimates()), ends(repeated.estimates()), rtol=1e-10)


# Intervals hold the value, have width, and stay inside the range.


def check(estimates):
    for one in estimates:
        if one.undefined or not one.methods:
            continue
        low, high = one.interval()
        span = one.basis.span
        if np.isnan(low):
            assert one.interval().notes
            continue
        assert low <= one.value <= high, one
        assert span[0] <= low < high <= span[1], one


def layouts():
    truth, predicted, scores, cluster = drawn()
    one_sided = np.where(truth == 1, cluster % 20, 20 + cluster % 4)  # no cluster has both classes
    return {
        "usual": (truth, predicted, scores, cluster),
        "all right": (truth, truth, np.eye(2)[truth], cluster),
        "all wrong": (truth, 1 - truth, np.eye(2)[1 - truth], cluster),
        "one cluster": (truth, predicted, scores, np.zeros(N, int)),
        "two clusters": (truth, predicted, scores, cluster % 2),
        "clusters of one class": (truth, predicted, scores, one_sided),
        "one positive": (np.arange(N) == 7, predicted, scores, cluster),
        "no positive predicted": (truth, np.zeros(N, int), np.tile([0.9, 0.1], (N, 1)), cluster),
    }


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", layouts())
def test_intervals_hold_the_value_have_width_and_stay_inside(name, weighted):
    truth, predicted, scores, cluster = layouts()[name]
    weight = np.random.default_rng(10).uniform(0.3, 3, N) if weighted else None
    about = {"weight": weight, "cluster": cluster, "labels": [0, 1], "positive": 1}
    truth = np.asarray(truth).astype(int)
    a = howsure.assess(truth, predicted, **about)
    check(a.estimates())
    check(howsure.assess(truth, scores=scores[:, 1], **about).estimates())


@pytest.mark.parametrize("name", ["usual", "all right", "one cluster", "two clusters"])
def test_intervals_of_three_classes_hold_the_value_and_stay_inside(name):
    truth, predicted, scores, cluster = drawn(classes=3)
    cluster = {"usual": cluster, "all right": cluster, "one cluster": cluster * 0, "two clusters": cluster % 2}[name]
    if name == "all right":
        predicted, scores = truth, np.eye(3)[truth]
    a = howsure.assess(truth, predicted, cluster=cluster)
    check(a.estimates())
    check(howsure.assess(truth, scores=scores, cluster=cluster).estimates())


def test_clusters_widen_intervals_and_bands(cases):
    plain = howsure.assess("y", scores="s", data=cases, positive=1)
    clustered = howsure.assess("y", scores="s", data=cases, positive=1, cluster="patient")
    for name in ("accuracy", "recall", "f1", "kappa", "auc", "brier"):
        assert clustered[name].value == plain[name].value
        assert clustered[name].high - clustered[name].low > plain[name].high - plain[name].low
    bands = [one.roc(band="pointwise").columns() for one in (plain, clustered)]
    widths = [np.nanmean(np.subtract(band["high"], band["low"])) for band in bands]
    assert widths[1] > widths[0]


def test_clusters_widen_the_best_threshold():
    """Where clusters shift the scores of all their cases, on average over samples."""
    widths = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        cluster, truth = np.repeat(np.arange(12), 20), rng.integers(0, 2, 240)
        scores = 1.5 * truth + 2 * rng.normal(size=12)[cluster] + rng.normal(size=240)
        for given in (None, cluster):
            chosen = howsure.assess(truth, scores=scores, threshold=1, cluster=given).best_threshold("youden")
            widths.append(np.diff(tuple(chosen.interval()))[0])
    assert np.mean(widths[1::2]) > 1.2 * np.mean(widths[::2])


@pytest.mark.parametrize("name", ["accuracy", "recall", "f1", "kappa", "auc", "brier"])
def test_the_bootstrap_of_whole_clusters_agrees_with_the_sums_of_influence(cases, name):
    """Within a fifth: 2,000 replicates have 2 % of noise, and 24 clusters drawn again vary less by C / (C - 1)."""
    found = howsure.assess("y", scores="s", data=cases, positive=1, cluster="patient")[name]
    drawn = found.basis.replicates(2000, 0)
    assert drawn.std() == pytest.approx(found.standard_error, rel=0.2)
    interval = found.interval(method="bootstrap", replicates=500)
    assert interval.method == "bootstrap-clustered" or interval.method.endswith("-clustered")
    assert interval.low < found.value < interval.high


def test_spread_of_clusters_that_tell_nothing_is_that_of_a_modest_correlation():
    spread = ClusterSpread(np.zeros(5), 0.0, np.full(5, 10.0), 50.0)
    assert spread.informative == 0
    assert spread.cautious_effect == pytest.approx(1 + 0.2 * 9)
    assert spread.freedom == 3
    assert spread.design_effect == 1


# Findings and refusals.


def finding(a, code):
    return [str(one) for one in a.findings if str(one).startswith(code)]


def test_few_clusters_are_told(cases):
    few = howsure.assess("y", "p", data=cases.assign(patient=cases.patient % 6), cluster="patient")
    expected = "A017: there are only 6 clusters, so the variation between clusters is poorly estimated"
    assert finding(few, "A017") == [expected]
    one = howsure.assess("y", "p", data=cases.assign(patient=1), cluster="patient")
    assert finding(one, "A017") == [expected.replace("are only 6 clusters", "is only one cluster")]
    assert finding(howsure.assess("y", "p", data=cases, cluster="patient"), "A017") == []


def test_a_class_of_few_clusters_is_told(cases):
    rare = np.where(cases.patient < 4, cases.y, 0)
    a = howsure.assess(rare, cases.p, cluster=cases.patient)
    expected = "A020: fewer than 10 clusters have cases of '1' (4); rates of such classes are poorly estimated"
    assert finding(a, "A020") == [expected.replace("'1'", "1")]


def test_a_large_cluster_is_told(cases):
    joined = np.where(cases.patient < 10, "north", cases.patient.astype(str))
    share = (joined == "north").mean()
    a = howsure.assess(cases.y, cases.p, cluster=joined)
    expected = f"A018: cluster 'north' holds {100 * share:.0f} % of the cases and dominates the result"
    assert finding(a, "A018") == [expected]
    assert finding(howsure.assess(cases.y, cases.p, cluster=cases.patient), "A018") == []


def test_a_repeated_identifier_is_told_in_frames_and_files(cases, tmp_path):
    path = tmp_path / "cases.csv"
    cases.to_csv(path, index=False)
    expected = (
        "A019: 'patient' has repeated values: if such cases belong together, intervals are too narrow; name the column "
        "with `cluster=`"
    )
    for data in (cases, path):
        assert finding(howsure.assess("y", "p", data=data), "A019") == [expected]
        assert finding(howsure.assess("y", "p", data=data, cluster="patient"), "A019") == []
        assert finding(howsure.assess("y", "p", data=data, by="patient"), "A019") == []
    unique = cases.assign(patient=np.arange(N))
    assert finding(howsure.assess("y", "p", data=unique), "A019") == []


def test_refusals_are_one_sentence(cases, tmp_path):
    path = tmp_path / "cases.csv"
    cases.to_csv(path, index=False)
    missing = cases.patient.astype(object).where(cases.index != 3, None)
    refused = {
        "`truth` has 240 rows and `cluster` has 239; they must be of equal length.": lambda: howsure.assess(
            cases.y, cases.p, cluster=cases.patient[1:]
        ),
        "`cluster` has no label at index 3; drop these rows or give them a label.": lambda: howsure.assess(
            cases.y, cases.p, cluster=missing
        ),
        "`cluster` must be a column of `data`, not 'patiend'; did you mean 'patient'?": lambda: howsure.assess(
            "y", "p", data=cases, cluster="patiend"
        ),
        f"`cluster` must be a column of '{path}', not 'patiend'; did you mean 'patient'?": lambda: howsure.assess(
            "y", "p", data=path, cluster="patiend"
        ),
        "a `Confusion` is already counted; give it alone, or with `labels`, `positive`, `costs`.": lambda: (
            howsure.assess(Confusion([[1, 2], [3, 4]]), cluster=[1, 2])
        ),
    }
    for sentence, refuse in refused.items():
        with pytest.raises(HowsureError) as error:
            refuse()
        assert str(error.value) == sentence


def test_the_headline_says_what_clusters_are_worth(cases):
    text = str(howsure.assess("y", "p", data=cases, cluster="patient"))
    worth = howsure.assess("y", "p", data=cases, cluster="patient")["accuracy"].effective_n
    said = " ".join(text.split())
    assert f"240 cases in {CLUSTERS} clusters" in said
    assert (
        "Cases within a cluster are alike: for the accuracy, these 240 carry as much information as "
        f"{worth:.0f} independent ones."
    ) in said
    spread_out = howsure.assess("y", "p", data=cases.assign(patient=np.arange(N) % 24), cluster="patient")
    if spread_out["accuracy"].design_effect <= 1:
        assert "no more alike than others" in " ".join(str(spread_out).split())


# The command line.


def run(*args):
    result = CliRunner().invoke(main, list(map(str, args)))
    assert result.exit_code in (0, 1), result.output
    return result.stdout


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_assess_on_the_command_line(cases, tmp_path, suffix):
    path = tmp_path / f"cases.{suffix}"
    cases.to_csv(path, index=False) if suffix == "csv" else cases.to_parquet(path)
    for option, answers in (("--predicted", {"predicted": "p"}), ("--score", {"scores": "s"})):
        column = next(iter(answers.values()))
        text = run("assess", path, "--truth", "y", option, column, "--cluster", "patient", "--positive", 1, "--json")
        expected = howsure.assess("y", data=path, cluster="patient", positive=1, **answers)
        assert json.loads(text) == json.loads(json.dumps(jsonable(expected.to_dict())))
        assert f'"clusters": {CLUSTERS}' in text


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_compare_and_gate_on_the_command_line(cases, tmp_path, suffix):
    path, frame = tmp_path / f"cases.{suffix}", cases.assign(t=cases.s * 0.5 + 0.5 * cases.q)
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    for option, kind, (one, other) in (("--predicted", "predicted", "pq"), ("--score", "scores", "st")):
        columns = (option, one, option, other)
        text = run("compare", path, "--truth", "y", *columns, "--cluster", "patient", "--positive", 1, "--json")
        names = {one: one, other: other}
        expected = howsure.compare("y", **{kind: names}, data=path, cluster="patient", positive=1)
        assert json.loads(text)["pairs"] == json.loads(json.dumps(jsonable(expected.to_dict())))["pairs"]
    assert f"in {CLUSTERS} clusters" in run(
        "compare", path, "--truth", "y", "--predicted", "p", "--predicted", "q", "--cluster", "patient"
    )
    answers = ("--candidate", "p", "--baseline", "q", "--margin", 0.1)
    plain, clustered = (run("gate", path, "--truth", "y", *answers, *more) for more in ((), ("--cluster", "patient")))
    assert plain != clustered


def test_two_files_with_a_key_on_the_command_line(cases, tmp_path):
    frame = cases.assign(case=np.arange(N))
    frame[["case", "y", "p", "patient"]].to_csv(tmp_path / "one.csv", index=False)
    second = frame[["case", "y", "q", "patient"]].rename(columns={"q": "p"}).iloc[::-1]
    second.to_csv(tmp_path / "two.csv", index=False)
    files = (tmp_path / "one.csv", tmp_path / "two.csv")
    about = ("--truth", "y", "--predicted", "p", "--key", "case", "--cluster", "patient", "--json")
    found = json.loads(run("compare", *files, *about))
    expected = howsure.compare("y", {"one": "p", "two": "q"}, data=frame, cluster="patient")
    assert found["pairs"][0]["pvalue"] == pytest.approx(expected.pair().test.pvalue, rel=1e-10)


def test_a_page_on_the_command_line(cases, tmp_path):
    path, page = tmp_path / "cases.csv", tmp_path / "page.html"
    cases.to_csv(path, index=False)
    run("report", path, "--truth", "y", "--score", "s", "--cluster", "patient", "--positive", 1, "--output", page)
    text = page.read_text(encoding="utf-8")
    assert f"in {CLUSTERS} clusters" in text


@pytest.mark.parametrize("measure", ["auc", "average_precision", "brier", "log_loss", "ks_distance"])
def test_very_many_scores_are_joined_for_the_variance_alone(measure, monkeypatch):
    """Of more scores than 65,536 neighbours are joined: the value stays exact, and the error is told to four digits."""
    rng = np.random.default_rng(12)
    n, cluster = 150_000, np.arange(150_000) % 300
    truth = rng.random(n) < 0.3
    scores = 1 / (1 + np.exp(-rng.normal(size=n) - rng.normal(size=300)[cluster] * 0.5 - truth))
    joined = howsure.assess(truth, scores=scores, cluster=cluster)[measure]
    monkeypatch.setattr("howsure.tables.scores.MAX_GROUPS", n)
    exact = howsure.assess(truth, scores=scores, cluster=cluster)[measure]
    assert joined.value == exact.value
    assert joined.standard_error == pytest.approx(exact.standard_error, rel=1e-3 if measure == "ks_distance" else 1e-4)
    assert tuple(joined.interval()) == pytest.approx(tuple(exact.interval()), abs=2e-5)


@pytest.mark.parametrize("always", ["a", "b"])
def test_a_classifier_that_always_says_the_same_is_assessed_in_clusters(always):
    """No cluster has a case of which precision, or its counterpart, is a share."""
    rng = np.random.default_rng(0)
    a = howsure.assess(rng.choice(["a", "b"], 200), np.full(200, always), cluster=rng.integers(0, 30, 200))
    assert "undefined" in str(a["precision" if always == "a" else "negative_predictive_value"])
    assert a.all().text()


def test_the_name_that_an_interval_of_clusters_has_can_be_asked_for():
    estimate = howsure.assess([0, 1] * 20, [0, 1, 1, 1] * 10, cluster=np.arange(40) // 4)["accuracy"]
    for method in estimate.methods:
        interval = estimate.interval(method=method)
        assert interval.method.count("-clustered") == 1
        assert tuple(estimate.interval(method=interval.method)) == tuple(interval)
    with pytest.raises(howsure.HowsureError, match="`method` must be one of"):
        howsure.assess([0, 1] * 20, [0, 1, 1, 1] * 10)["accuracy"].interval(method="wilson-clustered")
