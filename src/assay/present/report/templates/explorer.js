// The threshold explorer. It computes what Python computes, by the same formulas and interval methods, from counts.
(() => {
"use strict";
const data = JSON.parse(document.getElementById("explorer-data").textContent);
const root = document.getElementById("explorer-controls");
const find = (selector, within = root) => within.querySelector(selector);
const all = (selector, within = root) => [...within.querySelectorAll(selector)];
const models = data.models, z = data.z, z2 = z * z;

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
const variables = c => { const v = c.map((x, i) => [x, ...[0, 1, 2, 3].map(k => +(k === i))]); return [...v, v.reduce(add)]; };

// State: the classifier and the threshold of each slot; prevalence (null: that of the sample) and costs of both.
const state = {
  slots: all("[data-slot]").map((_, i) => i), at: models.map(m => m.start ?? Infinity),
  share: data.share, costs: data.costs.slice(), moved: data.share !== null,
};

// How many thresholds lie at or above t: the row of the counts.
function row(m, t) {
  if (m.single) t = Math.fround(t);
  let low = 0, high = m.thresholds.length;
  while (low < high) { const mid = (low + high) >> 1; if (m.thresholds[mid] >= t) low = mid + 1; else high = mid; }
  return low;
}
// Where thresholds were left out, only those kept are known: move to the nearest.
function snapped(m, t) {
  if (!m.thinned || !isFinite(t)) return t;
  const i = row(m, t), above = m.thresholds[i - 1] ?? Infinity, below = m.thresholds[i] ?? above;
  return above - t <= t - below ? above : below;
}
const threshold = (m, i) => i ? m.thresholds[i - 1] : Infinity;

// Counts [tp, fp, fn, tn] and their variances at a row, in the shares asked for.
function counts(m, i) {
  const end = m.tp.length - 1, P = m.tp[end], N = m.fp[end], n = P + N;
  const cells = (p, f) => [p[i], f[i], p[end] - p[i], f[end] - f[i]].map(x => Math.abs(x) < 1e-12 * n ? 0 : x);
  let c = cells(m.tp, m.fp), v = m.tp2 ? cells(m.tp2, m.fp2) : c;
  const fixed = state.share !== null;
  if (fixed) {
    const up = state.share * n / P, down = (1 - state.share) * n / N, k = [up, down, up, down];
    [c, v] = [c.map((x, j) => x * k[j]), v.map((x, j) => x * k[j] * k[j])];
  }
  return { c, v, fixed, weighted: !!m.tp2 || fixed, n: c.reduce((a, b) => a + b) };
}

// Value and interval of a measure: {value, low, high}. Proportions by Wilson, all others by the delta method.
function estimate(measure, s) {
  const f = formulas[measure.name], evaluate = c => measure.ratio ? div(...f(...variables(c))) : f(...variables(c));
  if (measure.ratio && !s.fixed) {
    const of = c => f(...variables(c)).map(d => d[0]);
    let [x, n] = of(s.c);
    if (!n) return { value: NaN };
    const value = x / n;
    if (s.weighted) {
      const [x2, n2] = of(s.v), variance = ((1 - value) ** 2 * x2 + value ** 2 * (n2 - x2)) / n ** 2;
      n = n * n / n2;
      if (value > 0 && value < 1 && variance > 0) n = Math.min(n, value * (1 - value) / variance);
      x = Math.min(value * n, n);
    }
    return { value, ...wilson(x, n) };
  }
  return scaled(evaluate, measure.span, s);
}
function wilson(x, n) {
  const p = x / n, centre = p + z2 / (2 * n), spread = z * Math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)), scale = 1 + z2 / n;
  return { low: x === 0 ? 0 : Math.max(0, Math.min(p, (centre - spread) / scale)),
           high: x === n ? 1 : Math.min(1, Math.max(p, (centre + spread) / scale)) };
}
function scaled(evaluate, span, s) {
  const [lowest, highest] = [span[0] ?? -Infinity, span[1] ?? Infinity], [value, ...slopes] = evaluate(s.c);
  if (!isFinite(value)) return { value: NaN };
  let error = deviation(slopes, s.c, s.v, s.fixed), [low, high] = [lowest, highest];
  if (error > 1e-12 && isFinite(error) && lowest < value && value < highest) [low, high] = delta(value, error, lowest, highest);
  else { // no error is visible: that of a table to which z² cases are added, half of them right
    const c = smoothed(s), [v, ...d] = evaluate(c);
    if (isFinite(v)) [low, high] = delta(v, deviation(d, c, c, false), lowest, highest);
  }
  const held = [Math.min(low, value), Math.max(high, value)].map(x => Math.min(Math.max(x, lowest), highest));
  return { value, low: held[0], high: held[1] };
}
function deviation(slopes, c, v, fixed) {
  const mean = [[0, 2], [1, 3]].map(([a, b]) => fixed && c[a] + c[b] ? (slopes[a] * c[a] + slopes[b] * c[b]) / (c[a] + c[b]) : 0);
  return Math.sqrt(slopes.reduce((sum, d, i) => sum + (d - mean[i % 2]) ** 2 * v[i], 0));
}
function smoothed(s) {
  const factor = s.n / s.v.reduce((a, b) => a + b), [tp, fp, fn, tn] = s.c.map(x => x * factor), n = tp + fp + fn + tn;
  const p = ((2 * tp + fp + fn) / (2 * n) + 0.5) / 2, q = 1 - p;
  return [tp + z2 * p / 2, fp + z2 / 4, fn + z2 / 4, tn + z2 * q / 2];
}
function delta(value, error, lowest, highest) {
  const reach = z * error;
  const log = v => { const k = Math.exp(Math.min(reach / v, 700)); return [v / k, v * k]; };
  if (!(lowest < value && value < highest)) return [value - reach, value + reach];
  if (lowest === 0 && highest === Infinity) return log(value);
  if (lowest > -Infinity && (value - reach < lowest || value + reach > highest)) {
    const below = value - lowest, above = highest - value, width = highest - lowest;
    const k = Math.exp(Math.min(reach * width / (below * above), 700));
    return [lowest + width * below / (below + above * k), highest - width * above / (below * k + above)];
  }
  return [value - reach, value + reach];
}
function meanCost(s) {
  const [tn, fp, fn, tp] = state.costs, of = c => { const [a, b, d, e, n] = variables(c);
    return div([[tp, a], [fp, b], [fn, d], [tn, e]].map(([k, x]) => mul(constant(k), x)).reduce(add), n); };
  return scaled(of, [Math.min(...state.costs), Math.max(...state.costs)], s);
}
const totalCost = c => { const [tn, fp, fn, tp] = state.costs; return tp * c[0] + fp * c[1] + fn * c[2] + tn * c[3]; };

