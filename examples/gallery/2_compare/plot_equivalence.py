"""
Better, equal, or not known?
============================

"Not significant" is not "the same". Three candidates against the model in use, on the same 1,500 cases: one is shown
to be better. Of the two that are not, the interval of one lies within the shade, so that it is shown to be equal for
practical purposes; that of the other reaches beyond on both sides, and nothing is known.
"""

import textwrap

import numpy as np

import howsure

# %%
# A copy that differs in few cases, a retrained model, and an unlike one that gains about as much as it loses.

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
