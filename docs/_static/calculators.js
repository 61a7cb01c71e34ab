// The calculators of the site. They compute what the library computes, by the same definitions: howsure.intervals
// (proportion.py, difference.py), howsure.significance.mcnemar and howsure.plan. A browser test compares the two.
(() => {
"use strict";
// ---- Probabilities

// Bisect to the last bit: the point between `low` and `high` up to which a condition holds.
function bisect(holds, low, high) {
  for (let halvings = 0; halvings < 250; halvings++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (holds(middle)) low = middle; else high = middle;
  }
  return (low + high) / 2;
}

// Probability that a standard normal variable exceeds z, without the cancellation of 1 - cdf for large z.
function normalTail(z) {
  if (z < 0) return 1 - normalTail(-z);
  const density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  if (z > 2.5) {
    let fraction = z;
    for (let k = Math.ceil(20 + 300 / z ** 2); k > 0; k--) fraction = z + k / fraction;
    return density / fraction;
  }
  let term = z, sum = z;
  for (let k = 3; term > 1e-17 * sum; k += 2) sum += term *= z * z / k;
  return 0.5 - density * sum;
}
const normalQuantile = tail => bisect(z => normalTail(z) > tail, -40, 40);

// Error of Stirling's formula for ln z!, for any z above 0.
function stirlingError(z) {
  let error = 0;
  for (; z < 16; z++) error += (z + 0.5) * Math.log1p(1 / z) - 1;
  const s = 1 / (z * z);
  return error + (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - s / 1188) * s) * s) * s) / z;
}

// Probability of x successes in n (x may be fractional) by Loader's formula (2000), because differences of logarithms
// of factorials of millions lose too many digits. q is 1 - p, passed separately to keep the digits of the smaller one.
function binomial(x, n, p, q = 1 - p) {
  if (x < 0 || x > n) return 0;
  if (x === 0 || x === n) return x === 0 ? power(q, p, n) : power(p, q, n);
  const gap = p < q ? n * p - x : n - x - n * q, misfit = deviance(x, gap) + deviance(n - x, -gap);
  const factorials = stirlingError(n) - stirlingError(x) - stirlingError(n - x);
  return Math.sqrt(n / (2 * Math.PI * x * (n - x))) * Math.exp(factorials - misfit);
}
const deviance = (x, gap) => gap - x * Math.log1p(gap / x); // x ln(x / mean) + mean - x, with gap = mean - x
const power = (p, q, n) => p < q || n === 0 ? p ** n : Math.exp(n * Math.log1p(-q));

// Probabilities that a beta variable is below p and above p.
function betaTails(p, a, b) {
  if (b <= 0 || (a > 0 && p <= 0)) return [0, 1];
  if (a <= 0 || p >= 1) return [1, 0];
  const isBelowMean = p <= (a + 1) / (a + b + 2);
  const tail = isBelowMean ? smallBetaTail(p, 1 - p, a, b) : smallBetaTail(1 - p, p, b, a);
  return isBelowMean ? [tail, 1 - tail] : [1 - tail, tail];
}

// Continued fraction of DiDonato and Morris (1992), evaluated by Lentz's method.
function smallBetaTail(p, q, a, b) {
  const density = binomial(a, a + b, p, q) * a / (a + b) * b;
  let fraction = a * (a * q - b * p + 1) / (a + 1), c = fraction, d = 0;
  for (let k = 1; density > 0 && Math.abs(c * d - 1) > 1e-15 && k < 1e7; k++) {
    const over = a + 2 * k - 1;
    const above = (a + k - 1) / over * ((a + b + k - 1) / over) * k * (b - k) * p * p;
    const below = k + k * (b - k) * p / over + (a + k) * (a * q - b * p + 1 + k * (1 + q)) / (over + 2);
    c = below + above / c;
    d = 1 / (below + above * d);
    fraction *= c * d;
  }
  return Math.min(1, density / fraction);
}

// Probabilities of x or more successes in n, and of fewer than x.
const binomialTails = (x, n, p) => betaTails(p, x, n - x + 1);

