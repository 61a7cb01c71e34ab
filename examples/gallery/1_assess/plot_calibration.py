"""
Are the probabilities right?
============================

Of the cases with a predicted probability of 80 %, 80 % should be positive. Naive Bayes treats correlated measurements
as independent evidence, so its probabilities are too extreme; a logistic regression on the same data stays near the
diagonal. Each point has Wilson's interval and its number of cases.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Texture, smoothness, compactness, concavity and symmetry: five measurements that are partly redundant.

data = load_breast_cancer(as_frame=True)
X = data.data[[f"mean {name}" for name in ("texture", "smoothness", "compactness", "concavity", "symmetry")]]
y = data.target_names[data.target]
learners = {
    "naive Bayes": GaussianNB(),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
}

# %%
# The Brier score is the mean squared distance from the truth; the calibration error is the distance from the diagonal.

figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.8), layout="constrained")
for ax, (name, learner) in zip(axes, learners.items(), strict=True):
    p = cross_val_predict(learner, X, y, cv=10, method="predict_proba")[:, 1]
    a = howsure.assess(y, scores=p, positive="malignant")
    print(name, a["brier"], a["expected_calibration_error"], sep="\n  ")
    a.calibration().plot(ax=ax, label=name)
