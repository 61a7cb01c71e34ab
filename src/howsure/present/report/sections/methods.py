"""How the numbers were made: settings, versions, seed, fingerprint."""

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
    "Intervals are of 95 %. Proportions: Wilson's, wider where successes or failures are few; other measures of "
    "labels: from the bounds of each count; areas under the ROC curve: DeLong's or Newcombe's, the wider where ranks "
    "are skewed; all others as the table of measures says. In the explorer a prevalence that is typed is taken as "
    "known, and then every interval is from the bounds of each count."
)


@section(of="Settings", order=100)
def methods(settings: Mapping[str, Any]) -> Section:
    software = ", ".join(f"{name} {version(name)}" for name in SOFTWARE)
    rows = {**settings, "software": f"Howsure {__version__}, Python {platform.python_version()}, {software}"}
    texts = [Paragraph(str(rows.pop("text")))] if "text" in rows else []
    intervals = Paragraph(str(rows.pop("intervals", INTERVALS)))
    table = Table(Sheet(("setting", "value"), [[name, str(value)] for name, value in rows.items()]))
    return Section("How were these numbers made?", [*texts, intervals, table], short="Methods")
