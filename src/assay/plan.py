"""Plan a comparison: how many cases, splits or data sets show a difference, how likely, and how small a one."""

from assay.significance.power.planning import plan_auc as auc
from assay.significance.power.planning import plan_corrected_t as corrected_t
from assay.significance.power.planning import plan_friedman as friedman
from assay.significance.power.planning import plan_mcnemar as mcnemar
from assay.significance.power.planning import plan_proportions as proportions

__all__ = ["auc", "corrected_t", "friedman", "mcnemar", "proportions"]
