"""
The lab: which interval holds in data like yours?
=================================================

The lab draws samples from a population whose truth is known, makes the intervals, and counts how often they hold it.
Here the balanced accuracy of a rare class: about five positives in 100 cases. Where a sample has no miss, no bootstrap
replicate has one, and its "95 %" intervals hold the truth in less than half of the samples. The default is cautious.
"""

import matplotlib.pyplot as plt

from howsure.lab import coverage

# %%
# Say what your data are like: 100 cases, one in twenty positive, a good classifier.

c = coverage("balanced_accuracy", n=100, prevalence=0.05, quality="good", methods="all", rounds=400, seed=0)
print(c)

# %%
# The first method is the default. Bars are twice the Monte Carlo error.

figure, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
for row, held in enumerate(c.methods):
    ax.errorbar(100 * held.coverage, row, xerr=200 * held.error, fmt="oC0")
ax.axvline(95, color="gray", linestyle="--", linewidth=1)
ax.set_yticks(range(len(c.methods)), [held.method for held in c.methods])
ax.spines[["top", "right", "left"]].set_visible(False)
_ = ax.set(
    ylim=(5.5, -0.5),
    xlabel="95 % intervals that hold the truth (%)",
    title="Balanced accuracy, 100 cases, 5 % positive",
)
