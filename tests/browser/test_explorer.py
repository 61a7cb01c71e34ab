"""The threshold explorer, in a browser, gives what Python gives."""

from __future__ import annotations

import numpy as np
import pytest

import howsure
from howsure.assessment.explorer_data import explored_measures
from howsure.measures import registry
from howsure.tables import BinaryCounts, Confusion, LabelCounts

# Python and the script do the same arithmetic, in another order and with sums written to twelve digits.
RTOL = 1e-9
THRESHOLD, SECOND_THRESHOLD = (f'[data-slot="{slot}"] .threshold' for slot in (0, 1))
VALUES = """slot => [...document.querySelectorAll(`[data-measure][data-of="${slot}"]`)].map(
    e => [e.dataset.measure, e.dataset.value, e.dataset.low, e.dataset.high])"""
DATA = "JSON.parse(document.querySelector('.explorer-data').textContent)"
PLACE_IN = """figure => {
    const live = JSON.parse(figure.dataset.live), [left, top, width, height] = live.box;
    const [x, y] = figure.querySelector(".dot").getAttribute("transform").match(/[\\d.]+/g);
    const part = (share, [low, high]) => low + share * (high - low);
    return [part((x - left) / width, live.x), part(1 - (y - top) / height, live.y)]; }"""
FIGURE = """[...document.querySelectorAll("[data-live]")].find(e => e.dataset.live.includes(`"${kind}"`))"""
PLACE = f"kind => ({PLACE_IN})({FIGURE})"
LINES = f"""kind => [...{FIGURE}.querySelectorAll("[data-part] path")].map(e => e.getAttribute("d"))"""
STEP = """selector => { const field = document.querySelector(selector), times = [];
    for (let i = 1; i < 40; i++) {
        const start = performance.now();
        field.value = i / 40;
        field.dispatchEvent(new Event("input"));
        document.body.getBoundingClientRect();
        times.push(performance.now() - start); }
    return times; }"""
TYPE = """fields => { for (const [id, text] of fields) { const field = document.querySelector(id);
    if (text === null) field.click(); else { field.value = text; field.dispatchEvent(new Event("input")); } } }"""


def values(page, slot=0):
    rows = page.evaluate(VALUES, slot)
    return {name: tuple(float(cell) if cell else np.nan for cell in cells) for name, *cells in rows}


def expected(a, name, costs):
    estimate = a.estimate(name, **({"costs": costs} if "cost" in name else {}))
    return (np.nan,) * 3 if estimate.undefined else (estimate.value, *estimate.interval())


@pytest.mark.parametrize("name", ["assessment", "weighted"])
def test_random_settings_agree_with_python(look, library, name):
    """Fifty in all: thresholds on and between scores and beyond them, costs, and every other one a prevalence."""
    a, page = library.result(name), look(name)
    rng = np.random.default_rng(7)
    for setting in range(25):
        threshold = float(rng.choice([rng.uniform(-0.1, 1.1), rng.choice(a.scores.scores)]))
        miss, alarm = int(rng.integers(1, 9)), int(rng.integers(0, 9))
        costs = howsure.Costs(false_negative=miss, false_positive=alarm).matrix(a.labels, a.positive)
        fields = [(THRESHOLD, repr(threshold)), (".cost-fn", str(miss)), (".cost-fp", str(alarm))]
        percent = float(rng.uniform(0.5, 99)) if setting % 2 else None
        page.evaluate(TYPE, [*fields, (".prevalence" if percent else ".sample", percent and repr(percent))])
        moved = a.at(threshold) if percent is None else a.at(threshold).at_prevalence(percent / 100)
        shown = values(page)
        assert len(shown) >= 12
        for measure, numbers in shown.items():
            wanted = expected(moved, measure, costs)
            np.testing.assert_allclose(numbers, wanted, rtol=RTOL, atol=1e-12, err_msg=f"{measure} at {threshold}")
        table = moved.confusion.against("ill").counts
        cells = [page.inner_text(f'[data-count="{cell}"] b') for cell in ("tp", "fn", "fp", "tn")]
        np.testing.assert_allclose([float(cell) for cell in cells], table.ravel(), atol=0.051)
    assert page.complaints == []


