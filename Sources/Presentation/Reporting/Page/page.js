// Script of a report page: plain JavaScript without libraries, in one function.
(function () {
"use strict";

// Shared by all parts.
var root = document.documentElement;
root.classList.add("js");
var data = JSON.parse(document.getElementById("data").textContent);
function byId(name) { return document.getElementById(name); }
function all(selector, where) { return Array.from((where || document).querySelectorAll(selector)); }
function shape(parent, name, attributes, classes) {
  var element = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]); });
  if (classes) element.setAttribute("class", classes);
  parent.appendChild(element);
  return element;
}
function metres(centimetres) { return (centimetres / 100).toFixed(2); }

// Sorting of tables: a button in each heading.
function sortKey(row, column) {
  var cell = row.cells[column];
  return cell.dataset.order === undefined ? cell.textContent.trim() : Number(cell.dataset.order);
}
function sortRows(table, heading, column) {
  var falls = heading.getAttribute("aria-sort") === "ascending";
  all("thead th", table).forEach(function (other) { other.removeAttribute("aria-sort"); });
  heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
  var body = table.tBodies[0];
  var rows = Array.from(body.rows).map(function (row, index) { return [sortKey(row, column), index, row]; });
  rows.sort(function (a, b) {
    var order = typeof a[0] === "number" && typeof b[0] === "number"
      ? a[0] - b[0] : String(a[0]).localeCompare(String(b[0]), "en", { numeric: true });
    return (falls ? -order : order) || a[1] - b[1];
  });
  rows.forEach(function (row) { body.appendChild(row[2]); });
}
all("table.sortable").forEach(function (table) {
  all("thead th", table).forEach(function (heading, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.textContent = "";
    heading.appendChild(button);
    button.addEventListener("click", function () { sortRows(table, heading, column); });
  });
});

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
    all(".curve[data-algorithm='" + choice.value + "']").forEach(function (curve) {
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
  showCurves();
  showScale();
}
setUpDistributions();

// Floor plan: questions and answers, lengths in centimetres.
var picture = byId("plan-picture"), layer = byId("plan-answers");
var view = { left: Number(picture.dataset.left), top: Number(picture.dataset.top), scale: Number(picture.dataset.scale) };
var state = { trace: 0, algorithm: 0, beside: -1, epoch: 0 };
function summed(differences) {
  var sum = 0;
  return differences.map(function (difference) { sum += difference; return sum; });
}
data.traces.forEach(function (trace) { trace.x = summed(trace.x); trace.y = summed(trace.y); });
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
    x: trace.x[epoch] + answers.x[epoch], y: trace.y[epoch] + answers.y[epoch],
    error: Math.hypot(answers.x[epoch], answers.y[epoch]),
    major: a >= 0 ? a : null, minor: answers.b[epoch], degrees: answers.g[epoch],
    reason: a >= 0 ? null : data.reasons[-1 - a], dx: answers.x[epoch], dy: answers.y[epoch]
  };
}
// √(-2 ln 0.05): so many standard deviations of a Gaussian in the plane hold 95 %.
var holding = Math.sqrt(-2 * Math.log(0.05));
function holdsTruth(answer) {
  if (answer.major === null || answer.minor <= 0) return null;
  var turn = answer.degrees * Math.PI / 180;
  var along = answer.dx * Math.cos(turn) + answer.dy * Math.sin(turn);
  var across = answer.dy * Math.cos(turn) - answer.dx * Math.sin(turn);
  return Math.hypot(along / answer.major, across / answer.minor) <= holding;
}

