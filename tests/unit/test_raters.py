"""Agreement of raters: definitions, identities, edges, forms of input, and what is said."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import howsure
from howsure import HowsureError, Ratings
from howsure.raters.coefficients import registry

RNG = np.random.default_rng(3)
TRUTH = RNG.choice(["a", "b", "c"], 80, p=[0.6, 0.3, 0.1])
NAMES = ("anna", "ben", "carol", "dora")
TABLE = {name: np.where(RNG.random(80) < 0.75, TRUTH, RNG.choice(["a", "b", "c"], 80)).astype(object) for name in NAMES}
for _column in TABLE.values():
    _column[RNG.random(80) < 0.2] = None
COEFFICIENTS = ("percent_agreement", "cohen_kappa", *(name for name in registry if name not in ("percent_agreement",)))
LEVELS = ("nominal", "ordinal", "interval", "ratio")
NUMBERS = RNG.integers(1, 6, (50, 3)).astype(float)
NUMBERS[:, 1:] = np.clip(NUMBERS[:, :1] + RNG.integers(-1, 2, (50, 2)), 1, 5)


def values(g, names=None):
    return {name: g[name].value for name in names or g.applicable()}


def ends(g):
    return {name: tuple(g[name].interval()) for name in g.applicable()}


# Definitions


def test_percent_agreement_is_the_mean_over_items_of_agreeing_pairs():
    shares = []
    for row in zip(*TABLE.values(), strict=True):
        said = [one for one in row if one is not None]
        pairs = [(i, j) for i in range(len(said)) for j in range(len(said)) if i != j]
        if pairs:
            shares.append(np.mean([said[i] == said[j] for i, j in pairs]))
    assert howsure.agreement(TABLE)["percent_agreement"].value == pytest.approx(np.mean(shares), rel=1e-12)


def test_alpha_is_one_less_observed_over_expected_disagreement_of_coincidences():
    """Krippendorff 2004: coincidences of pairable values, each unit's divided by one less than its ratings."""
    rows = [[one for one in row if not math.isnan(one)] for row in NUMBERS]
    pooled = [one for row in rows for one in row]
    observed = sum(sum((x - y) ** 2 for x in row for y in row) / (len(row) - 1) for row in rows)
    expected = sum((x - y) ** 2 for x in pooled for y in pooled) / (len(pooled) - 1)
    assert howsure.agreement(NUMBERS, level="interval")["krippendorff_alpha"].value == pytest.approx(
        1 - observed / expected, rel=1e-12
    )


def test_cohen_of_more_raters_is_the_mean_over_pairs():
    g = howsure.agreement(TABLE)
    kappas = [part.estimates[1].value for part in g.per_pair().parts]
    assert len(kappas) == 6
    assert g["cohen_kappa"].value == pytest.approx(np.mean(kappas), rel=1e-12)
    assert g["cohen_kappa"].notes == ("mean over all 6 pairs of raters",)


# The metric of alpha at the ordinal level is taken as given, and leaving out an item changes it.
ERRORS = [
    (name, level)
    for name in COEFFICIENTS
    for level in LEVELS
    if name != "scott_pi" and (name, level) != ("krippendorff_alpha", "ordinal")
]


@pytest.mark.parametrize(("name", "level"), ERRORS)
def test_the_error_is_that_of_the_jackknife_over_items(name, level):
    """The influence of an item is what the value changes by when it is left out, up to terms of the next order."""
    ratings = NUMBERS.copy()
    ratings[::7, 2] = np.nan
    whole = howsure.agreement(ratings, level=level)
    left_out = [
        howsure.agreement(np.delete(ratings, row, 0), level=level, labels=range(1, 6))[name].value for row in range(50)
    ]
    jackknife = math.sqrt(49 / 50 * ((np.array(left_out) - np.mean(left_out)) ** 2).sum())
    assert whole[name].standard_error == pytest.approx(jackknife, rel=0.06)


# Identities