def test_formulas_of_two_classes_are_those_of_the_measures():
    counts = np.random.default_rng(0).integers(1, 50, (20, 4)).astype(float)
    for tp, fp, fn, tn in counts:
        for measure in explored_measures():
            n = tp + fp + fn + tn
            value = eval(measure.formula, {"sqrt": np.sqrt}, {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "n": n})
            declared = registry[measure.name]
            table = LabelCounts.of(Confusion([[tp, fn], [fp, tn]]).counts)
            one = BinaryCounts(*map(np.asarray, (tp, fp, fn, tn)))
            assert value == pytest.approx(float(declared.value(one if declared.scope == "class" else table)), rel=1e-12)


def test_buttons_choose_what_python_chooses(look, library):
    """Of many thresholds too, of which the page keeps some: those that can be best are among them."""
    for name in ("assessment", "thinned"):
        a, page = library.result(name), look(name)
        page.evaluate(TYPE, [(".cost-fn", "5"), (".cost-fp", "2")])
        costs = howsure.Costs(false_negative=5, false_positive=2)
        choices = {
            "cost": a.best_threshold(costs=costs).threshold,
            "youden": a.best_threshold("youden").threshold,
            "f1": a.best_threshold("f1").threshold,
            "usual": 0.5,
        }
        for goal, threshold in choices.items():
            page.click(f'[data-goal="{goal}"]')
            assert values(page)["recall"][0] == pytest.approx(a.at(threshold)["recall"].value, rel=RTOL), goal
            assert values(page)["precision"][0] == pytest.approx(a.at(threshold)["precision"].value, rel=RTOL), goal
        page.click('[data-goal="specific"]')
        fpr, tpr = a.scores.rates
        assert values(page)["recall"][0] == pytest.approx(tpr[fpr <= 0.05 + 1e-9].max(), rel=RTOL)
        assert page.complaints == []


def test_thinned_thresholds_snap_visibly(look, library):
    a, page = library.result("thinned"), look("thinned")
    assert "thresholds are kept, including every optimal one." in page.inner_text(".controls")
    typed = float(np.sort(a.scores.scores)[-7]) + 1e-9  # between two scores, of which not all are kept
    page.fill(THRESHOLD, repr(typed))
    assert "the nearest threshold on this page" in page.inner_text(".snap")
    page.press(THRESHOLD, "Tab")
    snapped = float(page.input_value(THRESHOLD))
    assert snapped != typed
    kept = np.array(
        page.evaluate("JSON.parse(document.querySelector('.explorer-data').textContent).models[0].thresholds")
    )
    nearest = kept[np.abs(kept - typed).argmin()]
    assert values(page)["recall"][0] == pytest.approx(a.at(nearest)["recall"].value, rel=RTOL)
    page.focus(".slider")  # whose steps are smaller than those between thresholds, and yet it gets on
    before = float(page.input_value(THRESHOLD))
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    assert float(page.input_value(THRESHOLD)) < before


def test_dots_follow(look, library):
    a, page = library.result("assessment"), look("assessment")
    for threshold in (0.4, 0.7):
        page.fill(THRESHOLD, str(threshold))
        at = a.at(threshold)
        recall, precision, flagged = (at[name].value for name in ("recall", "precision", "predicted_prevalence"))
        wanted = {
            "roc": (at["false_positive_rate"].value, recall),
            "pr": (recall, precision),
            "gain": (flagged, recall),
            "lift": (flagged, precision / at["prevalence"].value),
            "cost": (threshold, at.estimate("total_cost", costs=[[0, 1], [1, 0]]).value),
        }
        for kind, point in wanted.items():
            np.testing.assert_allclose(page.evaluate(PLACE, kind), point, rtol=1e-9, err_msg=kind)


def test_a_step_takes_less_than_a_frame(look):
    """The fastest of many, since the machine may be busy with something else."""
    page = look("experiment")
    for field in (".slider", ".prevalence", ".cost-fn"):
        assert min(page.evaluate(STEP, field)[5:]) < 16, field


