"""
How an interval narrows
=======================

The half-width against the number of cases, on logarithmic scales: four times the cases halve it. The point is the
present assessment. To estimate an accuracy to within one point, you need thousands of cases, not hundreds.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

import howsure
from howsure.intervals import widths

# %%
# An assessment on 190 test cases.

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=0)
accuracy = howsure.assess(GaussianNB().fit(X_train, y_train), X_test, y_test)["accuracy"]
print(accuracy)

# %%
# The interval is recomputed for each number of cases, with the same proportion.

w = widths(accuracy)
print(f"{w.needed(0.02)} cases for two points either way, {w.needed(0.01)} for one")
_ = w.plot()
