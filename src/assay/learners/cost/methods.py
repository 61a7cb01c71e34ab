"""The ways to make a learner heed costs, each declared once in a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils.validation import has_fit_parameter

from assay.arrays import Array, IntArray
from assay.data.rows import take
from assay.errors import AssayError
from assay.learners.common.checks import Training
from assay.learners.cost.decisions import CostRule
from assay.learners.cost.out_of_fold import out_of_fold, splits_of
from assay.learners.ensemble.bootstrap_draws import Urn
from assay.present.format import number
from assay.present.sheet import Record

MOST_COPIES = 1000
PROBABILITY, SCORE = "predict_proba", "decision_function"


@dataclass(frozen=True, eq=False)
class Job:
    """A learner, what it is to be trained on, and what the costs say."""

    mould: Any
    data: Training
    rule: CostRule
    cv: Any
    tune: bool
    rng: np.random.Generator

    def weight(self) -> Array:
        return np.ones(len(self.data.codes)) if self.data.weight is None else self.data.weight

    def by_class(self, weight: Array) -> Array:
        return np.bincount(self.data.codes, weight, len(self.data.classes)).astype(float)

    def fit(self, rows: IntArray, codes: IntArray | None = None, weight: Array | None = None) -> Any:
        """Fit a copy of the learner to some rows, with their own classes or others, weighted or not."""
        if weight is not None:
            rows = rows[weight[rows] > 0]  # a case of weight 0 must not be there for learners that count rows
        known = self.data.codes if codes is None else codes
        y = self.data.classes[known[rows]]
        X = take(self.data.X, rows)
        if len(self.data.classes) > 1 and (y == y[0]).all():  # most learners refuse a single class
            return DummyClassifier().fit(X, y)
        model = clone(self.mould)
        return model.fit(X, y) if weight is None else model.fit(X, y, **{self.weight_argument(): weight[rows]})

    def weight_argument(self) -> str:
        argument = weight_argument(self.mould)
        if argument is None:
            raise AssayError(
                f"`sample_weight` cannot be used, since {name_of(self.mould)} takes none; use method 'resample'."
            )
        return argument

    @property
    def one_class(self) -> bool:
        return int(np.count_nonzero(self.rule.totals)) < 2

    def every(self) -> IntArray:
        return np.arange(len(self.data.codes))

    def out_of_fold(self, read: Callable[[Any, Any], Array]) -> tuple[Array, Any]:
        """Give what models say of rows they were not trained on, by a function of a model and such rows' features."""
        with np.errstate(over="ignore", invalid="ignore"):  # of infinite features, which the learner refuses itself
            splits = splits_of(self.cv, self.data.X, self.data.codes, self.weight(), self.rng)
        return out_of_fold(
            splits, len(self.data.codes), self._fit_fold, lambda fold, rows: read(fold, take(self.data.X, rows))
        )

    def _fit_fold(self, rows: IntArray) -> Any:
        codes = self.data.codes[rows[self.weight()[rows] > 0]]
        if (codes == codes[:1]).all():
            raise AssayError("`cv` must leave cases of two classes or more in each training part; one has fewer.")
        return self.fit(rows, weight=self.data.weight)


@dataclass(frozen=True, eq=False)
class Done:
    """A fitted learner; columns of the trace, with a value for each class; and how scores decide, where they do."""

    model: Any
    columns: dict[str, list[Any]]
    notes: tuple[str, ...] = ()
    reads: str = ""  # the method whose scores decide, instead of `predict`
    cut: float | None = None


@dataclass(frozen=True)
class Method:
    """A way to heed costs: how it trains, and why a learner cannot be trained so, with the remedy."""

    train: Callable[[Job], Done]
    lacking: Callable[[Any, int], str]
    remedy: str = ""
    weighs: bool = False  # cases are weighed, so those of each class must weigh something
    has_cut: bool = False  # which can be tuned


def _weights(job: Job) -> Done:
    weights = job.rule.weights("weights")
    model = job.fit(job.every(), weight=weights[job.data.codes] * job.weight())
    return Done(model, {"weight": weights.tolist()})


def _duplicate(job: Job) -> Done:
    wanted = job.rule.weights("duplicate")
    copies = np.floor(wanted + 0.5).astype(int)
    if copies.max() > MOST_COPIES:
        raise AssayError(
            f"`method` must not be 'duplicate' where a class stands {copies.max()} times, more than {MOST_COPIES}; "
            "use 'weights' or 'resample'."
        )
    times, weight = copies[job.data.codes], job.data.weight
    if weight is not None and weight_argument(job.mould) is None and (weight == np.round(weight)).all():
        times, weight = times * weight.astype(int), None  # whole weights are copies too
    model = job.fit(np.repeat(job.every(), times), weight=weight)
    rounded = [
        f"class {label} should stand {number(float(exact))} times and stands {often} times"
        for label, exact, often in zip(job.rule.labels, wanted, copies, strict=True)
        if abs(exact - often) > 1e-9
    ]
    columns = {"weight": wanted.tolist(), "copies": copies.tolist(), "in training": _plain(copies * job.rule.totals)}
    return Done(model, columns, tuple(rounded))


def _resample(job: Job) -> Done:
    weights = job.rule.weights("resample")
    with np.errstate(over="ignore", invalid="ignore"):  # of infinite features, which the learner refuses itself
        urn = Urn.of(job.data.X, job.data.codes, job.data.weight)
    times = urn.draw(job.rng, weight=weights[job.data.codes] * job.weight())
    model = job.fit(np.repeat(urn.order, times[urn.order]))
    drawn = job.by_class(times.astype(float))
    notes = [
        f"no case of class {label} was drawn" for label, often in zip(job.rule.labels, drawn, strict=True) if not often
    ]
    return Done(model, {"weight": weights.tolist(), "drawn": _plain(drawn)}, tuple(notes))


