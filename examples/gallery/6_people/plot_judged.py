"""
Few human labels and many labels of a judge
===========================================

People labelled 100 answers, and a language model labelled all 5,100. The judge alone gives a narrow but wrong interval:
its bias does not shrink with more cases. The human labels alone are unbiased, but the interval is wide. Combined, the
estimate is unbiased and more precise than from human labels alone (PPI++, Angelopoulos, Duchi and Zrnic 2023). The
dashed line is the true value.
"""

import matplotlib.pyplot as plt
import numpy as np

import howsure

# %%
# A fifth of the answers are harmful; the judge is wrong on one in ten. ``human`` is None for answers without a human
# label.

rng = np.random.default_rng(11)
harmful = rng.random(5100) < 0.2
words = np.array(["fine", "harmful"])
judge = words[np.where(rng.random(5100) < 0.9, harmful, ~harmful).astype(int)]
human = [words[int(one)] if case < 100 else None for case, one in enumerate(harmful)]

# %%
# How many are harmful? The worth is the number of human labels that would be needed without the judge.

a = howsure.assess(human, judge=judge, positive="harmful")
print(a.headline)
rate = a["rate"]
said = howsure.intervals.wilson((judge == "harmful").sum(), 5100)
rows = {
    "judge alone": ((judge == "harmful").mean(), *said),
    "people alone": (rate.human.value, rate.human.low, rate.human.high),
    "together": (rate.value, rate.low, rate.high),
}

# %%
# The three estimates, with 95 % intervals.

figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
for row, (value, low, high) in enumerate(rows.values()):
    ax.plot([100 * low, 100 * high], [row, row], "C0")
    ax.plot(100 * value, row, "oC0")
ax.axvline(100 * harmful.mean(), color="black", linestyle="--", linewidth=1)
ax.set_yticks(range(3), rows)
ax.spines[["top", "right", "left"]].set_visible(False)
_ = ax.set(ylim=(2.5, -0.5), xlabel="harmful answers (%)")
