"""Values as text: rounded numbers, safe labels, and values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from html import escape as escape_html
from typing import Any, Self

from howsure.errors import one_line

TINY = 1e-300  # smaller than any result; an interval limit below it is shown as an open end at 0
LOST, LARGE = 5e-4, 1e4  # range in which three decimals are suitable
MAX_DECIMALS = 6
SPOKEN: dict[str, str] = {}  # names of measures in sentences, filled by their declarations ("auc": "AUC")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip


def number(value: Any) -> str:
    """Format a number with three decimals, and NaN as "n/a"."""
    if type(value) is not float:
        if isinstance(value, list):
            return f"[{', '.join(map(number, value))}]"
        if hasattr(value, "ndim") and value.ndim:
            return f"[{', '.join(map(number, value.tolist()))}]"
    if math.isnan(value):
        return "n/a"
    if abs(value) < TINY:
        return "0.000"  # not -0.000
    if abs(value) >= LARGE or abs(value) < LOST:
        return f"{value:.3g}"
    return f"{value:.3f}"


Spelling = Callable[[float], str]


def spelling(low: float, high: float, *beside: float) -> Spelling:
    """Return a common format for an interval and the numbers ``beside`` it.

    The format is that of `number`, with three decimals. If one of the numbers would be shown as 0, or both ends would
    look the same, more decimals are used; if too many would be needed, each number is formatted separately.
    """
    sizes = [abs(value) for value in (low, high, *beside) if math.isfinite(value) and abs(value) >= TINY]
    if not sizes or max(sizes) >= LARGE:
        return number
    if min(sizes) < LOST:  # show one digit of the smallest and three of the largest
        decimals = max(_first_decimal(min(sizes)), _first_decimal(max(sizes)) + 2)
    elif low < high and number(low) == number(high):
        decimals = _first_decimal(high - low)
    else:
        return number
    return partial(_fixed, decimals=decimals) if decimals <= MAX_DECIMALS else number


def spelling_apart(*values: float) -> Spelling:
    """Return a format in which different numbers look different."""
    different = {value for value in values if not math.isnan(value)}
    fewest = 0 if any(LARGE <= abs(value) < math.inf for value in different) else 4
    formats: list[Spelling] = [number, *(partial(_fixed, decimals=decimals) for decimals in range(fewest, 18))]
    return next((spell for spell in formats if len(set(map(spell, different))) == len(different)), str)


def _first_decimal(size: float) -> int:
    """Return the position of the first nonzero decimal: 2 for 0.05."""
    return -math.floor(math.log10(size))


def _fixed(value: float, decimals: int) -> str:
    return number(value) if math.isnan(value) else f"{0.0 if abs(value) < TINY else value:.{decimals}f}"


def interval_text(low: float, high: float, spell: Spelling | None = None) -> str:
    """Format an interval; a limit of 0 that is excluded is shown as open."""
    if math.isnan(low) and math.isnan(high):
        return ""
    spell = spelling(low, high) if spell is None else spell
    opens, closes = "(" if 0 < low < TINY else "[", ")" if -TINY < high < 0 else "]"
    return f"{opens}{spell(low)}, {spell(high)}{closes}"


class Spelled(float):
    """A number in a table with its own format; data frames do not round it."""

    text: str

    def __new__(cls, value: float, text: str) -> Self:
        spelled = super().__new__(cls, value)
        spelled.text = text
        return spelled


def with_interval(value: float, low: float, high: float) -> tuple[Spelled, str]:
    """Return a value and its interval as table cells in a common format."""
    spell = spelling(low, high, value)
    return Spelled(value, spell(value)), interval_text(low, high, spell)


def plain_count(n: float) -> float:
    """Convert a whole number of cases to an integer."""
    return int(n) if math.isfinite(n) and float(n).is_integer() else n


def grouped(count: float) -> str:
    """Format a number of cases: "5,100", or "5,100.5" with weights."""
    return f"{count:,.0f}" if float(count).is_integer() else f"{count:,.1f}"


def few_percent(share: float) -> str:
    """Format a proportion in percent, with "under 0.1 %" for tiny ones."""
    return "under 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"


def shown_name(name: Any) -> str:
    """Return a name as a single visible line, not yet escaped."""
    return one_line(str(name)) or "(empty)"


def spoken(measure: str) -> str:
    """Return the name of a measure for use in a sentence: "AUC", "error rate"."""
    if "(" in measure:
        return measure
    return SPOKEN.get(measure, measure.replace("_", " "))


def cell(value: Any) -> str:
    """Format a value for a table."""
    if value is None:
        return ""
    if isinstance(value, Spelled):
        return value.text
    return number(value) if isinstance(value, float) else str(value)


def jsonable(value: Any) -> Any:
    """Convert a value for JSON: NaN becomes null, infinity "inf"."""
    if isinstance(value, float):
        return (value if math.isfinite(value) else str(value)) if value == value else None
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if hasattr(value, "tolist"):
        return jsonable(value.tolist())
    return value


def plain(text: str) -> str:
    """Escape control characters, which could control a terminal."""
    return text if text.isprintable() else "\n".join(map(one_line, text.split("\n")))


def json_text(value: Any, **options: Any) -> str:
    """Return plain values as JSON with all unprintable characters escaped."""
    import json

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, **options)
    return text if text.isprintable() else "".join(map(_escape_json, text))


def _escape_json(letter: str) -> str:
    import json

    return letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1]


def guard_formula(value: Any) -> Any:
    """Put an apostrophe before text that would be read as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") and value else value


def escape_latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in one_line(text))


def escape_markdown(text: str) -> str:
    """Escape Markdown, HTML and formulas; quotes are safe outside tags."""
    safe = escape_html(one_line(text), quote=False)
    return "".join("\\" + letter if letter in "\\`*_[]|$~" else letter for letter in safe)
