"""Table of model selection criteria and cross-validated errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from howsure.advice import Evidence, Finding, findings
from howsure.checks import check_confidence
from howsure.errors import listing
from howsure.experiment import ExperimentResult
from howsure.measures.agreement import error_rate
from howsure.measures.probability import log_loss
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import interval_text, jsonable
from howsure.present.words import LONGEST_REPR, shorten
from howsure.results import Estimate
from howsure.theory.information.training_criteria import Amounts, check_amounts, training_criteria
from howsure.tuning.choice import ROUNDING
from howsure.tuning.run import Folder, Run

# Criteria for which lower values are better.
WITHOUT_TEST = {"aic": "AIC", "aicc": "AICc", "bic": "BIC", "mdl_bits": "MDL", "srm_bound": "SRM"}
WITH_TEST = {"cv_error": "CV error", "cv_log_loss": "CV log loss"}
TITLES = {**WITHOUT_TEST, **WITH_TEST}
TRAINING_TITLES = {
    "training_error": "training error",
    "log_likelihood": "log-likelihood",
    "parameters": "parameters",
    **WITHOUT_TEST,
    "mdl_bits": "MDL bits",
    "srm_bound": "SRM bound",
}


@dataclass(frozen=True, eq=False, repr=False)
class Criteria(Result):
    """Model selection criteria of several learners.

    Attributes
    ----------
    n, columns
        Numbers of cases and features.
    scheme, seed
        Scheme and seed of the cross-validation.
    confidence
        Confidence level of the VC bound and of the interval for the error.
    values
        Criteria by learner.
    reasons
        Reasons why some values are missing or unreliable.
    codings
        Codings used for the description length.
    experiment
        Cross-validation of the learners.
    learners
        Names of the learners.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import criteria
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(60)], [i % 3 > 0 for i in range(60)]
    >>> table = criteria({"gauss": GaussianNB(), "bernoulli": BernoulliNB()}, X, y, resampling=KFold(2))
    >>> table.learners, table.values["gauss"]["parameters"]
    (('gauss', 'bernoulli'), 9.0)
    """

    n: int
    columns: int | None
    scheme: str
    confidence: float
    seed: int
    values: dict[str, Record] = field(repr=False)
    reasons: dict[str, tuple[str, ...]] = field(repr=False)
    codings: dict[str, str] = field(repr=False)
    experiment: ExperimentResult = field(repr=False)

    @property
    def learners(self) -> tuple[str, ...]:
        return tuple(self.values)

    @cached_property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """Best learners according to each criterion."""
        choices = {}
        for criterion in TITLES:
            values = np.array([record[criterion] for record in self.values.values()])
            if criterion in WITH_TEST:  # compare only means over the same number of splits
                splits = np.array([record["cv_splits"] for record in self.values.values()])
                values = np.where(splits == splits.max(), values, np.nan)
            if np.isfinite(values).any():
                lowest = values[np.isfinite(values)].min()
                is_best = values <= lowest + ROUNDING * max(1.0, abs(lowest))
                choices[criterion] = tuple(name for name, best in zip(self.values, is_best, strict=True) if best)
        return choices

    @property
    def best_by(self) -> dict[str, str]:
        """Best learner according to each criterion, or the first one among ties."""
        return {criterion: names[0] for criterion, names in self.choices.items()}

    @property
    def agree(self) -> bool:
        """Whether one learner is the best according to all criteria."""
        return any(all(name in names for names in self.choices.values()) for name in self.learners)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Finding A013 if there are many features for few cases."""
        return findings(Evidence(shape=(self.n, self.columns))) if self.columns else ()

    def __repr__(self) -> str:
        best = ", ".join(f"{TITLES[criterion]}: {name}" for criterion, name in self.best_by.items())
        return shorten(f"Criteria({len(self.values)} learners, {self.n} cases; best by {best or 'none'})", LONGEST_REPR)

    def records(self) -> list[Record]:
        """Return one record per learner."""
        return [
            {
                "learner": name,
                "n": self.n,
                **record,
                "best_by": ", ".join(self._chosen_by(name)),
                "note": "; ".join(self.reasons[name]),
            }
            for name, record in self.values.items()
        ]

    def _chosen_by(self, learner: str) -> list[str]:
        return [criterion for criterion, names in self.choices.items() if learner in names]

    def sheet(self) -> Sheet:
        """Return the table to show."""
        rows = [
            {
                "learner": name,
                **{title: record[column] for column, title in TRAINING_TITLES.items()},
                "parameters": _whole(record["parameters"]),
                "CV error": record["cv_error"],
                f"{self.confidence * 100:g} % interval": interval_text(record["cv_low"], record["cv_high"]),
                "CV log loss": record["cv_log_loss"],
                "best by": ", ".join(TITLES[criterion] for criterion in self._chosen_by(name)),
            }
            for name, record in self.values.items()
        ]
        return Sheet.of(rows, self.title, self.notes)

    @property
    def title(self) -> str:
        return f"criteria for {self.n} cases, compared with {self.scheme}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes below the table: choices, codings, and missing or unreliable values."""
        by_reason: dict[str, list[str]] = {}
        for name, reasons in self.reasons.items():
            for reason in reasons:
                by_reason.setdefault(reason, []).append(name)
        by_coding: dict[str, list[str]] = {}
        for name, coding in self.codings.items():
            by_coding.setdefault(coding, []).append(name)
        return (
            *((self._verdict(),) if len(self.values) > 1 and self.choices else ()),
            *(f"MDL of {listing(names)}: {coding}" for coding, names in by_coding.items()),
            *(f"{listing(names)}: {reason}" for reason, names in by_reason.items()),
            *map(str, self.findings),
        )

    def _verdict(self) -> str:
        titles: dict[str, list[str]] = {}
        for criterion, names in self.choices.items():
            titles.setdefault(" and ".join(names), []).append(TITLES[criterion])
        choices = "; ".join(f"{names} by {', '.join(criteria)}" for names, criteria in titles.items())
        return f"{'the criteria agree' if self.agree else 'the criteria do not agree'}; best learner: {choices}"

    def to_dict(self) -> dict[str, Any]:
        values = {
            "n": self.n,
            "columns": self.columns,
            "scheme": self.scheme,
            "confidence": self.confidence,
            "seed": self.seed,
            "learners": self.records(),
            "best_by": self.best_by,
            "agree": self.agree,
            "codings": self.codings,
            "notes": self.notes,
            "findings": [finding.to_dict() for finding in self.findings],
        }
        return dict(jsonable(values))


