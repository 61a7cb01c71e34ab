"""
Better, equivalent, or undecided?
=================================

"Not significant" does not mean "equal". Three candidates are compared with the current model on the same 1,500 cases,
and one is shown to be better. Of the other two, one has an interval within the shaded area, so it is practically
equivalent; the interval of the other extends beyond it on both sides, so nothing can be concluded.
"""

import textwrap

import numpy as np

import howsure

# %%
# A copy with few different predictions, a retrained model, and a different model that gains about as much as it loses.

rng = np.random.default_rng(8)
truth = np.zeros(1500, int)
old = (rng.random(1500) < 0.20).astype(int)  # 1 is an error


def changed(gains, losses):
    """Turn these shares of the old errors and of the old hits around."""
    return np.where(rng.random(1500) < np.where(old == 1, gains, losses), 1 - old, old)


models = {"old": old, "retrained": changed(0.30, 0.01), "copy": changed(0.06, 0.01), "unlike": changed(0.60, 0.15)}

# %%
# ``rope`` is the largest difference that would not matter, here 2 points.

c = howsure.compare(truth, models, baseline="old", rope=0.02)
for name in ("retrained", "copy", "unlike"):
    print(c.equivalence(0.02, name, "old"))
print(textwrap.fill(c.verdict, 80))
_ = c.plot()
