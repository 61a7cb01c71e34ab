"""Samples from a cell: tables drawn from its population, the same for every measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from howsure.arrays import Array
from howsure.errors import HowsureError
from howsure.lab.clusters import ClusterDesign
from howsure.lab.design import Cell, quality_of
from howsure.lab.population import ClassPopulation, LabelPopulation, ScorePopulation
from howsure.lab.scorers import Scorer
from howsure.measures import Measure, estimate_scores, registry
from howsure.measures.estimate.classes import estimate_classes
from howsure.measures.estimate.labels import estimate
from howsure.measures.spec import read_spec
from howsure.results import Estimate
from howsure.tables import ClassScores, Confusion, ScoreTable

Kind = Literal["labels", "scores", "probabilities"]  # kind of predictions that a measure needs
Sample = Confusion | ScoreTable | ClassScores


def label_of(measure: Measure, k: int) -> int | None:
    """Return the index of the positive class for a measure of one class, or None for an average over classes."""
    return 1 if measure.scope == "class" and k == 2 else None


@dataclass(frozen=True)
class ParsedMeasure:
    """A measure and its parameters, parsed from text such as "f_beta(beta=2)"."""

    spec: str
    measure: Measure
    parameters: dict[str, Any]

    @classmethod
    def of(cls, spec: str) -> ParsedMeasure:
        name, parameters = read_spec(spec)
        measure = registry[name]
        measure.check(parameters)
        if measure.matrix is not None:
            raise HowsureError(f"`{measure.name}` cannot be simulated: its parameter `{measure.matrix}` is a matrix.")
        return cls(spec, measure, parameters)

    @property
    def kind(self) -> Kind:
        if self.measure.scope in ("class", "overall"):
            return "labels"
        return "probabilities" if self.measure.probability else "scores"

    def estimate(self, sample: Sample) -> Estimate:
        if isinstance(sample, ClassScores):
            return estimate_classes(sample, self.measure, **self.parameters)
        if isinstance(sample, ScoreTable):
            if self.measure.scope == "rows":
                raise HowsureError(f"`{self.measure.name}` needs more than two classes.")
            return estimate_scores(sample, self.measure, **self.parameters)
        return estimate(sample, self.measure, label=label_of(self.measure, sample.k), **self.parameters)


@dataclass(frozen=True)
class Samples:
    """Tables of ``rounds`` samples from a cell."""

    cell: Cell
    kind: Kind
    rounds: int
    seed: int

    @cached_property
    def population(self) -> LabelPopulation | ScorePopulation | ClassPopulation:
        if self.kind == "labels":
            return self.cell.labels
        if self.cell.classes > 2:
            return self.cell.class_scores
        return self.cell.scores(probabilities=self.kind == "probabilities")

    def truth(self, measure: ParsedMeasure) -> float:
        """Return the value of a measure in the population."""
        if not isinstance(self.population, LabelPopulation):
            return self.population.truth(measure.measure.name, **measure.parameters)
        label = label_of(measure.measure, self.cell.classes)
        return self.population.truth(measure.measure.name, label, **measure.parameters)

    @cached_property
    def counts(self) -> Array | None:
        """Confusion matrices of all samples, if cases are independent and unweighted and have labels only."""
        if not isinstance(self.population, LabelPopulation) or self.cell.weighted or self.cell.clusters:
            return None
        return self.population.draw(self.cell.rng(self.seed), self.cell.n, self.rounds)

    def __iter__(self) -> Iterator[Sample]:
        if self.counts is not None:
            for counts in self.counts:
                yield Confusion(counts, tuple(range(len(counts))))
            return
        if self.cell.clusters:
            yield from self._clustered(ClusterDesign(self.cell.n, self.cell.clusters, self.cell.icc))
            return
        rng = self.cell.rng(self.seed)
        for _ in range(self.rounds):
            yield self.population.sample(rng, self.cell.n, weighted=self.cell.weighted)

    @cached_property
    def _cluster_tables(self) -> Array:
        """Confusion matrices by sample and cluster."""
        assert isinstance(self.population, LabelPopulation)
        assert self.cell.clusters
        design = ClusterDesign(self.cell.n, self.cell.clusters, self.cell.icc)
        return design.label_tables(self.population, self.cell.rng(self.seed), self.rounds)

    def _clustered(self, design: ClusterDesign) -> Iterator[Confusion | ScoreTable]:
        if self.kind == "labels":
            yield from map(design.confusion, self._cluster_tables)
            return
        cell, slope = self.cell, self.cell.slope if self.kind == "probabilities" else None
        scorer = Scorer(quality_of(cell.quality).separation, cell.spread, slope)
        yield from design.score_tables(scorer, cell.prevalence, cell.rng(self.seed), self.rounds)
