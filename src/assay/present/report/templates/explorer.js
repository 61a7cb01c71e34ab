// The threshold explorer. It computes what Python computes, by the same formulas and interval methods, from counts.
(() => {
"use strict";
const data = JSON.parse(document.getElementById("explorer-data").textContent), { models, z } = data, z2 = z * z;
const root = document.getElementById("explorer-controls");
const find = (selector, within = root) => within.querySelector(selector);
const all = (selector, within = root) => [...within.querySelectorAll(selector)];
const put = (element, attributes) => { for (const name in attributes) element.setAttribute(name, attributes[name]); };
const sum = values => values.reduce((a, b) => a + b);
const clip = (v, low, high) => Math.min(Math.max(v, low), high);

// Numbers with their derivatives by tp, fp, fn and tn: [value, d/dtp, d/dfp, d/dfn, d/dtn].
const constant = v => [v, 0, 0, 0, 0];
const add = (a, b) => a.map((x, i) => x + b[i]);
const sub = (a, b) => a.map((x, i) => x - b[i]);
const mul = (a, b) => a.map((x, i) => i ? x * b[0] + a[0] * b[i] : x * b[0]);
const div = (a, b) => a.map((x, i) => b[0] === 0 ? NaN : i ? (x * b[0] - a[0] * b[i]) / (b[0] * b[0]) : x / b[0]);
const sqrt = a => { const r = Math.sqrt(a[0]); return a.map((x, i) => i ? x / (2 * r) : r); };
const formulas = {
/*FORMULAS*/
};
const variables = c => { const v = c.map((x, i) => [x, ...c.map((_, k) => +(k === i))]); return [...v, v.reduce(add)]; };

// The classifier of each slot, the threshold of each classifier, the prevalence (null: the sample's), and costs.
const state = { slots: all("[data-slot]").map((_, i) => i), at: models.map(m => m.start), share: data.share, costs: [...data.costs], moved: data.share !== null };

// The row of a threshold: how many of those kept lie at or above it.
function row(m, t) {
  if (m.single) t = Math.fround(t);
  let low = 0, high = m.thresholds.length;
  while (low < high) { const middle = (low + high) >> 1; if (m.thresholds[middle] >= t) low = middle + 1; else high = middle; }
  return low;
}
const threshold = (m, i) => i ? m.thresholds[i - 1] : Infinity;
function snapped(m, t) { // where thresholds were left out, to the nearest that is kept
  if (!m.thinned || !isFinite(t)) return t;
  const i = row(m, t), above = threshold(m, i), below = m.thresholds[i] ?? above;
  return above - t <= t - below ? above : below;
}

// Counts [tp, fp, fn, tn] at a row, and their variances, in the shares asked for.
function counts(m, i) {
  const end = m.tp.length - 1, P = m.tp[end], N = m.fp[end], n = P + N, fixed = state.share !== null;
  const cells = (p, f) => [p[i], f[i], p[end] - p[i], f[end] - f[i]].map(x => Math.abs(x) < 1e-12 * n ? 0 : x);
  let c = cells(m.tp, m.fp), v = m.tp2 ? cells(m.tp2, m.fp2) : c;
  if (fixed) {
    const k = [state.share * n / P, (1 - state.share) * n / N];
    [c, v] = [c.map((x, j) => x * k[j % 2]), v.map((x, j) => x * k[j % 2] ** 2)];
  }
  return { c, v, n, fixed, weighted: m.tp2 || fixed };
}

// Value and interval of a measure. Proportions by Wilson's method, all others by the delta method.
function estimate(measure, s) {
  const f = formulas[measure.name];
  if (!measure.ratio || s.fixed) return delta(c => measure.ratio ? div(...f(...variables(c))) : f(...variables(c)), measure.span, s);
  const ratio = c => f(...variables(c)).map(d => d[0]);
  let [x, n] = ratio(s.c);
  const value = n ? x / n : NaN;
  if (s.weighted) { // the effective number of cases
    const [x2, n2] = ratio(s.v), variance = ((1 - value) ** 2 * x2 + value ** 2 * (n2 - x2)) / n ** 2;
    n = n * n / n2;
    if (value > 0 && value < 1 && variance > 0) n = Math.min(n, value * (1 - value) / variance);
    x = Math.min(value * n, n);
  }
  const p = x / n, centre = p + z2 / (2 * n), spread = z * Math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)), scale = 1 + z2 / n;
  return { value, low: x === 0 ? 0 : clip((centre - spread) / scale, 0, p), high: x === n ? 1 : clip((centre + spread) / scale, p, 1) };
}
function delta(evaluate, span, s) {
  const lowest = span[0] ?? -Infinity, highest = span[1] ?? Infinity, [value, ...slopes] = evaluate(s.c);
  if (!isFinite(value)) return { value: NaN };
  const error = deviation(slopes, s.c, s.v, s.fixed), inside = lowest < value && value < highest;
  let ends = [lowest, highest];
  if (error > 1e-12 && isFinite(error) && inside) ends = reach(value, z * error, lowest, highest);
  else { // no error is visible: that of a table to which z² cases are added, half of them right
    const c = smoothed(s), [v, ...d] = evaluate(c);
    if (isFinite(v)) ends = reach(v, z * deviation(d, c, c, false), lowest, highest);
  }
  return { value, low: clip(Math.min(ends[0], value), lowest, highest), high: clip(Math.max(ends[1], value), lowest, highest) };
}
function deviation(slopes, c, v, fixed) { // with fixed shares, around the mean of each class
  const mean = [0, 1].map(a => fixed && c[a] + c[a + 2] ? (slopes[a] * c[a] + slopes[a + 2] * c[a + 2]) / (c[a] + c[a + 2]) : 0);
  return Math.sqrt(sum(slopes.map((d, i) => (d - mean[i % 2]) ** 2 * v[i])));
}
function smoothed(s) {
  const factor = s.n / sum(s.v), [tp, fp, fn, tn] = s.c.map(x => x * factor), p = ((tp + (fp + fn) / 2) / (s.n * factor) + 0.5) / 2;
  return [tp + z2 * p / 2, fp + z2 / 4, fn + z2 / 4, tn + z2 * (1 - p) / 2];
}
function reach(value, r, lowest, highest) { // on the log or logit scale near the ends of the range
  const below = value - lowest, above = highest - value, width = highest - lowest;
  if (below > 0 && above > 0 && lowest === 0 && highest === Infinity) { const k = Math.exp(Math.min(r / value, 700)); return [value / k, value * k]; }
  if (below > 0 && above > 0 && (r > below || r > above)) {
    const k = Math.exp(Math.min(r * width / (below * above), 700));
    return [lowest + width * below / (below + above * k), highest - width * above / (below * k + above)];
  }
  return [value - r, value + r];
}
const weights = () => { const [tn, fp, fn, tp] = state.costs; return [tp, fp, fn, tn]; };
const totalCost = c => state.costs[3] * c[0] + state.costs[1] * c[1] + state.costs[2] * c[2] + state.costs[0] * c[3];
const meanCost = s => delta(c => { const v = variables(c); return div(weights().map((cost, i) => mul(constant(cost), v[i])).reduce(add), v[4]); }, [Math.min(...state.costs), Math.max(...state.costs)], s);