def test_two_complete_raters_have_the_kappa_of_their_table():
    first, second = TRUTH, RNG.permutation(TRUTH)
    g = howsure.agreement({"x": first, "y": second})
    a = howsure.assess(first, second)
    assert g["cohen_kappa"].value == pytest.approx(a["kappa"].value, rel=1e-12)
    assert tuple(g["cohen_kappa"].interval()) == pytest.approx(tuple(a["kappa"].interval()), rel=1e-12)
    assert tuple(g["percent_agreement"].interval()) == pytest.approx(tuple(a["accuracy"].interval()), rel=1e-9)
    assert g["scott_pi"].value == pytest.approx(g["fleiss_kappa"].value, rel=1e-12)
    b = a.estimate("weighted_kappa", weights="quadratic")
    ordered = howsure.agreement({"x": first, "y": second}, level="ordinal", weights="quadratic", labels=list("abc"))
    assert ordered["cohen_kappa"].value == pytest.approx(b.value, rel=1e-12)


def test_pabak_of_two_categories_is_twice_the_agreement_less_one():
    g = howsure.agreement({"x": RNG.integers(0, 2, 40), "y": RNG.integers(0, 2, 40)})
    assert g["pabak"].value == pytest.approx(2 * g["percent_agreement"].value - 1, rel=1e-12)


def test_levels_that_order_nothing_are_the_nominal_one():
    ratings = RNG.integers(0, 2, (40, 3))
    nominal = values(howsure.agreement(ratings), ("fleiss_kappa", "krippendorff_alpha"))
    for level in LEVELS[1:]:
        assert values(howsure.agreement(ratings, level=level), nominal) == pytest.approx(nominal, rel=1e-12)


def test_perfect_agreement_is_one_with_an_interval_that_has_width():
    g = howsure.agreement(dict.fromkeys(NAMES, TRUTH))
    for name in g.applicable():
        interval = g[name].interval()
        assert g[name].value == pytest.approx(1, rel=1e-12)
        assert 0 < interval.low < 1 == pytest.approx(interval.high)


def test_the_order_of_items_raters_and_labels_changes_nothing():
    g = howsure.agreement(TABLE)
    rows = RNG.permutation(80)
    names = {"a": "z", "b": "y", "c": "x", None: None}
    second = howsure.agreement({name: [names[first] for first in TABLE[name][rows]] for name in reversed(NAMES)})
    assert values(second) == pytest.approx(values(g), rel=1e-12)
    for name, interval in ends(g).items():
        assert tuple(second[name].interval()) == pytest.approx(interval, rel=1e-9)


def test_raters_who_are_too_many_to_count_profiles_give_the_same():
    """From 27 raters of three categories on, items are not counted by profile any more."""
    many = {f"r{rater}": np.where(RNG.random(80) < 0.7, TRUTH, "a") for rater in range(30)}
    few = {name: many[name] for name in list(many)[:4]}
    alone = {name: [None] * 80 for name in list(many)[4:]}
    assert howsure.agreement(many).ratings.profiles == 80
    g, padded = howsure.agreement(few), howsure.agreement({**few, **alone})
    assert padded.ratings.profiles == 80
    assert values(padded, g.applicable()) == pytest.approx(values(g), rel=1e-12)
    assert ends(padded)["fleiss_kappa"] == pytest.approx(ends(g)["fleiss_kappa"], rel=1e-9)


# Intervals


@pytest.mark.parametrize("level", LEVELS)
def test_intervals_hold_the_value_stay_in_range_and_widen(level):
    g = howsure.agreement(NUMBERS, level=level)
    for name in g.applicable():
        estimate = g[name]
        narrow, wide = estimate.interval(0.8), estimate.interval(0.99)
        low, high = (0 if name == "percent_agreement" else -1), 1
        assert low <= wide.low < narrow.low <= estimate.value <= narrow.high <= wide.high <= high
        for method in estimate.methods:
            assert estimate.interval(method=method).width > 0
    assert g["gwet_ac2"].methods[:2] == ("mover", "delta")


def test_replicates_are_drawn_by_items():
    g = howsure.agreement(TABLE)
    for name in ("fleiss_kappa", "cohen_kappa", "krippendorff_alpha"):
        drawn = g[name].basis.replicates(4000, 1)
        assert np.nanstd(drawn) == pytest.approx(g[name].standard_error, rel=0.1)
        assert np.array_equal(drawn, g[name].basis.replicates(4000, 1))


