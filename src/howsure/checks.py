"""Check arguments and convert them to the expected type."""

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

from howsure.arrays import Array, Floats
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
MAX_POINTS = 1_000_000  # maximum number of grid points of a curve
MAX_REPLICATES = 100_000_000  # maximum number of bootstrap replicates
MIN_ALPHA = 1e-9  # keeps 1 - alpha below 1 even after adjustment for many pairs
SIDES = ("two-sided", "lower", "upper")


def known_arguments(*more: Callable[..., Any]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Reject keywords unknown to a function and those it calls."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        called = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
        names = [name for taker in (function, *more) for name in inspect.signature(taker).parameters]

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


def one_of(name: str, value: Any, options: Iterable[Any]) -> Any:
    options = tuple(options)
    if not is_one_of(value, options):
        must_be_one_of(name, options, given=value)
    return value


def names_of(name: str, value: Any) -> list[str]:
    """Return one or several names as a list."""
    if isinstance(value, str):
        return [value]
    try:
        return list(value)
    except TypeError:
        must(name, "names, such as ['recall', 'precision']", given=value)


def check_path(name: str, value: Any) -> Path:
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(text, str) or "\0" in text:
        must(name, "a path, as text or as a `Path`", given=value)
    return Path(text)


def check_type(name: str, value: Any, kind: type | tuple[type, ...], be: str) -> None:
    """Reject an argument of the wrong type: "`x` must be a Curve, not 3."."""
    if not isinstance(value, kind):
        must(name, be, given=value)


def check_flag(name: str, value: Any) -> bool:
    """Check a boolean; words, missing values and arrays are rejected."""
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        return bool(value)
    except (TypeError, ValueError):
        must(name, "True or False", given=value)


def check_whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        must(name, "a whole number above 0" if least == 1 else f"a whole number, {least} or above", given=value)
    if most is not None and int(value) > most:
        must(name, f"at most {most:,}", given=value)
    return int(value)


def as_float(value: object) -> float:
    """Return a real number as a float, or NaN for any other value."""
    try:
        return float(value) if isinstance(value, Real) else math.nan
    except (OverflowError, TypeError, ValueError):
        return math.nan


def check_share(name: str, value: Any) -> float:
    """Check a number between 0 and 1; suggest one for a percentage."""
    number = as_float(value)
    if not 0 < number < 1:
        must_be_share(name, given=value)
    return number


def check_confidence(confidence: float) -> float:
    level = check_share("confidence", confidence)
    if 1 - level == 1:  # the confidence is indistinguishable from 0
        must("confidence", "a number between 1e-16 and 1 - 1e-16", given=confidence)
    return level


def check_alpha(alpha: float) -> float:
    """Check a significance level."""
    level = check_share("alpha", alpha)
    if level < MIN_ALPHA:
        must("alpha", f"a number between {MIN_ALPHA:g} and 1", given=alpha)
    return level


def check_number(value: float, name: str) -> float:
    number = as_float(value)
    if math.isnan(number):
        must(name, "a number", given=value)
    return number


def check_amount(value: float, name: str) -> float:
    """Check a number of cases, which need not be whole."""
    number = as_float(value)
    if not 0 <= number < 1e100:  # the squares of larger numbers would overflow
        must(name, "a number of cases, 0 or above", given=value)
    return number


def check_seed(seed: int) -> int:
    return check_whole("seed", seed, 0)


def check_replicates(replicates: int, seed: int = 0) -> int:
    check_seed(seed)
    return check_whole("replicates", replicates, 1, MAX_REPLICATES)


def numbers(name: str, values: Any) -> Floats:
    """Return an argument as an array of real numbers, with NaN for masked values."""
    array: Floats | None = None
    try:
        is_masked = isinstance(values, np.ma.MaskedArray)
        unchecked = np.ma.filled(values.astype(float), np.nan) if is_masked else np.asarray(values)
        if unchecked.dtype.kind not in "cmM":  # a cast would drop imaginary parts, or turn dates into day counts
            array = unchecked.astype(float)
    except Exception:  # objects that are not numbers may raise any error
        array = None
    if array is None:
        must(name, "a number, or numbers", given=values)
    return array


def check_groups(name: str, groups: Any, n: int, be: str) -> Array:
    """Return the group codes for ``n`` values; labels must be of one type."""
    try:
        labels = np.asarray(groups)
        numbered = np.unique(labels, return_inverse=True)[1] if labels.shape == (n,) else None
    except (TypeError, ValueError):  # ragged groups, or labels that cannot be sorted
        numbered = None
    if numbered is None:
        must(name, be, given=groups)
    return numbered


def check_shares(name: str, shares: Any, k: int) -> Floats:
    """Check the proportions of ``k`` classes, in class order."""
    values = numbers(name, shares)
    if values.shape != (k,) or not np.isfinite(values).all() or (values < 0).any() or not values.any():
        must(name, f"{k} shares, one for each class", given=shares)
    return values


def check_size(name: str, values: Floats) -> None:
    """Reject values whose squares would overflow or underflow."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest and not 1e-100 < largest < 1e100:
        raise HowsureError(f"`{name}` must be between 1e-100 and 1e100 in magnitude, not {largest:g}; rescale them.")


def check_scores(positive: ArrayLike, scores: ArrayLike) -> tuple[Array, Array]:
    """Check the truth and the scores of two classes; keep float32 scores."""
    check_index({"positive": positive, "scores": scores})
    try:
        flags, values = np.asarray(positive).astype(bool, copy=False), np.asarray(scores)
    except (TypeError, ValueError):
        raise HowsureError("`positive` and `scores` must be columns of equal length, with at least one case.") from None
    values = values if values.dtype in (np.float32, np.float64) else numbers("scores", values)
    if flags.shape != values.shape or values.ndim != 1 or not len(values):
        raise HowsureError("`positive` and `scores` must be columns of equal length, with at least one case.")
    if np.isnan(values).any():
        raise HowsureError(f"`scores` must be numbers, not nan at index {int(np.isnan(values).argmax())}.")
    return flags, values


def check_index(columns: Mapping[str, Any]) -> None:
    """Reject pandas columns with different indexes.

    Pandas would pair such rows by index, whereas we pair them by position, so the result could surprise the user.
    Columns of different lengths are rejected elsewhere.
    """
    indexes = {
        name: column.index
        for name, column in columns.items()
        if type(column).__module__.partition(".")[0] == "pandas" and hasattr(column, "index")
    }
    for (name, index), (next_name, next_index) in pairwise(indexes.items()):
        if len(index) != len(next_index) or index.equals(next_index):
            continue
        if index.isin(next_index).all() and next_index.isin(index).all():
            problem = "the same index in another order"
        else:
            start, next_start = (
                f"({listing(list(map(repr, rows[:2].tolist())))}, ...)" for rows in (index, next_index)
            )
            problem = f"different indexes, {start} and {next_start}"
        raise HowsureError(
            f"`{name}` and `{next_name}` have {problem}; put both in the same order with `.loc`, or pass arrays with "
            "`.to_numpy()` to pair the rows by position."
        )


def tail_probability(confidence: float, side: str) -> float:
    """Return the tail probability outside each finite limit."""
    one_of("side", side, SIDES)
    alpha = 1 - check_confidence(confidence)
    return alpha / 2 if side == "two-sided" else alpha
