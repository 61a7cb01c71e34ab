"""Logs of evaluations that are damaged, cut off, or made to do harm: one sentence each, and nothing on the disk."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import struct
import sys
import time
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest

from howsure import HowsureError
from howsure.data.read.logs import archive, is_log, pair_logs, read_log

LOGS = Path(__file__).parent.parent / "data" / "logs"
GOOD = LOGS / "inspect_ai-0.3.285" / "letters.eval"  # compressed with Zstandard
DEFLATED = LOGS / "inspect_ai-0.3.130" / "letters.eval"
HEADER = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
SAMPLE = {"id": "a", "epoch": 1, "target": "x", "metadata": {}, "scores": {"s": {"value": "C"}}}


@pytest.fixture(autouse=True)
def _nothing_is_written(tmp_path, monkeypatch):
    """Give a temporary folder of its own to what is read, and look into it afterwards."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    yield
    assert os.listdir(folder) == []


def write(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content if isinstance(content, str | bytes) else json.dumps(content))
    return path


def with_samples(path, samples, header=HEADER):
    return write(path, {"header.json": header, "summaries.json": samples})


def refused(path, sentence, **options):
    with pytest.raises(HowsureError) as caught:
        read_log(path, **options)
    assert str(caught.value) == sentence.format(path=repr(str(path)))


CUT_OFF = "is not JSON, or was cut off:"
RANGE = "scores must be numbers from 0 to 1,"
SUMMARIES = {
    "no JSON": (b"[{", f"{CUT_OFF} expecting property name enclosed in double quotes at column 3."),
    "NUL": (b"\0\0\0", f"{CUT_OFF} expecting value at column 1."),
    "UTF-16": ("[]".encode("utf-16"), "is not in UTF-8."),
    "not UTF-8": (b'["\xff"]', "is not in UTF-8."),
    "deep": (b"[" * 100_000, "holds JSON that is nested too deeply."),
    "a long number": (b"[" + b"9" * 5000 + b"]", "holds a number that is too long."),
    "an object": (b"{}", "must hold a list of samples."),
    "a list of numbers": (b"[1]", "must hold a list of samples."),
}


@pytest.mark.parametrize("name", SUMMARIES)
def test_summaries(name, tmp_path):
    content, sentence = SUMMARIES[name]
    path = write(tmp_path / "f.eval", {"header.json": HEADER, "summaries.json": content})
    refused(path, f"'summaries.json' in {{path}} {sentence}")


def test_no_samples(tmp_path):
    refused(with_samples(tmp_path / "f.eval", []), "{path} must hold at least one sample, but it has none.")


