"""
Bootstrap estimates of error: .632 and .632+
============================================

One nearest neighbour memorises its training cases, so its training error is always 0. The .632 estimator includes the
training error and is far too low; .632+ corrects most of this, and the out-of-bag error does not have the problem. The
dashed line is the true error, from 20,000 additional cases.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from howsure.resampling import bootstrap_error

# %%
# Two overlapping normal distributions; the estimators use only 200 cases.

rng = np.random.default_rng(7)


def draw(n):
    """Draw n points of two classes, 0.9 standard deviations apart in both features."""
    y = rng.permutation(n) % 2
    return rng.normal(size=(n, 2)) + 0.9 * y[:, None], y


X, y = draw(200)
X_new, y_new = draw(20000)
learner = KNeighborsClassifier(1)
truth = 1 - learner.fit(X, y).score(X_new, y_new)

# %%
# Each interval describes the variation over samples. It does not include the bias of the estimate.

figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
for row, method in enumerate(["oob", "632+", "632"]):
    estimate = bootstrap_error(learner, X, y, method=method, rounds=100, seed=0)
    print(estimate)
    ax.plot([estimate.low, estimate.high], [row, row], "C0")
    ax.plot(estimate.value, row, "oC0")
ax.axvline(truth, color="black", linestyle="--", linewidth=1)
ax.set_yticks(range(3), ["out of bag", ".632+", ".632"])
ax.spines[["top", "right", "left"]].set_visible(False)
_ = ax.set(ylim=(2.5, -0.5), xlabel="error rate of one nearest neighbour")
