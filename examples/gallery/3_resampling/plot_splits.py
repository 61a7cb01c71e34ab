"""
Every split of an experiment
============================

Three learners in ten folds, three times. Each dot is one split, the box holds the middle half of them, and the diamond
is the mean with an interval that allows for overlapping training sets. Single splits of one learner differ more than
the learners do: never trust one split.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# All learners have the same splits. With ``folder=`` a run can be stopped and resumed.

learners = {
    "discriminant": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(),
}
r = howsure.Experiment(learners, {"cancer": load_breast_cancer()}, howsure.KFold(10, repeats=3), seed=0).run()

# %%
# Beside the mean over splits stands the value of all predictions together.

print(r)
_ = r.scores("accuracy").plot()
