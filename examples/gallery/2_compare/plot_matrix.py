"""
All pairwise comparisons
========================

Six learners and fifteen pairs in one picture: each cell shows the difference in accuracy, row minus column, with the
best learners first. A full triangle means that the row is significantly better, an open one that it is significantly
worse. A number without a triangle may be due to chance; p-values are adjusted for fifteen tests.
"""

from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# Six learners, 600 test cases.

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=600, stratify=y, random_state=0)
learners = {
    "neighbours": KNeighborsClassifier(),
    "discriminant": LinearDiscriminantAnalysis(),
    "tree": DecisionTreeClassifier(random_state=0),
    "Gaussian Bayes": GaussianNB(),
    "multinomial Bayes": MultinomialNB(),
    "Bernoulli Bayes": BernoulliNB(binarize=8),
}
predicted = {name: learner.fit(X_train, y_train).predict(X_test) for name, learner in learners.items()}

# %%
# In descending order, a new tier begins with the first learner that is significantly worse than a member of the current
# tier.

c = howsure.compare(y_test, predicted, measure="accuracy")
print(c.ranking())
_ = c.plot("matrix")
