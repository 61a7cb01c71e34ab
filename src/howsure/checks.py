"""Argument checks that several rooms share: each refuses in one sentence, or gives the value in its proper type."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from itertools import pairwise
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array, Floats, is_masked
from howsure.errors import (
    HowsureError,
    UnknownArgumentError,
    is_one_of,
    listing,
    must,
    must_be_one_of,
    must_be_share,
    suggestion,
)

P = ParamSpec("P")
T = TypeVar("T")
OF_SCIKIT_LEARN = {
    "y_true": "truth",
    "y_pred": "predicted",
    "y_score": "scores",
    "y_prob": "scores",
    "y_proba": "scores",
    "sample_weight": "weight",
    "pos_label": "positive",
    "groups": "by",
    "random_state": "seed",
}
MOST_POINTS = 1_000_000  # of a curve, on a grid
MOST_REPLICATES = 100_000_000  # nobody waits for more
LEAST_ALPHA = 1e-9
SIDES = ("two-sided", "lower", "upper")


def known_arguments(*more: Callable[..., Any]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Refuse a mistyped keyword with the one that was meant; ``more`` are functions that options are passed on to."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        called = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
        names = [name for one in (function, *more) for name in inspect.signature(one).parameters]

        @wraps(function)
        def checked(*args: P.args, **options: P.kwargs) -> T:
            for name in options:
                if name not in names:
                    meant = OF_SCIKIT_LEARN.get(name, name)
                    end = f"; did you mean {meant!r}?" if meant in names else suggestion(name, names)
                    raise UnknownArgumentError(f"`{called}` has no argument {name!r}{end}")
            return function(*args, **options)

        return checked

    return decorate


def one_of(name: str, given: Any, options: Iterable[Any]) -> Any:
    """Give what is one of the options, or refuse it."""
    options = tuple(options)
    if not is_one_of(given, options):
        must_be_one_of(name, options, given=given)
    return given


def names_of(name: str, given: Any) -> list[str]:
    """Take one name or several as a list; what they name is checked where they are looked up."""
    if isinstance(given, str):
        return [given]
    try:
        return list(given)
    except TypeError:
        must(name, "names, such as ['recall', 'precision']", given=given)


def check_path(name: str, given: Any) -> Path:
    """Take the path of a file or of a folder."""
    text = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(text, str) or "\0" in text:
        must(name, "a path, as text or as a `Path`", given=given)
    return Path(text)


def is_a(name: str, given: Any, kind: type | tuple[type, ...], be: str) -> None:
    """Refuse an argument of another class: "`table` must be a ScoreTable, not 3."."""
    if not isinstance(given, kind):
        must(name, be, given=given)


def flag(name: str, given: Any) -> bool:
    """Refuse what is neither true nor false, as a word, a missing value or several values are."""
    try:
        if isinstance(given, str | bytes):
            raise TypeError
        return bool(given)
    except (TypeError, ValueError):
        must(name, "True or False", given=given)


def whole_between(name: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        must(name, "a whole number above 0" if least == 1 else f"a whole number, {least} or above", given=value)
    if int(value) > most:
        must(name, f"at most {most:,}", given=value)
    return int(value)


def real(value: object) -> float:
    """Give a real number as a float; NaN where it is none, or larger than any."""
    try:
        return float(value) if isinstance(value, Real) else math.nan
    except (OverflowError, TypeError, ValueError):
        return math.nan


def check_share(name: str, value: Any) -> float:
    """Take a number between 0 and 1; a percentage is refused with the share that it would be."""
    number = real(value)
    if not 0 < number < 1:
        must_be_share(name, given=value)
    return number


def check_confidence(confidence: float) -> float:
    level = check_share("confidence", confidence)
    if 1 - level == 1:  # so near to 0 that no computer tells them apart
        must("confidence", "a number between 1e-16 and 1 - 1e-16", given=confidence)
    return level


def check_alpha(alpha: float) -> float:
    """Take the level of tests, whose complement is a confidence, of many pairs too."""
    level = check_share("alpha", alpha)
    if level < LEAST_ALPHA:
        must("alpha", f"a number between {LEAST_ALPHA:g} and 1", given=alpha)
    return level


def check_number(value: float, name: str) -> float:
    number = real(value)
    if math.isnan(number):
        must(name, "a number", given=value)
    return number


def check_amount(value: float, name: str) -> float:
    """Take a number of cases, which may be an effective one."""
    number = real(value)
    if not 0 <= number < 1e100:  # the squares of larger ones leave the range of floats
        must(name, "a number of cases, 0 or above", given=value)
    return number


def check_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        must("seed", "a whole number, 0 or above", given=seed)
    return int(seed)


def check_replicates(replicates: int, seed: int = 0) -> int:
    check_seed(seed)
    if isinstance(replicates, bool) or not isinstance(replicates, Integral) or replicates < 1:
        must("replicates", "a whole number above 0", given=replicates)
    if replicates > MOST_REPLICATES:
        must("replicates", f"a whole number up to {MOST_REPLICATES}", given=replicates)
    return int(replicates)  # small types would overflow in what is computed from it


def numbers(name: str, values: Any) -> Floats:
    """Take an argument as an array of real numbers, or refuse it."""
    array: Floats | None = None
    try:
        # What is masked is missing, whatever lies behind the mask.
        given = np.ma.filled(values.astype(float), np.nan) if is_masked(values) else np.asarray(values)
        if given.dtype.kind not in "cmM":  # of which a cast would drop what is imaginary, or count days
            array = given.astype(float)
    except Exception:  # objects that turn into no number have reasons of their own
        array = None
    if array is None:
        must(name, "a number, or numbers", given=values)
    return array


def check_groups(name: str, groups: Any, n: int, be: str) -> Array:
    """Number the groups of ``n`` values, which are given by any labels of one kind."""
    try:
        labels = np.asarray(groups)
        numbered = np.unique(labels, return_inverse=True)[1] if labels.shape == (n,) else None
    except (TypeError, ValueError):  # of different lengths, or of kinds that have no order
        numbered = None
    if numbered is None:
        must(name, be, given=groups)
    return numbered


def check_shares(name: str, shares: Any, k: int) -> Floats:
    """Take the shares of ``k`` classes, in their order."""
    values = numbers(name, shares)
    if values.shape != (k,) or not np.isfinite(values).all() or (values < 0).any() or not values.any():
        must(name, f"{k} shares, one for each class", given=shares)
    return values


def check_size(name: str, values: Floats) -> None:
    """Refuse values whose squares would leave the range of floats."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest and not 1e-100 < largest < 1e100:
        raise HowsureError(f"`{name}` must be of a size between 1e-100 and 1e100, not {largest:g}; scale them.")


