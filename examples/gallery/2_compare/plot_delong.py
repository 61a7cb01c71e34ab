"""
ROC curves and DeLong's test
============================

Three scores that should predict which patients benefit from surgery, on the same 43 patients (DeLong, DeLong and
Clarke-Pearson 1988). The curves cross, and the areas differ by up to 0.09. DeLong's test allows for the correlation of
the three scores and finds no significant difference: with so few patients, much larger differences can be due to
chance.
"""

import textwrap

import numpy as np

import howsure

# %%
# Albumin, total protein, the K-G score and the outcome of each patient; a low K-G score is a good sign.

rows = """
3.0 5.8 10 0 3.2 6.3 5 1 3.9 6.8 3 1 2.8 4.8 6 0 3.2 5.8 3 1 0.9 4.0 5 0 2.5 5.7 8 0 1.6 5.6 5 1 3.8 5.7 5 1
3.7 6.7 6 1 3.2 5.4 4 1 3.8 6.6 6 1 4.1 6.6 5 1 3.6 5.7 5 1 4.3 7.0 4 1 3.6 6.7 4 0 2.3 4.4 6 1 4.2 7.6 4 0
4.0 6.6 6 0 3.5 5.8 6 1 3.8 6.8 7 1 3.0 4.7 8 0 4.5 7.4 5 1 3.7 7.4 5 1 3.1 6.6 6 1 4.1 8.2 6 1 4.3 7.0 5 1
4.3 6.5 4 1 3.2 5.1 5 1 2.6 4.7 6 1 3.3 6.8 6 0 1.7 4.0 7 0 3.7 6.1 5 1 3.3 6.3 7 1 4.2 7.7 6 1 3.5 6.2 5 1
2.9 5.7 9 0 2.1 4.8 7 1 2.8 6.2 8 0 4.0 7.0 7 1 3.3 5.7 6 1 3.7 6.9 5 1 3.6 6.6 5 1
"""
albumin, protein, total, outcome = np.array(rows.split(), float).reshape(43, 4).T
outcome = outcome.astype(int)
markers = {"albumin": albumin, "total protein": protein, "K-G score": 10 - total}

# %%
# First all three together, then every pair.

c = howsure.compare(outcome, scores=markers, measure="auc")
print(c.omnibus)
print(textwrap.fill(c.verdict, 80))
ax = None
for name, score in markers.items():
    ax = howsure.assess(outcome, scores=score, threshold=np.median(score)).roc().plot(ax=ax, label=name)
