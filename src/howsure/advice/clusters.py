"""Findings on cases that come in clusters."""

from __future__ import annotations

import numpy as np

from howsure.advice.declare import advice
from howsure.errors import listing, one_line
from howsure.tables import Clusters, Confusion

FEW = 10  # clusters below which no interval was measured
LARGEST = 1 / 3  # share of the cases from which on one cluster decides


@advice("A017", "Few clusters")
def few_clusters(clusters: Clusters) -> str | None:
    """Fewer than ten clusters.

    How far clusters differ is then a guess: intervals are wide by caution, and how often they hold the truth was
    measured from ten clusters on.

    Examples
    --------
    >>> import howsure
    >>> truth = ["yes", "no"] * 30
    >>> patient = [i // 10 for i in range(60)]
    >>> a = howsure.assess(truth, truth, cluster=patient)
    >>> for finding in a.findings:
    ...     print(finding)
    A017: there are only 6 clusters; how far clusters differ is hardly known
    """
    if clusters.are_single or len(clusters) >= FEW:
        return None
    only = "is only one cluster" if len(clusters) == 1 else f"are only {len(clusters)} clusters"
    return f"there {only}; how far clusters differ is hardly known"


@advice("A018", "One cluster with many of the cases")
def large_cluster(clusters: Clusters) -> str | None:
    """A cluster that holds a third of the cases or more.

    One cluster holds a third of the cases or more, so that its peculiarities are those of the result. Look at it by
    itself (`by=`), and see what is left without it.

    Examples
    --------
    >>> import howsure
    >>> truth = ["yes", "no"] * 30
    >>> patient = [0] * 30 + [1 + i // 3 for i in range(30)]
    >>> a = howsure.assess(truth, truth, cluster=patient)
    >>> for finding in a.findings:
    ...     print(finding)
    A018: the cluster 0 holds 50 % of the cases; the result is mostly its own
    """
    if clusters.are_single:
        return None
    largest = int(clusters.sizes.argmax())
    share = float(clusters.sizes[largest] / clusters.sizes.sum())
    if share < LARGEST:
        return None
    name = one_line(repr(clusters.names[largest]))
    return f"the cluster {name} holds {100 * share:.0f} % of the cases; the result is mostly its own"


@advice("A020", "Few clusters of a class")
def few_of_a_class(table: Confusion, clusters: Clusters) -> str | None:
    """A class of which fewer than ten clusters have cases.

    There are ten clusters or more, but fewer have cases of a class. How far clusters differ in its recall is then a
    guess, as it is of all measures where there are fewer than ten clusters.

    Examples
    --------
    >>> import howsure
    >>> truth = ["no", "yes"] * 10 + ["no"] * 40
    >>> patient = [i // 5 for i in range(60)]
    >>> a = howsure.assess(truth, truth, cluster=patient)
    >>> for finding in a.findings:
    ...     print(finding)
    A003: 83.3% of the cases are of class 'no'; always predicting it would be as accurate as that, so accuracy
    says little
    A004: fewer than 30 cases are behind recall of 'yes' (10), precision of 'yes' (10); mind the intervals
    A020: fewer than 10 clusters have cases of 'yes' (4); mind the rates of such classes
    """
    if clusters.are_single or len(clusters) < FEW:
        return None
    rows = np.repeat(np.eye(table.k), table.k, axis=1)
    seen = {label: int((clusters.sums(row) > 0).sum()) for label, row in zip(table.labels, rows, strict=True)}
    few = [f"{label!r} ({n})" for label, n in seen.items() if 0 < n < FEW]
    return f"fewer than {FEW} clusters have cases of {listing(few)}; mind the rates of such classes" if few else None


@advice("A019", "Cases that may belong together")
def repeated_identifier(repeated: tuple[str, ...]) -> str | None:
    """A column that looks like an identifier has values that repeat, and no cluster was named.

    The data has a column, not used here, whose name is that of an identifier (`patient_id`, `topic`, `doc`), and the
    same value stands in several rows. If the cases of one patient or topic are more alike than others, they are not
    independent, and intervals are too narrow: name the column by `cluster=`. If not, there is nothing to do.

    Examples
    --------
    >>> import pandas as pd
    >>> import howsure
    >>> cases = pd.DataFrame({"y": [0, 1] * 20, "p": [0, 1, 1, 1] * 10, "patient_id": [i // 4 for i in range(40)]})
    >>> a = howsure.assess("y", "p", data=cases)
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases are behind recall of 0 (20), recall of 1 (20), precision of 0 (10); mind the
    intervals
    A019: 'patient_id' repeats in the data: if such cases belong together, intervals are too narrow; name it by
    `cluster`
    """
    if not repeated:
        return None
    names = listing([repr(name) for name in repeated])
    verb = "repeat" if len(repeated) > 1 else "repeats"
    return f"{names} {verb} in the data: if such cases belong together, intervals are too narrow; name it by `cluster`"
