"""Preference among learners by more than error: by hand, by its properties, and at its edges."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from howsure import HowsureError
from howsure.experiment import Preference, prefer
from howsure.present.quantity import QUANTITIES, show

NAN = math.nan
NAMES = ["tree", "bayes", "knn"]
# Losses by hand. Error: 0, 1, 1/2. Training time, on the log scale: 1, 0, 1/4. With a weight w on time the scores are
# w, 1 - w and (1 - w) / 2 + w / 4, so tree wins below 2/5, knn up to 2/3, and bayes from there on.
ERROR = {"tree": 0.10, "bayes": 0.20, "knn": 0.15}
SECONDS = {"tree": 10.0, "bayes": 0.001, "knn": 0.01}
EXAMPLE = {"error": ERROR, "fit_seconds": SECONDS}
RTOL = 1e-12  # the same few operations in another order


def table(values, criteria=("error", "fit_seconds", "model_bytes")):
    names = [f"m{index}" for index in range(len(values))]
    columns = zip(*values, strict=True)
    return {c: dict(zip(names, column, strict=True)) for c, column in zip(criteria, columns, strict=False)}, names


def test_by_hand():
    preference = prefer(EXAMPLE, names=NAMES)
    assert preference.table == EXAMPLE
    assert preference.weights == {"error": 1, "fit_seconds": 0}
    assert preference.pareto == ("tree", "bayes", "knn")
    assert preference.losses["error"] == pytest.approx({"tree": 0, "bayes": 1, "knn": 0.5}, rel=RTOL)
    assert preference.losses["fit_seconds"] == pytest.approx({"tree": 1, "bayes": 0, "knn": 0.25}, rel=RTOL)
    assert preference.scores == preference.losses["error"]
    assert preference.ranks == {"tree": 1, "bayes": 3, "knn": 2}
    assert preference.winner == "tree"
    assert preference.verdict == (
        "tree is preferred with these weights; choose knn if the weight of training time is above 0.4"
    )
    assert [part.winner for part in preference.changes["fit_seconds"]] == ["tree", "knn", "bayes"]
    assert [part.low for part in preference.changes["fit_seconds"]] == pytest.approx([0, 2 / 5, 2 / 3], rel=RTOL)
    assert [part.high for part in preference.changes["fit_seconds"]] == pytest.approx([2 / 5, 2 / 3, 1], rel=RTOL)
    assert [part.winner for part in preference.changes["error"]] == ["bayes", "knn", "tree"]
    assert [part.low for part in preference.changes["error"]] == pytest.approx([0, 1 / 3, 3 / 5], rel=RTOL)
    assert preference.shares == pytest.approx({"tree": 2 / 5, "bayes": 1 / 3, "knn": 4 / 15}, rel=RTOL)
    assert set(preference.share_errors.values()) == {0}
    assert preference.notes == ()


def test_weights_by_hand():
    preference = prefer(EXAMPLE, {"error": 3, "fit_seconds": 2.5}, names=NAMES)
    assert preference.weights == pytest.approx({"error": 6 / 11, "fit_seconds": 5 / 11}, rel=RTOL)
    assert preference.scores == pytest.approx({"tree": 5 / 11, "bayes": 6 / 11, "knn": 4.25 / 11}, rel=RTOL)
    assert preference.verdict == "knn is preferred with these weights; choose tree if the weight of error is above 0.6"
    other = prefer(EXAMPLE, {"fit_seconds": 1}, names=NAMES)
    assert other.verdict == "bayes is preferred with these weights; choose knn if the weight of error is above 0.333"


def test_three_criteria_where_the_others_keep_their_proportions():
    """Weights 0.5, 0.3 and 0.2: as the first grows, the others stay 3 to 2."""
    criteria, names = table([(0, 1e3, 1), (1, 1, 1), (0.5, 1e3, 1e6)])
    preference = prefer(criteria, {"error": 0.5, "fit_seconds": 0.3, "model_bytes": 0.2}, names=names)
    assert preference.scores == pytest.approx({"m0": 0.3, "m1": 0.5, "m2": 0.75}, rel=RTOL)
    # 0.6 (1 - w) against w
    assert [part.winner for part in preference.changes["error"]] == ["m1", "m0"]
    assert preference.changes["error"][1].low == pytest.approx(0.375, rel=RTOL)
    assert preference.pareto == ("m0", "m1")  # m2 is dominated by m0
    assert preference.shares["m2"] == 0
    assert sum(preference.shares.values()) == pytest.approx(1, rel=RTOL)


def test_shares_of_three_criteria_against_the_area():
    """Each is best on one of three criteria and worst on the others, so each wins a third; within four errors."""
    criteria, names = table([(0, 1, 1), (1, 0, 1), (1, 1, 0)], ["a", "b", "c"])
    preference = prefer(criteria, names=names)
    for name in names:
        assert preference.shares[name] == pytest.approx(1 / 3, abs=4 * preference.share_errors[name])
        assert preference.share_errors[name] == pytest.approx(math.sqrt(2 / 9 / 20_000), rel=0.05)
    assert prefer(criteria, names=names).shares == preference.shares
    assert "(20000 draws, standard error at most 0.0034)" in preference.text(width=120)


def test_ratios_for_times_and_sizes_and_differences_for_errors():
    assert {name for name, declared in QUANTITIES.items() if not declared.log} == {"error", "cost"}
    values = dict(zip("abc", (0.001, 0.01, 10), strict=True))
    for name, declared in QUANTITIES.items():
        middle = prefer({name: values}, names=["a", "b", "c"]).losses[name]["b"]
        assert middle == pytest.approx(0.25 if declared.log else 0.009 / 9.999, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("fit_seconds", 0.0004, "400 µs"),
        ("fit_seconds", 0.0123, "12.3 ms"),
        ("predict_seconds", 0.9999, "1 s"),
        ("fit_seconds", 4321.0, "4321 s"),
        ("fit_seconds", 0.0, "0 µs"),
        ("peak_memory_bytes", 1_500.0, "1.5 kB"),
        ("model_bytes", 999_900.0, "1 MB"),
        ("model_bytes", 12.0, "12 B"),
        ("complexity", 31.0, 31),
        ("complexity", 31.5, 31.5),
        ("error", 0.25, 0.25),
    ],
)
def test_units(name, value, told):
    assert show(name, value) == told
    assert type(show(name, value)) is type(told)


# Values of a coarse grid, so that two of them are equal or clearly different, whatever the unit.
grid = st.integers(1, 40).map(lambda whole: whole / 8)
rows = st.integers(1, 4).flatmap(lambda k: st.lists(st.tuples(*[grid] * k), min_size=1, max_size=6))
NAMED = ["error", "fit_seconds", "model_bytes", "risk"]


@st.composite
def problems(draw, positive=False):
    criteria, names = table(draw(rows), NAMED)
    low = 1 if positive else 0
    weights = {c: draw(st.integers(low, 9)) for c in criteria}
    weights["error"] += not any(weights.values())
    return criteria, weights, names


def dominated(criteria, name, names):
    def beats(other):
        pairs = [(values[other], values[name]) for values in criteria.values()]
        return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)

    return any(map(beats, names))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(problems())
def test_the_winner_is_not_dominated(problem):
    criteria, weights, names = problem
    for given_weights in (weights, None):
        preference = prefer(criteria, given_weights, names=names)
        assert preference.pareto == tuple(name for name in names if not dominated(criteria, name, names))
        assert preference.winner in preference.pareto
        assert preference.scores[preference.winner] == pytest.approx(min(preference.scores.values()), abs=1e-9)
        assert preference.ranks[preference.winner] == 1
        assert sum(preference.weights.values()) == pytest.approx(1, rel=RTOL)
        assert sum(preference.shares.values()) == pytest.approx(1, rel=1e-9)
        for parts in preference.changes.values():
            assert {part.winner for part in parts} <= set(preference.pareto)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(problems(), st.randoms(use_true_random=False))
def test_the_order_of_learners_does_not_matter(problem, random):
    criteria, weights, names = problem
    mixed = random.sample(names, len(names))
    one = prefer(criteria, weights, names=names)
    other = prefer({c: {name: values[name] for name in mixed} for c, values in criteria.items()}, weights, names=mixed)
    assert (one.winner, one.verdict, one.changes) == (other.winner, other.verdict, other.changes)
    assert (one.scores, one.ranks) == (other.scores, other.ranks)
    assert one.shares == pytest.approx(other.shares, rel=1e-9)
    assert set(one.pareto) == set(other.pareto)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(problems(), st.sampled_from(NAMED), st.sampled_from([1e-6, 1e-3, 0.3, 1024.0, 1e9]), st.booleans())
def test_the_unit_of_a_criterion_does_not_matter(problem, name, unit, with_zero):
    criteria, weights, names = problem
    name = name if name in criteria else "error"
    if with_zero:
        criteria[name][names[0]] = 0.0
    one = prefer(criteria, weights, names=names)
    scaled = {n: value * unit for n, value in criteria[name].items()}
    other = prefer({**criteria, name: scaled}, weights, names=names)
    assert (one.winner, one.pareto, one.ranks) == (other.winner, other.pareto, other.ranks)
    assert one.scores == pytest.approx(other.scores, abs=1e-9)
    assert one.shares == pytest.approx(other.shares, abs=1e-3)  # a draw may fall on either side of an edge


@settings(max_examples=12, deadline=None, derandomize=True)
@given(problems(positive=True))
def test_break_points_are_where_the_winner_changes(problem):
    criteria, weights, names = problem
    preference = prefer(criteria, weights, names=names)

    def winner_at(c, weight):
        left = sum(other for key, other in weights.items() if key != c)
        moved = {key: other / left * (1 - weight) for key, other in weights.items()}
        return prefer(criteria, {**moved, c: weight}, names=names).winner

    for c, parts in preference.changes.items():
        assert parts[0].low == 0
        assert parts[-1].high == 1
        for part, after in itertools.pairwise(parts):
            assert part.high == after.low
            assert part.winner != after.winner
        for part in parts:
            assert part.high > part.low
            step = (part.high - part.low) * 1e-3
            for weight in (part.low + step, (part.low + part.high) / 2, part.high - step):
                assert winner_at(c, weight) == part.winner
    for c, parts in preference.changes.items():  # the given weights lie on each of these ways
        at = [part.winner for part in parts if part.low <= preference.weights[c] <= part.high]
        assert preference.winner in at or min(abs(part.low - preference.weights[c]) for part in parts) < 1e-9


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.tuples(grid, grid), min_size=2, max_size=6))
def test_exact_shares_of_two_criteria_against_a_fine_grid(values):
    """The grid has 4000 weights; a stretch is off by at most one of them at each end."""
    criteria, names = table(values)
    preference = prefer(criteria, names=names)
    losses = np.array([[preference.losses[c][name] for c in criteria] for name in names])
    weights = (np.arange(4000) + 0.5) / 4000
    totals = np.outer(weights, losses[:, 0]) + np.outer(1 - weights, losses[:, 1])
    won = totals <= totals.min(axis=1, keepdims=True) + 1e-9
    counted = (won / won.sum(axis=1, keepdims=True)).mean(axis=0)
    assert list(preference.shares.values()) == pytest.approx(counted.tolist(), abs=2 / 4000)


def test_one_learner():
    preference = prefer({"error": {"tree": 0.1}, "fit_seconds": {"tree": 2.0}}, names=["tree"])
    assert (preference.winner, preference.pareto, preference.scores, preference.shares) == (
        "tree",
        ("tree",),
        {"tree": 0},
        {"tree": 1},
    )
    assert preference.verdict == "tree is the only learner to compare"
    assert str(preference)


def test_all_equal():
    preference = prefer({"error": dict.fromkeys(NAMES, 0.1), "cost": dict.fromkeys(NAMES, 3)}, names=NAMES)
    assert preference.verdict == "bayes, knn, tree are equal on all criteria compared"
    assert preference.pareto == tuple(NAMES)
    assert set(preference.ranks.values()) == {1}
    assert preference.shares == pytest.approx(dict.fromkeys(NAMES, 1 / 3), rel=RTOL)
    assert preference.winner == "bayes"  # by name, so that the order of learners does not matter


def test_best_on_every_criterion():
    preference = prefer({"error": ERROR, "fit_seconds": {"tree": 1, "bayes": 2, "knn": 3}}, names=NAMES)
    assert preference.verdict == "tree is preferred with any weights: it is best on all criteria compared"
    assert preference.pareto == ("tree",)
    assert preference.shares == {"tree": 1, "bayes": 0, "knn": 0}


def test_equal_errors_are_decided_by_what_has_no_weight():
    criteria = {"error": {"a": 0.1, "b": 0.1, "c": 0.2}, "fit_seconds": {"a": 5.0, "b": 4.0, "c": 1.0}}
    preference = prefer(criteria, names=["a", "b", "c"])
    assert preference.winner == "b"
    assert preference.pareto == ("b", "c")
    assert preference.ranks == {"a": 1, "b": 1, "c": 3}
    assert preference.verdict.startswith(
        "b is preferred with these weights, tied with a; choose c if the weight of training time "
    )


def test_a_criterion_that_nobody_has():
    preference = prefer(
        {**EXAMPLE, "complexity": dict.fromkeys(NAMES, NAN)}, {"error": 1, "complexity": 1}, names=NAMES
    )
    assert preference.notes == (
        "complexity is unknown for every learner, so it is left out; its weight goes to the others",
    )
    assert preference.weights == {"error": 1, "fit_seconds": 0, "complexity": 0}
    assert preference.scores == prefer(EXAMPLE, names=NAMES).scores
    assert list(preference.changes) == ["error", "fit_seconds"]


def test_the_first_criterion_may_be_the_one_that_nobody_has():
    preference = prefer({"error": {}, "fit_seconds": SECONDS}, names=NAMES)
    assert preference.notes == ("error is unknown for every learner, so it is left out",)
    assert preference.winner == "bayes"


def test_a_criterion_that_some_lack():
    """Left out pair by pair: complexity speaks for tree against bayes, and not where knn is concerned."""
    errors, seconds = dict.fromkeys(NAMES, 0.1), dict.fromkeys(NAMES, 1.0)
    criteria = {"error": errors, "fit_seconds": seconds, "complexity": {"tree": 7, "bayes": 5, "knn": NAN}}
    preference = prefer(criteria, {"error": 1, "complexity": 1}, names=NAMES)
    assert preference.pareto == ("bayes", "knn")
    assert preference.notes == (
        "complexity is unknown for knn: it is left out of all scores, and of comparisons with these learners; "
        "its weight goes to the others",
    )
    assert set(preference.scores.values()) == {0}
    assert preference.winner == "bayes"


def test_unknown_values_may_leave_nobody_undominated():
    criteria = {"error": dict.fromkeys(NAMES, 0.1), "a": {"tree": 1, "bayes": 2}, "b": {"bayes": 1, "knn": 2}}
    preference = prefer({**criteria, "c": {"knn": 1, "tree": 2}}, names=NAMES)
    assert preference.pareto == ()
    assert "every learner is dominated by another one, which can happen if some values are unknown" in preference.notes
    assert str(preference)


@pytest.mark.parametrize(("seconds", "lacks"), [(NAN, "value"), (1e-9, "error")])
def test_a_failed_learner(seconds, lacks):
    """It is last, not Pareto even if it failed fast, and the others are compared as if it were not there."""
    criteria = {"error": {"svm": NAN, **ERROR}, "fit_seconds": {"svm": seconds, **SECONDS}}
    preference, without = prefer(criteria, names=["svm", *NAMES]), prefer(EXAMPLE, names=NAMES)
    assert preference.notes == (f"svm has no {lacks}, so it comes last and is not compared",)
    assert math.isnan(preference.scores["svm"])
    assert math.isnan(preference.shares["svm"])
    assert preference.ranks["svm"] is None
    assert preference.sheet().rows[-1][0] == "svm"
    assert (preference.pareto, preference.verdict, preference.changes) == (
        without.pareto,
        without.verdict,
        without.changes,
    )
    assert {name: preference.scores[name] for name in NAMES} == without.scores


def test_all_failed():
    preference = prefer({"error": {}, "fit_seconds": {}}, {"error": 1}, names=["a", "b"])
    assert preference.winner is None
    assert preference.verdict == "no learner is preferred: none has a value"
    assert (preference.pareto, preference.changes, preference.ranks) == ((), {}, {"a": None, "b": None})
    assert "b has no value, so it comes last and is not compared" in str(preference)
    assert json.loads(json.dumps(preference.to_dict(), allow_nan=False))["winner"] is None


def test_zero_times():
    """A zero counts as half of the smallest positive value: 0, 1 ms and 1.024 s are at 0, 1/11 and 1."""
    seconds = {"tree": 1.024, "bayes": 0.0, "knn": 0.001}
    preference = prefer({"error": ERROR, "fit_seconds": seconds}, names=NAMES)
    assert preference.losses["fit_seconds"] == pytest.approx({"tree": 1, "bayes": 0, "knn": 1 / 11}, rel=1e-9)
    assert preference.notes == ("training time: 0 counts as half the smallest positive value",)
    assert preference.plot().get_xlabel() == "training time (0 drawn at half the smallest positive value)"
    all_zero = prefer({"error": ERROR, "fit_seconds": dict.fromkeys(NAMES, 0)}, names=NAMES)
    assert set(all_zero.losses["fit_seconds"].values()) == {0}
    assert all_zero.notes == ()
    assert all_zero.plot().get_xscale() == "linear"


def test_large_weights():
    preference = prefer(EXAMPLE, {"error": 1e308, "fit_seconds": 1e308}, names=NAMES)
    assert preference.weights == {"error": 0.5, "fit_seconds": 0.5}


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda: prefer(EXAMPLE, {"fit_second": 1}, names=NAMES),
            "`weights` must be one of 'error', 'fit_seconds', not 'fit_second'; did you mean 'fit_seconds'?",
        ),
        (
            lambda: prefer(EXAMPLE, {"error": -1}, names=NAMES),
            "`weights['error']` must be a non-negative number, not -1.",
        ),
        (
            lambda: prefer(EXAMPLE, {"error": NAN}, names=NAMES),
            "`weights['error']` must be a non-negative number, not nan.",
        ),
        (
            lambda: prefer(EXAMPLE, {"error": "much"}, names=NAMES),  # type: ignore[dict-item]
            "`weights['error']` must be a non-negative number, not 'much'.",
        ),
        (
            lambda: prefer(EXAMPLE, {"error": 0}, names=NAMES),
            "`weights` must be positive for at least one of 'error', 'fit_seconds', not {'error': 0}.",
        ),
        (
            lambda: prefer({**EXAMPLE, "complexity": {"tree": 3}}, {"complexity": 1}, names=NAMES),
            "`weights` must be positive for at least one of 'error', 'fit_seconds', not {'complexity': 1}.",
        ),
        (
            lambda: prefer({"fit_seconds": {"tree": -1}}, names=NAMES),
            "`criteria['fit_seconds']['tree']` must be a non-negative number, or NaN, not -1.",
        ),
        (
            lambda: prefer({"error": {"tree": math.inf}}, names=NAMES),
            "`criteria['error']['tree']` must be a finite number, or NaN, not inf.",
        ),
        (
            lambda: prefer({"error": {"tree": None}}, names=NAMES),  # type: ignore[dict-item]
            "`criteria['error']['tree']` must be a finite number, or NaN, not None.",
        ),
        (
            lambda: prefer({"error": {"trees": 1}}, names=NAMES),
            "`criteria['error']` must be one of 'tree', 'bayes', 'knn', not 'trees'; did you mean 'tree'?",
        ),
        (lambda: prefer({}, names=NAMES), "`criteria` must be one or more criteria, not {}."),
        (lambda: prefer(EXAMPLE, names=[]), "`names` must be one or more distinct names, not []."),
        (lambda: prefer(EXAMPLE, names="tree"), "`names` must be one or more distinct names, not 'tree'."),
        (
            lambda: prefer({"error": {}}, names=["a", "a"]),
            "`names` must be one or more distinct names, not ['a', 'a'].",
        ),
        (
            lambda: prefer({"error": ERROR}, names=NAMES).plot(),
            "`plot` needs two criteria with values.",
        ),
        (
            lambda: prefer(EXAMPLE, names=NAMES).plot(against="error"),
            "`against` must be 'fit_seconds', not 'error'.",
        ),
    ],
)
def test_mistakes(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask()
    assert str(caught.value) == sentence


def test_what_is_shown():
    preference = prefer(EXAMPLE, {"error": 2, "fit_seconds": 1}, names=NAMES)
    assert str(preference) == preference.text() == TEXT
    assert preference.sheet().columns == ["learner", "error", "training time", "Pareto", "score", "rank", "share"]
    html = preference.to_html()
    assert html == preference.sheet().to_html() + preference.changes_sheet().to_html()
    assert "<caption>tree is preferred with these weights; choose knn" in html


TEXT = """\
tree is preferred with these weights; choose knn if the weight of training time
  is above 0.4
