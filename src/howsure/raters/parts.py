"""Agreement part by part: of each rater, each pair of raters, each category; and the items that divide raters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.assessment.headline import percent
from howsure.checks import check_confidence, whole_between
from howsure.errors import HowsureError
from howsure.intervals.declare import NoBasis
from howsure.measures.estimate.outcomes import MeanBasis
from howsure.present.result import Result
from howsure.present.sheet import Sheet
from howsure.present.value_text import shown_name, spoken, with_interval
from howsure.raters.coefficients import fleiss_kappa, specific_agreement
from howsure.raters.estimate import AgreementBasis, estimate_of
from howsure.results import Estimate
from howsure.tables import Clusters, Ratings

if TYPE_CHECKING:
    from howsure.present.sheet import Record
    from howsure.raters.result import Agreement


@dataclass(frozen=True)
class Part:
    """One rater, pair or category: what it is called, how many items or ratings it has, its estimates, and more."""

    key: Record
    n: int
    estimates: tuple[Estimate, ...]
    more: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class AgreementParts(Result):
    """Agreement of each rater, pair or category, with intervals.

    Attributes
    ----------
    parts
        Each with its name, the number of its items or ratings, and its estimates.
    kind
        "rater", "pair" or "category".
    title
        What stands above the table.
    confidence
        Of the intervals.

    Examples
    --------
    >>> import howsure
    >>> g = howsure.agreement([["y", "y", "n"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "n"]] * 5)
    >>> parts = g.per_category()
    >>> parts.kind, parts.counted
    ('category', 'ratings')
    """

    parts: tuple[Part, ...]
    kind: str
    title: str
    confidence: float = 0.95

    @property
    def counted(self) -> str:
        """What the number beside each is of."""
        return "ratings" if self.kind == "category" else "items"

    @property
    def beyond_chance(self) -> bool:
        """Whether a chart draws agreement beyond chance: where it tells one part from another.

        Each of two categories is all that the other is not, so that chance-corrected agreement is the same about both.
        """
        return self.kind == "pair" or (self.kind == "category" and len(self.parts) != 2)

    @property
    def shown(self) -> tuple[Estimate, ...]:
        """The estimate of each part that a chart draws."""
        return tuple(part.estimates[-1 if self.beyond_chance else 0] for part in self.parts)

    def records(self) -> list[Record]:
        records = []
        for part in self.parts:
            record: Record = {**part.key, self.counted: part.n, **part.more}
            for estimate in part.estimates:
                low, high = estimate.interval(self.confidence)
                record |= {estimate.name: estimate.value, f"{estimate.name}_low": low, f"{estimate.name}_high": high}
            records.append(record)
        return records

    def sheet(self) -> Sheet:
        records = []
        for part in self.parts:
            record: Record = {**part.key, self.counted: part.n, **part.more}
            for estimate in part.estimates:
                name = spoken(estimate.name)
                value, interval = with_interval(estimate.value, *estimate.interval(self.confidence))
                record |= {name: value, f"{name} interval": "" if estimate.undefined else interval}
            records.append(record)
        return Sheet.of(records, self.title)

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        return f"AgreementParts({len(self.parts)} by {self.kind}, {100 * self.confidence:g} % intervals)"


def rater_parts(agreement: Agreement, confidence: float) -> AgreementParts:
    """Give each rater's agreement with the others, the lowest first."""
    ratings = agreement.ratings
    _check_known(ratings, "per_rater")
    parts = [
        Part(
            {"rater": shown_name(rater)},
            int(ratings.rated_by[index]),
            (_with_others(agreement, index),),
            {"most often": _favourite(ratings, index)},
        )
        for index, rater in enumerate(ratings.raters)
    ]
    parts.sort(key=lambda part: (math.isnan(part.estimates[0].value), part.estimates[0].value))
    title = "Agreement of each rater with the others"
    return AgreementParts(tuple(parts), "rater", title, check_confidence(confidence))


def category_parts(agreement: Agreement, confidence: float) -> AgreementParts:
    """Give the agreement about each category against all others."""
    items, clusters = agreement.items, agreement.clusters_of_items
    total = items.multiplicity @ items.counts
    parts = []
    for index, label in enumerate(agreement.labels):
        own, n = items.against(index), int(items.used[index])
        bases = (AgreementBasis(one, own, np.eye(2), clusters) for one in (specific_agreement, fleiss_kappa))
        estimates = tuple(estimate_of(basis.coefficient.name, basis, clusters, n) for basis in bases)
        share = {"share": float(total[index] / total.sum())}
        parts.append(Part({"category": shown_name(label)}, int(total[index]), estimates, share))
    return AgreementParts(tuple(parts), "category", "Agreement about each category", check_confidence(confidence))


