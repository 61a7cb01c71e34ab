"""Write ppi_values.csv: prediction-powered means by ppi-python, on data that anyone can draw again.

Run in an environment with ppi-python, as `python tests/golden/ppi_values.py`. It is not run by the tests, which draw
the same data by `cases` and compare.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_suffix(".csv")
SIZES = ((20, 100), (100, 5000), (500, 2000), (50, 50))


def cases():
    """Give values, the judge's of the same cases and of others: labels of 0 and 1, then real numbers."""
    for number, (n, others) in enumerate(SIZES):
        for kind in ("labels", "numbers", "useless"):
            rng = np.random.default_rng([number, len(kind)])
            truth = rng.random(n + others) < 0.3 if kind == "labels" else rng.normal(5, 2, n + others)
            if kind == "labels":
                judged = np.where(rng.random(n + others) < 0.85, truth, ~truth)
            elif kind == "numbers":
                judged = 0.7 * truth + rng.normal(1, 1, n + others)
            else:
                judged = -truth + rng.normal(0, 1, n + others)
            truth, judged = truth.astype(float), judged.astype(float)
            yield f"{kind}-{n}-{others}", truth[:n], judged[:n], judged[n:]


if __name__ == "__main__":
    from importlib.metadata import version

    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    origin = f"ppi-python {version('ppi-python')}, numpy {version('numpy')}"
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "value", "low", "high", "origin"])
        for name, values, judged, others in cases():
            value = np.ravel(ppi_mean_pointestimate(values, judged, others))[0]
            low, high = (np.ravel(end)[0] for end in ppi_mean_ci(values, judged, others, alpha=0.05))
            writer.writerow([name, *(repr(float(number)) for number in (value, low, high)), origin])
