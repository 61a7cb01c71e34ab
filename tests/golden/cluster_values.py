"""Add to cluster_values.csv what inspect_ai says of clusters.csv. Run it in this folder, where inspect_ai is there."""

import csv
from importlib.metadata import version
from pathlib import Path

from inspect_ai.scorer import SampleScore, Score, ci, ci_wilson, stderr

cases = list(csv.DictReader(Path("clusters.csv").read_text().splitlines()))
chosen = {
    "accuracy": [(case, case["truth"] == case["predicted"]) for case in cases],
    "recall": [(case, case["predicted"] == "1") for case in cases if case["truth"] == "1"],
    "precision": [(case, case["truth"] == "1") for case in cases if case["predicted"] == "1"],
}
with Path("cluster_values.csv").open("a") as file:
    for measure, right in chosen.items():
        scores = [
            SampleScore(score=Score(value=float(one)), sample_id=place, sample_metadata={"patient": case["patient"]})
            for place, (case, one) in enumerate(right)
        ]
        mean = sum(one for _, one in right) / len(right)
        error = stderr(cluster="patient")(scores)
        print(f"inspect_ai {version('inspect_ai')},{measure},none,{mean:.17g},{error:.17g}", file=file)
        for name, made in {"ci": ci, "ci_wilson": ci_wilson}.items():
            ends = made(cluster="patient")(scores)
            print(
                f"inspect_ai {version('inspect_ai')} {name},{measure},none,{ends['lower']:.17g},{ends['upper']:.17g}",
                file=file,
            )
