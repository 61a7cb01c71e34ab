"""
Coverage of Wald's and Wilson's intervals
=========================================

How often does an interval contain the true proportion? For 50 cases the coverage can be computed exactly, as a sum over
all possible numbers of successes. The coverage of Wald's interval, p ± 1.96 standard errors, falls far below 95 % near
0 and 1, where good classifiers are; Wilson's stays close to it.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import binom

from howsure.intervals import wald, wilson

# %%
# The 51 possible intervals, and the probability of each for every true proportion.

n = 50
successes = np.arange(n + 1)
shares = np.linspace(0.005, 0.995, 199)
chance = binom.pmf(successes, n, shares[:, None])

# %%
# The coverage is the total probability of the intervals that contain the true proportion.

figure, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
for method, style in ((wald, "C1--"), (wilson, "C0-")):
    low, high = np.array([tuple(method(k, n)) for k in successes]).T
    held = (chance * ((low <= shares[:, None]) & (shares[:, None] <= high))).sum(axis=1)
    print(f"{method.__name__}: {held.mean():.3f} on average, {held.min():.3f} at the lowest")
    ax.plot(100 * shares, 100 * held, style, label=method.__name__.capitalize())
ax.axhline(95, color="gray", linewidth=1)
ax.set(
    xlabel="true proportion (%)", ylabel="intervals that contain it (%)", title="Coverage of 95 % intervals, 50 cases"
)
ax.spines[["top", "right"]].set_visible(False)
_ = ax.legend(frameon=False, loc="lower center")
