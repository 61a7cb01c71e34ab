"""The site that `make docs` built: nothing is fetched, search works as local files, and everybody can use it."""

from __future__ import annotations

from pathlib import Path

import pytest

SITE = Path(__file__).parents[2] / "docs" / "_build" / "html"
KINDS = {
    "first": "index",
    "guide": "guide/two-classifiers",
    "reference": "reference/measures/recall",
    "functions": "reference/api/howsure.intervals",
    "gallery": "gallery/1_assess/plot_roc_band",
    "calculator": "calculators/interval",
    "terms": "reference/terms",
}

pytestmark = pytest.mark.skipif(not SITE.exists(), reason="the site was not built; `make docs` builds it")


@pytest.fixture
def visit(browser):
    """Open a page of the site, and see to it that nothing outside of it is asked for and nothing fails."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, asked, failed = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))

    def open_page(name):
        page.goto((SITE / f"{name}.html").as_uri())
        return page

    yield open_page
    assert failed == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(visit, axe, kind, scheme):
    page = visit(KINDS[kind])
    page.evaluate(f"document.documentElement.dataset.theme = document.documentElement.dataset.mode = '{scheme}'")
    page.wait_for_timeout(300)  # colours change by and by
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
    assert [(one["id"], one["nodes"][0]["html"][:200], len(one["nodes"])) for one in found["violations"]] == []


@pytest.mark.parametrize(("word", "expected"), [("Newman-Keuls", "many-classifiers"), ("lift chart", "roc-and-lift")])
def test_search_works_without_a_network(visit, word, expected):
    page = visit("search")
    page.goto(f"{(SITE / 'search.html').as_uri()}?q={word}")
    page.wait_for_selector("#search-results li a", timeout=10_000)
    page.wait_for_timeout(1_000)
    assert expected in " ".join(page.eval_on_selector_all("#search-results li a", "all => all.map(a => a.href)"))


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_is_wider_than_a_phone(visit, kind):
    page = visit(KINDS[kind])
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_programs_find_every_page(visit):
    listed = (SITE / "llms.txt").read_text(encoding="utf-8")
    for page in SITE.rglob("*.html"):
        name = page.relative_to(SITE).with_suffix(".md").as_posix()
        if page.stem not in ("search", "genindex") and "_static" not in name:
            assert f"({name})" in listed
            assert len((SITE / name).read_text(encoding="utf-8")) > 100
