"""Findings about the true labels."""

from __future__ import annotations

from howsure.advice.declare import advice
from howsure.data.truths import Annotations
from howsure.present.value_text import number

MANY = 0.1  # disagreement on at least this proportion of cases limits the accuracy noticeably


@advice("A025", "Annotators who disagree")
def contested_truth(annotations: Annotations) -> str | None:
    """Annotators disagree on a tenth of the cases or more.

    If annotators gave a case different labels, a classifier can agree with only some of them. The ceiling is the mean
    over cases of the proportion of the most frequent label: the accuracy of a classifier that always predicts this
    label. Compare an accuracy with the ceiling (`a.ceiling`) rather than with 1. With few annotators, the ceiling is
    too high, since their most frequent label is partly due to chance. The same applies to class probabilities as truth.

    Examples
    --------
    >>> import howsure
    >>> ann, bob, eve = ["x", "y", "x", "y"] * 10, ["x", "y", "y", "y"] * 10, ["x", "x", "x", "y"] * 10
    >>> a = howsure.assess([ann, bob, eve], ["x", "y", "x", "y"] * 10)
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases support recall of 'x' (20), recall of 'y' (20), precision of 'x' (20) and 1 more;
    expect wide intervals
    A025: annotators disagree on 50 % of the cases, so no classifier can agree with all of them; the highest
    possible accuracy is 0.833
    """
    if annotations.contested < MANY:
        return None
    cases, ceiling = f"{100 * annotations.contested:.0f} % of the cases", number(annotations.ceiling)
    if annotations.annotators is None:
        message = f"{cases} have several true classes, so no classifier can be right on all of them"
    else:
        message = f"annotators disagree on {cases}, so no classifier can agree with all of them"
    return f"{message}; the highest possible accuracy is {ceiling}"
