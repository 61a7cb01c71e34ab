"""Write to agreement_values.csv what others say of agreement_ratings.json.

Run it in this folder, where krippendorff, statsmodels and scikit-learn are there, and once more where irrCAC is, which
needs an environment of its own (Python 3.11, NumPy 1.26, pandas 2.3): a run replaces the rows of the packages that it
finds. The column scheme says `level=` for Krippendorff's levels of measurement, whose ordinal distance comes from the
frequencies, and `weights=` for weights of agreement between categories, which do not depend on the data:

    identity    1 if k = l, else 0
    linear      1 - |k - l| / (max - min)
    quadratic   1 - (k - l)^2 / (max - min)^2
    ordinal     1 - M_kl / max M, where M_kl = C(|rank k - rank l| + 1, 2)
    ratio       1 - [(k - l) / (k + l)]^2 / [(max - min) / (max + min)]^2

These are Gwet's, and irrCAC 0.4.4 makes all five as he has them: `check_weights` looks. k and l are the labels if these
are numbers, else 1, 2, ...; irrCAC makes no ratio weights where a label is 0. It rounds to five digits unless told
otherwise, so it is told 16, which leaves an error of 1e-16. Of raw ratings it gives no standard error of percent
agreement (agreement_r_values.csv has it), and its class for tables of two raters divides variances by n where that for
raw ratings divides by n - 1: both are here. Where items have different numbers of ratings, its standard error of alpha
is not quite that of irrCAC 1.4 for R, by the author of the method, who corrected the formula after it was taken over.
"""

import csv
import json
from importlib.metadata import version
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np

SETS = json.loads(Path("agreement_ratings.json").read_text())["sets"]
WEIGHTS = ["identity", "linear", "quadratic", "ordinal", "ratio"]
DIGITS = 16


def scores(one):
    """Give the number of each category: the label itself, or its position if labels are no numbers."""
    numbers = all(isinstance(label, int) for label in one["labels"])
    return list(one["labels"]) if numbers else list(range(1, len(one["labels"]) + 1))


def matrix(one):
    """Give items by raters, as numbers with NaN; of counts, raters stand in no particular place."""
    at = dict(zip(one["labels"], scores(one), strict=True))
    given = one["ratings"]
    if one["form"] == "matrix":
        rows = [[np.nan if label is None else at[label] for label in row] for row in given]
    elif one["form"] == "counts":
        rows = [np.repeat(scores(one), row) for row in given]
    else:
        cells = product(scores(one), repeat=2)
        rows = [pair for pair, count in zip(cells, np.ravel(given), strict=True) for _ in range(count)]
    return np.array(rows, dtype=float)


def table(one):
    """Give the counts of two raters, or None where there are others, or gaps."""
    if one["form"] == "table":
        return np.array(one["ratings"])
    rows = matrix(one)
    if one["form"] == "counts" or rows.shape[1] != 2 or np.isnan(rows).any():
        return None
    return np.array([[((rows == (a, b)).all(axis=1)).sum() for b in scores(one)] for a in scores(one)])


def counts(one):
    return np.stack([(matrix(one) == score).sum(axis=1) for score in scores(one)], axis=1)


def weights_of(one):
    """Give the weights that make sense for its levels."""
    if "ordinal" not in one["levels"]:
        return WEIGHTS[:1]
    return WEIGHTS if 0 not in one["labels"] else WEIGHTS[:-1]


def by_krippendorff(one):
    import krippendorff

    for level in one["levels"]:
        value = krippendorff.alpha(matrix(one).T, level_of_measurement=level, value_domain=[*map(float, scores(one))])
        yield "krippendorff", f"level={level}", "krippendorff_alpha", "value", value


def by_statsmodels(one):
    from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

    if table(one) is not None:
        for weights in weights_of(one)[:3]:
            found = cohens_kappa(table(one), wt=None if weights == "identity" else weights)
            yield "statsmodels", f"weights={weights}", "cohen_kappa", "value", found.kappa
            yield "statsmodels", f"weights={weights}", "cohen_kappa", "standard_error", found.std_kappa
    if not np.isnan(matrix(one)).any():  # with gaps it stops
        for coefficient, method in {"fleiss_kappa": "fleiss", "brennan_prediger": "uniform"}.items():
            yield "statsmodels", "weights=identity", coefficient, "value", fleiss_kappa(counts(one), method=method)


