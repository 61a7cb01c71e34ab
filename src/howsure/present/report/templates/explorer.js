// The threshold explorers of a page. They compute measures and intervals from counts, with the same formulas as Python.
(() => {
"use strict";
const all = (selector, within) => [...within.querySelectorAll(selector)];
const put = (element, attributes) => { for (const name in attributes) element.setAttribute(name, attributes[name]); };
const say = (element, text) => { if (element.textContent !== text) element.textContent = text; }; // unchanged text needs no layout
const sum = values => values.reduce((a, b) => a + b);
const clip = (v, low, high) => Math.min(Math.max(v, low), high);
const nearest = distances => distances.indexOf(Math.min(...distances));

const sqrt = Math.sqrt, div = (a, b) => b === 0 ? NaN : a / b;
const z = /*Z*/, z2 = z * z;
const measures = [
/*MEASURES*/
];

// The row of a threshold: the number of stored thresholds at or above it.
function row(m, t) {
  if (m.single) t = Math.fround(t);
  let low = 0, high = m.thresholds.length;
  while (low < high) { const middle = (low + high) >> 1; if (m.thresholds[middle] >= t) low = middle + 1; else high = middle; }
  return low;
}
const threshold = (m, i) => i ? m.thresholds[i - 1] : Infinity;
function snapped(m, t) { // the nearest stored threshold, if the page does not store all
  if (!m.thinned || !isFinite(t)) return t;
  const i = row(m, t), above = threshold(m, i), below = m.thresholds[i] ?? above;
  return above - t <= t - below ? above : below;
}

// The weights of positives and negatives at a prevalence (null means that of the sample).
function scale(m, share) {
  const P = m.tp.at(-1), N = m.fp.at(-1), n = P + N;
  return share === null ? [1, 1] : [share * n / P, (1 - share) * n / N];
}
const totals = (m, share) => { const [a, b] = scale(m, share); return [a * m.tp.at(-1), b * m.fp.at(-1)]; };
// Counts [tp, fp, fn, tn] at a row, and their variances.
function counts(m, i, share) {
  const n = m.tp.at(-1) + m.fp.at(-1), k = scale(m, share);
  const cells = (p, f, power) => [p[i], f[i], p.at(-1) - p[i], f.at(-1) - f[i]].map((x, j) => Math.abs(x) < 1e-12 * n ? 0 : x * k[j % 2] ** power);
  return { c: cells(m.tp, m.fp, 1), v: cells(m.tp2 ?? m.tp, m.fp2 ?? m.fp, 2), n, fixed: share !== null };
}
// The counts with their variances multiplied by the design effect of a measure, if the cases are clustered.
const deflate = (s, m, name) => m.effects ? { ...s, v: s.v.map(x => x * (m.effects[name] ?? 1)) } : s;
// The results of `evaluate(tp, fp, positives, negatives, threshold)` at each row.
function rows(m, share, evaluate) {
  const [a, b] = scale(m, share), [P, N] = totals(m, share);
  return m.tp.map((tp, i) => evaluate(a * tp, b * m.fp[i], P, N, threshold(m, i)));
}

// Lower confidence limits of Poisson counts from 0 to 3, for which Wilson's limit is too high.
const ends = [0, 0.025317807984289876, 0.24220927854396496, 0.6186721228956014];
const few = x => x > 3 ? Infinity : x === 3 ? ends[3] : ends[Math.floor(x)] + (x % 1) * (ends[Math.floor(x) + 1] - ends[Math.floor(x)]);
// Value and interval of a measure: proportions by Wilson's method, all others from the limits of each count (MOVER).
function estimate({ formula, ratio, span, each }, s, weighted) {
  const parts = c => formula(...c, sum(c));
  if (!ratio && lacking(each, s)) return { value: parts(s.c), low: NaN, high: NaN };
  if (!ratio || s.fixed) return mover(c => ratio ? div(...parts(c)) : parts(c), span, s);
  let [x, n] = parts(s.c);
  const value = n ? x / n : NaN;
  if (weighted) { // effective number of cases
    const [x2, n2] = parts(s.v), variance = ((1 - value) ** 2 * x2 + value ** 2 * (n2 - x2)) / n ** 2;
    n = n * n / n2;
    if (value > 0 && value < 1 && variance > 0) n = Math.min(n, value * (1 - value) / variance);
    x = Math.min(value * n, n);
  }
  const p = x / n, centre = p + z2 / 2 / n, spread = z * sqrt(p * (1 - p) / n + (z / 2 / n) ** 2), size = 1 + z2 / n, none = 1 - 0.05 ** (1 / n);
  const low = Math.min((centre - spread) / size, few(x) / n, x === n ? 1 - none : 1), high = Math.max((centre + spread) / size, 1 - few(n - x) / n, x === 0 ? none : 0);
  return { value, low: x === 0 ? 0 : clip(low, 0, p), high: x === n ? 1 : clip(high, p, 1) };
}
// Whether a class has fewer cases, or predictions, than the interval of a measure needs.
function lacking([side, least], { c, v }) {
  const classes = side === "truth" ? [[0, 2], [1, 3]] : [[0, 1], [2, 3]];
  return classes.some(([i, j]) => (c[i] + c[j]) ** 2 < least * (1 - 1e-9) * (v[i] + v[j]) || (least && !(c[i] + c[j])));
}
function mover(evaluate, span, { c, v, fixed }) {
  const value = evaluate(c), all = sum(c), squares = sum(v), lowest = span[0] ?? -Infinity, highest = span[1] ?? Infinity;
  if (!isFinite(value)) return { value: NaN };
  const odds = lowest === 0 && highest === Infinity; // ratios use a log scale, which must not start at 0
  const start = odds && !value ? c.map(x => Math.max(x, 0.5)) : c, base = evaluate(start);
  const q = z * (1 + (z2 + 1) / (4 * Math.max(all * all / squares - 1, 1))), row = (cells, i) => cells[i % 2] + cells[i % 2 + 2];
  let down = 0, up = 0;
  c.forEach((x, i) => {
    const weight = x > 0 ? v[i] / x : squares / all, cases = x / weight, spread = q * sqrt(cases + q * q / 4);
    const ways = [x > 0 ? Math.min(cases + q * q / 2 - spread, few(cases)) : 0, cases + q * q / 2 + spread].map(end => {
      const moved = start.map((y, k) => k === i ? end * weight : y), way = evaluate(fixed ? moved.map((y, k) => y * (row(c, k) / row(moved, k))) : moved);
      return odds ? Math.log(way / base) : way - base;
    });
    if (odds && Number.isNaN(ways[0])) ways[0] = ways[1] > 0 ? -Infinity : Infinity;
    down += Math.min(ways[0] || 0, ways[1] || 0, 0) ** 2; up += Math.max(ways[0] || 0, ways[1] || 0, 0) ** 2;
  });
  const [low, high] = odds ? [base * Math.exp(-sqrt(down)), base * Math.exp(sqrt(up))] : [base - sqrt(down), base + sqrt(up)];
  return { value, low: clip(Math.min(low, value), lowest, highest), high: clip(Math.max(high, value), lowest, highest) };
}

// Numbers as text, formatted as in Python.
function number(v) {
  const size = Math.abs(v);
  if (Number.isNaN(v)) return "n/a";
  if (!v || (size >= 5e-4 && size < 1e4)) return v.toFixed(3);
  const text = size >= 1e-4 && size < 1e4 ? v.toPrecision(3) : v.toExponential(2);
  return text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "").replace(/e([+-])(\d)$/, "e$10$2");
}
const count = v => v.toFixed(Math.abs(v - Math.round(v)) < 1e-6 ? 0 : 1);
const short = (t, digits = 6) => isFinite(t) ? String(+t.toPrecision(digits)) : "";
const tenth = v => Math.round(v * 10) / 10;
const shapes = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "M0 -6L6 0L0 6L-6 0Z"];

