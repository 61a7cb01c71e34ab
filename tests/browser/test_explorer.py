"""The threshold explorer, in a browser, gives what Python gives."""

from __future__ import annotations

import numpy as np
import pytest

import assay

# Python and the script do the same arithmetic, in another order and with sums written to twelve digits.
RTOL = 1e-9


def _cases(seed: int, n: int = 300, weighted: bool = False) -> dict:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    scores = np.clip(rng.normal(0.35 + 0.3 * truth, 0.2), 0, 1).round(3)
    weight = {"weight": rng.uniform(0.2, 3, n)} if weighted else {}
    return {"truth": np.where(truth, "ill", "well"), "scores": scores, "positive": "ill", **weight}


def _values(page, slot: int = 0) -> dict[str, tuple[float, float, float]]:
    rows = page.evaluate(
        """slot => [...document.querySelectorAll(`[data-measure][data-of="${slot}"]`)].map(
            e => [e.dataset.measure, e.dataset.value, e.dataset.low, e.dataset.high])""",
        slot,
    )
    return {name: tuple(float(cell) if cell else np.nan for cell in cells) for name, *cells in rows}


def _expected(a: assay.Assessment, name: str, costs: np.ndarray) -> tuple[float, float, float]:
    estimate = a.estimate(name, **({"costs": costs} if "cost" in name else {}))
    return (np.nan,) * 3 if estimate.undefined else (estimate.value, *estimate.interval())


@pytest.fixture
def opened(browser, tmp_path):
    pages = []

    def open_page(result):
        path = result.report(tmp_path / f"page{len(pages)}.html")
        page = browser.new_page()
        pages.append(page)
        page.goto(path.as_uri())
        return page

    yield open_page
    for page in pages:
        page.close()


@pytest.mark.parametrize("weighted", [False, True])
def test_fifty_random_settings_agree_with_python(opened, weighted):
    a = assay.assess(**_cases(1, weighted=weighted))
    page = opened(a)
    rng = np.random.default_rng(7)
    for setting in range(25):
        threshold = float(rng.choice([rng.uniform(-0.1, 1.1), rng.choice(a.scores.scores)]))
        miss, alarm = int(rng.integers(1, 9)), int(rng.integers(0, 9))
        costs = assay.Costs(false_negative=miss, false_positive=alarm).matrix(a.labels, a.positive)
        moved = a.at(threshold)
        page.fill("#threshold-0", repr(threshold))
        page.fill("#cost-fn", str(miss))
        page.fill("#cost-fp", str(alarm))
        if setting % 2:
            percent = float(rng.uniform(0.5, 99))
            moved = moved.at_prevalence(percent / 100)
            page.fill("#prevalence", repr(percent))
        else:
            page.click("#sample")
        values = _values(page)
        assert len(values) >= 12
        for name, shown in values.items():
            expected = _expected(moved, name, costs)
            np.testing.assert_allclose(shown, expected, rtol=RTOL, atol=1e-12, err_msg=f"{name} at {threshold}")
