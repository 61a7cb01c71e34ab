"""
ROC curves of ten folds
=======================

The thin lines are the curves of the folds; the thick line is their average at each false positive rate. Scores of
different folds come from different models, so curves are averaged instead of pooling the scores. The variation between
folds is not visible in a single split.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

import howsure
from howsure.curves import average_roc

# %%
# Ten folds of naive Bayes on three measurements.

data = load_breast_cancer(as_frame=True)
X, y = data.data[["mean texture", "mean smoothness", "mean symmetry"]], data.target_names[data.target]
tables = []
for split in howsure.KFold(10).splits(y, seed=0):
    model = GaussianNB().fit(X.iloc[split.train], y[split.train])
    p = model.predict_proba(X.iloc[split.test])[:, 1]
    tables.append(howsure.assess(y[split.test], scores=p, positive="malignant").scores)

# %%
# A fold has 21 malignant cases, so its curve moves in steps of 5 %.

curve = average_roc(tables)
print(f"area below the average {curve.area:.3f}, over {len(tables)} folds")
_ = curve.plot(label="naive Bayes")
