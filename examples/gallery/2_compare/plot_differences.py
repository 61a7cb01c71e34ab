"""
Differences of four models
==========================

Four models on the same 169 test cases. For each pair the picture shows the difference of the accuracies with an
interval, adjusted so that all six intervals hold simultaneously. If an interval includes 0, it is not decided which
model is better; the shaded area shows differences that are too small to matter. Only one pair differs significantly,
because 169 cases are few.
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
# Fitted on 400 cases, compared on the rest. ``compare`` accepts fitted classifiers, labels or scores.

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
# The verdict reports which model is better, by how much, and which comparisons are undecided.

c = howsure.compare(y_test, predicted)
print(textwrap.fill(c.verdict, 80))
_ = c.plot()