// Text, as Python writes it.
function number(v) {
  const size = Math.abs(v);
  if (Number.isNaN(v)) return "n/a";
  if (!v || (size >= 5e-4 && size < 1e4)) return v.toFixed(3);
  const text = size >= 1e-4 && size < 1e4 ? v.toPrecision(3) : v.toExponential(2);
  return text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "").replace(/e([+-])(\d)$/, "e$10$2");
}
const count = v => v.toFixed(Math.abs(v - Math.round(v)) < 1e-6 ? 0 : 1);
const short = (t, digits = 6) => isFinite(t) ? String(+t.toPrecision(digits)) : "";

// Pictures: a line and a dot for each slot, over the axes that are there.
const charts = [...document.querySelectorAll("[data-live]")].map(element => {
  const svg = find(".chart", element), over = find(".marks", svg);
  over.replaceChildren();
  const make = group => group.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  const marks = state.slots.map(() => ({ line: make(find(".lines", svg)), cut: make(over), dot: make(over) }));
  return { svg, marks, ...JSON.parse(element.dataset.live), drawn: all('[data-part^="curve"]', svg) };
});
const points = {
  roc: ([tp, fp, fn, tn]) => [fp / (fp + tn), tp / (tp + fn)],
  pr: ([tp, fp, fn]) => [tp / (tp + fn), tp / (tp + fp)],
  gain: ([tp, fp, fn, tn]) => [(tp + fp) / (tp + fp + fn + tn), tp / (tp + fn)],
  lift: ([tp, fp, fn, tn], n = tp + fp + fn + tn) => [(tp + fp) / n, tp / (tp + fp) / ((tp + fn) / n)],
};
function place(chart, c, t) {
  const [x, y] = chart.kind === "cost" ? [clip(t, data.low, data.high), totalCost(c)] : points[chart.kind](c);
  const [left, top, width, height] = chart.box, part = (v, [low, high]) => clip((v - low) / (high - low), -0.01, 1.01);
  return [left + part(x, chart.x) * width, top + (1 - part(y, chart.y)) * height];
}
const cells = m => m.cells ??= m.tp.map((_, i) => counts(m, i).c); // at every row, until the shares change
function line(chart, m) {
  const turn = { pr: (a, b) => `V${b}H${a}`, cost: (a, b) => `H${a}V${b}` }[chart.kind] ?? ((a, b) => `L${a} ${b}`);
  let path = "", before = [];
  cells(m).forEach((c, i) => {
    const [x, y] = place(chart, c, threshold(m, i)).map(v => Math.round(v * 10) / 10);
    if (Number.isNaN(y) || (x === before[0] && y === before[1])) return;
    path += path ? turn(x, y) : `M${x} ${y}`;
    before = [x, y];
  });
  return path + (chart.kind === "cost" ? `H${chart.box[0]}` : "");
}
function rescale() { // the axis of costs ends a little above the cost of treating all cases alike
  const chart = charts.find(c => c.kind === "cost"), ends = models.map(m => [0, m.tp.length - 1].map(i => totalCost(counts(m, i).c)));
  const most = 1.1 * (Math.max(...ends.map(e => Math.min(...e))) || Math.max(...ends.flat())), power = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 4, 6, 8, 10].map(k => k * power).find(k => k >= most * (1 - 1e-12)) || 1;
  chart.y = [0, top];
  for (let i = 0; i < 5; i++) find(`[data-part="tick-${i}"] text`, chart.svg).textContent = short(top * i / 4, 4);
}
function redraw() { // lines; only when classifiers, shares or costs change
  if (state.moved) rescale();
  for (const chart of charts) {
    const stays = !state.moved || chart.kind === "roc";
    chart.drawn.forEach((curve, k) => { curve.style.display = stays && !state.slots.includes(k) ? "" : "none"; });
    state.slots.forEach((k, slot) => put(chart.marks[slot].line, { d: line(chart, models[k]), class: `line k${k % 6}` }));
  }
  update();
}
const shapes = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "M0 -6L6 0L0 6L-6 0Z"];
let timer = 0;
function update() {
  const { tp, fp } = models[state.slots[0]];
  if (state.share === null) find("#prevalence").value = short(100 * tp.at(-1) / (tp.at(-1) + fp.at(-1)), 4);
  const said = state.slots.map((k, slot) => {
    const m = models[k], t = state.at[k], i = row(m, t), s = counts(m, i), [tp, fp, fn, tn] = s.c, mean = meanCost(s);
    for (const measure of data.measures) write(measure.name, slot, estimate(measure, s), measure.why);
    write("mean_cost", slot, mean);
    write("total_cost", slot, { value: mean.value * s.n, low: mean.low * s.n, high: mean.high * s.n });
    for (const [name, value, other] of [["tp", tp, fn], ["fn", fn, tp], ["fp", fp, tn], ["tn", tn, fp]]) {
      const cell = find(`[data-count="${name}"][data-of="${slot}"]`), share = value / (value + other);
      find("b", cell).textContent = count(value); find("span", cell).textContent = (100 * share).toFixed(1);
      cell.style.setProperty("--share", share.toFixed(3));
    }
    const own = find(`[data-slot="${slot}"]`), field = find(".threshold", own), slider = find(".slider", own);
    if (document.activeElement !== field) field.value = short(t);
    if (document.activeElement !== slider) slider.value = clip(t, data.low, data.high);
    put(slider, { "aria-valuetext": short(t) || "above all scores" });
    for (const chart of charts) {
      const [x, y] = place(chart, s.c, t), { dot, cut } = chart.marks[slot], there = !Number.isNaN(y);
      put(dot, { class: `dot k${k % 6}`, d: there ? shapes[slot] : "", transform: `translate(${x} ${there ? y : 0})` });
      if (chart.kind === "cost") put(cut, { class: `cut k${k % 6}`, d: `M${x} ${chart.box[1]}v${chart.box[3]}` });
    }
    const from = isFinite(t) ? `from ${short(t)} on` : "no case called positive";
    return `${m.name && m.name + ", "}${from}: ${count(fn)} misses, ${count(fp)} false alarms, cost ${number(totalCost(s.c))}.`;
  });
  clearTimeout(timer);
  timer = setTimeout(() => { find("#said").textContent = said.join(" "); }, 150); // spoken when the hand rests
}
function write(name, slot, { value, low, high }, why = "") {
  const cell = find(`[data-measure="${name}"][data-of="${slot}"]`), none = Number.isNaN(value);
  find("b", cell).textContent = number(value);
  find("small", cell).textContent = none ? why : `[${number(low)}, ${number(high)}]`;
  Object.assign(cell.dataset, none ? { value: "", low: "", high: "" } : { value, low, high });
}
function choose(k, t) {
  state.at[k] = snapped(models[k], t);
  find("#snap").textContent = state.at[k] !== t ? `${short(t)} moved to ${short(state.at[k])}, the nearest threshold kept.` : "";
  update();
}
function best(m, worth) {
  const values = cells(m).map(worth).map(v => Number.isNaN(v) ? -Infinity : v);
  return threshold(m, values.indexOf(Math.max(...values)));
}
const goals = {
  cost: m => best(m, c => -totalCost(c)),
  youden: m => best(m, ([tp, fp, fn, tn]) => tp / (tp + fn) - fp / (fp + tn)),
  f1: m => best(m, ([tp, fp, fn]) => 2 * tp / (2 * tp + fp + fn)),
  specific: m => best(m, ([tp, fp, , tn]) => fp / (fp + tn) <= 0.05 + 1e-9 ? tp : -1),
  usual: () => data.usual,
};

