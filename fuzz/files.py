"""Valid and invalid files of every format, compared with the numbers and refusals of an oracle."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from operator import eq
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

import howsure
from fuzz import oracle
from fuzz.case import Case, Fault, Fuzzer, demand

NAMES = [
    "y", "p", "Y", "truth", "true label", " y", "y ", "é", "日本", "a,b", "a;b", 'say "x"', "it's", "1", "0.5", "c0",
    "row", "filename", "select", "NULL", "NA", "%", "100%", "a|b", "tab\there", "-", "#", "p.1", "[x]", "{y}", "\\",
    "$y", "weight", "scores", "group", "Größe", "🙂", "x" * 70, "true", "*", "a\nb", "', 1); --", "h0", "n0",
]  # fmt: skip
LABELS: dict[str, list[Any]] = {
    "numbers": [0, 1, 2, 3, -1, 17, 250, 10**9],
    "two numbers": [0, 1],
    "flags": [False, True],
    "text": ["a", "b", "c", "spam", "ham", "not spam"],
    "two texts": ["no", "yes"],
    "unicode": ["é", "e\u0301", "ß", "日本", "🙂", "Ä", "a\u200bb", "\u00a0"],
    "nasty": ["a,b", "a;b", "a|b", "a\tb", 'say "x"', "it's", " a", "a ", "#a", "a\\", "?", "%", "@data",
        "{1 a}", "''", "a b"],
    "lines": ["a\nb", "a\r\nb", "c"],
    "like numbers": ["01", "1", "1.0", "1e3", "1000", "+1", "-0", "0", "5.", ".5e1", "1_000", "0x10", "1٣", "13", "١"],
    "large": ["12345678901234567890", "9007199254740993", "9007199254740992",
        "123456789012345678", "1e400", "1e15", "7"],
    "half numbers": [1, 2, "x"],
    "reals": ["0.5", "1", "2"],
    "flag words": ["true", "FALSE", "True", "false", "0", "1"],
    "flags and more": ["true", "false", "2"],
    "missing words": ["NA", "nan", "None", "null", "a", "n/a", "N/A", "NaN", "inf"],
    "control": ["a\x1b[31m", "b\x07", "c\u2028d", "\ufeffa", "<b>x</b>", "=1+1"],
    "one": ["only"],
    "one number": [1],
}  # fmt: skip
ENDINGS = {
    "csv": ["csv", "txt", "CSV"],
    "tsv": ["tsv", "tab"],
    "jsonl": ["jsonl", "ndjson", "json"],
    "parquet": ["parquet", "pq"],
    "arff": ["arff"],
}
TYPES = {
    "string": ["string", "large_string", "dictionary"],
    "double": ["double", "double", "float"],
    "int64": ["int64", "int8", "int16", "int32", "uint8", "uint64", "double"],
}
KINDS = ["csv", "csv", "csv", "tsv", "jsonl", "jsonl", "parquet", "arff"]


class Files(Fuzzer):
    name = "files"
    title = "generated files, read and assessed, against plain Python that shares no code"
    full = 20_000
    limit = 10.0

    def run(self, case: Case) -> int:
        files = _generate(case, self.folder)
        case.say(files)
        try:
            expected = files.expected()
        except oracle.Bad as bad:
            expected = None
            case.say(f"oracle: refused, {bad}")
        try:
            actual = files.actual()
        except howsure.HowsureError as error:
            demand(expected is None or files.is_odd, f"refused a valid file: {error}")
            sentence = str(error)
            demand("\n" not in sentence and sentence.rstrip().endswith((".", "?")), f"not a sentence: {sentence!r}")
            return 1
        finally:
            for path in self.folder.iterdir():
                path.unlink()
        demand(expected is not None, f"accepted an invalid file, as {actual}")
        _check_equal(actual, expected)
        return 1


@dataclass
class GeneratedFiles:
    """Generated files, and the call that reads them."""

    paths: list[Path]
    kind: str
    separator: str
    data: Any
    roles: dict[str, Any]
    is_odd: bool = False  # may be accepted or refused

    def __str__(self) -> str:
        contents = "; ".join(f"{path.name}: {path.read_bytes()[:300]!r}" for path in self.paths)
        return f"{self.roles} of {contents}"

    def table(self) -> oracle.Table:
        tables = [oracle.read(path.read_bytes(), self.kind, self.separator) for path in self.paths]
        names = [name for role in self.roles.values() for name in ([role] if isinstance(role, str) else role)]
        names = list(dict.fromkeys(names))
        self.is_odd = any(table.is_odd for table in tables)
        rows = [row for table in tables for row in zip(*(table.column(name) for name in names), strict=True)]
        return oracle.Table(names, [list(row) for row in rows], tables[0].is_text, tables[0].words)

    def expected(self) -> dict[str, Any]:
        table = self.table()
        if not table.rows:
            raise oracle.Bad("no rows")
        weights, whole = [Fraction(1)] * len(table.rows), True
        if "weight" in self.roles:
            weights, whole = oracle.weights_of(table.column(self.roles["weight"]))
        kept = [row for row, weight in enumerate(weights) if weight]
        weights = [weights[row] for row in kept]
        if "classifiers" in self.roles:
            return _compared(table, self.roles, kept)
        roles = [role for role in ("truth", "predicted") if role in self.roles]
        names = list(dict.fromkeys(self.roles[role] for role in roles))
        columns = dict(zip(names, oracle.labels_of(table, names, kept), strict=True))
        truth = columns[self.roles["truth"]]
        predicted = columns[self.roles["predicted"]] if "predicted" in roles else None
        scores = None
        if "scores" in self.roles:
            score_names = [self.roles["scores"]] if isinstance(self.roles["scores"], str) else self.roles["scores"]
            scores = [oracle.numbers_of([cells[row] for row in kept]) for cells in map(table.column, score_names)]
        _check_common(truth, predicted or [])
        classes = _classes([truth, predicted or []])
        cases = _Cases(truth, predicted, scores, self.roles.get("scores"), weights, whole, classes)
        if "by" not in self.roles:
            return cases.numbers()
        (groups,) = oracle.labels_of(table, [self.roles["by"]], kept, refuse_scores=False)
        cases.decide()
        rows: dict[Any, list[int]] = {}
        for row, group in enumerate(groups):
            rows.setdefault(group, []).append(row)
        return {"groups": {group: cases.of(members).numbers() for group, members in rows.items()}}

    def actual(self) -> dict[str, Any]:
        roles = dict(self.roles)
        if "classifiers" in roles:
            compared = howsure.compare(roles["truth"], roles["classifiers"], data=self.data)
            return {
                "accuracies": [estimate.value for estimate in compared.values.values()],
                "difference": compared.pairs[0].difference.value,
                "ratio": compared.pairs[0].effect,
                "p-value": compared.pairs[0].test.pvalue,
            }
        result: Any = howsure.assess(data=self.data, **roles)
        if "by" not in roles:
            return _numbers(result)
        return {"groups": {group: _numbers(result[group]) for group in result}}


def _numbers(a: howsure.Assessment) -> dict[str, Any]:
    """Return the numbers of Howsure by the names of the oracle."""
    numbers = {
        "labels": list(a.labels),
        "cells": (a.confusion.counts / a.confusion.n).tolist(),
        "n": a.n,
        **{name: a[name].value for name in ("accuracy", "kappa", "mcc")},
        **{
            f"{average} {name}": a.estimate(name, average=average).value
            for average in ("macro", "micro")
            for name in ("recall", "precision")
        },
    }
    if "auc" in a and len(a.labels) == 2:
        numbers["auc"] = a["auc"].value
        numbers["brier"] = a["brier"].value
    return numbers


@dataclass
class _Cases:
    """Rows of positive weight."""

    truth: list[Any]
    predicted: Any  # None if predictions follow from scores
    scores: Any  # one list per column
    names: Any  # of these columns, until they are sorted by class
    weights: list[Any]
    whole: bool
    classes: list[Any]

    def of(self, rows: Sequence[int]) -> _Cases:
        scores = self.scores and [[column[row] for row in rows] for column in self.scores]
        truth, predicted, weights = (
            [column[row] for row in rows] for column in (self.truth, self.predicted, self.weights)
        )
        return _Cases(truth, predicted, scores, self.names, weights, self.whole, self.classes)

    def decide(self) -> None:
        """Sort the columns of scores by class (or keep that of the positive class), and predict from them."""
        if self.scores is None:
            return
        k, columns = len(self.classes), self.scores
        if len(columns) == 1 and k != 2:
            raise oracle.Bad("one column of scores, but not two classes")
        if len(columns) > 1:
            if len(columns) != k:
                raise oracle.Bad("not as many columns as classes")
            labels = list(map(str, self.classes))
            if set(labels) == set(self.names):
                columns = [columns[self.names.index(label)] for label in labels]
            elif set(labels) & set(self.names):
                raise oracle.Bad("some columns are named like classes, and some are not")
        if k == 2:
            column = columns[-1]
            limit = 0.5 if all(0 <= score <= 1 for score in column) else 0.0
            decided = [self.classes[score >= limit] for score in column]
            self.scores = [column]
        else:
            rows = zip(*columns, strict=True)
            decided = [self.classes[max(range(k), key=row.__getitem__)] for row in rows]
            self.scores = columns
        self.names = None
        self.predicted = decided if self.predicted is None else self.predicted

    def numbers(self) -> dict[str, Any]:
        if self.names is not None:
            self.decide()
        cells: Counter[Any] = Counter()
        for truth, predicted, weight in zip(self.truth, self.predicted, self.weights, strict=True):
            cells[truth, predicted] += weight
        total = sum(self.weights)
        numbers = {
            "labels": self.classes,
            "cells": [[float(cells[row, column] / total) for column in self.classes] for row in self.classes],
            "n": int(total) if self.whole else len(self.truth),
            **oracle.label_measures(cells, self.classes),
        }
        if self.scores is not None and len(self.classes) == 2:
            flags = [truth == self.classes[1] for truth in self.truth]
            numbers["auc"] = oracle.auc(flags, self.scores[0], self.weights)
            if all(0 <= score <= 1 for score in self.scores[0]):
                numbers["brier"] = oracle.brier(flags, self.scores[0], self.weights)
        return numbers


def _classes(columns: Sequence[Sequence[Any]]) -> list[Any]:
    labels = sorted({value for column in columns for value in column})
    if len(labels) > 1 or not isinstance(labels[0], int) or labels[0] not in (0, 1):
        return labels
    return [False, True] if isinstance(labels[0], bool) else [0, 1]  # two classes, even if one does not occur


def _check_common(truth: Sequence[Any], predicted: Sequence[Any]) -> None:
    if len(set(truth)) > 1 and len(set(predicted)) > 1 and set(truth).isdisjoint(predicted):
        raise oracle.Bad("no label in common")


def _compared(table: oracle.Table, roles: dict[str, Any], kept: Sequence[int]) -> dict[str, Any]:
    names = list(dict.fromkeys([roles["truth"], *roles["classifiers"]]))
    columns = dict(zip(names, oracle.labels_of(table, names, kept), strict=True))
    truth, (first, second, *_) = columns[roles["truth"]], (columns[name] for name in roles["classifiers"])
    for name in roles["classifiers"]:
        _check_common(truth, columns[name])
    won, lost = oracle.discordant(truth, first, second)
    n = len(truth)
    return {
        "accuracies": [sum(map(eq, truth, columns[name])) / n for name in roles["classifiers"]],
        "difference": (won - lost) / n,
        "ratio": won / lost if lost else (math.inf if won else 1.0),
        "p-value": oracle.mcnemar(won, lost),
    }


def _check_equal(actual: Any, expected: Any, name: str = "") -> None:
    if isinstance(expected, dict):
        for key, value in expected.items():
            demand(key in actual, f"{name} lacks {key!r}")
            _check_equal(actual[key], value, f"{name} {key}")
        if name.endswith("groups"):
            demand(actual.keys() == expected.keys(), f"groups {list(actual)}, not {list(expected)}")
    elif isinstance(expected, list):
        demand(len(actual) == len(expected), f"{name}: {actual}, not {expected}")
        for pair in zip(actual, expected, strict=True):
            _check_equal(*pair, name)
    elif isinstance(expected, float) and not isinstance(actual, str | bool):
        both_nan = math.isnan(expected) and math.isnan(actual)
        is_close = math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-12)
        demand(both_nan or is_close, f"{name}: {actual}, not {expected}")
    elif actual != expected:
        raise Fault(f"{name}: {actual!r}, not {expected!r}")


# ------------------------------------------------------------------------------------------------ generating files


def _generate(case: Case, folder: Path) -> GeneratedFiles:
    rng = case.rng
    kind = rng.choice(KINDS)
    names = rng.sample(NAMES, 7)
    columns, roles = _columns(rng, case, names)
    rows = _size(rng)
    cells = {name: [draw() for _ in range(rows)] for name, draw in columns.items()}
    for name in cells:
        if case.chance(0.02):
            cells[name][rng.randrange(rows)] = rng.choice([None, "", "abc", "0,5", math.nan])
    if kind == "parquet":
        cells = _typed(rng, cells)
    separator = "\t" if kind == "tsv" else rng.choice(",,;|\t") if kind == "csv" else ","
    several = rng.choice([2, 3]) if case.chance(0.1) and rows >= 3 else 1
    ending = rng.choice(ENDINGS[kind]) + (".gz" if kind != "parquet" and case.chance(0.1) else "")
    paths = []
    for part in range(several):
        path = folder / f"{'part' if several > 1 else rng.choice(['f', 'run[1]', 'a b', 'é', 'y=b'])}{part}.{ending}"
        start, stop = part * rows // several, (part + 1) * rows // several
        rows_of_part = {name: column[start:stop] for name, column in cells.items()}
        content = WRITERS[kind](rng, rows_of_part, separator)
        content = gzip.compress(content, 1, mtime=0) if ending.endswith("gz") else content
        path.write_bytes(_broken(rng, content, kind) if case.chance(0.12) else content)
        paths.append(path)
    data: Any = str(paths[0]) if case.chance(0.5) else paths[0]
    if several > 1:
        data = paths if case.chance(0.5) else str(folder / f"part*.{ending}")
    if case.chance(0.02):
        roles["truth"] = "missing column"
    return GeneratedFiles(paths, kind, separator, data, roles)


def _size(rng: random.Random) -> int:
    return rng.choice([1, 2, 3, 5, 8, 13, 20, 40]) if rng.random() < 0.97 else rng.choice([300, 3000])


def _columns(rng: random.Random, case: Case, names: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Choose the values and the role of each column."""
    pool = LABELS[rng.choice(list(LABELS))]
    pool = rng.sample(pool, rng.randint(1, len(pool)))
    predicted_pool = pool if rng.random() < 0.95 else LABELS[rng.choice(list(LABELS))]
    columns: dict[str, Any] = {names[0]: lambda: rng.choice(pool)}
    roles: dict[str, Any] = {"truth": names[0]}
    if case.chance(0.15):
        columns |= {name: lambda: rng.choice(predicted_pool) for name in names[1:3]}
        return _shuffled(rng, columns), {**roles, "classifiers": names[1:3]}
    if case.chance(0.65):
        columns[names[1]] = lambda: rng.choice(predicted_pool)
        roles["predicted"] = names[1] if case.chance(0.97) else names[0]
    if "predicted" not in roles or case.chance(0.2):
        draw = rng.choice([rng.random, lambda: rng.randrange(5) / 4, lambda: rng.gauss(0, 1),
        lambda: rng.randrange(9),
                           lambda: rng.choice([0.1, 1e-300, -0.0, math.inf, 5e-324, 1 / 3])])  # fmt: skip
        if case.chance(0.2):
            # A class that is written in two ways, such as true and 1, has no unique name.
            by_class = case.chance(0.5) and not {"true", "True", "false", "FALSE"} & set(pool)
            several = list(map(str, pool)) if by_class else names[4:7][: rng.randint(2, 3)]
            roles["scores"] = rng.sample(several, len(several))
            columns |= dict.fromkeys(roles["scores"], draw)
        else:
            roles["scores"] = names[2]
            columns[names[2]] = draw
    if case.chance(0.3):
        roles["weight"] = names[3]
        columns[names[3]] = rng.choice(
            [lambda: rng.randrange(4), lambda: rng.random() * 3, lambda: rng.choice([0.0, 1.0, 2.0, 0.1]),
             lambda: rng.choice([0, 10**6]), lambda: rng.choice([1e-200, 2e-200]), lambda: rng.randrange(-1, 30)]
        )  # fmt: skip
    if case.chance(0.15):
        groups = LABELS[rng.choice(list(LABELS))]
        roles["by"] = names[4]
        columns.setdefault(names[4], lambda: rng.choice(groups))
    if case.chance(0.3):
        columns.setdefault(names[5], lambda: rng.choice(["", 1, "x, y", None]))
    if len(columns) == 1:
        columns["other"] = lambda: 1  # in a single column, a blank line may be a missing value or nothing
    return _shuffled(rng, columns), roles