// Floor plan: picture of the selected trace, algorithm and epoch.
function px(x) { return ((x / 100 - view.left) * view.scale).toFixed(1); }
function py(y) { return ((view.top - y / 100) * view.scale).toFixed(1); }
function line(xs, ys) {
  return xs.map(function (x, index) { return (index ? "L" : "M") + px(x) + " " + py(ys[index]); }).join("");
}
function drawTrace() {
  layer.textContent = "";
  var trace = data.traces[state.trace];
  if (!trace) return;
  shape(layer, "path", { d: line(trace.x, trace.y) }, "truth-path");
  chosen().forEach(function (algorithm) {
    var dots = "", joined = "", pen = "M";
    for (var epoch = 0; epoch < trace.x.length; epoch++) {
      var answer = answerOf(trace, algorithm, epoch);
      if (answer.refusal) { pen = "M"; continue; }
      var place = px(answer.x) + " " + py(answer.y);
      dots += "M" + place + "h0";
      joined += pen + place;
      pen = "L";
    }
    if (byId("plan-joined").checked) shape(layer, "path", { d: joined }, "joined c" + algorithm % 8);
    if (byId("plan-all").checked) {
      shape(layer, "path", { d: dots }, "cloud c" + algorithm % 8 + (trace.x.length > 800 ? " dense" : ""));
    }
  });
  shape(layer, "g", { id: "plan-now" });
  drawTimeline();
  drawEpoch();
}
function chosen() {
  return state.beside >= 0 && state.beside !== state.algorithm ? [state.beside, state.algorithm] : [state.algorithm];
}
function drawEpoch() {
  var now = byId("plan-now"), trace = data.traces[state.trace], epoch = state.epoch;
  if (!now || !trace.x.length) { byId("plan-readout").textContent = "no question in this trace"; return; }
  now.textContent = "";
  var truth = { x: px(trace.x[epoch]), y: py(trace.y[epoch]) };
  chosen().forEach(function (algorithm) {
    var answer = answerOf(trace, algorithm, epoch);
    if (answer.refusal) return;
    var group = shape(now, "g", { "data-algorithm": algorithm }, "c" + algorithm % 8);
    var x = px(answer.x), y = py(answer.y);
    if (answer.major !== null) {
      shape(group, "ellipse", {
        cx: x, cy: y, rx: (holding * answer.major / 100 * view.scale).toFixed(1),
        ry: (holding * answer.minor / 100 * view.scale).toFixed(1),
        transform: "rotate(" + -answer.degrees + " " + x + " " + y + ")"
      }, "ellipse");
    }
    shape(group, "line", { x1: truth.x, y1: truth.y, x2: x, y2: y }, "miss");
    shape(group, "circle", { cx: x, cy: y, r: 9 }, "now");
  });
  shape(now, "circle", { cx: truth.x, cy: truth.y, r: 8 }, "truth-now");
  read();
  markTimeline();
}
function entry(list, term, value, classes) {
  var name = document.createElement("dt"), text = document.createElement("dd");
  name.textContent = term;
  text.textContent = value;
  if (classes) text.className = classes;
  list.append(name, text);
}
function isShown(answer) {
  var box = picture.viewBox.baseVal, x = Number(px(answer.x)), y = Number(py(answer.y));
  return x >= 0 && y >= 0 && x <= box.width && y <= box.height;
}
function read() {
  var list = byId("plan-readout"), trace = data.traces[state.trace], epoch = state.epoch;
  list.textContent = "";
  entry(list, "epoch", numberOf(trace, epoch) + " of " + trace.count);
  entry(list, "time", "+" + (trace.t[epoch] / 1000).toFixed(1) + " s");
  entry(list, "truth", metres(trace.x[epoch]) + ", " + metres(trace.y[epoch]));
  entry(list, "anchors heard", trace.heard[epoch]);
  if (trace.bound[epoch] >= 0) entry(list, "bound", metres(trace.bound[epoch]) + " m RMS");
  chosen().reverse().forEach(function (algorithm) {
    var heading = document.createElement("dt");
    heading.className = "who";
    heading.textContent = data.algorithms[algorithm].name;
    list.append(heading);
    var answer = answerOf(trace, algorithm, epoch);
    if (answer.refusal) { entry(list, "no answer", answer.refusal, "big"); return; }
    entry(list, "error", metres(answer.error) + " m", "big");
    entry(list, "answer", metres(answer.x) + ", " + metres(answer.y) + (isShown(answer) ? "" : ", outside the plan"));
    if (answer.major === null) {
      entry(list, "ellipse", "none: " + answer.reason);
    } else {
      entry(list, "95 % half axes", metres(holding * answer.major) + " × " + metres(holding * answer.minor) + " m");
      var held = holdsTruth(answer);
      if (held !== null) entry(list, "truth inside", held ? "yes" : "no");
    }
  });
}

// Timeline: errors over the trace; a gap in a curve is an epoch without an answer.
var timeline = byId("plan-timeline");
function timelineX(epoch) {
  var count = data.traces[state.trace].x.length;
  return count > 1 ? 1000 * epoch / (count - 1) : 500;
}
function drawTimeline() {
  timeline.textContent = "";
  var trace = data.traces[state.trace], errors = [];
  chosen().forEach(function (algorithm) {
    for (var epoch = 0; epoch < trace.x.length; epoch++) {
      var answer = answerOf(trace, algorithm, epoch);
      if (!answer.refusal) errors.push(answer.error);
    }
  });
  errors.sort(function (a, b) { return a - b; });
  // One wild answer would press all others to the ground.
  var top = errors.length ? Math.min(errors[errors.length - 1], 3 * errors[Math.floor(errors.length * 0.9)] || 1) : 1;
  top = Math.max(top, 1);
  shape(timeline, "line", { x1: 0, x2: 1000, y1: 80, y2: 80 }, "base-line");
  chosen().forEach(function (algorithm) {
    var path = "", refused = "", pen = "M";
    for (var epoch = 0; epoch < trace.x.length; epoch++) {
      var answer = answerOf(trace, algorithm, epoch), x = timelineX(epoch).toFixed(1);
      if (answer.refusal) { refused += "M" + x + " 82v8"; pen = "M"; continue; }
      path += pen + x + " " + (80 - 76 * Math.min(answer.error / top, 1)).toFixed(1) + (pen === "M" ? "h0.1" : "");
      pen = "L";
    }
    shape(timeline, "path", { d: path }, "error c" + algorithm % 8);
    shape(timeline, "path", { d: refused }, "refused");
  });
  shape(timeline, "line", { id: "timeline-here", y1: 0, y2: 90 }, "here");
  byId("plan-timeline-note").textContent = "Error over the trace, 0 to " + metres(top)
    + " m; larger ones are cut off. Marks below the line: no answer.";
}
function markTimeline() {
  var here = byId("timeline-here");
  here.setAttribute("x1", timelineX(state.epoch));
  here.setAttribute("x2", timelineX(state.epoch));
}
function pickEpoch(event) {
  var box = timeline.getBoundingClientRect(), count = data.traces[state.trace].x.length;
  var share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
  goTo(Math.round(share * (count - 1)));
}
timeline.addEventListener("pointerdown", function (event) { pickEpoch(event); });
timeline.addEventListener("pointermove", function (event) { if (event.buttons) pickEpoch(event); });