const typed = (field, act) => field.addEventListener("input", () => { if (field.value !== "" && isFinite(field.value)) act(+field.value); });
all("[data-slot]").forEach((own, slot) => {
  const select = find("select", own), field = find(".threshold", own), pick = t => choose(state.slots[slot], t);
  typed(field, pick); typed(find(".slider", own), pick);
  field.addEventListener("change", () => { field.value = short(state.at[state.slots[slot]]); });
  select?.addEventListener("change", () => {
    const m = models[state.slots[slot] = +select.value];
    for (const e of all(`[data-name-of="${slot}"]`)) e.textContent = m.name;
    for (const e of all(`[data-class][data-of="${slot}"]`)) e.textContent = m.classes[e.dataset.class];
    redraw();
  });
});
for (const button of all("[data-goal]")) button.addEventListener("click", () => { for (const k of new Set(state.slots)) choose(k, goals[button.dataset.goal](models[k])); });
const move = () => { state.moved = true; redraw(); };
const setShare = share => { state.share = share; for (const m of models) m.cells = null; move(); };
typed(find("#prevalence"), v => { if (v > 0 && v < 100) setShare(v / 100); });
find("#sample").addEventListener("click", () => setShare(null));
typed(find("#cost-fp"), v => { state.costs[1] = v; move(); });
typed(find("#cost-fn"), v => { state.costs[2] = v; move(); });

