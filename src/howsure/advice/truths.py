"""Findings on the truth itself."""

from __future__ import annotations

from howsure.advice.declare import advice
from howsure.data.truths import Annotations
from howsure.present.value_text import number

MANY = 0.1  # of the cases, from which on disagreement bears on how an accuracy is read


@advice("A025", "Annotators who disagree")
def contested_truth(annotations: Annotations) -> str | None:
    """Annotators disagree on a tenth of the cases or more.

    Where annotators gave a case different labels, a classifier can agree with some of them only. The ceiling is the
    mean over cases of the largest share of a label: the accuracy of a classifier that always gives the most frequent
    one. Read an accuracy beside it, and not beside 1 (`a.ceiling`). With few annotators it is rather too high, since
    the label that happens to lead counts as if it always did. With shares of classes as truth it is the same.

    Examples
    --------
    >>> import howsure
    >>> ann, bob, eve = ["x", "y", "x", "y"] * 10, ["x", "y", "y", "y"] * 10, ["x", "x", "x", "y"] * 10
    >>> a = howsure.assess([ann, bob, eve], ["x", "y", "x", "y"] * 10)
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases are behind recall of 'x' (20), recall of 'y' (20), precision of 'x' (20) and 1
    more; mind the intervals
    A025: annotators disagree on 50 % of the cases: no classifier can agree with all of them; the most that can
    be reached is an accuracy of 0.833
    """
    if annotations.contested < MANY:
        return None
    share, most = f"{100 * annotations.contested:.0f} %", number(annotations.ceiling)
    if annotations.annotators is None:
        said = f"the truth of {share} of the cases is shared by several classes"
        return f"{said}: no classifier can be right in all; the most that can be reached is an accuracy of {most}"
    said = f"annotators disagree on {share} of the cases"
    return f"{said}: no classifier can agree with all of them; the most that can be reached is an accuracy of {most}"
