"""
High agreement, low kappa
=========================

Two raters agree on 94 of 100 items, yet alpha is below 0. Both numbers are correct. Almost all ratings are "no", so the
agreement expected by chance, given the same totals, is just as high; the numbers below the counts show it. The raters
never agreed on a "yes".
"""

import howsure

# %%
# Both say no 94 times; each of them says yes three times when the other says no.

ratings = [["no", "no"]] * 94 + [["no", "yes"], ["yes", "no"]] * 3
g = howsure.agreement(ratings)
print(g["percent_agreement"])
print(g["krippendorff_alpha"])
print(g["gwet_ac1"])

# %%
# The finding explains it: no "yes" was confirmed by the other rater.

print(*g.findings, sep="\n")
print(g.per_category())

# %%
# The table of the two raters, with the counts expected by chance.

ax = howsure.assess(*zip(*ratings, strict=True), positive="yes").confusion.plot("chance")
_ = ax.set(ylabel="first rater", xlabel="second rater")