function poissonAtLeast(count, mean) {
  let term = Math.exp(-mean), sum = 0;
  for (let k = 1; k <= count || term > 1e-17 * sum; k++) {
    if (k > count) sum += term;
    term *= mean / k;
  }
  return sum;
}

// ---- Intervals of a proportion. Each method gets the tail probability and its normal quantile, and returns a function
// that computes the two bounds from the numbers of successes and cases.

const wilson = (alpha, z) => (x, n) => {
  const p = x / n, scale = 1 + z ** 2 / n;
  const centre = p + z ** 2 / 2 / n, spread = z * Math.sqrt(p * (1 - p) / n + (z / 2 / n) ** 2);
  return [x === 0 ? 0 : (centre - spread) / scale, x === n ? 1 : (centre + spread) / scale];
};

// The library's default: wider than Wilson's for up to three successes or failures.
const modifiedWilson = (alpha, z) => {
  const score = wilson(alpha, z);
  const ends = [0, ...[1, 2, 3].map(count => bisect(mean => poissonAtLeast(count, mean) < alpha, 0, 40))];
  return (x, n) => {
    let [low, high] = score(x, n);
    const ofNone = -Math.expm1(Math.log(2 * alpha) / n);
    if (x <= 3) low = Math.min(low, ends[x] / n);
    if (n - x <= 3) high = Math.max(high, 1 - ends[n - x] / n);
    return [x === n ? Math.min(low, 1 - ofNone) : low, x === 0 ? Math.max(high, ofNone) : high];
  };
};

const symmetric = (p, n, z) => [-z, z].map(times => p + times * Math.sqrt(p * (1 - p) / n));
const wald = (alpha, z) => (x, n) => symmetric(x / n, n, z);
const agrestiCoull = (alpha, z) => (x, n) => symmetric((x + z ** 2 / 2) / (n + z ** 2), n + z ** 2, z);

// Bounds at which the probability of x or more successes, or of x or fewer, equals alpha.
const inverted = (orMore, orFewer) => alpha => (x, n) => [
  x === 0 ? 0 : bisect(p => orMore(x, n, p) < alpha, 0, 1),
  x === n ? 1 : bisect(p => orFewer(x, n, p) > alpha, 0, 1),
];
const clopperPearson = inverted((x, n, p) => binomialTails(x, n, p)[0], (x, n, p) => binomialTails(x + 1, n, p)[1]);
const jeffreys = inverted(...[0, 1].map(end => (x, n, p) => betaTails(p, x + 0.5, n - x + 0.5)[end]));
const halfSeen = (x, n, p, end) => (binomialTails(x, n, p)[end] + binomialTails(x + 1, n, p)[end]) / 2;
const midP = inverted(...[0, 1].map(end => (x, n, p) => halfSeen(x, n, p, end)));

const METHODS = {
  "modified-wilson": ["modified Wilson", modifiedWilson],
  "wilson": ["Wilson", wilson],
  "clopper-pearson": ["Clopper-Pearson", clopperPearson],
  "jeffreys": ["Jeffreys", jeffreys],
  "agresti-coull": ["Agresti-Coull", agrestiCoull],
  "mid-p": ["mid-p", midP],
  "wald": ["Wald", wald],
};

// The interval, cut to 0 to 1 and extended to the observed proportion; a one-sided bound leaves the other side open.
function interval(method, x, n, confidence = 0.95, side = "two-sided") {
  const alpha = (1 - confidence) / (side === "two-sided" ? 2 : 1);
  const [low, high] = METHODS[method][1](alpha, normalQuantile(alpha))(x, n), share = x / n;
  const holding = [Math.max(0, Math.min(low, share)), Math.min(1, Math.max(high, share))];
  return side === "two-sided" ? holding : side === "lower" ? [holding[0], 1] : [0, holding[1]];
}

// ---- McNemar's test. e01: cases that only the first misclassifies; e10: cases that only the second misclassifies.

const LEAST_P = 2.2250738585072014e-308; // smallest normal number; smaller p-values are reported as this, never as 0
const FEW = 25; // discordant cases; with fewer the normal approximation is not used
const chosen = m => m < FEW ? "mid-p" : "chi2";

