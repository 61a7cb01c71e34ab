"""
How many cases to show a difference?
====================================

Power is the probability that a test detects a difference that exists. For two models on the same cases it depends on
how often exactly one of them is correct: the more often the models agree, the fewer cases are needed for the same
difference. The dashed line is the usual 80 %.
"""

import matplotlib.pyplot as plt

import howsure

# %%
# A difference of two points between models that disagree on 4, 10 or 16 % of the cases.

sizes = [100, 250, 500, 1000, 1500, 2000, 3000, 4000]
figure, ax = plt.subplots(figsize=(6.2, 4), layout="constrained")
for discordant, marker in ((0.04, "o"), (0.10, "s"), (0.16, "^")):
    print(howsure.plan.mcnemar(power=0.8, difference=0.02, discordant=discordant))
    power = [howsure.plan.mcnemar(n=n, difference=0.02, discordant=discordant).power for n in sizes]
    ax.plot(sizes, power, marker=marker, label=f"{100 * discordant:.0f} % of the cases")

# %%
# The power is exact: it is averaged over all possible numbers of discordant cases.

ax.axhline(0.8, color="gray", linestyle="--", linewidth=1)
ax.set(xlabel="cases", ylabel="power", ylim=(0, 1.02), title="Power of McNemar's test, difference 2 points")
ax.spines[["top", "right"]].set_visible(False)
_ = ax.legend(title="only one is correct in", frameon=False, loc="lower right")
