"""Findings on the agreement of raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.advice.declare import advice
from howsure.errors import counted, listing, one_line

if TYPE_CHECKING:
    from howsure.raters import Agreement

FEW = 30  # items rated twice, below which intervals are wide
HIGH, LOW, APART = 0.8, 0.4, 0.3  # agreement and kappa that seem to contradict each other, and AC1 less kappa


@advice("A021", "High agreement and low kappa")
def paradox(ratings: Agreement) -> str | None:
    """Raters agree on most items, and yet kappa or alpha is low.

    Nearly all ratings are of one category, so that chance alone would agree on most items, and kappa and alpha rest
    on the few others (Feinstein and Cicchetti 1990). That is no fault of the raters: look at the agreement about the
    rare category (`per_category()`), and compare Gwet's AC1, which such a skew hardly moves.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement([[0, 0]] * 94 + [[0, 1], [1, 0]] * 3)
    >>> for finding in g.findings:
    ...     print(finding)
    A021: ratings agree in 94 %, and alpha is -0.03: 97 % of the ratings are 0, so that chance alone agrees that
    often; compare AC1, 0.94
    """
    percent, alpha, ac1 = (ratings[name].value for name in ("percent_agreement", "krippendorff_alpha", "gwet_ac1"))
    if not (percent >= HIGH and alpha < LOW and ac1 - alpha >= APART):
        return None
    use = ratings.items.multiplicity @ ratings.items.counts
    first = int(use.argmax())
    share, label = use[first] / use.sum(), one_line(repr(ratings.labels[first]))
    return (
        f"ratings agree in {100 * percent:.0f} %, and alpha is {alpha:.2f}: {100 * share:.0f} % of the ratings are "
        f"{label}, so that chance alone agrees that often; compare AC1, {ac1:.2f}"
    )


@advice("A022", "Few items")
def few_items(ratings: Agreement) -> str | None:
    """Fewer than thirty items were rated twice.

    Items are the sample: more ratings of the same items make their own agreement surer, and not that of the items to
    come. If there are more raters than items, the table may stand on its side: its rows must be the items.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement([[0, 0, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0]])
    >>> for finding in g.findings:
    ...     print(finding)
    A022: only 3 items were rated twice or more; mind the intervals, and that rows are items and columns raters
    """
    n, raters = ratings.items.n_paired, len(ratings.raters)
    if n >= FEW:
        return None
    message = f"only {counted(n, 'item')} {'was' if n == 1 else 'were'} rated twice or more; mind the intervals"
    return f"{message}, and that rows are items and columns raters" if raters > max(n, 4) else message


@advice("A023", "A rater who always says the same")
def constant_rater(ratings: Agreement) -> str | None:
    """A rater gave every item the same category, where others did not.

    Such ratings tell nothing of the items. Their kappa with any other rater is 0 or has no value, and they
    lower the agreement of all; leave the rater out, or ask.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement({"anna": [0, 1, 0, 1, 0] * 6, "ben": [1] * 30})
    >>> for finding in g.findings:
    ...     print(finding)
    A023: 'ben' (1) said the same of every item; such ratings tell nothing of the items
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
    return f"{listing(same)} said the same of every item; such ratings tell nothing of the items"


@advice("A024", "A category nobody uses")
def unused_category(ratings: Agreement) -> str | None:
    """A category that no rater chose.

    Coefficients that count categories (Brennan-Prediger, AC1 and AC2) depend on how many there are, whether used or
    not. Keep it if raters could have chosen it, and leave it out of `labels` if not.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement([["a", "a"], ["b", "c"], ["c", "c"]] * 10, labels=["a", "b", "c", "d"])
    >>> for finding in g.findings:
    ...     print(finding)
    A024: nobody chose 'd'; Brennan-Prediger and Gwet's coefficients count such categories too
    """
    use = ratings.items.multiplicity @ ratings.items.counts
    unused = [one_line(repr(label)) for label, count in zip(ratings.labels, use, strict=True) if not count]
    if not unused or ratings.level in ("interval", "ratio"):
        return None
    return f"nobody chose {listing(unused)}; Brennan-Prediger and Gwet's coefficients count such categories too"
