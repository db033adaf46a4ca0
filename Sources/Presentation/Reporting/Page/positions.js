// Script of the page of located positions.
(function () {
"use strict";
var data = page.data, byId = page.byId, shape = page.shape, metres = page.metres, entry = page.entry;
var layer = page.layer, px = page.px, py = page.py;
var state = { trace: 0, node: -1, step: 0 };
// As many nodes are read out, and have a curve below the plan.
var most = 8;

data.traces.forEach(function (trace) {
  trace.nodes.forEach(function (node) {
    var x = 0, y = 0;
    node.at = new Array(trace.t.length).fill(-1);
    node.rows = page.summed(node.step).map(function (step, row) {
      node.at[step] = row;
      if (node.x[row] === null) return { step: step, refusal: data.refusals[node.y[row]] };
      x += node.x[row];
      y += node.y[row];
      var a = node.a[row];
      return {
        step: step, x: x, y: y, f: node.f ? node.f[row] : 0, major: a >= 0 ? a : null, minor: node.b[row], degrees: node.g[row],
        reason: a >= 0 ? null : data.reasons[-1 - a]
      };
    });
  });
});
function current() { return data.traces[state.trace]; }
function shown() { return state.node >= 0 ? [current().nodes[state.node]] : current().nodes; }

function drawTrace() {
  layer.textContent = "";
  shown().forEach(function (node) {
    var dots = "", path = "", last = null;
    node.rows.forEach(function (row) {
      if (row.refusal) { last = null; return; }
      var place = px(row.x, row.f) + " " + py(row.y, row.f);
      dots += "M" + place + "h0";
      // A path ends where the floor changes.
      path += (row.f === last ? "L" : "M") + place;
      last = row.f;
    });
    if (byId("plan-joined").checked) shape(layer, "path", { d: path }, "joined " + node.colour);
    if (byId("plan-all").checked) {
      shape(layer, "path", { d: dots }, "cloud " + node.colour + (node.rows.length > 800 ? " dense" : ""));
    }
  });
  shape(layer, "g", { id: "plan-now" });
  var top = page.drawTimeline(shown().slice(0, most).map(function (node) {
    return { colour: node.colour, values: node.at.map(function (row) {
      if (row < 0) return NaN;
      var here = node.rows[row];
      return here.refusal ? null : here.major === null ? NaN : page.holding * here.major;
    }) };
  }), steps.x);
  byId("plan-timeline-note").textContent = "Longer half axis of the 95 % ellipse over the trace, 0 to " + metres(top)
    + " m; longer ones are cut off. Marks below the line: no position.";
}
function drawStep() {
  var now = byId("plan-now"), nodes = shown(), list = byId("plan-readout"), trace = current();
  now.textContent = "";
  list.textContent = "";
  entry(list, "time", new Date(trace.start + trace.t[state.step]).toISOString().replace("T", " ").replace(/(\.000)?Z/, " UTC"));
  entry(list, "since start", "+" + (trace.t[state.step] / 1000).toFixed(1) + " s");
  nodes.forEach(function (node, index) {
    var number = node.at[state.step], row = node.rows[number];
    if (row && !row.refusal) {
      var group = shape(now, "g", {}, node.colour);
      page.drawEllipse(page.onFloor(group, row.f), row);
      shape(group, "circle", { cx: px(row.x, row.f), cy: py(row.y, row.f), r: 9 }, "now");
    }
    if (index >= most) return;
    page.heading(list, node.name);
    if (!row) { entry(list, "position", "not asked now"); return; }
    if (row.refusal) {
      entry(list, "no position", row.refusal, "big");
    } else {
      entry(list, "position", page.floorName(row.f) + metres(row.x) + ", " + metres(row.y) + " m" + (page.isShown(row) ? "" : ", outside the plan"), "big");
      page.entryOfEllipse(list, row);
      if (node.room && node.room[number] >= 0) entry(list, "room", data.rooms[node.room[number]]);
      if (node.spot && node.spot[number] >= 0) entry(list, "spot", data.spots[node.spot[number]]);
    }
    entry(list, "anchors heard", node.heard[number]);
  });
  if (nodes.length > most) entry(list, "and", nodes.length - most + " more: choose one above");
}

// What is near the pointer: a position of a node.
page.setNearest({
  find: function (at) {
    var found = null;
    if (!byId("plan-all").checked) return null;
    shown().forEach(function (node) {
      var number = page.nearestOf(at, node.rows.length, function (row) { return node.rows[row].refusal ? null : node.rows[row]; });
      if (number !== null) found = { step: node.rows[number].step, text: node.name + " at +" + (current().t[node.rows[number].step] / 1000).toFixed(1) + " s" };
    });
    return found;
  },
  choose: function (near) { steps.stop(); steps.goTo(near.step); }
});

var steps = page.player(
  function () { return current().t.length; },
  function (step) { return "+" + (current().t[step] / 1000).toFixed(1) + " s"; },
  function (step) {
    state.step = step;
    drawStep();
    if (isReady) page.writeAddress({ trace: current().name, node: shown().length === 1 ? shown()[0].name : "", step: step + 1 });
  });
function listNodes() {
  var list = byId("plan-node");
  list.textContent = "";
  function add(value, text) {
    var option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    list.append(option);
  }
  var nodes = current().nodes;
  if (nodes.length > 1) add(-1, "all " + nodes.length); else state.node = 0;
  nodes.forEach(function (node, index) { add(index, node.name); });
}
function choose() {
  byId("plan-trace").value = state.trace;
  byId("plan-node").value = state.node;
  drawTrace();
  steps.goTo(state.step);
}
byId("plan-trace").addEventListener("change", function (event) {
  steps.stop();
  state = { trace: Number(event.target.value), node: -1, step: 0 };
  listNodes();
  choose();
});
byId("plan-node").addEventListener("change", function (event) {
  steps.stop();
  state.node = Number(event.target.value);
  choose();
});
["all", "joined"].forEach(function (key) { byId("plan-" + key).addEventListener("change", choose); });
var isReady = false;
function followAddress() {
  var named = page.readAddress();
  if (!named) return;
  var trace = page.placeOf(data.traces, named.trace);
  if (trace >= 0) state.trace = trace;
  listNodes();
  if (current().nodes.length > 1) state.node = named.node ? page.placeOf(current().nodes, named.node) : -1;
  if (named.step !== undefined) state.step = (Math.round(Number(named.step)) || 1) - 1;
  steps.stop();
  choose();
}
window.addEventListener("hashchange", followAddress);
if (data.traces.length) {
  listNodes();
  choose();
  isReady = true;
  followAddress();
}
})();