def pair_parts(agreement: Agreement, confidence: float) -> AgreementParts:
    """Give the agreement and Cohen's kappa of each two raters."""
    ratings = agreement.ratings
    _check_known(ratings, "per_pair")
    parts = []
    for one, other in combinations(range(len(ratings.raters)), 2):
        key = {"rater": shown_name(ratings.raters[one]), "other": shown_name(ratings.raters[other])}
        kappa = agreement.cohen_of(one, other)
        grid = ratings.grid[:, [one, other]]
        both = (grid >= 0).all(1)
        values = np.full(ratings.profiles, np.nan)
        values[both] = 1 - agreement.disagreement[grid[both, 0], grid[both, 1]]
        parts.append(Part(key, int(kappa.n), (_mean(ratings, "percent_agreement", values), kappa), {}))
    return AgreementParts(tuple(parts), "pair", "Agreement of each two raters", check_confidence(confidence))


def contested_items(agreement: Agreement, most: int) -> Sheet:
    """List the items about which raters disagree most; of those alike, the ones with more ratings first."""
    whole_between("most", most, 1, 10**6)
    items, ratings = agreement.items, agreement.ratings
    apart = np.where(items.paired, 1 - items.observed(np.asarray(1 - agreement.disagreement)), 0.0)[ratings.of_item]
    size = ratings.size[ratings.of_item]
    order = np.lexsort((-size, -apart))[:most]
    records = []
    for index in order[apart[order] > 0].tolist():
        said = ratings.counts[ratings.of_item[index]]
        codes = [code for code in np.argsort(-said, kind="stable").tolist() if said[code]]
        records.append(
            {
                "item": shown_name(ratings.items[index]),
                "ratings": int(size[index]),
                "said": ", ".join(f"{said[code]:g} x {shown_name(ratings.labels[code])}" for code in codes),
                "disagreement": float(apart[index]),
            }
        )
    return Sheet.of(records, "Items about which raters disagree most")


def _check_known(ratings: Ratings, what: str) -> None:
    if ratings.anonymous:
        raise HowsureError(f"`{what}` needs the rater of each rating, and counts do not tell.")


def _with_others(agreement: Agreement, index: int) -> Estimate:
    """How often another rating of the same item agrees with this rater's, the items counting alike."""
    ratings, weights = agreement.ratings, 1 - agreement.disagreement
    entry = np.flatnonzero((ratings.rater == index) & (ratings.size[ratings.profile] > 1))
    profile, code = ratings.profile[entry], ratings.code[entry]
    values = np.full(ratings.profiles, np.nan)
    values[profile] = ((ratings.counts[profile] * weights[code]).sum(1) - 1) / (ratings.size[profile] - 1)
    return _mean(ratings, "agreement", values)


def _mean(ratings: Ratings, name: str, by_profile: Array) -> Estimate:
    """Estimate the mean of values from 0 to 1 over the items that have one."""
    by_item = by_profile[ratings.of_item]
    rows = np.flatnonzero(~np.isnan(by_item))
    if not len(rows):
        reason = "no item was rated by another rater too"
        return Estimate(name, np.nan, 0, reason, basis=NoBasis(reason))
    clusters = None
    if ratings.cluster is not None:
        key = ratings.cluster.take(rows)
        clusters = Clusters.of_rows(key.codes, key.values, np.arange(len(rows)), len(rows))
        clusters = None if clusters.are_single else clusters
    return estimate_of(name, MeanBasis(by_item[rows], clusters), clusters, len(rows))


def _favourite(ratings: Ratings, index: int) -> str:
    """The category that a rater chose most often, and how often."""
    entry = np.flatnonzero(ratings.rater == index)
    use = np.bincount(ratings.code[entry], ratings.multiplicity[ratings.profile[entry]], ratings.k)
    if not use.any():
        return ""
    first = int(use.argmax())
    return f"{shown_name(ratings.labels[first])} {percent(use[first] / use.sum())}"
