"""Logs of model evaluations: those that the real packages wrote, and the policy on answers without a score."""

from __future__ import annotations

import gzip
import json
import math
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from howsure import HowsureError
from howsure.data.read.logs import is_log, pair_logs, read_log
from howsure.data.read.logs.archive import open_archive
from howsure.data.read.logs.outcomes import OUTCOMES

LOGS = Path(__file__).parent.parent / "data" / "logs"  # tests/data/logs/README.md says what wrote them
OF_INSPECT = ("0.3.60", "0.3.130", "0.3.285")
HEADER = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
NAN = math.nan


def inspect_log(name, release="0.3.285"):
    return LOGS / f"inspect_ai-{release}" / name


def harness_log(task, release="0.4.13"):
    (path,) = (LOGS / f"lm_eval-{release}").glob(f"samples_{task}_*.jsonl")
    return path


def write_archive(path, samples, header=HEADER, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("summaries.json", json.dumps(samples))
    return path


def sample(name, value, epoch=1, **more):
    return {"id": name, "epoch": epoch, "target": "x", "metadata": {}, "scores": {"s": {"value": value}}, **more}


def by_case(log):
    return dict(zip(log.case.tolist(), log.score.tolist(), strict=True))


@pytest.mark.parametrize("path", sorted(LOGS.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name[:20]}")
def test_every_log_is_known_by_its_content(path, tmp_path):
    assert is_log(path)
    other = tmp_path / "without an ending"
    other.write_bytes(path.read_bytes())
    assert is_log(other)


def test_what_is_no_log(tmp_path):
    assert not is_log(tmp_path)
    assert not is_log(tmp_path / "nothing")
    with zipfile.ZipFile(tmp_path / "other.eval", "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    (tmp_path / "empty.eval").write_bytes(b"")
    (tmp_path / "short.eval").write_bytes(b"PK\3\4")
    (tmp_path / "table.jsonl").write_text('{"y": 1, "p": 0}\n')
    (tmp_path / "documents.jsonl").write_text('{"doc_id": 1, "y": 1, "p": 0}\n')
    (tmp_path / "other.json").write_text('{"version": 2, "rows": []}')
    (tmp_path / "gzip.jsonl").write_bytes(b"\x1f\x8bnothing of the kind")
    for path in tmp_path.iterdir():
        assert not is_log(path)
        with pytest.raises(HowsureError, match=r"is not a log of inspect_ai or of lm-evaluation-harness\.$"):
            read_log(path)
    with pytest.raises(HowsureError, match=r"^there is no file '.*nothing'\.$"):
        read_log(tmp_path / "nothing")


@pytest.mark.parametrize("release", OF_INSPECT)
def test_letters(release):
    log = read_log(inspect_log("letters.eval", release))
    assert (log.format, log.version, log.task, log.model) == (
        "inspect_ai", f"2 (inspect_ai {release})", "letters", "mockllm/model",
    )  # fmt: skip
    assert log.origin.scorer == "letters"
    assert log.case.tolist() == ["ask", "sky", "sea", "rain"]
    assert log.repeat.tolist() == [1, 1, 1, 1]
    assert log.score.tolist() == [1, 1, 0.5, 0]  # its mean, 0.625, is the accuracy in the log's own results
    assert log.outcome.tolist() == ["scored", "scored", "partial", "unanswered"]
    assert log.counts() == {"scored": 2, "partial": 1, "unanswered": 1}
    assert log.answer.tolist() == ["4", "blue", "grey", ""]
    assert log.target.tolist() == ["4", "blue", "blue", "wet"]
    assert {name: column.tolist() for name, column in log.columns.items()} == {
        "topic": ["sums", "nature", "nature", "nature"],
        "level": [3, 3, 3, 4],
        "hard": [False, False, True, False],
    }
    assert log.notes == ("1 of 4 answers was counted as wrong: 1 unanswered.",)


@pytest.mark.parametrize("release", ["0.3.60", "0.3.285"])
def test_an_archive_and_a_json_file_are_the_same(release):
    one, other = (read_log(inspect_log(f"letters.{ending}", release)) for ending in ("eval", "json"))
    assert by_case(one) == by_case(other)
    assert one.version == other.version
    assert set(one.columns) == set(other.columns)
    assert pair_logs(one, other).logs[1].columns["topic"].tolist() == one.columns["topic"].tolist()


def test_missing_answers_are_wrong_or_dropped():
    path = inspect_log("letters.eval")
    assert read_log(path, missing="wrong").score.tolist() == [1, 1, 0.5, 0]
    dropped = read_log(path, missing="drop")
    np.testing.assert_array_equal(dropped.score, [1, 1, 0.5, NAN])
    assert dropped.notes == ("1 of 4 answers was left out: 1 unanswered.",)


@pytest.mark.parametrize("release", OF_INSPECT)
def test_an_error_is_left_out_unless_told_otherwise(release):
    path = inspect_log("failed.eval", release)
    log = read_log(path)
    np.testing.assert_array_equal(log.score, [1, 1, NAN, 0])
    assert log.outcome[2] == "error"
    assert log.notes == ("1 of 4 answers was left out: 1 error.",)
    assert read_log(path, missing="wrong").score.tolist() == [1, 1, 0, 0]
    # From 2026 on inspect_ai tells why an answer is wrong; the score stays the scorer's.
    assert log.outcome[3] == ("unanswered" if release == "0.3.285" else "scored")


def test_reasons():
    path = inspect_log("sometimes.eval")
    log = read_log(path)
    np.testing.assert_array_equal(log.score, [1, NAN, 0, 0])
    assert log.outcome.tolist() == ["scored", "unscored", "unparsed", "refused"]
    assert log.notes == (
        "2 of 4 answers were counted as wrong: 1 refused, 1 unparsed.",
        "1 of 4 answers was left out: 1 unscored.",
    )
    assert read_log(path, missing="wrong").score.tolist() == [1, 0, 0, 0]
    np.testing.assert_array_equal(read_log(path, missing="drop").score, [1, NAN, NAN, NAN])


@pytest.mark.parametrize("release", ["0.3.60", "0.3.285"])
def test_scorers_are_chosen_and_epochs_are_repeats(release):
    path = inspect_log("repeated.eval", release)
    with pytest.raises(HowsureError, match=r"^`scorer` must be chosen: 'match', 'closeness'\.$"):
        read_log(path)
    with pytest.raises(
        HowsureError, match=r"^`scorer` must be one of 'match', 'closeness', not 'mach'; did you mean 'match'\?$"
    ):
        read_log(path, scorer="mach")
    log = read_log(path, scorer="match")
    assert len(log) == 8
    assert log.cases == 4
    scores = dict(zip(zip(log.case.tolist(), log.repeat.tolist(), strict=True), log.score.tolist(), strict=True))
    assert scores == {
        ("ask", 1): 1, ("ask", 2): 0, ("sky", 1): 1, ("sky", 2): 1,
        ("sea", 1): 0, ("sea", 2): 1, ("rain", 1): 0, ("rain", 2): 1,
    }  # fmt: skip
    assert sorted(read_log(path, "closeness").score.tolist()) == [0.25] * 3 + [1] * 5
    assert log.notes == ()


@pytest.mark.parametrize(
    "path", sorted(LOGS.glob("inspect_ai-*/*.eval")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_the_mean_is_the_one_that_the_log_reports(path):
    with open_archive(str(path)) as archive:
        header = json.loads(archive.read("header.json")) if "header.json" in archive else {}
    for result in (header.get("results") or {}).get("scores", []):
        several = result["name"] != result["scorer"]
        log = read_log(path, result["scorer"], result["name"] if several else None, missing="drop" if several else None)
        if path.stem == "sometimes":
            log = read_log(path, missing="drop")  # inspect_ai leaves refusals out; our default does not
        (mean, *_) = result["metrics"].values()
        assert np.nanmean(log.score) == pytest.approx(mean["value"], rel=1e-12)  # sums in another order


@pytest.mark.parametrize("release", ["0.3.130", "0.3.285"])
def test_a_score_of_several_metrics(release):
    path = inspect_log("several.eval", release)
    with pytest.raises(HowsureError, match=r"^`metric` must be chosen: 'right', 'short'\.$"):
        read_log(path)
    assert by_case(read_log(path, metric="right")) == {"ask": 1, "sky": 1, "sea": 0, "rain": 0}
    assert by_case(read_log(path, metric="short")) == {"ask": 1, "sky": 1, "sea": 1, "rain": 1}


def test_choices_that_a_log_does_not_have():
    with pytest.raises(
        HowsureError, match=r"^`metric` must not be given for the scorer 'letters', which gives one value\.$"
    ):
        read_log(inspect_log("letters.eval"), metric="right")
    with pytest.raises(
        HowsureError, match=r"^`filter` must not be given for a log of inspect_ai, which has scorers\.$"
    ):
        read_log(inspect_log("letters.eval"), filter="strict")
    with pytest.raises(
        HowsureError, match=r"^`scorer` must not be given for a log of lm-evaluation-harness, which has met"
    ):
        read_log(harness_log("one_filter"), scorer="match")
    with pytest.raises(HowsureError, match=r"^`missing` must be one of 'wrong', 'drop', not 'keep'\.$"):
        read_log(harness_log("one_filter"), missing="keep")


@pytest.mark.parametrize("release", OF_INSPECT)
def test_a_log_that_was_broken_off(release):
    log = read_log(inspect_log("killed.eval", release))
    assert by_case(log) == {"ask": 1, "sky": 1}
    assert log.origin.status == "started"
    assert log.notes == (
        "The evaluation did not finish successfully: its status is 'started'.",
        "2 of 4 samples are not in the log: 'sea', 'rain'.",
    )
    assert log.columns["topic"].tolist() == ["sums", "nature"]


def test_a_log_that_ended_with_an_error():
    assert read_log(inspect_log("stopped.eval", "0.3.60")).notes == (
        "The evaluation did not finish successfully: its status is 'error'.",
        "2 of 4 samples are not in the log: 'sea', 'rain'.",
    )
    log = read_log(inspect_log("stopped.eval"))
    assert log.notes == (
        "The evaluation did not finish successfully: its status is 'error'.",
        "2 of 4 answers were left out: 2 errors.",
    )


@pytest.mark.parametrize("release", ["0.4.5", "0.4.13"])
def test_harness(release):
    log = read_log(harness_log("one_filter", release))
    assert (log.format, log.task, log.origin.metric) == ("lm-evaluation-harness", "one_filter", "exact_match")
    assert log.origin.filter == ("none" if release == "0.4.13" else None)
    assert log.case.tolist() == [0, 1, 2]
    assert log.case.dtype == np.int64
    assert log.repeat.tolist() == [1, 1, 1]
    assert log.score.tolist() == [0, 1, 0]
    assert log.answer.tolist() == ["lol"] * 3
    assert log.target.tolist() == ["blue", "lol", "4"]
    assert log.columns["topic"].tolist() == ["nature", "manners", "sums"]
    assert log.columns["level"].tolist() == [1, 2, 1]
    assert log.notes == ()


def test_results_beside_a_log_tell_model_and_release(tmp_path):
    path = tmp_path / "samples_a_b_2026-11-18T03-06-58.214187.jsonl"
    path.write_bytes(harness_log("one_filter").read_bytes())
    assert (read_log(path).task, read_log(path).model, read_log(path).version) == ("a_b", "", "with filters")
    beside = tmp_path / "results_2026-11-18T03-06-58.214187.json"
    beside.write_text('{"model_name": "m", "lm_eval_version": "0.4.13"}')
    assert (read_log(path).model, read_log(path).version) == ("m", "0.4.13")
    beside.write_text('{"config": {"model": "dummy"}}')
    assert read_log(path).model == "dummy"
    for content in (b"{", b"[]", b"\xff", b'{"config": 1}'):
        beside.write_bytes(content)
        assert read_log(path).model == ""


def test_filters_are_chosen():
    path = harness_log("two_filters")
    with pytest.raises(HowsureError, match=r"^`filter` must be chosen: 'strict', 'digits'\.$"):
        read_log(path)
    assert read_log(path, filter="strict").score.tolist() == [0, 1, 0]
    digits = read_log(path, filter="digits")
    assert digits.score.tolist() == [0, 0, 0]
    assert digits.counts() == {"unparsed": 3}


def test_filters_without_names_are_refused():
    with pytest.raises(
        HowsureError, match=r"has each sample 2 times, since older releases of lm-evaluation-harness write several"
    ):
        read_log(harness_log("two_filters", "0.4.5"))


@pytest.mark.parametrize("release", ["0.4.5", "0.4.13"])
def test_metrics_are_chosen(release):
    path = harness_log("two_metrics", release)
    with pytest.raises(HowsureError, match=r"^`metric` must be chosen: 'acc', 'acc_norm'\.$"):
        read_log(path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for metric in ("acc", "acc_norm"):
        assert read_log(path, metric=metric).score.tolist() == [row[metric] for row in rows]
    assert read_log(path, metric="acc").answer.tolist() == [None] * 3  # of choices the log has likelihoods


def test_the_oldest_layout_and_gzip(tmp_path):
    rows = [json.loads(line) for line in harness_log("one_filter", "0.4.5").read_text().splitlines()]
    (tmp_path / "list.jsonl").write_text(json.dumps(rows, indent=2))
    assert read_log(tmp_path / "list.jsonl").score.tolist() == [0, 1, 0]
    (tmp_path / "samples_task.jsonl.gz").write_bytes(gzip.compress(harness_log("one_filter").read_bytes()))
    packed = read_log(tmp_path / "samples_task.jsonl.gz")
    assert packed.score.tolist() == [0, 1, 0]
    assert packed.task == "task"


def test_a_log_of_errors_only(tmp_path):
    rows = [sample("a", 0, scores={}, error="broke")]
    for scorer in (None, "s"):
        log = read_log(write_archive(tmp_path / "f.eval", rows), scorer)
        assert (np.isnan(log.score).all(), log.counts()) == (True, {"error": 1})


def test_a_single_score_of_2024(tmp_path):
    header = {**HEADER, "version": 1, "results": {"scorer": {"name": "match"}}}
    rows = [{"id": 1, "epoch": 1, "target": ["a"], "score": {"value": "C", "answer": "a"}, "metadata": {}}]
    (tmp_path / "old.json").write_text(json.dumps({**header, "samples": rows}))
    log = read_log(tmp_path / "old.json")
    assert (log.origin.scorer, log.score.tolist(), log.target.tolist()) == ("match", [1], ["a"])


VALUES = {
    "C": 1, "I": 0, "P": 0.5, "yes": 1, "No": 0, "true": 1, "False": 0, "0.25": 0.25, True: 1, False: 0, 0.75: 0.75,
}  # fmt: skip


def test_values(tmp_path):
    path = write_archive(tmp_path / "f.eval", [sample(n, value) for n, value in enumerate(VALUES)])
    log = read_log(path)
    assert log.score.tolist() == list(VALUES.values())
    assert log.case.tolist() == list(range(len(VALUES)))


def test_a_given_score_stays_whatever_the_reason(tmp_path):
    rows = [
        sample("a", 0, scores={"s": {"value": "C", "reason": "refusal"}}),
        sample("b", 0, scores={"s": {"value": NAN, "metadata": {"unscored_reason": "refusal"}}}),
        sample("c", 0, scores={"s": {"value": 0.5}}, error="score_on_error"),
        sample("d", 0, scores={}),
    ]
    log = read_log(write_archive(tmp_path / "f.eval", rows), missing="drop")
    np.testing.assert_array_equal(log.score, [1, NAN, 0.5, NAN])
    assert log.outcome.tolist() == ["refused", "refused", "error", "unscored"]


def test_epochs_that_some_samples_lack(tmp_path):
    header = {**HEADER, "eval": {**HEADER["eval"], "config": {"epochs": 3}}}
    rows = [sample("a", 1, 1), sample("a", 1, 2), sample("a", 1, 3), sample("b", 1, 1), sample("c", 1, 3)]
    log = read_log(write_archive(tmp_path / "f.eval", rows, header))
    assert log.notes == ("2 of 3 samples lack epochs: 'b' lacks 2, 3, 'c' lacks 1, 2.",)


def test_fields_are_columns_of_one_kind(tmp_path):
    metadata = [
        {"n": 1, "x": 1, "t": "a", "m": 1, "b": True, "list": [1], "long": "x", "big": 10**30, "some": "s", "f": 0.5},
        {"n": 2, "x": 0.5, "t": "a\0", "m": "1", "b": False, "list": 1, "long": "x" * 1001, "big": 1, "f": None},
    ]
    rows = [sample(n, 1, metadata=fields) for n, fields in enumerate(metadata)]
    columns = read_log(write_archive(tmp_path / "f.eval", rows)).columns
    assert {name: column.tolist() for name, column in columns.items() if name != "f"} == {
        "n": [1, 2], "x": [1, 0.5], "t": ["a", "a\0"], "m": ["1", "1"], "b": [True, False],
        "big": [str(10**30), "1"], "some": ["s", None],
    }  # fmt: skip
    np.testing.assert_array_equal(columns["f"], [0.5, NAN])


def test_pairs():
    one = read_log(inspect_log("repeated.eval"), "match")
    other = one.take(np.arange(len(one))[::-1])
    pair = pair_logs(one, other, one)
    assert pair.scores.shape == (8, 3)
    assert (pair.scores == pair.scores[:, :1]).all()
    assert pair.case.tolist() == one.case.tolist()
    assert pair.complete.all()
    assert pair.notes == ()


def test_pairs_that_lack_samples():
    one = read_log(inspect_log("repeated.eval"), "match")
    fewer = one.take(np.flatnonzero((one.case != "sea") & ((one.case != "ask") | (one.repeat == 1))))
    sentence = (
        rf"^the logs must hold the same samples and epochs, but '{re.escape(one.origin.path)}' lacks 3 of 8 answers: "
        r"'sea', 'ask' in epoch 2; `common` keeps the samples that all have\.$"
    )
    with pytest.raises(HowsureError, match=sentence):
        pair_logs(one, fewer)
    pair = pair_logs(one, fewer, common=True)
    assert len(pair) == 5
    assert pair.notes == (f"3 of 8 answers of '{one.origin.path}' were dropped: other logs lack them.",)
    with pytest.raises(HowsureError, match=r"and the logs share no sample\.$"):
        pair_logs(one.take(np.flatnonzero(one.case == "sea")), fewer, common=True)
    with pytest.raises(HowsureError, match=r"^`logs` must be two logs or more, not 1\.$"):
        pair_logs(one)


def test_pairs_say_what_is_odd():
    one, other = read_log(inspect_log("letters.eval")), read_log(inspect_log("failed.eval"))
    pair = pair_logs(one, other)
    assert pair.notes == (
        "The logs are of different tasks: 'letters', 'failed'.",
        "1 of 4 answers is left out of the comparison: a log has no score for it.",
    )
    assert pair.complete.tolist() == [True, True, False, True]


def test_pairs_of_other_targets_and_of_ids_of_another_kind(tmp_path):
    one = read_log(write_archive(tmp_path / "a.eval", [sample(1, "C"), sample(2, "I")]))
    other = read_log(write_archive(tmp_path / "b.eval", [sample("2", "C", target="y"), sample("1", "I")]))
    pair = pair_logs(one, other)
    assert pair.scores.tolist() == [[1, 0], [0, 1]]
    assert pair.notes == (
        "1 of 2 answers has different targets in the logs, such as the answer to 2: are these the same questions?",
    )


IDS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.text(max_size=8).filter(lambda text: text.isprintable()))
ROWS = st.dictionaries(
    st.tuples(IDS.map(str), st.integers(1, 3)),
    st.tuples(st.sampled_from(["C", "I", "P", "N", 0.25, 1, True]), st.text(max_size=5)),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, packed=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
def test_what_is_written_is_read(rows, packed, tmp_path_factory):
    counts = {"C": 1, "I": 0, "P": 0.5, "N": 0}
    path = tmp_path_factory.mktemp("logs") / "f.eval"
    samples = [sample(case, value, epoch, metadata={"g": group}) for (case, epoch), (value, group) in rows.items()]
    log = read_log(write_archive(path, samples, compression=packed))
    assert list(zip(log.case.tolist(), log.repeat.tolist(), strict=True)) == list(rows)
    assert log.score.tolist() == [float(counts.get(value, value)) for value, _ in rows.values()]
    assert log.columns["g"].tolist() == [group for _, group in rows.values()]
    assert set(log.outcome.tolist()) <= set(OUTCOMES)
    assert pair_logs(log, log.take(np.arange(len(log))[::-1])).logs[1].case.tolist() == log.case.tolist()
