"""
ROC curves of several classes
=============================

One curve for each class against the rest. The classes with the lowest areas are coloured and named; the others stay
grey, so that ten curves remain readable.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# A shallow tree, so that the classes differ visibly.

X, y = load_digits(return_X_y=True)
tree = DecisionTreeClassifier(max_depth=6, random_state=0)
P = cross_val_predict(tree, X, y, cv=5, method="predict_proba")

# %%
# With several classes there is one column of scores per class; ``a["auc"]`` is the macro average.

a = howsure.assess(y, scores=P, labels=range(10))
print(a["auc"])
print(a.estimate("auc", label=8))
_ = a.by_class("roc").plot()
