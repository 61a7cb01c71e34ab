"""
Learning curve: do more cases help?
===================================

The error of a tree as its training set grows. The error on test cases falls; that on training cases stays at 0, since
a full tree fits whatever it is given. The slope on logarithmic scales tells what twice the cases would bring.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.selection import learning_curve

# %%
# Smaller training sets lie within larger ones, and all are tested on the same cases.

X, y = load_breast_cancer(return_X_y=True)
curve = learning_curve(DecisionTreeClassifier(), X, y, resampling=howsure.KFold(10), seed=0)

# %%
# The error goes with a power of the number of cases: an exponent of -0.2 would say 13 % less error for twice the
# cases.

print(curve.error_exponent)
print(f"twice the cases: {2**curve.error_exponent.value:.2f} times the error")
_ = curve.plot()
