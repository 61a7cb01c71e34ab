"""Interval, p-value and verdict of a pair come from one procedure: they agree at every level."""

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

import howsure
from howsure.comparison import compare_datasets, compare_folds
from howsure.comparison.pair import CUT, NO_DIRECTION, WIDENED, PairComparison
from howsure.intervals.mean import MeanOfValues
from howsure.results import Estimate, TestResult
from howsure.tables import Design, FoldTable

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


def discordant(won, lost, n):
    truth = np.zeros(n, int)
    a, b = truth.copy(), truth.copy()
    b[:won] = 1
    a[won : won + lost] = 1
    return howsure.compare(truth, {"a": a, "b": b}, labels=[0, 1])


@pytest.mark.parametrize("won", range(8))
@pytest.mark.parametrize("lost", range(4))
def test_the_interval_of_two_accuracies_agrees_with_mcnemar(won, lost):
    found = discordant(won, lost, 30)
    for confidence in LEVELS:
        interval = found.difference.interval(confidence)
        assert (0 in interval) == (found.test.pvalue >= 1 - confidence - 1e-12)
        assert found.difference.value in interval


def test_four_against_none_is_not_enough():
    found = discordant(4, 0, 30)
    assert found.test.pvalue == 0.0625
    interval = found.difference.interval()
    assert (interval.low, interval.method, interval.notes) == (0.0, "tango", (WIDENED,))
    assert interval.high == howsure.intervals.tango(0, 4, 30).high
    named = found.difference.interval(method="tango")  # a method asked for by name is left as it is
    assert tuple(named) == tuple(howsure.intervals.tango(0, 4, 30))
    assert found.difference.interval(side="lower").low == howsure.intervals.tango(0, 4, 30, side="lower").low
    assert found.verdict.startswith("No significant difference between a and b: ")
    assert found.difference.interval(0.9).low > 0


def difference(value, spread, pvalue):
    """The difference of a pair whose interval is the value and ``spread`` either way at 95 %."""
    basis = MeanOfValues(np.array([value - spread, value + spread]))
    test = TestResult(0.0, pvalue, value, "a test", notes=("no reason",))
    pair = PairComparison("a", "b", Estimate("accuracy", value, 2, basis=basis), test)
    return pair.difference


def test_an_end_that_is_cut_is_open_at_0():
    cut = difference(0.1, 0.01, 0.04).interval()  # two values have an interval of 0.1 +- 0.127
    assert 0 < cut.low < 1e-300
    assert str(cut) == "(0.000, 0.227]"
    assert cut.notes == (CUT,)
    assert 0 not in cut
    below = difference(-0.1, 0.01, 0.04).interval()
    assert str(below) == "[-0.227, 0.000)"
    assert 0 not in below
    held = difference(0.1, 0.001, 0.05).interval()  # a p-value at the level does not reject
    assert str(held) == "[0.000, 0.113]"
    assert 0 in held


def test_without_a_p_value_or_a_direction_there_is_no_interval():
    none = difference(0.1, 0.01, np.nan).interval()
    assert np.isnan([none.low, none.high]).all()
    assert none.notes == ("no reason",)
    undirected = difference(0.0, 0.01, 0.01).interval()
    assert np.isnan(undirected.low)
    assert undirected.notes == (NO_DIRECTION,)
    assert difference(0.0, 0.01, 0.06).interval().low < 0


def test_intervals_are_nested_after_the_test_has_spoken():
    for won, lost in ((4, 0), (6, 1), (7, 0)):
        intervals = [discordant(won, lost, 30).difference.interval(level) for level in LEVELS]
        for narrow, wide in itertools.pairwise(intervals):
            assert wide.low <= narrow.low
            assert narrow.high <= wide.high


def cases(rng):
    n, k = int(rng.integers(4, 60)), int(rng.integers(2, 6))
    truth = rng.integers(2, size=n)
    truth[:2] = 0, 1
    columns = {}
    for index in range(k):
        quality = rng.choice([0.5, 0.7, 0.9, 0.98])
        columns[f"m{index}"] = np.where(rng.random(n) < quality, truth, 1 - truth)
    if rng.random() < 0.2:
        columns["m1"] = columns["m0"].copy()
    return truth, columns


def options(rng, names):
    chosen = {
        "alpha": float(rng.choice([0.01, 0.05, 0.0625, 0.1, 0.3])),
        "rope": float(rng.choice([0.0, 0.01, 0.1, 0.5])),
        "adjust": str(rng.choice(["bonferroni", "bonferroni", "sidak", "none", "holm", "bh"])),
    }
    if rng.random() < 0.3:
        chosen["baseline"] = str(rng.choice(names))
    return chosen


