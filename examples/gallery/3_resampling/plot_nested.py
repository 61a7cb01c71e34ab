"""
Nested cross-validation: the optimism of selection
==================================================

Eight useless settings, on labels that are coin tosses. The best of the search looks better than chance, because it is
the best of eight. Nested cross-validation repeats the selection in every outer split and tests on cases that were not
used for it: its estimate, the dashed line, is lower, and its interval contains the true value 0.5.
"""

import textwrap

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.selection import nested

# %%
# Sixty cases and five features without any relation to the labels. Each setting is a stump with a random feature and a
# random cut.

rng = np.random.default_rng(7)
X, y = rng.normal(size=(60, 5)), np.repeat(["heads", "tails"], 30)
stump = DecisionTreeClassifier(max_depth=1, splitter="random", max_features=1)
result = nested(stump, {"random_state": list(range(8))}, X, y, outer=howsure.KFold(5), inner=howsure.KFold(5), seed=0)

# %%
# The settings in the search on all cases. The one with the highest mean is selected.

print(textwrap.fill(result.verdict, 80))
ax = result.candidates.plot()
ax.axvline(result.estimate.value, color="black", linestyle="--", linewidth=1)
