"""
Lesions of the same patient are not independent
===============================================

Each row is a patient with 8 to 20 lesions. In some patients all lesions are found, in some a third of them: more than
chance would do if lesions were independent. So the narrow interval of all 207 lesions is far too sure. With
``cluster=`` it is the wide one behind it.
"""

import numpy as np

import howsure

# %%
# Fifteen patients; in some the classifier works well, in others badly.

rng = np.random.default_rng(12)
sizes = rng.integers(8, 21, 15)
patient = np.repeat([f"patient {number:02}" for number in range(1, 16)], sizes)
rate = np.repeat(rng.beta(3, 1, 15), sizes)
found = np.where(rng.random(len(patient)) < rate, "lesion", "nothing")
truth = np.full(len(patient), "lesion")

# %%
# Taken for independent, and by patients. The design effect is how many times larger the variance is.

labels = {"labels": ["lesion", "nothing"], "positive": "lesion"}
print(howsure.assess(truth, found, **labels)["recall"])
recall = howsure.assess(truth, found, cluster=patient, **labels)["recall"]
print(recall)
print(f"design effect {recall.design_effect:.2f}: {recall.n:g} lesions are worth {recall.effective_n:.0f}")
ax = howsure.assess(truth, found, by=patient, **labels).plot(measure="recall")
_ = ax.plot([recall.low, recall.high], [15, 15], color="C1", linewidth=8, alpha=0.4, solid_capstyle="butt", zorder=0)
