"""
Do the annotators agree?
========================

Four observers put twelve units into five categories, with some ratings missing (Krippendorff 2011). Two ratings of a
unit agree in 82 %; alpha, agreement beyond chance, is 0.74, and its interval is what so few units leave open. The
pairs show whether somebody stands apart: rater 3 agrees least with the others.
"""

import howsure

# %%
# A row for each unit, a column for each observer; ``None`` where there is no rating.

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
# Krippendorff's alpha, Fleiss' kappa and Gwet's AC1 differ in what they take for chance.

for name in ("krippendorff_alpha", "fleiss_kappa", "gwet_ac1"):
    print(g[name])
_ = g.plot("pair")
