"""`howsure plan`: a question in, a sentence and a table out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import howsure
from howsure.cli import main
from howsure.significance.power import planning


def run(line):
    return CliRunner().invoke(main, ["plan", *line.split()])


def test_a_number_of_cases():
    done = run("mcnemar --difference 0.02 --discordant 0.1 --power 0.8")
    assert done.exit_code == 0
    assert done.output == (
        "McNemar's test: 1945 cases detect a difference of 0.020 with power 0.800 at\n"
        "  the 5 % level (two-sided, discordant 0.100).\n"
        "  note: Connor's normal formula (1987) gives 1960 cases\n"
        "\n"
        "McNemar's test, difference 0.020\n"
        "cases  power\n"
        "-----  -----\n"
        "  487  0.285\n"
        "  973  0.508\n"
        " 1459  0.678\n"
        " 1945  0.800\n"
        " 2432  0.880\n"
        " 2918  0.930\n"
        " 3890  0.977\n"
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "mcnemar --n 800 --power 0.9 --discordant 0.2 --alternative less",
            lambda: planning.plan_mcnemar(800, 0.9, discordant=0.2, alternative="less"),
        ),
        (
            "proportions --n 300 --difference 0.05 --proportion 0.8 --alpha 0.01",
            lambda: planning.plan_proportions(300, difference=0.05, proportion=0.8, alpha=0.01),
        ),
        (
            "auc --auc 0.85 --difference 0.03 --correlation 0.5 --n 500 --positives 0.3",
            lambda: planning.plan_auc(500, difference=0.03, auc=0.85, correlation=0.5, positives=0.3),
        ),
        (
            "corrected-t --n 100 --power 0.8 --sd 0.02 --ratio 0.111",
            lambda: planning.plan_corrected_t(100, 0.8, sd=0.02, ratio=0.111),
        ),
        (
            "friedman --classifiers 4 --difference 1.5 --power 0.8 --pattern even",
            lambda: planning.plan_friedman(power=0.8, difference=1.5, classifiers=4, pattern="even"),
        ),
        (
            "mcnemar --power 0.8 --difference 0.05 --discordant 0.2 --icc 0.1 --cluster-size 12 --size-variation 0.5",
            lambda: planning.plan_mcnemar(
                power=0.8, difference=0.05, discordant=0.2, icc=0.1, cluster_size=12, size_variation=0.5
            ),
        ),
        (
            "proportions --n 300 --difference 0.05 --proportion 0.8 --icc 0.1 --cluster-size 5",
            lambda: planning.plan_proportions(300, difference=0.05, proportion=0.8, icc=0.1, cluster_size=5),
        ),
        (
            "auc --auc 0.85 --difference 0.03 --correlation 0.5 --n 500 --icc 0.2 --cluster-size 4",
            lambda: planning.plan_auc(500, difference=0.03, auc=0.85, correlation=0.5, icc=0.2, cluster_size=4),
        ),
        (
            "non-inferiority --power 0.9 --margin 0.03 --difference 0.01 --discordant 0.2 --alpha 0.025 "
            "--icc 0.1 --cluster-size 4",
            lambda: howsure.plan.non_inferiority(
                power=0.9, margin=0.03, difference=0.01, discordant=0.2, alpha=0.025, icc=0.1, cluster_size=4
            ),
        ),
        (
            "half-width --proportion 0.9 --half-width 0.04 --prevalence 0.3 --confidence 0.9 "
            "--icc 0.1 --cluster-size 4",
            lambda: howsure.plan.half_width(0.9, 0.04, prevalence=0.3, confidence=0.9, icc=0.1, cluster_size=4),
        ),
        ("half-width --proportion 1 --n 300", lambda: howsure.plan.half_width(1, n=300)),
        (
            "auc-half-width --auc 0.9 --n 300 --prevalence 0.2 --icc 0.1 --cluster-size 4",
            lambda: howsure.plan.auc_half_width(0.9, n=300, prevalence=0.2, icc=0.1, cluster_size=4),
        ),
        (
            "repeats --case-variance 0.1 --repeat-variance 0.2 --budget 900 --cost-per-case 5 --cost-per-sample 2 "
            "--most-cases 90 --confidence 0.9",
            lambda: howsure.plan.repeats(
                0.1, 0.2, budget=900, cost_per_case=5, cost_per_sample=2, most_cases=90, confidence=0.9
            ),
        ),
        ("friedman --classifiers 4 --w 0.2 --n 20", lambda: planning.plan_friedman(20, w=0.2, classifiers=4)),
    ],
)
def test_the_command_says_what_the_function_gives(line, expected):
    found = expected()
    done = run(f"{line} --json")
    assert done.exit_code == 0
    assert json.loads(done.output) == found.to_dict()
    text = run(line).output
    assert text.startswith(f"{found}\n")
    assert text.endswith(f"{found.sheet().text()}\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "mcnemar --discordant 0.1 --power 0.8",
            "exactly one of `--n`, `--power` and `--difference` must be left out, not `--n` and `--difference`.",
        ),
        (
            "mcnemar --discordant 0.1 --power 0.8 --difference 0.02 --icc 0.1",
            "`--icc` and `--cluster-size` go together; give both of them, or neither.",
        ),
        (
            "half-width --proportion 0.9 --half-width 3",
            "`--half-width` must be a number between 0 and 0.5, not 3.0; did you mean 0.03?",
        ),
        ("friedman --classifiers 2 --n 9 --power 0.8", "`--classifiers` must be a whole number, 3 or more, not 2."),
        (
            "corrected-t --sd 0.02 --ratio 0.111 --difference 0.01 --power 0.8",
            "a power of 0.8 is out of reach: 10000000 splits give no more than 0.323.",
        ),
    ],
)
def test_refusals(line, words):
    done = run(line)
    assert done.exit_code == 2
    assert done.stderr == f"Error: {words}\n"


def test_help_names_all_plans():
    done = run("--help")
    assert done.exit_code == 0
    for name in howsure.plan.__all__:
        assert f"  {name.replace('_', '-')} " in done.output


def row(first, values):
    return f"| {first} | {' | '.join(map(str, values))} |"


def test_the_page_has_the_numbers_of_today():
    page = (Path(__file__).parents[2] / "docs/how-to/planning.md").read_text()
    given = {"power": 0.8, "discordant": 0.1}
    for icc in (0, 0.05, 0.1, 0.3, 1):
        clusters = [{"icc": icc, "cluster_size": size} for size in (5, 20, 50)]
        assert row(icc, [planning.plan_mcnemar(difference=0.02, **given, **one).n for one in clusters]) in page
    for margin in (0.01, 0.02, 0.05):
        plans = [howsure.plan.non_inferiority(margin=margin, difference=true, **given) for true in (0, 0.005, -0.005)]
        assert row(margin, [plan.n for plan in plans]) in page
    for share in (0.5, 0.8, 0.9, 0.95, 0.99):
        assert row(share, [howsure.plan.half_width(share, half).n for half in (0.05, 0.03, 0.01)]) in page
    for area in (0.7, 0.8, 0.9, 0.95):
        plans = [howsure.plan.auc_half_width(area, 0.05, prevalence=positive) for positive in (0.5, 0.2, 0.1)]
        assert row(area, [plan.n for plan in plans]) in page
    few, many = (planning.plan_mcnemar(power=0.8, difference=0.02, discordant=share).n for share in (0.04, 0.16))
    assert f"needs {few} cases" in page
    assert f"and {many} with 0.16" in page
    assert f"needs {planning.plan_proportions(power=0.8, difference=0.02, proportion=0.9).n} cases of each" in page
    for along in (0, 0.5, 0.8):
        given = {"power": 0.8, "difference": 0.03, "auc": 0.85, "correlation": along}
        half, tenth = (planning.plan_auc(**given, positives=share).n for share in (0.5, 0.1))
        assert f"| {along} | {half} | {tenth} |" in page
    for splits in (10, 30, 100, 1000):
        smallest = planning.plan_corrected_t(splits, 0.8, sd=0.02, ratio=1 / 9).difference
        assert f"| {splits} | {smallest:.4f} |" in page
    for k in (5, 10):
        needed = [
            planning.plan_friedman(power=0.8, difference=apart, classifiers=k, pattern=pattern).n
            for apart in (1, 1.5, 2)
            for pattern in ("pair", "even")
        ]
        assert f"| {k} | {' | '.join(map(str, needed))} |" in page