// Text, as Python writes it.
function number(v) {
  if (Number.isNaN(v)) return "n/a";
  const size = Math.abs(v);
  if (!v || (size >= 5e-4 && size < 1e4)) return v.toFixed(3);
  const text = size >= 1e-4 && size < 1e4 ? v.toPrecision(3) : v.toExponential(2);
  return text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "").replace(/e([+-])(\d)$/, "e$10$2");
}
const count = v => Math.abs(v - Math.round(v)) < 1e-6 ? v.toFixed(0) : v.toFixed(1);
const short = t => isFinite(t) ? String(+t.toPrecision(6)) : "";

// Pictures: a line and a dot for each slot, over the axes that are there.
const charts = [...document.querySelectorAll("[data-live]")].map(element => {
  const svg = find(".chart", element), live = JSON.parse(element.dataset.live), lines = find(".lines", svg), over = find(".marks", svg);
  over.replaceChildren();
  const make = group => group.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  const marks = state.slots.map(() => ({ line: make(lines), cut: live.kind === "cost" ? make(over) : null, dot: make(over) }));
  return { svg, live, marks, drawn: all('[data-part^="curve"]', svg) };
});
const positions = {
  roc: s => [s.c[1] / (s.c[1] + s.c[3]), s.c[0] / (s.c[0] + s.c[2])],
  pr: s => [s.c[0] / (s.c[0] + s.c[2]), s.c[0] / (s.c[0] + s.c[1])],
  gain: s => [(s.c[0] + s.c[1]) / s.n, s.c[0] / (s.c[0] + s.c[2])],
  lift: s => [(s.c[0] + s.c[1]) / s.n, s.c[0] / (s.c[0] + s.c[1]) / ((s.c[0] + s.c[2]) / s.n)],
  cost: (s, t) => [Math.min(Math.max(t, data.low), data.high), totalCost(s.c)],
};
function place({ live }, [x, y]) {
  const [left, top, width, height] = live.box;
  const part = (v, [low, high]) => Math.min(Math.max((v - low) / (high - low), -0.01), 1.01);
  return [left + part(x, live.x) * width, top + (1 - part(y, live.y)) * height];
}
function line(chart, m) {
  const kind = chart.live.kind, points = m.tp.map((_, i) => place(chart, positions[kind](counts(m, i), threshold(m, i))));
  let path = "", last = null;
  for (const [x, y] of points) {
    if (Number.isNaN(y)) continue;
    const [a, b] = [x.toFixed(1), y.toFixed(1)];
    path += !last ? `M${a} ${b}` : kind === "pr" ? `V${b}H${a}` : kind === "cost" ? `H${a}V${b}` : `L${a} ${b}`;
    last = b;
  }
  return kind === "cost" ? path + `H${chart.live.box[0].toFixed(1)}` : path;
}
function rescale() { // the axis of costs fits the costs
  const chart = charts.find(c => c.live.kind === "cost");
  const ends = models.map(m => [0, m.tp.length - 1].map(i => totalCost(counts(m, i).c)));
  const most = 1.1 * (Math.max(...ends.map(e => Math.min(...e))) || Math.max(...ends.flat()));
  const power = 10 ** Math.floor(Math.log10(most));
  const top = most > 0 ? [1, 2, 4, 6, 8, 10].map(k => k * power).find(k => k >= most * (1 - 1e-12)) : 1;
  chart.live.y = [0, top];
  for (let i = 0; i < 5; i++) find(`[data-part="tick-${i}"] text`, chart.svg).textContent = String(+(top * i / 4).toPrecision(4));
}
function redraw() { // lines; only when classifiers, shares or costs change
  if (state.moved) rescale();
  for (const chart of charts) {
    const fixed = !state.moved || chart.live.kind === "roc";
    chart.drawn.forEach((curve, k) => { curve.style.display = fixed && !state.slots.includes(k) ? "" : "none"; });
    state.slots.forEach((k, slot) => { const path = chart.marks[slot].line; path.setAttribute("d", line(chart, models[k])); path.setAttribute("class", `line k${k % 6}`); });
  }
}
const shapes = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "M0 -6L6 0L0 6L-6 0Z"];
let timer = 0;
function update() {
  const said = [];
  if (state.share === null) find("#prevalence").value = String(+(100 * own(models[state.slots[0]])).toPrecision(4));
  state.slots.forEach((k, slot) => {
    const m = models[k], t = state.at[k], i = row(m, t), s = counts(m, i), own = find(`[data-slot="${slot}"]`);
    for (const measure of data.measures) write(measure.name, slot, estimate(measure, s), measure.why);
    const mean = meanCost(s), total = Object.fromEntries(Object.entries(mean).map(([key, v]) => [key, v * s.n]));
    write("mean_cost", slot, mean, ""); write("total_cost", slot, total, "");
    const shares = [s.c[0] / (s.c[0] + s.c[2]), s.c[1] / (s.c[1] + s.c[3])];
    ["tp", "fp", "fn", "tn"].forEach((name, j) => {
      const cell = find(`[data-count="${name}"][data-of="${slot}"]`), share = j < 2 ? shares[j] : 1 - shares[j - 2];
      find("b", cell).textContent = count(s.c[j]); find("span", cell).textContent = (100 * share).toFixed(1);
      cell.style.setProperty("--share", share.toFixed(3));
    });
    const field = find(".threshold", own), slider = find(".slider", own);
    if (document.activeElement !== field) field.value = short(t);
    if (document.activeElement !== slider || Math.abs(slider.value - t) > slider.step) slider.value = isFinite(t) ? t : data.high;
    slider.setAttribute("aria-valuetext", isFinite(t) ? short(t) : "above all scores");
    for (const chart of charts) {
      const [x, y] = place(chart, positions[chart.live.kind](s, t)), { dot, cut } = chart.marks[slot], [, top, , height] = chart.live.box;
      dot.setAttribute("class", `dot k${k % 6}`); dot.setAttribute("d", Number.isNaN(y) ? "" : shapes[slot]);
      dot.setAttribute("transform", `translate(${x} ${Number.isNaN(y) ? 0 : y})`);
      if (cut) { cut.setAttribute("class", `cut k${k % 6}`); cut.setAttribute("d", `M${x} ${top}V${top + height}`); }
    }
    const name = models.length > 1 ? `${m.name}, ` : "", from = isFinite(t) ? `from ${short(t)} on` : "no case called positive";
    said.push(`${name}${from}: ${count(s.c[2])} misses, ${count(s.c[1])} false alarms, cost ${number(totalCost(s.c))}.`);
  });
  clearTimeout(timer);
  timer = setTimeout(() => { find("#said").textContent = said.join(" "); }, 150); // spoken when the hand rests
}
function write(name, slot, { value, low, high }, why) {
  const cell = find(`[data-measure="${name}"][data-of="${slot}"]`), none = Number.isNaN(value);
  find("b", cell).textContent = number(value);
  find("small", cell).textContent = none ? why : `[${number(low)}, ${number(high)}]`;
  Object.assign(cell.dataset, none ? { value: "", low: "", high: "" } : { value, low, high });
}
function choose(k, t) {
  const m = models[k], moved = snapped(m, t);
  state.at[k] = moved;
  if (m.thinned) find("#snap").textContent = moved !== t ? `${short(t)} moved to ${short(moved)}, the nearest threshold kept.` : "";
  update();
}
const best = (m, worth) => { let found = 0, top = -Infinity; m.tp.forEach((_, i) => { const w = worth(counts(m, i)); if (w > top) [found, top] = [i, w]; }); return threshold(m, found); };
function rename(slot) {
  const m = models[state.slots[slot]];
  for (const e of all(`[data-name-of="${slot}"]`)) e.textContent = m.name;
  for (const e of all(`[data-class][data-of="${slot}"]`)) e.textContent = m.classes[e.dataset.class];
}
const goals = {
  cost: m => best(m, s => -totalCost(s.c)),
  youden: m => best(m, s => s.c[0] / (s.c[0] + s.c[2]) - s.c[1] / (s.c[1] + s.c[3])),
  f1: m => best(m, s => 2 * s.c[0] / (2 * s.c[0] + s.c[1] + s.c[2])),
  specific: m => best(m, s => s.c[1] / (s.c[1] + s.c[3]) <= 0.05 + 1e-9 ? s.c[0] : -Infinity),
  usual: () => data.usual,
};

