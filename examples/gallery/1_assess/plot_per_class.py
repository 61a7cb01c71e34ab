"""
Precision and recall of each class
==================================

One number for ten classes hides which of them fail. Each point is a digit, with the interval of its recall across and
that of its precision upwards; along a thin line F1 is the same. Digits low in the picture raise false alarms, digits
at the left are missed. Eights are the worst: half of what is called an eight is none.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import howsure

# %%
# The predictions of naive Bayes, out of fold.

X, y = load_digits(return_X_y=True)
a = howsure.assess(y, cross_val_predict(GaussianNB(), X, y, cv=10))

# %%
# Of a single class: ``label=``. The averages over classes have intervals, too.

print(a.estimate("precision", label=8))
print(a.estimate("recall", label=8))
print(a.estimate("f1", average="macro"))
_ = a.per_class().plot()
