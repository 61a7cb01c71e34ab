"""
McNemar's test: only disagreements count
========================================

Two classifiers on the same 800 cases. Where both are right or both are wrong nothing is learnt about their difference.
The test asks whether the other cases fall to the two sides as coins would: here 92 to one and 78 to the other, which
coins often do.
"""

import textwrap

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# A tree and naive Bayes read the same pictures.

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=800, stratify=y, random_state=1)
tree = DecisionTreeClassifier(random_state=0).fit(X_train, y_train).predict(X_test)
bayes = GaussianNB().fit(X_train, y_train).predict(X_test)
right = {"tree": tree == y_test, "bayes": bayes == y_test}

# %%
# The test on the two numbers alone, and by ``compare`` on the predictions, with Tango's interval of the difference.

only_tree, only_bayes = (right["tree"] & ~right["bayes"]).sum(), (~right["tree"] & right["bayes"]).sum()
print(howsure.significance.mcnemar(only_bayes, only_tree, n=len(y_test)))
print(textwrap.fill(howsure.compare(y_test, {"tree": tree, "bayes": bayes}).verdict, 80))

# %%
# The four kinds of cases. The two corners off the diagonal decide.

words = [np.where(right[name], "right", "wrong") for name in ("tree", "bayes")]
ax = howsure.assess(*words, labels=["right", "wrong"]).plot("confusion")
ax.set_title("cases, and their share of each row", loc="left", fontsize="small")
_ = ax.set(ylabel="tree", xlabel="naive Bayes")
