"""Agreement by rater, pair of raters and category; contested items."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.assessment.headline import percent
from howsure.checks import check_confidence, check_whole
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
    """A rater, pair or category with its estimates."""

    key: Record
    n: int
    estimates: tuple[Estimate, ...]
    more: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class AgreementParts(Result):
    """Agreement of each rater, pair of raters or category, with intervals.

    Attributes
    ----------
    parts
        The raters, pairs or categories, each with its number of items or ratings and its estimates.
    kind
        "rater", "pair" or "category".
    title
        Title of the table.
    confidence
        Confidence level of the intervals.

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
        """What the number for each part counts: "items" or "ratings"."""
        return "ratings" if self.kind == "category" else "items"

    @property
    def beyond_chance(self) -> bool:
        """Whether a chart shows chance-corrected agreement.

        It does not for raters, or for two categories, which have the same chance-corrected agreement.
        """
        return self.kind == "pair" or (self.kind == "category" and len(self.parts) != 2)

    @property
    def shown(self) -> tuple[Estimate, ...]:
        """The estimate of each part that a chart shows."""
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
    """Agreement of each rater with the others, lowest first."""
    ratings = agreement.ratings
    _check_raters(ratings, "per_rater")
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
    """Agreement on each category against all others."""
    items, clusters = agreement.items, agreement.clusters_of_items
    total = items.multiplicity @ items.counts
    parts = []
    for index, label in enumerate(agreement.labels):
        own, n = items.against(index), int(items.used[index])
        coefficients = (specific_agreement, fleiss_kappa)
        bases = (AgreementBasis(coefficient, own, np.eye(2), clusters) for coefficient in coefficients)
        estimates = tuple(estimate_of(basis.coefficient.name, basis, clusters, n) for basis in bases)
        share = {"share": float(total[index] / total.sum())}
        parts.append(Part({"category": shown_name(label)}, int(total[index]), estimates, share))
    return AgreementParts(tuple(parts), "category", "Agreement on each category", check_confidence(confidence))


def pair_parts(agreement: Agreement, confidence: float) -> AgreementParts:
    """Agreement and Cohen's kappa of each pair of raters."""
    ratings = agreement.ratings
    _check_raters(ratings, "per_pair")
    parts = []
    for first, second in combinations(range(len(ratings.raters)), 2):
        key = {"rater": shown_name(ratings.raters[first]), "other": shown_name(ratings.raters[second])}
        kappa = agreement.cohen_of(first, second)
        grid = ratings.grid[:, [first, second]]
        is_rated = (grid >= 0).all(1)
        values = np.full(ratings.profiles, np.nan)
        values[is_rated] = 1 - agreement.disagreement[grid[is_rated, 0], grid[is_rated, 1]]
        parts.append(Part(key, int(kappa.n), (_mean(ratings, "percent_agreement", values), kappa), {}))
    return AgreementParts(tuple(parts), "pair", "Agreement of each pair of raters", check_confidence(confidence))


def contested_items(agreement: Agreement, most: int) -> Sheet:
    """List the items with the most disagreement, with ties ordered by number of ratings."""
    check_whole("most", most, 1, 10**6)
    items, ratings = agreement.items, agreement.ratings
    disagreement = 1 - items.observed(np.asarray(1 - agreement.disagreement))
    disagreement = np.where(items.paired, disagreement, 0.0)[ratings.of_item]
    size = ratings.size[ratings.of_item]
    order = np.lexsort((-size, -disagreement))[:most]
    records = []
    for index in order[disagreement[order] > 0].tolist():
        counts = ratings.counts[ratings.of_item[index]]
        codes = [code for code in np.argsort(-counts, kind="stable").tolist() if counts[code]]
        records.append(
            {
                "item": shown_name(ratings.items[index]),
                "ratings": int(size[index]),
                "said": ", ".join(f"{counts[code]:g} x {shown_name(ratings.labels[code])}" for code in codes),
                "disagreement": float(disagreement[index]),
            }
        )
    return Sheet.of(records, "Items on which raters disagree most")


def _check_raters(ratings: Ratings, method: str) -> None:
    if ratings.anonymous:
        raise HowsureError(f"`{method}` needs the rater of each rating, which counts do not have.")


def _with_others(agreement: Agreement, index: int) -> Estimate:
    """Mean proportion of the other ratings of an item that agree with this rater."""
    ratings, weights = agreement.ratings, 1 - agreement.disagreement
    entry = np.flatnonzero((ratings.rater == index) & (ratings.size[ratings.profile] > 1))
    profile, code = ratings.profile[entry], ratings.code[entry]
    values = np.full(ratings.profiles, np.nan)
    values[profile] = ((ratings.counts[profile] * weights[code]).sum(1) - 1) / (ratings.size[profile] - 1)
    return _mean(ratings, "agreement", values)


def _mean(ratings: Ratings, name: str, by_profile: Array) -> Estimate:
    """Estimate the mean of values from 0 to 1 over the items that have a value."""
    by_item = by_profile[ratings.of_item]
    rows = np.flatnonzero(~np.isnan(by_item))
    if not len(rows):
        reason = "no item was also rated by another rater"
        return Estimate(name, np.nan, 0, reason, basis=NoBasis(reason))
    clusters = None
    if ratings.cluster is not None:
        key = ratings.cluster.take(rows)
        clusters = Clusters.of_rows(key.codes, key.values, np.arange(len(rows)), len(rows))
        clusters = None if clusters.are_independent else clusters
    return estimate_of(name, MeanBasis(by_item[rows], clusters), clusters, len(rows))


def _favourite(ratings: Ratings, index: int) -> str:
    """Most frequent category of a rater, with its share."""
    entry = np.flatnonzero(ratings.rater == index)
    use = np.bincount(ratings.code[entry], ratings.multiplicity[ratings.profile[entry]], ratings.k)
    if not use.any():
        return ""
    first = int(use.argmax())
    return f"{shown_name(ratings.labels[first])} {percent(use[first] / use.sum())}"
