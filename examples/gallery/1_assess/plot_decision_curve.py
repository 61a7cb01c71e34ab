"""
Decision curve: does acting on the score help?
==============================================

Someone who acts from a probability of 20 % on accepts four false alarms per hit. Net benefit counts hits minus false
alarms at that rate, and is compared with two strategies without a model: act on all cases, or on none. A model is
useful at the thresholds where its curve, including the band, lies above both.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Two weak measurements, with out-of-fold probabilities.

data = load_breast_cancer(as_frame=True)
y = data.target_names[data.target]
model = make_pipeline(StandardScaler(), LogisticRegression())
X = data.data[["mean texture", "mean smoothness"]]
p = cross_val_predict(model, X, y, cv=10, method="predict_proba")[:, 1]

# %%
# The band is pointwise: at each single threshold it contains the true net benefit with 95 % confidence.

a = howsure.assess(y, scores=p, positive="malignant")
print(a.headline)
_ = a.decision_curve(band="pointwise").plot(label="two measurements")
