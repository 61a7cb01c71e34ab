"""What charts of plans, the lab, wrong labels, judged labels and costs draw: the numbers of their results."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from sklearn.naive_bayes import GaussianNB

import howsure
from howsure import KFold, lab, selection
from howsure.present.charts.declare import kinds_of
from howsure.present.charts.series import SERIES, paper

RNG = np.random.default_rng(0)
Y = np.arange(120) % 2
P = np.clip(0.35 * Y + 0.65 * RNG.random(120), 0, 1)
X = RNG.normal(size=(120, 2)) + Y[:, None]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def points(ax, *, filled):
    """The values of the points that are filled, or open, from top to bottom."""
    found = [line for line in ax.get_lines() if line.get_marker() == "o" and len(line.get_xdata()) == 1]
    chosen = [line for line in found if (to_rgb(line.get_markerfacecolor()) != paper(ax)) is filled]
    return [line.get_xdata()[0] for line in sorted(chosen, key=lambda line: line.get_ydata()[0])]


def ends(ax, *, colour=None):
    """The ends of the intervals, from top to bottom."""
    lines = [line for line in ax.get_lines() if len(line.get_xdata()) == 2 and np.ptp(line.get_ydata()) == 0]
    chosen = [line for line in lines if colour is None or line.get_color() == colour]
    return [tuple(line.get_xdata()) for line in sorted(chosen, key=lambda line: line.get_ydata()[0])]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def words(ax):
    return ax.get_title("left").replace("\n", " ")


class TestPlans:
    plan = howsure.plan.mcnemar(power=0.8, difference=0.02, discordant=0.1)

    def test_power_by_cases_with_the_plan_marked(self):
        ax = self.plan.plot()
        line, point, *_ = ax.get_lines()
        assert line.get_gid() == SERIES
        x, y = line.get_data()
        assert [record["power"] for record in self.plan.records(sizes=x)] == list(y)
        assert x[0] <= self.plan.n / 10 < self.plan.n < x[-1] == 2 * self.plan.n
        assert point.get_xydata().tolist() == [[self.plan.n, self.plan.power]]
        assert [text.get_text() for text in ax.get_legend().get_texts()] == ["1 945 cases have power 0.800"]
        assert (ax.get_title(), ax.get_xlabel()) == ("McNemar's test, difference 0.020", "cases")
        assert ax.get_ylabel() == "power at the 5 % level"

    def test_several_plans_on_one_axes(self):
        ax = self.plan.plot(label="10 %")
        howsure.plan.mcnemar(power=0.8, difference=0.03, discordant=0.16).plot(ax, label="16 %")
        assert [text.get_text() for text in ax.get_legend().get_texts()] == [
            "10 %: 1 945 cases have power 0.800",
            "16 %: 1 385 cases have power 0.800",
        ]
        assert ax.get_title() == "McNemar's test"
        assert ax.get_xlim()[1] > 2 * self.plan.n

    def test_a_smallest_plan_has_no_fewer_than_the_least(self):
        plan = howsure.plan.friedman(power=0.5, difference=0.9, classifiers=3)
        x = plan.plot().get_lines()[0].get_xdata()
        assert min(x) >= plan.least
        assert len(set(x)) == len(x)


class TestCoverage:
    coverage = lab.coverage("recall", 30, methods=["wilson", "wald", "modified-wilson"], rounds=100)

    def test_the_share_of_each_method_with_its_error(self):
        ax = self.coverage.plot()
        held = {one.method: one for one in self.coverage.methods}
        assert points(ax, filled=True) == [held["modified-wilson"].coverage]
        assert points(ax, filled=False) == [held["wilson"].coverage, held["wald"].coverage]
        expected = [(one.coverage - 2 * one.error, min(one.coverage + 2 * one.error, 1.0)) for one in held.values()]
        np.testing.assert_allclose(ends(ax), expected, rtol=1e-12)  # sums of the same numbers
        assert texts(ax)[:2] == ["wilson", f"{held['wilson'].width:.3f}"]
        (nominal,) = [line for line in ax.get_lines() if line.get_linestyle() == "--"]
        assert list(nominal.get_xdata()) == [0.95, 0.95]
        assert words(ax) == (
            "recall 0.900 (n = 30, prevalence 0.5, good classifier); bars: ±2 Monte Carlo standard errors; "
            "dashed: nominal 95 %; filled: the default"
        )

    def test_a_method_without_intervals_says_so(self):
        none = lab.coverage("recall", 20, prevalence=0.001, quality=0.6, rounds=5)
        assert not none.methods[0].given
        assert "no interval" in texts(none.plot())


class TestWrongLabels:
    noise = howsure.label_noise(howsure.assess(Y, P > 0.5, positive=1), 0.05)

    def test_seen_and_corrected_with_intervals(self):
        ax = self.noise.plot(color="purple")
        records = self.noise.records()
        assert points(ax, filled=False) == [record["seen"] for record in records]
        assert points(ax, filled=True) == [record["value"] for record in records]
        assert ends(ax, colour="purple") == [(record["low"], record["high"]) for record in records]
        assert set(ends(ax)) >= {tuple(self.noise.assessment[name].interval()) for name in self.noise.measures}
        (shaded,) = ax.collections
        assert (shaded.get_paths()[0].get_extents().x0, shaded.get_paths()[0].get_extents().x1) == self.noise.worst
        assert words(ax) == (
            "open: observed; filled: corrected for 5 % random label errors; 95 % intervals; shaded: accuracy if the "
            "label errors favour one side"
        )

    def test_what_cannot_be_corrected_is_only_seen(self):
        ax = howsure.label_noise(howsure.assess(Y, P > 0.5), 0.5).plot()
        assert np.isnan(points(ax, filled=True)).all()
        assert np.isfinite(points(ax, filled=False)).all()


class TestJudgedLabels:
    human = (*Y[:40], *[None] * 80)

    def test_both_kinds_of_labels_beside_the_human_ones_alone(self):
        a = howsure.assess(self.human, P > 0.5, judge=P > 0.4, positive=1)
        ax = a.plot(color="purple")
        estimates = a.estimates()
        assert points(ax, filled=True) == [one.value for one in estimates]
        assert points(ax, filled=False) == [one.human.value for one in estimates]
        assert ends(ax, colour="purple") == [tuple(one.interval()) for one in estimates]
        assert set(ends(ax)) >= {tuple(one.human.interval()) for one in estimates}
        assert texts(ax)[:2] == ["accuracy", f"{a['accuracy'].worth:.0f}"]
        assert texts(ax)[-1] == "effective human labels"
        assert words(ax) == "filled: with the 80 labels of the judge; open: the 40 human labels alone; 95 % intervals"

    def test_the_measures_asked_for(self):
        a = howsure.assess(self.human, scores=P, judge=P > 0.4, positive=1)
        assert "log loss" not in texts(a.plot())  # it has no upper end, and would leave the others no room
        ax = a.plot(measures=["log_loss", "auc"])
        assert texts(ax)[0].startswith("log loss")
        assert points(ax, filled=True) == [a["log_loss"].value, a["auc"].value]

    def test_what_the_judge_alone_says_has_no_human_value(self):
        a = howsure.assess(self.human, judge=P > 0.4, positive=1)
        ax = a.plot()
        assert points(ax, filled=True) == [a["rate"].value, a["rogan_gladen"].value]
        alone = points(ax, filled=False)
        assert alone[0] == a["rate"].human.value
        assert np.isnan(alone[1])


def test_methods_of_costs_are_drawn_by_split():
    costs = howsure.Costs(false_negative=5, false_positive=1)
    result = selection.compare_cost_methods(GaussianNB(), X, Y, costs, methods=["threshold"], resampling=KFold(4))
    assert kinds_of(result) == ["splits", "comparison"]
    drawn, expected = (
        [line.get_xydata().tolist() for line in one.plot().get_lines()] for one in (result, result.costs_by_split)
    )
    assert drawn == expected
    assert result.plot("comparison").get_xlabel() == "difference in mean cost"


def forest(ax, shift, names):
    """A forest of groups whose accuracies lie around a value."""
    rng = np.random.default_rng(1)
    truth, by = rng.integers(0, 2, 300), np.array(names)[np.arange(300) % len(names)]
    return howsure.assess(truth, np.where(rng.random(300) < shift, truth, 1 - truth), by=by).plot(ax)


@pytest.mark.parametrize("shifts", [(0.9, 0.6), (0.6, 0.9), (0.9, 0.6, 0.75)])
def test_forests_that_share_their_values_share_the_axis(shifts):
    """The edge of each holds all marks and all intervals, and names and notes stand beside them."""
    figure = Figure(figsize=(6.4, 6), layout="constrained")
    axes = figure.subplots(len(shifts), 1, sharex=True)
    for ax, shift, names in zip(axes, shifts, (["a", "b"], ["a longer name", "b", "c"], ["d", "e"]), strict=False):
        forest(ax, shift, names)
    figure.draw_without_rendering()
    for ax in axes:
        low, high = ax.spines["bottom"].get_bounds()
        assert all(low <= mark <= high for mark in ax.get_xticks())
        assert all(low <= first <= last <= high for first, last in ends(ax))
        start, end = ax.transData.transform([(low, 0), (high, 0)])[:, 0]
        for text in ax.texts:
            box = text.get_window_extent()
            assert box.x1 <= start + 1 or box.x0 >= end - 1, text.get_text()
    assert len({ax.spines["bottom"].get_bounds() for ax in axes}) == 1
