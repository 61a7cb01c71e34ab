"""
Scores of the two classes
=========================

Where do the classes overlap? The densities of the scores show it. The Kolmogorov-Smirnov distance is the largest
difference between the shares of spam and of other mail at or above a threshold, here well below the current threshold
of 0.5.
"""

import matplotlib.pyplot as plt
import numpy as np

import howsure

# %%
# Scores of 2,000 messages, a quarter of them spam.

rng = np.random.default_rng(2)
truth = np.where(rng.random(2000) < 0.25, "spam", "mail")
score = np.where(truth == "spam", rng.beta(2, 3, 2000), rng.beta(1, 9, 2000))
a = howsure.assess(truth, scores=score, positive="spam", threshold=0.5)

# %%
# The threshold that separates the classes best is not the current one.

print(a["ks_distance"])
print(a.best_threshold("informedness"))
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
a.densities().plot(ax=left)
_ = a.ks().plot(ax=right)
