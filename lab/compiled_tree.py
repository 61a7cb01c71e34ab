"""Decision trees and forests for many training sets, compiled by Numba.

For two classes and numeric features. Trees are grown until their leaves are pure. A node tries all features, or some
drawn at random, and takes the split with the least Gini impurity; among equal ones the first that it meets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

LEAF = -1


@njit(nogil=True, cache=True)
def count_votes(x: Any, y: Any, order: Any, train: Any, trees: int, max_features: int, rng: Any) -> Any:
    """Count the trees that predict class 1 for each case outside of each training set.

    ``x`` has one row per feature, ``order`` the cases sorted by each feature, ``train`` one row per training set. If
    ``trees`` is above 1, each tree is grown on a bootstrap sample of the training set.
    """
    n = len(y)
    votes = np.zeros(train.shape, np.int32)
    feature, threshold = np.empty(2 * n, np.int64), np.empty(2 * n)
    children, prediction = np.empty((2 * n, 2), np.int64), np.empty(2 * n, np.int64)
    for number in range(len(train)):
        rows = np.flatnonzero(train[number])
        tested = np.flatnonzero(train[number] == 0)
        for _ in range(trees):
            weight = np.zeros(n, np.int64)
            if trees == 1:
                weight[rows] = 1
            else:
                for _draw in range(len(rows)):
                    weight[rows[int(rng.random() * len(rows))]] += 1
            _grow(x, y, order, weight, max_features, rng, feature, threshold, children, prediction)
            for row in tested:
                node = 0
                while feature[node] != LEAF:
                    node = children[node, int(x[feature[node], row] > threshold[node])]
                votes[number, row] += prediction[node]
    return votes


@njit(nogil=True, cache=True)
def _grow(
    x: Any,
    y: Any,
    order: Any,
    weight: Any,
    max_features: int,
    rng: Any,
    feature: Any,
    threshold: Any,
    children: Any,
    prediction: Any,
) -> None:
    """Grow a tree on the cases with positive weight; fill the last four arrays node by node."""
    lists = _sorted_rows(order, weight)
    features, used = lists.shape
    starts, ends, names = np.empty(used + 1, np.int64), np.empty(used + 1, np.int64), np.empty(used + 1, np.int64)
    goes_left, buffer, choice = np.empty(len(y), np.bool_), np.empty(used, np.int64), np.arange(features)
    starts[0], ends[0], names[0] = 0, used, 0
    open_nodes, nodes = 1, 1
    while open_nodes:
        open_nodes -= 1
        start, end, node = starts[open_nodes], ends[open_nodes], names[open_nodes]
        total = positive = 0
        for row in lists[0, start:end]:
            total += weight[row]
            positive += weight[row] * y[row]
        feature[node], prediction[node] = LEAF, int(2 * positive > total)
        if positive in (0, total):
            continue
        best, middle = _best_split(x, y, weight, lists, start, end, total, positive, choice, max_features, rng)
        if best == LEAF:  # all features are constant
            continue
        feature[node] = best
        threshold[node] = (x[best, lists[best, middle - 1]] + x[best, lists[best, middle]]) / 2
        _divide(lists, start, end, best, middle, goes_left, buffer)
        for side in range(2):
            children[node, side] = nodes
            starts[open_nodes], ends[open_nodes] = (start, middle) if side == 0 else (middle, end)
            names[open_nodes] = nodes
            open_nodes += 1
            nodes += 1


@njit(nogil=True, cache=True)
def _sorted_rows(order: Any, weight: Any) -> Any:
    """Return the cases with positive weight, sorted by each feature."""
    lists = np.empty((len(order), np.count_nonzero(weight)), np.int64)
    for f in range(len(order)):
        position = 0
        for row in order[f]:
            if weight[row] > 0:
                lists[f, position] = row
                position += 1
    return lists


@njit(nogil=True, cache=True)
def _best_split(
    x: Any,
    y: Any,
    weight: Any,
    lists: Any,
    start: int,
    end: int,
    total: int,
    positive: int,
    choice: Any,
    max_features: int,
    rng: Any,
) -> tuple[int, int]:
    """Return the best feature among some drawn at random, and where to divide the cases sorted by it."""
    best, middle, best_feature = -1.0, 0, LEAF
    for k in range(max_features):
        swap = k + int(rng.random() * (len(choice) - k))
        choice[k], choice[swap] = choice[swap], choice[k]
        f = choice[k]
        left = left_positive = 0
        for i in range(start, end - 1):
            row = lists[f, i]
            left += weight[row]
            left_positive += weight[row] * y[row]
            if x[f, lists[f, i + 1]] <= x[f, row]:
                continue
            right, right_positive = total - left, positive - left_positive
            purity = (left_positive**2 + (left - left_positive) ** 2) / left + (
                right_positive**2 + (right - right_positive) ** 2
            ) / right
            if purity > best:
                best, middle, best_feature = purity, i + 1, f
    return best_feature, middle


@njit(nogil=True, cache=True)
def _divide(lists: Any, start: int, end: int, feature: int, middle: int, goes_left: Any, buffer: Any) -> None:
    """Move the cases of the left child to the front of every feature's list, keeping both sides sorted."""
    for i in range(start, end):
        goes_left[lists[feature, i]] = i < middle
    for f in range(len(lists)):
        left, right = start, 0
        for i in range(start, end):
            row = lists[f, i]
            if goes_left[row]:
                lists[f, left] = row
                left += 1
            else:
                buffer[right] = row
                right += 1
        lists[f, left:end] = buffer[:right]
