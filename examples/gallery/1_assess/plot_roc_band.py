"""
ROC curve with its band
=======================

A ROC curve is an estimate, too. The band holds the whole true curve with 95 % confidence, at all thresholds at once.
It is widest at the left, where few cases have scores that high. The point is the threshold that decides now.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Texture, smoothness and symmetry alone make a test that is useful and far from perfect. Every case is predicted by a
# model that has not seen it.

data = load_breast_cancer(as_frame=True)
X = data.data[["mean texture", "mean smoothness", "mean symmetry"]]
y = data.target_names[data.target]
model = make_pipeline(StandardScaler(), LogisticRegression())
p = cross_val_predict(model, X, y, cv=10, method="predict_proba")[:, 1]  # classes in sorted order

# %%
# The area has an interval of its own, by DeLong's method.

a = howsure.assess(y, scores=p, positive="malignant")
print(a["auc"])
print(a["recall"])
_ = a.roc(band="simultaneous").plot(label="three features")
