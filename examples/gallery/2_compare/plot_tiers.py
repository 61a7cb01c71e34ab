"""
Tiers: which models differ significantly
========================================

A ranking by value suggests an order that the data may not support. Here each model has its interval, and shading
separates the tiers: in descending order, a new tier begins with a model that is significantly worse than a member of
the tier above. Report the tier, not only the first model in it.
"""

import textwrap

from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# Five learners on three measurements, with out-of-fold probabilities.

data = load_breast_cancer(as_frame=True)
X, y = 10 * data.data[["mean smoothness", "mean concavity", "mean symmetry"]], data.target_names[data.target]
learners = {
    "logistic": LogisticRegression(),
    "discriminant": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(),
    "5 neighbours": KNeighborsClassifier(5),
    "tree": DecisionTreeClassifier(random_state=0),
}
scores = {
    name: cross_val_predict(learner, X, y, cv=5, method="predict_proba")[:, 1] for name, learner in learners.items()
}

# %%
# Any measure can be used. For the Brier score, the mean squared error of probabilities, lower is better.

c = howsure.compare(y, scores=scores, measure="brier", positive="malignant")
print(textwrap.fill(c.verdict, 80))
_ = c.plot("values")