// Statistics and two-sided p-values by all methods.
function mcnemar(e01, e10) {
  const m = e01 + e10, most = Math.max(e01, e10), fewest = m - most;
  const possible = p => m ? Math.min(Math.max(p, LEAST_P), 1) : 1;
  const orMore = x => binomialTails(x, m, 0.5)[0];
  const chi2 = distance => [m ? distance ** 2 / m : 0, possible(2 * normalTail(distance / Math.sqrt(m)))];
  return {
    "exact": [fewest, possible(2 * orMore(most))],
    "mid-p": [fewest, possible(orMore(most) + orMore(most + 1))],
    "chi2": chi2(most - fewest),
    "chi2-corrected": chi2(Math.max(most - fewest - 1, 0)),
  };
}

// Tango's interval of the difference in accuracy, first - second: inverts the score test.
function tango(e01, e10, n, confidence = 0.95) {
  const z = normalQuantile((1 - confidence) / 2);
  const score = delta => {
    const linear = -e10 - e01 + (2 * n - e10 + e01) * delta, constant = -e01 * delta * (1 - delta);
    const root = Math.sqrt(Math.max(linear ** 2 - 8 * n * constant, 0));
    const lost = linear <= 0 ? (root - linear) / (4 * n) : -2 * constant / (root + linear); // avoids cancellation
    const variance = n * (2 * lost + delta * (1 - delta)), excess = e10 - e01 - n * delta;
    return variance > 0 ? excess / Math.sqrt(variance) : excess && Math.sign(excess) * Infinity;
  };
  return [z, -z].map(target => bisect(delta => score(delta) > target, -1, 1));
}

// ---- Numbers of cases

const MOST = 1e7; // cases; larger plans are refused
const AHEAD = 40; // the exact power is a saw-tooth function of n with a shorter period than this
const MOST_DISCORDANT = 18000; // the same limit as in the library; for more, the formula is accurate enough

// The smallest number from which on the number of cases suffices; null if it exceeds the limit.
function leastCases(isEnough, low, most) {
  let high = low + 1;
  for (; !isEnough(high); [low, high] = [high, 2 * high]) if (2 * high > most) return null;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle; else low = middle;
  }
  let least = high;
  for (let n = high; n < high + AHEAD; n++) if (!isEnough(n)) least = n + 1;
  return least;
}

// The possible numbers of successes in n with their probabilities, stepping outwards from the mode.
function likelyCounts(n, p, spread) {
  const first = Math.max(0, Math.floor(n * p - spread)), last = Math.min(n, Math.ceil(n * p + spread));
  const mode = Math.min(Math.floor((n + 1) * p), n), weights = new Float64Array(last - first + 1);
  weights[mode - first] = 1;
  for (let k = mode; k < last; k++) weights[k + 1 - first] = weights[k - first] * (n - k) / (k + 1) * p / (1 - p);
  for (let k = mode; k > first; k--) weights[k - 1 - first] = weights[k - first] * k / (n - k + 1) * (1 - p) / p;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Array.from(weights, (weight, i) => [first + i, weight / total]);
}

// Mean half-width of the default interval over all samples of n cases.
function halfWidth(share, n, confidence = 0.95) {
  const alpha = (1 - confidence) / 2, bounds = modifiedWilson(alpha, normalQuantile(alpha));
  let mean = 0;
  for (const [x, chance] of likelyCounts(n, share, 10 * Math.sqrt(n * share * (1 - share)) + 10)) {
    const [low, high] = bounds(x, n);
    mean += chance * (Math.min(high, 1) - Math.max(low, 0)) / 2;
  }
  return mean;
}

function planHalfWidth(share, wanted, confidence = 0.95) {
  const n = leastCases(cases => halfWidth(share, cases, confidence) <= wanted, 0, MOST);
  const textbook = Math.ceil(share * (1 - share) * (normalQuantile((1 - confidence) / 2) / wanted) ** 2);
  return { n, halfWidth: n && halfWidth(share, n, confidence), textbook };
}

