"""
Every split of an experiment
============================

Three learners in ten folds, repeated three times. Each dot is one split, the box contains the middle half of them, and
the diamond is the mean with an interval that allows for overlapping training sets. The splits of one learner vary more
than the learners differ, so never rely on a single split.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# All learners use the same splits. With ``folder=`` a run can be stopped and resumed.

learners = {
    "discriminant": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(),
}
r = howsure.Experiment(learners, {"cancer": load_breast_cancer()}, howsure.KFold(10, repeats=3), seed=0).run()

# %%
# The mean over splits, and the value for all predictions pooled.

print(r)
_ = r.scores("accuracy").plot()
