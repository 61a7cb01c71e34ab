"""
Complexity curve: where overfitting begins
==========================================

Deeper trees fit their training cases better and better, but from some depth on they no longer improve on new cases. The
marks show the depth with the lowest error and the simplest depth within one standard error of it (Breiman and others
1984).
"""

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.selection import complexity_curve

# %%
# Ten folds, the same for all depths.

X, y = load_breast_cancer(return_X_y=True)
depths = [1, 2, 3, 4, 5, 6, 8]
curve = complexity_curve(DecisionTreeClassifier(), X, y, "max_depth", depths, resampling=howsure.KFold(10), seed=0)

# %%
# The error of the best of several depths is optimistic: to report it, select and assess on different cases.

print(curve)
_ = curve.plot()
