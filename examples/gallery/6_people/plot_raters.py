"""
Do the annotators agree?
========================

Four observers assigned twelve units to five categories, with some missing ratings (Krippendorff 2011). Pairs of ratings
of a unit agree in 82 % of the cases; alpha, the agreement beyond chance, is 0.74, and its interval is wide because
there are few units. The pairs show whether one rater differs from the others: rater 3 agrees least with the others.
"""

import howsure

# %%
# One row for each unit, one column for each observer; ``None`` is a missing rating.

ratings = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, None, 3, None],
]
g = howsure.agreement(ratings)
print(g.headline)

# %%
# Krippendorff's alpha, Fleiss' kappa and Gwet's AC1 define chance agreement differently.

for name in ("krippendorff_alpha", "fleiss_kappa", "gwet_ac1"):
    print(g[name])
_ = g.plot("pair")
