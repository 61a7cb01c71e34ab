"""
Decision curve: does acting on the score help?
==============================================

Whoever would act from a probability of 20 % on takes four false alarms for one hit. Net benefit counts hits minus
false alarms at that rate, against two plans that need no model: act on all, act on none. A model is of use at the
thresholds where its curve, with its band, lies above both.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Two weak measurements, out-of-fold probabilities.

data = load_breast_cancer(as_frame=True)
y = data.target_names[data.target]
model = make_pipeline(StandardScaler(), LogisticRegression())
X = data.data[["mean texture", "mean smoothness"]]
p = cross_val_predict(model, X, y, cv=10, method="predict_proba")[:, 1]

# %%
# The band is pointwise: it holds the net benefit at any one threshold with 95 % confidence.

a = howsure.assess(y, scores=p, positive="malignant")
print(a.headline)
_ = a.decision_curve(band="pointwise").plot(label="two measurements")