def _shuffled(rng: random.Random, columns: dict[str, Any]) -> dict[str, Any]:
    return {name: columns[name] for name in rng.sample(list(columns), len(columns))}


def _broken(rng: random.Random, content: bytes, kind: str) -> bytes:
    """Damage the bytes; the oracle decides whether the file is still valid."""
    offset = rng.randrange(len(content))
    if kind == "parquet":
        return content[:offset]
    lines = content.splitlines(keepends=True)
    line = rng.randrange(len(lines))
    end = b"\r\n" if lines[0].endswith(b"\r\n") else b"\n"
    return rng.choice(
        [
            content[:offset],
            content[:offset] + b"\xff\xfe" + content[offset:],
            b"".join(lines[:line] + lines[line + 1 :]),
            b"".join([*lines[:line], lines[line].rstrip(b"\r\n") + b",9" + end, *lines[line + 1 :]]),
            b"# made by hand" + end + content,
            b"",
            content[:offset] + b'"' + content[offset:],
            content + content[:offset],
            content.decode(errors="replace").encode("utf-16"),
        ]
    )


def _write_csv(rng: random.Random, columns: dict[str, list[Any]], separator: str) -> bytes:
    out = io.StringIO()
    ends = rng.choice(["\n", "\n", "\r\n"])
    writer = csv.writer(
        out, delimiter=separator, lineterminator=ends, quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    )
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    text = out.getvalue()
    if rng.random() < 0.1:
        text = text.removesuffix(ends)
    if rng.random() < 0.05:
        text = rng.choice([f"sep={separator}{ends}", ends]) + text
    return text.encode("utf-8-sig" if rng.random() < 0.1 else "utf-8")


