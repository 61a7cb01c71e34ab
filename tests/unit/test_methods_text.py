"""The paragraph for a paper says what was done, and cites only what is listed."""

import re

import numpy as np
import pytest

import howsure
from howsure.comparison.methods_text import CLUSTER_SUMS
from howsure.intervals.declare import registry as intervals
from howsure.references import REFERENCES, cited
from howsure.significance.declare import registry as tests
from howsure.significance.multiplicity import AUTHORS, METHODS


def columns(k=2, n=300):
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=n)
    return truth, {f"m{i}": np.where(rng.random(n) < 0.8 + 0.05 * i, truth, 1 - truth) for i in range(k)}


def test_it_says_what_was_done():
    truth, two = columns()
    said = howsure.compare(truth, two).methods_text()
    paragraph, _, references = said.partition("\n\nReferences\n")
    assert paragraph == (
        "Accuracy of m0 and m1 was compared on 300 paired cases. The difference was tested by McNemar's test "
        "(chi-square; McNemar 1947; Fagerland, Lydersen and Laake 2013), two-sided, at the 5 % level. Confidence "
        "intervals of differences (95 %) were computed by Tango's interval for paired proportions (Tango 1998); if "
        "such an interval and the test disagreed about a difference of 0, the end closer to 0 was moved to agree with "
        "the test. Confidence intervals of single values (95 % each) were computed by Wilson's score interval (Wilson "
        "1927). Differences below 1 point were considered irrelevant, and two classifiers were called practically "
        "equal if the 90 % interval of their difference lay within ±1 point (Schuirmann 1987). The results apply to "
        "new cases of this kind and these fitted models. "
        f"Computed with Howsure {howsure.__version__} (seed 0 for random numbers)."
    )
    assert [line.split(",")[0] for line in references.splitlines()] == [
        *("Fagerland", "McNemar", "Schuirmann", "Tango", "Wilson")
    ]


@pytest.mark.parametrize("adjust", [*METHODS, "none"])
def test_adjustments_are_named_and_cited(adjust):
    truth, three = columns(3)
    said = howsure.compare(truth, three, adjust=adjust, rope=0).methods_text()
    if adjust == "none":
        assert "without adjustment for multiple comparisons" in said
    else:
        author, reference = AUTHORS[adjust]
        assert f"over all 3 pairs, by the method of {author}" in said
        assert not reference or REFERENCES[reference] in said
    assert ("false discovery rate of" in said) == (adjust in ("bh", "by"))
    assert ("Confidence intervals of differences" in said) == (adjust in ("none", "bonferroni", "sidak"))
    assert "considered irrelevant" not in said
    assert "All classifiers were tested together by Cochran's Q test (Cochran 1950)" in said
    against = howsure.compare(truth, three, adjust="bonferroni", baseline="m0").methods_text()
    assert "Each was compared with the baseline, m0" in against
    assert "over all 2 pairs" in against


def test_every_measure_has_a_paragraph_that_cites_what_it_lists():
    truth, labels = columns(3, 60)
    rng = np.random.default_rng(1)
    scores = {name: np.clip(0.6 * one + 0.4 * rng.random(60), 0, 1) for name, one in labels.items()}
    asked = [("predicted", labels, name) for name in ("accuracy", "hit_rate", "f1", "kappa")]
    asked += [("scores", scores, name) for name in ("auc", "brier", "average_precision")]
    for kind, given, measure in asked:
        said = howsure.compare(truth, **{kind: given}, measure=measure).methods_text()
        paragraph, _, references = said.partition("\n\nReferences\n")
        assert f" of {', '.join(['m0', 'm1'])} and m2 was compared on 60 paired cases." in paragraph
        listed = [name for name, entry in REFERENCES.items() if entry in references]
        assert listed == [name for name in REFERENCES if name in paragraph]
        assert len(listed) == len(references.splitlines())


def test_every_reference_is_in_use_and_has_its_year():
    used = {name for test in tests.values() for name in test.references}
    used |= {cited(method.source) for method in intervals.values()}
    used |= {reference for _, reference in AUTHORS.values()} | {CLUSTER_SUMS}
    assert used - {""} == set(REFERENCES)
    assert list(REFERENCES) == sorted(REFERENCES)
    for name, entry in REFERENCES.items():
        assert f"({name.split()[-1]})" in entry
        assert entry.startswith(re.split(r"[ ,]", name)[0])
