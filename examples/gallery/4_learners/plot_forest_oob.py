"""
Out-of-bag error of a growing forest
====================================

Each case is predicted by the trees that were not trained on it, so the error needs no test set. It falls steeply over
the first trees and then levels off; from there on, more trees only cost time. The dashed line shows the error of each
single tree: almost all of them are far worse than the forest.
"""

from sklearn.datasets import load_breast_cancer

import howsure
from howsure.learners import RandomForest

# %%
# A hundred trees. Their first ten are the trees of a forest of ten, so a single fit shows all sizes.

data = load_breast_cancer()
forest = RandomForest(100, random_state=0).fit(data.data, data.target_names[data.target])
print(forest.oob_)

# %%
# Out-of-bag predictions can be used like other predictions, with all measures, intervals and curves.

print(howsure.assess(forest.oob_predictions_)["accuracy"])
_ = forest.trace_.plot()