// Controls: select, step and play.
var slider = byId("plan-epoch"), timer = null;
function goTo(epoch) {
  var trace = data.traces[state.trace];
  state.epoch = Math.min(Math.max(epoch, 0), Math.max(trace.x.length - 1, 0));
  slider.value = state.epoch;
  slider.setAttribute("aria-valuetext", trace.x.length ? "epoch " + numberOf(trace, state.epoch) : "no epoch");
  drawEpoch();
  writeAddress();
}
function choose() {
  var trace = data.traces[state.trace];
  byId("plan-trace").value = state.trace;
  byId("plan-algorithm").value = state.algorithm;
  byId("plan-beside").value = state.beside;
  slider.max = trace ? Math.max(trace.x.length - 1, 0) : 0;
  if (trace) { drawTrace(); goTo(state.epoch); }
}
function stop() {
  clearInterval(timer);
  timer = null;
  byId("plan-play").textContent = "Play";
  byId("plan-play").setAttribute("aria-pressed", "false");
  byId("plan-readout").setAttribute("aria-live", "polite");
}
function play() {
  var trace = data.traces[state.trace];
  if (state.epoch >= trace.x.length - 1) goTo(0);
  byId("plan-play").textContent = "Pause";
  byId("plan-play").setAttribute("aria-pressed", "true");
  // A reader of the screen would never keep up.
  byId("plan-readout").setAttribute("aria-live", "off");
  timer = setInterval(function () {
    if (state.epoch >= trace.x.length - 1) stop(); else goTo(state.epoch + 1);
  }, 200);
}
["trace", "algorithm", "beside"].forEach(function (key) {
  byId("plan-" + key).addEventListener("change", function (event) {
    stop();
    state[key] = Number(event.target.value);
    if (key === "trace") state.epoch = 0;
    choose();
  });
});
["all", "joined"].forEach(function (key) { byId("plan-" + key).addEventListener("change", drawTrace); });
function showNames() { picture.classList.toggle("nameless", !byId("plan-names").checked); }
byId("plan-names").addEventListener("change", showNames);
slider.addEventListener("input", function () { stop(); goTo(Number(slider.value)); });
byId("plan-back").addEventListener("click", function () { stop(); goTo(state.epoch - 1); });
byId("plan-forward").addEventListener("click", function () { stop(); goTo(state.epoch + 1); });
byId("plan-play").addEventListener("click", function () { if (timer) stop(); else play(); });
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
  var text = "#trace=" + encodeURIComponent(trace.name) + "&algorithm=" + encodeURIComponent(algorithm.name)
    + "&epoch=" + numberOf(trace, state.epoch);
  if (state.beside >= 0) text += "&beside=" + encodeURIComponent(data.algorithms[state.beside].name);
  try { history.replaceState(null, "", text); } catch (error) { /* Some viewers have no address. */ }
}
function places(list, name) { return list.findIndex(function (one) { return one.name === name; }); }
function readAddress(isFollowed) {
  var text = location.hash.slice(1);
  if (text.indexOf("=") < 0) return;
  var named = {};
  text.split("&").forEach(function (part) {
    var equals = part.indexOf("=");
    try { named[part.slice(0, equals)] = decodeURIComponent(part.slice(equals + 1)); } catch (error) { /* No text. */ }
  });
  var trace = places(data.traces, named.trace), algorithm = places(data.algorithms, named.algorithm);
  if (trace >= 0) state.trace = trace;
  if (algorithm >= 0) state.algorithm = algorithm;
  state.beside = named.beside === undefined ? -1 : places(data.algorithms, named.beside);
  if (named.epoch !== undefined) state.epoch = epochOf(data.traces[state.trace], Math.round(Number(named.epoch)) || 1);
  stop();
  choose();
  if (isFollowed) byId("plan").scrollIntoView();
}
window.addEventListener("hashchange", function () { readAddress(true); });
showNames();
if (data.traces.length && data.algorithms.length) {
  choose();
  isReady = true;
  readAddress(true);
}
})();
