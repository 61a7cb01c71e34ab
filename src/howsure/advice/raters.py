"""Findings about the agreement of raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.advice.declare import advice
from howsure.errors import counted, listing, one_line

if TYPE_CHECKING:
    from howsure.raters import Agreement

FEW = 30  # with fewer items rated at least twice, intervals are wide
HIGH_AGREEMENT, LOW_ALPHA = 0.8, 0.4  # agreement and alpha beyond these seem contradictory
MIN_EXCESS = 0.3  # smallest excess of AC1 over alpha


@advice("A021", "High agreement and low kappa")
def paradox(ratings: Agreement) -> str | None:
    """High agreement together with a low kappa or alpha.

    Nearly all ratings are in one category, so chance agreement is high, and kappa and alpha depend on the few other
    ratings (Feinstein and Cicchetti 1990). This is not the raters' fault: look at the agreement on the rare category
    (`per_category()`), and compare Gwet's AC1, which depends little on such a skew.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement([[0, 0]] * 94 + [[0, 1], [1, 0]] * 3)
    >>> for finding in g.findings:
    ...     print(finding)
    A021: raters agree on 94 %, but alpha is -0.03: 97 % of the ratings are 0, so the agreement expected by chance is
    as high; compare AC1, 0.94
    """
    percent, alpha, ac1 = (ratings[name].value for name in ("percent_agreement", "krippendorff_alpha", "gwet_ac1"))
    if not (percent >= HIGH_AGREEMENT and alpha < LOW_ALPHA and ac1 - alpha >= MIN_EXCESS):
        return None
    use = ratings.items.multiplicity @ ratings.items.counts
    first = int(use.argmax())
    share, label = use[first] / use.sum(), one_line(repr(ratings.labels[first]))
    return (
        f"raters agree on {100 * percent:.0f} %, but alpha is {alpha:.2f}: {100 * share:.0f} % of the ratings are "
        f"{label}, so the agreement expected by chance is as high; compare AC1, {ac1:.2f}"
    )


@advice("A022", "Few items")
def few_items(ratings: Agreement) -> str | None:
    """Fewer than thirty items rated at least twice.

    The items are the sample: more ratings of the same items make the estimated agreement on these items more precise,
    but not that on future items. If there are more raters than items, the table may be transposed: its rows must be the
    items.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement([[0, 0, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0]])
    >>> for finding in g.findings:
    ...     print(finding)
    A022: only 3 items were rated at least twice; expect wide intervals, and check that rows are items and
    columns are raters
    """
    n, raters = ratings.items.n_paired, len(ratings.raters)
    if n >= FEW:
        return None
    message = f"only {counted(n, 'item', 'was')} rated at least twice; expect wide intervals"
    if raters > max(n, 4):
        return f"{message}, and check that rows are items and columns are raters"
    return message


@advice("A023", "Constant rater")
def constant_rater(ratings: Agreement) -> str | None:
    """A rater who gave every item the same category, while others did not.

    Such ratings carry no information about the items. Their kappa with any other rater is 0 or undefined, and they
    lower the overall agreement; ask the rater, or leave these ratings out.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement({"anna": [0, 1, 0, 1, 0] * 6, "ben": [1] * 30})
    >>> for finding in g.findings:
    ...     print(finding)
    A023: 'ben' (1) gave every item the same rating; such ratings carry no information about the items
    """
    table = ratings.ratings
    if table.anonymous:
        return None
    use = np.zeros((len(table.raters), table.k))
    np.add.at(use, (table.rater, table.code), table.multiplicity[table.profile])
    same = [
        f"{one_line(repr(table.raters[index]))} ({one_line(repr(table.labels[int(row.argmax())]))})"
        for index, row in enumerate(use)
        if row.sum() >= 5 and (row > 0).sum() == 1
    ]
    if not same or (use.sum(0) > 0).sum() < 2:
        return None
    return f"{listing(same)} gave every item the same rating; such ratings carry no information about the items"


@advice("A024", "Unused category")
def unused_category(ratings: Agreement) -> str | None:
    """A category that no rater chose.

    Brennan-Prediger, AC1 and AC2 depend on the number of categories, whether used or not. Keep the category if raters
    could have chosen it; otherwise leave it out of `labels`.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement([["a", "a"], ["b", "c"], ["c", "c"]] * 10, labels=["a", "b", "c", "d"])
    >>> for finding in g.findings:
    ...     print(finding)
    A024: no rater chose 'd'; Brennan-Prediger and Gwet's coefficients count such categories too
    """
    use = ratings.items.multiplicity @ ratings.items.counts
    unused = [one_line(repr(label)) for label, count in zip(ratings.labels, use, strict=True) if not count]
    if not unused or ratings.level in ("interval", "ratio"):
        return None
    return f"no rater chose {listing(unused)}; Brennan-Prediger and Gwet's coefficients count such categories too"
