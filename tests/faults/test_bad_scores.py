"""Mistakes with scores: one sentence each, word for word."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main

Y = ["a", "b", "a", "b"]
S = [0.2, 0.9, 0.4, 0.7]

SENTENCES = {
    "NaN": (
        {"scores": [0.1, np.nan, 0.2, np.nan]},
        "`scores` has no number at index 1, 3; drop these rows or give them a score.",
    ),
    "text": ({"scores": ["x", "y", "z", "w"]}, "`scores` must hold numbers, but this list holds something else."),
    "length": ({"scores": [0.1, 0.2]}, "`truth` has 4 rows and `scores` has 2; they must be of equal length."),
    "cube": (
        {"scores": np.zeros((4, 2, 2))},
        "`scores` must be a column, or a column for each class, not an array of shape (4, 2, 2).",
    ),
    "columns": (
        {"scores": np.zeros((4, 3))},
        "`scores` has 3 columns, but there are 2 classes; name all classes in the order of the columns with `labels`.",
    ),
    "threshold": ({"scores": S, "threshold": "high"}, "`threshold` must be a number, not 'high'."),
    "prior": ({"scores": S, "costs": None, "positive": "c"}, "`positive` must be one of 'a', 'b', not 'c'."),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_sentence(name):
    kwargs, sentence = SENTENCES[name]
    with pytest.raises(howsure.HowsureError) as caught:
        howsure.assess(Y, **kwargs)
    assert str(caught.value) == sentence


CALLS = {
    "labels only": (
        lambda a: howsure.assess(Y, Y).roc(),
        "curves need scores, but there are only labels; give `scores=...`.",
    ),
    "auc of labels": (
        lambda a: howsure.assess(Y, Y)["auc"],
        "`auc` is a measure of scores, and there are only labels; give `scores=...`.",
    ),
    "share": (lambda a: a.at_prevalence(1.5), "`share` must be a number between 0 and 1, not 1.5."),
    "neither": (lambda a: a.best_threshold(), "`best_threshold` needs either a measure or costs."),
    "auc by threshold": (lambda a: a.best_threshold("auc"), "`auc` does not depend on a threshold."),
    "no direction": (
        lambda a: a.best_threshold("prevalence"),
        "`prevalence` has no better or worse values, so no threshold is best for it.",
    ),
    "top k of two": (
        lambda a: a.estimate("top_k_accuracy", k=1),
        "`top_k_accuracy` needs a column of scores for each of more than two classes.",
    ),
    "path": (
        lambda a: a.roc().save("roc.xyz"),
        "`path` must end in .csv, .json, .parquet, .png, .svg or .pdf, not 'roc.xyz'.",
    ),
    "prior": (
        lambda a: howsure.Costs(false_negative=1, false_positive=1, prior=2),
        "`prior` must be between 0 and 1, not 2; did you mean 0.02?",
    ),
    "of one class": (
        lambda a: howsure.assess([1, 1], scores=[0.1, 0.2]).roc(),
        "all cases are of one class, so there is no curve to draw.",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_call(name):
    call, sentence = CALLS[name]
    with pytest.raises(howsure.HowsureError) as caught:
        call(howsure.assess(Y, scores=S))
    assert str(caught.value) == sentence


def run(*args):
    return CliRunner().invoke(main, list(map(str, args)))


FILES = {
    "score that is no number": (
        "y,s\na,0.1\nb,high\n",
        ["--score", "s"],
        "`s` must be a number, not 'high' in row 2 of 'FILE'.",
    ),
    "empty score": ("y,s\na,0.1\nb,\n", ["--score", "s"], "`s` must be a number, not empty in row 2 of 'FILE'."),
    "neither": ("y,s\na,0.1\nb,0.2\n", [], "`--truth` must come with `--predicted` or `--score`."),
    "both": (
        "y,s\na,0.1\nb,0.2\n",
        ["--score", "s", "--scores", "s"],
        "`--score` and `--scores` cannot be used together.",
    ),
    "prior by groups": (
        "y,s,g\na,0.1,1\nb,0.2,1\n",
        ["--score", "s", "--by", "g", "--prior", "0.1"],
        "`--prior` and `--by` cannot be used together, since each group has its own prevalence.",
    ),
    "unknown score column": (
        "y,prob\na,0.1\nb,0.2\n",
        ["--score", "prop"],
        "`--score` must be a column of 'FILE', not 'prop'; did you mean 'prob'?",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_command_line(name, tmp_path):
    text, options, sentence = FILES[name]
    path = tmp_path / "f.csv"
    path.write_text(text)
    result = run("assess", path, "--truth", "y", *options)
    assert result.stderr == f"Error: {sentence.replace('FILE', str(path))}\n"
    assert result.exit_code == 2
    assert result.stdout == ""


def test_infinite_scores_rank_with_a_note():
    a = howsure.assess([0, 1, 0, 1], scores=[-np.inf, np.inf, 0.0, 1.0])
    assert a["auc"].value == 1
    assert a["brier"].undefined == "the scores are not probabilities: some are outside the range from 0 to 1"
    assert [finding.code for finding in a.findings if finding.code == "A007"] == ["A007"]


def test_one_class_is_undefined_with_a_reason():
    a = howsure.assess([1, 1, 1], scores=[0.1, 0.5, 0.9])
    assert a["auc"].undefined == "all cases are of one class, so there is nothing to rank"
    assert a["average_precision"].value == 1
    assert "n/a, because all cases are of one class" in a.text(width=1000)


def test_scores_from_files_and_arrays_agree(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"y": rng.choice(["no", "yes"], 200), "g": rng.choice(["u", "v"], 200)})
    frame["s"] = rng.random(200).round(2)
    frame["w"] = rng.integers(1, 4, 200)
    for name in ("f.csv", "f.parquet", "f.jsonl"):
        path = tmp_path / name
        if name == "f.csv":
            frame.to_csv(path, index=False)
        elif name == "f.parquet":
            frame.to_parquet(path)
        else:
            frame.to_json(path, orient="records", lines=True)
        a = howsure.assess("y", scores="s", data=path, weight="w", positive="yes")
        b = howsure.assess(frame.y, scores=frame.s, weight=frame.w.to_numpy(), positive="yes")
        assert a.scores == b.scores
        assert a.to_dict() == b.to_dict()
        groups = howsure.assess("y", scores="s", data=path, by="g", positive="yes")
        assert (
            groups["u"]["auc"].value
            == howsure.assess(frame.y[frame.g == "u"], scores=frame.s[frame.g == "u"], positive="yes")["auc"].value
        )
        assert groups.overall["auc"].value == howsure.assess(frame.y, scores=frame.s)["auc"].value


def test_a_column_for_each_class_from_a_file(tmp_path):
    rng = np.random.default_rng(1)
    scores = rng.dirichlet([1, 1, 1], 100)
    truth = np.array(["a", "b", "c"])[scores.argmax(1)]
    path = tmp_path / "f.csv"
    pd.DataFrame({"y": truth, "pa": scores[:, 0], "pb": scores[:, 1], "pc": scores[:, 2]}).to_csv(path, index=False)
    done = run("assess", path, "--truth", "y", "--scores", "pa,pb,pc", "--measures", "auc,accuracy", "--csv")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[2].startswith("accuracy,1.0,")
    done = run(
        "assess", path, "--truth", "y", "--scores", "pa,pb,pc", "--curves", tmp_path / "c", "--curve-format", "json"
    )
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "c" / "roc_class3.json").exists()


@pytest.mark.parametrize(("written", "n"), [(["1", "2", "3", "2"], 8), (["1.0", "2.0", "3.0", "2.0"], 64 / 18)])
def test_weights_mean_the_same_with_scores_and_with_labels(written, n, tmp_path):
    """Digits repeat a case; real numbers weigh it, even where they are whole."""
    path = tmp_path / "f.csv"
    rows = zip("abab", ["0.1", "0.9", "0.6", "0.7"], "abbb", written, strict=True)
    path.write_text("y,s,p,w\n" + "".join(",".join(row) + "\n" for row in rows))
    for options in (["--score", "s"], ["--predicted", "p"]):
        done = run("assess", path, "--truth", "y", *options, "--weight", "w", "--measures", "kappa", "--json")
        assert json.loads(done.stdout)["measures"][0]["n"] == pytest.approx(n)
