"""Write what is read off the registry of curves: docs/curves.md, and the methods of an assessment for editors.

Run by ``make docs/curves.md``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.assessment import curve_methods
from assay.curves import registry

HEAD = """# Curves

Written from the registry by `make docs/curves.md`; do not edit. Each curve is a method of an assessment with scores,
`a.roc()`; `a.curve("lift chart")` takes any name or alias, and `a.curves()` gives every curve that applies. With more
than two classes, `label=` says which one against the rest. Curves with a band take `band="pointwise"` or
`band="simultaneous"`. Costs given to `assess` set the options in the column "from costs".

A curve is columns first: `.frame()`, `.x`, `.y`, `.thresholds`, `.area`. `.plot(ax=None, **style)` draws it, with the
keywords of a Matplotlib line such as `color` and `label`; `.save(path)` writes .csv, .json or .parquet, or a picture as
.png, .svg or .pdf.

`a.lift()` and the measure `a["lift(depth=0.1)"]` are two things: the first is the lift chart, in counts; the second a
ratio, how many times more positives the first tenth of the cases has than a random tenth. `a.lift_ratio()` is the curve
of that ratio.

| curve | across | up | needs | band | options | from costs | aliases |
|---|---|---|---|---|---|---|---|
"""
STUB = '''\
"""The methods of an assessment for editors and type checkers; written by ``make docs/curves.md``, do not edit."""

# ruff: noqa: E501, PYI021 (a docstring is what editors show)
import inspect

from assay.curves import Curve, DeclaredCurve
from assay.data.encode import Label

def signature(declared: DeclaredCurve) -> inspect.Signature: ...

class CurveMethods:
'''
METHODS = Path(curve_methods.__file__).with_suffix(".pyi")


def page() -> str:
    rows = []
    for curve in registry.values():
        cells = [
            f"`{curve.name}`: {' '.join(curve.summary.replace('``', '`').split())}",
            curve.x_title,
            curve.y_title,
            curve.needs,
            "yes" if curve.band else "",
            ", ".join(f"`{name}`" for name in curve.options),
            ", ".join(f"`{name}`" for name in curve.from_costs),
            ", ".join(f"`{alias}`" for alias in curve.aliases),
        ]
        rows.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(rows)


def stub() -> str:
    methods = []
    for curve in registry.values():
        first, label, *options = map(_parameter, curve_methods.signature(curve).parameters.values())
        parameters = [first, label, *(["*", *options] if options else [])]
        lines = "".join(f"        {parameter},\n" for parameter in parameters)
        methods.append(f"    def {curve.name}(\n{lines}    ) -> Curve:\n{_docstring(curve.summary)}")
    return STUB + "\n".join(methods)


def _parameter(parameter: Any) -> str:
    if parameter.default is parameter.empty:
        return str(parameter.name)
    default = json.dumps(parameter.default) if isinstance(parameter.default, str) else repr(parameter.default)
    return f"{parameter.name}: {parameter.annotation} = {default}"


def _docstring(text: str) -> str:
    lines = f'"""{text}"""' if "\n" not in text else f'"""{text}\n"""'
    return "".join(f"        {line}\n" if line else "\n" for line in lines.split("\n"))


if __name__ == "__main__":
    Path(__file__).with_name("curves.md").write_text(page(), encoding="utf-8")
    METHODS.write_text(stub(), encoding="utf-8")
