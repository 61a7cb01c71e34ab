"""Findings about a confusion matrix."""

from __future__ import annotations

from howsure.advice.declare import advice
from howsure.arrays import Array
from howsure.errors import inflect, listing
from howsure.tables import Confusion

FEW = 30  # the interval for a rate is wide with fewer cases
SKEW = 0.8  # accuracy says little if the largest class has at least this proportion of the cases


def _listing(table: Confusion, chosen: Array) -> str:
    return listing([repr(label) for label, is_chosen in zip(table.labels, chosen, strict=True) if is_chosen])


@advice("A001", "Classes without cases")
def no_support(table: Confusion) -> str | None:
    """A class that neither occurs nor is predicted.

    A class was named (by `labels=`, or as a category of a data frame), but it neither occurs nor is predicted. Macro
    and weighted averages leave it out and say so. Check whether the sample should contain it. Data that contain only 0,
    or only 1, are treated as having two classes, like booleans that are all equal.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[50, 5, 0], [5, 50, 0], [0, 0, 0]], labels=["a", "b", "c"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A001: 'c' has no cases and is never predicted; averages leave such classes out
    """
    chosen = (table.sums.truth == 0) & (table.sums.predicted == 0)
    if not chosen.any():
        return None
    has, is_ = (inflect(verb, chosen.sum()) for verb in ("has", "is"))
    message = f"{_listing(table, chosen)} {has} no cases and {is_} never predicted"
    if set(table.labels) == {0, 1}:
        return f"{message}; {table.labels[0]!r} and {table.labels[1]!r} are taken as the two classes"
    return f"{message}; averages leave such classes out"


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
    A002: the classifier never predicts 'b', so its precision is undefined
    """
    chosen = (table.sums.truth > 0) & (table.sums.predicted == 0)
    if not chosen.any():
        return None
    whose = "its" if chosen.sum() == 1 else "their"
    return f"the classifier never predicts {_listing(table, chosen)}, so {whose} precision is undefined"


@advice("A003", "Skewed classes")
def skew(table: Confusion) -> str | None:
    """A class that contains nearly all cases.

    At least 80 % of the cases are of one class. Always predicting this class would reach that accuracy, so consider
    recall, balanced accuracy, kappa, MCC and the `improvement` over the majority baseline.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[998, 1], [1, 0]], labels=["a", "b"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A003: 99.9 % of the cases are of class 'a'; always predicting it would reach this accuracy, so accuracy
    alone says little
    A004: fewer than 30 cases support recall of 'b' (1), precision of 'b' (1); expect wide intervals
    A006: accuracy 0.998 is below the 0.999 obtained by always predicting the most frequent class
    """
    share = float(table.sums.truth.max() / table.n)
    if share < SKEW:
        return None
    label = table.labels[int(table.sums.truth.argmax())]
    if share == 1:
        return f"all cases are of class {label!r}; always predicting it would be right, so accuracy says little"
    return (
        f"{100 * share:.1f} % of the cases are of class {label!r}; always predicting it would reach this accuracy, so "
        "accuracy alone says little"
    )


@advice("A004", "Few cases behind a rate")
def few_cases(table: Confusion) -> str | None:
    """A recall or a precision that rests on fewer than 30 cases.

    A recall or a precision rests on fewer than 30 cases, so its interval is wide. Report the interval with the value.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[40, 10], [9, 20]], labels=["a", "b"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases support recall of 'b' (29); expect wide intervals
    """
    if table.k > 100:
        return None  # with hundreds of classes, most are rare, and the table shows n next to each rate
    scale = table.effective_n / float(table.n)  # effective number of cases per weighted case
    rates = (("recall", table.sums.truth * scale), ("precision", table.sums.predicted * scale))
    names = [
        f"{rate} of {label!r} ({count:.3g})"
        for rate, counts in rates
        for label, count in zip(table.labels, counts.tolist(), strict=True)
        if 0 < count < FEW
    ]
    return f"fewer than {FEW} cases support {listing(names)}; expect wide intervals" if names else None


@advice("A005", "Predictions that never occur in the truth")
def never_true(table: Confusion) -> str | None:
    """A class that is predicted but has no case.

    A class is predicted, but no case belongs to it. The reason is often a difference in spelling ("Spam", "spam") or a
    truncated sample.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[40, 10, 2], [10, 40, 0], [0, 0, 0]], labels=["a", "b", "c"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A004: fewer than 30 cases support precision of 'c' (2); expect wide intervals
    A005: 'c' is predicted but never occurs in the truth; check the spelling of the labels
    """
    chosen = (table.sums.truth == 0) & (table.sums.predicted > 0)
    if not chosen.any():
        return None
    is_predicted, occurs = (inflect(verb, chosen.sum()) for verb in ("is", "occurs"))
    names = _listing(table, chosen)
    return f"{names} {is_predicted} predicted but never {occurs} in the truth; check the spelling of the labels"


@advice("A006", "Worse than the majority baseline")
def below_baseline(table: Confusion) -> str | None:
    """Accuracy below that of always predicting the most frequent class.

    Accuracy is below that of always predicting the most frequent class. With two classes and an accuracy below 0.5,
    inverting every prediction would be better: check for swapped labels. If all predictions are the same, the finding
    does not say so, since the threshold or the classifier is at fault.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(howsure.Confusion([[10, 40], [45, 5]], labels=["a", "b"]))
    >>> for finding in a.findings:
    ...     print(finding)
    A006: accuracy 0.150 is below the 0.500 obtained by always predicting the most frequent class; inverting every
    prediction would be better (0.850)
    """
    accuracy, baseline = float(table.sums.hits.sum() / table.n), float(table.sums.truth.max() / table.n)
    if accuracy >= baseline:
        return None
    below = f"accuracy {accuracy:.3f} is below the {baseline:.3f}"
    message = f"{below} obtained by always predicting the most frequent class"
    if table.k == 2 and accuracy < 0.5 and table.sums.predicted.all():  # not all predictions are the same
        return f"{message}; inverting every prediction would be better ({1 - accuracy:.3f})"
    return message
