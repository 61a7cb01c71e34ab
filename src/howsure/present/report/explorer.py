"""The threshold explorer of a page: its data, and its initial state, which is shown without JavaScript."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from howsure.present.report.estimates import CONFIDENCE, Cell, estimate_dict, shown_cell
from howsure.present.report.explorer_pictures import TOP_STEPS, pictures_of, round_top
from howsure.present.report.figure import Figure
from howsure.present.report.javascript import function, script_json
from howsure.present.value_text import jsonable, number, shown_name

MAX_ROWS, MIN_ROWS, MAX_ROWS_OF_ONE = 3000, 120, 1000  # thresholds per page, and per classifier
# The confusion matrix: one row for the positive class and one for the negative class.
CONFUSION = (
    (("tp", "true positives"), ("fn", "false negatives")),
    (("fp", "false positives"), ("tn", "true negatives")),
)


@dataclass(frozen=True)
class Explorer:
    """A threshold explorer that shows one or two classifiers at a time."""

    models: Mapping[str, Any]  # `Explored` objects by classifier name
    noun: str = "classifier"  # what the models are called on the page: "classifier" or "class"
    name: str = "explorer"  # unique within the page
    of: str = ""  # name of the data set, if the page has several

    template = "explorer.html"
    confusion = CONFUSION

    @property
    def names(self) -> list[str]:
        return [shown_name(name) for name in self.models] if len(self.models) > 1 else [""]

    @property
    def slots(self) -> list[int]:
        """The indices of the classifiers that are shown initially."""
        return list(range(min(2, len(self.models))))

    def model(self, slot: int) -> Any:
        return list(self.models.values())[slot]

    def classes(self, slot: int) -> tuple[Any, Any]:
        """Return the positive and negative classes."""
        return self.model(slot).positive, self.model(slot).negative

    @property
    def first(self) -> Any:
        return self.model(0)

    @property
    def thinned(self) -> str:
        """A sentence on how many thresholds the page keeps; empty if it keeps all."""
        tables = [model.table for model in self.models.values() if model.table.is_thinned]
        if not tables:
            return ""
        kept, total = (max(sizes) for sizes in ([len(t.thresholds) - 1 for t in tables], [t.total for t in tables]))
        return f"{kept:,} of {total:,} thresholds are kept, including every optimal one."

    @cached_property
    def rows(self) -> list[tuple[str, str, list[Cell]]]:
        """The initial table: name, title and cells of each measure."""
        titles = {measure.name: measure.title for measure in self.first.measures}
        estimates = [{**self.model(slot).estimates, **self.model(slot).cost_estimates} for slot in self.slots]
        return [
            (
                name,
                titles.get(name) or name.replace("_", " ").capitalize(),
                [shown_cell(each[name]) for each in estimates],
            )
            for name in estimates[0]
        ]

    def counts(self, slot: int) -> dict[str, Any]:
        """Return the initial counts as text, each with its share of the row."""
        counts = self.model(slot).counts
        cells: dict[str, Any] = {}
        for row in CONFUSION:
            total = sum(counts[cell] for cell, _ in row)
            cells |= {cell: {"count": count(counts[cell]), "share": counts[cell] / (total or 1)} for cell, _ in row}
        return cells

    @property
    def sentences(self) -> list[tuple[str, str]]:
        """The initial state in words: name and errors of each classifier."""
        sentences = []
        for slot in self.slots:
            model, counts = self.model(slot), self.counts(slot)
            errors = f"{counts['fn']['count']} false negatives, {counts['fp']['count']} false positives"
            start = "threshold" if self.names[slot] else "Threshold"
            state = f"{start} {model.start.threshold:.6g}: {errors}, total cost {number(model.total_cost.value)}."
            sentences.append((self.names[slot], state))
        return sentences

    @property
    def limits(self) -> tuple[float, float]:
        """The range of thresholds."""
        limits = [model.limits for model in self.models.values()]
        return min(low for low, _ in limits), max(high for _, high in limits)

    def data(self) -> dict[str, Any]:
        """Return the data for the script."""
        first, (low, high) = self.first, self.limits
        return {
            "share": first.prevalence,
            "costs": first.costs.ravel().tolist(),  # tn, fp, fn, tp
            "usual": first.usual,
            "low": low,
            "high": high,
            "models": [
                {
                    "name": name,
                    "classes": [shown_name(label) for label in (model.positive, model.negative)],
                    "start": model.start.threshold,
                    **model.table.to_dict(),
                    **({"effects": model.effects} if model.effects else {}),
                }
                for name, model in zip(self.names, self.models.values(), strict=True)
            ],
        }

    @property
    def json(self) -> str:
        return script_json(jsonable(self.data()))

    @property
    def script(self) -> tuple[str, dict[str, str]]:
        """The shared script, and the values for its placeholders."""
        measures = ",\n".join(_script_measure(measure) for measure in self.first.measures)
        z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        return "explorer.js", {"/*MEASURES*/": measures, "/*Z*/": repr(z), "/*TOP_STEPS*/": script_json(TOP_STEPS)}

    def to_dict(self) -> dict[str, Any]:
        models = []
        for name, model in self.models.items():
            estimates = {**model.estimates, **model.cost_estimates}
            measures = [estimate_dict(estimate) for estimate in estimates.values()]
            models.append({"name": name, "threshold": model.start.threshold, "measures": measures})
        figures = [figure.to_dict() for figure in self.figures]
        return dict(jsonable({"start": models, "thresholds": self.data(), "figures": figures}))

    @cached_property
    def figures(self) -> list[Figure]:
        """The figures next to the controls."""
        return pictures_of(self)

    def costs(self, model: Any) -> Any:
        """Return the total cost at each threshold of the page."""
        (tn_cost, fp_cost), (fn_cost, tp_cost) = self.first.costs.tolist()
        tp, fp = (np.asarray(column, float) for column in (model.table.tp, model.table.fp))
        fn, tn, n = tp[-1] - tp, fp[-1] - fp, tp[-1] + fp[-1]
        share = self.first.prevalence
        up, down = (1.0, 1.0) if share is None else (share * n / tp[-1], (1 - share) * n / fp[-1])
        return up * (tp_cost * tp + fn_cost * fn) + down * (fp_cost * fp + tn_cost * tn)

    def top(self) -> float:
        """Return the end of the cost axis, above the cost of constant predictions."""
        ends = [self.costs(model)[[0, -1]] for model in self.models.values()]
        return round_top(1.1 * (max(float(end.min()) for end in ends) or max(float(end.max()) for end in ends)))


def explorer_of(
    assessments: Mapping[str, Any], noun: str = "classifier", *, of_all: int = 0, **about: str
) -> Explorer | None:
    """Return the explorer of the assessments with thresholds, or None.

    All explorers of a page, with ``of_all`` classifiers in total, share the available number of thresholds.
    """
    most = min(MAX_ROWS_OF_ONE, max(MIN_ROWS, MAX_ROWS // max(len(assessments), of_all, 1)))
    models = {name: assessment.explored(most) for name, assessment in assessments.items()}
    models = {name: model for name, model in models.items() if model is not None}
    return Explorer(models, noun, **about) if models else None


def count(value: float) -> str:
    """Format a count, with one decimal if it is an expected count."""
    return f"{value:.0f}" if abs(value - round(value)) < 1e-6 else f"{value:.1f}"


def _script_measure(measure: Any) -> str:
    """Return a measure as a JavaScript object."""
    span = [_finite(end) for end in measure.span]
    facts = {"name": measure.name, "ratio": measure.ratio, "span": span, "each": measure.cases_of_each}
    about = script_json({**facts, "why": measure.undefined_when})
    return f"{about[:-1]},formula:{function(measure.formula, ratio=measure.ratio)}}}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