def of_labels(rng):
    truth, columns = cases(rng)
    measure = str(rng.choice(["accuracy", "error_rate", "accuracy", "recall" if rng.random() < 0.2 else "accuracy"]))
    return howsure.compare(truth, columns, labels=[0, 1], measure=measure, **options(rng, list(columns)))


def of_scores(rng):
    truth, columns = cases(rng)
    scores = {name: np.round(0.6 * one + 0.4 * rng.random(len(one)), 1) for name, one in columns.items()}
    return howsure.compare(truth, scores=scores, **options(rng, list(columns)))


def fold_table(rng, folds, names, *, dataset="", scheme=None):
    values = rng.normal(0.8, 0.02, (folds, 1)) + rng.normal(0, 0.01, (folds, len(names)))
    values = np.round(values + 0.02 * np.arange(len(names)) * rng.integers(0, 2), int(rng.choice([2, 3, 9])))
    if rng.random() < 0.2:
        values[:, 1] = values[:, 0]
    if rng.random() < 0.1:
        values[:, 1] = values[:, 0] + 0.125  # no spread
    if rng.random() < 0.2:
        values[rng.integers(folds), 0] = np.nan
    design = Design(scheme or howsure.KFold(folds), 100, folds, 1, 90.0, 10.0, 0.9, 1.0)
    zeros = np.zeros(folds, int)
    return FoldTable(values, tuple(names), "x", "accuracy", design, zeros, zeros, dataset=dataset)


def of_folds(rng):
    names = [f"m{index}" for index in range(int(rng.integers(2, 6)))]
    halves = rng.random() < 0.3
    scheme = howsure.FiveByTwo() if halves else None
    table = fold_table(rng, 10 if halves else int(rng.integers(2, 12)), names, scheme=scheme)
    return compare_folds(table, str(rng.choice(["higher", "lower"])), **options(rng, names))


def of_datasets(rng):
    names = [f"m{index}" for index in range(int(rng.integers(2, 5)))]
    tables = [fold_table(rng, 5, names, dataset=f"d{index}") for index in range(int(rng.integers(2, 12)))]
    return compare_datasets(tables, str(rng.choice(["higher", "lower"])), **options(rng, names))


def is_below(p, level):
    return p < level - 1e-12


def shown_interval(text):
    """What a reader sees of an interval: its ends, and whether it holds 0."""
    opens, low, high, closes = re.fullmatch(r"([\[(])(\S+), (\S+)([\])])", text).groups()
    low, high = float(low), float(high)
    return (low < 0 or (low == 0 and opens == "[")) and (high > 0 or (high == 0 and closes == "]"))


def check_records(found):
    """Hold the outcome of every pair against its interval, its adjusted p-value and the region; give it by names."""
    alpha, rope, m = found.alpha, found.options.rope, sum(not np.isnan(pair.test.pvalue) for pair in found.pairs)
    outcomes = {}
    for record, pair in zip(found.records(), found.pairs, strict=True):
        outcome, value, low, high = (record[key] for key in ("outcome", "difference", "low", "high"))
        is_better = outcome in ("better", "slightly better")
        level = alpha
        if len(found.pairs) > 1 and found.adjust != "none":
            level = 1 - record["confidence_of_each"] if found.adjust in ("bonferroni", "sidak") else alpha / m
        if np.isnan(record["adjusted"]) or (value == 0 and is_below(record["adjusted"], alpha)):
            assert outcome == "no answer"
            assert np.isnan([low, high]).all()
        else:
            assert is_better == is_below(record["adjusted"], alpha)
            if found.adjust == "bonferroni":
                assert record["adjusted"] == pytest.approx(min(1, m * record["pvalue"]), rel=1e-12)
        if not np.isnan(low):
            assert low <= value <= high
            assert (low <= 0 <= high) != is_better
        if is_better:
            is_first = (value > 0) == (found.better == "higher")
            assert record["better"] == (record["a"] if is_first else record["b"])
            assert (outcome == "slightly better") == (abs(value) < rope)
        else:
            assert record["better"] == ""
        if outcome in ("equivalent", "cannot tell"):
            inner = pair.difference.interval(1 - 2 * level) if level < 0.5 else None
            within = inner is not None and -rope < inner.low and inner.high < rope
            assert (outcome == "equivalent") == within
        outcomes[pair.a, pair.b] = record
    return outcomes


