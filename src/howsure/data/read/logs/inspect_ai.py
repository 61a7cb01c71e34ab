"""Read logs of inspect_ai: an archive (`.eval`) or a JSON file.

Only an archive's header and sample summaries are read, which have no transcripts. If a log is still being written or
was interrupted, its journal has them in pieces. Early summaries lack the metadata of samples, which are then read from
the samples.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from howsure.data.read.column_names import shorten
from howsure.data.read.compression import open_bytes
from howsure.data.read.logs.archive import MAX_MEMBER, Archive, open_archive
from howsure.data.read.logs.choose import Choice, choose, refuse_choice
from howsure.data.read.logs.log import EvaluationLog, Origin, Samples, make_log
from howsure.data.read.logs.outcomes import ERROR, REASONS
from howsure.data.read.logs.parse import parse
from howsure.errors import HowsureError, counted, listing

VERSIONS = (1, 2)  # known versions of the format
NUMBER = re.compile(r"_journal/summaries/(\d{1,9})\.json")


def read_inspect_archive(path: str, choice: Choice, missing: str | None) -> EvaluationLog:
    with open_archive(path) as archive:
        header = _header(archive)
        rows = _summaries(archive)
        if rows and not any("metadata" in row for row in rows):
            rows = [{**row, "metadata": _metadata(archive, row)} for row in rows]
        return _make(path, header, rows, choice, missing)


def read_inspect_json(path: str, choice: Choice, missing: str | None) -> EvaluationLog:
    with open_bytes(path, path) as file:
        content = file.read(MAX_MEMBER + 1)
    if len(content) > MAX_MEMBER:
        raise HowsureError(
            f"{path!r} must not exceed {MAX_MEMBER / 1e9:g} GB; convert it with `inspect log convert` into an "
            "archive, which may be larger."
        )
    header = _object(parse(content, repr(path)), repr(path))
    return _make(path, header, _rows(header.get("samples") or [], repr(path)), choice, missing)


def _header(archive: Archive) -> Mapping[str, Any]:
    """Return the header or, if there is none, the start of the journal."""
    for name, status in (("header.json", None), ("_journal/start.json", "started")):
        if name in archive:
            header = _load_object(archive, name)
            return header if status is None else {**header, "status": status}
    raise HowsureError(f"{archive.path!r} is not a log of inspect_ai: it has no member 'header.json'.")


def _summaries(archive: Archive) -> list[Any]:
    """Return all sample summaries, using the latest from a journal."""
    if "summaries.json" in archive:
        return _rows_of(archive, "summaries.json")
    numbered = ((NUMBER.fullmatch(name), name) for name in archive.names("_journal/summaries/"))
    pieces = sorted((int(match[1]), name) for match, name in numbered if match)
    if pieces:
        rows = chain.from_iterable(_rows_of(archive, name) for _, name in pieces)
        return list({(str(row.get("id")), str(row.get("epoch"))): row for row in rows}.values())
    return [_sample(archive, name) for name in archive.names("samples/")]


def _rows_of(archive: Archive, name: str) -> list[Any]:
    title = archive.title(name)
    return _rows(parse(archive.read(name), title), title)


def _load_object(archive: Archive, name: str) -> dict[str, Any]:
    title = archive.title(name)
    return _object(parse(archive.read(name), title), title)


def _sample(archive: Archive, name: str) -> dict[str, Any]:
    """Read a sample without its transcript."""
    sample = _load_object(archive, name)
    kept = ("id", "epoch", "target", "metadata", "scores", "score", "error")
    return {key: sample[key] for key in kept if key in sample}


def _metadata(archive: Archive, row: Mapping[str, Any]) -> Any:
    name = f"samples/{row.get('id')}_epoch_{row.get('epoch')}.json"
    return _load_object(archive, name).get("metadata") if name in archive else {}


def _object(value: Any, title: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise HowsureError(f"{title} must hold an object, not {shorten(repr(value))}.")
    return value


def _rows(value: Any, title: str) -> list[Any]:
    if not isinstance(value, list) or not set(map(type, value)) <= {dict}:
        raise HowsureError(f"{title} must hold a list of samples.")
    return value


def _pick(rows: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    return [row.get(key) for row in rows]


def _part(header: Mapping[str, Any], *keys: str) -> Any:
    """Return a nested value of a header, or None."""
    value: Any = header
    for name in keys:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _make(path: str, header: Mapping[str, Any], rows: list[Any], choice: Choice, missing: str | None) -> EvaluationLog:
    refuse_choice("filter", choice.filter, "a log of inspect_ai, which has scorers")
    origin = _origin(path, header)
    scorer, scores = _scores(path, header, rows, choice)
    metric, values = _values(scorer, scores, choice)
    samples = Samples(
        case=_pick(rows, "id"),
        repeat=_pick(rows, "epoch"),
        value=values,
        target=list(map(_target, _pick(rows, "target"))),
        answer=_pick(scores, "answer"),
        fields=list(map(_fields, _pick(rows, "metadata"))),
        outcomes=_outcomes(rows, scores),
        epochs=_epochs(header),
    )
    return make_log(replace(origin, scorer=scorer, metric=metric), samples, missing, _notes(header, samples))


def _scores(path: str, header: Mapping[str, Any], rows: list[Any], choice: Choice) -> tuple[str | None, list[Any]]:
    """Return the scorer and its score for each sample, if any, else {}."""
    by_scorer = [row.get("scores") or _single_score(row, header) for row in rows]
    if not set(map(type, by_scorer)) <= {dict}:
        raise HowsureError(f"the scores of each sample in {path!r} must be an object.")
    scorer = choice.scorer  # if no sample has a score, for example after errors, there is nothing to choose from
    if any(by_scorer):
        scorer = choose("scorer", choice.scorer, dict.fromkeys(chain.from_iterable(by_scorer)))
    scores = [row.get(scorer) or {} for row in by_scorer]
    if not set(map(type, scores)) <= {dict}:
        raise HowsureError(f"each score of {scorer!r} in {path!r} must be an object.")
    return scorer, scores


def _values(scorer: str | None, scores: list[Any], choice: Choice) -> tuple[str | None, list[Any]]:
    """Return the metric, if there are several, and each score's value."""
    values = _pick(scores, "value")
    if dict not in set(map(type, values)):
        refuse_choice("metric", choice.metric, f"the scorer {scorer!r}, which gives one value")
        return None, values
    metrics = chain.from_iterable(value for value in values if type(value) is dict)
    metric = choose("metric", choice.metric, dict.fromkeys(metrics))
    return metric, [value.get(metric) if type(value) is dict else _missing_value(value) for value in values]


