"""Expected numbers, computed in the simplest way and without any code of Howsure.

Files are read by Python's csv and json and by pyarrow; numbers are fractions, and cases are counted in plain loops.
Invalid input raises `Bad`.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

import pyarrow as pa
from pyarrow import parquet

NUMBER = re.compile(r"[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
MISSING = {"NA", "nan", "NaN", "NULL", "null", "None", "N/A", "<NA>"}  # in text files
NOT_UTF8 = re.compile("[\udc80-\udcff]")  # Python's surrogates of such bytes
EXACT = 2**53
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class Bad(Exception):  # noqa: N818 (it is not an error of the oracle)
    """Input that must be refused."""


# ------------------------------------------------------------------------------------------------ files


@dataclass
class Table:
    """Rows of cells, None if missing."""

    names: list[str]
    rows: list[list[Any]]
    is_text: bool = False  # then types of labels must be inferred
    words: frozenset[str] = frozenset()  # that stand for a missing label
    is_odd: bool = False  # may be refused: bytes that are not UTF-8 in unused columns, or an unusual header

    def column(self, name: str) -> list[Any]:
        if self.names.count(name) != 1:
            raise Bad(f"{name!r} names {self.names.count(name)} columns")
        index = self.names.index(name)
        cells = [row[index] for row in self.rows]
        if self.is_odd and any(NOT_UTF8.search(str(cell)) for cell in cells):
            raise Bad("not UTF-8")
        return cells


def read(content: bytes, kind: str, separator: str = ",") -> Table:
    if content[:2] == b"\x1f\x8b":
        try:
            content = gzip.decompress(content)
        except (EOFError, OSError, zlib.error):
            raise Bad("gzip is cut or broken") from None
    if kind == "parquet":
        return _read_parquet(content)
    text = content.decode("utf-8-sig", "surrogateescape")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" in content:
        raise Bad("UTF-16")
    table = _read_json(text) if kind == "jsonl" else _read_arff(text) if kind == "arff" else _read_csv(text, separator)
    # After a byte order mark, a name of several lines may be refused, since DuckDB cannot detect its end.
    marked = content.startswith(b"\xef\xbb\xbf") and re.search(r"[\r\n]", table.names[0]) is not None
    table.is_odd = NOT_UTF8.search(text) is not None or marked
    return table


def _read_csv(text: str, separator: str) -> Table:
    text = re.sub(r"\Asep=.\r?\n", "", text.lstrip("\r\n"))
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if row]
    except csv.Error:
        raise Bad("an unclosed or misplaced quote") from None
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise Bad("no header, or a row of another length")
    return Table(rows[0], [[cell or None for cell in row] for row in rows[1:]], True, frozenset(MISSING))


def _read_json(text: str) -> Table:
    texts = [text] if text.lstrip().startswith("[") else [line for line in text.split("\n") if line.strip()]
    try:
        objects = [json.loads(line) for line in texts]
    except ValueError:
        raise Bad("not JSON") from None
    objects = objects[0] if len(objects) == 1 and isinstance(objects[0], list) else objects
    if not objects or not all(isinstance(record, dict) for record in objects):
        raise Bad("a line without an object")
    names = list(dict.fromkeys(key for record in objects for key in record))
    return Table(names, [[record.get(name) for name in names] for record in objects])


def _read_parquet(content: bytes) -> Table:
    try:
        table = parquet.read_table(io.BytesIO(content), use_threads=False)
    except (pa.ArrowException, OSError):
        raise Bad("not Parquet") from None
    return Table(table.column_names, [list(row) for row in zip(*(c.to_pylist() for c in table.columns), strict=True)])


def _read_arff(text: str) -> Table:
    names, rows, in_data = [], [], False
    for line in map(str.strip, text.split("\n")):
        if in_data and line and line[0] != "%":
            rows.append(_split_arff(line))
        elif line.lower().startswith("@attribute"):
            names.append(_split_arff(line[len("@attribute") :].strip(), " ")[0])
        in_data = in_data or line.lower().startswith("@data")
    if not in_data or any(len(row) != len(names) for row in rows):
        raise Bad("no data, or a row of another length")
    return Table([str(name) for name in names], rows, True)


def _split_arff(line: str, separator: str = ",") -> list[str | None]:
    """Split a line; quoted cells are literal, and an unquoted question mark is a missing value."""
    cells: list[str | None] = []
    cell, quoted = "", False
    letters = iter(line + separator)
    for letter in letters:
        if letter == separator:
            cells.append((cell if quoted else cell.strip().replace("?", "", cell.strip() == "?")) or None)
            cell, quoted = "", False
        elif letter in "'\"" and not cell.strip() and not quoted:
            cell, quoted = "", True
            for inner in letters:
                if inner == letter:
                    break
                escaped = next(letters, "") if inner == "\\" else ""
                cell += ESCAPES.get(escaped, escaped) or inner
            else:
                raise Bad("a quote is not closed")
        elif not quoted:
            cell += letter
        elif not letter.isspace():
            raise Bad("text after a quote")
    return cells


# ------------------------------------------------------------------------------------------------ labels and numbers


def understand(columns: Sequence[Sequence[str]], *, refuse_scores: bool = True) -> Callable[[str], Any]:
    """Return a function that converts labels to numbers or booleans, if those of all columns are."""
    texts = [set(column) for column in columns]
    meaning = {text: spelled(text) for column in texts for text in column}
    is_text = {text: isinstance(value, str) for text, value in meaning.items()}
    for number, some in enumerate(texts):
        others = set().union(*texts[:number], *texts[number + 1 :])
        real = any(isinstance(meaning[text], Fraction) for text in some)
        numbers = not any(is_text[text] for text in some)
        if refuse_scores and real and numbers and (not any(is_text.values()) or not others & some):
            raise Bad("scores instead of labels")
    values = list(meaning.values())
    flags = any(isinstance(value, bool) for value in values)
    plain = all(isinstance(value, int) for value in values)
    if plain and (not flags or {int(value) for value in values} <= {0, 1}):
        mixed = any({isinstance(meaning[text], bool) for text in some} == {True, False} for some in texts)
        return (lambda text: bool(meaning[text])) if mixed else meaning.__getitem__
    return str


def spelled(text: str) -> Any:
    """Convert a text to a boolean, an integer or a fraction if possible."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if not NUMBER.fullmatch(text):
        return text
    mantissa, _, exponent = text.lower().partition("e")
    if abs(int(exponent or 0)) > 400:
        return text
    value = Fraction(text)
    if value.denominator > 1:
        return value
    digits = mantissa.lstrip("+-").partition(".")[0]
    plain = not exponent and not mantissa.partition(".")[2].strip("0")
    return int(value) if (plain and len(digits) <= 18) or abs(value) < EXACT else text


