"""
Confusion matrix of ten digits
==============================

Rows are true classes, columns predicted classes; the colour shows the share of each row. The matrix shows more than the
accuracy: naive Bayes predicts 8 for many other digits, and confuses 4 with 7.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import howsure

# %%
# Ten-fold cross-validation on the 1,797 images: each is predicted by a model that was not trained on it.

X, y = load_digits(return_X_y=True)
predicted = cross_val_predict(GaussianNB(), X, y, cv=10)

# %%
# The headline names the best and the worst class.

a = howsure.assess(y, predicted)
print(a.headline)
_ = a.plot("confusion")
