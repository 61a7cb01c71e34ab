"""Arguments by the names of parameters: consistent ones in any container, and invalid ones."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import howsure
from fuzz.case import Case
from fuzz.hostile import HOSTILE, SMALL_HOSTILE

LABELS: list[list[Any]] = [
    ["a", "b"], ["a", "b", "c"], [0, 1], [0, 1, 2, 3], [False, True], [-3, 7], ["only"],
    ["no", "yes", "\x1b[31mred", "<b>"], [0, 250], [10**12, 3], ["x" * 300, "é", ""], list(range(12)), ["1", "01"],
    [100, -100, 27], ["truth", "scores"],
]  # fmt: skip
CLASSIFIERS: list[list[Any]] = [["one", "other"], ["a", "b", "c"], ["truth", "weight"], ["\x1b[1mx", "y\nz"], ["1", 1]]
BOUNDED = {"replicates", "rounds", "n_estimators", "points", "folds", "repeats", "bins", "most", "max_depth", "size"}
Draw = Callable[[], Any]
LEARNING = {"learner", "learners", "estimator", "estimators", "tree"}


class Arguments:
    """Arguments of one call, which are usually consistent with each other."""

    def __init__(self, case: Case, owner: Any = None) -> None:
        self.case, self.rng, self.owner = case, case.rng, owner
        rng = self.rng
        self.n = rng.choice([1, 2, 3, 5, 8, 12, 20, 30, 40, 60])
        self.pool = rng.choice(LABELS)
        self.m = rng.choice([2, 3, 5, 10, 20])  # number of folds or data sets
        self.learners = rng.choice([2, 3, 3, 4, 6])
        self.total = rng.choice([0, 1, 2, 10, 37, 100, 1000, 12345, 10**6, 10**9])
        self.hostile = 0.07 if case.chance(0.5) else 0.0  # half of the calls have valid arguments only

    def of(self, name: str, signature: inspect.Signature) -> dict[str, Any]:
        """Draw arguments for a function of this name and signature."""
        chosen = {}
        recipe = RECIPES.get(name)
        if recipe is not None:
            chosen = recipe(self)
        for parameter in signature.parameters.values():
            if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                continue
            key = parameter.name
            if key not in chosen and recipe is None:
                is_needed = parameter.default is parameter.empty or key in BOUNDED
                if not is_needed and not self.case.chance(0.35):
                    continue
                chosen[key] = self.draw(name, key)
            if key in chosen and self.case.chance(self.hostile):
                chosen[key] = self.rng.choice(SMALL_HOSTILE if key in BOUNDED else HOSTILE)()
        return chosen

    def draw(self, function: str, name: str) -> Any:
        make = BY_NAME.get(f"{function}.{name}") or BY_NAME.get(name)
        return self.rng.choice(HOSTILE)() if make is None else make(self)

    # ------------------------------------------------------------------------------------------ columns

    def labels(self, n: int | None = None) -> Any:
        return self.in_container(self.rng.choices(self.pool, k=self.n if n is None else n))

    def flags(self) -> Any:
        return self.in_container(self.rng.choices([0, 1], k=self.n))

    def scores(self) -> Any:
        rng = self.rng
        draws: list[Draw] = [
            rng.random, rng.random, lambda: rng.randrange(5) / 4, lambda: rng.gauss(0, 2), lambda: 0.5,
            lambda: rng.randrange(3), lambda: rng.choice([0.0, -0.0, 1.0, 5e-324, 1e308, -1e308, math.inf, -math.inf]),
        ]  # fmt: skip
        draw = rng.choice(draws)
        return self.in_container([draw() for _ in range(self.n)])

    def probabilities(self) -> Any:
        rows = np.random.default_rng(self.rng.getrandbits(32)).dirichlet([1.0] * len(self.pool), self.n)
        return rows if self.case.chance(0.8) else rows.astype(np.float32)

    def weights(self) -> Any:
        rng = self.rng
        draws: list[Draw] = [
            lambda: rng.randrange(1, 4), lambda: rng.randrange(3), rng.random, lambda: 1.0,
            lambda: rng.choice([1e-200, 1e200, 1.0]),
        ]  # fmt: skip
        draw = rng.choice(draws)
        return self.in_container([draw() for _ in range(self.n)])

    def numbers(self, n: int | None = None) -> Any:
        rng = self.rng
        draws: list[Draw] = [
            rng.random, lambda: rng.gauss(0, 1), lambda: rng.randrange(3), lambda: 0.7, lambda: 1e300 * rng.random(),
            lambda: 0.5 + 1e-12 * rng.random(),
        ]  # fmt: skip
        draw = rng.choice(draws)
        return self.in_container([draw() for _ in range(self.m if n is None else n)])

    def matrix(self) -> Any:
        """Draw values of several classifiers on several folds or data sets."""
        rng = np.random.default_rng(self.rng.getrandbits(32))
        values = (
            rng.random((self.m, self.learners))
            if self.case.chance(0.6)
            else rng.integers(0, 3, (self.m, self.learners))
        )
        form = self.rng.randrange(5)
        names = [f"c{index}" for index in range(self.learners)]
        if form == 0:
            return {name: values[:, index] for index, name in enumerate(names)}
        if form == 1:
            return pd.DataFrame(values, columns=names)
        return values.tolist() if form == 2 else values

    def in_container(self, values: list[Any]) -> Any:
        """Return the values in a random container, data type and byte order."""
        rng = self.rng
        form = rng.randrange(14)
        try:
            if form == 0:
                return tuple(values)
            if form == 1:
                return np.array(values, dtype=object)
            if form == 2:
                return pd.Series(values)
            if form == 3:
                return pl.Series(values)
            if form == 4:
                return pa.array(values)
            if form == 5:
                return pd.Series(values).astype("category")
            if form == 6:  # small types, if the values fit
                array = np.array(values)
                small = rng.choice([np.int8, np.int16, np.uint8, np.float32, np.float16, np.bool_])
                return array.astype(small) if array.dtype.kind in "iufb" and _fits(array, small) else array
            if form == 7:
                array = np.array(values)
                return array.astype(array.dtype.newbyteorder(">"))
            if form == 8:
                return np.repeat(np.array(values), 2)[::2]  # not contiguous
            if form == 9:
                array = np.array(values)
                array.flags.writeable = False
                return array
            if form == 10:
                return np.array(values)[::-1]
        except (TypeError, ValueError, OverflowError, pa.ArrowException, pl.exceptions.PolarsError):
            pass  # not every container accepts these
        return values if form % 2 else np.array(values)

    def table(self) -> Any:
        k = len(self.pool)
        rng = np.random.default_rng(self.rng.getrandbits(32))
        counts = rng.integers(0, self.rng.choice([2, 10, 1000]), (k, k))
        counts[0, 0] += 1
        return howsure.Confusion(counts, self.pool)

    def score_table(self) -> Any:
        flags, scores = (
            [True, False, *self.rng.choices([True, False], k=self.n)],
            [self.rng.random() for _ in range(self.n + 2)],
        )
        return howsure.ScoreTable.from_scores(flags, scores)

    def costs(self) -> Any:
        k = len(self.pool)
        matrix = [[0 if row == column else self.rng.choice([1, 5, 0.5]) for column in range(k)] for row in range(k)]
        prior = 0.3 if self.case.chance(0.3) else None
        if self.case.chance(0.3):
            return howsure.Costs(false_negative=5, false_positive=1, prior=prior)
        return matrix if self.case.chance(0.5) else howsure.Costs(matrix)

    def measure(self) -> str:
        names = howsure.measures.names()
        return self.rng.choice([*names, "f_beta(beta=2)", "F1", "Recall", "f_beta(beta=0.5)", "cohen_kappa"])

    def classifiers(self, column: Callable[[], Any]) -> dict[str, Any]:
        names = self.rng.choice(CLASSIFIERS)
        return {name: column() for name in names}

    def classes(self) -> list[Any]:
        """Return the classes of the object whose method is called, or of these arguments."""
        labels = getattr(self.owner, "labels", None)
        return list(labels) if isinstance(labels, tuple | list) and labels else self.pool

    def data(self) -> tuple[Any, Any]:
        """Draw features and classes for learners."""
        rng, n = np.random.default_rng(self.n), max(6, self.n)
        return rng.normal(size=(n, 2)), np.resize(
            np.array(self.pool, dtype=object if isinstance(self.pool[0], str) else None), n
        )

    def learner(self) -> Any:
        from sklearn.dummy import DummyClassifier
        from sklearn.naive_bayes import GaussianNB
        from sklearn.tree import DecisionTreeClassifier

        return self.rng.choice([GaussianNB(), DummyClassifier(), DecisionTreeClassifier(max_depth=2)])


def _fits(array: Any, dtype: Any) -> bool:
    with np.errstate(all="ignore"):
        return bool((array.astype(dtype).astype(array.dtype) == array).all())


def _assess(draw: Arguments) -> dict[str, Any]:
    arguments: dict[str, Any] = {"truth": draw.labels()}
    kind = draw.rng.randrange(4)
    if kind < 2 or draw.case.chance(0.1):
        arguments["predicted"] = draw.labels()
    if kind == 2:
        arguments["scores"] = draw.scores()
        if len(draw.pool) > 2:
            arguments["positive"] = draw.pool[-1]
    if kind == 3:
        arguments["scores"] = draw.probabilities()
        arguments["labels"] = draw.pool
    optional: dict[str, Draw] = {
        "weight": draw.weights, "by": draw.labels, "threshold": draw.rng.random, "costs": draw.costs,
        "labels": lambda: draw.pool, "positive": lambda: draw.rng.choice(draw.pool),
    }  # fmt: skip
    for name, make in optional.items():
        if name not in arguments and draw.case.chance(0.15):
            arguments[name] = make()
    return arguments


def _compare(draw: Arguments) -> dict[str, Any]:
    of_scores = draw.case.chance(0.3)
    column = draw.scores if of_scores else draw.labels
    arguments: dict[str, Any] = {
        "truth": draw.labels(),
        "scores" if of_scores else "predicted": draw.classifiers(column),
    }
    optional: dict[str, Draw] = {
        "measure": draw.measure, "baseline": lambda: "one", "alpha": lambda: 0.1, "rope": draw.rng.random,
        "adjust": lambda: draw.rng.choice(ADJUST), "labels": lambda: draw.pool,
        "positive": lambda: draw.rng.choice(draw.pool),
    }  # fmt: skip
    return arguments | {name: make() for name, make in optional.items() if draw.case.chance(0.2)}


def _gate(draw: Arguments) -> dict[str, Any]:
    arguments = {
        "truth": draw.labels(),
        "candidate": draw.labels(),
        "baseline": draw.labels(),
        "margin": draw.rng.random(),
    }
    return arguments | ({"superior": True} if draw.case.chance(0.3) else {})


def _experiment(draw: Arguments) -> dict[str, Any]:
    return {
        "learners": {"one": draw.learner(), "two": draw.learner()},
        "datasets": {"d": draw.data()},
        "resampling": draw.rng.choice([howsure.KFold(2), howsure.Holdout(), None]),
        "seed": draw.rng.randrange(3),
    }


def _agreement(draw: Arguments) -> dict[str, Any]:
    """Draw ratings in any form and of any level, with missing ratings."""
    rng, case = draw.rng, draw.case
    level = rng.choice(["nominal", "nominal", "ordinal", "interval", "ratio"])
    numbers: list[list[Any]] = [[0, 1], [1, 2, 3, 4, 5], [0.5, 1.5, 7]]
    pool: list[Any] = rng.choice(numbers) if level in ("interval", "ratio") else draw.pool
    raters = rng.choice([2, 2, 3, 5, 40])
    gap = rng.choice([0, 0, 0.3, 0.95])
    columns = [[None if rng.random() < gap else rng.choice(pool) for _ in range(draw.n)] for _ in range(raters)]
    chosen: dict[str, Any] = {"level": level}
    if level == "ordinal" or case.chance(0.2):
        chosen["labels"] = list(pool)
    if case.chance(0.2):
        chosen["weights"] = rng.choice(["linear", "quadratic", "ordinal", "ratio", "nominal", [[0, 1], [2, 0]]])
    if case.chance(0.3):
        chosen["cluster"] = [rng.randrange(5) for _ in range(draw.n)]
    form = rng.choice(["rows", "mapping", "long", "counts"])
    if form == "counts":
        chosen["labels"] = list(pool)
        return {**chosen, "counts": [[rng.randrange(4) for _ in pool] for _ in range(draw.n)]}
    if form == "long":
        entries = [(item, rater, row[item]) for rater, row in enumerate(columns) for item in range(draw.n)]
        items, raters_column, ratings = zip(*entries, strict=True)
        cluster = {"cluster": [chosen["cluster"][item] for item in items]} if "cluster" in chosen else {}
        return {**chosen, **cluster, "ratings": list(ratings), "item": list(items), "rater": list(raters_column)}
    named = {f"r{rater}": column for rater, column in enumerate(columns)}
    return {**chosen, "ratings": named if form == "mapping" else [list(row) for row in zip(*columns, strict=True)]}


RECIPES: dict[str, Callable[[Arguments], dict[str, Any]]] = {
    "assess": _assess, "compare": _compare, "gate": _gate, "Experiment": _experiment, "agreement": _agreement,
}  # fmt: skip
ADJUST = ["holm", "bonferroni", "shaffer", "bh", "none", "hochberg", "hommel", "by"]
OF_SCORES = ("estimate_scores", "brier_parts", "by_threshold", "with_band")  # functions of a score table
METHODS = ["auto", *howsure.intervals.methods()]


def choice(*options: Any) -> Callable[[Arguments], Any]:
    return lambda draw: draw.rng.choice(options)


def share(draw: Arguments) -> float:
    return draw.rng.choice([draw.rng.random(), draw.rng.random(), 0.05, 0.5, 1e-9, 1 - 1e-9, 0, 1])


def amount(draw: Arguments) -> float:
    return draw.rng.choice([draw.rng.random(), abs(draw.rng.gauss(0, 3)), 1, 0, 1e-12, 1e12])


def signed(draw: Arguments) -> float:
    return draw.rng.choice([draw.rng.uniform(-1, 1), draw.rng.uniform(-0.1, 0.1), 0, 1e-9])


def count(draw: Arguments) -> int:
    return draw.rng.choice([0, 1, 2, 3, 7, 25, 100, 10**4, 10**7])


def part(draw: Arguments) -> int:
    """Draw a number of cases from 0 to all."""
    return draw.rng.choice([0, draw.total, draw.total // 2, draw.rng.randint(0, draw.total)])


def few(draw: Arguments) -> int:
    return draw.rng.choice([1, 2, 3, 5, 10, 50])


BY_NAME: dict[str, Callable[[Arguments], Any]] = {
    **dict.fromkeys(("truth", "truth_a", "truth_b"), Arguments.labels),
    **{f"{name}.truth": Arguments.flags for name in ("delong",)},
    **{f"delong_unpaired.truth_{letter}": Arguments.flags for letter in "ab"},
    **{f"{name}.{letter}": Arguments.labels for name in ("permutation", "bootstrap_difference") for letter in "ab"},
    **{f"{name}.{letter}": Arguments.scores for name in ("delong", "delong_unpaired") for letter in "ab"},
    "delong.scores": Arguments.scores, "from_scores.scores": Arguments.scores,
    "placements.scores": Arguments.scores, "from_scores.positive": Arguments.flags,
    "placements.positive": Arguments.flags, "square": choice(None), "predicted": Arguments.labels,
    "weight": Arguments.weights, "groups": Arguments.labels,
    "confidence": lambda draw: draw.rng.choice([0.5, 0.8, 0.9, 0.95, 0.99, 0.9999, 0.1, 1e-6, draw.rng.random()]),
    "side": choice("two-sided", "lower", "upper"), "alternative": choice("two-sided", "less", "greater"),
    "alpha": choice(0.05, 0.01, 0.5, 1e-6), "seed": choice(0, 1, 12345, 2**40), "replicates": choice(1, 2, 50, 200),
    "rounds": choice(1, 3, 10), "points": choice(2, 11, 101), "bins": few, "n": lambda draw: draw.total,
    "n_a": lambda draw: draw.total, "n_b": lambda draw: draw.total,
    **dict.fromkeys(("successes", "successes_a", "successes_b", "errors", "won", "lost"), part),
    **dict.fromkeys(("e01", "e10", "both", "only_a", "only_b", "neither"), count),
    **dict.fromkeys(("p", "p0", "proportion", "discordant", "auc", "correlation", "positives", "power"), share),
    **dict.fromkeys(("rho", "w", "threshold", "share", "training_error", "test", "validation"), share),
    **dict.fromkeys(("sigma", "sd", "ratio", "error", "margin", "rope", "df", "prior_strength"), amount),
    **dict.fromkeys(("h", "tolerance", "added", "slope"), amount),
    **dict.fromkeys(("difference", "mean", "at", "prior"), signed),
    **dict.fromkeys(("values", "a", "b"), Arguments.numbers),
    "d": lambda draw: np.array([draw.numbers(2) for _ in range(5)], float),
    "differences": lambda draw: [draw.numbers(draw.rng.choice([3, 5, 10])) for _ in range(draw.rng.randint(1, 4))],
    "scores": Arguments.matrix,
    "correct": lambda draw: np.asarray(draw.flags()).reshape(-1, 1) * np.ones((1, 3), int),
    "names": lambda draw: [f"n{index}" for index in range(draw.learners)],
    "control": lambda draw: draw.rng.choice(["c0", "n0", "0", "1"]),
    "weights": lambda draw: draw.rng.choice([None, [1, -1, *[0] * (draw.learners - 2)]]),
    "contrast": choice(None, [1, -1]), "pvalues": lambda draw: [share(draw) for _ in range(draw.m)],
    "pairs": choice(None), "method": lambda draw: draw.rng.choice(METHODS),
    "mcnemar.method": choice("auto", "exact", "mid-p", "chi2", "chi2-corrected"),
    "adjust.method": lambda draw: draw.rng.choice(ADJUST), "adjust": lambda draw: draw.rng.choice(ADJUST),
    "bootstrap.method": choice("bca", "percentile", "basic", "bootstrap"),
    "bootstrap_error.method": choice("632", "632+", "oob"),
    **dict.fromkeys(("decompose.method", "bias_variance.method"), choice(None, "kohavi-wolpert", "domingos")),
    "statistic": choice(np.mean, np.median), "better": choice("higher", "lower"),
    "zeros": choice("drop", "pratt", "split"),
    **dict.fromkeys(("ties", "blocks", "exact", "stratified", "simultaneous", "fixed_rows"), choice(True, False)),
    "progress": choice(False), "classifiers": choice(3, 4, 10), "valid_tests.classifiers": choice("two", "many"),
    "design": choice("cases", "folds"), "kind": choice(None, "test", "pointwise"),
    "pattern": choice("pair", "even"), "table": Arguments.table, "measure": Arguments.measure,
    "name": Arguments.measure,
    **{f"{name}.table": Arguments.score_table for name in (*howsure.curves.names(), *OF_SCORES)},
    "tables": lambda draw: [draw.score_table() for _ in range(3)], "how": choice("vertical", "threshold"),
    "draw": choice(howsure.curves.roc), "label": lambda draw: draw.rng.choice([None, *draw.classes()]),
    "average": choice(None, "macro", "micro", "weighted"),
    "positive": lambda draw: draw.rng.choice([None, *draw.classes()]), "labels": Arguments.classes,
    "costs": Arguments.costs, "matrix": lambda draw: draw.table().counts,
    "counts": lambda draw: draw.table().counts, "squares": choice(None),
    "band": choice(None, "pointwise", "simultaneous"), "strategy": choice("uniform", "quantile"),
    "like": choice(None, "pandas", "polars", "pyarrow"), "most": few,
    "measures": lambda draw: draw.rng.choice([None, [draw.measure()], ["accuracy", "recall"]]),
    "shares": lambda draw: [1 / len(draw.classes())] * len(draw.classes()), "learner": Arguments.learner,
    "estimator": Arguments.learner, "learners": lambda draw: {"one": draw.learner(), "two": draw.learner()},
    "dataset": choice(None, "d"), "baseline": choice(None, "one", "nb"), "aggregate": choice("splits", "pooled"),
    "X": lambda draw: draw.data()[0], "y": lambda draw: draw.data()[1], "resampling": choice(None, howsure.KFold(2)),
    "folder": choice(None), "n_jobs": choice(None, 1), "parameter": choice("var_smoothing", "max_depth"),
    "grid": choice({"max_depth": [1, 2]}, {"var_smoothing": [1e-9, 0.1]}), "loss": choice("zero-one", "squared"),
    "sizes": choice(None, [3, 5], [10]), "dimension": choice(1, 2, 20, [1, 2, 3]), "epsilon": share, "size": few,
    "folds": few, "repeats": choice(1, 2), "gap": choice(0, 1), "window": choice(None, 5), "m": amount,
    "bound": choice("wilson", "exact", "c45"), "of": choice("", "a"),
    "evidence": lambda draw: howsure.advice.Evidence(table=draw.table()), "needs": choice(None),
    "result": lambda draw: howsure.significance.mcnemar(3, 5), "false_negative": amount, "false_positive": amount,
    "true_positive": signed, "true_negative": signed, "smooth.method": choice(None, "laplace", "m-estimate"),
    "random_state": choice(None, 0), "against": choice(None), "rng": lambda draw: np.random.default_rng(1),
    "other": lambda draw: draw.owner,
}  # fmt: skip
