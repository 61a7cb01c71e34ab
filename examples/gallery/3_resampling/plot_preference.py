"""
When error is not everything
============================

The most accurate tree may be too large to read. The picture shows the error against the number of leaves; for the trees
on the line, no other tree is better in both. Which of them is preferable depends on the weight of a leaf compared with
an error, and the result shows at which weights the preferred tree changes.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import howsure

# %%
# The same learner at several sizes, on the same ten folds.

learners = {f"{n} leaves": DecisionTreeClassifier(max_leaf_nodes=n) for n in (2, 4, 8, 16, 32)}
r = howsure.Experiment(learners, {"cancer": load_breast_cancer()}, howsure.KFold(10), seed=0).run()

# %%
# The weights express the importance of errors and of leaves, and the table shows whether other weights would change the
# choice.

preference = r.preference(weights={"error_rate": 5, "complexity": 1})
print("with these weights:", preference.winner)
for stretch in preference.changes["complexity"]:
    print(f"leaves weigh {stretch.low:.2f} to {stretch.high:.2f}: {stretch.winner}")
_ = preference.plot(against="complexity")
