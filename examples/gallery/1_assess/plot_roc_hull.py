"""
The cheapest point of a ROC curve
=================================

Costs and the share of positives determine a slope; the highest line of that slope that touches the hull marks the
threshold with the lowest cost. Only corners of the hull are optimal for some costs. Here 2 % of the people are ill, and
a miss costs as much as fifty false alarms.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Out-of-fold scores. ``prior`` is the share of positives where the test will be used, not that of these data.

data = load_breast_cancer(as_frame=True)
y = data.target_names[data.target]
model = make_pipeline(StandardScaler(), LogisticRegression())
X = data.data[["mean texture", "mean smoothness", "mean concavity"]]
p = cross_val_predict(model, X, y, cv=10, method="predict_proba")[:, 1]
costs = howsure.Costs(false_negative=50, false_positive=1, prior=0.02)

# %%
# The slope is the cost of a false alarm times the share of negatives, divided by the cost of a miss times the share of
# positives.

a = howsure.assess(y, scores=p, positive="malignant")
print(a.best_threshold(costs=costs))
_ = a.roc_hull(slope=(1 * 0.98) / (50 * 0.02)).plot()
