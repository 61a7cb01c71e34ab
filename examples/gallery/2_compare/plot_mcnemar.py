"""
McNemar's test: only disagreements count
========================================

Two classifiers on the same 800 cases. Cases that both classify correctly, or both incorrectly, carry no information
about their difference. The test asks whether the other cases are split like coin tosses: here 92 to 78, which is common
with coins.
"""

import textwrap

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# A tree and naive Bayes classify the same images.

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=800, stratify=y, random_state=1)
tree = DecisionTreeClassifier(random_state=0).fit(X_train, y_train).predict(X_test)
bayes = GaussianNB().fit(X_train, y_train).predict(X_test)
right = {"tree": tree == y_test, "bayes": bayes == y_test}

# %%
# The test from the two counts alone, and by ``compare`` from the predictions, with Tango's interval of the difference.

only_tree, only_bayes = (right["tree"] & ~right["bayes"]).sum(), (~right["tree"] & right["bayes"]).sum()
print(howsure.significance.mcnemar(only_bayes, only_tree, n=len(y_test)))
print(textwrap.fill(howsure.compare(y_test, {"tree": tree, "bayes": bayes}).verdict, 80))

# %%
# The four kinds of cases. Only the two cells off the diagonal matter for the test.

words = [np.where(right[name], "right", "wrong") for name in ("tree", "bayes")]
ax = howsure.assess(*words, labels=["right", "wrong"]).plot("confusion")
ax.set_title("cases, and their share of each row", loc="left", fontsize="small")
_ = ax.set(ylabel="tree", xlabel="naive Bayes")
