"""
Learning curve: do more cases help?
===================================

The error of a tree as its training set grows. The test error falls; the training error stays at 0, because a full tree
fits any training set. The slope on logarithmic scales predicts the effect of doubling the number of cases.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.selection import learning_curve

# %%
# Smaller training sets are subsets of larger ones, and all are tested on the same cases.

X, y = load_breast_cancer(return_X_y=True)
curve = learning_curve(DecisionTreeClassifier(), X, y, resampling=howsure.KFold(10), seed=0)

# %%
# The error follows a power of the number of cases: an exponent of -0.2 means a 13 % lower error for twice the cases.

print(curve.error_exponent)
print(f"twice the cases: {2**curve.error_exponent.value:.2f} times the error")
_ = curve.plot()