// Smallest number of the m discordant cases in favour of one classifier for which the test rejects.
function leastToReject(tail) {
  const z = normalQuantile(tail), ofFew = [];
  for (let m = 0; m < FEW; m++) { // in integers out of 2 ** m, because a p-value can equal the level exactly
    let x = m, ways = 1, above = 0;
    for (; x >= 0 && (above + ways / 2) / 2 ** m <= tail; x--) {
      above += ways;
      ways *= x / (m - x + 1);
    }
    ofFew.push(x + 1);
  }
  return m => m < FEW ? ofFew[m] : Math.ceil((m + z * Math.sqrt(m)) / 2);
}

// Probability of x or more successes in n, for x and n that change in small steps: each step adds or subtracts one
// probability, which is much faster than evaluating the continued fraction again.
function movingTail(p) {
  let n = null, x, tail;
  return (toX, toN) => {
    if (n === null) [x, n, tail] = [toX, toN, binomialTails(toX, toN, p)[0]];
    for (; n < toN; n++) tail += p * binomial(x - 1, n, p);
    for (; x < toX; x++) tail -= binomial(x, n, p);
    for (; x > toX; x--) tail += binomial(x - 1, n, p);
    return tail;
  };
}

// Power of the two-sided default McNemar test: the mean over the possible numbers of discordant cases.
function mcnemarPower(n, difference, discordant, alpha = 0.05) {
  const gained = (discordant + difference) / 2 / discordant, least = leastToReject(alpha / 2);
  const tails = [movingTail(gained), movingTail(1 - gained)];
  let sum = 0;
  for (const [m, chance] of likelyCounts(n, discordant, 12 * Math.sqrt(n * discordant * (1 - discordant)) + 12)) {
    for (const tail of tails) sum += chance * tail(least(m), m);
  }
  return Math.min(1, sum);
}

// By exact power, and by the normal approximation of Connor (1987), which is used alone for many discordant cases.
function planMcnemar(wanted, difference, discordant, alpha = 0.05) {
  const isEnough = cases => mcnemarPower(cases, difference, discordant, alpha) >= wanted;
  const beyond = normalQuantile(alpha / 2) * Math.sqrt(discordant);
  const short = normalQuantile(1 - wanted) * Math.sqrt(discordant - difference ** 2);
  const connor = Math.ceil(((beyond + short) / difference) ** 2);
  const exact = connor * discordant > MOST_DISCORDANT ? null : leastCases(isEnough, 1, MOST);
  return { n: exact, power: exact && mcnemarPower(exact, difference, discordant, alpha), connor };
}

// ---- Reading a form

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MOST_COUNTED = 1e9; // cases; with more, the continued fraction is slow

// Invalid input throws an error with one sentence and the field concerned.
const refuse = (sentence, field) => { throw Object.assign(new Error(sentence), { field }); };
const quoted = field => `“${field.labels[0].querySelector("span").textContent}”`;

function numberIn(field, be, isFit) {
  const text = field.value.replace(/[\s_]/g, ""), value = NUMBER.test(text) ? Number(text) : NaN;
  const end = text ? `, not ${text}` : "; it is empty";
  return isFit(value) ? value : refuse(`${quoted(field)} must be ${be}${end}.`, field);
}
function wholeIn(field, least = 0) {
  const isFit = value => Number.isInteger(value) && value >= least && value <= MOST_COUNTED;
  return numberIn(field, `a whole number from ${least} to a thousand million`, isFit);
}
// Fields have percentages, formulas have proportions.
const shareIn = (field, be, isFit) => numberIn(field, `a number ${be}`, isFit) / 100;
const confidenceIn = field => shareIn(field, "from 50 to below 100", value => value >= 50 && value < 100);
const levelIn = field => shareIn(field, "above 0, up to 50", value => value >= 1e-7 && value <= 50);

// ---- Writing a result

