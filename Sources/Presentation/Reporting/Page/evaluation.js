// Script of the page of an evaluation.
(function () {
"use strict";
var data = page.data, byId = page.byId, all = page.all, shape = page.shape, metres = page.metres, entry = page.entry;
var layer = page.layer, px = page.px, py = page.py;

// Distributions: which curves are shown, on which scale, and their shares at a length.
var charts = all(".distribution");
var cursor = byId("cursor");
function shownChart() { return charts.find(function (chart) { return !chart.classList.contains("off"); }); }
function showScale() {
  var chosen = all("input[name=scale]").find(function (choice) { return choice.checked; }).value;
  charts.forEach(function (chart) { chart.classList.toggle("off", chart.dataset.log !== chosen); });
  showShares();
}
function showCurves() {
  all(".curve-choice").forEach(function (choice) {
    all(".distribution [data-algorithm='" + choice.value + "']").forEach(function (curve) {
      curve.classList.toggle("off", !choice.checked);
    });
  });
}
function shareWithin(algorithm, length) {
  var low = 0, high = algorithm.errors.length;
  while (low < high) {
    var middle = (low + high) >> 1;
    if (algorithm.errors[middle] <= length * 1000) low = middle + 1; else high = middle;
  }
  return algorithm.asked ? (low ? algorithm.ranks[low - 1] : 0) / algorithm.asked : 0;
}
function showShares() {
  var chart = shownChart(), place = Number(cursor.value) / 1000;
  var lower = Number(chart.dataset.lower), upper = Number(chart.dataset.upper);
  var length = chart.dataset.log === "1" ? lower * Math.pow(upper / lower, place) : upper * place;
  byId("cursor-length").textContent = length.toFixed(2) + " m";
  var line = chart.querySelector(".cursor");
  line.setAttribute("x1", 58 + 826 * place);
  line.setAttribute("x2", 58 + 826 * place);
  line.setAttribute("visibility", "visible");
  all("output.share").forEach(function (output) {
    var share = shareWithin(data.algorithms[Number(output.dataset.algorithm)], length);
    output.textContent = (100 * share).toFixed(0) + "\u2009%";
  });
}
function setUpDistributions() {
  // At first, the length that half of the best algorithm's answers reach.
  var best = data.algorithms[0], chart = charts[0];
  var middle = best && best.errors.length ? best.errors[best.errors.length >> 1] / 1000 : 0;
  cursor.value = Math.round(1000 * Math.min(1, middle / Number(chart.dataset.upper)));
  all(".curve-choice").forEach(function (choice) { choice.addEventListener("change", showCurves); });
  all("input[name=scale]").forEach(function (choice) { choice.addEventListener("change", showScale); });
  cursor.addEventListener("input", showShares);
  charts.forEach(function (chart) {
    chart.addEventListener("pointermove", function (event) {
      var at = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
      cursor.value = Math.round(1000 * Math.min(Math.max((at.x - 58) / 826, 0), 1));
      showShares();
    });
  });
  showCurves();
  showScale();
}
setUpDistributions();

// Floor plan: questions and answers, lengths in centimetres.
var state = { trace: 0, algorithm: data.best, beside: data.plain, epoch: 0 };
data.traces.forEach(function (trace) { trace.x = page.summed(trace.x); trace.y = page.summed(trace.y); });
function numberOf(trace, epoch) { return (trace.numbers ? trace.numbers[epoch] : epoch) + 1; }
function epochOf(trace, number) {
  if (!trace.numbers) return Math.min(Math.max(number - 1, 0), trace.x.length - 1);
  var nearest = 0;
  trace.numbers.forEach(function (other, epoch) {
    if (Math.abs(other + 1 - number) < Math.abs(trace.numbers[nearest] + 1 - number)) nearest = epoch;
  });
  return nearest;
}
function answerOf(trace, algorithm, epoch) {
  var answers = trace.answers[algorithm];
  if (!answers || epoch >= trace.x.length) return null;
  if (answers.x[epoch] === null) return { refusal: data.refusals[answers.y[epoch]] };
  var a = answers.a[epoch];
  return {
    x: trace.x[epoch] + answers.x[epoch], y: trace.y[epoch] + answers.y[epoch], f: answers.f ? answers.f[epoch] : 0,
    error: Math.hypot(answers.x[epoch], answers.y[epoch]),
    major: a >= 0 ? a : null, minor: answers.b[epoch], degrees: answers.g[epoch],
    reason: a >= 0 ? null : data.reasons[-1 - a], dx: answers.x[epoch], dy: answers.y[epoch]
  };
}
function holdsTruth(answer) {
  if (answer.major === null || answer.minor <= 0) return null;
  var turn = answer.degrees * Math.PI / 180;
  var along = answer.dx * Math.cos(turn) + answer.dy * Math.sin(turn);
  var across = answer.dy * Math.cos(turn) - answer.dx * Math.sin(turn);
  return Math.hypot(along / answer.major, across / answer.minor) <= page.holding;
}

// Floor plan: picture of the selected trace, algorithm and epoch.
function floorAt(trace, epoch) { return trace.f ? trace.f[epoch] : 0; }
// The true path, which begins anew on each floor.
function path(trace) {
  return trace.x.map(function (x, epoch) {
    var floor = floorAt(trace, epoch), goesOn = epoch && floorAt(trace, epoch - 1) === floor;
    return (goesOn ? "L" : "M") + px(x, floor) + " " + py(trace.y[epoch], floor);
  }).join("");
}
// In a building, the ways of all traces show where people walk; outlines are often unknown.
if (page.picture.dataset.floors) {
  shape(page.picture.querySelector(".base"), "path", { d: data.traces.map(path).join("") }, "ways");
}
function drawTrace() {
  layer.textContent = "";
  var trace = data.traces[state.trace];
  if (!trace) return;
  shape(layer, "path", { d: path(trace) }, "truth-path");
  if (trace.x.length > 1) {
    [["start", 0], ["end", trace.x.length - 1]].forEach(function (end) {
      var floor = floorAt(trace, end[1]), x = px(trace.x[end[1]], floor), y = py(trace.y[end[1]], floor);
      shape(layer, "text", { x: x, y: y, dy: "-0.6em", "text-anchor": "middle" }, "truth-end").textContent = end[0];
    });
  }
  chosen().forEach(function (algorithm) {
    var dots = {}, joined = {}, pen = "M", floor = -1;
    for (var epoch = 0; epoch < trace.x.length; epoch++) {
      var answer = answerOf(trace, algorithm, epoch);
      if (answer.refusal) { pen = "M"; continue; }
      if (answer.f !== floor) pen = "M";
      floor = answer.f;
      var place = px(answer.x, floor) + " " + py(answer.y, floor);
      dots[floor] = (dots[floor] || "") + "M" + place + "h0";
      joined[floor] = (joined[floor] || "") + pen + place;
      pen = "L";
    }
    Object.keys(dots).forEach(function (floor) {
      var part = page.onFloor(layer, floor);
      if (byId("plan-joined").checked) shape(part, "path", { d: joined[floor] }, "joined c" + algorithm % 8);
      if (byId("plan-all").checked) {
        shape(part, "path", { d: dots[floor] }, "cloud c" + algorithm % 8 + (trace.x.length > 800 ? " dense" : ""));
      }
    });
  });
  shape(layer, "g", { id: "plan-now" });
  drawErrors();
  drawEpoch();
}
function chosen() {
  return state.beside >= 0 && state.beside !== state.algorithm ? [state.beside, state.algorithm] : [state.algorithm];
}
function drawEpoch() {
  var now = byId("plan-now"), trace = data.traces[state.trace], epoch = state.epoch;
  if (!now || !trace.x.length) { byId("plan-readout").textContent = "no epoch in this " + data.unit; return; }
  now.textContent = "";
  var floor = floorAt(trace, epoch), truth = { x: px(trace.x[epoch], floor), y: py(trace.y[epoch], floor) };
  chosen().forEach(function (algorithm) {
    var answer = answerOf(trace, algorithm, epoch);
    if (answer.refusal) return;
    var group = shape(page.onFloor(now, answer.f), "g", { "data-algorithm": algorithm }, "c" + algorithm % 8);
    var x = px(answer.x, answer.f), y = py(answer.y, answer.f);
    page.drawEllipse(group, answer);
    if (answer.f === floor) shape(group, "line", { x1: truth.x, y1: truth.y, x2: x, y2: y }, "miss");
    shape(group, "circle", { cx: x, cy: y, r: 9 }, "now");
  });
  shape(now, "circle", { cx: truth.x, cy: truth.y, r: 8 }, "truth-now");
  read();
}
function read() {
  var list = byId("plan-readout"), trace = data.traces[state.trace], epoch = state.epoch;
  list.textContent = "";
  entry(list, "epoch", numberOf(trace, epoch) + " of " + trace.count);
  entry(list, "time", "+" + (trace.t[epoch] / 1000).toFixed(1) + " s");
  entry(list, "truth", page.floorName(floorAt(trace, epoch)) + metres(trace.x[epoch]) + ", " + metres(trace.y[epoch]) + " m");
  entry(list, "anchors heard", trace.heard[epoch]);
  if (trace.bound[epoch] >= 0) entry(list, "bound", metres(trace.bound[epoch]) + " m RMS");
  chosen().reverse().forEach(function (algorithm) {
    page.heading(list, data.algorithms[algorithm].name);
    var answer = answerOf(trace, algorithm, epoch);
    if (answer.refusal) { entry(list, "no answer", answer.refusal, "big"); return; }
    var isWrong = answer.f !== floorAt(trace, epoch);
    entry(list, "error", metres(answer.error) + " m" + (isWrong ? ", wrong floor" : ""), "big");
    entry(list, "answer", page.floorName(answer.f) + metres(answer.x) + ", " + metres(answer.y) + " m" + (page.isShown(answer) ? "" : ", outside the plan"));
    page.entryOfEllipse(list, answer);
    var held = holdsTruth(answer);
    if (held !== null && !isWrong) entry(list, "truth inside", held ? "yes" : "no");
  });
}

// What is near the pointer: an epoch by its truth or by its answer.
page.setNearest({
  find: function (at) {
    var trace = data.traces[state.trace];
    if (!trace) return null;
    var count = trace.x.length, algorithms = chosen();
    var number = page.nearestOf(at, count * (1 + algorithms.length), function (number) {
      var epoch = number % count, kind = Math.floor(number / count);
      if (kind === 0) return { x: trace.x[epoch], y: trace.y[epoch], f: floorAt(trace, epoch) };
      if (!byId("plan-all").checked) return null;
      var answer = answerOf(trace, algorithms[kind - 1], epoch);
      return answer.refusal ? null : answer;
    });
    if (number === null) return null;
    var epoch = number % count;
    return { epoch: epoch, text: "epoch " + numberOf(trace, epoch) + ", " + algorithms.slice().reverse().map(function (algorithm) {
      var answer = answerOf(trace, algorithm, epoch);
      return data.algorithms[algorithm].name + " " + (answer.refusal || metres(answer.error) + " m off");
    }).join(", ") };
  },
  choose: function (near) { steps.stop(); steps.goTo(near.epoch); }
});

// Timeline: errors over the trace.
function drawErrors() {
  var trace = data.traces[state.trace];
  var top = page.drawTimeline(chosen().map(function (algorithm) {
    return { colour: "c" + algorithm % 8, values: trace.x.map(function (_, epoch) {
      var answer = answerOf(trace, algorithm, epoch);
      return answer.refusal ? null : answer.error;
    }) };
  }), steps.x);
  byId("plan-timeline-note").textContent = "Error over the " + data.unit + ", 0 to " + metres(top)
    + " m; larger ones are cut off. Marks below the line: no answer.";
}

// Controls: select, step and play.
var steps = page.player(
  function () { return data.traces[state.trace] ? data.traces[state.trace].x.length : 0; },
  function (epoch) {
    var trace = data.traces[state.trace];
    return trace.x.length ? "epoch " + numberOf(trace, epoch) : "no epoch";
  },
  function (epoch) { state.epoch = epoch; drawEpoch(); writeAddress(); });
function choose() {
  byId("plan-trace").value = state.trace;
  byId("plan-algorithm").value = state.algorithm;
  byId("plan-beside").value = state.beside;
  document.querySelector("#plan .key").style.setProperty("--colour", "var(--c" + state.algorithm % 8 + ")");
  if (data.traces[state.trace]) { drawTrace(); steps.goTo(state.epoch); }
}
["trace", "algorithm", "beside"].forEach(function (key) {
  byId("plan-" + key).addEventListener("change", function (event) {
    steps.stop();
    state[key] = Number(event.target.value);
    if (key === "trace") state.epoch = 0;
    choose();
  });
});
["all", "joined"].forEach(function (key) {
  byId("plan-" + key).addEventListener("change", function () { drawTrace(); steps.goTo(state.epoch); });
});
if (byId("plan-heat")) page.chooseHeat(byId("plan-heat"));
var worstChoice = byId("worst-choice");
function showWorst() {
  all("#worst-table tbody tr").forEach(function (row) {
    row.classList.toggle("off", worstChoice.value !== "" && row.dataset.algorithm !== worstChoice.value);
  });
}
if (worstChoice) {
  worstChoice.value = "0";
  worstChoice.addEventListener("change", showWorst);
  showWorst();
}

// Address: the state of the plan behind "#", both ways.
var isReady = false;
function writeAddress() {
  var trace = data.traces[state.trace], algorithm = data.algorithms[state.algorithm];
  if (!isReady || !trace || !algorithm || !trace.x.length) return;
  var named = { trace: trace.name, algorithm: algorithm.name, epoch: numberOf(trace, state.epoch) };
  if (state.beside >= 0) named.beside = data.algorithms[state.beside].name;
  page.writeAddress(named);
}
function followAddress() {
  var named = page.readAddress();
  if (!named) return;
  var trace = page.placeOf(data.traces, named.trace), algorithm = page.placeOf(data.algorithms, named.algorithm);
  if (trace >= 0) state.trace = trace;
  if (algorithm >= 0) state.algorithm = algorithm;
  state.beside = named.beside === undefined ? -1 : page.placeOf(data.algorithms, named.beside);
  if (named.epoch !== undefined) state.epoch = epochOf(data.traces[state.trace], Math.round(Number(named.epoch)) || 1);
  steps.stop();
  choose();
  byId("plan").scrollIntoView();
}
window.addEventListener("hashchange", followAddress);
if (data.traces.length && data.algorithms.length) {
  choose();
  isReady = true;
  followAddress();
}
})();
