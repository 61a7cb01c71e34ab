"""
Cost curves of two models
=========================

Which model is cheaper if the costs are unknown? A cost curve shows the expected cost for every ratio of the costs of
misses and false alarms, each with the best threshold. Where a curve is lower, that model is better. Where a curve meets
a grey line, predicting the same class for all cases is as cheap as using the model.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Two models that use different measurements of the same tumours.

data = load_breast_cancer(as_frame=True)
y = data.target_names[data.target]
models = {
    "shape": (GaussianNB(), ["mean concavity", "mean symmetry"]),
    "texture": (make_pipeline(StandardScaler(), LogisticRegression()), ["mean texture", "mean smoothness"]),
}

# %%
# The probability cost combines the share of positives and the costs of errors: at 0.5 both kinds of error have the same
# weight.

ax = None
for name, (model, columns) in models.items():
    p = cross_val_predict(model, data.data[columns], y, cv=10, method="predict_proba")[:, 1]
    a = howsure.assess(y, scores=p, positive="malignant")
    print(f"{name}:", a["auc"])
    ax = a.cost_curve().plot(ax=ax, label=name)
