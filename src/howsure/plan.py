"""Plan an assessment or a comparison: sample sizes and power."""

from howsure.judges.label_plan import plan_labels as labels
from howsure.significance.power.half_widths import plan_auc_half_width as auc_half_width
from howsure.significance.power.half_widths import plan_half_width as half_width
from howsure.significance.power.non_inferiority import plan_non_inferiority as non_inferiority
from howsure.significance.power.planning import plan_auc as auc
from howsure.significance.power.planning import plan_corrected_t as corrected_t
from howsure.significance.power.planning import plan_friedman as friedman
from howsure.significance.power.planning import plan_mcnemar as mcnemar
from howsure.significance.power.planning import plan_proportions as proportions
from howsure.significance.power.repeats import plan_repeats as repeats

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
