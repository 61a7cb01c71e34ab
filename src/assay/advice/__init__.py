"""Coded findings: what a careful colleague would say on seeing the numbers. One section each in docs/advice.md."""

import assay.advice.dimension
import assay.advice.labels
import assay.advice.resampling
import assay.advice.scores
import assay.advice.selection
import assay.advice.stacking  # noqa: F401 - the findings register themselves
from assay.advice.declare import Evidence, Finding, registry
from assay.resampling.splits import Splits
from assay.tables import Confusion, ScoreTable

__all__ = ["Evidence", "Finding", "findings", "registry"]


def findings(
    table: Confusion | None = None,
    scores: ScoreTable | None = None,
    splits: Splits | None = None,
    touches: tuple[str, ...] = (),
    *,
    stacking: str | None = None,
    shape: tuple[int, int] | None = None,
) -> tuple[Finding, ...]:
    """Look for everything there is advice on, in whatever evidence is given (see `Evidence`)."""
    evidence = Evidence(table, scores, splits, touches, stacking, shape)
    found = []
    for declared in registry.values():
        known = evidence.given(declared.needs)
        message = None if known is None else declared.check(**known)
        if message:
            found.append(Finding(declared.code, declared.title, message))
    return tuple(sorted(found, key=lambda finding: finding.code))
