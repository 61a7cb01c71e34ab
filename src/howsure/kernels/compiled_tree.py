"""Trees and forests of many training sets, compiled by Numba: far faster than fitting them one by one.

Two classes, numbers as features, leaves grown until they are pure. A node tries some features drawn at random, all for
a plain tree, and takes the cut with the least Gini impurity; of equal ones the first that it meets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

LEAF = -1


@njit(nogil=True, cache=True)
def votes_of_trees(x: Any, y: Any, order: Any, train: Any, trees: int, tried: int, rng: Any) -> Any:
    """Count the trees that call each row positive, where the row is not one to train on.

    ``x`` has a row for each feature, ``order`` the cases sorted by it; ``train`` a row for each training set. With
    ``trees`` above 1, each is grown on a bootstrap sample of the training set.
    """
    n = len(y)
    votes = np.zeros(train.shape, np.int32)
    feature, cut = np.empty(2 * n, np.int64), np.empty(2 * n)
    children, answer = np.empty((2 * n, 2), np.int64), np.empty(2 * n, np.int64)
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
            _grow(x, y, order, weight, tried, rng, feature, cut, children, answer)
            for row in tested:
                node = 0
                while feature[node] != LEAF:
                    node = children[node, int(x[feature[node], row] > cut[node])]
                votes[number, row] += answer[node]
    return votes


@njit(nogil=True, cache=True)
def _grow(
    x: Any,
    y: Any,
    order: Any,
    weight: Any,
    tried: int,
    rng: Any,
    feature: Any,
    cut: Any,
    children: Any,
    answer: Any,
) -> None:
    """Grow one tree on the rows that have a weight; it is written into the last four arrays, node by node."""
    lists = _sorted_rows(order, weight)
    features, used = lists.shape
    starts, ends, names = np.empty(used + 1, np.int64), np.empty(used + 1, np.int64), np.empty(used + 1, np.int64)
    goes_left, kept, choice = np.empty(len(y), np.bool_), np.empty(used, np.int64), np.arange(features)
    starts[0], ends[0], names[0] = 0, used, 0
    open_nodes, nodes = 1, 1
    while open_nodes:
        open_nodes -= 1
        start, end, node = starts[open_nodes], ends[open_nodes], names[open_nodes]
        total = positive = 0
        for row in lists[0, start:end]:
            total += weight[row]
            positive += weight[row] * y[row]
        feature[node], answer[node] = LEAF, int(2 * positive > total)
        if positive in (0, total):
            continue
        chosen, place = _best_cut(x, y, weight, lists, start, end, total, positive, choice, tried, rng)
        if chosen == LEAF:  # rows that no feature tells apart
            continue
        feature[node] = chosen
        cut[node] = (x[chosen, lists[chosen, place - 1]] + x[chosen, lists[chosen, place]]) / 2
        _divide(lists, start, end, chosen, place, goes_left, kept)
        for side in range(2):
            children[node, side] = nodes
            starts[open_nodes], ends[open_nodes] = (start, place) if side == 0 else (place, end)
            names[open_nodes] = nodes
            open_nodes += 1
            nodes += 1


@njit(nogil=True, cache=True)
def _sorted_rows(order: Any, weight: Any) -> Any:
    """Give the rows that have a weight, sorted by each feature."""
    lists = np.empty((len(order), np.count_nonzero(weight)), np.int64)
    for f in range(len(order)):
        put = 0
        for row in order[f]:
            if weight[row] > 0:
                lists[f, put] = row
                put += 1
    return lists


@njit(nogil=True, cache=True)
def _best_cut(
    x: Any,
    y: Any,
    weight: Any,
    lists: Any,
    start: int,
    end: int,
    total: int,
    positive: int,
    choice: Any,
    tried: int,
    rng: Any,
) -> tuple[int, int]:
    """Give the feature, among some drawn at random, and the place in its list that divide a node best."""
    best, place, chosen = -1.0, 0, LEAF
    for k in range(tried):
        other = k + int(rng.random() * (len(choice) - k))
        choice[k], choice[other] = choice[other], choice[k]
        f = choice[k]
        left = hits = 0
        for i in range(start, end - 1):
            row = lists[f, i]
            left += weight[row]
            hits += weight[row] * y[row]
            if x[f, lists[f, i + 1]] <= x[f, row]:
                continue
            right, others = total - left, positive - hits
            purity = (hits**2 + (left - hits) ** 2) / left + (others**2 + (right - others) ** 2) / right
            if purity > best:
                best, place, chosen = purity, i + 1, f
    return chosen, place


@njit(nogil=True, cache=True)
def _divide(lists: Any, start: int, end: int, chosen: int, place: int, goes_left: Any, kept: Any) -> None:
    """Put the rows of one side first in the list of every feature, both sides still sorted."""
    for i in range(start, end):
        goes_left[lists[chosen, i]] = i < place
    for f in range(len(lists)):
        put, apart = start, 0
        for i in range(start, end):
            row = lists[f, i]
            if goes_left[row]:
                lists[f, put] = row
                put += 1
            else:
                kept[apart] = row
                apart += 1
        lists[f, put:end] = kept[:apart]
