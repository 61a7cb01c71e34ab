"""Weka's Experimenter on the small experiment of `benchmarks.fresh_experiment`, in turns with Howsure.

``python -m benchmarks.peers.weka_experiment FOLDER`` needs the folder of Weka's jars, and a Java compiler.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from benchmarks import fresh_experiment

ROUNDS = 5
DATA = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}


def write_arff(name: str, folder: Path) -> str:
    data = DATA[name]()
    lines = [f"@relation {name}", *(f"@attribute a{column} numeric" for column in range(data.data.shape[1]))]
    lines += [f"@attribute class {{{','.join(f'c{code}' for code in range(len(data.target_names)))}}}", "@data"]
    lines += [f"{','.join(map(repr, row))},c{code}" for row, code in zip(data.data.tolist(), data.target, strict=True)]
    path = folder / f"{name}.arff"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def main(jars: str) -> None:
    source = Path(__file__).with_name("WekaExperiment.java")
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([folder, *map(str, sorted(Path(jars).glob("*.jar")))])
        subprocess.run(["javac", "-cp", path, "-d", folder, str(source)], check=True)
        command = ["java", "-cp", path, source.stem, *(write_arff(name, Path(folder)) for name in DATA)]
        ours: list[float] = []
        weka: list[float] = []
        for _ in range(ROUNDS):
            ours.append(fresh_experiment.measured("small", 2)["whole"])
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            weka.append(time.perf_counter() - start)
    for name, times in (("howsure", ours), ("Weka", weka)):
        print(name, *(f"{seconds:.2f}" for seconds in sorted(times)))


if __name__ == "__main__":
    main(sys.argv[1])
