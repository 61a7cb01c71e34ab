"""`assay demo`: the main job on data that come with scikit-learn, and files to look at."""

from __future__ import annotations

import csv
import io
import os

import click

CURVES = ("precision_recall", "lift", "gain", "calibration", "densities", "cost_curve", "decision_curve")
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Assay: a first look</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; margin: 1rem 0; }}
caption {{ text-align: left; font-weight: 600; padding: .3rem 0; }}
img {{ max-width: 30rem; background: #fff; }}
th, td {{ padding: .2rem .8rem; border-bottom: 1px solid #8884; }}
</style>
</head>
<body>
<h1>How good is it, and how sure are we?</h1>
<p>Tumours of the breast cancer data of scikit-learn, each predicted by a logistic regression that had not seen it
(10-fold cross-validation).</p>
{body}
</body>
</html>
"""


@click.command()
@click.option("--folder", default="assay-demo", show_default=True, help="Where to put the files.")
def demo(folder: str) -> None:
    """Predict a data set of scikit-learn, assess the predictions from a file, and leave the files to look at."""
    from assay.assessment import assess
    from assay.output import write_whole

    predictions = os.path.join(folder, "predictions.csv")
    write_whole(predictions, _predict())
    result = assess("truth", scores="probability", data=predictions, positive="malignant")
    drawn = (result.roc(band="pointwise"), *(result.curves()[name] for name in CURVES))
    pictures = "".join(curve._repr_html_() for curve in drawn)
    write_whole(os.path.join(folder, "assessment.html"), PAGE.format(body=result._repr_html_() + pictures))
    write_whole(os.path.join(folder, "assessment.csv"), result.records_sheet().csv() + "\n")
    click.echo(str(result))
    click.echo(f"\nIn {folder}: predictions.csv, assessment.csv, assessment.html. Try:", err=True)
    click.echo(
        f"  .venv/bin/assay assess {predictions} --truth truth --score probability --positive malignant --per-class",
        err=True,
    )


def _predict() -> str:
    """Give the out-of-fold predictions of the breast cancer data as CSV."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    cancer = load_breast_cancer()
    names = cancer.target_names[cancer.target]
    rows: list[tuple[int, int, str, float]] = []
    splits = StratifiedKFold(10, shuffle=True, random_state=0).split(cancer.data, names)
    for fold, (train, test) in enumerate(splits, start=1):
        model = make_pipeline(StandardScaler(), LogisticRegression()).fit(cancer.data[train], names[train])
        malignant = model.predict_proba(cancer.data[test])[:, list(model.classes_).index("malignant")]
        rows += zip(test.tolist(), [fold] * len(test), names[test].tolist(), malignant.tolist(), strict=True)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["case", "fold", "truth", "probability"])
    writer.writerows(sorted(rows))
    return out.getvalue()
