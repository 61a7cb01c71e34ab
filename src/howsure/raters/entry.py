"""`agreement`: the agreement of raters, from ratings in any form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.checks import known_arguments, one_of
from howsure.data.labels import label_list
from howsure.data.predictions import Key
from howsure.data.read.outcomes import check_nested
from howsure.data.read.ratings import RatingColumns, gather_ratings
from howsure.errors import HowsureError, must
from howsure.raters.disagreement import LEVELS, NOMINAL, NUMERIC, disagreement, values_of
from howsure.raters.result import Agreement
from howsure.tables.ratings import MAX_CELLS, Ratings, check_once


@known_arguments()
def agreement(
    ratings: Any = None,
    *,
    item: Any = None,
    rater: Any = None,
    data: Any = None,
    counts: Any = None,
    level: str = NOMINAL,
    weights: Any = None,
    labels: Sequence[Any] | None = None,
    cluster: Any = None,
    format: str | None = None,  # noqa: A002
) -> Agreement:
    """Compute the agreement of two or more raters on the same items.

    The coefficients have confidence intervals that treat the items as the sample.

    Parameters
    ----------
    ratings
        A row for each item and a column for each rater: an array, a list of rows, a data frame, or a mapping of
        columns. With ``data``, the names of the raters' columns (default: all). None and NaN are missing ratings. With
        ``rater``, one column of all ratings. Or a `Ratings` table.
    item
        Name of the item of each row. Required with ``rater``.
    rater
        Rater of each row, for data with a row for each rating.
    data
        A path or a glob of files, any data frame, or a mapping of columns. Columns called "item", "rater" and "rating"
        need not be named.
    counts
        Instead of ratings, the number of raters who chose each category (columns) for each item (rows).
    level
        Level of measurement. "nominal": categories are equal or different. "ordinal": they have an order, that of
        ``labels``. "interval" and "ratio": they are numbers.
    weights
        Weights of disagreement instead of those of the level: "linear", "quadratic", "ordinal", "ratio", or a matrix
        with 0 on its diagonal.
    labels
        All categories, in their order. Default: those that occur, sorted.
    cluster
        Cluster of each item, such as the document that an answer belongs to.
    format
        Format of ``data``, if the file name does not show it.

    Returns
    -------
    Agreement
        The coefficients, and the agreement by rater, category and item.

    Examples
    --------
    >>> import howsure
    >>> ratings = [["yes", "yes", "no"], ["no", "no", "no"], ["yes", "yes", None], ["no", "yes", "no"]] * 10
    >>> g = howsure.agreement(ratings)
    >>> print(g["krippendorff_alpha"])
    krippendorff_alpha: 0.273, 95 % interval [0.059, 0.468] (mover), n = 40
    >>> round(g["percent_agreement"], 3)
    0.667
    """
    one_of("level", level, LEVELS)
    if isinstance(ratings, Ratings):
        if any(argument is not None for argument in (item, rater, data, counts, labels, cluster, format)):
            raise HowsureError("`Ratings` are already counted: pass them alone, or with `level` and `weights`.")
        return _agreement(ratings, level, weights)
    if counts is not None:
        if any(argument is not None for argument in (ratings, item, rater, data, format)):
            raise HowsureError(
                "`counts` have no raters: pass them alone, or with `labels`, `level`, `weights` and `cluster`."
            )
        return _agreement(_from_counts(counts, labels, cluster, level), level, weights)
    if ratings is None and data is None:
        raise HowsureError("`ratings` must be given: a row for each item and a column for each rater.")
    keys = {"item": item, "rater": rater, "cluster": cluster}
    read = gather_ratings(ratings, keys, data, labels, numeric=level in NUMERIC, file_format=format)
    if level == "ordinal" and labels is None and any(isinstance(label, str) for label in read.labels):
        names = ", ".join(map(repr, read.labels[:3]))
        raise HowsureError(
            f"`labels` must list the categories in their order at the ordinal level, because {names} are text."
        )
    return _agreement(_counted(read), level, weights, read.library)


def _agreement(ratings: Ratings, level: str, weights: Any, library: str | None = None) -> Agreement:
    if ratings.k * ratings.k > MAX_CELLS // 10:
        raise HowsureError(f"there are {ratings.k} different ratings, too many to compare all pairs; round them.")
    if len(ratings.raters) < 2:
        raise HowsureError("`ratings` must have two or more raters.")
    if level == "ratio" and any(label < 0 for label in ratings.labels if isinstance(label, int | float)):
        raise HowsureError("`ratings` must not be negative at the ratio level.")
    matrix = disagreement(weights, level, values_of(level, ratings.labels))
    own = None if weights is None else weights if isinstance(weights, str) else "matrix"
    return Agreement(ratings, level, matrix, own, library)


def _counted(read: RatingColumns) -> Ratings:
    """Count the ratings of all raters."""
    cluster = read.keys.get("cluster")
    item = read.keys.get("item")
    rater = read.keys.get("rater")
    if rater is None:
        names = None if item is None else tuple(item.values[code] for code in item.codes.tolist())
        if names is not None and item is not None and len(item.values) < len(names):
            repeated = item.values[int(np.argmax(np.bincount(item.codes) > 1))]
            raise HowsureError(
                f"`item` must name each row once, but {repeated!r} has several rows; pass `rater` for data with a row "
                "for each rating."
            )
        return Ratings.of_columns(read.labels, read.columns, names, cluster)
    assert item is not None
    (codes,) = read.columns.values()
    check_nested(item, cluster)
    is_rated = codes >= 0
    check_once(item.codes[is_rated], rater.codes[is_rated], item.values, rater.values)
    return Ratings.of_entries(
        read.labels, rater.values, item.values, item.codes[is_rated], rater.codes[is_rated], codes[is_rated],
        None if cluster is None else _of_items(item, cluster),
    )  # fmt: skip


def _of_items(item: Key, cluster: Key) -> Key:
    codes: IntArray = np.zeros(len(item.values), np.int64)
    codes[item.codes] = cluster.codes
    return Key(codes, cluster.values)


def _from_counts(counts: Any, labels: Sequence[Any] | None, cluster: Any, level: str) -> Ratings:
    from howsure.data.encode import encode
    from howsure.data.predictions import check_lengths, check_present, key_of

    if labels is None and hasattr(counts, "columns") and hasattr(counts, "to_numpy"):
        labels = list(counts.columns)
    expected = "a table of whole numbers with a row for each item and a column for each category"
    try:
        table: Array = np.asarray(counts)
    except ValueError:
        must("counts", expected, given=counts)
    if table.ndim != 2 or not table.size or table.dtype.kind not in "biuf":
        must("counts", expected, given=counts)
    if not ((table >= 0) & (table < MAX_CELLS) & (table == np.floor(table))).all():
        must("counts", expected, given=counts)
    whole = table.astype(np.int64)
    if whole.sum() > MAX_CELLS:
        raise HowsureError(f"`counts` must add up to at most {MAX_CELLS} ratings.")
    names = list(range(1, table.shape[1] + 1)) if labels is None else label_list(labels)
    if len(names) != table.shape[1] or len(set(names)) != len(names):
        raise HowsureError(f"`labels` must be {table.shape[1]} different names, one for each column of `counts`.")
    if level in NUMERIC and any(not isinstance(name, int | float) for name in names):
        raise HowsureError(f"`labels` must be numbers at the {level} level, not {names[0]!r}.")
    key = None
    if cluster is not None:
        column = encode(cluster, "cluster")
        check_lengths({"counts": len(table), "cluster": len(column.codes)}, {"counts": "counts", "cluster": "cluster"})
        check_present(column, "cluster")
        key = key_of(column)
    return Ratings.of_counts(names, whole, key)