def _threshold(job: Job) -> Done:
    k = len(job.rule.labels)
    if job.tune and k > 2:
        raise AssayError(f"`tune` must be False with {k} classes: a cut lies between two.")
    model = job.fit(job.every(), weight=job.data.weight)
    reads = PROBABILITY if hasattr(job.mould, PROBABILITY) else SCORE
    if job.one_class:
        return Done(model, {})
    if k > 2:
        return Done(model, {}, ("predicts the class of least expected cost",), reads)
    near, source = (job.rule.threshold, "given by the costs") if reads == PROBABILITY else (0.0, "its own")
    cut = near
    if job.tune or reads == SCORE:
        scores, tested = job.out_of_fold(lambda fold, X: score(fold, X, reads, job.rule))
        if tested.any():
            cut = job.rule.cheapest_cut(scores[tested], job.data.codes[tested], job.weight()[tested], near)
            source = f"cheapest on {np.count_nonzero(tested)} out-of-fold scores"
    label = job.rule.labels[job.rule.positive_place()]
    what = "probability" if reads == PROBABILITY else "score"
    if np.isinf(cut):
        told = f"{'always' if cut < 0 else 'never'} predicts {label}, {source}"
    else:
        told = f"predicts {label} where its {what} is at least {number(cut)}, {source}"
    return Done(
        model, {"threshold": [cut if one == job.rule.positive else None for one in range(2)]}, (told,), reads, cut
    )


def _relabel(job: Job) -> Done:
    codes, labels = job.data.codes, job.rule.labels
    new, notes = codes.copy(), []
    if not job.one_class:
        told, tested = job.out_of_fold(lambda fold, X: probabilities(fold, X, job.data.classes))
        if tested.any():
            new[tested] = job.rule.decide(told[tested])
        left = np.count_nonzero(~tested & (job.weight() > 0))
        notes += [f"{left} cases were in no test part and kept their class"] if left else []
    model = job.fit(job.every(), new, job.data.weight)
    if not job.one_class and (new == new[0]).all():
        notes.append(f"every case costs least as {labels[int(new[0])]}, so nothing is left to learn")
    moved = [job.by_class(job.weight() * (new == place)) for place in range(len(labels))]
    columns = {"kept": _plain(np.array([moved[place][place] for place in range(len(labels))]))}
    for place, label in enumerate(labels):
        counts: list[Any] = _plain(moved[place])
        counts[place] = None
        columns[f"to {label}"] = counts
    return Done(model, columns, tuple(notes))


def _no_scores(learner: Any, k: int) -> str:
    if hasattr(learner, PROBABILITY):
        return ""
    if not hasattr(learner, SCORE):
        return f"{name_of(learner)} has neither `predict_proba` nor `decision_function`"
    return f"{name_of(learner)} has no `predict_proba` and there are {k} classes" if k > 2 else ""


METHODS: dict[str, Method] = {
    "duplicate": Method(_duplicate, lambda learner, k: "", weighs=True),
    "resample": Method(_resample, lambda learner, k: "", weighs=True),
    "weights": Method(
        _weights,
        lambda learner, k: "" if weight_argument(learner) else f"{name_of(learner)} takes no `sample_weight`",
        "use 'resample' or 'duplicate'",
        weighs=True,
    ),
    "threshold": Method(_threshold, _no_scores, "use CalibratedClassifierCV around it", has_cut=True),
    "relabel": Method(
        _relabel,
        lambda learner, k: "" if hasattr(learner, PROBABILITY) else f"{name_of(learner)} has no `predict_proba`",
        "use CalibratedClassifierCV around it",
    ),
}


def weight_argument(learner: Any) -> str | None:
    """By which name ``fit`` takes weights of cases: of a pipeline, the last step's; None where it takes none."""
    if has_fit_parameter(learner, "sample_weight"):
        return "sample_weight"
    steps = getattr(learner, "steps", None)
    if not steps:
        return None
    name, last = steps[-1]
    inner = weight_argument(last)
    return None if inner is None else f"{name}__{inner}"


def probabilities(model: Any, X: Any, classes: Any) -> Array:
    """Probabilities of all classes; one that the model has not seen has none."""
    found = np.asarray(model.predict_proba(X), float)
    whole = np.zeros((len(found), len(classes)))
    whole[:, np.searchsorted(classes, model.classes_)] = found
    return whole


def score(model: Any, X: Any, reads: str, rule: CostRule) -> Array:
    """Scores of the positive one of two classes."""
    place = rule.positive_place()
    if reads == PROBABILITY:
        return probabilities(model, X, np.asarray(rule.labels))[:, place]
    found = np.asarray(model.decision_function(X), float).ravel()
    return found if place == 1 else -found


def name_of(learner: Any) -> str:
    steps = getattr(learner, "steps", None)
    return " > ".join(type(step).__name__ for _, step in steps) if steps else type(learner).__name__


def class_records(rule: CostRule, columns: dict[str, list[Any]]) -> list[Record]:
    """Give a record for each class: its cases, then what a method did with them."""
    every = {"class": list(rule.labels), "cases": _plain(rule.totals), **columns}
    return [dict(zip(every, row, strict=True)) for row in zip(*every.values(), strict=True)]


def _plain(values: Array) -> list[Any]:
    """Counts as whole numbers where they are."""
    return [int(value) if value == int(value) else float(value) for value in values.tolist()]