def check_scores(positive: ArrayLike, scores: ArrayLike) -> tuple[Array, Array]:
    """Take which cases are positive, and a score for each; float32 stays (half the memory, half the sort)."""
    check_index({"positive": positive, "scores": scores})
    try:
        flags, values = np.asarray(positive).astype(bool, copy=False), np.asarray(scores)
    except (TypeError, ValueError):
        raise HowsureError("`positive` and `scores` must be columns of one length, with at least one case.") from None
    values = values if values.dtype in (np.float32, np.float64) else numbers("scores", values)
    if flags.shape != values.shape or values.ndim != 1 or not len(values):
        raise HowsureError("`positive` and `scores` must be columns of one length, with at least one case.")
    if np.isnan(values).any():
        raise HowsureError(f"`scores` must be numbers, not nan at index {int(np.isnan(values).argmax())}.")
    return flags, values


def check_index(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas, by what sentences call them, whose rows have other names or another order.

    Pandas would pair such rows by name, and we by position: whichever the user meant, one of the two is wrong. Columns
    of other lengths are not our business; they are refused with the two lengths.
    """
    indexes = {
        name: column.index
        for name, column in columns.items()
        if type(column).__module__.partition(".")[0] == "pandas" and hasattr(column, "index")
    }
    for (first, one), (second, other) in pairwise(indexes.items()):
        if len(one) != len(other) or one.equals(other):
            continue
        which = f"`{first}` and `{second}` have"
        if one.isin(other).all() and other.isin(one).all():
            which += " the same index in another order"
        else:
            begin, begin_other = (f"({listing(list(map(repr, some[:2].tolist())))}, ...)" for some in (one, other))
            which += f" different indexes, {begin} and {begin_other}"
        raise HowsureError(
            f"{which}; give both in one order, with `.loc`, or as arrays, with `.to_numpy()`, to pair the rows as they "
            "come."
        )


def tail(confidence: float, side: str) -> float:
    """Probability left out beyond each bound of an interval that is not open."""
    one_of("side", side, SIDES)
    alpha = 1 - check_confidence(confidence)
    return alpha / 2 if side == "two-sided" else alpha