// Dragging on a picture moves the nearest dot along its curve.
for (const chart of charts) {
  let slot = null;
  const where = e => { const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(chart.svg.getScreenCTM().inverse()); return [p.x, p.y]; };
  const nearest = distances => distances.indexOf(Math.min(...distances));
  const drag = e => {
    const k = state.slots[slot], m = models[k], [x, y] = where(e), [left, , width] = chart.box;
    if (chart.kind === "cost") return choose(k, chart.x[0] + clip((x - left) / width, 0, 1) * (chart.x[1] - chart.x[0]));
    choose(k, threshold(m, nearest(cells(m).map(c => { const [a, b] = place(chart, c); return Number.isNaN(b) ? Infinity : Math.hypot(a - x, b - y); }))));
  };
  chart.svg.addEventListener("pointerdown", e => {
    const [x, y] = where(e), away = state.slots.map(k => { const m = models[k], t = state.at[k], [a, b] = place(chart, counts(m, row(m, t)).c, t); return Math.hypot(a - x, chart.kind === "cost" ? 0 : b - y); });
    slot = nearest(away); chart.svg.setPointerCapture(e.pointerId); drag(e); e.preventDefault();
  });
  chart.svg.addEventListener("pointermove", e => { if (slot !== null) drag(e); });
  for (const end of ["pointerup", "pointercancel"]) chart.svg.addEventListener(end, () => { slot = null; });
}
redraw();
})();