def label(cell: Any) -> Any:
    """Validate a typed cell; 1.0 is the label 1."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if not isinstance(cell, str | int | float):
        raise Bad(f"{cell!r} is not a label")
    return cell


def labels_of(table: Table, names: Sequence[str], kept: Sequence[int], *, refuse_scores: bool = True) -> list[Any]:
    """Return the labels of columns with the same classes in the kept rows."""
    columns = [[cells[row] for row in kept] for cells in map(table.column, names)]
    for column in columns:
        if any(cell is None or cell != cell or (table.is_text and cell in table.words) for cell in column):
            raise Bad("a label is missing")
    if table.is_text:
        convert = understand(columns, refuse_scores=refuse_scores)
        return [[convert(cell) for cell in column] for column in columns]
    columns = [[label(cell) for cell in column] for column in columns]
    if refuse_scores and any(isinstance(cell, float) for column in columns for cell in column):
        raise Bad("scores instead of labels")
    if refuse_scores and len({isinstance(cell, str) for column in columns for cell in column}) > 1:
        raise Bad("text and numbers")
    return columns


def numbers_of(cells: Sequence[Any]) -> list[float]:
    try:
        values = [math.nan if cell is None or isinstance(cell, bool) else float(cell) for cell in cells]
    except (TypeError, ValueError):
        raise Bad("not a number") from None
    if any(map(math.isnan, values)):
        raise Bad("a missing number")
    return values


def weights_of(cells: Sequence[Any]) -> tuple[list[Fraction], bool]:
    """Return the weights, and whether all are integers, which repeat cases."""
    values = numbers_of(cells)
    if not all(0 <= value < math.inf for value in values):
        raise Bad("a negative or infinite weight")
    whole = all(re.fullmatch("[0-9]+", str(cell).strip()) for cell in cells)
    if whole and sum(values) >= EXACT:
        raise Bad("more cases than can be counted")
    if not any(values):
        raise Bad("no positive weight")
    return [Fraction(value) for value in values], whole


# ------------------------------------------------------------------------------------------------ measures


def ratio(part: Fraction | int, whole: Fraction | int) -> float:
    return float(Fraction(part) / whole) if whole else math.nan


def mean(values: Sequence[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def label_measures(cells: Counter[Any], classes: Sequence[Any]) -> dict[str, float]:
    """Compute measures of the counts ``cells[truth, predicted]``."""
    total = Fraction(sum(cells.values()))
    # The scale of weights does not matter.
    cells = Counter({key: count / total for key, count in cells.items()})
    n = Fraction(1)
    truth = {c: sum(cells[c, other] for other in classes) for c in classes}
    predicted = {c: sum(cells[other, c] for other in classes) for c in classes}
    hits = sum(cells[c, c] for c in classes)
    chance = sum(truth[c] * predicted[c] for c in classes)
    spread = (n * n - sum(v * v for v in truth.values())) * (n * n - sum(v * v for v in predicted.values()))
    return {
        "accuracy": ratio(hits, n),
        "kappa": ratio(hits * n - chance, n * n - chance),
        "mcc": float(hits * n - chance) / math.sqrt(spread) if spread else math.nan,
        "macro recall": mean([ratio(cells[c, c], truth[c]) for c in classes]),
        "macro precision": mean([ratio(cells[c, c], predicted[c]) for c in classes]),
        "micro recall": ratio(hits, n),
        "micro precision": ratio(hits, n),
    }


def auc(positive: Sequence[bool], scores: Sequence[float], weights: Sequence[Fraction | int]) -> float:
    """Return the share of pairs in which the positive case has the higher score; ties count half."""
    below: Any = Fraction(0)
    won: Any = Fraction(0)
    for _, tied in groupby(sorted(zip(scores, positive, weights, strict=True), key=lambda row: row[0]), lambda r: r[0]):
        rows = list(tied)
        up, down = (sum((w for _, flag, w in rows if flag == side), Fraction(0)) for side in (True, False))
        won += up * (below + down / 2)
        below += down
    return ratio(won, below * sum(w for flag, w in zip(positive, weights, strict=True) if flag))


def brier(positive: Sequence[bool], scores: Sequence[float], weights: Sequence[Fraction | int]) -> float:
    lost = sum(w * (Fraction(s) - flag) ** 2 for flag, s, w in zip(positive, scores, weights, strict=True))
    return ratio(lost, sum(weights))


def discordant(truth: Sequence[Any], first: Sequence[Any], second: Sequence[Any]) -> tuple[int, int]:
    """Count the cases that only the first predicts correctly, and only the second."""
    pairs = [(a == t, b == t) for t, a, b in zip(truth, first, second, strict=True)]
    return pairs.count((True, False)), pairs.count((False, True))


def mcnemar(won: int, lost: int) -> float:
    """Return the p-value of the mid-p test, or from 25 discordant cases of the chi-square test."""
    n, smaller = won + lost, min(won, lost)
    if n >= 25:
        return math.erfc(abs(won - lost) / math.sqrt(2 * n))
    tail = sum(math.comb(n, k) for k in range(smaller + 1)) - Fraction(math.comb(n, smaller), 2)
    return float(min(Fraction(1), 2 * tail / 2**n))
