"""Criteria: what to choose by without a test set, beside what cross-validation says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from assay.advice import Evidence, Finding, findings
from assay.checks import check_confidence
from assay.errors import listing
from assay.experiment import Dataset, Experiment, ExperimentResult
from assay.measures.agreement import error_rate
from assay.measures.probability import log_loss
from assay.present.format import jsonable, number
from assay.present.sheet import Record, Sheet
from assay.results import Estimate
from assay.theory.information.fitted import Given, check_given, judge
from assay.tuning.running import Folder, run
from assay.tuning.settings import UP_TO_ROUNDING

# What is chosen by, the lower the better; those that need no test cases come first.
WITHOUT_TEST = {"aic": "AIC", "aicc": "AICc", "bic": "BIC", "mdl_bits": "MDL", "srm_bound": "SRM"}
WITH_TEST = {"cv_error": "CV error", "cv_log_loss": "CV log loss"}
TITLES = {**WITHOUT_TEST, **WITH_TEST}


@dataclass(frozen=True, eq=False)
class Criteria:
    """Learners with their criteria: a record for each, what each criterion chooses, and where the choices differ.

    ``experiment`` has the test results of the same learners, for `compare` and whatever else is asked of them.
    """

    n: int
    columns: int | None
    scheme: str
    confidence: float
    seed: int
    table: tuple[Record, ...] = field(repr=False)
    reasons: dict[str, tuple[str, ...]] = field(repr=False)  # name of a learner -> what must be said of its numbers
    codings: dict[str, str] = field(repr=False)  # name of a learner -> how its description is coded
    experiment: ExperimentResult = field(repr=False)

    @property
    def learners(self) -> tuple[str, ...]:
        return tuple(record["learner"] for record in self.table)

    @cached_property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """For each criterion that has a value the learners that are best by it: one, or several that are equal."""
        found = {}
        for criterion in TITLES:
            values = np.array([record[criterion] for record in self.table])
            if criterion in WITH_TEST:  # a mean over fewer splits than another has is not compared
                splits = np.array([record["cv_splits"] for record in self.table])
                values = np.where(splits == splits.max(), values, np.nan)
            if np.isfinite(values).any():
                lowest = values[np.isfinite(values)].min()
                near = values <= lowest + UP_TO_ROUNDING * max(1.0, abs(lowest))
                found[criterion] = tuple(name for name, best in zip(self.learners, near, strict=True) if best)
        return found

    @property
    def best(self) -> dict[str, str]:
        """The learner that each criterion chooses, the first of equals; a criterion without a value is not there."""
        return {criterion: names[0] for criterion, names in self.choices.items()}

    @property
    def agree(self) -> bool:
        """Whether some learner is best by every criterion."""
        return any(all(name in names for names in self.choices.values()) for name in self.learners)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A013, where there are many attributes for few cases."""
        return findings(Evidence(shape=(self.n, self.columns))) if self.columns else ()

    def records(self) -> list[Record]:
        """Give one record for each learner, with every digit and what must be said of it."""
        best = {name: [one for one, names in self.choices.items() if name in names] for name in self.learners}
        return [
            {**record, "best_by": ", ".join(best[name]), "note": "; ".join(self.reasons[name])}
            for name, record in zip(self.learners, self.table, strict=True)
        ]

    def sheet(self) -> Sheet:
        """Give the table that is shown."""
        rows = []
        for record in self.records():
            low, high = record["cv_low"], record["cv_high"]
            best = [TITLES[one] for one, names in self.choices.items() if record["learner"] in names]
            rows.append(
                {
                    "learner": record["learner"],
                    "training error": record["training_error"],
                    "log-likelihood": record["log_likelihood"],
                    "parameters": _whole(record["parameters"]),
                    "AIC": record["aic"],
                    "AICc": record["aicc"],
                    "BIC": record["bic"],
                    "MDL bits": record["mdl_bits"],
                    "SRM bound": record["srm_bound"],
                    "CV error": record["cv_error"],
                    f"{self.confidence * 100:g} % interval": (
                        "" if math.isnan(low) else f"[{number(low)}, {number(high)}]"
                    ),
                    "CV log loss": record["cv_log_loss"],
                    "best by": ", ".join(best),
                }
            )
        return Sheet.of(rows, f"criteria of {self.n} cases, beside {self.scheme}", self.notes())

    def notes(self) -> tuple[str, ...]:
        """Say who chooses what, how descriptions are coded, and why numbers are missing or doubtful."""
        by_reason: dict[str, list[str]] = {}
        for name, reasons in self.reasons.items():
            for reason in reasons:
                by_reason.setdefault(reason, []).append(name)
        by_coding: dict[str, list[str]] = {}
        for name, coding in self.codings.items():
            by_coding.setdefault(coding, []).append(name)
        return (
            *((self._verdict(),) if len(self.table) > 1 and self.choices else ()),
            *(f"MDL of {listing(names)}: {coding}" for coding, names in by_coding.items()),
            *(f"{listing(names)}: {reason}" for reason, names in by_reason.items()),
            *map(str, self.findings),
        )

    def _verdict(self) -> str:
        chosen: dict[str, list[str]] = {}
        for criterion, names in self.choices.items():
            chosen.setdefault(" and ".join(names), []).append(TITLES[criterion])
        told = "; ".join(f"{names} by {', '.join(titles)}" for names, titles in chosen.items())
        return f"{'all choose the same' if self.agree else 'they do not agree'}: best is {told}"

    def frame(self, like: Any = None) -> Any:
        """Give every digit as a data frame."""
        return Sheet.of(self.records()).frame(like)

    def to_dict(self) -> dict[str, Any]:
        told = {
            "n": self.n,
            "columns": self.columns,
            "scheme": self.scheme,
            "confidence": self.confidence,
            "seed": self.seed,
            "learners": self.records(),
            "best": self.best,
            "agree": self.agree,
            "codings": self.codings,
            "notes": list(self.notes()),
            "findings": [finding.to_dict() for finding in self.findings],
        }
        return dict(jsonable(told))

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().to_html()


