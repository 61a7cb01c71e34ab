"""Compare logs of model evaluations, paired by sample ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.assessment.logs import cluster_of, log_outcomes
from howsure.comparison.outcomes import compare_outcomes
from howsure.comparison.result import Comparison
from howsure.data.read.logs import EvaluationLog, pair_logs


def compare_logs(
    logs: Mapping[str, EvaluationLog],
    cluster: str | None = None,
    measure: str | None = None,
    *,
    common: bool = False,
    **options: Any,
) -> Comparison:
    """Compare logs; ``common`` leaves out samples that some logs lack.

    ``cluster`` names a field of the samples of the first log.
    """
    paired = pair_logs(*logs.values(), common=common)
    rows = paired.complete
    log_notes = (f"{name}: {note}" for name, log in logs.items() for note in log.notes)
    notes = tuple(dict.fromkeys((*paired.notes, *log_notes)))
    key = None if cluster is None else cluster_of(paired.logs[0], rows, cluster)
    outcomes = {name: log_outcomes(log, rows, key, notes) for name, log in zip(logs, paired.logs, strict=True)}
    return compare_outcomes(outcomes, measure, **options)
