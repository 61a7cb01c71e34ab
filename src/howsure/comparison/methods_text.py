"""A paragraph for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from howsure._version import __version__
from howsure.comparison.declared import declared
from howsure.comparison.words import Unit, enumerated
from howsure.intervals.declare import registry as interval_methods
from howsure.present.value_text import number, plain, spoken
from howsure.references import REFERENCES, cited
from howsure.resampling.schemes import FiveByTwo, KFold, LeaveOneOut
from howsure.results import Estimate, TestResult
from howsure.significance.declare import Test
from howsure.significance.multiplicity import AUTHORS

if TYPE_CHECKING:
    from howsure.comparison.result import Comparison

MAX_NAMED = 10  # maximum number of classifiers that the first sentence lists
EQUIVALENCE = "Schuirmann 1987"
SHARED = (
    "A case with several true labels counted for each of them in proportion to the number of annotators who gave it, "
    "and standard errors were computed over whole cases"
)
CLUSTER_SUMS = "Obuchowski 1997"  # the reference for summing influences within clusters
CLUSTERED = (
    "Cases of a cluster were not treated as independent: intervals and tests use the effective number of independent "
    f"cases, from influences summed within clusters ({CLUSTER_SUMS}), a design effect shrunk towards that of an "
    "intraclass correlation of 0.2, and Student's t distribution"
)


def methods_text(comparison: Comparison) -> str:
    """Describe the methods of a comparison, with references."""
    paragraph = " ".join(f"{sentence}." for sentence in _sentences(comparison))
    cites = [entry for name, entry in REFERENCES.items() if name in paragraph]
    return plain("\n".join([paragraph, "", "References", *cites] if cites else [paragraph]))


def _sentences(comparison: Comparison) -> Iterator[str]:
    options, family, several = comparison.options, comparison.family, len(comparison.pairs) > 1
    names, confidence = comparison.names, f"{100 - 100 * options.alpha:g} %"
    compared = enumerated(names) if len(names) <= MAX_NAMED else f"{len(names)} classifiers"
    yield f"{_title(comparison.measure)} of {compared} was compared on {_sample(comparison)}"
    first = next(iter(comparison.assessments.values()), None)
    if first is not None and first.annotations is not None:
        yield f"{SHARED}; the highest possible accuracy is then {number(first.ceiling)}"
    if options.baseline is not None and several:
        yield f"Each was compared with the baseline, {options.baseline}"
    if comparison.omnibus is not None:
        yield f"All classifiers were tested together by {_tests([comparison.omnibus])}"
    answered = [pair.test for pair in comparison.pairs if pair.test.test is not None]
    if answered:
        subject = "Each pair" if several else "The difference"
        sides = ", two-sided" if all(test.alternative for test in answered) else ""
        yield f"{subject} was tested by {_tests(answered)}{sides}, {_level(comparison)}"
    if not family.stepwise:
        jointly = " for all pairs together" if several and comparison.adjust != "none" else ""
        methods = _intervals([pair.difference for pair in comparison.pairs])
        yield (
            f"Confidence intervals of differences ({confidence}{jointly}) were computed by {methods}; if such an "
            "interval and the test disagreed about a difference of 0, the end closer to 0 was moved to agree with the "
            "test"
        )
    methods = _intervals(comparison.values.values())
    yield f"Confidence intervals of single values ({confidence} each) were computed by {methods}"
    if comparison.pairs[0].difference.clusters is not None:
        yield CLUSTERED
    if options.rope > 0 and 2 * family.level < 1:
        region, level = Unit.of(comparison.measure).region(options.rope), 100 * (1 - 2 * family.level)
        yield (
            f"Differences below {region} were considered irrelevant, and two classifiers were called practically equal "
            f"if the {level:.4g} % interval of their difference lay within ±{region} ({EQUIVALENCE})"
        )
    yield f"The results apply to {comparison.generalises}"
    yield f"Computed with Howsure {__version__} (seed {options.seed} for random numbers)"


def _sample(comparison: Comparison) -> str:
    """Describe the cases or the splits, with cross-validation in words."""
    match comparison.scheme:
        case KFold(folds=folds, repeats=repeats, stratified=is_stratified):
            stratified = "stratified " if is_stratified else ""
            repeated = f", repeated {repeats} times" if repeats > 1 else ""
            words = f"{stratified}{folds}-fold cross-validation{repeated}"
        case FiveByTwo(stratified=is_stratified):
            words = f"{'stratified ' if is_stratified else ''}5x2 cross-validation"
        case LeaveOneOut():
            words = "leave-one-out cross-validation"
        case _:
            return comparison.sizes
    return comparison.sizes.replace(str(comparison.scheme), words)


def _title(measure: str) -> str:
    """Return the title of a measure, with the requested name if it differs."""
    registered = declared(measure)
    if registered is None:
        return spoken(measure)
    return registered.title if registered.name == measure else f"{registered.title} ({spoken(measure)})"


def _tests(results: Iterable[TestResult]) -> str:
    """List the tests with their variants and references."""
    forms: dict[Test, dict[str, None]] = {}
    for result in results:
        if isinstance(result.test, Test):
            form = result.test.variants.get(result.variant, "")
            forms.setdefault(result.test, {})[form] = None
    named = []
    for test, variants in forms.items():
        form = enumerated([variant for variant in variants if variant]) if any(variants) else ""
        details = "; ".join(filter(None, [form, *test.references]))
        title = _the(test.title, test.references)
        named.append(f"{title} ({details})" if details else title)
    return enumerated(named)


def _the(title: str, references: Iterable[str] = ()) -> str:
    """Add an article: "McNemar's test", "the Friedman test"."""
    if "'s " in title:
        return title
    first, *_ = title.split()
    is_name = any(first.split("-")[0] in reference for reference in references)
    return f"the {title if is_name else title[:1].lower() + title[1:]}"


def _level(comparison: Comparison) -> str:
    level, m = f"{100 * comparison.alpha:g} %", len(comparison.pairs)
    if m == 1:
        return f"at the {level} level"
    if comparison.adjust == "none":
        return f"at the {level} level for each of {m} pairs, without adjustment for multiple comparisons"
    author, reference = AUTHORS[comparison.adjust]
    cite = f" ({reference})" if reference else ""
    rate = "false discovery rate" if comparison.adjust in ("bh", "by") else "family-wise error rate"
    return f"at a {rate} of {level} over all {m} pairs, by the method of {author}{cite}"


def _method_used(estimate: Estimate) -> str:
    """Return the declared method of an interval or of its special case."""
    name = estimate.interval().method
    return name if name in interval_methods else estimate.methods[0]


def _intervals(estimates: Iterable[Estimate]) -> str:
    """List the methods of intervals with their references."""
    named = []
    for name in dict.fromkeys(_method_used(estimate) for estimate in estimates if estimate.methods):
        method = interval_methods[name]
        reference = cited(method.source)
        named.append(f"{_the(method.title)} ({reference})" if reference else _the(method.title))
    return enumerated(named) if named else "no method, since there are no values"
