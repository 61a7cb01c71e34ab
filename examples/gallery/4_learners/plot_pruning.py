"""
A tree before and after pruning
===============================

A tree grown until its leaves are small also fits noise. Pessimistic pruning, the method of C4.5 (Quinlan 1993), removes
splits whose leaves are not expected to improve on the node above them, without a validation set. Removed nodes are
pale, and the leaf that replaces them is bold.
"""

from sklearn.datasets import load_wine

from howsure.learners import PessimisticTree

# %%
# A smaller confidence prunes more.

data = load_wine(as_frame=True)
X = data.data.rename(columns={"od280/od315_of_diluted_wines": "od280/od315"})
y = [f"cultivar {c + 1}" for c in data.target]
tree = PessimisticTree(confidence=0.05, min_samples_leaf=4, random_state=0).fit(X, y)
print(tree.text())

# %%
# The trace records every decision with its reasons; here are the first three. A leaf replaces its subtree if its
# estimated error is not higher.

print(tree.trace_[:3])
_ = tree.plot(both=True)
