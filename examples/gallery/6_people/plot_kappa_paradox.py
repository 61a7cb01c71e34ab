"""
High agreement, low kappa
=========================

Two raters agree on 94 of 100 items, and alpha is below 0. Both are true. Nearly all is "no", so that chance alone,
with the same totals, agrees as often: the numbers below the counts are what it would give. The raters never agreed on
a "yes".
"""

import howsure

# %%
# 94 times both say no, three times the one says yes, three times the other.

ratings = [["no", "no"]] * 94 + [["no", "yes"], ["yes", "no"]] * 3
g = howsure.agreement(ratings)
print(g["percent_agreement"])
print(g["krippendorff_alpha"])
print(g["gwet_ac1"])

# %%
# The finding says why. Of the ratings "yes" none was confirmed by the other rater.

print(*g.findings, sep="\n")
print(g.per_category())

# %%
# The table of the two raters, beside the one that is expected by chance.

ax = howsure.assess(*zip(*ratings, strict=True), positive="yes").confusion.plot("chance")
_ = ax.set(ylabel="first rater", xlabel="second rater")