SAMPLES = {
    "an id": ({"id": 1.5}, "the ids of samples in {path} must be text or whole numbers, not 1.5."),
    "no id": ({"id": None}, "the ids of samples in {path} must be text or whole numbers, not None."),
    "an epoch": ({"epoch": 0}, "the epochs of samples in {path} must be whole numbers of at least 1, not 0."),
    "a huge epoch": (
        {"epoch": 10**30}, f"the epochs of samples in {{path}} must be whole numbers of at least 1, not {10**30}.",
    ),
    "scores": ({"scores": [1]}, "the scores of each sample in {path} must be an object."),
    "a score": ({"scores": {"s": 1}}, "each score of 's' in {path} must be an object."),
}  # fmt: skip
VALUES = {
    "large": (7, "7"),
    "negative": (-0.5, "-0.5"),
    "infinite": (float("inf"), "inf"),
    "huge": (10**400, f"1{'0' * 400}"),
    "a word": ("nan", "'nan'"),
    "a list": ([1, 0], "[1, 0]"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name, tmp_path):
    changed, sentence = SAMPLES[name]
    refused(with_samples(tmp_path / "f.eval", [SAMPLE | changed]), sentence)


@pytest.mark.parametrize("name", VALUES)
def test_values(name, tmp_path):
    value, shown = VALUES[name]
    scores = {"s": {"value": value}}
    refused(
        with_samples(tmp_path / "f.eval", [SAMPLE | {"scores": scores}]),
        f"{RANGE} but sample 'a' in {{path}} has {shown}.",
    )
    refused(
        with_samples(tmp_path / "g.eval", [SAMPLE, SAMPLE | {"epoch": 2, "scores": scores}]),
        f"{RANGE} but sample 'a', epoch 2 in {{path}} has {shown}.",
    )


def test_samples_that_come_twice(tmp_path):
    sentence = "{path} must have each sample once, but sample 'b' occurs 2 times."
    rows = [SAMPLE, SAMPLE | {"id": "b"}, SAMPLE | {"id": "b"}]
    refused(with_samples(tmp_path / "f.eval", rows), sentence)
    rows = [SAMPLE | {"id": 1}, SAMPLE | {"id": "1"}]
    refused(with_samples(tmp_path / "g.eval", rows), sentence.replace("'b'", "'1'"))
    rows = [json.dumps({"doc_id": 3, "doc": {}, "acc": 1.0})] * 2 + [json.dumps({"doc_id": 4, "doc": {}, "acc": 1.0})]
    (tmp_path / "samples_t.jsonl").write_text("\n".join(rows))
    refused(tmp_path / "samples_t.jsonl", sentence.replace("'b'", "3"))


def test_a_value_where_there_are_metrics(tmp_path):
    rows = [SAMPLE | {"id": n, "scores": {"s": {"value": value}}} for n, value in enumerate([{"m": 1}, 1])]
    refused(
        with_samples(tmp_path / "f.eval", rows), "scores must be numbers from 0 to 1, but sample 1 in {path} has [1]."
    )
    rows[1]["scores"]["s"]["value"] = None
    assert read_log(with_samples(tmp_path / "g.eval", rows)).outcome.tolist() == ["scored", "unscored"]


def test_headers(tmp_path):
    refused(
        with_samples(tmp_path / "a.eval", [SAMPLE], {**HEADER, "version": 3}),
        "{path} is a log of inspect_ai in version 3 of its format; the known versions are 1 and 2.",
    )
    refused(with_samples(tmp_path / "b.eval", [SAMPLE], []), "'header.json' in {path} must hold an object, not [].")
    refused(
        write(tmp_path / "c.eval", {"summaries.json": [SAMPLE]}),
        "{path} is not a log of inspect_ai: it has no member 'header.json'.",
    )
    odd = {"version": 2, "status": None, "eval": {"task": 7, "dataset": [], "packages": "x", "config": {"epochs": "x"}}}
    assert read_log(with_samples(tmp_path / "d.eval", [SAMPLE], odd)).notes == (
        "The evaluation did not finish successfully: its status is 'None'.",
    )
    many = {**HEADER, "eval": {"config": {"epochs": 10**12}}}
    (note,) = read_log(with_samples(tmp_path / "e.eval", [SAMPLE], many)).notes
    assert note == "1 of 1 sample lacks epochs: 'a' lacks 2, 3, 4 and 9996 more."


def test_archives_cut_off_anywhere(tmp_path):
    path = tmp_path / "f.eval"
    reason = "file is not a zip file; copy or write it again."
    for good in (GOOD, DEFLATED):
        content = good.read_bytes()
        for end in range(0, len(content), 97):
            path.write_bytes(content[:end])
            if is_log(path):
                refused(path, f"{{path}} is a damaged archive, or was cut off: {reason}")


def sentence_or_scores(path):
    try:
        return read_log(path).score.tolist()
    except HowsureError as error:
        return str(error)


def test_archives_with_a_byte_changed(tmp_path):
    path = tmp_path / "f.eval"
    for good in (GOOD, DEFLATED):
        content = good.read_bytes()
        for at in range(4, len(content), 61):
            path.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
            found = sentence_or_scores(path)
            assert found == [1, 1, 0.5, 0] or re.fullmatch(r"[^\n]+\.", found)


def test_a_checksum_that_is_wrong(tmp_path):
    content = bytearray(DEFLATED.read_bytes())
    at = content.rfind(b"header.json") - 46 + 16
    content[at] ^= 1
    path = tmp_path / "f.eval"
    path.write_bytes(content)
    refused(path, "'header.json' in {path} is damaged: its content does not match its checksum.")


def test_members_that_are_too_large(tmp_path, monkeypatch):
    path = with_samples(tmp_path / "f.eval", [SAMPLE, {"id": " " * 100_000}])
    monkeypatch.setattr(archive, "MAX_MEMBER", 50_000)
    refused(path, "'summaries.json' in {path} must unpack to at most 5e-05 GB.")
    monkeypatch.setattr(archive, "MAX_MEMBER", 10**9)
    monkeypatch.setattr(archive, "ANY_RATIO", 50_000)
    monkeypatch.setattr(archive, "MAX_RATIO", 100)
    refused(path, "'summaries.json' in {path} must unpack to at most 100 times its packed size.")
    monkeypatch.setattr(archive, "MAX_RATIO", 1000)
    monkeypatch.setattr(archive, "MAX_TOGETHER", 50_000)
    refused(path, "{path} must unpack to at most 5e-05 GB.")
    monkeypatch.setattr(archive, "MAX_DIRECTORY", 50)
    refused(path, "{path} must have a list of members of at most 0 MB.")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, archive.ZSTANDARD])
