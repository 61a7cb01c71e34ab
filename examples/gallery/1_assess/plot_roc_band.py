"""
ROC curve with its band
=======================

A ROC curve is an estimate. The band contains the whole true curve with 95 % confidence, at all thresholds
simultaneously. It is widest at the left, where few cases have scores that high. The point is the current threshold.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Texture, smoothness and symmetry alone make a useful but imperfect test. Each case is predicted by a model that was
# not trained on it.

data = load_breast_cancer(as_frame=True)
X = data.data[["mean texture", "mean smoothness", "mean symmetry"]]
y = data.target_names[data.target]
model = make_pipeline(StandardScaler(), LogisticRegression())
p = cross_val_predict(model, X, y, cv=10, method="predict_proba")[:, 1]  # classes in sorted order

# %%
# The area has its own interval, by DeLong's method.

a = howsure.assess(y, scores=p, positive="malignant")
print(a["auc"])
print(a["recall"])
_ = a.roc(band="simultaneous").plot(label="three features")
