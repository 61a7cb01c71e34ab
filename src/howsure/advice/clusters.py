"""Findings about cases that come in clusters."""

from __future__ import annotations

import numpy as np

from howsure.advice.declare import advice
from howsure.errors import inflect, listing, one_line
from howsure.tables import Clusters, Confusion

FEW = 10  # the coverage of intervals was not simulated for fewer clusters
LARGEST = 1 / 3  # a cluster with at least this proportion of the cases dominates the result


@advice("A017", "Few clusters")
def few_clusters(clusters: Clusters) -> str | None:
    """Fewer than ten clusters.

    With so few clusters, the variation between clusters is poorly estimated. Intervals are wide to be on the safe side;
    their coverage was simulated with ten clusters or more.

    Examples
    --------
    >>> import howsure
    >>> truth = ["yes", "no"] * 30
    >>> patient = [i // 10 for i in range(60)]
    >>> a = howsure.assess(truth, truth, cluster=patient)
    >>> for finding in a.findings:
    ...     print(finding)
    A017: there are only 6 clusters, so the variation between clusters is poorly estimated
    """
    if clusters.are_independent or len(clusters) >= FEW:
        return None
    only = "is only one cluster" if len(clusters) == 1 else f"are only {len(clusters)} clusters"
    return f"there {only}, so the variation between clusters is poorly estimated"


@advice("A018", "One cluster with many of the cases")
def large_cluster(clusters: Clusters) -> str | None:
    """A cluster that contains a third of the cases or more.

    One cluster contains a third of the cases or more, so its peculiarities dominate the result. Assess it separately
    (`by=`), and assess the other cases without it.

    Examples
    --------
    >>> import howsure
    >>> truth = ["yes", "no"] * 30
    >>> patient = [0] * 30 + [1 + i // 3 for i in range(30)]
    >>> a = howsure.assess(truth, truth, cluster=patient)
    >>> for finding in a.findings:
    ...     print(finding)
    A018: cluster 0 holds 50 % of the cases and dominates the result
    """
    if clusters.are_independent:
        return None
    largest = int(clusters.sizes.argmax())
    share = float(clusters.sizes[largest] / clusters.sizes.sum())
    if share < LARGEST:
        return None
    name = one_line(repr(clusters.names[largest]))
    return f"cluster {name} holds {100 * share:.0f} % of the cases and dominates the result"


@advice("A020", "Class with few clusters")
def few_of_a_class(table: Confusion, clusters: Clusters) -> str | None:
    """A class with cases in fewer than ten clusters.

    There are ten clusters or more, but a class has cases in fewer than ten of them. The variation of its recall between
    clusters is then poorly estimated.

    Examples
    --------
    >>> import howsure
    >>> truth = ["no", "yes"] * 10 + ["no"] * 40
    >>> patient = [i // 5 for i in range(60)]
    >>> a = howsure.assess(truth, truth, cluster=patient)
    >>> for finding in a.findings:
    ...     print(finding)
    A003: 83.3 % of the cases are of class 'no'; always predicting it would reach this accuracy, so accuracy
    alone says little
    A004: fewer than 30 cases support recall of 'yes' (10), precision of 'yes' (10); expect wide intervals
    A020: fewer than 10 clusters have cases of 'yes' (4); rates of such classes are poorly estimated
    """
    if clusters.are_independent or len(clusters) < FEW:
        return None
    rows = np.repeat(np.eye(table.k), table.k, axis=1)
    counts = {label: int((clusters.sums(row) > 0).sum()) for label, row in zip(table.labels, rows, strict=True)}
    few = listing([f"{label!r} ({n})" for label, n in counts.items() if 0 < n < FEW])
    return f"fewer than {FEW} clusters have cases of {few}; rates of such classes are poorly estimated" if few else None


@advice("A019", "Cases that may belong together")
def repeated_identifier(repeated: tuple[str, ...]) -> str | None:
    """An unused column that looks like an identifier and has repeated values.

    The data have an unused column whose name suggests an identifier (`patient_id`, `topic`, `doc`), and several rows
    have the same value. If cases of the same patient or topic are more similar than others, they are not independent,
    and intervals are too narrow: name the column with `cluster=`. If not, there is nothing to do.

    Examples
    --------
    >>> import pandas as pd
    >>> import howsure
    >>> cases = pd.DataFrame({"y": [0, 1] * 20, "p": [0, 1, 1, 1] * 10, "patient_id": [i // 4 for i in range(40)]})
    >>> a = howsure.assess("y", "p", data=cases)
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases support recall of 0 (20), recall of 1 (20), precision of 0 (10); expect wide
    intervals
    A019: 'patient_id' has repeated values: if such cases belong together, intervals are too narrow; name the
    column with `cluster=`
    """
    if not repeated:
        return None
    names = listing([repr(name) for name in repeated])
    return (
        f"{names} {inflect('has', len(repeated))} repeated values: if such cases belong together, intervals are too "
        "narrow; name the column with `cluster=`"
    )