@pytest.mark.parametrize("declared", [100, 4 * 10**8])
def test_bombs(method, declared, tmp_path):
    """A member of 400 MB, packed in less than 1 MB, is given up long before, whatever size the archive declares."""
    path = tmp_path / "f.eval"
    path.write_bytes(bomb(method, declared))
    assert path.stat().st_size < 10**6
    if method == zipfile.ZIP_DEFLATED and declared == 100:  # more is not unpacked
        reason = "is damaged: its content does not match its checksum."
    else:
        reason = "must unpack to at most 500 times its packed size."
    tracemalloc.start()
    refused(path, f"'summaries.json' in {{path}} {reason}")
    assert tracemalloc.get_traced_memory()[1] < 300e6
    tracemalloc.stop()


def bomb(method, declared):
    """Write an archive by hand: the header stored, and summaries of 400 MB."""
    if method == archive.ZSTANDARD:
        pack = pytest.importorskip("zstandard").ZstdCompressor().compressobj()
    else:
        pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join([*(pack.compress(bytes(10**8)) for _ in range(4)), pack.flush()])
    header = json.dumps(HEADER).encode()
    out, directory = io.BytesIO(), io.BytesIO()
    for name, kind, content, size in (
        (b"header.json", 0, header, len(header)),
        (b"summaries.json", method, packed, declared),
    ):
        sizes = (zlib.crc32(content), len(content), size, len(name))
        directory.write(struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, kind, 0, 0, *sizes, 0, 0, 0, 0, 0, out.tell()))
        directory.write(name)
        out.write(struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, kind, 0, 0, *sizes, 0) + name + content)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 2, 2, len(directory.getvalue()), out.tell(), 0)
    return out.getvalue() + directory.getvalue() + end


def test_members_with_odd_names_are_not_looked_at(tmp_path):
    odd = {
        "../../escape.json": b"x",
        "/absolute.json": b"x",
        "samples/\u202e.json": b"x",
        "C:\\f.json": b"x",
        "a\nb": b"x",
    }
    path = write(tmp_path / "f.eval", {"header.json": HEADER, "summaries.json": [SAMPLE], **odd})
    assert read_log(path).score.tolist() == [1]
    assert sorted(os.listdir(tmp_path)) == ["f.eval", "temporary"]


def test_links_are_not_followed(tmp_path):
    path = tmp_path / "f.eval"
    link = zipfile.ZipInfo("summaries.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("header.json", json.dumps(HEADER))
        packed.writestr(link, "/etc/passwd")
    refused(path, f"'summaries.json' in {{path}} {CUT_OFF} expecting value at column 1.")


def test_encryption_and_other_compression(tmp_path):
    path = tmp_path / "f.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as packed:
        packed.writestr("header.json", json.dumps(HEADER))
    refused(path, "'header.json' in {path} is compressed by method 12, not by deflate or Zstandard.")
    content = bytearray(with_samples(path, [SAMPLE]).read_bytes())
    content[content.rfind(b"header.json") - 46 + 8] |= 1
    path.write_bytes(content)
    refused(path, "'header.json' in {path} is encrypted; give the log as inspect_ai wrote it.")


def test_zstandard_needs_a_library(monkeypatch, tmp_path):
    for library in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, library, None)
    path = tmp_path / "f.eval"
    path.write_bytes(GOOD.read_bytes())
    refused(
        path, "{path} is compressed with Zstandard, which needs the package `zstandard`; install `howsure[logs]`."
    )  # fmt: skip
    assert read_log(DEFLATED).score.tolist() == [1, 1, 0.5, 0]


def test_an_archive_with_a_comment(tmp_path):
    path = tmp_path / "f.eval"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("header.json", json.dumps(HEADER))
        packed.writestr("summaries.json", json.dumps([SAMPLE]))
        packed.comment = b"PK\7\7" * 1000
    assert read_log(path).score.tolist() == [1]


def test_large_archives_have_other_records(tmp_path):
    path = tmp_path / "f.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in (("header.json", HEADER), ("summaries.json", [SAMPLE])):
            with packed.open(name, "w", force_zip64=True) as member:
                member.write(json.dumps(content).encode())
        for number in range(70_000):  # more than the older record can count
            packed.writestr(f"samples/{number}", b"")
    assert read_log(path).score.tolist() == [1]


