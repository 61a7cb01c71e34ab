"""The calculators of the documentation, in a browser, give what the library gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure
from howsure import intervals
from howsure.significance import mcnemar

DOCS = Path(__file__).parents[2] / "docs"
STATIC = DOCS / "_static"
RAW = re.compile(r"^:::\{raw\} html\n(.*?)^:::$", re.MULTILINE | re.DOTALL)
# Both sides are good to ten digits: the library by SciPy's incomplete beta function, the script by its own.
RTOL = 1e-9
PAGES = {"interval": 1, "mcnemar": 1, "sample-size": 2}  # and how many forms each has
METHODS = ("modified-wilson", "wilson", "clopper-pearson", "jeffreys", "agresti-coull", "mid-p", "wald")
TESTS = ("exact", "mid-p", "chi2", "chi2-corrected")
# What the theme of the site says where it is dark; the fallbacks of the style sheet are its light colours.
DARK = {
    "text-base": "#ced6dd",
    "text-muted": "#9ca4af",
    "border": "#48566b",
    "primary": "#3fb1c5",
    "background": "#14181e",
    "surface": "#29313d",
    "danger": "#e78894",
}
HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="{static}/calculators.css"><script src="{static}/calculators.js"></script>
<style>body {{ margin: 0; font: 16px/1.5 sans-serif;
color: var(--pst-color-text-base, #222832); background: var(--pst-color-background, #fff); }}</style></head>
<body><main><h1>{name}</h1>{forms}</main></body></html>"""
# Follow a link to each state of the page in turn; the script hears of it first. What every form then shows is given.
STATES = """async fragments => {
    const seen = [];
    for (const fragment of fragments) {
        if (location.hash.slice(1) !== fragment) await new Promise(done => {
            addEventListener("hashchange", done, { once: true });
            location.hash = fragment; });
        seen.push([...document.querySelectorAll("form")].map(form => ({
            answer: form.querySelector(".answer").innerText.split("\\n\\n"),
            values: JSON.parse(form.querySelector(".answer").dataset.values),
            marked: form.querySelector("tr.is-marked th")?.innerText,
            drawn: form.querySelectorAll("table, svg").length,
            invalid: [...form.querySelectorAll("[aria-invalid=true]")].map(field => field.name) }))); }
    return seen; }"""
CALL = "jobs => jobs.map(([name, given]) => calculators[name](...given))"
CONTRAST = """() => {
    const channels = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => channels(colour).slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = element => {
        for (; element; element = element.parentElement) {
            const colour = getComputedStyle(element).backgroundColor;
            if (channels(colour)[3] !== 0) return colour; }
        return "rgb(255, 255, 255)"; };
    const texts = [...document.querySelectorAll("form *")].filter(element => element.matches("input, select") ||
        [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
    return texts.filter(element => !element.matches("noscript")).map(element => {
        const style = getComputedStyle(element), ink = element.matches("text") ? style.fill : style.color;
        const [high, low] = [light(ink), light(behind(element))].sort((a, b) => b - a);
        return [element.tagName, element.textContent.trim().slice(0, 30), (high + 0.05) / (low + 0.05)]; }); }"""