function explore(root) {
const find = (selector, within = root) => within.querySelector(selector);
const data = JSON.parse(find(".explorer-data").textContent), { models, costs } = data; // costs of tn, fp, fn, tp
let share = data.share, timer = 0;
const cost = (tp, fp, P, N) => costs[3] * tp + costs[1] * fp + costs[2] * (P - tp) + costs[0] * (N - fp);
const meanCost = s => mover(c => cost(c[0], c[1], c[0] + c[2], c[1] + c[3]) / sum(c), [Math.min(...costs), Math.max(...costs)], s);

// The elements of each slot, which shows the classifier `k`.
const slots = all("[data-slot]", root).map((own, slot) => {
  const cells = {};
  for (const cell of all(`[data-of="${slot}"]:is([data-measure], [data-count])`, root)) {
    cells[cell.dataset.measure ?? cell.dataset.count] = { cell, value: find("b", cell), note: find("span", cell) ?? find("small", cell) };
  }
  return { k: slot, slot, cells, field: find(".threshold", own), slider: find(".slider", own), select: find("select", own) };
});
const model = ({ k }) => models[k];

// Figures: a line and a dot for each slot, drawn over the axes.
const points = {
  roc: (tp, fp, P, N) => [fp / N, tp / P],
  pr: (tp, fp, P) => [tp / P, tp / (tp + fp)],
  gain: (tp, fp, P, N) => [(tp + fp) / (P + N), tp / P],
  lift: (tp, fp, P, N) => [(tp + fp) / (P + N), tp / (tp + fp) * (P + N) / P],
  cost: (tp, fp, P, N, t) => [clip(t, data.low, data.high), cost(tp, fp, P, N)],
};
const turns = { pr: (x, y) => `V${y}H${x}`, cost: (x, y) => `H${x}V${y}` };
const guides = { // lines of random guessing and of a perfect ranking, at a prevalence
  pr: part => [[[0, part], [1, part]]],
  gain: part => [[[0, 0], [1, 1]], [[0, 0], [part, 1], [1, 1]]],
  lift: () => [[[0, 1], [1, 1]]],
};
const charts = all("[data-live]", root).map(figure => {
  const svg = find(".chart", figure), over = find(".marks", svg), paths = part => all(`[data-part^="${part}"] path`, svg);
  over.replaceChildren();
  const make = group => group.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  const marks = slots.map(() => ({ line: make(find(".lines", svg)), cut: make(over), dot: make(over) }));
  return { svg, marks, ...JSON.parse(figure.dataset.live), curves: paths("curve"), guides: paths("guide") };
});
function placing({ box: [left, top, width, height], x: [x0, x1], y: [y0, y1] }) { // converts points of the axes to the SVG
  const across = width / (x1 - x0), down = height / (y1 - y0);
  return point => [left + (point[0] - x0) * across, top + (y1 - point[1]) * down];
}
function line(chart, m) {
  const turn = turns[chart.kind] ?? ((x, y) => `L${x} ${y}`), start = tenth(placing(chart)([0, 0])[0]);
  let path = "", lastX = Infinity, lastY = Infinity;
  for (const [x, y] of rows(m, share, points[chart.kind]).map(placing(chart))) {
    if (!(Math.abs(x - lastX) + Math.abs(y - lastY) > 0.5)) continue; // too close to be visible, or undefined
    [lastX, lastY] = [x, y];
    path += path ? turn(tenth(x), tenth(y)) : `M${chart.kind === "pr" ? start : tenth(x)} ${tenth(y)}H${tenth(x)}`;
  }
  return path + (chart.kind === "cost" ? `H${chart.box[0]}` : "");
}
function mark(chart, { k, slot }, s, t) { // a dot, unless it is outside the axes
  const [tp, fp, fn, tn] = s.c, [left, top, width, height] = chart.box, { dot, cut } = chart.marks[slot];
  const [x, y] = placing(chart)(points[chart.kind](tp, fp, tp + fn, fp + tn, t));
  const inside = x >= left - 1 && x <= left + width + 1 && y >= top - 1 && y <= top + height + 1;
  put(dot, { class: `dot k${k % 6}`, d: inside ? shapes[slot] : "", transform: `translate(${x} ${inside ? y : 0})` });
  if (chart.kind === "cost") put(cut, { class: `cut k${k % 6}`, d: `M${x} ${top}v${height}` });
}
const tops = {
  cost: () => { // just above the cost of the cheaper constant prediction
    const ends = models.map(m => { const [P, N] = totals(m, share); return [cost(0, 0, P, N), cost(P, N, P, N)]; });
    return 1.1 * (Math.max(...ends.map(e => Math.min(...e))) || Math.max(...ends.flat()));
  },
  lift: () => Math.max(...models.flatMap(m => rows(m, share, (...at) => 1.05 * points.lift(...at)[1] || 0))),
};
function rescale(chart) {
  const most = tops[chart.kind](), power = 10 ** Math.floor(Math.log10(most));
  const top = /*TOP_STEPS*/.map(k => k * power).find(k => k >= most * (1 - 1e-12)) || 1;
  chart.y = [0, top];
  for (let i = 0; i < 5; i++) say(find(`[data-part="tick-${i}"] text`, chart.svg), short(top * i / 4, 4));
}
function drawSlots(chart) { // for classifiers without a curve drawn by Python
  for (const { k, slot } of slots) put(chart.marks[slot].line, { d: k < chart.curves.length ? "" : line(chart, models[k]), class: `line k${k % 6}` });
}
function redraw(...kinds) {
  const [P, N] = totals(model(slots[0]), share);
  for (const chart of charts.filter(chart => kinds.includes(chart.kind))) {
    if (tops[chart.kind]) rescale(chart);
    chart.curves.forEach((curve, k) => put(curve, { d: line(chart, models[k]) }));
    const lines = guides[chart.kind]?.(P / (P + N)) ?? [];
    lines.forEach((points, i) => put(chart.guides[i], { d: "M" + points.map(placing(chart)).join("L") }));
    drawSlots(chart);
  }
  update();
}
function update() {
  const [P, N] = totals(model(slots[0]), share);
  if (share === null) find(".prevalence").value = short(100 * P / (P + N), 4);
  const words = slots.flatMap(show);
  clearTimeout(timer);
  timer = setTimeout(() => find(".said").replaceChildren(...words), 150); // screen readers announce it when the user pauses
}
function show(slot) {
  const { k, cells, field, slider } = slot, m = models[k], t = m.start, s = counts(m, row(m, t), share), mean = meanCost(deflate(s, m, "mean_cost")), [tp, fp, fn, tn] = s.c;
  for (const measure of measures) write(cells[measure.name], estimate(measure, deflate(s, m, measure.name), m.tp2 ?? m.effects), measure.why);
  write(cells.mean_cost, mean);
  write(cells.total_cost, { value: mean.value * s.n, low: mean.low * s.n, high: mean.high * s.n });
  for (const [name, value, other] of [["tp", tp, fn], ["fn", fn, tp], ["fp", fp, tn], ["tn", tn, fp]]) {
    const { cell, value: shown, note } = cells[name], part = value / (value + other);
    say(shown, count(value)); say(note, (100 * part).toFixed(1));
    cell.style.setProperty("--share", part.toFixed(3));
  }
  if (document.activeElement !== field) field.value = short(t);
  if (document.activeElement !== slider) slider.value = clip(t, data.low, data.high);
  put(slider, { "aria-valuetext": short(t) || "above all scores" });
  for (const chart of charts) mark(chart, slot, s, t);
  const at = `${m.name ? "threshold" : "Threshold"} ${isFinite(t) ? short(t) : "above all scores"}`, total = number(cost(tp, fp, tp + fn, fp + tn));
  const name = Object.assign(document.createElement("bdi"), { textContent: m.name });
  return [...(m.name ? [name, ", "] : []), `${at}: ${count(fn)} false negatives, ${count(fp)} false positives, total cost ${total}. `];
}
function write({ cell, value: shown, note }, { value, low, high }, why = "") {
  const none = Number.isNaN(value), open = Number.isNaN(low);
  say(shown, number(value));
  say(note, none ? why : open ? "no interval: too few cases of a class" : `[${number(low)}, ${number(high)}]`);
  Object.assign(cell.dataset, none ? { value: "", low: "", high: "" } : open ? { value, low: "", high: "" } : { value, low, high });
}
function choose(m, t) {
  m.start = snapped(m, t);
  say(find(".snap"), m.start !== t ? `${short(t)} was moved to ${short(m.start)}, the nearest threshold on this page.` : "");
  update();
}
const goals = {
  cost: (...at) => -cost(...at),
  youden: (tp, fp, P, N) => tp / P - fp / N,
  f1: (tp, fp, P) => 2 * tp / (tp + fp + P),
  specific: (tp, fp, P, N) => fp / N <= 0.05 + 1e-9 ? tp : -1,
};
const best = (m, goal) => threshold(m, nearest(rows(m, share, goals[goal]).map(value => Number.isNaN(value) ? Infinity : -value)));

const typed = (field, act) => field.addEventListener("input", () => { if (field.value !== "" && isFinite(field.value)) act(+field.value); });
for (const slot of slots) {
  const { field, slider, select } = slot, pick = t => choose(model(slot), t);
  typed(field, pick); typed(slider, pick);
  field.addEventListener("change", () => { field.value = short(model(slot).start); });
  select?.addEventListener("change", () => {
    slot.k = +select.value;
    for (const e of all(`[data-name-of="${slot.slot}"]`, root)) e.textContent = model(slot).name;
    for (const e of all(`[data-class][data-of="${slot.slot}"]`, root)) e.textContent = model(slot).classes[e.dataset.class];
    charts.forEach(drawSlots);
    update();
  });
}
for (const button of all("[data-goal]", root)) button.addEventListener("click", () => {
  for (const m of new Set(slots.map(model))) choose(m, button.dataset.goal === "usual" ? data.usual : best(m, button.dataset.goal));
});
const setShare = value => { share = value; redraw("pr", "gain", "lift", "cost"); };
const setCost = cell => value => { costs[cell] = value; redraw("cost"); };
typed(find(".prevalence"), percent => { if (percent > 0 && percent < 100) setShare(percent / 100); });
find(".sample").addEventListener("click", () => setShare(null));
typed(find(".cost-fp"), setCost(1));
typed(find(".cost-fn"), setCost(2));

// Dragging on a picture moves the nearest dot along its curve.
for (const chart of charts) {
  const { svg, kind } = chart;
  let held = null;
  const where = e => new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const distances = (e, m) => {
    const { x, y } = where(e), away = ([a, b]) => Number.isNaN(b) ? Infinity : Math.hypot(a - x, kind === "cost" ? 0 : b - y);
    return rows(m, share, points[kind]).map(placing(chart)).map(away);
  };
  const drag = e => {
    const m = model(held), [left, , width] = chart.box, across = clip((where(e).x - left) / width, 0, 1);
    choose(m, kind === "cost" ? data.low + across * (data.high - data.low) : threshold(m, nearest(distances(e, m))));
  };
  svg.addEventListener("pointerdown", e => {
    held = slots[nearest(slots.map(slot => { const m = model(slot); return distances(e, m)[row(m, m.start)]; }))];
    svg.setPointerCapture(e.pointerId); drag(e); e.preventDefault();
  });
  svg.addEventListener("pointermove", e => { if (held) drag(e); });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { held = null; });
}
if (share !== null) redraw("pr", "gain", "lift"); // Python drew these curves at the prevalence of the sample
charts.forEach(drawSlots);
update();
}
all(".explorer", document).forEach(explore);
})();
