"""Assess the log of a model evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.arrays import Array
from howsure.assessment.outcomes import OutcomeAssessment, outcomes_of
from howsure.data.encode import encode
from howsure.data.predictions import Key, check_present, key_of
from howsure.data.read.column_names import check_column
from howsure.errors import HowsureError
from howsure.tables.outcomes import Outcomes

if TYPE_CHECKING:
    from howsure.data.read.logs import EvaluationLog


def assess_log(log: EvaluationLog, cluster: str | None = None) -> OutcomeAssessment:
    """Assess the scored answers; ``cluster`` is a field of the samples."""
    scored = np.isfinite(log.score)
    name = ", ".join(filter(None, (log.model, log.task)))
    key = None if cluster is None else cluster_of(log, scored, cluster)
    return OutcomeAssessment(log_outcomes(log, scored, key, log.notes), name)


def log_outcomes(log: EvaluationLog, rows: Array, cluster: Key | None, notes: tuple[str, ...] = ()) -> Outcomes:
    """Count the selected answers by sample."""
    if not rows.any():
        raise HowsureError(f"{log.origin.path!r} must hold at least one answer with a score, and it has none.")
    keys = {"case": key_of(encode(log.case[rows], "id"))}
    if cluster is not None:
        keys["cluster"] = cluster
    return outcomes_of(log.score[rows], keys, notes)


def cluster_of(log: EvaluationLog, rows: Array, name: str) -> Key:
    """Return the clusters of the selected answers."""
    check_column("cluster", name, list(log.columns), repr(log.origin.path))
    encoded = encode(log.columns[name][rows], name)
    check_present(encoded, name)
    return key_of(encoded)
