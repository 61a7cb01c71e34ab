"""Five classifiers on the same cases, and what a comparison of five says of the rate that was measured."""

from __future__ import annotations

import numpy as np
import pytest

import howsure
from howsure.measured.tests import EQUALS, MeasuredRate
from lab.many import MANY, answers, of_cell
from lab.shipped_tests import rows


@pytest.mark.parametrize("measure", ["accuracy", "f1", "auc"])
def test_each_measure_has_a_row_of_any_pair(measure):
    *at_once, pairs = of_cell(measure, 60, 0.4, 0.0, rounds=20, seed=1)
    assert pairs.cell["pairs"] == 10
    assert pairs.cell["classifiers"] == MANY
    assert 0 <= pairs.rate <= 0.3  # of 20 samples
    assert [row.test for row in at_once] == {"accuracy": ["cochran_q"], "f1": [], "auc": ["delong"]}[measure]


def test_errors_that_are_alike_are():
    rng = np.random.default_rng(3)
    truth = rng.random(4000) < 0.5
    for scores in (False, True):
        alike = np.corrcoef(list(answers(rng, truth, 0.8, scores=scores).values()))
        assert alike[0, 1] > np.corrcoef(list(answers(rng, truth, 0.0, scores=scores).values()))[0, 1] + 0.05


def test_no_family_of_five_is_rejected_too_often():
    kept = [row for row in rows() if row.design == "cases" and row.cell.get("classifiers") == MANY]
    if not kept:
        pytest.skip("five classifiers are not in lab/results")
    assert [row for row in kept if row.pair in EQUALS and row.rate > 0.06 + 2 * row.error] == []


def test_a_comparison_of_five_tells_its_setting(monkeypatch):
    """The rate of five classifiers with all their pairs is quoted, where it is known."""
    rng = np.random.default_rng(4)
    truth = rng.random(200) < 0.5
    actual = howsure.compare(truth, answers(rng, truth, 0.0, scores=False), measure="accuracy")
    assert actual.omnibus.setting["classifiers"] == MANY
    options = []

    def measured(test, setting):
        options.append(setting.get("classifiers"))
        return MeasuredRate(0.04, 0.01, {"n": 200, "classifiers": setting.get("classifiers", 2)}, 1)

    monkeypatch.setattr("howsure.comparison.result.measured", measured)
    assert "5 classifiers" in actual.text()
    assert options == [MANY]
