"""
Precision and recall of a rare class
====================================

One digit in ten is an eight. On such data a ROC curve looks good even if many positive predictions are wrong; precision
against recall shows how many are correct. The dashed line is the share of eights, the precision of random guessing.
"""

from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_predict

import howsure

# %%
# A linear discriminant on the middle rows of the images; each case is predicted by a model that was not trained on it.

X, y = load_digits(return_X_y=True)
eight = ["eight" if digit == 8 else "other" for digit in y]
model = LinearDiscriminantAnalysis()
p = cross_val_predict(model, X[:, 24:40], eight, cv=5, method="predict_proba")[:, 0]  # classes in sorted order

# %%
# Average precision is the area below this curve, with steps and without interpolation.

a = howsure.assess(eight, scores=p, positive="eight")
print(a["average_precision"])
print(a["auc"])
print(a["precision"])
_ = a.precision_recall(band="pointwise").plot(label="linear discriminant")
