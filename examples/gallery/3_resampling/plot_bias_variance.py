"""
Bias and variance by the number of neighbours
=============================================

Few neighbours: the model depends on which cases it happened to see (variance). Many neighbours: it is always wrong in
the same way (bias). The loss is the sum of both and of noise, which no model can remove, and is least in between.
"""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from howsure.selection import bias_variance_curve

# %%
# Simulated cases, so that the probability of each class, and with it the noise, is known.

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, (300, 2))
p = 1 / (1 + np.exp(-6 * np.sin(3 * X[:, 0]) * np.sign(X[:, 1])))
y = (rng.random(300) < p).astype(int)

# %%
# Each value is fitted to 25 bootstrap samples, and all predict the same test cases.

curve = bias_variance_curve(
    KNeighborsClassifier(), X, y, "n_neighbors", [1, 3, 10, 30, 100], loss="brier", probabilities=p, rounds=25
)
print(curve)
_ = curve.plot()
