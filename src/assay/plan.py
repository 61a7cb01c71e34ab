"""Plan a comparison or an assessment: how many cases, splits or data sets it needs, and how sure a number makes it."""

from assay.judges.label_plan import plan_labels as labels
from assay.significance.power.half_widths import plan_auc_half_width as auc_half_width
from assay.significance.power.half_widths import plan_half_width as half_width
from assay.significance.power.non_inferiority import plan_non_inferiority as non_inferiority
from assay.significance.power.planning import plan_auc as auc
from assay.significance.power.planning import plan_corrected_t as corrected_t
from assay.significance.power.planning import plan_friedman as friedman
from assay.significance.power.planning import plan_mcnemar as mcnemar
from assay.significance.power.planning import plan_proportions as proportions
from assay.significance.power.repeats import plan_repeats as repeats

__all__ = [
    "auc",
    "auc_half_width",
    "corrected_t",
    "friedman",
    "half_width",
    "labels",
    "mcnemar",
    "non_inferiority",
    "proportions",
    "repeats",
]
