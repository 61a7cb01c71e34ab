"""Significance tests, and what goes with them: adjusted p-values, Bayesian comparisons, power and planning.

By the number of classifiers: ``one``, ``two/``, ``many/``, and ``posthoc/`` after a test of many; ``multiplicity``
adjusts p-values. Every test is declared (``declare``): what it compares, what it can test, and what it assumes.
"""

from typing import Any

from assay.registry import import_modules
from assay.significance.bayesian.result import BayesianResult
from assay.significance.declare import Test, ValidTests, registry, valid_tests
from assay.significance.multiplicity import Adjusted, adjust
from assay.significance.posthoc.pairwise import CriticalDifference, Pairwise, PairwiseDifference
from assay.significance.power.half_widths import WidthPlan, plan_auc_half_width, plan_half_width
from assay.significance.power.non_inferiority import plan_non_inferiority
from assay.significance.power.one import Power, power_binomial, power_normal
from assay.significance.power.planning import plan_auc, plan_corrected_t, plan_friedman, plan_mcnemar, plan_proportions
from assay.significance.power.repeats import RepeatsPlan, plan_repeats
from assay.significance.power.sample_plan import SamplePlan
from assay.significance.pvalues import decide

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
    """List the names of all tests, in the order of their declaration.

    Returns
    -------
    list of str
        The functions of `assay.significance`.

    Examples
    --------
    >>> from assay import significance
    >>> "mcnemar" in significance.names()
    True
    """
    return list(registry)


def __getattr__(name: str) -> Any:
    """Give a declared test: ``significance.mcnemar(25, 15)``."""
    return registry.attribute(name, __name__).function


def __dir__() -> list[str]:
    return sorted({*__all__, *registry})
