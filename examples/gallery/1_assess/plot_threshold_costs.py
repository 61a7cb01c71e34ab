"""
A threshold chosen by costs
===========================

A missed tumour costs twenty times as much as an unnecessary second examination. The mean cost as a function of the
threshold has its minimum far below 0.5, and it is flat there: many thresholds are about equally good, as the interval
of the best threshold shows.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Out-of-fold scores of a logistic regression.

data = load_breast_cancer(as_frame=True)
X = data.data[["mean texture", "mean smoothness", "mean concavity"]]
y = data.target_names[data.target]
model = make_pipeline(StandardScaler(), LogisticRegression())
p = cross_val_predict(model, X, y, cv=10, method="predict_proba")[:, 1]

# %%
# The costs are passed once; measures, curves and the choice of a threshold use them.

costs = howsure.Costs(false_negative=20, false_positive=1)
a = howsure.assess(y, scores=p, positive="malignant", costs=costs)
choice = a.best_threshold(costs=costs)
print(choice)
print("at 0.5: ", a["mean_cost"])
print("at best:", a.at(choice.threshold)["mean_cost"])
_ = a.by_threshold("mean_cost").plot()
