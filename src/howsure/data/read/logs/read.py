"""Read model evaluation logs."""

from __future__ import annotations

import os
from typing import Any

from howsure.checks import check_path, one_of
from howsure.data.read.logs.choose import Choice
from howsure.data.read.logs.harness import read_harness
from howsure.data.read.logs.inspect_ai import read_inspect_archive, read_inspect_json
from howsure.data.read.logs.log import EvaluationLog
from howsure.data.read.logs.outcomes import MISSING
from howsure.data.read.logs.recognise import HARNESS, INSPECT_ARCHIVE, INSPECT_JSON, kind_of_log
from howsure.errors import HowsureError

READERS = {INSPECT_ARCHIVE: read_inspect_archive, INSPECT_JSON: read_inspect_json, HARNESS: read_harness}


def read_log(
    path: Any,
    scorer: str | None = None,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002  # as in lm-evaluation-harness
    *,
    missing: str | None = None,
) -> EvaluationLog:
    """Read the log of a model evaluation.

    Logs of inspect_ai (`.eval`, `.json`) and lm-evaluation-harness are supported. If a log has several scorers, metrics
    or filters, you must choose one.

    Parameters
    ----------
    path
        An inspect_ai log, or a samples file from lm-evaluation-harness.
    scorer
        The name of an inspect_ai scorer.
    metric
        The name of an lm-evaluation-harness metric.
    filter
        The name of an lm-evaluation-harness filter.
    missing
        How answers without a score are treated: "wrong" counts them as wrong, "drop" leaves them out. By default, an
        answer counts as wrong if the model is to blame, and is left out if the evaluation failed.

    Returns
    -------
    EvaluationLog
        The log, for `howsure.assess` and `howsure.compare`.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> import howsure
    >>> samples = [{"id": n, "epoch": 1, "scores": {"match": {"value": grade}}} for n, grade in enumerate("CICC")]
    >>> log = {"version": 2, "status": "success", "eval": {"task": "sums", "model": "m"}, "samples": samples}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "run.json")
    ...     _ = path.write_text(json.dumps(log))
    ...     print(howsure.assess(howsure.read_log(path))["accuracy"])
    accuracy: 0.750, 95 % interval [0.155, 0.994] (modified-wilson), n = 4
    """
    if missing is not None:
        one_of("missing", missing, MISSING)
    source = os.fspath(check_path("path", path))
    kind = kind_of_log(source)
    if kind is None:
        if not os.path.exists(source):
            raise HowsureError(f"there is no file {source!r}.")
        raise HowsureError(f"{source!r} is not a log of inspect_ai or of lm-evaluation-harness.")
    try:
        return READERS[kind](source, Choice(scorer, metric, filter), missing)
    except RecursionError:  # a value that could only just be parsed cannot be shown
        raise HowsureError(f"{source!r} holds JSON that is nested too deeply.") from None
