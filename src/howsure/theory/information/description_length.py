"""Minimum description length: bits for the model, and bits for the classes of the training cases given the model.

The one who reads the message knows the attributes of all cases and the names of the classes. Two codings are used, of
which one is stated with each number: for trees that of Quinlan and Rivest (1989), with thresholds; for all others the
usual half logarithm of n for each parameter (Rissanen, 1978).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln
from sklearn.utils import check_array

from howsure.arrays import IntArray
from howsure.theory.information.fitted_models import NAN, Nodes, last_step, last_step_input, tree_of

BY_TREE = "nodes, attributes, cuts and classes of the tree, then the exceptions in each leaf"
BY_PARAMETERS = "half of log2 n for each parameter, then minus log2 of the likelihood"


@dataclass(frozen=True)
class Code:
    """A message in two parts, in bits, and how it is coded."""

    model_bits: float
    data_bits: float
    coding: str

    @property
    def bits(self) -> float:
        return self.model_bits + self.data_bits


def describe_length(
    model: Any, X: Any, codes: IntArray, classes: int, log_likelihood: float, parameters: float
) -> Code:
    """Give the length of the message that conveys the classes of the cases by way of the model."""
    if (tree := tree_of(last := last_step(model))) is not None:
        return tree_code(tree, last.n_features_in_, last_step_input(model, X), codes, classes)
    return parametric_code(log_likelihood, parameters, len(codes))


def parametric_code(log_likelihood: float, parameters: float, n: int) -> Code:
    if math.isnan(log_likelihood) or math.isnan(parameters):
        return Code(NAN, NAN, BY_PARAMETERS)
    return Code(parameters / 2 * math.log2(n), -log_likelihood / math.log(2) + 0.0, BY_PARAMETERS)


def tree_code(tree: Nodes, attributes: int, X: Any, codes: IntArray, classes: int) -> Code:
    """Code a tree and the exceptions to it.

    A node: 1 bit says whether it is a leaf. An inner node: log2 of the number of attributes, and log2 of the number of
    ways to divide the cases there by that attribute. A leaf: log2 of the number of classes for the one it predicts,
    then how many cases it has of each class, all such counts taken as equally likely, and which cases these are.
    """
    model_bits = data_bits = 0.0
    for rows, column in walk(tree, X):
        model_bits += 1
        if column is None:
            model_bits += math.log2(classes)
            data_bits += leaf_bits(np.bincount(codes[rows], minlength=classes))
        else:
            model_bits += math.log2(attributes) + math.log2(count_cuts(column))
    return Code(model_bits, data_bits, BY_TREE)


def leaf_bits(counts: IntArray) -> float:
    """Give log2 of the number of possible counts, and of the ways to give the cases their classes with such counts.

    With two classes: log2 (N + 1) + log2 C(N, e).
    """
    n, classes = int(counts.sum()), len(counts)
    ways = gammaln(n + 1) - gammaln(counts + 1).sum()
    return float((_log_choose(n + classes - 1, classes - 1) + ways) / math.log(2)) + 0.0


def count_cuts(column: Any) -> int:
    """Count the ways in which a threshold can divide these values, at least 1.

    A value that is missing goes to either side, or all that are missing to one and the others to the other.
    """
    missing = np.isnan(column)
    distinct = len(np.unique(column[~missing]))
    return max(2 * distinct - 1 if missing.any() else distinct - 1, 1)


def walk(tree: Nodes, X: Any) -> Iterator[tuple[IntArray, Any]]:
    """Give for each node the rows that reach it, and their values of its attribute; None in a leaf."""
    columns: Any = check_array(X, accept_sparse="csc", dtype=np.float32, ensure_all_finite=False)  # as trees see it
    columns = columns.sorted_indices() if hasattr(columns, "indptr") else columns
    stack: list[tuple[int, IntArray]] = [(0, np.arange(columns.shape[0]))]
    while stack:
        node, rows = stack.pop()
        if tree.children_left[node] < 0:
            yield rows, None
            continue
        feature = int(tree.feature[node])
        column = _sparse_column(columns, feature, rows) if hasattr(columns, "indptr") else columns[rows, feature]
        yield rows, column
        left = np.where(np.isnan(column), bool(tree.missing_go_to_left[node]), column <= tree.threshold[node])
        stack += [(int(tree.children_right[node]), rows[~left]), (int(tree.children_left[node]), rows[left])]


def _sparse_column(columns: Any, feature: int, rows: IntArray) -> Any:
    """Give the values of some rows, which are in order; a node with few of them must not cost a whole column."""
    part = slice(columns.indptr[feature], columns.indptr[feature + 1])
    stored, values = columns.indices[part], columns.data[part]
    column = np.zeros(len(rows), np.float32)
    at = np.searchsorted(stored, rows)
    is_stored = at < len(stored)
    is_stored[is_stored] = stored[at[is_stored]] == rows[is_stored]
    column[is_stored] = values[at[is_stored]]
    return column


def _log_choose(n: int, k: int) -> float:
    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
