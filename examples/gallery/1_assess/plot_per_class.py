"""
Precision and recall of each class
==================================

A single number for ten classes hides which of them perform poorly. Each point is a digit, with the horizontal interval
of its recall and the vertical interval of its precision; F1 is constant along a thin line. Digits at the bottom have
many false alarms, digits at the left are often missed. Eight is the worst: half of the predicted eights are wrong.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import howsure

# %%
# Out-of-fold predictions of naive Bayes.

X, y = load_digits(return_X_y=True)
a = howsure.assess(y, cross_val_predict(GaussianNB(), X, y, cv=10))

# %%
# Use ``label=`` for a single class. The averages over classes also have intervals.

print(a.estimate("precision", label=8))
print(a.estimate("recall", label=8))
print(a.estimate("f1", average="macro"))
_ = a.per_class().plot()
