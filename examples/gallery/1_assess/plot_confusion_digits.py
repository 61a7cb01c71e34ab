"""
Confusion matrix of ten digits
==============================

Rows are the truth, columns what was predicted; the hue is the share of each row. A glance tells more than the
accuracy: naive Bayes reads eights into everything, and takes fours for sevens.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import howsure

# %%
# Ten folds of the 1,797 pictures, each predicted by a model that has not seen it.

X, y = load_digits(return_X_y=True)
predicted = cross_val_predict(GaussianNB(), X, y, cv=10)

# %%
# The headline names the best and the worst of the classes.

a = howsure.assess(y, predicted)
print(a.headline)
_ = a.plot("confusion")