def _write_jsonl(rng: random.Random, columns: dict[str, list[Any]], _: str) -> bytes:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for row in rows:
        for name in [name for name, cell in row.items() if cell is None and rng.random() < 0.5]:
            del row[name]  # a missing key is the same as null
    ascii_only = rng.random() < 0.5
    texts = [json.dumps(row, ensure_ascii=ascii_only) for row in rows]
    if rng.random() < 0.15:
        return ("[" + ",\n".join(texts) + "]").encode()
    return "".join(text + rng.choice(["\n", "\n", "\n", "\n\n"]) for text in texts).encode()


def _typed(rng: random.Random, columns: dict[str, list[Any]]) -> dict[str, Any]:
    """Convert columns to random types of Parquet."""
    arrays = {}
    for name, column in columns.items():
        try:
            array = pa.array(column)
        except (pa.ArrowException, TypeError):
            array = pa.array([None if cell is None else str(cell) for cell in column])
        for kind in rng.sample(TYPES.get(str(array.type), [str(array.type)]), 1):
            with suppress(pa.ArrowException):  # such as 250 to int8
                array = array.dictionary_encode() if kind == "dictionary" else array.cast(kind)
        arrays[name] = array
    return arrays


def _write_parquet(rng: random.Random, columns: dict[str, Any], _: str) -> bytes:
    out = io.BytesIO()
    packing, rows = rng.choice(["none", "snappy", "zstd"]), rng.choice([2, 1000])
    parquet.write_table(pa.table(columns), out, compression=packing, row_group_size=rows)
    return out.getvalue()


def _write_arff(rng: random.Random, columns: dict[str, list[Any]], _: str) -> bytes:
    def quoted(cell: Any) -> str:
        if cell is None or cell == "":
            return "?"
        text, quote = str(cell), rng.choice("'\"")
        if isinstance(cell, int | float) and rng.random() < 0.7:
            return text
        for letter, escape in (("\\", "\\\\"), (quote, "\\" + quote), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
            text = text.replace(letter, escape)
        return f"{quote}{text}{quote}"

    lines = ["% made", "@RELATION r", *(f"@attribute {quoted(name)} string" for name in columns), "", "@data"]
    lines += [rng.choice([",", ", "]).join(map(quoted, row)) for row in zip(*columns.values(), strict=True)]
    return ("\n".join(lines) + "\n").encode()


WRITERS: dict[str, Any] = {
    "csv": _write_csv, "tsv": _write_csv, "jsonl": _write_jsonl, "parquet": _write_parquet, "arff": _write_arff,
}  # fmt: skip
