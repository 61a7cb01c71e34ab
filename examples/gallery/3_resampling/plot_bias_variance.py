"""
Bias and variance by the number of neighbours
=============================================

With few neighbours, the model depends on the training sample (variance). With many neighbours, it makes the same
systematic errors for every sample (bias). The loss is the sum of bias, variance and noise, which no model can remove,
and has its minimum in between.
"""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from howsure.selection import bias_variance_curve

# %%
# Simulated cases, so that the probability of each class, and therefore the noise, is known.

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, (300, 2))
p = 1 / (1 + np.exp(-6 * np.sin(3 * X[:, 0]) * np.sign(X[:, 1])))
y = (rng.random(300) < p).astype(int)

# %%
# Each number of neighbours is fitted to 25 bootstrap samples, and all models predict the same test cases.

curve = bias_variance_curve(
    KNeighborsClassifier(), X, y, "n_neighbors", [1, 3, 10, 30, 100], loss="brier", probabilities=p, rounds=25
)
print(curve)
_ = curve.plot()
