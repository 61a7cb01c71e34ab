"""
Nested cross-validation: what choosing costs
============================================

Eight settings that are all worthless, on labels that are coin tosses. The best of the search looks better than chance,
since it is the best of eight. Nested cross-validation chooses anew in every outer split and tests on cases that the
choice has not seen: its estimate, the dashed line, is lower, and its interval holds the 0.5 that is true.
"""

import textwrap

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.selection import nested

# %%
# Sixty cases, five features, no relation. Each setting is a stump: one feature and one cut, both drawn by lot.

rng = np.random.default_rng(7)
X, y = rng.normal(size=(60, 5)), np.repeat(["heads", "tails"], 30)
stump = DecisionTreeClassifier(max_depth=1, splitter="random", max_features=1)
result = nested(stump, {"random_state": list(range(8))}, X, y, outer=howsure.KFold(5), inner=howsure.KFold(5), seed=0)

# %%
# The settings in the search on all cases. The one with the highest mean is chosen.

print(textwrap.fill(result.verdict, 80))
ax = result.candidates.plot()
ax.axvline(result.estimate.value, color="black", linestyle="--", linewidth=1)
