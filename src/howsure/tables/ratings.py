"""Ratings: the category that each rater chose for each item.

Items that were given the same categories by the same raters are counted together. A profile holds the category that
each rater chose, with the number of items that have these ratings. A million items with five raters and five categories
have at most 7,776 profiles. All coefficients of agreement, and their bootstrap replicates, are sums over profiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.encode import MISSING, Label
from howsure.data.predictions import Key
from howsure.errors import HowsureError
from howsure.tables.classes import add_keys
from howsure.tables.clusters import Clusters, join_names

MAX_KEYS = 2.0**53  # maximum number of possible profiles, whose numbers floating-point arithmetic represents exactly
MAX_CELLS = 50_000_000  # maximum number of profiles times categories or raters


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of items by raters, possibly with missing ratings.

    Tables of ratings are combined with ``+``.

    `howsure.agreement` builds such a table from columns, and accepts one. Items with the same ratings share a profile.

    Attributes
    ----------
    labels
        The categories, in their order.
    raters, items
        The names of the raters and of the items.
    of_item
        The profile of each item.
    profile, rater, code
        One entry for each rating of a profile: the positions of the profile, the rater and the category.
    cluster
        The clusters of dependent items.
    anonymous
        Whether only the number of ratings in each category is known, and not the raters.
    profiles
        The number of distinct profiles.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure import Ratings, agreement
    >>> ratings = Ratings.of_counts(["no", "yes"], np.array([[0, 3], [1, 2], [3, 0], [3, 0]]))
    >>> ratings.n, ratings.ratings, ratings.profiles
    (4, 12, 3)
    >>> round(agreement(ratings)["fleiss_kappa"], 3)
    0.657
    """

    labels: tuple[Label | float, ...]
    raters: tuple[Any, ...]
    items: Sequence[Any]
    of_item: IntArray
    profile: IntArray
    rater: IntArray
    code: IntArray
    cluster: Key | None = None
    anonymous: bool = False

    @classmethod
    def of_counts(cls, labels: Sequence[Any], counts: Array, cluster: Key | None = None) -> Ratings:
        """Build from the number of ratings of each item in each category.

        Parameters
        ----------
        labels
            The categories.
        counts
            One row for each item and one column for each category.
        cluster
            The clusters of dependent items.
        """
        size = counts.sum(1)
        item = np.repeat(np.arange(len(counts)), size)
        code = np.repeat(np.tile(np.arange(counts.shape[1]), len(counts)), counts.ravel())
        rater = np.arange(len(item)) - np.repeat(np.cumsum(size) - size, size)
        raters = tuple(range(int(size.max(initial=0))))
        ratings = cls.of_entries(labels, raters, range(len(counts)), item, rater, code, cluster)
        return replace(ratings, anonymous=True)

    @classmethod
    def of_columns(
        cls,
        labels: Sequence[Any],
        columns: dict[Any, IntArray],
        items: Sequence[Any] | None = None,
        cluster: Key | None = None,
    ) -> Ratings:
        """Build from one column of category codes for each rater.

        A negative code is a missing rating.

        Parameters
        ----------
        labels
            The categories.
        columns
            The position of the category of each item, by the name of the rater.
        items
            The names of the items. Default: 0, 1, ....
        cluster
            The clusters of dependent items.

        Examples
        --------
        >>> import numpy as np
        >>> from howsure import Ratings
        >>> Ratings.of_columns(["no", "yes"], {"ann": np.array([0, 1, 1]), "bob": np.array([0, 1, -1])}).ratings
        5
        """
        base, n = len(labels) + 1, len(next(iter(columns.values())))
        names = range(n) if items is None else items
        if base ** len(columns) <= MAX_KEYS:
            key = np.zeros(n, np.int64)
            for digit, codes in enumerate(columns.values()):
                key += (codes.astype(np.int64) + 1) * base**digit
            return cls._of_keys(labels, tuple(columns), names, key, cluster)
        is_rated = [codes >= 0 for codes in columns.values()]
        item = np.concatenate([np.flatnonzero(rows) for rows in is_rated])
        rater = np.repeat(np.arange(len(columns)), [int(rows.sum()) for rows in is_rated])
        code = np.concatenate([codes[rows] for codes, rows in zip(columns.values(), is_rated, strict=True)])
        return cls.of_entries(labels, tuple(columns), names, item, rater, code, cluster)

    @classmethod
    def of_entries(
        cls,
        labels: Sequence[Any],
        raters: tuple[Any, ...],
        items: Sequence[Any],
        item: IntArray,
        rater: IntArray,
        code: IntArray,
        cluster: Key | None = None,
    ) -> Ratings:
        """Build from single ratings: an item, a rater and a category.

        No rater rates an item twice.

        Parameters
        ----------
        labels, raters, items
            The names of the categories, the raters and the items.
        item, rater, code
            The positions of the item, the rater and the category of each rating.
        cluster
            The clusters of dependent items.

        Examples
        --------
        >>> import numpy as np
        >>> from howsure import Ratings
        >>> item, rater, code = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1, 1, 0])
        >>> Ratings.of_entries(["no", "yes"], ("ann", "bob"), ["first", "second"], item, rater, code).rated_by.tolist()
        [2, 1]
        """
        base = len(labels) + 1
        if base ** len(raters) <= MAX_KEYS:
            powers = float(base) ** np.arange(len(raters))
            key = np.bincount(item, (code + 1) * powers[rater], minlength=len(items)).astype(np.int64)
            return cls._of_keys(labels, raters, items, key, cluster)
        order = np.lexsort((rater, item))  # with too many raters to number the profiles, each item has its own profile
        of_item = np.arange(len(items))
        return cls(tuple(labels), raters, items, of_item, item[order], rater[order], code[order], cluster)

    @classmethod
    def _of_keys(
        cls, labels: Sequence[Any], raters: tuple[Any, ...], items: Sequence[Any], key: IntArray, cluster: Key | None
    ) -> Ratings:
        """Build from numbers whose digits are the categories of the raters."""
        base = len(labels) + 1
        distinct, of_item = np.unique(key, return_inverse=True)
        digits = distinct[:, None] // base ** np.arange(len(raters), dtype=np.int64) % base
        profile, rater = np.nonzero(digits)
        return cls(tuple(labels), raters, items, of_item, profile, rater, digits[profile, rater] - 1, cluster)

    @property
    def k(self) -> int:
        """Number of categories."""
        return len(self.labels)

    @cached_property
    def profiles(self) -> int:
        return int(self.of_item.max(initial=-1)) + 1

    @cached_property
    def multiplicity(self) -> Array:
        """Number of items of each profile."""
        return np.bincount(self.of_item, minlength=self.profiles)

    @cached_property
    def size(self) -> Array:
        """Number of ratings of an item of each profile."""
        return np.bincount(self.profile, minlength=self.profiles)

    @property
    def n(self) -> int:
        """Number of items with a rating."""
        return int(self.multiplicity[self.size > 0].sum())

    @property
    def ratings(self) -> int:
        """Number of ratings."""
        return int((self.multiplicity * self.size).sum())

    @cached_property
    def counts(self) -> Array:
        """Number of ratings of each profile in each category."""
        self._check(self.k, "different values; round them")
        cells = np.bincount(self.profile * self.k + self.code, minlength=self.profiles * self.k)
        return cells.reshape(self.profiles, self.k).astype(float)

    @cached_property
    def grid(self) -> IntArray:
        """The category that each rater (columns) chose in each profile (rows)."""
        self._check(len(self.raters), "raters")
        grid = np.full((self.profiles, len(self.raters)), MISSING, np.int32)
        grid[self.profile, self.rater] = self.code
        return grid

    def _check(self, columns: int, of: str) -> None:
        if self.profiles * columns > MAX_CELLS:
            raise HowsureError(f"there are {self.profiles} different profiles of ratings and {columns} {of}.")

    @cached_property
    def rated_by(self) -> IntArray:
        """Number of items that each rater rated."""
        return np.bincount(self.rater, self.multiplicity[self.profile], len(self.raters)).astype(np.int64)

    @property
    def clusters(self) -> Clusters | None:
        """Clusters of the items by profile; None if no cluster has two items."""
        if self.cluster is None:
            return None
        clusters = Clusters.of_rows(self.cluster.codes, self.cluster.values, self.of_item, self.profiles)
        return None if clusters.are_independent else clusters

    def entries(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the item, the rater and the category of every rating.

        Examples
        --------
        >>> import numpy as np
        >>> from howsure import Ratings
        >>> ratings = Ratings.of_columns(["no", "yes"], {"ann": np.array([0, 1]), "bob": np.array([1, -1])})
        >>> [part.tolist() for part in ratings.entries()]
        [[0, 0, 1], [0, 1, 0], [0, 1, 1]]
        """
        start = np.concatenate([[0], np.cumsum(self.size)])
        size = self.size[self.of_item]
        item = np.repeat(np.arange(len(self.items)), size)
        first = np.repeat(np.cumsum(size) - size, size)
        entry = start[self.of_item][item] + np.arange(len(item)) - first
        return item, self.rater[entry], self.code[entry]

    def __add__(self, other: Ratings) -> Ratings:
        """Combine two tables, joining the ratings of items with the same name."""
        if not isinstance(other, Ratings):
            return NotImplemented
        labels, raters = (
            tuple(dict.fromkeys((*getattr(self, name), *getattr(other, name)))) for name in ("labels", "raters")
        )
        # Items without names are numbered; equal numbers in two tables stand for different items.
        are_named = not isinstance(self.items, range) and not isinstance(other.items, range)
        items: Sequence[Any] = range(len(self.items) + len(other.items))
        positions = [np.arange(len(self.items)), len(self.items) + np.arange(len(other.items))]
        if are_named:
            items, positions = join_names([self.items, other.items])
        columns = []
        for table, position in zip((self, other), positions, strict=True):
            item, rater, code = table.entries()
            of_rater, of_label = (
                np.array([every.index(name) for name in own], np.int64)
                for every, own in ((raters, table.raters), (labels, table.labels))
            )
            columns.append((position[item], of_rater[rater], of_label[code]))
        item, rater, code = (np.concatenate(both) for both in zip(*columns, strict=True))
        check_once(item, rater, items, raters)
        cluster = add_keys([self.cluster, other.cluster])
        if cluster is not None:
            of_item = np.zeros(len(items), np.int64)
            of_item[np.concatenate(positions)] = cluster.codes
            cluster = Key(of_item, cluster.values)
        both = Ratings.of_entries(labels, raters, items, item, rater, code, cluster)
        return replace(both, anonymous=self.anonymous or other.anonymous)


def check_once(item: IntArray, rater: IntArray, items: Sequence[Any], raters: Sequence[Any]) -> None:
    """Reject an item with two ratings by the same rater."""
    pair = item.astype(np.int64) * len(raters) + rater
    order = np.argsort(pair, kind="stable")
    repeated = np.flatnonzero(pair[order][1:] == pair[order][:-1])
    if len(repeated):
        row = int(order[repeated[0] + 1])
        name, label = raters[int(rater[row])], items[int(item[row])]
        raise HowsureError(f"{name!r} rated the item {label!r} more than once; keep one rating by each rater.")
