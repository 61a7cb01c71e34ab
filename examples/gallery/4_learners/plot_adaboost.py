"""
AdaBoost round by round
=======================

Each stump is fitted mainly to the cases that the previous ones misclassified. These are difficult, so its own weighted
error, epsilon, rises. The training error of the vote of all stumps falls to 0, and the test error does not increase.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import howsure
from howsure.learners import AdaBoost

# %%
# Stumps are the default members.

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=0)
model = AdaBoost(n_estimators=60, random_state=0).fit(X_train, y_train)
print(model.trace_[:3])

# %%
# The error of the vote on test cases, added as a line.

staged = [(predicted != y_test).mean() for predicted in model.staged_predict(X_test)]
print("test:", howsure.assess(model, X_test, y_test)["accuracy"])
ax = model.trace_.plot()
ax.plot(range(1, len(staged) + 1), staged, color="C2", linestyle=":", label="test error")
_ = ax.legend(frameon=False, fontsize="small", loc="center right")
