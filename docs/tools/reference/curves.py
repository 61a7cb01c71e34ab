"""Pages of curves, each with its picture."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from docs.tools.reference import Content, disagreements, example, toctree
from howsure.curves import DeclaredCurve, registry

HEAD = """# Curves

Each curve is a method of an assessment with scores, such as `a.roc()`. `a.curve("lift chart")` accepts any name or
alias, and `a.curves()` returns all applicable curves. With more than two classes, `label=` selects the class that is
compared with the rest. Curves with a band accept `band="pointwise"` or `band="simultaneous"`. If you pass costs to
`assess`, they set the options listed as "set by costs" on the page of a curve.

The values of a curve are in `.frame()`, `.x`, `.y`, `.thresholds` and `.area`. `.plot(ax=None, **style)` draws it, with
keywords of a Matplotlib line such as `color` and `label`; `.save(path)` writes .csv, .json or .parquet, or a picture as
.png, .svg or .pdf.

`a.lift()` and the measure `a["lift(depth=0.1)"]` are different. The first is the lift chart, in counts. The second is a
ratio: how many times more positives the first tenth of the cases has than a random tenth. `a.lift_ratio()` is the curve
of that ratio.

| curve | x axis | y axis | needs | band | aliases |
|---|---|---|---|---|---|
"""
DATA = """\
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import scale
import howsure

cancer = load_breast_cancer()
X, y = scale(cancer.data[:, :3]), cancer.target_names[cancer.target]
p = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]  # of "malignant"
a = howsure.assess(y, scores=p, positive="malignant")
"""


def pages() -> Iterator[tuple[str, Content]]:
    yield "curves/index.md", index()
    for curve in registry.values():
        yield f"curves/{curve.name}.md", page(curve)
        yield f"../made/reference/curve-{curve.name}.svg", picture(curve)


def index() -> str:
    first = example.shown(f"{example.SCORES}print(a.roc())\n")
    return f"{HEAD}{''.join(map(row, registry.values()))}\n## Example\n\n{first}\n{toctree(registry)}"


def row(curve: DeclaredCurve) -> str:
    cells = [
        f"[`{curve.name}`]({curve.name}.md): {first_line(curve)}",
        curve.x_title,
        curve.y_title,
        curve.needs,
        "yes" if curve.band else "",
        ", ".join(f"`{alias}`" for alias in curve.aliases),
    ]
    return f"| {' | '.join(cells)} |\n"


def first_line(curve: DeclaredCurve) -> str:
    return " ".join(curve.summary.partition("\n\n")[0].replace("``", "`").split())


def page(curve: DeclaredCurve) -> str:
    facts = {
        "x axis": curve.x_title,
        "y axis": curve.y_title,
        "Needs": curve.needs,
        "Options": ", ".join(f"`{option}`" for option in curve.options.values()) or "–",
        "Set by costs": ", ".join(f"`{name}`" for name in curve.from_costs) or "–",
        "Band": '`band="pointwise"`, `band="simultaneous"`' if curve.band else "none",
        "Aliases": ", ".join(f"`{alias}`" for alias in curve.aliases) or "–",
    }
    text = f"# {curve.name}\n\n{curve.summary.partition('Examples')[0].replace('``', '`').strip()}\n\n"
    text += "| property | value |\n|---|---|\n" + "".join(f"| {name} | {fact} |\n" for name, fact in facts.items())
    drawn = f"![{curve.title}: {curve.y_title} against {curve.x_title}](../../made/reference/curve-{curve.name}.svg)\n"
    code = f"{DATA}curve = a.{curve.name}()\ncurve.plot()\nprint(curve)\n"
    text += f"\n## Example\n\n{example.shown(code)}\n{drawn}"
    return text + disagreements.section((curve.name, *curve.aliases), curve.title)


def picture(curve: DeclaredCurve) -> bytes:
    """Draw the curve of the example."""
    from matplotlib import pyplot as plt
    from matplotlib import rc_context

    space: dict[str, object] = {}
    exec(DATA, space)
    file = BytesIO()
    with rc_context({"svg.hashsalt": curve.name}):
        ax = getattr(space["a"], curve.name)().plot()
        ax.figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
        plt.close(ax.figure)
    return file.getvalue()
