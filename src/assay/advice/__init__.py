"""Coded findings: what a careful colleague would say on seeing the numbers. One section each in docs/advice.md."""

import assay.advice.labels
import assay.advice.resampling
import assay.advice.scores
import assay.advice.selection  # noqa: F401 - the findings register themselves
from assay.advice.declare import Evidence, Finding, registry
from assay.resampling.splits import Splits
from assay.tables import Confusion, ScoreTable

__all__ = ["Evidence", "Finding", "findings", "registry"]


def findings(
    table: Confusion,
    scores: ScoreTable | None = None,
    splits: Splits | None = None,
    touches: tuple[str, ...] = (),
) -> tuple[Finding, ...]:
    """Look for everything there is advice on."""
    evidence = Evidence(table, scores, splits, touches)
    said = ((declared, declared.check(evidence)) for declared in registry.values())
    return tuple(Finding(declared.code, declared.title, message) for declared, message in said if message)
