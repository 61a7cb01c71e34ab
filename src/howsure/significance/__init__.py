"""Significance tests, Bayesian comparisons, power and sample sizes.

``one``, ``two/`` and ``many/`` hold the tests for one, two and more classifiers, and ``posthoc/`` holds the pairwise
comparisons that follow a test of many classifiers. ``multiplicity`` adjusts p-values, ``bayesian/`` computes posterior
probabilities, and ``power/`` plans studies. ``declare`` registers every test with its design, null hypothesis and
assumptions.
"""

from typing import Any

from howsure.registry import import_modules
from howsure.significance.bayesian.result import BayesianResult
from howsure.significance.declare import Test, ValidTests, registry, valid_tests
from howsure.significance.multiplicity import Adjusted, adjust
from howsure.significance.posthoc.pairwise import CriticalDifference, Pairwise, PairwiseDifference
from howsure.significance.power.half_widths import WidthPlan, plan_auc_half_width, plan_half_width
from howsure.significance.power.non_inferiority import plan_non_inferiority
from howsure.significance.power.one import Power, power_binomial, power_normal
from howsure.significance.power.planning import (
    plan_auc,
    plan_corrected_t,
    plan_friedman,
    plan_mcnemar,
    plan_proportions,
)
from howsure.significance.power.repeats import RepeatsPlan, plan_repeats
from howsure.significance.power.sample_plan import SamplePlan
from howsure.significance.pvalues import decide

import_modules(__name__)

__all__ = [
    "Adjusted",
    "BayesianResult",
    "CriticalDifference",
    "Pairwise",
    "PairwiseDifference",
    "Power",
    "RepeatsPlan",
    "SamplePlan",
    "Test",
    "ValidTests",
    "WidthPlan",
    "adjust",
    "decide",
    "names",
    "plan_auc",
    "plan_auc_half_width",
    "plan_corrected_t",
    "plan_friedman",
    "plan_half_width",
    "plan_mcnemar",
    "plan_non_inferiority",
    "plan_proportions",
    "plan_repeats",
    "power_binomial",
    "power_normal",
    "registry",
    "valid_tests",
    *registry,
]


def names() -> list[str]:
    """Return the names of all tests, in order of declaration.

    Returns
    -------
    list of str
        Names of functions of `howsure.significance`.

    Examples
    --------
    >>> from howsure import significance
    >>> "mcnemar" in significance.names()
    True
    """
    return list(registry)


def __getattr__(name: str) -> Any:
    return registry.attribute(name, __name__).function


def __dir__() -> list[str]:
    return sorted({*__all__, *registry})
