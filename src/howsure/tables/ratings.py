"""Ratings: which rater put which item into which category.

Items that the same raters put into the same categories are alike in everything that agreement depends on. So they are
counted: a profile says which rater chose what, and how many items have it. A million items of five raters and five
categories have at most 7,776 profiles. All coefficients, and their replicates, are sums over profiles.
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
from howsure.tables.clusters import Clusters

MOST_KEYS = 2.0**53  # profiles are numbered by real numbers, which are exact up to here
MOST_CELLS = 50_000_000  # profiles times categories or raters


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of items by raters, of which any may be missing; mergeable with ``+``.

    `howsure.agreement` makes it of columns, and takes it. Items that were rated alike share a profile.

    Attributes
    ----------
    labels
        The categories in their order.
    raters, items
        Their names.
    of_item
        The profile of each item.
    profile, rater, code
        An entry for each rating of a profile: the profile, the rater and the category, as positions.
    cluster
        Which items belong together.
    anonymous
        Whether it is known only how often an item was put into each category, and not by whom.
    profiles
        How many different profiles there are.

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
    anonymous: bool = False  # it is known how often an item was put into each category, and not by whom

    @classmethod
    def of_counts(cls, labels: Sequence[Any], counts: Array, cluster: Key | None = None) -> Ratings:
        """Take how often each item (rows) was put into each category (columns), by whomever.

        Parameters
        ----------
        labels
            The categories.
        counts
            A row for each item and a column for each category.
        cluster
            Which items belong together.
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
        """Count columns of codes, one for each rater; a negative code is a missing rating.

        Parameters
        ----------
        labels
            The categories.
        columns
            The positions of the categories that each rater chose, by the name of the rater.
        items
            The names of the items; default: their numbers.
        cluster
            Which items belong together.

        Examples
        --------
        >>> import numpy as np
        >>> from howsure import Ratings
        >>> Ratings.of_columns(["no", "yes"], {"ann": np.array([0, 1, 1]), "bob": np.array([0, 1, -1])}).ratings
        5
        """
        base, n = len(labels) + 1, len(next(iter(columns.values())))
        names = range(n) if items is None else items
        if base ** len(columns) <= MOST_KEYS:
            key = np.zeros(n, np.int64)
            for place, codes in enumerate(columns.values()):
                key += (codes.astype(np.int64) + 1) * base**place
            return cls._of_keys(labels, tuple(columns), names, key, cluster)
        rated = [codes >= 0 for codes in columns.values()]
        item = np.concatenate([np.flatnonzero(here) for here in rated])
        rater = np.repeat(np.arange(len(columns)), [int(here.sum()) for here in rated])
        code = np.concatenate([codes[here] for codes, here in zip(columns.values(), rated, strict=True)])
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
        """Count ratings, each an item, a rater and a category; nobody rates an item twice.

        Parameters
        ----------
        labels, raters, items
            The categories, the raters and the items, by name.
        item, rater, code
            The positions of the item, of the rater and of the category of each rating.
        cluster
            Which items belong together.

        Examples
        --------
        >>> import numpy as np
        >>> from howsure import Ratings
        >>> item, rater, code = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1, 1, 0])
        >>> Ratings.of_entries(["no", "yes"], ("ann", "bob"), ["first", "second"], item, rater, code).rated_by.tolist()
        [2, 1]
        """
        base = len(labels) + 1
        if base ** len(raters) <= MOST_KEYS:
            powers = float(base) ** np.arange(len(raters))
            key = np.bincount(item, (code + 1) * powers[rater], minlength=len(items)).astype(np.int64)
            return cls._of_keys(labels, raters, items, key, cluster)
        order = np.lexsort((rater, item))  # too many raters for a number to tell profiles: each item has its own
        of_item = np.arange(len(items))
        return cls(tuple(labels), raters, items, of_item, item[order], rater[order], code[order], cluster)

    @classmethod
    def _of_keys(
        cls, labels: Sequence[Any], raters: tuple[Any, ...], items: Sequence[Any], key: IntArray, cluster: Key | None
    ) -> Ratings:
        """Number the profiles, each of which is a number whose digits are the categories that the raters chose."""
        base = len(labels) + 1
        distinct, of_item = np.unique(key, return_inverse=True)
        digits = distinct[:, None] // base ** np.arange(len(raters), dtype=np.int64) % base
        profile, rater = np.nonzero(digits)
        return cls(tuple(labels), raters, items, of_item, profile, rater, digits[profile, rater] - 1, cluster)

    @property
    def k(self) -> int:
        """The number of categories."""
        return len(self.labels)

    @cached_property
    def profiles(self) -> int:
        return int(self.of_item.max(initial=-1)) + 1

    @cached_property
    def multiplicity(self) -> Array:
        """How many items have each profile."""
        return np.bincount(self.of_item, minlength=self.profiles)

    @cached_property
    def size(self) -> Array:
        """How many ratings an item of each profile has."""
        return np.bincount(self.profile, minlength=self.profiles)

    @property
    def n(self) -> int:
        """The number of items that were rated."""
        return int(self.multiplicity[self.size > 0].sum())

    @property
    def ratings(self) -> int:
        """The number of ratings."""
        return int((self.multiplicity * self.size).sum())

    @cached_property
    def counts(self) -> Array:
        """How often each profile has each category."""
        self._check(self.k, "different values; round them")
        cells = np.bincount(self.profile * self.k + self.code, minlength=self.profiles * self.k)
        return cells.reshape(self.profiles, self.k).astype(float)

    @cached_property
    def grid(self) -> IntArray:
        """The category that each rater chose in each profile, a column for each rater."""
        self._check(len(self.raters), "raters")
        grid = np.full((self.profiles, len(self.raters)), MISSING, np.int32)
        grid[self.profile, self.rater] = self.code
        return grid

    def _check(self, columns: int, of: str) -> None:
        if self.profiles * columns > MOST_CELLS:
            raise HowsureError(f"there are {self.profiles} items rated in different ways and {columns} {of}.")

    @cached_property
    def rated_by(self) -> IntArray:
        """How many items each rater rated."""
        return np.bincount(self.rater, self.multiplicity[self.profile], len(self.raters)).astype(np.int64)

    @property
    def clusters(self) -> Clusters | None:
        """The clusters of the items, each of which is of a profile; None where no two belong together."""
        if self.cluster is None:
            return None
        clusters = Clusters.of_rows(self.cluster.codes, self.cluster.values, self.of_item, self.profiles)
        return None if clusters.are_single else clusters

    def entries(self) -> tuple[IntArray, IntArray, IntArray]:
        """Give the item, the rater and the category of every single rating.

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
        """Put the items of two below one another; the ratings of an item that both have by name are joined."""
        if not isinstance(other, Ratings):
            return NotImplemented
        labels, raters = (
            tuple(dict.fromkeys((*getattr(self, name), *getattr(other, name)))) for name in ("labels", "raters")
        )
        # Items that have no names are numbered, and those of another table are other items.
        named = not isinstance(self.items, range) and not isinstance(other.items, range)
        items: Sequence[Any] = range(len(self.items) + len(other.items))
        places = [np.arange(len(self.items)), len(self.items) + np.arange(len(other.items))]
        if named:
            items = tuple(dict.fromkeys((*self.items, *other.items)))
            of_name = {name: index for index, name in enumerate(items)}
            places = [np.array([of_name[name] for name in one.items], np.int64) for one in (self, other)]
        columns = []
        for one, place in zip((self, other), places, strict=True):
            item, rater, code = one.entries()
            of_rater, of_label = (
                np.array([every.index(name) for name in own], np.int64)
                for every, own in ((raters, one.raters), (labels, one.labels))
            )
            columns.append((place[item], of_rater[rater], of_label[code]))
        item, rater, code = (np.concatenate(both) for both in zip(*columns, strict=True))
        check_once(item, rater, items, raters)
        cluster = add_keys([self.cluster, other.cluster])
        if cluster is not None:
            of_item = np.zeros(len(items), np.int64)
            of_item[np.concatenate(places)] = cluster.codes
            cluster = Key(of_item, cluster.values)
        both = Ratings.of_entries(labels, raters, items, item, rater, code, cluster)
        return replace(both, anonymous=self.anonymous or other.anonymous)


def check_once(item: IntArray, rater: IntArray, items: Sequence[Any], raters: Sequence[Any]) -> None:
    """Refuse an item that was rated twice by the same rater."""
    pair = item.astype(np.int64) * len(raters) + rater
    order = np.argsort(pair, kind="stable")
    again = np.flatnonzero(pair[order][1:] == pair[order][:-1])
    if len(again):
        row = int(order[again[0] + 1])
        who, what = raters[int(rater[row])], items[int(item[row])]
        raise HowsureError(f"{who!r} rated the item {what!r} more than once; keep one rating of each rater.")