def test_clusters_of_one_item_change_nothing_and_larger_ones_widen():
    g = howsure.agreement(TABLE)
    alone = howsure.agreement(TABLE, cluster=np.arange(80))
    assert ends(alone) == ends(g)
    copied = {name: np.repeat(column, 5) for name, column in TABLE.items()}
    together = howsure.agreement(copied, cluster=np.repeat(np.arange(80), 5))
    apart = howsure.agreement(copied)
    for name in g.applicable():
        assert together[name].value == pytest.approx(g[name].value, abs=0.01)
        assert together[name].design_effect == pytest.approx(5, rel=0.1)
        assert together[name].interval().width > 1.8 * apart[name].interval().width
        assert together[name].interval().method.endswith("clustered")
    assert len(together.per_pair().frame()) == 6


def test_where_nothing_is_known_there_is_no_interval():
    g = howsure.agreement([[0, 0]] * 30 + [[0, 1]])
    interval = g["fleiss_kappa"].interval()
    assert math.isnan(interval.low)
    assert interval.notes == ("all ratings but those of a single item are of one category",)
    assert math.isnan(g["cohen_kappa"].interval().low)
    assert g["percent_agreement"].interval().width > 0
    assert "it has no interval, because" in g.headline


def test_undefined_has_a_reason():
    g = howsure.agreement([["a", "a"], ["a", None]], labels=["a", "b"])
    assert g["fleiss_kappa"].undefined == "all ratings are of one category, so that the expected agreement is 1"
    assert g["gwet_ac1"].value == 1
    lonely = howsure.agreement({"x": ["a", None], "y": [None, "b"]})
    assert {lonely[name].undefined for name in ("percent_agreement", "krippendorff_alpha")} == {
        "no item has two ratings"
    }
    assert lonely["cohen_kappa"].undefined == "no item was rated by both"
    assert lonely.headline == "Agreement is undefined: no item has two ratings."
    three = howsure.agreement(TABLE)["scott_pi"]
    assert three.undefined == "it is defined for two raters; Fleiss' kappa extends it to more"
    counted = howsure.agreement(counts=[[2, 0], [1, 1]] * 20)
    assert counted["cohen_kappa"].undefined == "counts do not show which rater gave which rating"
    assert "cohen_kappa" not in counted.applicable()


# Forms of input


def long_form():
    rows = [(item, name, TABLE[name][item]) for item in range(80) for name in NAMES if TABLE[name][item] is not None]
    return {key: list(column) for key, column in zip(("item", "rater", "rating"), zip(*rows, strict=True), strict=True)}


def test_every_form_gives_the_same(tmp_path):
    g = howsure.agreement(TABLE)
    columns = long_form()
    wide, long = pd.DataFrame(TABLE), pd.DataFrame(columns)
    wide.to_csv(tmp_path / "wide.csv", index_label="doc")
    wide.reset_index(names="doc").to_parquet(tmp_path / "wide.parquet")
    long.sample(frac=1, random_state=0).to_csv(tmp_path / "long.csv", index=False)
    long.rename(columns={"item": "doc", "rater": "who", "rating": "said"}).to_csv(tmp_path / "named.csv", index=False)
    forms = {
        "rows": howsure.agreement([list(row) for row in zip(*TABLE.values(), strict=True)]),
        "array": howsure.agreement(np.stack(list(TABLE.values()), axis=1)),
        "pandas": howsure.agreement(wide),
        "polars": howsure.agreement(pl.DataFrame({name: column.tolist() for name, column in TABLE.items()})),
        "some columns": howsure.agreement(list(NAMES), data=wide.assign(more=1)),
        "long": howsure.agreement(columns["rating"], item=columns["item"], rater=columns["rater"]),
        "long frame": howsure.agreement("rating", item="item", rater="rater", data=long),
        "long frame, found": howsure.agreement(data=long),
        "csv": howsure.agreement(data=tmp_path / "wide.csv", item="doc"),
        "csv by name": howsure.agreement(list(NAMES), data=tmp_path / "wide.csv"),
        "parquet": howsure.agreement(list(NAMES), data=tmp_path / "wide.parquet"),
        "long csv": howsure.agreement(data=tmp_path / "long.csv"),
        "long csv by name": howsure.agreement("said", item="doc", rater="who", data=tmp_path / "named.csv"),
        "counted": howsure.agreement(g.ratings),
        "halves": howsure.agreement(
            howsure.agreement({name: column[:30] for name, column in TABLE.items()}).ratings
            + howsure.agreement({name: column[30:] for name, column in TABLE.items()}).ratings
        ),
    }
    rated = [name for name in g.applicable() if name != "cohen_kappa"]
    for form, second in forms.items():
        assert values(second) == pytest.approx(values(g), rel=1e-12), form
        assert ends(second)["cohen_kappa"] == pytest.approx(ends(g)["cohen_kappa"], rel=1e-9), form
    counts = howsure.agreement(counts=g.ratings.counts[g.ratings.of_item].astype(int), labels=list("abc"))
    assert values(counts, rated) == pytest.approx(values(g, rated), rel=1e-12)
    assert type(forms["pandas"].frame()).__module__.startswith("pandas")
    assert type(forms["polars"].frame()).__module__.startswith("polars")


