"""Pages of results in a browser: safe, readable for everyone, and whole without scripts."""

from __future__ import annotations

import json

import pytest

from browser.conftest import HOSTILE, RESULTS
from howsure.present.value_text import number


@pytest.mark.parametrize("name", RESULTS)
def test_nothing_is_asked_for_and_nothing_goes_wrong(look, library, name):
    page = look(name)
    for summary in page.locator("summary").all()[:3]:
        summary.click()
    page.wait_for_timeout(50)
    assert page.asked == [library.page(name).as_uri()]
    assert page.complaints == []
    assert page.evaluate("document.querySelectorAll('script[src], link, img, iframe, object').length") == 0


@pytest.mark.parametrize("name", RESULTS)
def test_a_phone_needs_no_scrolling_sideways(look, name):
    page = look(name)
    for width in (390, 1320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["assessment", "comparison", "experiment", "groups", "five classes"])
def test_axe_finds_no_violation(look, axe, name):
    """By any of its rules, neither light nor dark."""
    page = look(name, color_scheme="light")
    page.evaluate(axe)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        violations = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found["violations"]]
        assert violations == [], scheme


def test_names_are_shown_as_text(look):
    page = look("comparison")
    texts = page.inner_text("body")
    for name in HOSTILE[:4]:
        assert name in texts
    assert "{{ 7 * 7 }} $x_1$ \\u2028 \\x1b[1m" in texts
    assert not set(texts) & {"\x1b", "\u2028"}
    assert page.evaluate("document.querySelectorAll('bdi b, bdi script').length") == 0
    page.select_option('[data-slot="0"] select', "1")
    assert page.complaints == []


def test_names_from_right_to_left_leave_numbers_where_they_are(look):
    """In a sentence that starts with such a name, what follows stands to its right."""
    page = look("right to left")
    places = page.evaluate(
        """[...document.querySelectorAll(".verdict, .said, .notes li, .finding")].flatMap(
            text => [...text.querySelectorAll("bdi")].filter(name => name.nextSibling?.length > 1).map(name => {
                const after = document.createRange();
                after.setStart(name.nextSibling, 0);
                after.setEnd(name.nextSibling, 2);
                const [first] = after.getClientRects(), own = name.getClientRects();
                return first.left - own[own.length - 1].right; }))"""
    )
    assert len(places) >= 3
    assert all(abs(gap) < 8 for gap in places), places


def test_scripts_off(look, library):
    """The state at the start is there, right, and controls that would do nothing are said to."""
    a, page = library.result("assessment"), look("assessment", java_script_enabled=False)
    for name in ("recall", "mcc", "kappa", "predicted_prevalence"):
        cell = page.inner_text(f'[data-measure="{name}"]')
        assert cell == f"{number(a[name].value)} {a[name].interval()}"
    assert page.locator(".only-js >> visible=true").count() == 0
    assert "JavaScript is off" in page.inner_text(".controls")
    assert page.locator("svg .dot").count() == 5
    (tn, fp), (fn, tp) = a.confusion.reindex(["well", "ill"]).counts
    assert [page.inner_text(f'[data-count="{cell}"] b') for cell in ("tp", "fn", "fp", "tn")] == [
        *map(str, (tp, fn, fp, tn))
    ]


def test_the_script_starts_from_what_python_wrote(look, library):
    """With scripts the page shows what it shows without."""
    for name in ("weighted", "comparison", "experiment"):
        with_scripts, without = look(name), look(name, java_script_enabled=False)
        with_scripts.wait_for_timeout(200)
        pages = [page.locator("[data-measure], [data-count], .said") for page in (with_scripts, without)]
        texts = [[text.strip() for text in cells.all_text_contents()] for cells in pages]
        assert texts[0] == texts[1]
        assert len(texts[0]) > 12


def test_keyboard_alone(look):
    page = look("assessment")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"

    def tab_to(selector):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate(f"document.activeElement.matches({selector!r})"):
                return
        raise AssertionError(f"{selector} cannot be reached")

    tab_to("#theme")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.keyboard.press("Enter")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert page.get_attribute("#theme", "aria-pressed") == "true"
    tab_to(".threshold")
    page.keyboard.press("Control+A")
    page.keyboard.type("0.25")
    recall = page.inner_text('[data-measure="recall"]')
    tab_to(".slider")
    page.keyboard.press("ArrowRight")
    assert 0.25 < float(page.input_value(".threshold")) < 0.26
    for _ in range(4):
        page.keyboard.press("PageUp")
    assert page.inner_text('[data-measure="recall"]') != recall
    tab_to('[data-goal="f1"]')
    page.keyboard.press("Space")
    tab_to(".prevalence")
    page.keyboard.press("Control+A")
    page.keyboard.type("2")
    tab_to(".cost-fn")
    page.keyboard.press("ArrowUp")
    page.wait_for_timeout(250)
    assert "false negatives" in page.inner_text(".said")
    assert page.get_attribute(".said", "aria-live") == "polite"
    tab_to("summary")
    page.keyboard.press("Enter")
    assert page.locator("details[open]").count() == 1
    assert page.complaints == []


def test_what_a_screen_reader_is_told(look, library):
    a, page = library.result("assessment"), look("assessment")
    images = page.evaluate(
        """[...document.querySelectorAll("svg[role=img]")].map(svg => svg.getAttribute("aria-labelledby").split(" ")
            .map(id => document.getElementById(id).textContent).join(": "))"""
    )
    assert images[0] == f"ROC curve: AUC {number(a['auc'].value)} {a['auc'].interval()}."
    assert all(len(image.split(": ")[1]) > 10 for image in images)
    assert page.evaluate(
        "[...document.querySelectorAll('th')].every(th => ['col', 'row', 'rowgroup'].includes(th.scope))"
    )
    assert page.locator("h1").count() == 1


def test_pictures_can_be_saved(look):
    page = look("assessment")
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as download:
            page.click(f'[data-save="{kind}"] >> nth=0')
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        assert b"var(--" not in content
    assert page.complaints == []


def test_paper(look):
    """What cannot be used on paper is not printed."""
    page = look("assessment")
    page.emulate_media(media="print")
    for selector in ("nav", ".buttons", "#theme", ".slider"):
        assert not page.locator(selector).first.is_visible()
    assert page.locator("[data-measure]").first.is_visible()


def test_every_number_is_in_the_json(look, library):
    page = look("assessment")
    stored = json.loads(library.page("assessment").with_suffix(".json").read_text())
    (explorer,) = (part for one in stored["sections"] for part in one["parts"] if part["kind"] == "explorer")
    start = {one["measure"]: one for one in explorer["start"][0]["measures"]}
    shown = page.evaluate(
        "[...document.querySelectorAll('[data-measure]')].map(e => [e.dataset.measure, +e.dataset.value])"
    )
    for name, value in shown:
        assert start[name]["value"] == pytest.approx(value, rel=1e-12)
        assert start[name]["low"] <= value <= start[name]["high"]
