"""Types of the public API; a line fails in mypy or pyright if a type is missing."""

from typing import assert_type

import howsure
from howsure import (
    Agreement,
    Assessment,
    Comparison,
    Confusion,
    Curve,
    Estimate,
    Experiment,
    ExperimentResult,
    Gate,
    Interval,
    KFold,
    Tally,
    TestResult,
)

truth, predicted = [0, 1, 1], [0, 1, 0]
a = howsure.assess(truth, predicted)
assert_type(a, Assessment)
assert_type(a["recall"], Estimate)
assert_type(a["recall"].value, float)
assert_type(a["recall"].interval(confidence=0.9, method="wilson"), Interval)
assert_type(a.roc(), Curve)
assert_type(a.headline, str)
c = howsure.compare(truth, {"a": predicted, "b": truth})
assert_type(c, Comparison)
assert_type(c.test, TestResult)
assert_type(c.test.pvalue, float)
assert_type(c.difference, Estimate)
assert_type(c.verdict, str)
assert_type(Experiment({}, {}, KFold(10), seed=0).run(), ExperimentResult)
assert_type(howsure.intervals.wilson(75, 100), Interval)
assert_type(howsure.significance.mcnemar(25, 15), TestResult)
assert_type(howsure.gate(truth, baseline=predicted, candidate=truth, margin=0.1), Gate)
assert_type(howsure.Confusion([[1, 2], [3, 4]]) + howsure.Confusion([[1, 2], [3, 4]]), Confusion)
assert_type(howsure.Tally(), Tally)
assert_type(howsure.agreement([[0, 0], [1, 1]]), Agreement)