def test_numbers_of_files_are_read_as_numbers(tmp_path):
    frame = pd.DataFrame(NUMBERS / 2, columns=list("xyz"))
    frame.to_csv(tmp_path / "n.csv", index=False)
    g = howsure.agreement(NUMBERS, level="interval")
    assert values(howsure.agreement(data=tmp_path / "n.csv", level="interval")) == pytest.approx(values(g), rel=1e-12)


def test_the_ratings_of_raters_are_joined_by_item():
    items = [f"i{n}" for n in range(80)]
    codes = {
        name: np.array([-1 if label is None else "abc".index(label) for label in TABLE[name]]) for name in NAMES[:2]
    }
    first, second = (Ratings.of_columns(list("abc"), {name: column}, items) for name, column in codes.items())
    both = howsure.agreement(first + second)
    assert values(both) == pytest.approx(
        values(howsure.agreement({name: TABLE[name] for name in NAMES[:2]})), rel=1e-12
    )
    with pytest.raises(HowsureError, match=r"^'anna' rated the item 'i\d+' more than once; keep one rating by each"):
        first + first


MISTAKES = {
    "`ratings` must be given: a row for each item and a column for each rater.": {},
    "`ratings` must have two or more raters.": {"ratings": [[1], [2]]},
    "`ratings` must have a rating from each rater in each row, or None: row 1 has 1 rating, and row 0 has 2.": {
        "ratings": [[1, 2], [1]],
    },
    "`ratings` must hold at least one rating, but all are missing.": {"ratings": [[None, None]]},
    "`level` must be one of 'nominal', 'ordinal', 'interval', 'ratio', not 'rank'.": {
        "ratings": [[1, 2]],
        "level": "rank",
    },
    "`labels` must list the categories in their order at the ordinal level, because 'bad', 'good' are text.": {
        "ratings": [["good", "bad"]],
        "level": "ordinal",
    },
    "`rater 1` must hold numbers at this level of measurement, not text.": {"ratings": [["a", 1]], "level": "interval"},
    "`ratings` must not be negative at the ratio level.": {
        "ratings": [[-1, 1]],
        "level": "ratio",
    },
    "`item` must name the item of each row if `rater` names its rater.": {"ratings": [1, 2], "rater": [1, 2]},
    "`item` must name each row once, but 'x' has several rows; pass `rater` for data with a row for each rating.": {
        "ratings": [[1, 2], [1, 2]],
        "item": ["x", "x"],
    },
    "'b' rated the item 'x' more than once; keep one rating by each rater.": {
        "ratings": [1, 2, 1],
        "item": ["x", "x", "x"],
        "rater": ["a", "b", "b"],
    },
    "`weights` must be one of 'nominal', 'linear', 'quadratic', 'ordinal', 'ratio', not 'cubic'.": {
        "ratings": [[1, 2]],
        "weights": "cubic",
    },
    "`weights` must be a 2 x 2 table of numbers, one for each pair of categories, not an array of shape (3, 3).": {
        "ratings": [[1, 2]],
        "weights": np.zeros((3, 3)),
    },
    "`weights` must be weights of disagreement: 0 on the diagonal, and nowhere negative. For weights of agreement pass "
    "`1 - weights`.": {"ratings": [[1, 2]], "weights": np.eye(2)},
    "`counts` must be a table of whole numbers with a row for each item and a column for each category, not [[0.5]].": {
        "counts": [[0.5]]
    },
    "`counts` have no raters: pass them alone, or with `labels`, `level`, `weights` and `cluster`.": {
        "counts": [[1]],
        "ratings": [[1]],
    },
    "`ratings` is the name of a column, 'x', so `data` must be given too.": {"ratings": "x"},
    "`cluster` must be the same in all rows of a case, but 'i' is in both 1 and 2.": {
        "ratings": [1, 2],
        "item": ["i", "i"],
        "rater": ["a", "b"],
        "cluster": [1, 2],
    },
}


