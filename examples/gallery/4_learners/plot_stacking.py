"""
Stacking out of fold, and the wrong way
=======================================

A combiner learns how much to rely on each base learner. If it is trained on predictions for the training cases of the
base learners, it learns that the nearest neighbour never errs, and always follows it. On out-of-fold predictions it
learns how good each one is on new cases, and the stack is as good as the better one.
"""

import textwrap
import warnings

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

import howsure
from howsure.learners import Stacking

# %%
# Three labels in ten are random, so that there is noise to memorise.

X, y = make_classification(1400, 8, n_informative=3, flip_y=0.3, random_state=3)
X_train, X_test, y_train, y_test = X[:200], X[200:], y[:200], y[200:]
base = {"nearest": KNeighborsClassifier(1), "logistic": LogisticRegression()}
stack = Stacking(base, random_state=0).fit(X_train, y_train)
with warnings.catch_warnings(action="ignore"):  # it warns that this is not out of fold (A012)
    naive = Stacking(base, out_of_fold=False, random_state=0).fit(X_train, y_train)
print(stack.trace_)
print(naive.trace_)

# %%
# All four on the same 1,200 test cases.

models = {"stacked out of fold": stack, "stacked in sample": naive}
models |= {name: learner.fit(X_train, y_train) for name, learner in base.items()}
c = howsure.compare(models, X_test, y_test)
print(textwrap.fill(c.verdict, 80))
_ = c.plot("values")
