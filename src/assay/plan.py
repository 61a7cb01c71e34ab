"""Plan a comparison: how many cases, splits or data sets show a difference, how likely, and how small a one."""

from assay.significance.power import planning

mcnemar = planning.plan_mcnemar
proportions = planning.plan_proportions
auc = planning.plan_auc
corrected_t = planning.plan_corrected_t
friedman = planning.plan_friedman
