"""Read logs of lm-evaluation-harness, `samples_*.jsonl`.

Newer releases name the filter and the metrics in each object. Older releases name neither: all other keys are metrics,
and a log with several filters is rejected, since it has each document several times. The oldest releases write a list
instead of lines.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from howsure.data.read.column_names import shorten
from howsure.data.read.compression import BYTE_ORDER_MARK, open_bytes
from howsure.data.read.logs.archive import MAX_MEMBER
from howsure.data.read.logs.choose import Choice, choose, refuse_choice
from howsure.data.read.logs.columns import LONGEST
from howsure.data.read.logs.log import EvaluationLog, Origin, Samples, make_log
from howsure.data.read.logs.outcomes import UNANSWERED, UNPARSED
from howsure.data.read.logs.parse import parse
from howsure.errors import HowsureError

MAX_LINE = 64 * 10**6  # maximum number of bytes in a line
INVALID = "[invalid]"  # written by filters for answers that they cannot parse
MAX_RESULTS = 16 * 10**6  # maximum number of bytes in a results file
NAME = re.compile(r"samples_(.+?)(?:_(\d{4}-\d\d-\d\dT[\d.:-]+))?\.jsonl?(?:\.gz)?", re.DOTALL)
HASHES = ("doc_hash", "prompt_hash", "target_hash")
NO_METRICS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", *HASHES}


class Row(NamedTuple):
    case: Any
    target: Any
    answer: str | None
    fields: Mapping[str, Any]
    metrics: Mapping[str, Any]
    filter: str | None


def read_harness(path: str, choice: Choice, missing: str | None) -> EvaluationLog:
    refuse_choice("scorer", choice.scorer, "a log of lm-evaluation-harness, which has metrics and filters")
    rows = _rows(path)
    if not rows:
        raise HowsureError(f"{path!r} must hold at least one sample, but it has none.")
    chosen = choose("filter", choice.filter, dict.fromkeys(row.filter for row in rows if row.filter is not None))
    rows = [row for row in rows if row.filter == chosen]
    metric = choose("metric", choice.metric, dict.fromkeys(chain.from_iterable(row.metrics for row in rows)))
    if metric is None:
        raise HowsureError(f"{path!r} must hold a metric, but it has none.")
    _refuse_unnamed_filters(path, rows, chosen)
    return make_log(_origin(path, metric, chosen), _samples(rows, metric), missing)


def _origin(path: str, metric: str, chosen: str | None) -> Origin:
    """Read the task from a log's name, and more from its results file."""
    match = NAME.fullmatch(os.path.basename(path))
    task, written_at = match.groups() if match else ("", None)
    results = _results(os.path.join(os.path.dirname(path), f"results_{written_at}.json")) if written_at else {}
    config = results.get("config")
    model = results.get("model_name") or (config.get("model") if type(config) is dict else None)
    version = results.get("lm_eval_version") or ("with filters" if chosen is not None else "without filters")
    return Origin(path, "lm-evaluation-harness", str(version), task, str(model or ""), metric=metric, filter=chosen)


def _results(path: str) -> dict[str, Any]:
    """Read the results of a run, if possible; scores do not need them."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > MAX_RESULTS:
            return {}
        with open_bytes(path, path) as file:
            results = parse(file.read(MAX_RESULTS), repr(path))
    except (OSError, HowsureError):
        return {}
    return results if type(results) is dict else {}


def _rows(path: str) -> list[Row]:
    """Read a log line by line."""
    rows: list[Row] = []
    number = 0
    with open_bytes(path, path) as file:
        while line := file.readline(MAX_LINE + 1):
            number += 1
            if not rows and line.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"["):
                return _list(line + file.read(MAX_MEMBER), path)
            if len(line) > MAX_LINE:
                raise HowsureError(f"line {number} of {path!r} must have at most {MAX_LINE // 10**6} MB.")
            if not line.isspace():
                rows.append(_row(parse(line, f"line {number} of {path!r}"), path))
    return rows


def _list(content: bytes, path: str) -> list[Row]:
    if len(content) > MAX_MEMBER:
        raise HowsureError(f"{path!r} must not exceed {MAX_MEMBER / 1e9:g} GB, or hold an object in each line.")
    return [_row(value, path) for value in parse(content, repr(path))]


def _row(value: Any, path: str) -> Row:
    """Keep the relevant parts of an object, without long texts."""
    if type(value) is not dict or "doc_id" not in value:
        raise HowsureError(f"{path!r} must hold an object with a 'doc_id' for each sample, not {shorten(repr(value))}.")
    named, fields, chosen = value.get("metrics"), value.get("doc"), value.get("filter")
    if type(named) is not list:
        named = [name for name in value if name not in NO_METRICS]
    fields = {name: _short(cell) for name, cell in fields.items()} if type(fields) is dict else {}
    return Row(
        value["doc_id"],
        value.get("target"),
        _answer(value.get("filtered_resps")),
        fields,
        {name: value.get(name) for name in named if type(name) is str},
        chosen if type(chosen) is str else None,
    )


def _short(cell: Any) -> Any:
    return cell if type(cell) is not str or len(cell) <= LONGEST else ()


def _answer(responses: Any) -> Any:
    """Return the answer that was scored, if it is text."""
    if type(responses) is list and len(responses) == 1:
        responses = responses[0]
    return responses[:LONGEST] if type(responses) is str else None


def _refuse_unnamed_filters(path: str, rows: list[Row], chosen: str | None) -> None:
    """Reject a log that repeats documents because of unnamed filters."""
    times = set(Counter(str(row.case) for row in rows).values()) if chosen is None else {1}
    if len(times) == 1 and times != {1}:
        raise HowsureError(
            f"{path!r} has each sample {times.pop()} times, since older releases of lm-evaluation-harness write "
            "several filters without their names; run the task again with one filter, or with a newer release."
        )


def _samples(rows: list[Row], metric: str) -> Samples:
    answers = [row.answer for row in rows]
    kinds = {"": UNANSWERED, INVALID: UNPARSED}
    return Samples(
        case=[row.case for row in rows],
        repeat=[1] * len(rows),
        value=[row.metrics.get(metric) for row in rows],
        target=[_target(row.target) for row in rows],
        answer=answers,
        fields=[row.fields for row in rows],
        outcomes={row: kinds[answer] for row, answer in enumerate(answers) if answer in kinds},
    )


def _target(target: Any) -> Any:
    return str(target) if type(target) is int else target
