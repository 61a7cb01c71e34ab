"""Assessment: everything that follows from one table, computed when asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from assay.advice import Evidence, Finding, findings
from assay.assessment.curves import CurveMethods
from assay.assessment.decide import ThresholdChoice, choose_threshold
from assay.checks import check_confidence, check_number
from assay.costs import Costs
from assay.data.encode import Label
from assay.data.labels import Classes
from assay.errors import AssayError, listing, must
from assay.measures import Measure, estimate, estimate_scores, registry
from assay.measures.cost import mean_cost
from assay.measures.estimate.classes import ClassScores, estimate_classes
from assay.measures.spec import read_spec
from assay.present.format import jsonable
from assay.present.sheet import Record, Sheet, beside
from assay.results import Estimate
from assay.tables import Confusion, ScoreTable

PER_CLASS = ("precision", "recall", "f1", "specificity")
MOST_SHOWN = 10  # classes of a confusion table that is shown unasked


@dataclass(frozen=True, repr=False, eq=False)
class Assessment(CurveMethods):
    """How good a classifier is on these cases, each number with its interval.

    ``a["recall"]`` is the recall of the positive class where there is one, and the macro average otherwise;
    ``a.estimate("recall", label="c")`` or ``average="weighted"`` says it exactly. With scores there are also the
    measures of ranking and of probabilities, the curves, and the choice of a threshold.
    """

    confusion: Confusion
    classes: Classes
    rows: int
    costs: Costs | None = None
    scores: ScoreTable | ClassScores | None = None
    threshold: float | None = None
    prevalence: float | None = None
    library: str | None = None

    def __getitem__(self, measure: str) -> Estimate:
        name, parameters = read_spec(measure)
        registry[name].check_names(parameters)  # before they could be taken for arguments of `estimate`
        return self.estimate(name, **parameters)

    def __contains__(self, measure: object) -> bool:
        return isinstance(measure, str) and measure in registry and self._applies(registry[measure])

    def estimate(
        self, measure: str, *, label: Label | None = None, average: str | None = None, **parameters: Any
    ) -> Estimate:
        """Estimate a measure: of one class, or of a "macro", "micro" or "weighted" average."""
        declared = registry[measure]
        if declared.scope in ("score", "rows"):
            return self._estimate_scores(declared, label, average, parameters)
        table = self.confusion
        if "costs" in declared.parameters and "costs" not in parameters and self.costs is not None:
            parameters["costs"] = self.costs.matrix(self.labels, self.positive)
            shares = self.costs.priors(self.labels, self.positive)
            table = table if shares is None else table.with_shares(shares)
        if declared.scope == "class" and label is None and average is None:
            label = self.positive
        return estimate(table, declared, label=label, average=average, **parameters)

    def _estimate_scores(
        self, declared: Measure, label: Label | None, average: str | None, parameters: dict[str, Any]
    ) -> Estimate:
        if self.scores is None:
            raise AssayError(f"`{declared.name}` is a measure of scores, and there are only labels; give `scores=...`.")
        if (
            isinstance(self.scores, ClassScores)
            and label is None
            and (declared.scope == "rows" or not self.classes.chosen)
        ):
            return estimate_classes(self.scores, declared, average=average, **parameters)
        if declared.scope == "rows":
            raise AssayError(f"`{declared.name}` needs a column of scores for each of more than two classes.")
        if average is not None:
            raise AssayError(f"`{declared.name}` is of one class here, and has no average.")
        chosen = self.positive if label is None else label
        return estimate_scores(self.score_table(chosen), declared, of=str(chosen), **parameters)

    def applicable(self) -> list[str]:
        """Name the measures that apply to these predictions as they are."""
        return [name for name, declared in registry.items() if self._applies(declared)]

    def _applies(self, declared: Measure) -> bool:
        if declared.scope == "rows":
            return isinstance(self.scores, ClassScores) and not declared.on_request
        if declared.scope == "score":
            return self.scores is not None and not declared.on_request
        if declared.scope == "class" and not declared.averaged and self.positive is None:
            return False
        return not declared.on_request or (set(declared.parameters) == {"costs"} and self.costs is not None)

    def at(self, threshold: float) -> Assessment:
        """Assess the decision of calling scores at or above ``threshold`` positive."""
        if isinstance(self.scores, ClassScores):
            raise AssayError("a threshold decides between two classes, and there are more.")
        table = decisions(self.score_table(), check_number(threshold, "threshold"), self.classes)
        moved = replace(self, confusion=table, threshold=float(threshold), prevalence=None)
        return moved if self.prevalence is None else moved.at_prevalence(self.prevalence)

    def best_threshold(
        self,
        measure: str | None = None,
        *,
        costs: Any = None,
        confidence: float = 0.95,
        seed: int = 0,
        **parameters: Any,
    ) -> ThresholdChoice:
        """Find the threshold at which a label measure is best, or the mean cost lowest."""
        if isinstance(self.scores, ClassScores):
            raise AssayError("a threshold decides between two classes, and there are more.")
        table = self.score_table()
        costs = self.costs if costs is None and measure is None else costs
        if (measure is None) == (costs is None):
            raise AssayError("`best_threshold` must be given a measure or costs, and not both.")
        check_confidence(confidence)
        if costs is None:
            declared = registry[str(measure)]
            if declared.scope not in ("class", "overall"):
                raise AssayError(f"`{declared.name}` does not depend on a threshold.")
            declared.check(parameters)
            return choose_threshold(table, declared, parameters, self._shares(), confidence, seed=seed)
        known = costs if isinstance(costs, Costs) else Costs(costs)
        ordered = sorted(self.labels, key=self.positive.__eq__)
        places = [self.labels.index(label) for label in ordered]
        matrix, shares = known.matrix(self.labels, self.positive), known.priors(self.labels, self.positive)
        matrix, shares = matrix[np.ix_(places, places)], self._shares() if shares is None else shares[places]
        return choose_threshold(table, mean_cost, {"costs": matrix}, shares, confidence, seed=seed)

    def at_prevalence(self, share: float) -> Assessment:
        """Assess the same decisions where the positive class has another share, as in deployment.

        Precision, negative predictive value and costs change with it; recall and specificity do not. The share is
        taken as known. The measures of scores stay those of the sample.
        """
        if self.positive is None or len(self.labels) != 2:
            raise AssayError("a prevalence is of the positive one of two classes; give `positive=...`.")
        if not 0 < check_number(share, "share") < 1:
            must("share", "between 0 and 1", given=share)
        shares = [share if label == self.positive else 1 - share for label in self.labels]
        return replace(self, confusion=self.confusion.with_shares(shares), prevalence=float(share))

    def _shares(self) -> Any:
        """Shares of negatives and positives in use, where a prevalence was set."""
        return None if self.prevalence is None else np.array([1 - self.prevalence, self.prevalence])

    def estimates(self, measures: Iterable[str] | str | None = None) -> list[Estimate]:
        """Estimate all measures that apply, or those named."""
        if isinstance(measures, str):
            measures = [measures]
        return [self[name] for name in (self.applicable() if measures is None else measures)]

    def sheet(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> Sheet:
        """Give the table that is shown: rounded, with each interval in one cell."""
        heading = f"{check_confidence(confidence) * 100:g} % interval"
        records = []
        every = self.estimates(measures)
        for found in every:
            interval = found.interval(confidence)
            records.append(
                {
                    "measure": found.name,
                    "of": found.of,
                    "value": found.value,
                    heading: "" if found.undefined else str(interval),
                    "n": _whole(found.n),
                    "method": interval.method if not found.undefined else f"undefined: {found.undefined}",
                }
            )
        notes = tuple(dict.fromkeys(f"{found.name}: {note}" for found in every for note in found.notes))
        return Sheet.of(records, self.title, notes)

    @property
    def title(self) -> str:
        """Say what was assessed: cases, classes, and the positive one."""
        k = len(self.labels)
        names = listing([str(label) for label in self.labels], 8)
        positive = ""
        if self.positive is not None:
            how = "" if self.classes.chosen else ", the second class by default"
            positive = f"; positive: {self.positive}{how}"
        weighted = f", effectively {self.confusion.effective_n:.1f}" if self.confusion.squares is not None else ""
        limit = "" if self.threshold is None else f" from a score of {self.threshold:g} on"
        return f"{self.rows} cases{weighted}, {k} {'class' if k == 1 else 'classes'}: {names}{positive}{limit}"

    def records(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> list[Record]:
        """Give one record for each measure, with every digit."""
        records = []
        for found in self.estimates(measures):
            interval = found.interval(confidence)
            records.append(
                {
                    "measure": found.name,
                    "of": found.of,
                    "value": found.value,
                    "low": interval.low,
                    "high": interval.high,
                    "confidence": confidence,
                    "method": interval.method,
                    "n": _whole(found.n),
                    "note": found.undefined or "; ".join(found.notes),
                }
            )
        return records

    def records_sheet(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> Sheet:
        return Sheet.of(self.records(confidence, measures))

    def frame(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> Any:
        """Give every measure with its interval as a data frame of the library the data came in."""
        return self.records_sheet(confidence, measures).frame(self.library)

    def per_class(self, confidence: float = 0.95) -> Sheet:
        """Give precision, recall, F1 and specificity of each class, with intervals."""
        records = []
        for place, label in enumerate(self.labels):
            record: Record = {"class": str(label), "cases": _whole(float(self.confusion.sums.truth[place]))}
            for name in PER_CLASS:
                found = self.estimate(name, label=label)
                record[name] = found.value
                record[f"{name} interval"] = "" if found.undefined else str(found.interval(confidence))
            records.append(record)
        return Sheet.of(records)

    def chance(self) -> Confusion:
        """Give the table expected by chance: the same margins, prediction independent of truth."""
        return self.confusion.chance()

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Give coded advice on what to mind in these numbers."""
        scores = self.scores if isinstance(self.scores, ScoreTable) else None
        return findings(Evidence(table=self.confusion, scores=scores))

    def to_dict(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> dict[str, Any]:
        """Give everything as plain values, ready for JSON."""
        return {
            "rows": self.rows,
            "labels": jsonable(list(self.labels)),
            "positive": jsonable(self.positive),
            "confusion": self.confusion.to_dict(),
            "chance": self.chance().to_dict(),
            "measures": [found.to_dict(confidence) for found in self.estimates(measures)],
            "findings": [finding.to_dict() for finding in self.findings],
            **({} if self.threshold is None else {"threshold": self.threshold}),
            **({"best_threshold": jsonable(self.best_threshold().to_dict())} if self._has_costs() else {}),
        }

    def __repr__(self) -> str:
        return f"Assessment(n={self.confusion.n:g}, k={len(self.labels)}, accuracy={self['accuracy'].value:.4g})"

    def __str__(self) -> str:
        return self.text()

    def text(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> str:
        """Give the tables and the advice as plain text, as ``print`` shows them."""
        counted = [self.counted(), ""] if len(self.labels) <= MOST_SHOWN else []
        chosen = [str(self.best_threshold())] if self._has_costs() else []
        return "\n".join([*counted, self.sheet(confidence, measures).text(), *chosen, *map(str, self.findings)])

    def _has_costs(self) -> bool:
        """Costs and scores: there is a threshold of lowest cost."""
        return self.costs is not None and isinstance(self.scores, ScoreTable)

    def counted(self) -> str:
        """Give the confusion table with the one expected by chance beside it."""
        here, chance = self.confusion.sheet(), self.chance().sheet()
        return beside(here.text(), replace(chance, title="expected by chance").text())

    def _repr_html_(self) -> str:
        table = self.sheet()
        notes = (*table.notes, *map(str, self.findings))
        shown = replace(table, notes=notes).to_html()
        if len(self.labels) > MOST_SHOWN:
            return shown
        chance = replace(self.chance().sheet(), title="expected by chance").to_html()
        return f'<div style="display:flex;flex-wrap:wrap;gap:2em">{self.confusion._repr_html_()}{chance}</div>{shown}'


def decisions(scores: ScoreTable, threshold: float, classes: Classes) -> Confusion:
    """Count the decisions of calling scores at or above a threshold positive."""
    counts, squares = scores.at(threshold)
    ordered = sorted(classes.labels, key=classes.positive.__eq__)  # the positive class second, as the table has it
    return Confusion(counts, ordered, squares).reindex(classes.labels)


def _whole(n: float) -> int | float:
    return int(n) if float(n).is_integer() else n
