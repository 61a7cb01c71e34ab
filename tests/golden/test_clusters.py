"""What others say of cases in clusters: survey, inspect_ai and published examples, to 1e-10."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr, stdtrit

import howsure
from howsure.intervals.proportion import score_bounds
from howsure.significance import clustered_mcnemar

FOLDER = Path(__file__).parent
CASES = pd.read_csv(FOLDER / "clusters.csv")
RTOL = 1e-10  # sums of some seventy numbers in another order


def rows(source):
    """Give the rows of cluster_values.csv, which cluster_values.R and cluster_values.py wrote."""
    lines = [line for line in (FOLDER / "cluster_values.csv").read_text().splitlines() if not line.startswith("#")]
    found = [row for row in csv.DictReader(lines) if row["source"].startswith(source)]
    assert found
    return found


@pytest.mark.parametrize("row", rows("survey"), ids=lambda row: f"{row['measure']}-{row['weight']}")
def test_standard_errors_are_those_of_survey(row):
    """By `svymean` and `svyratio`."""
    weight = None if row["weight"] == "none" else row["weight"]
    a = howsure.assess("truth", "predicted", data=CASES, cluster="patient", positive=1, weight=weight)
    assert a[row["measure"]].value == pytest.approx(float(row["value"]), rel=RTOL)
    assert a[row["measure"]].standard_error == pytest.approx(float(row["error"]), rel=RTOL)


def test_the_area_is_that_of_auc_cluster():
    (row,) = rows("auc.cluster.R")
    found = howsure.assess("truth", scores="score", data=CASES, cluster="patient", positive=1)["auc"]
    assert found.value == pytest.approx(float(row["value"]), rel=RTOL)
    assert found.standard_error == pytest.approx(float(row["error"]), rel=RTOL)


INSPECT_AI = [row for row in rows("inspect_ai") if not row["source"].endswith(("ci", "wilson"))]


@pytest.mark.parametrize("row", INSPECT_AI, ids=lambda row: row["measure"])
def test_standard_errors_are_those_of_inspect_ai(row):
    """A share of some cases is there the mean of these alone, so that only clusters that have any count."""
    of = {"accuracy": CASES.truth >= 0, "recall": CASES.truth == 1, "precision": CASES.predicted == 1}[row["measure"]]
    a = howsure.assess("truth", "predicted", data=CASES[of], cluster="patient", positive=1, labels=[0, 1])
    assert a[row["measure"]].value == pytest.approx(float(row["value"]), rel=RTOL)
    assert a[row["measure"]].standard_error == pytest.approx(float(row["error"]), rel=RTOL)


@pytest.mark.parametrize("row", INSPECT_AI, ids=lambda row: row["measure"])
def test_the_lab_makes_the_intervals_of_inspect_ai(row):
    """`ci` and `ci_wilson` of the same cases: what the lab measures beside the default is what they are."""
    value, error = float(row["value"]), float(row["error"])
    of = {"accuracy": CASES.truth >= 0, "recall": CASES.truth == 1, "precision": CASES.predicted == 1}[row["measure"]]
    n, reach = of.sum(), -stdtrit(CASES[of].patient.nunique() - 1, 0.025)
    effective = min(value * (1 - value) / error**2, n)
    made = {
        "ci": (value - reach * error, value + reach * error),
        "ci_wilson": score_bounds(np.asarray(value * effective), np.asarray(effective), ndtr(-reach)),
    }
    for name, ends in made.items():
        (there,) = (
            one for one in rows("inspect_ai") if one["source"].endswith(f" {name}") and one["measure"] == row["measure"]
        )
        assert tuple(map(float, ends)) == pytest.approx((float(there["value"]), float(there["error"])), rel=1e-9)


# Published examples: thyroids by PET and SPECT (Obuchowski 1998), and what psychiatric patients and their staff say
# (Petryshen 1989); counts by patient as clust.bin.pair 0.1.2 has them, of cases that only the one and only the other
# gets right, and of all cases.
THYROIDS = (
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0],
    [3, 3, 3, 1, 3, 4, 3, 2, 2, 1, 3, 2, 3, 2, 2, 3, 3, 3, 2, 1, 2],
)
PSYCHIATRY = (
    [0, 1, 1, 1, 0, 3, 3, 3, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0],
    [4, 2, 3, 2, 1, 3, 0, 2, 2, 4, 2, 4, 3, 2, 1, 3, 1, 2, 0, 0, 0, 2, 1, 2, 2, 0, 0, 1, 1],
    [7, 6, 7, 6, 4, 6, 5, 8, 4, 7, 3, 6, 7, 6, 5, 4, 6, 5, 4, 3, 5, 4, 4, 2, 3, 2, 2, 3, 1],
)


@pytest.mark.parametrize(
    ("counts", "method", "published", "exact"),
    [  # published in Durkalski, Palesch, Lipsitz and Rust 2003; exact by clust.bin.pair 0.1.2
        (THYROIDS, "obuchowski", 2.86, 2.857142857142857),
        (THYROIDS, "durkalski", 2.32, 2.315068493150685),
        (PSYCHIATRY, "obuchowski", 7.19, 7.185840707964601),
        (PSYCHIATRY, "durkalski", 7.542, 7.542266870476403),
    ],
)
def test_mcnemar_of_clusters_is_what_was_published(counts, method, published, exact):
    chi = clustered_mcnemar(*counts, method).statistic ** 2
    assert chi == pytest.approx(exact, rel=1e-12)
    assert round(chi, len(str(published).split(".")[1])) == published