all("[data-slot]").forEach((own, slot) => {
  const select = find("select", own), pick = t => choose(state.slots[slot], t);
  find(".threshold", own).addEventListener("input", e => { if (e.target.value !== "" && isFinite(+e.target.value)) pick(+e.target.value); });
  find(".threshold", own).addEventListener("change", e => { e.target.value = short(state.at[state.slots[slot]]); });
  find(".slider", own).addEventListener("input", e => pick(+e.target.value));
  if (select) select.addEventListener("change", () => { state.slots[slot] = +select.value; rename(slot); redraw(); update(); });
});
for (const button of all("[data-goal]")) button.addEventListener("click", () => { for (const k of new Set(state.slots)) choose(k, goals[button.dataset.goal](models[k])); });
function own(m) { const end = m.tp.length - 1; return m.tp[end] / (m.tp[end] + m.fp[end]); }
const moveAll = () => { state.moved = true; redraw(); update(); };
const share = find("#prevalence");
share.addEventListener("input", () => { const p = share.value / 100; if (share.value !== "" && p > 0 && p < 1) { state.share = p; moveAll(); } });
find("#sample").addEventListener("click", () => { state.share = null; moveAll(); });
for (const [name, cell] of [["fp", 1], ["fn", 2]]) find(`#cost-${name}`).addEventListener("input", e => { const v = +e.target.value; if (e.target.value !== "" && isFinite(v)) { state.costs[cell] = v; moveAll(); } });

