"""The page of a result as a file: whole or not at all, the same bytes every time, and from the command line."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.learners import PessimisticTree
from howsure.present.report import declare, page
from howsure.present.report.direction import isolated
from howsure.present.report.javascript import function, script_json
from howsure.present.report.sections.thresholds import thresholds_by_dataset

TRUTH = ["y", "n", "y", "n", "n", "y", "n", "n"] * 5
SCORES = {"one": [0.8, 0.3, 0.6, 0.4, 0.1, 0.7, 0.55, 0.2] * 5, "two": [0.5, 0.3, 0.9, 0.6, 0.1, 0.2, 0.4, 0.7] * 5}


@pytest.fixture(scope="module")
def predictions(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "predictions.csv"
    columns = [TRUTH, *SCORES.values(), ["a", "b"] * 20]
    rows = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    path.write_text("\n".join(["y,one,two,site", *rows]) + "\n")
    return path


def run(*arguments):
    return CliRunner().invoke(main, list(map(str, arguments)))


def test_a_page_and_its_numbers(tmp_path):
    a = howsure.assess(TRUTH, scores=SCORES["one"])
    path = a.report(tmp_path / "page.html")
    assert path == tmp_path / "page.html"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["page.html", "page.json"]
    numbers = json.loads((tmp_path / "page.json").read_text())
    assert numbers["howsure"] == howsure.__version__
    assert numbers["sections"][0]["section"] == "headline"
    first = path.read_bytes(), (tmp_path / "page.json").read_bytes()
    a.report(path, force=True)
    assert first == (path.read_bytes(), (tmp_path / "page.json").read_bytes())


def test_a_page_that_is_there_stays(tmp_path):
    a = howsure.assess(TRUTH, scores=SCORES["one"])
    for name in ("page.html", "page.json"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(howsure.HowsureError) as refused:
            a.report(tmp_path / "page.html")
        said = f"{str(tmp_path / name)!r} already exists; `force` replaces it."
        assert str(refused.value) == said
        assert (tmp_path / name).read_text() == "mine"
        (tmp_path / name).unlink()
    with pytest.raises(howsure.HowsureError, match=r"^`path` must end in \.html, not 'page\.txt'\.$"):
        a.report("page.txt")


def test_a_section_that_fails_leaves_nothing_behind(tmp_path):
    declare.load()  # or what is there would be forgotten with what is planted
    with declare.registry.restored():

        @declare.section(of="Assessment", order=99)
        def broken(assessment):
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            howsure.assess(TRUTH, scores=SCORES["one"]).report(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_no_predictions_are_in_the_page():
    """Every case has a score of its own, and the order of the cases cannot be told from the page."""
    rng = np.random.default_rng(0)
    scores = rng.random(3000)
    truth = rng.random(3000) < scores
    html, _ = page.build(howsure.assess(truth, scores=scores))
    order = rng.permutation(3000)
    again, _ = page.build(howsure.assess(truth[order], scores=scores[order]))
    assert html == again
    kept = json.loads(re.search(r'class="explorer-data">(.*?)</script>', html)[1])["models"][0]["thresholds"]
    assert len(kept) <= 1100


def test_sections_depend_on_what_there_is_to_say():
    def sections(result):
        return [one.name for one in declare.sections_of(result.views())]

    one = sections(howsure.assess(TRUTH, scores=SCORES["one"]))
    assert one == ["headline", "thresholds", "probabilities", "measures", "methods"]
    labels = sections(howsure.assess(TRUTH, TRUTH[::-1]))
    assert labels == ["headline", "classes", "measures", "methods"]
    both = sections(howsure.compare(TRUTH, scores=SCORES))
    assert both == ["verdict", "scoreboard", "thresholds", "probabilities", "difference", "methods"]
    groups = sections(howsure.assess(TRUTH, scores=SCORES["one"], by=["a", "b"] * 20))
    assert groups == ["headline", "groups", "thresholds", "probabilities", "measures", "methods"]
    assert "thresholds" not in sections(howsure.assess(["y"] * 9, scores=SCORES["one"][:9], labels=["n", "y"]))


def test_the_command(predictions, tmp_path):
    target = tmp_path / "page.html"
    score = ("--truth", "y", "--score", "one")
    assert run("report", predictions, *score, "--output", target).stdout == f"{target}\n"
    assert "How good is it?" in target.read_text()
    refused = run("report", predictions, *score, "--output", target)
    said = f"Error: {str(target)!r} already exists; `--force` replaces it.\n"
    assert (refused.exit_code, refused.stderr) == (2, said)
    assert run("report", predictions, *score, "--score", "two", "--output", target, "--force").exit_code == 0
    assert "Is it really better?" in target.read_text()
    assert run("report", predictions, *score, "--by", "site", "--output", target, "--force").exit_code == 0
    assert "Is it the same for every site?" in target.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--score", "one"],
            "`--truth` must name the column of the true labels; {file!r} has 'y', 'one', 'two', 'site'.",
        ),
        (
            ["--truth", "y", "--score", "one", "--measure", "auc"],
            "`--measure` is for comparing classifiers, but there is only one.",
        ),
        (
            ["--truth", "y", "--score", "one", "--score", "two", "--by", "site"],
            "`--by` is for a single classifier; leave it out to compare several.",
        ),
    ],
)
def test_refusals(predictions, tmp_path, arguments, said):
    refused = run("report", predictions, *arguments, "--output", tmp_path / "page.html")
    assert (refused.exit_code, refused.stdout, refused.stderr) == (
        2,
        "",
        f"Error: {said.format(file=str(predictions))}\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_html_beside_what_is_printed(predictions, tmp_path):
    target = tmp_path / "page.html"
    plain = run("assess", predictions, "--truth", "y", "--score", "one")
    both = run("assess", predictions, "--truth", "y", "--score", "one", "--html", target)
    assert both.stdout == plain.stdout
    assert both.stderr.splitlines()[-1] == f"page: {target}"
    columns = ("--truth", "y", "--score", "one", "--score", "two")
    assert run("compare", predictions, *columns, "--html", target).exit_code == 2
    assert run("compare", predictions, *columns, "--html", target, "--force").exit_code == 0
    assert "Is it really better?" in target.read_text()
    refused = run("compare", predictions, *columns, "--force")
    assert refused.stderr == "Error: `--force` overwrites a page; it needs `--html PAGE`.\n"


def test_groups_against_the_rest():
    """Of proportions the interval is Newcombe's; it allows for the number of groups; small groups are named."""
    truth = np.array([1] * 200)
    guess = np.concatenate(
        [np.repeat([1, 0], [40, 20]), np.repeat([1, 0], [55, 5]), np.repeat([1, 0], [70, 4]), [1] * 6]
    )
    sites = np.repeat(["a", "b", "c", "tiny"], [60, 60, 74, 6])
    differences = howsure.assess(truth, guess, by=sites, labels=[0, 1]).differences()
    first = differences.groups[0]
    wanted = howsure.intervals.newcombe(40, 60, 55 + 70 + 6, 140, confidence=1 - 0.05 / 3)
    assert (first.low, first.high) == pytest.approx((wanted.low, wanted.high), rel=1e-12)
    assert [one.is_shown for one in differences.groups] == [True, False, True, False]
    assert differences.groups[3].note == "too few cases (6; at least 10 are needed)"
    assert differences.title == "by group: accuracy differs significantly from the rest for a, c"
    assert "not compared: tiny" in differences.notes
    two = howsure.assess(truth[:120], guess[:120], by=sites[:120], labels=[0, 1]).differences()
    wanted = howsure.intervals.newcombe(40, 60, 55, 60)
    assert (two.groups[0].low, two.groups[0].high) == pytest.approx((wanted.low, wanted.high), rel=1e-12)


