"""How far raters agree, who disagrees, and about what."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Part, Section, Table, section
from howsure.present.report.figure import chart

MOST_PICTURED = 60  # pairs of raters in a picture


@section(of="Agreement", order=20)
def coefficients(agreement: Any) -> Section:
    lead = "They differ in what they take for chance; intervals take the items as the sample."
    return Section("How far beyond chance?", [Table(agreement.sheet())], lead, "Coefficients")


@section(of="Agreement", order=21)
def raters(agreement: Any) -> Section | None:
    if agreement.ratings.anonymous:
        return None
    parts: list[Part] = []
    if len(agreement.raters) > 2:
        each = agreement.per_rater()
        about = {"reading": "Left: agrees less with the other raters.", "description": each.title}
        parts += [chart("raters", each, title=each.title, **about), Table(each.sheet())]
    if len(agreement.raters) * (len(agreement.raters) - 1) // 2 <= MOST_PICTURED:
        pairs = agreement.per_pair()
        parts.append(Table(pairs.sheet(), "each two raters"))
    return Section("Who disagrees?", parts, "Each rater against all others who rated the same items.", "Raters")


@section(of="Agreement", order=22)
def categories(agreement: Any) -> Section | None:
    if "by_category" not in agreement.parts():
        return None
    each = agreement.per_category()
    beyond = "beyond chance " if each.beyond_chance else ""
    about = {"reading": f"Right: more agreement {beyond}about this category.", "description": each.title}
    parts: list[Part] = [chart("categories", each, title=each.title, **about), Table(each.sheet())]
    return Section("About which categories?", parts, "Each category against all others together.", "Categories")


@section(of="Agreement", order=23)
def contested(agreement: Any) -> Section | None:
    sheet = agreement.contested()
    if not len(sheet):
        return None
    return Section("Which items to talk about?", [Table(sheet)], "Where raters disagree most.", "Items")