def criteria(
    learners: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    parameters: Given | None = None,
    capacity: Given | None = None,
    confidence: float = 0.95,
    resampling: Any = None,
    seed: int = 0,
    folder: Folder = None,
    n_jobs: int | None = None,
    groups: Any = None,
    progress: bool = False,
) -> Criteria:
    """Set the criteria that need no test cases (AIC, AICc, BIC, MDL, SRM) beside cross-validation.

    Each learner is fitted once on all cases, for the criteria, and on the splits of one experiment.

    Parameters
    ----------
    learners, X, y, groups
        As `Experiment` takes them; learners are those of scikit-learn, or made like them.
    parameters
        Number of free parameters by name of learner, as {"forest": 7}, where it is not known or another is meant; or
        a function that gives it for the fitted learner.
    capacity
        VC dimension by name of learner, in the same way.
    confidence
        Of the VC bound and of the interval of the error.
    resampling, seed, folder, n_jobs, progress
        As `Experiment` takes them; ten folds by default.

    Examples
    --------
    >>> from assay.selection import criteria
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    >>> X, y = load_iris(return_X_y=True)
    >>> found = criteria({"linear": LinearDiscriminantAnalysis(), "quadratic": QuadraticDiscriminantAnalysis()}, X, y)
    >>> found.best["bic"], found.best["cv_error"]
    ('linear', 'linear')
    >>> found.table[0]["parameters"], round(found.table[0]["aic"], 2)
    (24.0, 61.12)
    """
    level = check_confidence(confidence)
    experiment = Experiment(learners, {"data": Dataset.of((X, y, groups), "data")}, resampling, seed)
    counts, capacities = check_given("parameters", parameters, learners), check_given("capacity", capacity, learners)
    data = experiment.plan.datasets["data"]
    judged = {
        name: judge(learner, data, seed, counts.get(name), capacities.get(name), level)
        for name, learner in learners.items()
    }
    result = run(experiment, folder, n_jobs=n_jobs, progress=progress)
    errors, losses = result.scores(error_rate.name), result.scores(log_loss.name)
    table, reasons = [], {}
    for name, one in judged.items():
        error, loss = errors.estimate(name), losses.estimate(name)
        interval = error.interval(level)
        tested = {
            "cv_error": error.value,
            "cv_low": interval.low,
            "cv_high": interval.high,
            "cv_log_loss": loss.value,
            "cv_splits": int(error.n),
        }
        table.append({"learner": name, "n": data.rows, **one.values, **tested})
        reasons[name] = tuple(dict.fromkeys([*one.reasons, *_untested(error, loss)]))
    codings = {name: one.coding for name, one in judged.items() if not math.isnan(one.values["mdl_bits"])}
    scheme = result.splits().design.scheme
    return Criteria(data.rows, data.columns, scheme, level, int(seed), tuple(table), reasons, codings, result)


def _untested(error: Estimate, loss: Estimate) -> list[str]:
    """Say where there is no value on test cases, or not on all splits; what goes for both is said once."""
    if error.undefined:
        return [f"no {' and no '.join(WITH_TEST.values())}, because {_first_line(error.undefined)}"]
    if loss.undefined:
        return [*error.notes, f"no {WITH_TEST['cv_log_loss']}, because {_first_line(loss.undefined)}"]
    return [*error.notes, *loss.notes]


def _first_line(told: str) -> str:
    return told.splitlines()[0].rstrip(".")


def _whole(value: float) -> float | int:
    """Show a count without decimals."""
    return int(value) if value.is_integer() else value
