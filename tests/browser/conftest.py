"""A headless Chromium for the tests of pages, where there is one, and pages to look at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "\"quotes' & <b>tags</b>",
    "emoji 🙂 שלום عربي",
    "long " * 40,
    "",
    "{{ 7 * 7 }} $x_1$ \u2028 \x1b[1m",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium was found, so pages were not looked at; install one, or name it by CHROMIUM")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which npm installs: `.ci/run` does."""
    found = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
    if not found.exists():
        pytest.skip("axe-core is not installed, so accessibility was not checked; `npm install axe-core` installs it")
    return found.read_text(encoding="utf-8")


def cases(seed: int, n: int = 300, *, weighted: bool = False, digits: int = 3) -> dict[str, Any]:
    """Scores of two classes, of few digits with ties, as `assess` takes them."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    scores = np.clip(rng.normal(0.35 + 0.3 * truth, 0.2), 0, 1).round(digits)
    weight = {"weight": rng.uniform(0.2, 3, n)} if weighted else {}
    return {"truth": np.where(truth, "ill", "well"), "scores": scores, "positive": "ill", **weight}


def _compared(names: list[str], n: int = 200) -> howsure.Comparison:
    rng = np.random.default_rng(len(names))
    truth = rng.random(n) < 0.4
    scores = {name: np.clip(rng.normal(0.3 + 0.02 * i + 0.3 * truth, 0.25), 0, 1) for i, name in enumerate(names)}
    return howsure.compare(np.where(truth, HOSTILE[0], HOSTILE[2]), scores=scores, positive=HOSTILE[0])


def _experiment() -> howsure.ExperimentResult:
    from sklearn.datasets import load_breast_cancer
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    data = load_breast_cancer()
    learners = {"tree": DecisionTreeClassifier(max_depth=3, random_state=0), "bayes": GaussianNB()}
    few = data.data[:150, :3], np.where(data.target[:150], HOSTILE[1], HOSTILE[3])
    datasets = {"cancer": (data.data, data.target_names[data.target]), HOSTILE[2]: few}
    return howsure.Experiment(learners, datasets, howsure.KFold(5), seed=0).run(progress=False)


def _classes(k: int, *, scored: bool, names: Callable[[int], Any] = str) -> howsure.Assessment:
    rng = np.random.default_rng(k)
    truth = rng.integers(0, k, 20 * k + 20)
    labels = [names(index) for index in range(k)]
    named = np.array([*labels, None], dtype=object)[truth]
    if scored:
        scores = rng.dirichlet(np.ones(k), len(truth)) + np.eye(k)[truth]
        return howsure.assess(named, scores=scores / 2, labels=labels)
    guess = np.where(rng.random(len(truth)) < 0.7, truth, rng.integers(0, k, len(truth)))
    return howsure.assess(named, np.array([*labels, None], dtype=object)[guess])


def _groups() -> howsure.AssessmentGroups:
    given = cases(3, 400)
    sites = np.random.default_rng(0).choice([*HOSTILE[:5], "tiny"], 400, p=[0.2, 0.2, 0.2, 0.2, 0.19, 0.01])
    return howsure.assess(**given, by=sites)


RESULTS: dict[str, Callable[[], Any]] = {
    "assessment": lambda: howsure.assess(**cases(1)),
    "weighted": lambda: howsure.assess(**cases(2, weighted=True)),
    "thinned": lambda: howsure.assess(**cases(4, 5000, digits=9)),
    "labels": lambda: howsure.assess(["a", "b", "b", "a"] * 9, ["a", "b", "a", "a"] * 9),
    "comparison": lambda: _compared([name for name in HOSTILE if name]),
    "right to left": lambda: _compared(["שלום", "عربي", "left"], 60),
    "experiment": _experiment,
    "groups": _groups,
    "five classes": lambda: _classes(5, scored=True, names=lambda index: HOSTILE[index + 1]),
    "100 classes": lambda: _classes(100, scored=False),
    "one class": lambda: _classes(1, scored=False),
    "30 classifiers": lambda: _compared([f"classifier {index}" for index in range(30)]),
}


class Library:
    """Results and their pages, each made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results: dict[str, Any] = {}

    def result(self, name: str) -> Any:
        if name not in self.results:
            self.results[name] = RESULTS[name]()
        return self.results[name]

    def page(self, name: str) -> Path:
        path = self.folder / f"{name}.html"
        return path if path.exists() else self.result(name).report(path)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(tmp_path_factory.mktemp("pages"))


@pytest.fixture
def look(browser: Any, library: Library) -> Iterator[Callable[..., Any]]:
    """Open a page of the library; what it asks for, and what it complains of, is kept."""
    contexts = []

    def opened(name: str, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": 1320, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.asked, page.complaints = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (page.complaints.append(dialog.message), dialog.dismiss()))
        page.goto(library.page(name).as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
