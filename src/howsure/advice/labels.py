"""Findings on a confusion table."""

from __future__ import annotations

from howsure.advice.declare import advice
from howsure.arrays import Array
from howsure.errors import agree, listing
from howsure.tables import Confusion

FEW = 30  # below this many cases a rate is little more than an anecdote
SKEW = 0.8  # share of the largest class from which accuracy is mostly decided by it


def _listing(table: Confusion, chosen: Array) -> str:
    return listing([repr(label) for label, is_chosen in zip(table.labels, chosen, strict=True) if is_chosen])


@advice("A001", "Classes without cases")
def no_support(table: Confusion) -> str | None:
    """A class that neither occurs nor is predicted.

    A class was named (by `labels=`, or as a category of a data frame) that neither occurs nor is predicted. Macro and
    weighted averages leave it out and say so. Check whether the sample should contain it. Data of nothing but 0, or of
    nothing but 1, are taken for those of two classes, as are booleans of one kind.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[50, 5, 0], [5, 50, 0], [0, 0, 0]], labels=["a", "b", "c"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A001: no case belongs to 'c' and none was predicted so; averages leave such classes out
    """
    names = _listing(table, (table.sums.truth == 0) & (table.sums.predicted == 0))
    if not names:
        return None
    told = f"no case belongs to {names} and none was predicted so"
    if set(table.labels) == {0, 1}:
        return f"{told}; {table.labels[0]!r} and {table.labels[1]!r} are taken for two classes"
    return f"{told}; averages leave such classes out"


@advice("A002", "Classes never predicted")
def never_predicted(table: Confusion) -> str | None:
    """A class that occurs but is never predicted.

    The class occurs, but the classifier never predicts it: its recall is 0 and its precision is undefined. scikit-learn
    counts that precision as 0, which lowers its macro average; Howsure leaves the class out of the average and says so.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[50, 0], [50, 0]], labels=["a", "b"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A002: the classifier never predicts 'b', so precision is undefined there
    """
    names = _listing(table, (table.sums.truth > 0) & (table.sums.predicted == 0))
    return f"the classifier never predicts {names}, so precision is undefined there" if names else None


@advice("A003", "Skewed classes")
def skew(table: Confusion) -> str | None:
    """One class has nearly all cases.

    At least 80 % of the cases are of one class. Always predicting that class would be as accurate, so look at recall,
    balanced accuracy, kappa or MCC, and at `improvement` over the majority baseline.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[998, 1], [1, 0]], labels=["a", "b"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A003: 99.9% of the cases are of class 'a'; always predicting it would be as accurate as that, so accuracy
    says little
    A004: fewer than 30 cases are behind recall of 'b' (1), precision of 'b' (1); mind the intervals
    A006: accuracy 0.998 is below the 0.999 of always predicting the most frequent class
    """
    share = float(table.sums.truth.max() / table.n)
    if share < SKEW:
        return None
    label = table.labels[int(table.sums.truth.argmax())]
    if share == 1:
        return f"all cases are of class {label!r}; always predicting it would be right, so accuracy says little"
    return (
        f"{share:.1%} of the cases are of class {label!r}; always predicting it would be as accurate as that, "
        "so accuracy says little"
    )


@advice("A004", "Few cases behind a rate")
def few_cases(table: Confusion) -> str | None:
    """A recall or a precision that rests on fewer than 30 cases.

    A recall or a precision rests on fewer than 30 cases. Its interval is wide; report it with the value.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[40, 10], [9, 20]], labels=["a", "b"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases are behind recall of 'b' (29); mind the intervals
    """
    if table.k > 100:
        return None  # with hundreds of classes most are rare, and the table shows n beside each rate
    worth = table.effective_n / float(table.n)  # real-valued weights: what the cases are worth
    behind = (("recall", table.sums.truth * worth), ("precision", table.sums.predicted * worth))
    names = [
        f"{rate} of {label!r} ({count:.3g})"
        for rate, counts in behind
        for label, count in zip(table.labels, counts.tolist(), strict=True)
        if 0 < count < FEW
    ]
    return f"fewer than {FEW} cases are behind {listing(names)}; mind the intervals" if names else None


@advice("A005", "Predictions that never occur in truth")
def never_true(table: Confusion) -> str | None:
    """A class that is predicted but has no case.

    A class is predicted that no case belongs to. Often a spelling ("Spam", "spam") or a truncated sample.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[40, 10, 2], [10, 40, 0], [0, 0, 0]], labels=["a", "b", "c"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases are behind precision of 'c' (2); mind the intervals
    A005: 'c' is predicted but never occurs in truth; check the spelling of labels
    """
    chosen = (table.sums.truth == 0) & (table.sums.predicted > 0)
    if not chosen.any():
        return None
    is_predicted, occurs = (agree(verb, chosen.sum()) for verb in ("is", "occurs"))
    return (
        f"{_listing(table, chosen)} {is_predicted} predicted but never {occurs} in truth; check the spelling of labels"
    )


@advice("A006", "Worse than the majority baseline")
def below_baseline(table: Confusion) -> str | None:
    """Accuracy below that of always predicting the most frequent class.

    Accuracy is below that of always predicting the most frequent class. With two classes and an accuracy below one
    half, inverting every prediction would be better: look for swapped labels. That is not said where all cases get one
    answer: there the threshold is at fault, or the classifier.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[10, 40], [45, 5]], labels=["a", "b"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A006: accuracy 0.150 is below the 0.500 of always predicting the most frequent class; inverting every
    prediction would be better (0.850)
    """
    accuracy, baseline = float(table.sums.hits.sum() / table.n), float(table.sums.truth.max() / table.n)
    if accuracy >= baseline:
        return None
    message = f"accuracy {accuracy:.3f} is below the {baseline:.3f} of always predicting the most frequent class"
    if table.k == 2 and accuracy < 0.5 and table.sums.predicted.all():  # one answer for all has nothing to invert
        return f"{message}; inverting every prediction would be better ({1 - accuracy:.3f})"
    return message
