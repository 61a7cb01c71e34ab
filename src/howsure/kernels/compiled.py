"""Loops compiled by Numba, for what NumPy would need several passes over the memory for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from howsure.kernels.compiled_buckets import close_up, deal, settle, tally

__all__ = ["close_up", "concordant", "count_chosen", "count_rows", "cumulate", "deal", "settle", "tally"]


@njit(nogil=True, cache=True)
def cumulate(positives: Any, negatives: Any, tp: Any, fp: Any) -> None:
    """Add columns up one after the other, as NumPy does, going on from what ``tp`` and ``fp`` begin with."""
    up, down = tp[0], fp[0]
    for i in range(len(positives)):
        up += positives[i]
        down += negatives[i]
        tp[i + 1] = up
        fp[i + 1] = down


@njit(nogil=True, cache=True)
def concordant(positives: Any, negatives: Any) -> Any:
    """Twice the pairs in which the positive scores higher, ties counting half: a whole number, exact below 2**63."""
    total = up = np.int64(0)
    for i in range(len(positives)):
        here = np.int64(positives[i])
        total += np.int64(negatives[i]) * (2 * up + here)
        up += here
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def place(order: Any, positive: Any, scores: Any, out: Any) -> None:
    """Place each case among those of the other class, low scores first; see `howsure.kernels.ranking.placements`."""
    n, n_positive = len(order), positive.sum()
    positives = negatives = 0.0  # up to the scores that are looked at
    start = 0
    while start < n:
        score, end, here = scores[order[start]], start, 0.0
        while end < n and scores[order[end]] == score:
            here += positive[order[end]]
            end += 1
        positives += here
        negatives += end - start - here
        below = (negatives - (end - start - here) / 2) / (n - n_positive)
        above = 1 - (positives - here / 2) / n_positive
        for position in range(start, end):
            row = order[position]
            out[row] = below if positive[row] else above
        start = end


@njit(nogil=True, cache=True)
def count_bins(scores: Any, codes: Any, threshold: float, scale: float, half: int, cells: Any) -> None:
    """Count cases by place and class, with the range of the scores at each place; see `howsure.kernels.score_bins`."""
    last = cells.shape[1] - 1
    for row in range(len(scores)):
        score = scores[row]
        if score != score:  # NaN has no place; whoever reads has refused it
            continue
        if scale == 0:
            inside = min(max(score, 0.0), 1.0)
            spread = np.sqrt(inside) - np.sqrt(1.0 - inside)
        else:
            away = 1.0 - 1.0 / (1.0 + abs(score) / scale)
            spread = away if score >= 0.0 else -away
        place = np.int64((spread + 1.0) * half)
        if scale == 0 and score > 0:
            place += 1
        place += np.int64(score >= threshold)
        cells[place, codes[row]] += 1
        cells[place, last - 1] = min(cells[place, last - 1], score)
        cells[place, last] = max(cells[place, last], score)


@njit(nogil=True, cache=True)
def count_rows(rows: Any, begins: Any, taken: Any, pairs: Any, starts: Any, lengths: Any, one: Any, other: Any) -> None:
    """Count the cases that were drawn of each stretch in both of their cells; see `howsure.kernels.case_draws`."""
    for number in range(len(taken)):
        start, bits = starts[number], lengths[number] - 1
        for place in range(begins[number], begins[number] + taken[number]):
            pair = pairs[start + (np.int64(rows[place]) & bits)]
            one[pair >> np.uint32(16)] += 1
            other[pair & np.uint32(0xFFFF)] += 1


@njit(nogil=True, cache=True)
def count_chosen(coins: Any, pairs: Any, table: Any) -> None:
    """Count each case in one of its cells; the bits of ``coins``, the highest first, tell in which."""
    whole = len(pairs) >> 3
    for number in range(whole):
        bits = np.uint32(coins[number]) << np.uint32(4)  # so that the bit that is tested is worth 16, half of a word
        for place in range(8):
            half = (bits >> np.uint32(7 - place)) & np.uint32(16)
            table[(pairs[8 * number + place] >> half) & np.uint32(0xFFFF)] += 1
    for row in range(8 * whole, len(pairs)):
        half = (np.uint32(coins[row >> 3]) << np.uint32(4) >> np.uint32(7 - (row & 7))) & np.uint32(16)
        table[(pairs[row] >> half) & np.uint32(0xFFFF)] += 1