learner  error  training time  Pareto  score  rank  share
-------  -----  -------------  ------  -----  ----  -----
tree     0.100  10 s           *       0.333     1  0.400
knn      0.150  10 ms          *       0.417     2  0.267
bayes    0.200  1 ms           *       0.667     3  0.333
weights: error 0.667, training time 0.333
share: proportion of all weightings for which this learner is preferred

preferred learner as one weight varies from 0 to 1 (others in proportion)
criterion      weight now   from     to  preferred
-------------  ----------  -----  -----  ---------
error               0.667  0.000  0.333  bayes
error               0.667  0.333  0.600  knn
error               0.667  0.600  1.000  tree
training time       0.333  0.000  0.400  tree
training time       0.333  0.400  0.667  knn
training time       0.333  0.667  1.000  bayes"""


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frame_keeps_seconds_and_every_digit(library):
    import narwhals as nw

    frame = nw.from_native(prefer({**EXAMPLE, "complexity": {}}, names=NAMES).frame(library))
    assert frame.columns == ["learner", "error", "fit_seconds", "complexity", "pareto", "score", "rank", "share"]
    assert frame["learner"].to_list() == ["tree", "knn", "bayes"]
    assert frame["fit_seconds"].to_list() == [10.0, 0.01, 0.001]
    assert frame["pareto"].to_list() == [True, True, True]


def test_json():
    criteria = {**EXAMPLE, "complexity": {"tree": 3}}
    stored = json.loads(json.dumps(prefer(criteria, names=NAMES).to_dict(), allow_nan=False))
    assert stored["names"] == NAMES
    assert stored["table"]["complexity"] == {"tree": 3, "bayes": None, "knn": None}
    assert stored["changes"]["fit_seconds"][0] == {"low": 0, "high": pytest.approx(0.4, rel=RTOL), "winner": "tree"}
    assert stored["winner"] == "tree"
    assert stored["verdict"].startswith("tree is preferred")
    assert set(stored) == set(Preference.__dataclass_fields__)


def test_names_do_not_become_markup():
    name = "<script>alert('x')</script>"
    preference = prefer({f"{name} time": {name: 1, "b": 2}, "c": {name: 3, "b": 1}}, names=[name, "b"])
    assert "<script" not in preference._repr_html_()
    assert "&lt;script&gt;" in preference._repr_html_()


def draw(found, **options):
    from matplotlib.text import Text

    ax = found.plot(**options)
    ax.figure.draw_without_rendering()
    return ax, {text.get_text(): Text.get_window_extent(text) for text in ax.texts}


LONG = ["logistic regression", "decision tree", "random forest", "k nearest neighbours", "naive Bayes"]
EIGHT = [*LONG, "gradient boosting", "support vector machine", "$majority$\n"]


@pytest.mark.parametrize("kind", ["spread", "close", "on a line"])
def test_names_in_the_chart_do_not_overlap(kind):
    rng = np.random.default_rng(31)  # close: three points within a label's height, at the edge
    error, seconds = rng.uniform(0.05, 0.3, 8), 10 ** rng.uniform(-3, 1, 8)
    if kind == "close":
        error, seconds = 0.1 + 0.01 * error, 1 + 0.1 * seconds
    if kind == "on a line":
        error[:] = 0.1
    criteria = {"error": error, "fit_seconds": seconds}
    preference = prefer({c: dict(zip(EIGHT, values, strict=True)) for c, values in criteria.items()}, names=EIGHT)
    ax, boxes = draw(preference)
    assert len(boxes) == 8
    for one, other in itertools.combinations(boxes.values(), 2):
        assert not one.overlaps(other)
    for box in boxes.values():
        assert (box.min >= ax.bbox.min).all()
        assert (box.max <= ax.bbox.max).all()
    assert ax.get_xscale() == "log"
    assert ax.get_yscale() == "linear"


def test_the_chart():
    from matplotlib.figure import Figure

    mine = Figure().subplots()
    criteria = {**EXAMPLE, "model_bytes": {"tree": 1e3, "bayes": 1e4, "knn": 1e5, "failed": 10}}
    preference = prefer(criteria, names=[*NAMES, "failed"])
    ax, boxes = draw(preference, ax=mine, against="model_bytes")
    assert ax is mine
    assert set(boxes) == set(NAMES)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("model size", "error")
    front = ax.lines[0]
    assert front.get_xydata().tolist() == [[1e3, 0.1]]  # bayes and knn are larger and worse
    ax, _ = draw(preference)
    assert ax.lines[0].get_xydata().tolist() == [[0.001, 0.2], [0.01, 0.15], [10, 0.1]]
    assert ax.get_xlabel() == "training time"
    assert "1 s" in [tick.get_text() for tick in ax.get_xticklabels()]