def check_tiers(found, shown):
    tiers = found.ranking().tiers
    for tier in tiers:
        assert not any((better, worse) in shown for i, worse in enumerate(tier) for better in tier[:i])
    for above, below in itertools.pairwise(tiers):
        assert any((better, below[0]) in shown for better in above)


def check_sheet(found, outcomes):
    """Hold what a reader sees in the table against the outcome."""
    sheet = found.sheet()
    for row in sheet.records():
        a, b = row["difference"].split(" - ")
        record = outcomes.get((a, b)) or outcomes[b, a]
        is_better = record["better"] != ""
        for heading, cell in row.items():
            if heading.startswith("p") and cell != "n/a" and record["outcome"] != "no answer":
                assert (cell.startswith("<") or float(cell) < found.alpha - 1e-12) == is_better
            if "%" in heading and cell:
                assert shown_interval(cell) != is_better


def check_verdict(found, outcomes, shown):
    """Hold every claim of the verdict against the outcomes."""
    said = re.split(r"With \d+ data sets? this test can never", found.verdict)[0]
    if len(found.pairs) == 1:
        (record,) = outcomes.values()
        words = {
            "better": "{good} is better than {bad}: ",
            "slightly better": "{good} is better than {bad}, but by less than ",
            "equivalent": "are practically equal: ",
            "cannot tell": "No significant difference between ",
            "no answer": "cannot be compared by ",
        }[record["outcome"]]
        good = record["better"]
        bad = record["b"] if good == record["a"] else record["a"]
        assert words.format(good=good, bad=bad) in said
        if "and larger than the" in said:
            assert min(abs(record["low"]), abs(record["high"])) > found.options.rope
        return
    for good, others in re.findall(
        r"(m\d) (?:has the best [^:]*: it )?is ahead ((?:of m\d by [^;]*?)(?=, but| and of \d|\.(?: |$)))", said
    ):
        assert all((good, bad) in shown for bad in re.findall(r"of (m\d) by", others))
    for good, others in re.findall(
        r"(m\d) has the best .*? but is not significantly better than (m\d.*?)\.(?: |$)", said
    ):
        names = re.findall(r"(m\d) \(", others)
        assert good not in names
        assert not any({(good, bad), (bad, good)} & set(shown) for bad in names)
    for best, others in re.findall(r"(m\d) is practically equal to (m\d.*?) in [a-zA-Z ]*:", said):
        for name in re.findall(r"(m\d) \(", others):
            assert (outcomes.get((best, name)) or outcomes[name, best])["outcome"] == "equivalent"
    apart = re.findall(r"No significant difference between (m\d) and (m\d)", said)
    for a, b in [*apart, *re.findall(r"(m\d) and (m\d) are practically equal", said)]:
        assert not {(a, b), (b, a)} & set(shown)
    counted = re.search(r"(\d+) of (\d+) pairs? differs? significantly, in (\d+) tier", said)
    if counted:
        tiers = len(found.ranking().tiers)
        assert tuple(map(int, counted.groups())) == (len(shown), len(found.pairs), tiers)
    baseline = found.options.baseline
    for name, standing in re.findall(r"(m\d) is (better|worse) by", said):
        assert ((name, baseline) if standing == "better" else (baseline, name)) in shown
    for group, names in re.findall(
        r"\d (better|worse|not significantly different|practically equal) \(([^)]*)\)", said
    ):
        for name in re.findall(r"m\d", names):
            assert ((name, baseline) in shown) == (group == "better")
            assert ((baseline, name) in shown) == (group == "worse")


@pytest.mark.parametrize(("make", "count"), [(of_labels, 280), (of_scores, 80), (of_folds, 110), (of_datasets, 50)])
def test_no_verdict_contradicts_its_table(make, count):
    """520 random comparisons in all: few cases, ties, identical classifiers, no spread, no value, several levels."""
    rng = np.random.default_rng(13)
    seen = set()
    for _ in range(count):
        found = make(rng)
        # the Bayesian twins take long, and are judged by other rules
        found = replace(found, pairs=tuple(replace(pair, find_bayesian=None) for pair in found.pairs))
        outcomes = check_records(found)
        shown = {}
        for (a, b), record in outcomes.items():
            if record["better"]:
                shown[(a, b) if record["better"] == a else (b, a)] = record
        check_tiers(found, shown)
        check_sheet(found, outcomes)
        check_verdict(found, outcomes, shown)
        seen |= {record["outcome"] for record in outcomes.values()}
    assert seen >= {"better", "cannot tell", "slightly better", "equivalent"}
