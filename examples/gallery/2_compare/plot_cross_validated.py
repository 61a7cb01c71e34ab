"""
Learners in repeated cross-validation
=====================================

Fifty splits look like fifty independent results. They are not, because their training sets overlap, so a plain t test
is far too optimistic. ``compare`` uses a test that allows for the overlap, and its interval is accordingly wider.
"""

import textwrap

from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# Ten folds, repeated five times, the same for all learners.

learners = {
    "discriminant": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(),
}
r = howsure.Experiment(learners, {"wine": load_wine()}, howsure.KFold(10, repeats=5), seed=0).run()

# %%
# The same 50 differences by the plain t test, which is too optimistic, and by the cautious one.

scores = r.scores("accuracy")
c = r.compare("accuracy")
discriminant, bayes, tree = scores.values.T
print(howsure.significance.paired_t(discriminant, bayes))
print(c.pair("discriminant", "bayes").test)
print(textwrap.fill(c.verdict, 80))
_ = c.plot()
