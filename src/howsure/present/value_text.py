"""How values become text: numbers as they are shown, labels made safe, values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from html import escape as escape_html
from typing import Any, Self

from howsure.errors import one_line

TINY = 1e-300  # no result is that near to 0; an interval that ends there is open at 0
LOST, LARGE = 5e-4, 1e4  # three decimals show nothing of a smaller number, and more than is known of a larger one
MOST_DECIMALS = 6
SPOKEN: dict[str, str] = {}  # measures that are not called by the words of their name; their declarations say so
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip


def number(value: Any) -> str:
    """Show a number in three decimals, or "n/a" where there is none; of an array, each."""
    if type(value) is not float:
        if isinstance(value, list):
            return f"[{', '.join(map(number, value))}]"
        if hasattr(value, "ndim") and value.ndim:
            return f"[{', '.join(map(number, value.tolist()))}]"
    if math.isnan(value):
        return "n/a"
    if abs(value) < TINY:
        return "0.000"  # and not -0.000
    if abs(value) >= LARGE or abs(value) < LOST:
        return f"{value:.3g}"
    return f"{value:.3f}"


Spelling = Callable[[float], str]


def spelling(low: float, high: float, *beside: float) -> Spelling:
    """Give one way to show both ends of an interval and the numbers ``beside`` it, such as the value.

    That is three decimals, as `number` has it. Where these lose one of the numbers or make both ends look the same, all
    have as many decimals as it takes; where those are too many, each number is shown by itself.
    """
    sizes = [abs(value) for value in (low, high, *beside) if math.isfinite(value) and abs(value) >= TINY]
    if not sizes or max(sizes) >= LARGE:
        return number
    if min(sizes) < LOST:  # the smallest can be seen, and the largest in three digits
        decimals = max(_first_decimal(min(sizes)), _first_decimal(max(sizes)) + 2)
    elif low < high and number(low) == number(high):
        decimals = _first_decimal(high - low)
    else:
        return number
    return partial(_fixed, decimals=decimals) if decimals <= MOST_DECIMALS else number


def spelling_apart(*values: float) -> Spelling:
    """Give one way to show numbers in which different ones look different: as `number` does, or with more digits."""
    different = {value for value in values if not math.isnan(value)}
    fewest = 0 if any(LARGE <= abs(value) < math.inf for value in different) else 4
    ways: list[Spelling] = [number, *(partial(_fixed, decimals=decimals) for decimals in range(fewest, 18))]
    return next((spell for spell in ways if len(set(map(spell, different))) == len(different)), str)


def _first_decimal(size: float) -> int:
    """Give the decimal at which a number begins: 2 for 0.05."""
    return -math.floor(math.log10(size))


def _fixed(value: float, decimals: int) -> str:
    return number(value) if math.isnan(value) else f"{0.0 if abs(value) < TINY else value:.{decimals}f}"


def interval_text(low: float, high: float, spell: Spelling | None = None) -> str:
    """Show an interval, or nothing where there is none; an end beside 0, which 0 itself is not part of, is open."""
    if math.isnan(low) and math.isnan(high):
        return ""
    spell = spelling(low, high) if spell is None else spell
    opens, closes = "(" if 0 < low < TINY else "[", ")" if -TINY < high < 0 else "]"
    return f"{opens}{spell(low)}, {spell(high)}{closes}"


class Spelled(float):
    """A number of a table that says how it is shown; data frames and CSV made of the table keep every digit."""

    text: str

    def __new__(cls, value: float, text: str) -> Self:
        spelled = super().__new__(cls, value)
        spelled.text = text
        return spelled


def with_interval(value: float, low: float, high: float) -> tuple[Spelled, str]:
    """Give a value and the interval beside it as cells of a table, in one spelling."""
    spell = spelling(low, high, value)
    return Spelled(value, spell(value)), interval_text(low, high, spell)


def plain_count(n: float) -> float:
    """Give a number of cases as a whole number, where it is one."""
    return int(n) if math.isfinite(n) and float(n).is_integer() else n


def grouped(count: float) -> str:
    """Write a number of cases as sentences have it: "5,100", and weighed ones "5,100.5"."""
    return f"{count:,.0f}" if float(count).is_integer() else f"{count:,.1f}"


def few_percent(share: float) -> str:
    """Write a share that may be small in percent; one that would be rounded to nothing is "under 0.1 %"."""
    return "under 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"


def shown_name(name: Any) -> str:
    """Give a label or the name of a classifier as one line that can be seen; what shows it still has to escape it."""
    return one_line(str(name)) or "(empty)"


def spoken(measure: str) -> str:
    """Write a measure's name as one says it: "AUC", "error rate"; one with parameters stays as it was asked for."""
    if "(" in measure:
        return measure
    return SPOKEN.get(measure, measure.replace("_", " "))


def cell(value: Any) -> str:
    """Show a value in a table."""
    if value is None:
        return ""
    if isinstance(value, Spelled):
        return value.text
    return number(value) if isinstance(value, float) else str(value)


def jsonable(value: Any) -> Any:
    """Turn a value into what JSON can hold: NaN becomes null, an infinity the text "inf" or "-inf"."""
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
    """Keep the lines of a text, and let nothing in them steer a terminal: what `one_line` does, line by line."""
    return text if text.isprintable() else "\n".join(map(one_line, text.split("\n")))


def json_text(value: Any, **options: Any) -> str:
    """Write plain values as JSON, with all that does not print escaped: the same data, every bit of it visible."""
    import json

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, **options)
    return text if text.isprintable() else "".join(map(_escape_json, text))


def _escape_json(letter: str) -> str:
    import json

    return letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1]


def guard_formula(value: Any) -> Any:
    """Keep a spreadsheet from taking text for a formula: an apostrophe before what it would start one with."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") and value else value


def escape_latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in one_line(text))


def escape_markdown(text: str) -> str:
    """Keep text from being taken for Markdown, HTML or a formula; quotes mean nothing in any, outside a tag."""
    safe = escape_html(one_line(text), quote=False)
    return "".join("\\" + letter if letter in "\\`*_[]|$~" else letter for letter in safe)