def _origin(path: str, header: Mapping[str, Any]) -> Origin:
    version = header.get("version")
    if version not in VERSIONS:
        raise HowsureError(
            f"{path!r} is a log of inspect_ai in version {shorten(repr(version))} of its format; "
            "the known versions are 1 and 2."
        )
    package = _part(header, "eval", "packages", "inspect_ai")
    written = f" (inspect_ai {package})" if isinstance(package, str) else ""
    task, model, status = _part(header, "eval", "task"), _part(header, "eval", "model"), header.get("status")
    return Origin(path, "inspect_ai", f"{version}{written}", str(task or ""), str(model or ""), str(status))


def _single_score(row: Mapping[str, Any], header: Mapping[str, Any]) -> Any:
    """Return the single score of a sample in a 2024 log, by scorer."""
    if not row.get("score"):
        return {}
    return {str(_part(header, "results", "scorer", "name") or "score"): row["score"]}


def _missing_value(value: Any) -> Any:
    """Return a missing value, or a list, which is rejected later."""
    return value if value is None or value == "N" or value != value else [value]


def _target(target: Any) -> Any:
    if isinstance(target, list):
        return target[0] if len(target) == 1 else ", ".join(map(str, target))
    return target


def _fields(metadata: Any) -> Any:
    return metadata if isinstance(metadata, dict) else {}


def _outcomes(rows: Sequence[Any], scores: Sequence[Any]) -> dict[int, int]:
    """Return the outcomes of answers with a reason or an error, by row."""
    outcomes = {}
    for row, score in enumerate(scores):
        if "reason" in score or "metadata" in score:
            reason = score.get("reason")
            if reason is None and type(score.get("metadata")) is dict:
                reason = score["metadata"].get("unscored_reason")  # used by releases of early 2026
            if type(reason) is str and reason in REASONS:
                outcomes[row] = REASONS[reason]
    outcomes.update({row: ERROR for row, sample in enumerate(rows) if sample.get("error")})
    return outcomes


def _epochs(header: Mapping[str, Any]) -> int:
    epochs = _part(header, "eval", "config", "epochs")
    return epochs if type(epochs) is int and epochs > 0 else 1


def _notes(header: Mapping[str, Any], samples: Samples) -> list[str]:
    """Return notes if a log is incomplete or invalid."""
    notes = []
    if header.get("status") != "success":
        notes.append(
            f"The evaluation did not finish successfully: its status is {shorten(str(header.get('status')))!r}."
        )
    if header.get("invalidated"):
        notes.append("The log is marked as invalid, in whole or in part.")
    ids = _part(header, "eval", "dataset", "sample_ids")
    if isinstance(ids, list):
        lacking = [repr(shorten(case)) for case in _lacking(ids, samples.case)]
        if lacking:
            notes.append(f"{counted(len(lacking), 'sample', 'is', of=len(ids))} not in the log: {listing(lacking)}.")
    return notes


def _lacking(ids: list[Any], cases: list[Any]) -> list[Any]:
    """Return the header's ids that no sample has, compared as text."""
    if not set(map(type, chain(ids, cases))) <= {int, str} or set(ids) <= set(cases):
        return []
    present = set(map(str, cases))
    return [case for case in ids if str(case) not in present]