@pytest.mark.parametrize("sentence", MISTAKES)
def test_mistakes_have_one_sentence(sentence):
    with pytest.raises(HowsureError) as error:
        howsure.agreement(**MISTAKES[sentence])
    assert str(error.value) == sentence


def test_raters_of_counts_are_not_known():
    g = howsure.agreement(counts=[[3, 0], [1, 2]] * 10)
    with pytest.raises(HowsureError, match=r"^`per_rater` needs the rater of each rating, which counts do not have\.$"):
        g.per_rater()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "float32", "bool"])
def test_small_types(dtype):
    ratings = np.array([[0, 0], [1, 1], [0, 1], [1, 1]] * 20)
    assert values(howsure.agreement(ratings.astype(dtype))) == pytest.approx(
        values(howsure.agreement(ratings)), rel=1e-12
    )


# What is said


def test_parts_tell_who_disagrees_and_about_what():
    table = {**TABLE, "eve": RNG.choice(["a", "b", "c"], 80)}
    g = howsure.agreement(table)
    parts = g.per_rater()
    assert parts.parts[0].key == {"rater": "eve"}
    assert "eve agrees least with the others" in g.headline
    by_hand = []
    for row in range(80):
        others = [table[name][row] for name in NAMES if table[name][row] is not None]
        if others:
            by_hand.append(np.mean([one == table["eve"][row] for one in others]))
    assert parts.parts[0].estimates[0].value == pytest.approx(np.mean(by_hand), rel=1e-12)
    assert [part.key["category"] for part in g.per_category().parts] == ["a", "b", "c"]
    worst = g.contested(3).records()
    assert [row["disagreement"] for row in worst] == sorted((row["disagreement"] for row in worst), reverse=True)
    assert len(howsure.agreement(dict.fromkeys(NAMES, TRUTH)).contested()) == 0


def test_specific_agreement_of_two_raters_is_twice_both_over_the_sum():
    """Cicchetti and Feinstein 1990."""
    g = howsure.agreement([[1, 1]] * 12 + [[1, 0]] * 5 + [[0, 1]] * 3 + [[0, 0]] * 40)
    assert g.per_category().parts[1].estimates[0].value == pytest.approx(24 / 32, rel=1e-12)


def test_surfaces_agree():
    g = howsure.agreement(TABLE)
    assert g.to_dict()["measures"][2]["value"] == g["fleiss_kappa"].value == g.records()[2]["value"]
    assert json.loads(json.dumps(g.to_dict()))["raters"] == list(NAMES)
    assert f"{g['fleiss_kappa'].value:.3f}" in str(g)
    assert f"{g['fleiss_kappa'].value:.3f}" in g.to_markdown()
    assert str(g).startswith("Two ratings of an item agree in ")
    assert str(g["fleiss_kappa"]).endswith("n = 77")
    assert g["light_kappa"] == g["cohen_kappa"]
    with pytest.raises(HowsureError, match="`coefficient` must be the name of a coefficient, not 'kapa'"):
        g["kapa"]
