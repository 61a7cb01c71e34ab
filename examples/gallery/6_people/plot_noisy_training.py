"""
Learning from wrong labels
==========================

Some training labels are wrong, and the error is measured on correct ones. A full tree memorises every wrong label, so
it misclassifies exactly their share of its training cases. Fifteen neighbours outvote a fifth of wrong labels.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.selection import noise_curve

# %%
# Labels that are wrong at 10 % are also wrong at 20 %.

X, y = load_breast_cancer(return_X_y=True)
learners = {"tree": DecisionTreeClassifier(), "15 neighbours": KNeighborsClassifier(15)}
shares = [0, 0.1, 0.2, 0.3, 0.4]

# %%
# Test labels are correct: the curve shows what was learnt.

figure, axes = plt.subplots(1, 2, figsize=(9.6, 4), sharey=True, layout="constrained")
for ax, (name, learner) in zip(axes, learners.items(), strict=True):
    curve = noise_curve(learner, X, y, shares=shares, resampling=howsure.KFold(5), seed=0)
    errors = [f"{100 * row['share']:.0f} %: {row['error_rate']:.3f}" for row in curve.records()]
    print(f"{name}, error by the share of wrong labels:", ", ".join(errors))
    curve.plot(ax=ax)
    ax.set_title(name)