FIRST = b'{"doc_id": 0, "doc": {}, "acc": 1}'
LINES = {
    "cut off": (
        FIRST + b'\n{"doc_id": 1, "ac', f"line 2 of {{path}} {CUT_OFF} unterminated string starting at column 15.",
    ),
    "another object": (
        FIRST + b'\n{"a": 1}\n', "{path} must hold an object with a 'doc_id' for each sample, not {{'a': 1}}.",
    ),
    "not UTF-8": (b'{"doc_id": 0, "doc": "\xff"}\n', "line 1 of {path} is not in UTF-8."),
    "deep": (b'{"doc_id": 0, "doc": ' + b"[" * 100_000, "line 1 of {path} holds JSON that is nested too deeply."),
    "two objects": (FIRST + b" " + FIRST + b"\n", f"line 1 of {{path}} {CUT_OFF} extra data at column 36."),
    "no metric": (b'{"doc_id": 0, "doc": {}}\n', "{path} must hold a metric, but it has none."),
    "perplexity": (
        b'{"doc_id": 0, "doc": {}, "word_perplexity": [-3.5, 2]}\n', f"{RANGE} but sample 0 in {{path}} has [-3.5, 2].",
    ),
    "an id": (
        b'{"doc_id": [], "doc": {}, "acc": 1}\n', "the ids of samples in {path} must be text or whole numbers, not [].",
    ),
    "a list cut off": (b"[" + FIRST + b", 1", f"{{path}} {CUT_OFF} expecting ',' delimiter at column 39."),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_lines_of_the_harness(name, tmp_path):
    content, sentence = LINES[name]
    path = tmp_path / "samples_t.jsonl"
    path.write_bytes(content)
    refused(path, sentence)


def test_a_line_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("howsure.data.read.logs.harness.MAX_LINE", 10**6)
    path = tmp_path / "samples_t.jsonl"
    path.write_bytes(FIRST + b'\n{"doc_id": 1, "a": "' + b"x" * 10**7)
    refused(path, "line 2 of {path} must have at most 1 MB.")


def test_json_files(tmp_path, monkeypatch):
    path = tmp_path / "f.json"
    content = (LOGS / "inspect_ai-0.3.60" / "letters.json").read_bytes()
    for end in range(1000, len(content) - 2, 531):
        path.write_bytes(content[:end])
        with pytest.raises(HowsureError, match=r"is not JSON, or was cut off: .* at line \d+, column \d+\.$"):
            read_log(path)
    path.write_bytes(content)
    monkeypatch.setattr("howsure.data.read.logs.inspect_ai.MAX_MEMBER", 1000)
    remedy = "convert it with `inspect log convert` into an archive, which may be larger."
    refused(path, f"{{path}} must not exceed 1e-06 GB; {remedy}")


def test_pipes_are_not_opened(tmp_path):
    path = tmp_path / "pipe.eval"
    if sys.platform != "win32":
        os.mkfifo(path)
        assert not is_log(path)


@pytest.mark.parametrize("depth", range(100, 1100, 50))
@pytest.mark.parametrize("where", ["value", "id", "metadata", "target", "error"])
def test_nested_values(where, depth, tmp_path):
    nested = "[" * depth + "]" * depth
    row = json.dumps(SAMPLE | {"scores": {"s": {"value": "@"}}} if where == "value" else SAMPLE | {where: "@"})
    path = write(tmp_path / "f.eval", {"header.json": HEADER, "summaries.json": f"[{row}]".replace('"@"', nested)})
    found = sentence_or_scores(path)
    assert found == [1] or re.fullmatch(r"[^\n]+\.", found)


def test_packed_sizes_that_are_wrong(tmp_path):
    path = with_samples(tmp_path / "f.eval", [SAMPLE])
    content = bytearray(path.read_bytes())
    at = content.rfind(b"summaries.json") - 46 + 20
    for size in (2**32 - 2, 10**6):  # beyond the end of the file; what follows is not of the stream
        content[at : at + 4] = struct.pack("<L", size)
        path.write_bytes(content)
        found = sentence_or_scores(path)
        assert found == [1] or "is damaged: " in found  # later versions of Python see that members overlap
    content[at : at + 4] = struct.pack("<L", 5)
    path.write_bytes(content)
    refused(path, "'summaries.json' in {path} is damaged: its content does not match its checksum.")


def test_ids_that_are_no_text(tmp_path):
    rows = [{key: value for key, value in SAMPLE.items() if key != "metadata"} | {"id": "\ud800"}]
    assert read_log(with_samples(tmp_path / "f.eval", rows)).case.tolist() == ["\ud800"]


def test_hostile_text_stays_in_one_line(tmp_path):
    rows = [SAMPLE | {"id": "a\n\x1b[31m\ud800" + "x" * 10_000, "scores": {"s": {"value": 9}}}]
    with pytest.raises(HowsureError) as caught:
        read_log(with_samples(tmp_path / "f.eval", rows))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


def test_many_epochs_of_many_samples_take_no_time(tmp_path):
    rows = [SAMPLE | {"id": n, "epoch": n + 1} for n in range(20_000)]
    start = time.monotonic()
    log = read_log(with_samples(tmp_path / "f.eval", rows))
    assert time.monotonic() - start < 10
    assert log.notes[0].startswith(
        "20000 of 20000 samples lack epochs: 0 lacks 2, 3, 4 and 19996 more, 1 lacks 1, 3, 4"
    )
    assert len(pair_logs(log, log)) == 20_000
