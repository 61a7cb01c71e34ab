"""
Complexity curve: where overfitting begins
==========================================

Deeper trees fit their training cases ever better, and new cases from some depth on no better. The marks are the depth
with the least error and the simplest within one standard error of it (Breiman and others 1984).
"""

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.selection import complexity_curve

# %%
# Ten folds for each depth, the same for all.

X, y = load_breast_cancer(return_X_y=True)
depths = [1, 2, 3, 4, 5, 6, 8]
curve = complexity_curve(DecisionTreeClassifier(), X, y, "max_depth", depths, resampling=howsure.KFold(10), seed=0)

# %%
# The best of several looks better than it is: to report its error, choose and assess on different cases.

print(curve)
_ = curve.plot()