DARKEN = """colours => { for (const [name, colour] of Object.entries(colours))
    document.documentElement.style.setProperty(`--pst-color-${name}`, colour); }"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The forms of each page, with nothing else of the site than the script and the style sheet."""
    folder = tmp_path_factory.mktemp("calculators")
    made = {}
    for name, count in PAGES.items():
        forms = RAW.findall((DOCS / "calculators" / f"{name}.md").read_text(encoding="utf-8"))
        assert len(forms) == count
        made[name] = folder / f"{name}.html"
        made[name].write_text(HTML.format(name=name, static=STATIC.as_uri(), forms="".join(forms)), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def window(browser: Any) -> Iterator[Any]:
    """One window as wide as a phone for all: to open another takes longer than most tests."""
    context = browser.new_context(viewport={"width": 360, "height": 800})
    page = context.new_page()
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.asked, page.complaints = [], []
    yield page
    context.close()


@pytest.fixture
def calculator(window: Any, files: dict[str, Path]) -> Iterator[Callable[..., Any]]:
    """Open a page anew, with a fragment; no test may end with a complaint of the browser."""

    def opened(name: str, fragment: str = "") -> Any:
        window.goto("about:blank")  # another fragment alone would not load the page
        window.asked, window.complaints = [], []
        window.goto(files[name].as_uri() + fragment)
        return window

    yield opened
    assert window.complaints == []


def called(page, jobs):
    return page.evaluate(CALL, [[name, list(given)] for name, given in jobs])


def states(page, *fields):
    """Each state of the fields, and what the forms then show."""
    return page.evaluate(STATES, ["&".join(f"{name}={text}" for name, text in one.items()) for one in fields])


def counts(n):
    few = {0, 1, 2, 3, 4, n // 1000, n // 10, n // 2, 3 * n // 4, n - 4, n - 3, n - 2, n - 1, n}
    return sorted(x for x in few if 0 <= x <= n)


@pytest.mark.parametrize(
    ("sizes", "asked"),
    [
        ((1, 2, 3, 10, 29, 100, 12345), [(0.95, "two-sided"), (0.5, "two-sided"), (0.9, "lower"), (0.99, "upper")]),
        ((10_000_000,), [(0.95, "two-sided"), (0.999999, "lower")]),
    ],
)
def test_intervals_of_a_proportion(calculator, sizes, asked):
    """Of all methods and sides, from one case to ten million, and of none and all of them."""
    pairs = [(x, n) for n in sizes for x in counts(n)]
    page = calculator("interval")
    for method, how in product(METHODS, asked):
        made = called(page, [("interval", (method, *pair, *how)) for pair in pairs])
        wanted = getattr(intervals, method.replace("-", "_"))(*np.transpose(pairs), *how)
        np.testing.assert_allclose(made, np.transpose(tuple(wanted)), rtol=RTOL, atol=0, err_msg=f"{method} {how}")


def test_tests_and_the_difference(calculator):
    discordant = [
        *product((0, 1, 2, 5, 12, 13), repeat=2),
        *((0, 25), (10, 30), (0, 1000), (0, 1100), (100, 140), (5000, 5200), (30_000, 10)),
        *((1_000_000, 1_003_000), (5_000_000, 5_000_000), (4_995_000, 5_005_000), (0, 10_000_000)),
    ]
    page = calculator("mcnemar")
    for counted, made in zip(discordant, called(page, [("mcnemar", pair) for pair in discordant]), strict=True):
        for method in TESTS:
            result = mcnemar(*counted, method)
            wanted = (result.statistic, result.pvalue)
            np.testing.assert_allclose(made[method], wanted, rtol=RTOL, err_msg=f"{counted} {method}")
    sizes = [(pair, n) for pair in discordant for n in (sum(pair), 3 * sum(pair) + 1, 20_000_000) if n]
    tables = [(*pair, n, confidence) for pair, n in sizes for confidence in (0.95, 0.99)]
    made = called(page, [("tango", table) for table in tables])
    # A bound near 0 is a difference of larger numbers.
    np.testing.assert_allclose(made, [tuple(intervals.tango(*table)) for table in tables], rtol=RTOL, atol=1e-14)


def test_cases_for_an_interval(calculator):
    plans = [(0.9, 0.03), (0.5, 0.05), (0.5, 0.002), (0.0, 0.05), (1.0, 0.01), (0.99, 0.01), (0.8, 0.4), (0.001, 5e-4)]
    grid = [(*plan, confidence) for plan in plans for confidence in (0.95, 0.8)]
    for given, made in zip(grid, called(calculator("sample-size"), [("planHalfWidth", g) for g in grid]), strict=True):
        plan = howsure.plan.half_width(*given[:2], confidence=given[2])
        assert made["n"] == plan.n, given
        np.testing.assert_allclose(made["halfWidth"], plan.half_width, rtol=RTOL, err_msg=str(given))
        if 0 < given[0] < 1:
            assert f"needs {made['textbook']} cases" in plan.notes[0]


def test_cases_for_mcnemar(calculator):
    """By exact power, also at levels that a p-value may just reach; for very many cases by the formula alone."""
    grid = [
        *((0.8, 0.02, 0.1, 0.05), (0.9, 0.02, 0.04, 0.05), (0.8, 0.1, 0.1, 0.05), (0.8, 0.5, 0.5, 0.05)),
        *((0.8, 0.05, 0.06, 0.25), (0.8, 0.05, 0.5, 0.01), (0.95, 0.3, 0.9, 0.001), (0.3, 0.05, 0.1, 0.0625)),
        *((0.8, 0.005, 0.03, 0.05), (0.8, 0.004, 0.5, 0.05)),
        *((0.6, 0.5, 0.99, 0.05), (0.6, 0.5, 0.97, 0.1)),  # where 16 cases have the power, and 21 have it not
    ]
    made = called(calculator("sample-size"), [("planMcnemar", given) for given in grid])
    for (power, difference, discordant, alpha), found in zip(grid, made, strict=True):
        plan = howsure.plan.mcnemar(power=power, difference=difference, discordant=discordant, alpha=alpha)
        assert f"gives {found['connor']} cases" in plan.notes[0]
        if plan.n * discordant > 18_000:
            assert found["n"] is None
            continue
        assert found["n"] == plan.n, plan
        np.testing.assert_allclose(found["power"], plan.power, rtol=RTOL, err_msg=str(plan))
    assert [found["n"] for found in made].count(None) == 1


def test_power_of_a_number_of_cases(calculator):
    grid = [(2, 0.5, 0.5, 0.05), (30, 0.2, 0.3, 0.05), (500, 0.02, 0.1, 0.05), (5000, 0.02, 0.1, 0.01)]
    made = called(calculator("sample-size"), [("mcnemarPower", given) for given in grid])
    wanted = [howsure.plan.mcnemar(n=n, difference=d, discordant=m, alpha=a).power for n, d, m, a in grid]
    np.testing.assert_allclose(made, wanted, rtol=RTOL)


def test_the_interval_page(calculator):
    page = calculator("interval")
    first, few, every, many = (
        state
        for (state,) in states(
            page,
            {},
            {"count": 0, "what": "wrong", "n": 20, "confidence": 90, "side": "upper"},
            {"count": 5, "what": "right", "n": 5, "side": "lower"},
            {"count": 7_500_000, "n": 10_000_000, "side": "two-sided", "confidence": 95},
        )
    )
    assert first["answer"] == ["75 of 100 right: 75.0 % [65.7, 82.5] (95 % Wilson)."]
    rows = first["values"]["rows"]
    assert [row["method"] for row in rows] == list(METHODS[1:])
    np.testing.assert_allclose([rows[0]["low"], rows[0]["high"]], tuple(intervals.wilson(75, 100)), rtol=RTOL)
    assert first["marked"] == "Wilson default"
    high = intervals.modified_wilson(0, 20, 0.9, "upper").high
    assert few["answer"] == [f"0 of 20 wrong: 0.0 %, at most {100 * high:.1f} % (90 % modified Wilson, one-sided)."]
    assert few["values"]["rows"][0]["high"] == pytest.approx(high, rel=RTOL)
    assert few["marked"] == "modified Wilson default"
    low = intervals.modified_wilson(5, 5, 0.9, "lower").low
    assert every["answer"] == [f"5 of 5 right: 100.0 %, at least {100 * low:.1f} % (90 % modified Wilson, one-sided)."]
    assert many["answer"] == ["7500000 of 10000000 right: 75.000 % [74.973, 75.027] (95 % Wilson)."]
    assert page.locator("svg .bar").count() == page.locator("tbody tr").count() == 6


def test_the_mcnemar_page(calculator):
    alone = {"both": "", "neither": ""}
    first, split, neither, few, many, none, huge = (
        state
        for (state,) in states(
            calculator("mcnemar"),
            {},
            {"first": 9, "second": 2, **alone},
            {"first": 20, "second": 26, "level": 1},
            {"first": 24, "second": 0},
            {"first": 25, "second": 0},
            {"first": 0, "second": 0},
            {"first": 0, "second": 10_000_000},
        )
    )
    assert first["answer"] == [
        "The first is better at the 5 % level: p = 0.00342 (mid-p).",
        "Of the 12 cases that only one classifies correctly, the first has 11.",
        "Difference in accuracy, first minus second: 20.0 points [7.8, 33.8] (95 % Tango, 50 cases).",
    ]
    ends = [first["values"][end] for end in ("low", "high")]
    np.testing.assert_allclose(ends, tuple(intervals.tango(1, 11, 50)), rtol=RTOL)
    assert first["marked"] == "mid-p default"
    assert split["answer"][2:] == ["The methods disagree at this level: choose one before you see the data."]
    assert neither["answer"] == [
        "Neither is shown to be better at the 1 % level: p = 0.376 (Chi-square).",
        "Of the 46 cases that only one classifies correctly, the second has 26. "
        "This does not show that they are equal.",
    ]
    for state, m in ((few, 24), (many, 25)):
        assert state["values"]["method"] == mcnemar(0, m).variant
    assert none["answer"] == ["Both classify the same cases correctly, so there is no difference to test (p = 1)."]
    assert huge["answer"][0] == "The second is better at the 1 % level: p < 2.3e-308 (Chi-square)."


def test_the_sample_size_page(calculator):
    (width, power), (_, many) = states(calculator("sample-size"), {}, {"difference": 0.5, "discordant": 40})
    assert width["answer"][0] == "385 cases"
    assert width["answer"][2] == "The textbook formula gives 385."
    assert power["answer"][0] == "1945 cases"
    assert power["answer"][2] == "The power is exact; Connor's normal formula (1987) gives 1960 cases."
    assert power["marked"] == "1945 planned"
    assert many["answer"][0] == "125580 cases, by Connor's normal formula (1987)"


BAD = {
    "interval": {
        "count": ["-1", "7.5", "101", "", "many", "1,000", "1e99", "0x10"],
        "n": ["0", "-3", "1.5", "", "NaN"],
        "confidence": ["100", "49", "", "-5", "95%"],
    },
    "mcnemar": {
        "first": ["-1", "0.5", "", "x"],
        "second": ["-1", "3e9"],
        "both": ["", "-1", "2.5"],
        "level": ["0", "51", ""],
    },
    "sample-size": {
        "accuracy": ["-1", "101", ""],
        "half": ["0", "50", "", "0.001"],
        "difference": ["0", "-1", "11", "", "0.0001"],
        "discordant": ["0", "100"],
        "power": ["5", "100", ""],
    },
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_sentence_and_no_number(calculator, name):
    page = calculator(name)
    good = page.eval_on_selector_all("input", "all => Object.fromEntries(all.map(field => [field.name, field.value]))")
    tried = [(field, text) for field, texts in BAD[name].items() for text in texts]
    visits = [{**good, **change} for field, text in tried for change in ({field: text}, {})]
    shown = states(page, *visits)
    for (field, text), refused, restored in zip(tried, shown[::2], shown[1::2], strict=True):
        (form,) = [form for form in refused if form["invalid"]]
        assert form["invalid"] == [field], text
        assert form["values"] is None
        assert form["drawn"] == 0
        (sentence,) = form["answer"]
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0
        assert not any(form["invalid"] for form in restored)
        assert all(form["drawn"] for form in restored)


@pytest.mark.parametrize("name", PAGES)
def test_keys_alone_and_a_link_to_the_result(calculator, name):
    """Every field is reached, what is typed shows after a moment, and stands in the address, which restores it."""
    page = calculator(name)
    fields = page.eval_on_selector_all("form :is(input, select)", "all => all.map(field => field.name)")
    reached = []
    for _ in fields:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.name"))
    assert reached == fields
    before = page.inner_text(".answer >> nth=0")
    page.locator("form input").first.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("17")
    page.wait_for_function("text => document.querySelector('.answer').innerText !== text", arg=before)
    page.keyboard.press("Enter")
    fragment = page.url[page.url.index("#") :]
    assert f"{fields[0]}=17&" in fragment
    shown = page.locator(".answer").all_inner_texts()
    again = calculator(name, fragment)
    assert again.locator(".answer").all_inner_texts() == shown
    assert again.input_value("input >> nth=0") == "17"


def test_a_fragment_of_a_heading_or_an_unknown_choice_changes_nothing(calculator):
    strange = [{"side": "sideways", "what": ""}, {"other": "3"}, {"%E0%A4%A": ""}]
    usual, *others = states(calculator("interval"), {}, *strange)
    assert others == [usual] * 3
    assert calculator("interval", "#formula").url.endswith("#formula")


@pytest.mark.parametrize("name", PAGES)
def test_nothing_else_is_asked_for_and_every_field_has_a_label(calculator, files, name):
    page = calculator(name)
    static = [f"{STATIC.as_uri()}/calculators.{kind}" for kind in ("css", "js")]
    assert sorted(page.asked) == sorted([files[name].as_uri(), *static])
    assert page.locator("[onclick], [oninput], [onchange], form script").count() == 0
    assert page.locator(".answer[aria-live=polite]").count() == PAGES[name]
    labels = page.eval_on_selector_all("input, select", "all => all.map(field => field.labels[0].innerText.trim())")
    assert all(labels)
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_needs_no_scrolling_and_texts_stand_out(calculator, name):
    """At a contrast of 4.5, with the colours of the theme, light and dark, also where input is refused."""
    page = calculator(name)
    field = page.get_attribute("input >> nth=0", "name")
    for scheme, text in product(("light", "dark"), ("42", "-1")):
        page.evaluate(DARKEN, DARK if scheme == "dark" else {})
        states(page, {field: text})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        texts = page.evaluate(CONTRAST)
        assert len(texts) > 10
        assert [text for text in texts if text[2] < 4.5] == []


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation(calculator, axe, name):
    page = calculator(name)
    page.evaluate(axe)
    for colours in ({}, DARK):
        page.evaluate(DARKEN, colours)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
        assert [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found["violations"]] == []


def test_the_script_is_small_and_alone():
    script = (STATIC / "calculators.js").read_text(encoding="utf-8")
    assert len(script.splitlines()) < 500
    assert not re.search(r"https?://(?!www\.w3\.org/)|\bimport\b|\beval\b|innerHTML|fetch\(", script)
    assert not re.search(r"url\(|@import", (STATIC / "calculators.css").read_text(encoding="utf-8"))
