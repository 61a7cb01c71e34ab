"""
A threshold chosen by costs
===========================

A missed tumour costs twenty times as much as a needless second look. The mean cost by threshold has its minimum far
below 0.5, and it is flat there: many thresholds are about as good, which the interval of the choice says.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Scores of a logistic regression, out of fold.

data = load_breast_cancer(as_frame=True)
X = data.data[["mean texture", "mean smoothness", "mean concavity"]]
y = data.target_names[data.target]
model = make_pipeline(StandardScaler(), LogisticRegression())
p = cross_val_predict(model, X, y, cv=10, method="predict_proba")[:, 1]

# %%
# The costs go in once; measures, curves and the choice of a threshold use them.

costs = howsure.Costs(false_negative=20, false_positive=1)
a = howsure.assess(y, scores=p, positive="malignant", costs=costs)
choice = a.best_threshold(costs=costs)
print(choice)
print("at 0.5: ", a["mean_cost"])
print("at best:", a.at(choice.threshold)["mean_cost"])
_ = a.by_threshold("mean_cost").plot()