const maker = space => (tag, attributes, ...children) => {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const html = maker("http://www.w3.org/1999/xhtml"), svg = maker("http://www.w3.org/2000/svg");

const plain = (value, digits = 12) => String(Number(value.toPrecision(digits))); // rounds 100 * 0.07 to 7
const typed = share => plain(100 * share);
const percent = (share, digits) => (100 * share).toFixed(digits);
// Decimals of a percentage that distinguish the ends of an interval from each other, and the lower end from 0.
const decimals = share => Math.ceil(-Math.log10(100 * (share || 1)));
const digitsFor = (width, low = 1) => Math.min(Math.max(1, 1 + decimals(width), decimals(low)), 12);
const pText = p => p <= LEAST_P ? "< 2.3e-308" : `= ${p < 1e-4 ? p.toExponential(2) : plain(p, 3)}`;

// Rows are lists of texts; the marked row has the mark beside its first text.
function table(caption, head, rows, marked, mark) {
  const line = ([name, ...cells], i) => {
    const named = html("th", { scope: "row" }, name, ...(i === marked ? [" ", html("small", {}, mark)] : []));
    return html("tr", i === marked ? { class: "is-marked" } : {}, named, ...cells.map(cell => html("td", {}, cell)));
  };
  const top = html("tr", {}, ...head.map(name => html("th", { scope: "col" }, name)));
  return html("table", {}, html("caption", {}, caption), html("thead", {}, top), html("tbody", {}, ...rows.map(line)));
}

// Round axis values between two proportions.
function ticks(low, high) {
  const rough = (high - low) / 4, size = 10 ** Math.floor(Math.log10(rough));
  const step = size * [1, 2, 5, 10].find(times => times * size >= rough), first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

// Intervals as bars; the first, which is the default, is bold. Horizontal positions are in percent of the width, so
// that the picture fits a phone while its text stays readable.
function picture(rows, share) {
  const low = Math.min(...rows.map(row => row.low)), high = Math.max(...rows.map(row => row.high));
  const part = value => `${(10 + 80 * (value - low) / (high - low)).toFixed(3)}%`;
  const upright = (kind, value, y1, y2) => svg("line", { class: kind, x1: part(value), x2: part(value), y1, y2 });
  const height = 34, bottom = rows.length * height + 4;
  const bars = rows.flatMap((row, i) => {
    const y = i * height + 25, across = { x1: part(row.low), x2: part(row.high), y1: y, y2: y };
    const bar = svg("line", { class: i ? "bar" : "bar is-marked", ...across });
    return [svg("text", { x: 0, y: y - 11 }, row.title), bar, upright("seen", share, y - 8, y + 8)];
  });
  const marks = ticks(low, high).flatMap(value => [
    upright("axis", value, bottom, bottom + 5),
    svg("text", { x: part(value), y: bottom + 19, "text-anchor": "middle" }, `${typed(value)} %`),
  ]);
  const axis = svg("line", { class: "axis", x1: "10%", x2: "90%", y1: bottom, y2: bottom });
  const label = "Bars of the intervals in the table below, with a line at the observed proportion.";
  return svg("svg", { role: "img", "aria-label": label, width: "100%", height: bottom + 24 }, ...bars, axis, ...marks);
}

// ---- The calculators. From the fields of a form they compute sentences, unrounded values, and a table and picture.

function intervalPage({ count, what, n, confidence, side }) {
  const x = wholeIn(count), cases = wholeIn(n, 1), level = confidenceIn(confidence), share = x / cases;
  if (x > cases) refuse(`${quoted(count)} must be at most ${quoted(n)}.`, count);
  let rows = Object.entries(METHODS).map(([method, [title]]) => {
    const [low, high] = interval(method, x, cases, level, side.value);
    return { method, title, low, high };
  });
  // If the default equals Wilson's interval, it is called Wilson.
  if (rows[0].low === rows[1].low && rows[0].high === rows[1].high) rows = rows.slice(1);
  const { title, low, high } = rows[0], isTwoSided = side.value === "two-sided";
  const digits = digitsFor(isTwoSided ? high - low : side.value === "lower" ? share - low : high - share, low);
  const ends = [low, high].map(end => percent(end, digits)), bound = side.value === "lower" ? "least" : "most";
  const bounds = isTwoSided ? ` [${ends.join(", ")}]` : `, at ${bound} ${ends[bound === "least" ? 0 : 1]} %`;
  const method = `${typed(level)} % ${title}${isTwoSided ? "" : ", one-sided"}`;
  const more = value => percent(value, digits + 1);
  const lines = rows.map(row => [row.title, more(row.low), more(row.high), more(row.high - row.low)]);
  const list = table(`Proportion ${what.value}, in %`, ["Method", "Low", "High", "Width"], lines, 0, "default");
  const sentence = `${x} of ${cases} ${what.value}: ${percent(share, digits)} %${bounds} (${method}).`;
  return { sentences: [sentence], values: { rows }, details: [picture(rows, share), list] };
}

// The number of cases if the two optional counts are filled in, otherwise 0.
function allCases(discordant, both, neither) {
  const empty = [both, neither].filter(field => !field.value.trim());
  if (empty.length === 2) return 0;
  if (empty.length === 1) refuse(`Fill in both ${quoted(both)} and ${quoted(neither)}, or leave both empty.`, empty[0]);
  return discordant + wholeIn(both) + wholeIn(neither);
}
const TESTS = { "exact": "Exact", "mid-p": "mid-p", "chi2": "Chi-square", "chi2-corrected": "Chi-square, corrected" };
function mcnemarPage({ first, second, both, neither, level }) {
  const e10 = wholeIn(first), e01 = wholeIn(second), m = e01 + e10, n = allCases(m, both, neither);
  const alpha = levelIn(level), tests = mcnemar(e01, e10), names = Object.keys(tests), method = chosen(m);
  const sentences = verdict(e01, e10, tests[method][1], alpha), values = { tests, method };
  const isSplit = new Set(names.map(name => tests[name][1] <= alpha)).size > 1;
  if (isSplit) sentences.push("The methods disagree at this level: choose one before you see the data.");
  if (n > 0) {
    const [low, high] = tango(e01, e10, n, 1 - alpha), digits = digitsFor(high - low), difference = (e10 - e01) / n;
    const [gap, from, to] = [difference, low, high].map(value => percent(value, digits));
    const shown = `${gap} points [${from}, ${to}] (${typed(1 - alpha)} % Tango, ${n} cases)`;
    sentences.push(`Difference in accuracy, first minus second: ${shown}.`);
    Object.assign(values, { difference, low, high });
  }
  const texts = ([statistic, p]) => [String(Number(statistic.toFixed(3))), pText(p).replace("= ", "")];
  const lines = names.map(name => [TESTS[name], ...texts(tests[name])]);
  const list = table("Two-sided tests", ["Method", "Statistic", "p"], lines, names.indexOf(method), "default");
  return { sentences, values, details: [list] };
}

// The verdict in one sentence, and its basis in another.
function verdict(e01, e10, p, alpha) {
  const m = e01 + e10, leader = e10 > e01 ? "first" : "second", level = `at the ${typed(alpha)} % level`;
  if (m === 0) return ["Both classify the same cases correctly, so there is no difference to test (p = 1)."];
  const split = e01 === e10 ? "each has half" : `the ${leader} has ${Math.max(e01, e10)}`;
  const basis = `Of the ${m} cases that only one classifies correctly, ${split}.`;
  const test = `p ${pText(p)} (${TESTS[chosen(m)]})`;
  if (p <= alpha) return [`The ${leader} is better ${level}: ${test}.`, basis];
  return [`Neither is shown to be better ${level}: ${test}.`, `${basis} This does not show that they are equal.`];
}

function tableOfSizes(n, head, textOf) {
  const sizes = [...new Set([0.25, 0.5, 0.75, 1, 1.5, 2].map(part => Math.max(Math.min(n, 2), Math.ceil(n * part))))];
  const lines = sizes.map(size => [String(size), textOf(size)]);
  return table("With fewer and with more cases", ["Cases", head], lines, sizes.indexOf(n), "planned");
}
const TOO_MANY = "More than eight million cases are needed.", CONNOR = "Connor's normal formula (1987)";
function widthPage({ accuracy, half, confidence }) {
  const share = shareIn(accuracy, "from 0 to 100", value => value >= 0 && value <= 100);
  const wanted = shareIn(half, "above 0 and below 50", value => value > 0 && value < 50);
  const level = confidenceIn(confidence), digits = digitsFor(wanted) + 1, plan = planHalfWidth(share, wanted, level);
  if (plan.n === null) refuse(TOO_MANY, half);
  const reach = `extends ${percent(plan.halfWidth, digits)} points to each side, on average`;
  const sentence = `For a true accuracy of ${typed(share)} % the ${typed(level)} % interval ${reach}.`;
  const textbook = share > 0 && share < 1 ? [`The textbook formula gives ${plan.textbook}.`] : [];
  const list = tableOfSizes(plan.n, "Half-width, points", n => percent(halfWidth(share, n, level), digits));
  return { sentences: [`${plan.n} cases`, sentence, ...textbook], values: plan, details: [list] };
}

function powerPage({ difference, discordant, power: wanted, level }) {
  const disagreeing = shareIn(discordant, "above 0 and below 100", value => value > 0 && value < 100);
  const gap = shareIn(difference, "above 0", value => value > 0), alpha = levelIn(level);
  if (gap > disagreeing) refuse(`${quoted(difference)} must be at most ${quoted(discordant)}.`, difference);
  const wantedPower = shareIn(wanted, "above the level and below 100", value => value > 100 * alpha && value < 100);
  const plan = planMcnemar(wantedPower, gap, disagreeing, alpha), isExact = plan.n !== null;
  if (!isExact && plan.connor > MOST) refuse(TOO_MANY, difference);
  const reached = isExact ? percent(plan.power, 1) : typed(wantedPower);
  const test = `McNemar's test, two-sided at the ${typed(alpha)} % level, shows a difference of ${typed(gap)} points`;
  const sentences = [
    isExact ? `${plan.n} cases` : `${plan.connor} cases, by ${CONNOR}`,
    `${test} with a power of ${reached} % if ${typed(disagreeing)} % of the cases are discordant.`,
    isExact ? `The power is exact; ${CONNOR} gives ${plan.connor} cases.` : "For exact power, use the Python function.",
  ];
  const powerOf = n => percent(mcnemarPower(n, gap, disagreeing, alpha), 1);
  return { sentences, values: plan, details: isExact ? [tableOfSizes(plan.n, "Power, %", powerOf)] : [] };
}

const PAGES = { "interval": intervalPage, "mcnemar": mcnemarPage, "width": widthPage, "power": powerPage };

// ---- Forms and the address

// Compute and show the result of a form, or one sentence that explains why there is none.
function show(form) {
  const answer = form.querySelector(".answer");
  let result, refused = null;
  try {
    result = PAGES[form.dataset.calculator](form.elements);
  } catch (error) {
    if (!error.field) throw error;
    [result, refused] = [{ sentences: [error.message], values: null, details: [] }, error.field];
  }
  for (const field of form.elements) field.setAttribute("aria-invalid", String(field === refused));
  const before = [...answer.children].map(paragraph => paragraph.textContent);
  if (before.join("\n") !== result.sentences.join("\n")) { // screen readers do not repeat unchanged text
    answer.replaceChildren(...result.sentences.map(text => html("p", {}, text)));
  }
  answer.classList.toggle("is-refused", refused !== null);
  answer.dataset.values = JSON.stringify(result.values);
  form.querySelector(".details").replaceChildren(...result.details);
}

// The fields of a page are stored in the fragment of its address, so that a result can be linked.
function fromAddress(fields) {
  const state = new URLSearchParams(location.hash.slice(1));
  for (const field of fields) {
    const text = state.get(field.name), isOffered = [...field.options ?? []].some(option => option.value === text);
    if (text !== null && (isOffered || !field.options)) field.value = text;
  }
}
const inAddress = fields => `#${new URLSearchParams(fields.map(field => [field.name, field.value]))}`;

const PAUSE = 150; // milliseconds after the last key, so that no result is shown for half a number
function start() {
  const forms = [...document.querySelectorAll("form[data-calculator]")];
  const fields = forms.flatMap(form => [...form.elements]);
  const restore = () => { fromAddress(fields); forms.forEach(show); };
  for (const form of forms) {
    let waiting;
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { history.replaceState(null, "", inAddress(fields)); show(form); }, PAUSE);
    });
  }
  addEventListener("hashchange", restore);
  restore();
}

window.calculators = { interval, mcnemar, tango, halfWidth, planHalfWidth, mcnemarPower, planMcnemar };
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
})();