// Dragging on a picture moves the nearest dot along its curve.
for (const chart of charts) {
  let slot = null;
  const where = e => { const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(chart.svg.getScreenCTM().inverse()); return [p.x, p.y]; };
  const drag = e => {
    const k = state.slots[slot], m = models[k], [x, y] = where(e), { kind, box, x: [low, high] } = chart.live;
    if (kind === "cost") return choose(k, low + Math.min(Math.max((x - box[0]) / box[2], 0), 1) * (high - low));
    let near = 0, least = Infinity;
    m.tp.forEach((_, i) => { const [a, b] = place(chart, positions[kind](counts(m, i))), d = (a - x) ** 2 + (b - y) ** 2; if (d < least) [near, least] = [i, d]; });
    choose(k, threshold(m, near));
  };
  chart.svg.addEventListener("pointerdown", e => {
    const [x, y] = where(e), away = chart.marks.map(({ dot }) => { const b = dot.getAttribute("transform").match(/[\d.]+/g); return Math.hypot(b[0] - x, chart.live.kind === "cost" ? 0 : b[1] - y); });
    slot = away.indexOf(Math.min(...away)); chart.svg.setPointerCapture(e.pointerId); drag(e); e.preventDefault();
  });
  chart.svg.addEventListener("pointermove", e => { if (slot !== null) drag(e); });
  for (const end of ["pointerup", "pointercancel"]) chart.svg.addEventListener(end, () => { slot = null; });
}
redraw(); update();
window.explorer = { data, state, estimate, counts, row, update, choose, meanCost }; // for tests and for the curious
})();
