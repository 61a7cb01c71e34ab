"""
What if some labels are wrong?
==============================

A classifier agrees with 88 % of the labels. If some labels are wrong at random, its true accuracy is higher, because it
is blamed for their errors. The line shows the true accuracy for each share of wrong labels. The grey area shows how far
errors of any kind could change it: errors that favour one side cannot be corrected.
"""

import matplotlib.pyplot as plt
import numpy as np

import howsure

# %%
# 600 cases of two classes. In the table of a paper, rows are the labels.

a = howsure.assess(howsure.Confusion([[262, 38], [34, 266]], labels=["ham", "spam"]))
print(a["accuracy"])

# %%
# 120 labels were checked, and 6 were wrong: the interval allows for the small number of checks.

print(howsure.label_noise(a, (6, 120)))

# %%
# The same for known shares of wrong labels.

shares = np.linspace(0, 0.1, 11)
noise = [howsure.label_noise(a, share) for share in shares]
corrected = [one.estimate("accuracy") for one in noise]
figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.fill_between(100 * shares, *np.transpose([one.worst for one in noise]), color="0.9", label="errors of any kind")
low, high = np.transpose([(one.low, one.high) for one in corrected])
ax.fill_between(100 * shares, low, high, color="C0", alpha=0.25, label="95 % interval")
ax.plot(100 * shares, [one.value for one in corrected], "C0", label="errors at random")
ax.set(xlabel="wrong labels (%)", ylabel="true accuracy", title="Accuracy if some labels are wrong")
ax.spines[["top", "right"]].set_visible(False)
_ = ax.legend(frameon=False, loc="lower left")
