"""
When error is not everything
============================

The most accurate tree may be too large to read. Here the error stands against the number of leaves; on the line no
tree is better in both. Which of these to take depends on what a leaf is worth, and the weights say when the choice
changes.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# The same learner at several sizes, on the same ten folds.

learners = {f"{n} leaves": DecisionTreeClassifier(max_leaf_nodes=n) for n in (2, 4, 8, 16, 32)}
r = howsure.Experiment(learners, {"cancer": load_breast_cancer()}, howsure.KFold(10), seed=0).run()

# %%
# Weights say what an error is worth against a leaf, and whether the choice would change with them.

preference = r.preference(weights={"error_rate": 5, "complexity": 1})
print("with these weights:", preference.winner)
for stretch in preference.changes["complexity"]:
    print(f"leaves weigh {stretch.low:.2f} to {stretch.high:.2f}: {stretch.winner}")
_ = preference.plot(against="complexity")
