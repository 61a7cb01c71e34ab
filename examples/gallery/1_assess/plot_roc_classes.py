"""
ROC curves of several classes
=============================

Each class against the rest, on one pair of axes. The classes that rank worst are in colour and named; the others stay
grey, so that ten curves can be read.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# A shallow tree, so that there is something to see.

X, y = load_digits(return_X_y=True)
tree = DecisionTreeClassifier(max_depth=6, random_state=0)
P = cross_val_predict(tree, X, y, cv=5, method="predict_proba")

# %%
# With several classes there is a column of scores for each; ``a["auc"]`` is the macro average.

a = howsure.assess(y, scores=P, labels=range(10))
print(a["auc"])
print(a.estimate("auc", label=8))
_ = a.by_class("roc").plot()
