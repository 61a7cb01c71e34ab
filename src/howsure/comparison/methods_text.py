"""A paragraph for the methods section of a paper, made of what is declared of the procedures in use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from howsure._version import __version__
from howsure.comparison.declared import declared
from howsure.comparison.words import Unit, both
from howsure.intervals.declare import registry as interval_methods
from howsure.present.value_text import number, plain, spoken
from howsure.references import REFERENCES, cited
from howsure.results import Estimate, TestResult
from howsure.significance.declare import Test
from howsure.significance.multiplicity import AUTHORS

if TYPE_CHECKING:
    from howsure.comparison.result import Comparison

MOST_NAMED = 10  # classifiers
EQUIVALENCE = "Schuirmann 1987"
SHARED = (
    "A case with different true labels counted for each of them by the share of its annotators who gave it, and "
    "standard errors are of whole cases"
)
SUMMED = "Obuchowski 1997"  # influences, within clusters
CLUSTERED = (
    "Cases of a cluster were not taken for independent: intervals and tests are those of as many independent cases as "
    f"the clusters are worth, by influences summed within clusters ({SUMMED}), a design effect drawn towards that of "
    "an intraclass correlation of 0.2, and Student's t distribution"
)


def methods_text(comparison: Comparison) -> str:
    """Say how a comparison was made, in sentences, and list the literature that they cite."""
    paragraph = " ".join(f"{sentence}." for sentence in _sentences(comparison))
    cites = [entry for name, entry in REFERENCES.items() if name in paragraph]
    return plain("\n".join([paragraph, "", "References", *cites] if cites else [paragraph]))


def _sentences(comparison: Comparison) -> Iterator[str]:
    options, family, several = comparison.options, comparison.family, len(comparison.pairs) > 1
    names, confidence = comparison.names, f"{100 - 100 * options.alpha:g} %"
    compared = both(names) if len(names) <= MOST_NAMED else f"{len(names)} classifiers"
    yield f"{_title(comparison.measure)} of {compared} was compared on {comparison.sizes}"
    first = next(iter(comparison.assessments.values()), None)
    if first is not None and first.annotations is not None:
        yield f"{SHARED}; the highest accuracy that any classifier can reach is then {number(first.ceiling)}"
    if options.baseline is not None and several:
        yield f"Each was compared with {options.baseline}, the baseline"
    if comparison.omnibus is not None:
        yield f"All were tested together by {_tests([comparison.omnibus])}"
    answered = [pair.test for pair in comparison.pairs if pair.test.test is not None]
    if answered:
        what = "Each pair" if several else "The difference"
        sides = ", two-sided" if all(test.alternative for test in answered) else ""
        yield f"{what} was tested by {_tests(answered)}{sides}, {_level(comparison)}"
    if not family.stepwise:
        together = " for all pairs together" if several and comparison.adjust != "none" else ""
        how = _intervals([pair.difference for pair in comparison.pairs])
        yield (
            f"Confidence intervals of differences ({confidence}{together}) are by {how}; where such an interval and "
            "the test disagreed on a difference of 0, the end nearest to 0 was set as the test decides"
        )
    yield f"Intervals of single values ({confidence} each) are by {_intervals(comparison.values.values())}"
    if comparison.pairs[0].difference.clusters is not None:
        yield CLUSTERED
    if options.rope > 0 and 2 * family.level < 1:
        region, level = Unit.of(comparison.measure).region(options.rope), 100 * (1 - 2 * family.level)
        yield (
            f"A difference below {region} was taken not to matter, and two classifiers were called equal for "
            f"practical purposes where the {level:.4g} % interval lay within it either way ({EQUIVALENCE})"
        )
    yield f"The results are about {comparison.generalises}"
    yield f"Computed with Howsure {__version__} (seed {options.seed} for random numbers)"


def _title(measure: str) -> str:
    """Name a measure at the start of a sentence: by its title, with the name that was asked for where it is another."""
    found = declared(measure)
    if found is None:
        return spoken(measure)
    return found.title if found.name == measure else f"{found.title} ({spoken(measure)})"


def _tests(results: Iterable[TestResult]) -> str:
    """Name the tests with their forms and where they were published."""
    forms: dict[Test, dict[str, None]] = {}
    for result in results:
        if isinstance(result.test, Test):
            form = result.test.variants.get(result.variant, "")
            forms.setdefault(result.test, {})[form] = None
    named = []
    for test, variants in forms.items():
        facts = [both([form for form in variants if form]) if any(variants) else "", *test.references]
        inside = "; ".join(filter(None, facts))
        title = _the(test.title, test.references)
        named.append(f"{title} ({inside})" if inside else title)
    return both(named)


def _the(title: str, references: Iterable[str] = ()) -> str:
    """Write a title within a sentence: "McNemar's test", "the Friedman test", "the paired t test"."""
    if "'s " in title:
        return title
    first, *_ = title.split()
    is_name = any(first.split("-")[0] in reference for reference in references)
    return f"the {title if is_name else title[:1].lower() + title[1:]}"


def _level(comparison: Comparison) -> str:
    level, m = f"{100 * comparison.alpha:g} %", len(comparison.pairs)
    if m == 1:
        return f"at a level of {level}"
    if comparison.adjust == "none":
        return f"at a level of {level} for each of {m} pairs, without an adjustment for their number"
    author, reference = AUTHORS[comparison.adjust]
    cite = f" ({reference})" if reference else ""
    rate = "a false discovery rate" if comparison.adjust in ("bh", "by") else "a level"
    return f"at {rate} of {level} for all {m} pairs together by the method of {author}{cite}"


def _method_used(estimate: Estimate) -> str:
    """The declared method of the interval; a form of it that stands in where no error is visible counts as it."""
    name = estimate.interval().method
    return name if name in interval_methods else estimate.methods[0]


def _intervals(estimates: Iterable[Estimate]) -> str:
    """Name the methods of intervals, and where they were published."""
    named = []
    for name in dict.fromkeys(_method_used(estimate) for estimate in estimates if estimate.methods):
        method = interval_methods[name]
        reference = cited(method.source)
        named.append(f"{_the(method.title)} ({reference})" if reference else _the(method.title))
    return both(named) if named else "no method, since there is no value"