def test_formulas_become_functions():
    assert function("tp / (tp + fn)", ratio=True) == "(tp,fp,fn,tn,n)=>[tp,(tp+fn)]"
    assert function("2 * tp / sqrt(n - 1)", ratio=False) == "(tp,fp,fn,tn,n)=>div((2*tp),sqrt((n-1)))"


def test_json_inside_a_script_cannot_end_it():
    text = script_json({"name": "</script><!-- & \u2028"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"name": "</script><!-- & \u2028"}


def test_letters_from_right_to_left_are_set_apart():
    assert isolated("a < b") == "a &lt; b"
    assert isolated("שלום עולם: 0.5 [0, 1], <عربي> 7") == "<bdi>שלום עולם</bdi>: 0.5 [0, 1], &lt;<bdi>عربي</bdi>&gt; 7"


def test_a_page_has_room_for_some_data_sets():
    """Those without scores of two classes are left out, and the page says which are shown."""
    good, labels = howsure.assess(TRUTH, scores=SCORES["one"]), howsure.assess(TRUTH, TRUTH)
    many = {f"set {index}": {"one": labels if index == 1 else good} for index in range(8)}
    shown = thresholds_by_dataset(many)
    assert list(shown.parts[0].parts) == ["set 0", "set 2", "set 3", "set 4", "set 5"]
    assert shown.lead.endswith(" Of 8 data sets, the first 5 with scores of two classes are shown.")
    assert thresholds_by_dataset({"a": {"one": labels}, "b": {}}) is None


def test_a_tree_before_and_after_pruning(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.random((120, 2))
    y = (X[:, 0] > 0.5) ^ (rng.random(120) < 0.2)
    tree = PessimisticTree(min_samples_leaf=2).fit(X, y)
    a = howsure.assess(tree, X, y)
    with pytest.raises(howsure.HowsureError, match=r"^`model` must be a fitted PessimisticTree, not 3\.$"):
        a.report(tmp_path / "page.html", model=3)
    html, numbers = page.build(a, model=tree)
    before, after = re.findall(r"<desc[^>]*>(before[^<]*|after[^<]*)</desc>", html)
    assert before == f"before pruning: {tree.grown_.get_n_leaves()} leaves."
    assert after.startswith(f"after pruning: {tree.get_n_leaves()} lea")
    (section,) = (one for one in numbers["sections"] if one["section"] == "pruning")
    assert len(section["parts"][-1]["rows"]) == len(tree.trace_)
