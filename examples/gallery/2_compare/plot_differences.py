"""
Differences of four models
==========================

Four models on the same 169 test cases. Every pair has the difference of its accuracies with an interval, adjusted so
that all six hold together. Intervals that cross 0 leave open who is better; the shade marks differences too small to
matter. Only one pair can be told apart: 169 cases are few.
"""

import textwrap

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# Fitted on 400 cases, compared on the rest. ``compare`` takes fitted classifiers, labels or scores.

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=400, stratify=y, random_state=0)
learners = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
    "neighbours": KNeighborsClassifier(),
    "stump": DecisionTreeClassifier(max_depth=1),
}
predicted = {name: learner.fit(X_train, y_train).predict(X_test) for name, learner in learners.items()}

# %%
# The verdict says who is better, by how much, and of whom it cannot be said.

c = howsure.compare(y_test, predicted)
print(textwrap.fill(c.verdict, 80))
_ = c.plot()
