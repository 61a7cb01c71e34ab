"""
What if some labels are wrong?
==============================

A classifier agrees with 88 % of the labels. If some labels are wrong at random, it is better than it looks, since it
is blamed for their errors. The line is its true accuracy by the share of wrong labels. The grey area is how far errors
of any kind could move it: those that favour one side cannot be corrected for.
"""

import matplotlib.pyplot as plt
import numpy as np

import howsure

# %%
# 600 cases of two classes. In the table of a paper, rows are the labels.

a = howsure.assess(howsure.Confusion([[262, 38], [34, 266]], labels=["ham", "spam"]))
print(a["accuracy"])

# %%
# Somebody checked 120 labels and found 6 wrong: the interval allows for having checked so few.

print(howsure.label_noise(a, (6, 120)))

# %%
# The same for shares that are known.

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
