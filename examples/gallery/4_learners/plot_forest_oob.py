"""
Out-of-bag error of a growing forest
====================================

Each case is judged by the trees that have not seen it, so that the error needs no test set. It falls steeply over the
first trees and then levels off; when it is flat, more trees only cost time. The dashed line has the error of each tree
by itself: nearly all of them are far worse than the forest.
"""

from sklearn.datasets import load_breast_cancer

import howsure
from howsure.learners import RandomForest

# %%
# A hundred trees. The first ten of them are those of a forest of ten, so one fit tells the whole story.

data = load_breast_cancer()
forest = RandomForest(100, random_state=0).fit(data.data, data.target_names[data.target])
print(forest.oob_)

# %%
# Out-of-bag predictions are predictions: every measure, interval and curve applies.

print(howsure.assess(forest.oob_predictions_)["accuracy"])
_ = forest.trace_.plot()
