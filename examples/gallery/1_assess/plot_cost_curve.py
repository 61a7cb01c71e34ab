"""
Cost curves of two models
=========================

Which model is cheaper when nobody knows the costs? A cost curve has the expected cost at every balance of misses and
false alarms, with the best threshold at each. The lower curve is the better model there. Where a curve meets a grey
line, to call all cases the same is as cheap as to ask the model.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure

# %%
# Two models that see different measurements of the same tumours.

data = load_breast_cancer(as_frame=True)
y = data.target_names[data.target]
models = {
    "shape": (GaussianNB(), ["mean concavity", "mean symmetry"]),
    "texture": (make_pipeline(StandardScaler(), LogisticRegression()), ["mean texture", "mean smoothness"]),
}

# %%
# The probability cost joins the share of positives with what errors cost: at 0.5 both kinds of error weigh alike.

ax = None
for name, (model, columns) in models.items():
    p = cross_val_predict(model, data.data[columns], y, cv=10, method="predict_proba")[:, 1]
    a = howsure.assess(y, scores=p, positive="malignant")
    print(f"{name}:", a["auc"])
    ax = a.cost_curve().plot(ax=ax, label=name)
