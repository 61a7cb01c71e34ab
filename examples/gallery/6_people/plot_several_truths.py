"""
Against several annotators
==========================

Two judges and three people. A majority vote would hide that people disagree; here each case counts for each of its
labels, weighted by the share of people who chose it. No judge can agree with all of them, and the ceiling is the
highest agreement that can be reached. In the picture the first judge agrees with the others as well as any of the
people does; the second does not.
"""

import textwrap

import numpy as np

import howsure

# %%
# 240 messages, a third of them difficult. People misclassify 30 % of the difficult ones, and so does the first judge.

rng = np.random.default_rng(5)
truth, hard = rng.integers(0, 2, 240), rng.random(240) < 0.3


def label(easy, difficult):
    """Return labels that are wrong with these probabilities."""
    return np.where((rng.random(240) < np.where(hard, difficult, easy)) ^ (truth == 1), "spam", "ham")


people = {name: label(0.03, 0.3) for name in ("ann", "bob", "eve")}
judges = {"judge 1": label(0.05, 0.3), "judge 2": label(0.2, 0.45)}
columns = np.column_stack(list(people.values()))

# %%
# The judges compared with the people, and with each other.

for name, said in judges.items():
    a = howsure.assess(columns, said, positive="spam")
    print(name, a["kappa"], f"highest accuracy that can be reached: {a.ceiling:.3f}", sep="\n  ")
print(textwrap.fill(howsure.compare(columns, judges, measure="kappa").verdict, 80))
everybody = howsure.agreement(people | judges)
_ = everybody.plot("rater")
