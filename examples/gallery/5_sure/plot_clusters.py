"""
Lesions of the same patient are not independent
===============================================

Each row is a patient with 8 to 20 lesions. In some patients all lesions are detected, in others only a third: the
variation is larger than it would be for independent lesions. So the interval that treats all 207 lesions as independent
is far too narrow. With ``cluster=`` you get the wide interval behind it.
"""

import numpy as np

import howsure

# %%
# Fifteen patients; the classifier works well in some and badly in others.

rng = np.random.default_rng(12)
sizes = rng.integers(8, 21, 15)
patient = np.repeat([f"patient {number:02}" for number in range(1, 16)], sizes)
rate = np.repeat(rng.beta(3, 1, 15), sizes)
found = np.where(rng.random(len(patient)) < rate, "lesion", "nothing")
truth = np.full(len(patient), "lesion")

# %%
# First treated as independent, then clustered by patient. The design effect is the factor by which the variance
# increases.

labels = {"labels": ["lesion", "nothing"], "positive": "lesion"}
print(howsure.assess(truth, found, **labels)["recall"])
recall = howsure.assess(truth, found, cluster=patient, **labels)["recall"]
print(recall)
print(f"design effect {recall.design_effect:.2f}: {recall.n:g} lesions are worth {recall.effective_n:.0f}")
ax = howsure.assess(truth, found, by=patient, **labels).plot(measure="recall")
_ = ax.plot([recall.low, recall.high], [15, 15], color="C1", linewidth=8, alpha=0.4, solid_capstyle="butt", zorder=0)
