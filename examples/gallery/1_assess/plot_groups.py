"""
One assessment for each group
=============================

The same classifier in four clinics. The smallest has the highest accuracy and the widest interval: it may be luck. The
second picture has the difference of each clinic from the rest; a filled point is shown to differ.
"""

import numpy as np

import howsure

# %%
# Predictions are right in 90 % of the cases, but in 78 % in the south.

rng = np.random.default_rng(5)
clinic = np.repeat(["north", "east", "south", "west"], [400, 40, 250, 110])
sick = rng.random(800) < 0.4
right = rng.random(800) < np.where(clinic == "south", 0.78, 0.90)
truth = np.where(sick, "sick", "well")
predicted = np.where(sick == right, "sick", "well")

# %%
# ``by=`` gives an assessment for each group; ``groups["east"]`` is one of them.

groups = howsure.assess(truth, predicted, by=clinic, positive="sick")
print(groups.headline)
_ = groups.plot(measure="accuracy")

# %%
# The intervals of the differences hold for all four together.

print(groups.differences("accuracy"))
_ = groups.differences("accuracy").plot()
