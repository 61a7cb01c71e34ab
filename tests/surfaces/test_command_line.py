"""The command line, by hand: every format in, every format out, and the same numbers as Python."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.measures.outcomes import registry as outcomes
from howsure.raters.coefficients import registry as coefficients


def run(*args, stdin=None):
    return CliRunner().invoke(main, list(map(str, args)), input=stdin)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    truth = rng.choice(["cat", "dog", "eel, smoked"], 300)
    predicted = np.where(rng.random(300) < 0.7, truth, rng.choice(["cat", "dog", "eel, smoked"], 300))
    return pd.DataFrame(
        {"y": truth, "p": predicted, "site": rng.choice(["north", "south"], 300), "w": rng.integers(1, 4, 300)}
    )


def arff(frame):
    head = "% predictions\n@relation r\n"
    attributes = "@attribute y string\n@ATTRIBUTE 'p' {cat, dog, 'eel, smoked'}\n@attribute site string\n"
    rows = (f"'{row.y}', '{row.p}', {row.site}, {row.w}" for row in frame.itertuples())
    return head + attributes + "@attribute w numeric\n\n@data\n" + "\n".join(rows) + "\n% the end\n"


WRITERS = {
    "f.csv": lambda frame, path: frame.to_csv(path, index=False),
    "semicolons.csv": lambda frame, path: frame.to_csv(path, index=False, sep=";"),
    "f.csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    "f.tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "f.parquet": lambda frame, path: frame.to_parquet(path),
    "f.jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "f.json": lambda frame, path: frame.to_json(path, orient="records"),
    "f.arff": lambda frame, path: path.write_text(arff(frame)),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_what_arrays_give(name, data, tmp_path):
    path = tmp_path / name
    WRITERS[name](data, path)
    expected = howsure.assess(data.y, data.p, weight=data.w.to_numpy(), by=data.site)
    result = run("assess", path, "--truth", "y", "--predicted", "p", "--weight", "w", "--by", "site", "--json")
    assert result.exit_code == 0, result.stderr
    values = json.loads(result.stdout)
    assert values["by"] == "site"
    for group in values["groups"]:
        assert group["measures"] == expected.to_dict()["groups"][["north", "south"].index(group["group"])]["measures"]
    frame = howsure.assess("y", "p", data=path, by="site", weight="w")
    assert frame["north"].confusion == expected["north"].confusion


def test_every_surface_agrees(data, tmp_path):
    path = tmp_path / "f.csv"
    data.to_csv(path, index=False)
    a = howsure.assess(data.y, data.p)
    command = ["assess", path, "--truth", "y", "--predicted", "p"]
    as_json = json.loads(run(*command, "--json").stdout)
    assert as_json == a.to_dict()
    rows = list(csv.DictReader(io.StringIO(run(*command, "--csv").stdout)))
    frame = a.frame()
    assert [row["measure"] for row in rows] == list(frame["measure"])
    for row, estimate, entry in zip(rows, a.estimates(), as_json["measures"], strict=True):
        interval = estimate.interval()
        assert float(row["value"]) == estimate.value == entry["value"]
        ends = [float(row[end] or "nan") for end in ("low", "high")]  # nothing where there is no interval
        assert ends == pytest.approx([interval.low, interval.high], rel=0, abs=0, nan_ok=True)
        assert entry["interval"]["method"] == row["method"] == interval.method
    text = run(*command).stdout
    assert text.splitlines()[:-1] == str(a).splitlines()[:-1]  # the last line says how to ask for more, here and there
    assert text.splitlines()[-1] == "13 more: --all   each class: --per-class   page: --html PAGE"
    given = [estimate for estimate in a.estimates() if not np.isnan(estimate.low)]
    assert len(given) < len(a.estimates())  # an average of ratios without an upper end has none
    for style in ("markdown", "latex"):
        table = run(*command, f"--{style}", "--all").stdout
        for estimate in given:
            assert f"{estimate.value:.3f}" in table
            assert str(estimate.interval()) in table.replace("\\[", "[").replace("\\]", "]")
    html = a.all()._repr_html_()
    for estimate in given:
        assert f">{estimate.interval()!s}<" in html


def test_results_on_stdout_everything_else_on_stderr(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p\na,a\nb,b\nb,a\n")
    result = run("assess", path, "--truth", "y", "--predicted", "p", "--csv")
    assert result.stdout.startswith("measure,value,low,high,of,n,method,confidence,note\n")
    assert "A004" not in result.stdout
    assert "A004" in result.stderr
    assert "A004" in run("assess", path, "--truth", "y", "--predicted", "p").stdout


def test_options(data, tmp_path):
    path = tmp_path / "f.csv"
    data.replace("eel, smoked", "dog").to_csv(path, index=False)
    command = ["assess", path, "--truth", "y", "--predicted", "p"]
    chosen = json.loads(
        run(*command, "--measures", "recall, f_beta(beta=2),mean_cost", "--positive", "cat", "--cost", "fn=5,fp=1",
            "--confidence", "0.8", "--json").stdout
    )  # fmt: skip
    a = howsure.assess("y", "p", data=path, positive="cat", costs=howsure.Costs(false_negative=5, false_positive=1))
    assert [entry["measure"] for entry in chosen["measures"]] == ["recall", "f_beta", "mean_cost"]
    assert chosen["measures"][1]["value"] == a.estimate("f_beta", beta=2).value
    assert chosen["measures"][2]["value"] == a["mean_cost"].value
    assert chosen["measures"][0]["interval"]["high"] == a["recall"].interval(0.8).high
    assert "80 % interval" in run(*command, "--confidence", "0.8").stdout
    by_class = run(*command, "--per-class", "--labels", "dog,cat").stdout.splitlines()
    assert by_class[2].startswith("dog")
    assert by_class[3].startswith("cat")


def test_standard_input_and_globs(data, tmp_path):
    whole = howsure.assess(data.y, data.p)
    text = data.to_csv(index=False)
    values = json.loads(run("assess", "-", "--truth", "y", "--predicted", "p", "--json", stdin=text).stdout)
    assert values == whole.to_dict()
    data[:100].to_parquet(tmp_path / "1.parquet")
    data[100:].to_parquet(tmp_path / "2.parquet")
    pattern = str(tmp_path / "*.parquet")
    assert howsure.assess("y", "p", data=pattern).confusion == whole.confusion
    odd = tmp_path / "a [1] 'quoted'.csv"
    data.to_csv(odd, index=False)
    assert howsure.assess("y", "p", data=odd).confusion == whole.confusion
    with open(odd, "rb") as stream:
        assert howsure.assess("y", "p", data=stream).confusion == whole.confusion


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("y,p\n1,1\n0,1\n", (0, 1)),
        ("y,p\n1.0,1\n0,1\n", (0, 1)),
        ("y,p\n-1,+1\n1,1\n", (-1, 1)),
        ("y,p\n01,1\n1,1\n", ("01", "1")),
        ("y,p\nTrue,false\ntrue,True\n", (False, True)),
        ("y,p\n1,one\none,1\n", ("1", "one")),
        ("y,p\nna,Na\nna,Na\n", ("Na", "na")),
        ("y,p\n 1,1\n1,1\n", (" 1", "1")),
        ('y,p\n"a\nb",é\né,"a\nb"\n', ("a\nb", "é")),
        ("y,p\n2024-01-01,2024-01-02\n2024-01-01,2024-01-01\n", ("2024-01-01", "2024-01-02")),
        ("\ufeffy,p\nb,a\na,a\n", ("a", "b")),
    ],
)
def test_labels_in_text_files(text, labels, tmp_path):
    path = tmp_path / "f.csv"
    path.write_bytes(text.encode())
    read = howsure.assess("y", "p", data=path).labels
    assert read == labels
    assert list(map(type, read)) == list(map(type, labels))


def test_a_strange_row_far_down_the_file(tmp_path):
    """The type of a column must not be guessed from its first rows."""
    path = tmp_path / "f.csv"
    path.write_text("y,p\n" + "1,1\n" * 50_000 + "unknown,1\n")
    assert howsure.assess("y", "p", data=path).labels == ("1", "unknown")


def test_measures_command():
    listed = json.loads(run("measures", "--json").stdout)
    names = [entry["name"] for entry in listed if entry["group"] not in ("outcomes", "agreement")]
    assert names == howsure.measures.names()
    assert [entry["name"] for entry in listed[len(names) :]] == [*outcomes, *coefficients]
    methods = {entry["name"]: entry["interval"] for entry in listed[: len(names)]}
    chosen = ("auc", "average_precision", "brier", "recall", "kappa")
    assert [methods[name] for name in chosen] == [
        "delong-newcombe",
        "logit-precision",
        "smoothed-loss",
        "modified-wilson",
        "mover",
    ]
    for entry in listed:
        assert entry["formula"]
        assert len(entry["range"]) == 2
    assert json.loads(run("measures", "sensitivity", "--json").stdout)[0]["name"] == "recall"
    text = run("measures").stdout
    for name in howsure.measures.names():
        assert f"{name}: " in text
    assert run("measures", "sensitivty").stderr == (
        "Error: `measure` must be the name of a measure, not 'sensitivty'; did you mean 'sensitivity'?\n"
    )


def test_the_interval_method_that_is_listed_is_the_one_used():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 80)
    a = howsure.assess(truth, scores=np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1), costs=[[0, 1], [3, 0]])
    for entry in json.loads(run("measures", *a.applicable(), "--json").stdout):
        used = a[entry["name"]].interval().method
        delta = ("delta", "delta-log", "delta-logit")  # the scale depends on the value
        listed = [entry["interval"], entry["interval"].removeprefix("modified-")]  # which is the same for most counts
        assert used in (delta if entry["interval"] == "delta-scaled" else listed), entry["name"]
        assert f"Interval: {entry['interval']}." in run("measures", entry["name"]).stdout


def test_hostile_labels_are_shown_not_obeyed(tmp_path):
    script, tex, bell = "<script>alert(1)</script>", r"\input{/etc/passwd} $x_1$ & 50 % #1 ^~{}", "a\x1b[31m|b\x07`c`"
    truth, predicted = [script, tex, bell] * 3, [script, tex, bell, tex, bell, script, script, tex, bell]
    a = howsure.assess(truth, predicted)
    html = a._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    text, table = str(a), a.per_class()
    assert "\x1b" not in text
    assert "\x07" not in text
    latex = table.to_latex()
    assert (
        r"\textbackslash{}input\{/etc/passwd\} \$x\_1\$ \& 50 \% \#1 \textasciicircum{}\textasciitilde{}\{\}" in latex
    )
    markdown = table.to_markdown()
    assert "<script" not in markdown
    assert "\\|b" in markdown
    path = tmp_path / "x'; DROP TABLE y; --.csv"
    pd.DataFrame({'y"; --': truth, "p": predicted}).to_csv(path, index=False)
    assert howsure.assess('y"; --', "p", data=path).confusion == a.confusion


def test_help_needs_neither_scipy_nor_scikit_learn():
    code = (
        "import sys; from howsure.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'sklearn', 'duckdb', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_import_is_light():
    code = "import howsure, sys; assert not {'numpy', 'scipy', 'sklearn', 'duckdb', 'click'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_promised_name_is_there():
    for name in howsure.__all__:
        assert getattr(howsure, name) is not None
    assert set(howsure.__all__) <= set(dir(howsure))


def test_interrupted_pipe(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,p\na,a\nb,b\n")
    command = f"{sys.executable} -m howsure assess {path} --truth y --predicted p | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("options", [[], ["--all"], ["--per-class"], ["--csv"]], ids=str)
def test_findings_name_the_options_of_the_command(tmp_path, options):
    """The remedy is declared once, as an argument of the library; here it is an option."""
    path = tmp_path / "f.csv"
    path.write_text("y,p\n" + "a,20\nb,80\n" * 20)
    result = run("assess", path, "--truth", "y", "--score", "p", *options)
    said = " ".join((result.stdout + result.stderr).split())
    assert "look like percentages" in said
    assert "`--threshold 50`" in said
    assert "threshold=" not in said
