"""Agreement between raters: coefficients, raters, categories and contested items."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Part, Section, Table, section
from howsure.present.report.figure import chart

MAX_PAIRS = 60  # maximum number of pairs of raters in a table


@section(of="Agreement", order=20)
def coefficients(agreement: Any) -> Section:
    lead = "The coefficients define chance agreement differently. The intervals treat the items as a random sample."
    return Section("How much agreement beyond chance?", [Table(agreement.sheet())], lead, "Coefficients")


@section(of="Agreement", order=21)
def raters(agreement: Any) -> Section | None:
    if agreement.ratings.anonymous:
        return None
    parts: list[Part] = []
    if len(agreement.raters) > 2:
        each = agreement.per_rater()
        about = {"reading": "The further left, the less a rater agrees with the others.", "description": each.title}
        parts += [chart("raters", each, title=each.title, **about), Table(each.sheet())]
    if len(agreement.raters) * (len(agreement.raters) - 1) // 2 <= MAX_PAIRS:
        parts.append(Table(agreement.per_pair().sheet(), "All pairs of raters"))
    lead = "Agreement of each rater with all others who rated the same items."
    return Section("Who disagrees?", parts, lead, "Raters")


@section(of="Agreement", order=22)
def categories(agreement: Any) -> Section | None:
    if "by_category" not in agreement.parts():
        return None
    each = agreement.per_category()
    beyond = " beyond chance" if each.beyond_chance else ""
    about = {"reading": f"The further right, the more agreement{beyond} on this category.", "description": each.title}
    parts: list[Part] = [chart("categories", each, title=each.title, **about), Table(each.sheet())]
    return Section("Which categories are contested?", parts, "Each category against all others combined.", "Categories")


@section(of="Agreement", order=23)
def contested(agreement: Any) -> Section | None:
    sheet = agreement.contested()
    if not len(sheet):
        return None
    return Section("Which items should be discussed?", [Table(sheet)], "The items with the most disagreement.", "Items")
