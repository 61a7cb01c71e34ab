"""
The lab: which interval is valid for your data?
===============================================

The lab draws samples from a population with a known true value, computes the intervals, and counts how often they
contain it. The example is the balanced accuracy of a rare class, with about five positives in 100 cases. If a sample
has no misses, no bootstrap replicate has any, so the coverage of "95 %" bootstrap intervals is below one half. The
default is conservative.
"""

import matplotlib.pyplot as plt

from howsure.lab import coverage

# %%
# Describe your data: 100 cases, one in twenty positive, a good classifier.

c = coverage("balanced_accuracy", n=100, prevalence=0.05, quality="good", methods="all", rounds=400, seed=0)
print(c)

# %%
# The first method is the default. Error bars are twice the Monte Carlo error.

figure, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
for row, held in enumerate(c.methods):
    ax.errorbar(100 * held.coverage, row, xerr=200 * held.error, fmt="oC0")
ax.axvline(95, color="gray", linestyle="--", linewidth=1)
ax.set_yticks(range(len(c.methods)), [held.method for held in c.methods])
ax.spines[["top", "right", "left"]].set_visible(False)
_ = ax.set(
    ylim=(5.5, -0.5),
    xlabel="95 % intervals that contain the true value (%)",
    title="Balanced accuracy, 100 cases, 5 % positive",
)
