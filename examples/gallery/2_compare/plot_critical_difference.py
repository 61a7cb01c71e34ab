"""
Critical difference over many data sets
=======================================

Five learners on 30 data sets (García and Herrera 2008). On each data set the best learner has rank 1. Mean ranks are
compared, because accuracies on different data sets are not comparable. Bars join learners whose mean ranks differ by
less than Nemenyi's critical difference: C4.5 and naive Bayes are both better than the kernel classifier, but do not
differ significantly from each other.
"""

import numpy as np

import howsure

# %%
# Accuracies, with one row for each data set, from Abalone to Ion.

names = ["C4.5", "1-NN", "naive Bayes", "kernel", "CN2"]
table = """
.219 .202 .249 .165 .261  .803 .750 .813 .692 .798  .859 .814 .845 .542 .816  .809 .774 .673 .275 .785
.768 .790 .727 .872 .706  .759 .654 .734 .703 .714  .693 .611 .572 .689 .572  .544 .531 .558 .439 .541
.945 .954 .978 .541 .858  .725 .705 .739 .625 .717  .674 .736 .721 .356 .704  .801 .357 .520 .309 .520
.785 .770 .841 .659 .759  .710 .402 .728 .120 .674  .691 .827 .667 .527 .638  .743 .739 .830 .549 .746
.990 .482 .941 .857 .990  .867 .098 .915 .986 .784  .821 .872 .815 .885 .778  .893 .824 .902 .739 .885
.799 .655 .925 .517 .755  .845 .731 .693 .653 .704  .741 .701 .591 .663 .619  .799 .994 .603 .269 .621
.949 .955 .989 .770 .954  .555 .505 .569 .312 .556  .928 .928 .945 .419 .897  .915 .857 .860 .700 .777
.855 .796 .857 .607 .809  .906 .359 .895 .641 .918
"""
scores = np.array(table.split(), float).reshape(30, 5)

# %%
# Friedman's test in the form of Iman and Davenport tests whether any two learners differ; then the pairs are tested.

print(howsure.significance.iman_davenport(scores, names=names))
cd = howsure.significance.critical_difference(scores, names=names)
print(cd)
_ = cd.plot()
