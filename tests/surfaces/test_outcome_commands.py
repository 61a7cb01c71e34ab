"""Answers without a truth, logs of model evaluations and clusters, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main

LOGS = Path(__file__).parents[1] / "data" / "logs" / "inspect_ai-0.3.285"


def run(*arguments, code=0):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output + done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    rng = np.random.default_rng(4)
    question, topic = np.repeat(np.arange(80), 3), np.repeat(np.arange(16), 15)
    skill = np.repeat(rng.beta(3, 1, 80), 3)
    old, new = (rng.random(240) < np.clip(skill + gain, 0, 1) for gain in (0, 0.1))
    path = tmp_path_factory.mktemp("answers") / "answers.csv"
    rows = zip(question, topic, old, new, strict=True)
    path.write_text("question,topic,old,new\n" + "".join(f"{q},t{t},{a},{b}\n" for q, t, a, b in rows))
    return path, question, topic, old, new


def test_assess_takes_a_column_of_what_was_right(answers):
    path, question, topic, old, _ = answers
    told = run("assess", path, "--correct", "old", "--case", "question", "--cluster", "topic", "--json")
    expected = howsure.assess(correct=old, case=question, cluster=topic)
    for mine, theirs in zip(json.loads(told)["measures"], expected.to_dict()["measures"], strict=True):
        assert mine["measure"] == theirs["measure"]
        # Clusters have other names in the file, and so another order, in which they are added up.
        for end in ("low", "high"):
            assert mine["interval"][end] == pytest.approx(theirs["interval"][end], rel=1e-12)
    assert json.loads(told)["noise"]["answers"] == 3


def test_text_opens_with_the_answer(answers):
    path, *_ = answers
    first, second, *_ = run("assess", path, "--correct", "old").splitlines()
    assert first.startswith("Accuracy ")
    assert first.endswith("] on 240 cases.")
    assert not second


@pytest.mark.parametrize("style", ["--csv", "--markdown", "--latex", "--spreadsheet"])
def test_every_style_has_the_measures(answers, style):
    path, *_ = answers
    told = run("assess", path, "--correct", "old", "--case", "question", "--measures", "pass_at(k=2)", style)
    assert "pass" in told


def test_compare_takes_a_column_for_each(answers):
    path, question, topic, old, new = answers
    told = run(
        "compare", path, "--correct", "old", "--correct", "new", "--case", "question", "--cluster", "topic", "--json"
    )
    expected = howsure.compare(correct={"old": old, "new": new}, case=question, cluster=topic)
    assert json.loads(told)["verdict"] == expected.verdict
    assert json.loads(told)["pairs"][0]["pvalue"] == pytest.approx(expected.test.pvalue, rel=1e-12)


def test_compare_by_a_measure_of_several_answers(answers):
    path, *_ = answers
    columns = ("--correct", "old", "--correct", "new", "--case", "question")
    told = run("compare", path, *columns, "--measure", "pass_all(k=3)", "--json")
    assert json.loads(told)["measure"] == "pass_all(k=3)"


def test_truth_is_asked_for_where_nothing_else_is_given(answers):
    path, *_ = answers
    said = run("assess", path, code=2)
    assert said.startswith(f"Error: `--truth` must name the column of the true labels; {str(path)!r} has 'question', ")


def test_a_log_needs_no_columns():
    told = run("assess", LOGS / "letters.eval")
    assert told.startswith("Mean score 0.625 [0.128, 0.959] on 4 cases.")
    assert "1 of 4 answers was counted as wrong: 1 unanswered." in told


def test_several_scorers_must_be_chosen_from():
    sentence = run("assess", LOGS / "repeated.eval", code=2)
    assert sentence == "Error: `--scorer` must be chosen: 'match', 'closeness'.\n"
    told = run("assess", LOGS / "repeated.eval", "--scorer", "match", "--cluster", "topic")
    assert " on 4 cases in 2 clusters." in told
    assert "Each case was answered 2 times" in told


def test_answers_without_a_score_count_as_asked():
    values = [
        json.loads(run("assess", LOGS / "letters.eval", "--missing", choice, "--json"))["measures"][0]["value"]
        for choice in ("wrong", "drop")
    ]
    assert values == pytest.approx([2.5 / 4, 2.5 / 3], rel=1e-12)


def test_a_field_that_no_sample_has_is_no_cluster():
    sentence = run("assess", LOGS / "repeated.eval", "--scorer", "match", "--cluster", "topc", code=2)
    assert sentence.startswith("Error: `--cluster` must be a column of ")
    assert "did you mean 'topic'?" in sentence


def test_options_of_logs_are_for_logs(answers):
    path, *_ = answers
    sentence = run("assess", path, "--correct", "old", "--scorer", "match", code=2)
    assert sentence == f"Error: `--scorer` is for logs of model evaluations, but {str(path)!r} is not a log.\n"


def test_logs_are_paired_by_sample():
    told = run("compare", LOGS / "letters.eval", LOGS / "letters.json", "--json")
    comparison = json.loads(told)
    assert comparison["measure"] == "mean_score"
    assert comparison["pairs"][0]["difference"] == 0
    assert set(comparison["values"]) == {str(LOGS / name) for name in ("letters.eval", "letters.json")}


def test_samples_that_a_log_lacks_are_named_or_left_out(tmp_path):
    rows = [json.loads(line) for line in next(LOGS.parent.glob("lm_eval-0.4.13/*one_filter*")).read_text().splitlines()]
    whole, cut = tmp_path / "samples_whole.jsonl", tmp_path / "samples_cut.jsonl"
    whole.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    cut.write_text("".join(f"{json.dumps(row)}\n" for row in rows[:-1]))
    sentence = run("compare", whole, cut, code=2)
    assert "lacks 1 of 3 answers" in sentence
    assert "`--common` keeps the samples that all have." in sentence
    assert "2 paired cases" in run("compare", whole, cut, "--common")


def test_python_takes_logs_too():
    log = howsure.read_log(LOGS / "repeated.eval", scorer="match")
    assert howsure.assess(log, cluster="topic")["accuracy"].clusters == 2
    assert howsure.compare({"a": log, "b": log}).test.pvalue == 1
    with pytest.raises(howsure.HowsureError, match="a log has its own answers"):
        howsure.assess(log, scores=[1])


def test_a_page_of_a_log(tmp_path):
    page = tmp_path / "page.html"
    run("assess", LOGS / "letters.eval", "--html", page)
    assert "How good are the answers?" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--correct", "old", "--truth", "new"), "`--truth` needs predictions with true labels"),
        (("--correct", "old", "--by", "topic"), "`--by` needs predictions with true labels"),
        (("--correct", "old", "--per-class"), "`--per-class` needs predictions with true labels"),
        (
            ("--truth", "old", "--predicted", "new", "--case", "topic"),
            "`--case` needs `--correct`",
        ),
    ],
)
def test_options_that_mean_nothing_are_refused(answers, options, sentence):
    path, *_ = answers
    assert run("assess", path, *options, code=2) == f"Error: {sentence}; leave it out.\n"


def test_options_that_mean_nothing_in_a_log_are_refused():
    sentence = run("compare", LOGS / "letters.eval", LOGS / "letters.json", "--truth", "y", code=2)
    assert sentence == "Error: `--truth` does not apply to a log; leave it out.\n"
