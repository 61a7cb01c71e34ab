"""Minimum description length: bits for the model, plus bits for the classes of the training cases given the model.

The receiver knows the features of all cases and the names of the classes. Trees are coded as in Quinlan and Rivest
(1989), extended to thresholds; all other models cost (log2 n) / 2 bits per parameter (Rissanen, 1978).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.special import gammaln
from sklearn.utils import check_array

from howsure.arrays import IntArray
from howsure.theory.information.fitted_models import NAN, Nodes, last_step, last_step_input, tree_of

BY_TREE = "nodes, features, thresholds and classes of the tree, then the exceptions in each leaf"
BY_PARAMETERS = "half of log2 n for each parameter, then minus log2 of the likelihood"


@dataclass(frozen=True)
class Code:
    """Coding of a two-part message, and its length in bits."""

    model_bits: float
    data_bits: float
    coding: str

    @property
    def bits(self) -> float:
        return self.model_bits + self.data_bits


def describe_length(
    model: Any, X: Any, codes: IntArray, classes: int, log_likelihood: float, parameters: float
) -> Code:
    """Return the description length of the cases' classes, given a model."""
    if (tree := tree_of(last := last_step(model))) is not None:
        return tree_code(tree, last.n_features_in_, last_step_input(model, X), codes, classes)
    return parametric_code(log_likelihood, parameters, len(codes))


def parametric_code(log_likelihood: float, parameters: float, n: int) -> Code:
    if math.isnan(log_likelihood) or math.isnan(parameters):
        return Code(NAN, NAN, BY_PARAMETERS)
    return Code(parameters / 2 * math.log2(n), -log_likelihood / math.log(2) + 0.0, BY_PARAMETERS)


def tree_code(tree: Nodes, features: int, X: Any, codes: IntArray, classes: int) -> Code:
    """Return the code of a tree and its exceptions.

    Each node costs 1 bit for whether it is a leaf. An inner node costs log2 of the number of features plus log2 of the
    number of ways to divide its cases by the feature. A leaf costs log2 of the number of classes for its prediction,
    plus `leaf_bits` for its exceptions.
    """
    model_bits = data_bits = 0.0
    for rows, column in walk(tree, X):
        model_bits += 1
        if column is None:
            model_bits += math.log2(classes)
            data_bits += leaf_bits(np.bincount(codes[rows], minlength=classes))
        else:
            model_bits += math.log2(features) + math.log2(count_thresholds(column))
    return Code(model_bits, data_bits, BY_TREE)


def leaf_bits(counts: IntArray) -> float:
    """Return log2 of the number of possible class counts plus log2 of the number of assignments with these counts.

    With two classes, this is log2 (N + 1) + log2 C(N, e).
    """
    n, classes = int(counts.sum()), len(counts)
    ways = gammaln(n + 1) - gammaln(counts + 1).sum()
    return float((_log_choose(n + classes - 1, classes - 1) + ways) / math.log(2)) + 0.0


def count_thresholds(column: Any) -> int:
    """Count the ways in which a threshold can divide these values; the count is at least 1.

    Missing values go to either side of a threshold, or to one side with all other values on the other.
    """
    missing = np.isnan(column)
    distinct = len(np.unique(column[~missing]))
    return max(2 * distinct - 1 if missing.any() else distinct - 1, 1)


def walk(tree: Nodes, X: Any) -> Iterator[tuple[IntArray, Any]]:
    """Yield for each node its rows and their values of the feature, which are None for a leaf."""
    columns: Any = check_array(X, accept_sparse="csc", dtype=np.float32, ensure_all_finite=False)  # as in the tree
    stack: list[tuple[int, IntArray]] = [(0, np.arange(columns.shape[0]))]
    while stack:
        node, rows = stack.pop()
        if tree.children_left[node] < 0:
            yield rows, None
            continue
        feature = int(tree.feature[node])
        column = columns[:, [feature]].toarray().ravel()[rows] if issparse(columns) else columns[rows, feature]
        yield rows, column
        left = np.where(np.isnan(column), bool(tree.missing_go_to_left[node]), column <= tree.threshold[node])
        stack += [(int(tree.children_right[node]), rows[~left]), (int(tree.children_left[node]), rows[left])]


def _log_choose(n: int, k: int) -> float:
    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
