"""
One assessment for each group
=============================

The same classifier is used in four clinics. The smallest has the highest accuracy and the widest interval, so the
result may be due to chance. The second picture shows the difference between each clinic and all others; a filled point
is a significant difference.
"""

import numpy as np

import howsure

# %%
# Predictions are correct in 90 % of the cases, but in 78 % in the south.

rng = np.random.default_rng(5)
clinic = np.repeat(["north", "east", "south", "west"], [400, 40, 250, 110])
sick = rng.random(800) < 0.4
right = rng.random(800) < np.where(clinic == "south", 0.78, 0.90)
truth = np.where(sick, "sick", "well")
predicted = np.where(sick == right, "sick", "well")

# %%
# ``by=`` returns an assessment for each group; ``groups["east"]`` is one of them.

groups = howsure.assess(truth, predicted, by=clinic, positive="sick")
print(groups.headline)
_ = groups.plot(measure="accuracy")

# %%
# The intervals of the four differences hold simultaneously.

print(groups.differences("accuracy"))
_ = groups.differences("accuracy").plot()
