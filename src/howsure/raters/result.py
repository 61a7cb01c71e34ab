"""The result of `agreement`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.advice import Evidence, Finding, findings
from howsure.arrays import Floats
from howsure.assessment.headlined_result import Headlined
from howsure.checks import names_of
from howsure.errors import counted
from howsure.intervals.declare import NoBasis
from howsure.measures.agreement import kappa
from howsure.present.sheet import Sheet
from howsure.present.value_text import jsonable, shown_name
from howsure.raters.breakdown import AgreementParts, category_parts, contested_items, pair_parts, rater_parts
from howsure.raters.coefficients import Coefficient, fleiss_kappa, krippendorff_alpha, registry
from howsure.raters.cohen import COHEN, MeanOfPairs, cohen_basis
from howsure.raters.disagreement import NOMINAL, NUMERIC, krippendorff_metric, values_of
from howsure.raters.estimate import AgreementBasis, RatedItems, estimate_of
from howsure.raters.headline import headline
from howsure.results import Estimate
from howsure.tables import Clusters, Ratings

COHEN_NAMES = dict.fromkeys((COHEN, "cohens_kappa", kappa.name, "light_kappa"), COHEN)
INTERVALS = (
    "95 % intervals, with the items as the sample. They vary each count in the table of rating pairs between its "
    "confidence limits (MOVER); an item with more than two ratings counts as the number of independent pairs that has "
    "the same variance over items."
)
MAX_SHOWN = 30  # maximum number of raters or categories in a table


@dataclass(frozen=True, repr=False, eq=False)
class Agreement(Headlined):
    """Agreement of raters: coefficients with confidence intervals.

    `howsure.agreement` returns it. ``g["krippendorff_alpha"]`` and the other coefficients are estimates, with the items
    as the sample. ``disagreement`` holds the weights of disagreement between categories, from 0 to 1; Krippendorff's
    alpha uses its own metric for the level, unless ``weights`` are given. Asymmetric weights are used unchanged only
    in Cohen's kappa of two raters; elsewhere they are made symmetric.

    Attributes
    ----------
    ratings
        The table of ratings.
    level
        Level of measurement.
    by_rater
        Weights of disagreement; rows are the category of the first of two raters.
    weights
        Name of the weights that replace those of the level, if any.
    raters
        Names of the raters.
    clusters_of_items
        Clusters of the items; None if no cluster has several items.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement({"ann": ["y", "n", "y", "n"] * 9, "bob": ["y", "n", "n", "n"] * 9})
    >>> g.applicable()
    ['percent_agreement', 'cohen_kappa', 'scott_pi', 'brennan_prediger', 'krippendorff_alpha', 'gwet_ac1']
    >>> print(g["cohen_kappa"])
    cohen_kappa: 0.500, 95 % interval [0.191, 0.725] (mover), n = 36
    >>> g.estimate("gwet_ac1") > g.cohen_of(0, 1)
    True
    >>> list(g.parts())
    ['by_category']
    """

    ratings: Ratings
    level: str
    by_rater: Floats
    weights: str | None = None
    _library: str | None = None

    @property
    def n(self) -> int:
        """Number of rated items."""
        return self.ratings.n

    @property
    def labels(self) -> tuple[Any, ...]:
        """The categories."""
        return self.ratings.labels

    @property
    def raters(self) -> tuple[Any, ...]:
        return self.ratings.raters

    @cached_property
    def items(self) -> RatedItems:
        """The items with their counts of the categories."""
        return RatedItems(self.ratings.counts, self.ratings.multiplicity.astype(float))

    @cached_property
    def clusters_of_items(self) -> Clusters | None:
        return self.ratings.clusters

    @property
    def disagreement(self) -> Floats:
        """Symmetric weights of disagreement between categories, from 0 to 1."""
        return (self.by_rater + self.by_rater.T) / 2

    @property
    def is_nominal(self) -> bool:
        """Whether all disagreements have the same weight."""
        return self.level == NOMINAL and self.weights is None

    def _agreement(self, coefficient: Coefficient) -> Floats:
        """Agreement weights of a coefficient."""
        if not coefficient.weighted:
            return np.eye(self.ratings.k)
        if coefficient.by_rating and self.weights is None:
            used = (self.items.multiplicity * self.items.paired) @ self.items.counts
            metric = krippendorff_metric(self.level, values_of(self.level, self.labels), used)
            return np.asarray(1 - metric)
        return np.asarray(1 - self.disagreement)

    def __getitem__(self, coefficient: str) -> Estimate:
        return self.estimate(coefficient)

    def __contains__(self, coefficient: object) -> bool:
        return isinstance(coefficient, str) and (coefficient in COHEN_NAMES or coefficient in registry)

    def estimate(self, coefficient: str) -> Estimate:
        """Estimate a coefficient of agreement.

        Parameters
        ----------
        coefficient
            A name or alias, such as "krippendorff_alpha".
        """
        name = COHEN_NAMES.get(coefficient) if isinstance(coefficient, str) else None
        name = name or registry[coefficient].name
        return self._cohen() if name == COHEN else self._of(registry[name])

    def _of(self, coefficient: Coefficient) -> Estimate:
        if coefficient.two_raters and len(self.raters) > 2:
            reason = "it is defined for two raters; Fleiss' kappa extends it to more"
            return Estimate(coefficient.name, np.nan, self.items.n_paired, reason, basis=NoBasis(reason))
        plain = AgreementBasis(coefficient, self.items, self._agreement(coefficient), self.clusters_of_items)
        return estimate_of(coefficient.name, plain, plain.grouping, self.items.n_paired)

    def _cohen(self) -> Estimate:
        ratings = self.ratings
        if ratings.anonymous:
            reason = "counts do not show which rater gave which rating"
            return Estimate(COHEN, np.nan, self.items.n_paired, reason, basis=NoBasis(reason))
        if len(ratings.raters) == 2:
            return self.cohen_of(0, 1)
        agreement = np.asarray(1 - self.disagreement)
        plain = MeanOfPairs(fleiss_kappa, self.items, agreement, self.clusters_of_items, ratings=ratings)
        if not plain.possible:
            reason = f"there are {len(ratings.raters)} raters, too many for all pairs"
            return Estimate(COHEN, np.nan, self.items.n_paired, reason, basis=NoBasis(reason))
        estimate = estimate_of(COHEN, plain, plain.grouping, self.items.n_paired)
        pairs = len(ratings.raters) * (len(ratings.raters) - 1) // 2
        which = "all" if len(plain.by_pair) == pairs else f"{len(plain.by_pair)} of"
        return replace(estimate, notes=(f"mean over {which} {pairs} pairs of raters",))

    def cohen_of(self, first: int, second: int) -> Estimate:
        """Estimate Cohen's kappa of two raters, by their positions.

        Parameters
        ----------
        first, second
            Positions of the two raters in ``raters``.
        """
        weights = self.by_rater if len(self.raters) == 2 else self.disagreement
        plain = cohen_basis(self.ratings, first, second, None if self.is_nominal else weights)
        return estimate_of(COHEN, plain, plain.table.clusters, int(plain.table.n))

    def applicable(self) -> list[str]:
        """Return the names of the coefficients that apply to these ratings."""
        raters, is_nominal = len(self.raters), self.is_nominal
        shown = [name for name, coefficient in registry.items() if coefficient.shown(raters, is_nominal)]
        return shown if self.ratings.anonymous else [shown[0], COHEN, *shown[1:]]

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Return several coefficients, by default those that apply.

        Parameters
        ----------
        measures
            Names of coefficients. Default: ``applicable()``.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement({"ann": ["y", "n", "y", "n"] * 9, "bob": ["y", "n", "n", "n"] * 9})
        >>> [round(estimate, 3) for estimate in g.estimates(["percent_agreement", "cohen_kappa"])]
        [0.75, 0.5]
        """
        return [self[name] for name in (self.applicable() if measures is None else names_of("measures", measures))]

    def per_rater(self, confidence: float = 0.95) -> AgreementParts:
        """Return the agreement of each rater with the others, lowest first.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement([["y", "y", "n"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "n"]] * 5)
        >>> g.per_rater().records()[0]["rater"]
        'rater 3'
        """
        return rater_parts(self, confidence)

    def per_category(self, confidence: float = 0.95) -> AgreementParts:
        """Return the agreement on each category, specific and chance-corrected.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement([["y", "y", "n"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "n"]] * 5)
        >>> [row["category"] for row in g.per_category().records()]
        ['n', 'y']
        """
        return category_parts(self, confidence)

    def per_pair(self, confidence: float = 0.95) -> AgreementParts:
        """Return agreement and Cohen's kappa of each pair of raters.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement([["y", "y", "n"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "n"]] * 5)
        >>> len(g.per_pair().records())
        3
        """
        return pair_parts(self, confidence)

    def contested(self, most: int = 10) -> Sheet:
        """List the items with the most disagreement, with their ratings.

        Parameters
        ----------
        most
            Number of items.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement({"ann": ["y", "n", "y"], "bob": ["y", "n", "n"], "eve": ["y", "n", "n"]})
        >>> print(g.contested(1))
        Items on which raters disagree most
        item  ratings  said          disagreement
        ----  -------  ------------  ------------
        2           3  2 x n, 1 x y         0.667
        """
        return contested_items(self, most)

    @property
    def title(self) -> str:
        clusters = self["percent_agreement"].clusters
        within = "" if clusters is None else f" in {counted(clusters, 'cluster')}"
        raters = "ratings" if self.ratings.anonymous else counted(len(self.raters), "rater")
        ratings = counted(self.ratings.ratings, "rating")
        return f"{counted(self.n, 'item')}{within}, {raters}, {ratings}, {self.level} level"

    def sentences(self, confidence: float = 0.95) -> list[str]:
        """Return the headline, sentence by sentence.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement({"ann": ["y", "n", "y", "n"] * 9, "bob": ["y", "n", "n", "n"] * 9})
        >>> print(g.sentences()[0])
        Two ratings of an item agree in 75.0 % [58.9, 86.2] of 36 items.
        """
        return headline(self, confidence)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Coded advice on these ratings."""
        return findings(Evidence(ratings=self, clusters=self.clusters_of_items))

    def further_notes(self) -> list[str]:
        """Return a note if alpha and the other coefficients use different weights."""
        if self.level not in ("ordinal", "ratio") or self.weights is not None:
            return []
        return [f"at the {self.level} level, Krippendorff's alpha uses its own metric, the others Gwet's weights"]

    def parts(self, confidence: float = 0.95) -> dict[str, AgreementParts]:
        """Return the tables by rater and by category, if there are few.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.
        """
        parts = {}
        if not self.ratings.anonymous and 2 < len(self.raters) <= MAX_SHOWN:
            parts["by_rater"] = self.per_rater(confidence)
        if self.level not in NUMERIC and 1 < self.ratings.k <= MAX_SHOWN:
            parts["by_category"] = self.per_category(confidence)
        return parts

    def further_tables(self, confidence: float) -> list[Sheet]:
        return [part.sheet() for part in self.parts(confidence).values()]

    @property
    def caption(self) -> str:
        return self.title

    def to_dict(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> dict[str, Any]:
        values: dict[str, Any] = {
            "items": self.n,
            "raters": None if self.ratings.anonymous else [shown_name(rater) for rater in self.raters],
            "ratings": self.ratings.ratings,
            "categories": [shown_name(label) for label in self.labels],
            "level": self.level,
            "weights": self.weights,
            "headline": self.sentences(confidence),
            "measures": [estimate.to_dict(confidence) for estimate in self.estimates(measures)],
            **{name: part.records() for name, part in self.parts(confidence).items()},
            "contested": self.contested().records(),
            "findings": [finding.to_dict() for finding in self.findings],
        }
        return dict(jsonable(values))

    def drawings(self) -> dict[str, Callable[[], Any]]:
        parts: dict[str, Callable[[], Any]] = {"category": self.per_category}
        if not self.ratings.anonymous:
            parts = {"rater": self.per_rater, **parts, "pair": self.per_pair}
        return parts

    @property
    def report_title(self) -> str:
        return "Agreement of the raters"

    @property
    def report_question(self) -> str:
        return "How well do the raters agree?"

    def views(self) -> dict[str, Any]:
        return {"Headline": self, "Agreement": self, "Settings": self.report_settings()}

    def report_settings(self) -> dict[str, Any]:
        """Return the settings that reproduce the numbers, by name."""
        clusters = self["percent_agreement"].clusters
        return {
            "intervals": INTERVALS,
            "items": self.n,
            "raters": "unknown" if self.ratings.anonymous else len(self.raters),
            "ratings": self.ratings.ratings,
            "level": self.level,
            "weights": self.weights or "of the level",
            "clusters": clusters or "none",
        }

    def __repr__(self) -> str:
        alpha = self[krippendorff_alpha.name].value
        return f"Agreement(items={self.n}, raters={len(self.raters)}, krippendorff_alpha={alpha:.4g})"
