"""
A tree before and after pruning
===============================

A tree grown until its leaves are small has learnt noise, too. Pessimistic pruning, the method of C4.5 (Quinlan 1993),
takes back splits whose leaves promise no more than the node above them, without a validation set. What was removed is
pale, and the leaf that stands for it is bold.
"""

from sklearn.datasets import load_wine

from howsure.learners import PessimisticTree

# %%
# A small confidence prunes more.

data = load_wine(as_frame=True)
X = data.data.rename(columns={"od280/od315_of_diluted_wines": "od280/od315"})
y = [f"cultivar {c + 1}" for c in data.target]
tree = PessimisticTree(confidence=0.05, min_samples_leaf=4, random_state=0).fit(X, y)
print(tree.text())

# %%
# The trace has every decision with its reasons; here the first three. A leaf that does not cost more than its subtree
# takes its place.

print(tree.trace_[:3])
_ = tree.plot(both=True)