def by_sklearn(one):
    from sklearn.metrics import cohen_kappa_score

    if table(one) is not None:
        for weights in weights_of(one)[:3]:
            told = None if weights == "identity" else weights
            value = cohen_kappa_score(*matrix(one).T, labels=scores(one), weights=told)
            yield "scikit-learn", f"weights={weights}", "cohen_kappa", "value", value


def check_weights(made, labels, weights):
    """See that irrCAC's weights are Gwet's."""
    k, q = np.array(labels, dtype=float), len(labels)
    apart = np.abs(np.subtract.outer(k, k))
    ranks = np.abs(np.subtract.outer(np.arange(q), np.arange(q)))
    expected = {
        "identity": lambda: np.eye(q),
        "linear": lambda: 1 - apart / np.ptp(k),
        "quadratic": lambda: 1 - apart**2 / np.ptp(k) ** 2,
        "ordinal": lambda: 1 - ranks * (ranks + 1) / (q * (q - 1)),
        "ratio": lambda: 1 - (apart / np.add.outer(k, k)) ** 2 / (np.ptp(k) / (k.max() + k.min())) ** 2,
    }[weights]()
    assert np.allclose(made, expected, rtol=0, atol=1e-15), (labels, weights)


def by_irrcac(one):
    import pandas as pd
    from irrCAC import raw as of_ratings
    from irrCAC import table as of_tables

    for weights in weights_of(one):
        scheme, ac = f"weights={weights}", "gwet_ac1" if weights == "identity" else "gwet_ac2"
        raw = of_ratings.CAC(pd.DataFrame(matrix(one)), weights, categories=[*map(float, scores(one))], digits=DIGITS)
        check_weights(raw.weights_mat, scores(one), weights)
        methods = {
            ac: raw.gwet,
            "fleiss_kappa": raw.fleiss,
            "conger_kappa": raw.conger,
            "brennan_prediger": raw.bp,
            "krippendorff_alpha": raw.krippendorff,
        }
        if one["form"] == "counts":
            del methods["conger_kappa"]  # which asks who rated what
        yield "irrCAC raw", scheme, "percent_agreement", "value", raw.gwet()["est"]["pa"]
        for coefficient, method in methods.items():
            yield "irrCAC raw", scheme, coefficient, "value", method()["est"]["coefficient_value"]
            yield "irrCAC raw", scheme, coefficient, "standard_error", method()["est"]["se"]
        if table(one) is None:
            continue
        two = of_tables.CAC(pd.DataFrame(table(one)), weights, digits=DIGITS)
        if min(scores(one)) == 1:  # it takes 1, 2, ... whatever the labels are
            check_weights(two.weights_mat, scores(one), weights)
        methods = {
            "percent_agreement": two.pa2,
            "cohen_kappa": two.cohen,
            "scott_pi": two.scott,
            ac: two.gwet,
            "brennan_prediger": two.bp,
            "krippendorff_alpha": two.krippendorff,
        }
        for coefficient, method in methods.items():
            yield "irrCAC table", scheme, coefficient, "value", method()["est"]["coefficient_value"]
            yield "irrCAC table", scheme, coefficient, "standard_error", method()["est"]["se"]


PEERS = {
    "krippendorff": ("krippendorff", by_krippendorff),
    "statsmodels": ("statsmodels", by_statsmodels),
    "scikit-learn": ("sklearn", by_sklearn),
    "irrCAC": ("irrCAC", by_irrcac),
}
COLUMNS = ["dataset", "scheme", "coefficient", "statistic", "value", "tool", "version"]
ABOUT = "# do not edit: made by agreement_values.py"


def main():
    file = Path("agreement_values.csv")
    lines = [line for line in file.read_text().splitlines() if line != ABOUT] if file.exists() else []
    rows = list(csv.DictReader(lines))
    for package, (module, peer) in PEERS.items():
        if find_spec(module) is None:
            continue
        rows = [row for row in rows if row["tool"].split()[0] != package]
        for one in SETS:
            for tool, scheme, coefficient, statistic, value in peer(one):
                value = repr(float(np.squeeze(value)))
                row = [one["name"], scheme, coefficient, statistic, value, tool, version(package)]
                rows.append(dict(zip(COLUMNS, row, strict=True)))
    names, tools = [one["name"] for one in SETS], [*PEERS]
    rows.sort(key=lambda row: (names.index(row["dataset"]), tools.index(row["tool"].split()[0])))
    with file.open("w", newline="") as out:
        print(ABOUT, file=out)
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
