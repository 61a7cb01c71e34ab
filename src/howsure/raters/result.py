"""Agreement: how far raters agree, each number with its interval; who disagrees, about what."""

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
from howsure.raters.coefficients import Coefficient, fleiss_kappa, krippendorff_alpha, registry
from howsure.raters.cohen import COHEN, MeanOfPairs, cohen_basis
from howsure.raters.disagreement import NOMINAL, NUMERIC, krippendorff_metric, values_of
from howsure.raters.estimate import AgreementBasis, RatedItems, estimate_of
from howsure.raters.headline import headline
from howsure.raters.parts import AgreementParts, category_parts, contested_items, pair_parts, rater_parts
from howsure.results import Estimate
from howsure.tables import Clusters, Ratings

COHEN_NAMES = dict.fromkeys((COHEN, "cohens_kappa", kappa.name, "light_kappa"), COHEN)
INTERVALS = (
    "Intervals are of 95 % and take the items as the sample. They move each count of the table of pairs of ratings to "
    "the bounds where it may lie; an item with more than two ratings is worth as many pairs as the variance over items "
    "tells."
)
MOST_SHOWN = 30  # raters or categories in a text


@dataclass(frozen=True, repr=False, eq=False)
class Agreement(Headlined):
    """How far raters agree, each number with its interval.

    `howsure.agreement` gives it; ``g["krippendorff_alpha"]`` and the others are estimates, and the sample is that of
    the
    items. ``disagreement`` weighs how far apart categories are, from 0 to 1; alpha has its own metric of the level,
    unless other weights were given. Weights that are not the same both ways count so in Cohen's kappa of two raters
    only, of whom one is the first.

    Attributes
    ----------
    ratings
        The table of ratings.
    level
        That of measurement.
    by_rater
        The weights of disagreement; rows are the category of the first of two raters.
    weights
        What was given in the place of the level's own.
    raters
        Their names.
    clusters_of_items
        Which items belong together, None where no two do.

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
    by_rater: Floats  # the weights of disagreement, by rows the category of the first of two raters
    weights: str | None = None  # what was given in the place of the level's own
    _library: str | None = None

    @property
    def n(self) -> int:
        """The number of items that were rated."""
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
        """The items by how often each category was chosen."""
        return RatedItems(self.ratings.counts, self.ratings.multiplicity.astype(float))

    @cached_property
    def clusters_of_items(self) -> Clusters | None:
        return self.ratings.clusters

    @property
    def disagreement(self) -> Floats:
        """How far apart categories are, from 0 to 1, whoever chose which."""
        return (self.by_rater + self.by_rater.T) / 2

    @property
    def is_nominal(self) -> bool:
        """Categories are the same or not, and no two are nearer to each other than others."""
        return self.level == NOMINAL and self.weights is None

    def _agreement(self, coefficient: Coefficient) -> Floats:
        """The weights of agreement that a coefficient uses."""
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
            reason = "it is of two raters; Fleiss' kappa is the same of more"
            return Estimate(coefficient.name, np.nan, self.items.n_paired, reason, basis=NoBasis(reason))
        plain = AgreementBasis(coefficient, self.items, self._agreement(coefficient), self.clusters_of_items)
        return estimate_of(coefficient.name, plain, plain.grouping, self.items.n_paired)

    def _cohen(self) -> Estimate:
        ratings = self.ratings
        if ratings.anonymous:
            reason = "it is not known who gave which rating"
            return Estimate(COHEN, np.nan, self.items.n_paired, reason, basis=NoBasis(reason))
        if len(ratings.raters) == 2:
            return self.cohen_of(0, 1)
        agreement = np.asarray(1 - self.disagreement)
        plain = MeanOfPairs(fleiss_kappa, self.items, agreement, self.clusters_of_items, ratings=ratings)
        if not plain.possible:
            reason = f"there are {len(ratings.raters)} raters, too many to look at each two"
            return Estimate(COHEN, np.nan, self.items.n_paired, reason, basis=NoBasis(reason))
        estimate = estimate_of(COHEN, plain, plain.grouping, self.items.n_paired)
        every = len(ratings.raters) * (len(ratings.raters) - 1) // 2
        which = "all" if len(plain.by_pair) == every else f"{len(plain.by_pair)} of"
        return replace(estimate, notes=(f"the mean over {which} {every} pairs of raters",))

    def cohen_of(self, first: int, second: int) -> Estimate:
        """Estimate Cohen's kappa of two raters, by their places.

        Parameters
        ----------
        first, second
            The positions of the two in ``raters``.
        """
        weights = self.by_rater if len(self.raters) == 2 else self.disagreement
        plain = cohen_basis(self.ratings, first, second, None if self.is_nominal else weights)
        return estimate_of(COHEN, plain, plain.table.clusters, int(plain.table.n))

    def applicable(self) -> list[str]:
        """Name the coefficients that are shown, as they can be asked for."""
        shown = [name for name, one in registry.items() if one.shown(len(self.raters), self.is_nominal)]
        return shown if self.ratings.anonymous else [shown[0], COHEN, *shown[1:]]

    def estimates(self, measures: Sequence[str] | None = None) -> list[Estimate]:
        """Give the coefficients asked for, or those that suit the level and the number of raters.

        Parameters
        ----------
        measures
            Names of coefficients.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement({"ann": ["y", "n", "y", "n"] * 9, "bob": ["y", "n", "n", "n"] * 9})
        >>> [round(estimate, 3) for estimate in g.estimates(["percent_agreement", "cohen_kappa"])]
        [0.75, 0.5]
        """
        return [self[name] for name in (self.applicable() if measures is None else names_of("measures", measures))]

    def per_rater(self, confidence: float = 0.95) -> AgreementParts:
        """Give each rater's agreement with the others about the same items, the lowest first.

        Parameters
        ----------
        confidence
            Of the intervals.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement([["y", "y", "n"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "n"]] * 5)
        >>> g.per_rater().records()[0]["rater"]
        'rater 3'
        """
        return rater_parts(self, confidence)

    def per_category(self, confidence: float = 0.95) -> AgreementParts:
        """Give the agreement about each category: of its ratings, and beyond chance.

        Parameters
        ----------
        confidence
            Of the intervals.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement([["y", "y", "n"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "n"]] * 5)
        >>> [row["category"] for row in g.per_category().records()]
        ['n', 'y']
        """
        return category_parts(self, confidence)

    def per_pair(self, confidence: float = 0.95) -> AgreementParts:
        """Give the agreement and Cohen's kappa of each two raters, about the items that both rated.

        Parameters
        ----------
        confidence
            Of the intervals.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement([["y", "y", "n"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "n"]] * 5)
        >>> len(g.per_pair().records())
        3
        """
        return pair_parts(self, confidence)

    def contested(self, most: int = 10) -> Sheet:
        """List the items about which raters disagree most, with what was said of each.

        Parameters
        ----------
        most
            How many items.

        Examples
        --------
        >>> import howsure
        >>> g = howsure.agreement({"ann": ["y", "n", "y"], "bob": ["y", "n", "n"], "eve": ["y", "n", "n"]})
        >>> print(g.contested(1))
        Items about which raters disagree most
        item  ratings  said          disagreement
        ----  -------  ------------  ------------
        2           3  2 x n, 1 x y         0.667
        """
        return contested_items(self, most)

    @property
    def title(self) -> str:
        clusters = self["percent_agreement"].clusters
        within = "" if clusters is None else f" in {counted(clusters, 'cluster')}"
        by = "ratings" if self.ratings.anonymous else counted(len(self.raters), "rater")
        return f"{counted(self.n, 'item')}{within}, {by}, {counted(self.ratings.ratings, 'rating')}, {self.level} level"

    def sentences(self, confidence: float = 0.95) -> list[str]:
        """Answer the question in a few sentences.

        Parameters
        ----------
        confidence
            Of the intervals.

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
        """Give coded advice on what to mind in these numbers."""
        return findings(Evidence(ratings=self, clusters=self.clusters_of_items))

    def further_notes(self) -> list[str]:
        """Say where alpha measures distances in another way than the others."""
        if self.level not in ("ordinal", "ratio") or self.weights is not None:
            return []
        return [f"at the {self.level} level Krippendorff's alpha has a metric of its own, the others Gwet's weights"]

    def parts(self, confidence: float = 0.95) -> dict[str, AgreementParts]:
        """Give what is shown besides the coefficients: the raters where they are known, and the categories if few.

        Parameters
        ----------
        confidence
            Of the intervals.
        """
        parts = {}
        if not self.ratings.anonymous and 2 < len(self.raters) <= MOST_SHOWN:
            parts["by_rater"] = self.per_rater(confidence)
        if self.level not in NUMERIC and 1 < self.ratings.k <= MOST_SHOWN:
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
        return "What the ratings are worth"

    @property
    def report_question(self) -> str:
        return "How far do the raters agree?"

    def views(self) -> dict[str, Any]:
        return {"Headline": self, "Agreement": self, "Settings": self.report_settings()}

    def report_settings(self) -> dict[str, Any]:
        """Give what a reader must know to get the same numbers: settings by name."""
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
