"""Significance tests: numbers in, `TestResult` out."""

from assay.kernels.ranking import placements
from assay.significance.bayesian.cases import bayesian_normal, bayesian_proportions
from assay.significance.bayesian.hierarchical import bayesian_hierarchical
from assay.significance.bayesian.two import BayesianResult, bayesian_correlated_t, bayesian_sign, bayesian_signed_rank
from assay.significance.declare import Test, ValidTests, valid_tests
from assay.significance.many.omnibus import (
    anova,
    cochran_q,
    friedman,
    iman_davenport,
    kruskal_wallis,
    quade,
    repeated_anova,
)
from assay.significance.one import (
    Power,
    binomial_test,
    decide,
    normal_test,
    power_binomial,
    power_normal,
    t_test,
    z_test,
)
from assay.significance.posthoc.adjust_pvalues import Adjusted, adjust
from assay.significance.posthoc.pairwise import CriticalDifference, Pair, Pairwise
from assay.significance.posthoc.procedures import (
    bonferroni_dunn,
    contrast,
    critical_difference,
    dunnett,
    nemenyi,
    newman_keuls,
    tukey,
)
from assay.significance.power.planning import (
    Plan,
    plan_auc,
    plan_corrected_t,
    plan_friedman,
    plan_mcnemar,
    plan_proportions,
)
from assay.significance.two.cases import delong_unpaired, equivalence, mcnemar, non_inferiority, sign_test
from assay.significance.two.delong import delong
from assay.significance.two.permutation import bootstrap_difference, permutation
from assay.significance.two.splits import corrected_paired_t, five_by_two_f, five_by_two_t, paired_t, wilcoxon

__all__ = [
    "Adjusted",
    "BayesianResult",
    "CriticalDifference",
    "Pair",
    "Pairwise",
    "Plan",
    "Power",
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
    "repeated_anova",
    "sign_test",
    "t_test",
    "tukey",
    "valid_tests",
    "wilcoxon",
    "z_test",
]
