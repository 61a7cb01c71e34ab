"""Reports of peers on the same data.

``python -m benchmarks.peer_reports skore=ENV/bin/python evidently=ENV/bin/python`` runs them.

Each peer is run by the interpreter of its environment, in turns with Howsure, with one classifier, and with two if it
compares classifiers. Then every page is opened in Chromium and checked by axe-core (from npm).
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROUNDS = 3
AXE = Path("node_modules/axe-core/axe.min.js")
INTERVAL = re.compile(r"\[\s*-?\d[\d.e+-]*\s*(?:,|;|to)\s*-?\d[\d.e+-]*\s*\]|±")


def models() -> tuple[Any, Any, dict[str, Any]]:
    """Return the features and classes of a test set, and two models fitted to the other half of the data."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    data = load_breast_cancer(as_frame=True)
    train, test, y_train, y_test = train_test_split(
        data.data, 1 - data.target, test_size=0.5, random_state=0, stratify=data.target
    )
    learners = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    return test, y_test, {name: learner.fit(train, y_train) for name, learner in learners.items()}


def howsure_page(path: str, fitted: dict[str, Any], X: Any, y: Any) -> None:
    import howsure

    if len(fitted) > 1:
        howsure.compare(fitted, X, y).report(path)
    else:
        howsure.assess(next(iter(fitted.values())), X, y).report(path)


def skore_page(path: str, fitted: dict[str, Any], X: Any, y: Any) -> None:
    from skore import ComparisonReport, EstimatorReport

    reports = {name: EstimatorReport(model, X_test=X, y_test=y, pos_label=1) for name, model in fitted.items()}
    report = ComparisonReport(reports) if len(fitted) > 1 else next(iter(reports.values()))
    Path(path).write_text(f'<!DOCTYPE html><meta charset="utf-8">{report._repr_html_()}', encoding="utf-8")


def evidently_page(path: str, fitted: dict[str, Any], X: Any, y: Any) -> None:
    import pandas as pd
    from evidently import BinaryClassification, DataDefinition, Dataset, Report
    from evidently.presets import ClassificationPreset

    (model,) = fitted.values()
    frame = pd.DataFrame({"truth": y.to_numpy(), "score": model.predict_proba(X)[:, 1]})
    roles = BinaryClassification(target="truth", prediction_probas="score", pos_label=1)
    data = Dataset.from_pandas(frame, data_definition=DataDefinition(classification=[roles]))
    Report([ClassificationPreset()]).run(data).save_html(path)


MAKERS: dict[str, tuple[Callable[..., None], int]] = {
    "howsure": (howsure_page, 2),
    "skore": (skore_page, 2),
    "evidently": (evidently_page, 1),
}


def make(name: str, classifiers: int, path: str) -> None:
    """Write a page twice, and print the times; the first includes all imports."""
    from importlib.metadata import version

    X, y, fitted = models()
    chosen = dict(list(fitted.items())[:classifiers])
    seconds = []
    for attempt in range(2):
        target = path if attempt else f"{path}.first.html"
        start = time.perf_counter()
        MAKERS[name][0](target, chosen, X, y)
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"version": version(name), "first": seconds[0], "again": seconds[1]}))


def look(browser: Any, page_path: Path) -> dict[str, Any]:
    """Open a page; return its size, loading time, network requests, intervals and accessibility violations."""
    context = browser.new_context(viewport={"width": 1320, "height": 900})
    page = context.new_page()
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    start = time.perf_counter()
    page.goto(page_path.as_uri(), wait_until="load")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    ready = time.perf_counter() - start
    page.wait_for_timeout(1500)
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    everything = page.evaluate("document.body.innerText")
    page.add_script_tag(content=AXE.read_text(encoding="utf-8")) if AXE.exists() else None
    violations = page.evaluate("axe.run().then(r => r.violations.map(v => v.nodes.length))") if AXE.exists() else []
    context.close()
    outside = [url for url in urls if not url.startswith(("file:", "data:", "blob:"))]
    return {
        "kilobytes": page_path.stat().st_size / 1000,
        "ready": ready,
        "requests": len(outside),
        "intervals": len(INTERVAL.findall(everything)),
        "axe rules": len(violations),
        "axe places": sum(violations),
    }


def main(interpreters: dict[str, str]) -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import ARGUMENTS

    jobs = [(name, k) for k in (1, 2) for name in ("howsure", *interpreters) if k <= MAKERS[name][1]]
    pages: dict[tuple[str, int], list[dict[str, Any]]] = {job: [] for job in jobs}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        for attempt in range(ROUNDS):
            for name, k in jobs:
                page = Path(folder, f"{name}-{k}-{attempt}.html")
                command = [interpreters.get(name, sys.executable), __file__, "--make", name, str(k), str(page)]
                done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
                pages[name, k].append({**json.loads(done.stdout.splitlines()[-1]), **look(browser, page)})
        browser.close()
    print("| page | classifiers | KB | made s (first, then) | ready s | requests | intervals | axe rules (places) |")
    print("|---|---|---|---|---|---|---|---|")
    for (name, k), rounds in pages.items():
        middle = {key: statistics.median(r[key] for r in rounds) for key in ("kilobytes", "first", "again", "ready")}
        last = rounds[-1]
        seconds = f"{middle['first']:.1f}, {middle['again']:.1f}"
        violations = f"{last['axe rules']} ({last['axe places']})"
        cells = [f"{name} {last['version']}", k, f"{middle['kilobytes']:.0f}", seconds, f"{middle['ready']:.2f}"]
        print(f"| {' | '.join(map(str, [*cells, last['requests'], last['intervals'], violations]))} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        main(dict(argument.split("=", 1) for argument in sys.argv[1:]))