def test_pictures_follow_the_prevalence(look, library):
    """Every curve that depends on it, the lines of guessing, and the axis of the lift; not the ROC curve."""
    a, page = library.result("assessment"), look("assessment")
    kinds = ("roc", "pr", "gain", "lift", "cost")
    before = [page.evaluate(LINES, kind) for kind in kinds]
    page.fill(".prevalence", "2")
    after = [page.evaluate(LINES, kind) for kind in kinds]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, False, False, False]
    page.fill(THRESHOLD, "0.6")
    moved = a.at(0.6).at_prevalence(0.02)
    precision, recall, flagged = (moved[name].value for name in ("precision", "recall", "predicted_prevalence"))
    np.testing.assert_allclose(page.evaluate(PLACE, "pr"), (recall, precision), rtol=1e-9)
    (x, y), ticks = page.evaluate(PLACE, "lift"), page.locator('[data-live*="lift"] [data-part^="tick"]')
    drawn_top, top = page.evaluate(f"kind => JSON.parse({FIGURE}.dataset.live).y[1]", "lift"), ticks.last.text_content()
    np.testing.assert_allclose((x, y / drawn_top * float(top)), (flagged, precision / 0.02), rtol=1e-9)


def test_the_corner_of_a_nearly_perfect_curve(look, library):
    """Its dots are those of the ROC curve, enlarged; one that lies outside is not shown."""
    bayes, page = library.result("experiment").assess("bayes", "cancer"), look("experiment")
    names = page.locator('.chosen [data-slot="0"] option').all_text_contents()
    page.select_option('.chosen [data-slot="0"] select', str(names.index("bayes")))
    corner = page.locator(".chosen [data-live]").filter(has=page.get_by_role("heading", name="corner"))
    for threshold, inside in ((0.5, True), (0.0, False)):
        page.fill(f".chosen {THRESHOLD}", str(threshold))
        assert bool(corner.locator(".dot").first.get_attribute("d")) == inside
        if inside:
            at = bayes.at(threshold)
            wanted = at["false_positive_rate"].value, at["recall"].value
            np.testing.assert_allclose(corner.evaluate(PLACE_IN), wanted, rtol=1e-9)


def test_each_data_set_can_be_chosen(look, library):
    result, page = library.result("experiment"), look("experiment")
    second = result.datasets[1]
    page.select_option(".alternatives > label select", label=second)
    assert page.locator(".explorer >> visible=true").count() == 1
    learner = page.locator('.chosen [data-slot="0"] option').first.text_content()
    assessment = result.assess(learner, second)
    threshold = float(np.median(assessment.scores.scores))
    page.fill(f".chosen {THRESHOLD}", repr(threshold))
    cell = page.locator('.chosen [data-measure="mcc"]').first
    shown = [float(cell.get_attribute(f"data-{name}")) for name in ("value", "low", "high")]
    estimate = assessment.at(threshold)["mcc"]
    np.testing.assert_allclose(shown, (estimate.value, *estimate.interval()), rtol=RTOL)
    page.emulate_media(media="print")
    assert page.locator(".explorer >> visible=true").count() == 2
    assert page.complaints == []


def test_dragging_the_line_of_the_cost_chart(look):
    page = look("assessment")
    chart = page.locator("[data-live*='\"cost\"'] svg.chart")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    page.mouse.up()
    assert 0.1 < float(page.input_value(THRESHOLD)) < 0.35


def test_classifiers_side_by_side(look, library):
    c, page = library.result("30 classifiers"), look("30 classifiers")
    names = page.locator('[data-slot="0"] option').all_text_contents()
    assert names == list(c.ranking().names)
    page.select_option('[data-slot="1"] select', "17")
    threshold = page.evaluate(f"{DATA}.models[17].thresholds[40]")  # one that the page keeps
    page.fill(SECOND_THRESHOLD, repr(threshold))
    assert page.inner_text('.measures [data-name-of="1"]') == names[17]
    estimate = c.assessments[names[17]].at(threshold)["mcc"]
    np.testing.assert_allclose(values(page, 1)["mcc"], (estimate.value, *estimate.interval()), rtol=RTOL)
    estimate = c.assessments[names[0]]["mcc"]
    np.testing.assert_allclose(values(page, 0)["mcc"], (estimate.value, *estimate.interval()), rtol=RTOL)


def test_classes_against_the_rest(look, library):
    a, page = library.result("five classes"), look("five classes")
    labels = list(a.labels)
    page.select_option('[data-slot="0"] select', str(labels.index("")))
    page.fill(THRESHOLD, "0.3")
    estimate = a.against_rest("").at(0.3)["precision"]
    np.testing.assert_allclose(values(page)["precision"], (estimate.value, *estimate.interval()), rtol=RTOL)
    assert page.inner_text('[data-class="0"][data-of="0"] >> nth=0') == "(empty)"