def criteria(
    learners: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    parameters: Amounts | None = None,
    capacity: Amounts | None = None,
    confidence: float = 0.95,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    progress: bool = False,
) -> Criteria:
    """Compute AIC, AICc, BIC, MDL, SRM and cross-validated errors.

    Each learner is fitted to all cases for the criteria, and on each split of one experiment for the errors.

    Parameters
    ----------
    learners, X, y, groups
        As in `Experiment`.
    parameters
        Number of free parameters by learner, as in {"forest": 7}, or a function of the fitted learner; only needed for
        learners whose parameters Howsure cannot count.
    capacity
        VC dimension by learner, in the same form.
    confidence
        Confidence level of the VC bound and of the interval for the error.
    resampling, seed, folder, n_jobs, progress
        As in `Experiment`; by default 10-fold cross-validation.

    Returns
    -------
    Criteria
        Criteria for each learner, and the best learner according to each criterion.

    Examples
    --------
    >>> from howsure import KFold
    >>> from howsure.selection import criteria
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    >>> X, y = load_iris(return_X_y=True)
    >>> learners = {"linear": LinearDiscriminantAnalysis(), "quadratic": QuadraticDiscriminantAnalysis()}
    >>> table = criteria(learners, X, y, resampling=KFold(4))
    >>> table.best_by["bic"], table.best_by["cv_error"]
    ('linear', 'linear')
    >>> table.values["linear"]["parameters"], round(table.values["linear"]["aic"], 2)
    (24.0, 61.12)
    """
    confidence = check_confidence(confidence)
    run = Run.of((X, y, groups), seed, folder, n_jobs, progress)
    experiment = run.experiment(learners, resampling)
    counts = check_amounts("parameters", parameters, learners)
    capacities = check_amounts("capacity", capacity, learners)
    trained = {
        name: training_criteria(learner, run, counts.get(name), capacities.get(name), confidence)
        for name, learner in learners.items()
    }
    result = run.results(experiment)
    errors, losses = result.scores(error_rate.name), result.scores(log_loss.name)
    values, reasons = {}, {}
    for name, in_sample in trained.items():
        error, loss = errors.estimate(name), losses.estimate(name)
        low, high = error.interval(confidence)
        values[name] = {
            **in_sample.values,
            "cv_error": error.value,
            "cv_low": low,
            "cv_high": high,
            "cv_log_loss": loss.value,
            "cv_splits": int(error.n),
        }
        reasons[name] = tuple(dict.fromkeys([*in_sample.reasons, *_missing_values(error, loss)]))
    codings = {
        name: in_sample.coding for name, in_sample in trained.items() if not math.isnan(in_sample.values["mdl_bits"])
    }
    scheme = str(result.splits().scheme)
    return Criteria(run.data.rows, run.data.columns, scheme, confidence, int(seed), values, reasons, codings, result)


def _missing_values(error: Estimate, loss: Estimate) -> list[str]:
    """Return the reasons why cross-validated values are missing; a reason shared by both is given once."""
    if error.undefined:
        return [f"no {' and no '.join(WITH_TEST.values())}, because {_first_line(error.undefined)}"]
    if loss.undefined:
        return [*error.notes, f"no {WITH_TEST['cv_log_loss']}, because {_first_line(loss.undefined)}"]
    return [*error.notes, *loss.notes]


def _first_line(text: str) -> str:
    return text.splitlines()[0].rstrip(".")


def _whole(value: float) -> float | int:
    """Convert a whole number to int."""
    return int(value) if value.is_integer() else value
