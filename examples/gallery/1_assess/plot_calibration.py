"""
Are the probabilities right?
============================

Of cases said to be 80 % likely, 80 % should be positive. Naive Bayes takes related measurements for independent
evidence, so its probabilities are too extreme; a logistic regression of the same data stays near the diagonal. Each
point has Wilson's interval and the number of its cases.
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
# Texture, smoothness, compactness, concavity and symmetry: five measurements that partly say the same.

data = load_breast_cancer(as_frame=True)
X = data.data[[f"mean {name}" for name in ("texture", "smoothness", "compactness", "concavity", "symmetry")]]
y = data.target_names[data.target]
learners = {
    "naive Bayes": GaussianNB(),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
}

# %%
# The Brier score is the mean squared distance from the truth; the calibration error is that from the diagonal.

figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.8), layout="constrained")
for ax, (name, learner) in zip(axes, learners.items(), strict=True):
    p = cross_val_predict(learner, X, y, cv=10, method="predict_proba")[:, 1]
    a = howsure.assess(y, scores=p, positive="malignant")
    print(name, a["brier"], a["expected_calibration_error"], sep="\n  ")
    a.calibration().plot(ax=ax, label=name)
