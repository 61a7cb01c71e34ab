"""Methods: settings, versions, seed and fingerprint."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from howsure._version import __version__
from howsure.present.report.declare import Paragraph, Section, Table, section
from howsure.present.sheet import Sheet

SOFTWARE = ("numpy", "scipy", "scikit-learn")
INTERVALS = (
    "All intervals have a confidence level of 95 %. Proportions: Wilson's interval, widened for few successes or "
    "failures. Other measures of labels: combined from the limits of each count (MOVER). Areas under the ROC curve: "
    "DeLong's or Newcombe's interval, the wider of both for skewed ranks. All others: see the table of measures. In "
    "the explorer, a prevalence that you enter is taken as known, and all intervals are then combined from the limits "
    "of each count."
)


@section(of="Settings", order=100)
def methods(settings: Mapping[str, Any]) -> Section:
    software = ", ".join(f"{name} {version(name)}" for name in SOFTWARE)
    rows = {**settings, "software": f"Howsure {__version__}, Python {platform.python_version()}, {software}"}
    texts = [Paragraph(str(rows.pop("text")))] if "text" in rows else []
    intervals = Paragraph(str(rows.pop("intervals", INTERVALS)))
    table = Table(Sheet(("setting", "value"), [[name, str(value)] for name, value in rows.items()]))
    return Section("How were these numbers computed?", [*texts, intervals, table], short="Methods")
