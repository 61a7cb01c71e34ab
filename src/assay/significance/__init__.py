"""Significance tests, and what goes with them: adjusted p-values, Bayesian comparisons, power and planning.

By the number of classifiers: ``one``, ``two/``, ``many/``, and ``posthoc/`` after a test of many; ``multiplicity``
adjusts p-values. Every test is declared (``declare``): what it compares, what it can test, and what it assumes.
"""

from typing import Any

from assay.kernels.ranking import placements
from assay.registry import import_modules
from assay.significance.bayesian.cases import bayesian_normal, bayesian_proportions
from assay.significance.bayesian.correlated_t import bayesian_correlated_t
from assay.significance.bayesian.hierarchical import bayesian_hierarchical
from assay.significance.bayesian.result import BayesianResult
from assay.significance.bayesian.signed_rank import bayesian_sign, bayesian_signed_rank
from assay.significance.declare import Test, ValidTests, registry, valid_tests
from assay.significance.many.anova import anova, repeated_anova
from assay.significance.many.cochran import cochran_q
from assay.significance.many.ranks import friedman, iman_davenport, kruskal_wallis, quade
from assay.significance.multiplicity import Adjusted, adjust
from assay.significance.one import binomial_test, normal_test, t_test, z_test
from assay.significance.posthoc.means import contrast, dunnett, newman_keuls, tukey
from assay.significance.posthoc.pairwise import CriticalDifference, Pairwise, PairwiseDifference
from assay.significance.posthoc.ranks import bonferroni_dunn, critical_difference, nemenyi
from assay.significance.power.one import Power, power_binomial, power_normal
from assay.significance.power.planning import (
    plan_auc,
    plan_corrected_t,
    plan_friedman,
    plan_mcnemar,
    plan_proportions,
)
from assay.significance.power.sample_plan import SamplePlan
from assay.significance.pvalues import decide
from assay.significance.two.delong import delong, delong_unpaired
from assay.significance.two.equivalence import equivalence, non_inferiority
from assay.significance.two.mcnemar import mcnemar
from assay.significance.two.permutation import bootstrap_difference, permutation
from assay.significance.two.ranks import sign_test, wilcoxon
from assay.significance.two.splits import corrected_paired_t, five_by_two_f, five_by_two_t, paired_t

__all__ = [
    "Adjusted",
    "BayesianResult",
    "CriticalDifference",
    "Pairwise",
    "PairwiseDifference",
    "Power",
    "SamplePlan",
    "Test",
    "ValidTests",
    "adjust",
    "anova",
    "bayesian_correlated_t",
    "bayesian_hierarchical",
    "bayesian_normal",
    "bayesian_proportions",
    "bayesian_sign",
    "bayesian_signed_rank",
    "binomial_test",
    "bonferroni_dunn",
    "bootstrap_difference",
    "cochran_q",
    "contrast",
    "corrected_paired_t",
    "critical_difference",
    "decide",
    "delong",
    "delong_unpaired",
    "dunnett",
    "equivalence",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "iman_davenport",
    "kruskal_wallis",
    "mcnemar",
    "names",
    "nemenyi",
    "newman_keuls",
    "non_inferiority",
    "normal_test",
    "paired_t",
    "permutation",
    "placements",
    "plan_auc",
    "plan_corrected_t",
    "plan_friedman",
    "plan_mcnemar",
    "plan_proportions",
    "power_binomial",
    "power_normal",
    "quade",
    "registry",
    "repeated_anova",
    "sign_test",
    "t_test",
    "tukey",
    "valid_tests",
    "wilcoxon",
    "z_test",
]

import_modules(__name__)


def names() -> list[str]:
    """List the names of all tests, in the order of their declaration."""
    return list(registry)


def __getattr__(name: str) -> Any:
    """Give a declared test: ``significance.mcnemar(25, 15)``."""
    return registry.attribute(name, __name__).function


def __dir__() -> list[str]:
    return sorted({*__all__, *registry})
