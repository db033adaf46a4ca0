// Script of every report page: plain JavaScript without libraries. What the scripts of single pages use is in `page`.
var page = (function () {
"use strict";

// Shared by all parts.
var root = document.documentElement;
root.classList.add("js");
function byId(name) { return document.getElementById(name); }
// A live page has none: it asks for what it shows.
var data = byId("data") ? JSON.parse(byId("data").textContent) : null;
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

// Floor plan: lengths in centimetres, x to the right and y upwards; the picture has its own units, y downwards.
var picture, layer, view, whole, zoom;
// Called for a plan that is in the page, or has come into it.
function readPlan() {
  page.picture = picture = byId("plan-picture");
  page.layer = layer = byId("plan-answers");
  view = { left: Number(picture.dataset.left), top: Number(picture.dataset.top), scale: Number(picture.dataset.scale), floors: null };
  if (picture.dataset.floors) view.floors = picture.dataset.floors.split(" ").map(function (text) {
    var n = text.split(",").map(Number);
    return { left: n[0], top: n[1], right: n[0] + n[2], bottom: n[1] + n[3], x: n[4], y: n[5] };
  });
  if (view.floors) all(".floor-name", picture).forEach(function (name, f) { view.floors[f].name = name.textContent; });
  byId("plan-names").addEventListener("change", showNames);
  showNames();
  whole = picture.viewBox.baseVal;
  whole = { width: whole.width, height: whole.height };
  zoom = { factor: 1, x: 0, y: 0 };
  addZoom();
}
// Zoom: by buttons, by the wheel with Ctrl, and by two fingers where the system makes a wheel of them; a zoomed plan is moved by
// dragging. Texts and marks keep their size.
var mostZoom = 16;
function inPicture(event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
}
function show(factor, x, y) {
  factor = Math.min(Math.max(factor, 1), mostZoom);
  var width = whole.width / factor, height = whole.height / factor;
  zoom = { factor: factor, x: Math.min(Math.max(x, 0), whole.width - width), y: Math.min(Math.max(y, 0), whole.height - height) };
  picture.setAttribute("viewBox", [zoom.x, zoom.y, width, height].map(function (n) { return n.toFixed(2); }).join(" "));
  picture.style.setProperty("--zoom", factor);
  picture.classList.toggle("zoomed", factor > 1);
  byId("plan-zoom-out").disabled = byId("plan-zoom-all").disabled = factor === 1;
  byId("plan-zoom-in").disabled = factor === mostZoom;
}
// A point of the picture keeps its place.
function zoomAt(factor, x, y) {
  factor = Math.min(Math.max(factor, 1), mostZoom);
  var ratio = zoom.factor / factor;
  show(factor, x - (x - zoom.x) * ratio, y - (y - zoom.y) * ratio);
}
function zoomBy(ratio) {
  zoomAt(zoom.factor * ratio, zoom.x + whole.width / zoom.factor / 2, zoom.y + whole.height / zoom.factor / 2);
}
function addZoom() {
  var bar = document.createElement("p");
  bar.className = "zoom";
  [["in", "+", "Zoom in"], ["out", "−", "Zoom out"], ["all", "whole plan", "Show the whole plan"]].forEach(function (one) {
    var button = document.createElement("button");
    button.type = "button";
    button.id = "plan-zoom-" + one[0];
    button.textContent = one[1];
    button.setAttribute("aria-label", one[2]);
    bar.append(button);
  });
  var pointer = document.createElement("span");
  pointer.id = "plan-pointer";
  bar.append(pointer);
  picture.after(bar);
  byId("plan-zoom-in").addEventListener("click", function () { zoomBy(2); });
  byId("plan-zoom-out").addEventListener("click", function () { zoomBy(0.5); });
  byId("plan-zoom-all").addEventListener("click", function () { show(1, 0, 0); });
  picture.addEventListener("wheel", function (event) {
    // Without Ctrl the wheel is for the page.
    if (!event.ctrlKey) return;
    event.preventDefault();
    var at = inPicture(event);
    zoomAt(zoom.factor * Math.pow(2, -event.deltaY / 200), at.x, at.y);
  }, { passive: false });
  var held = null, hasMoved = false;
  picture.addEventListener("pointerdown", function (event) {
    held = zoom.factor > 1 && event.button === 0 ? inPicture(event) : null;
    hasMoved = false;
  });
  picture.addEventListener("pointermove", function (event) {
    readPointer(event);
    if (!held || !event.buttons) return;
    var at = inPicture(event);
    if (!hasMoved && Math.hypot(at.x - held.x, at.y - held.y) * zoom.factor < 6) return;
    hasMoved = true;
    show(zoom.factor, zoom.x + held.x - at.x, zoom.y + held.y - at.y);
  });
  picture.addEventListener("pointerleave", function () { pointer.textContent = ""; });
  // The end of a drag is not a click on a place.
  picture.addEventListener("click", function (event) { if (hasMoved) event.stopImmediatePropagation(); }, true);
  picture.addEventListener("click", function (event) {
    var at = place(event), near = at && nearest && nearest.find(at);
    if (near) nearest.choose(near);
  });
  show(1, 0, 0);
}
// What a page knows of a place: `find` returns what is near, with `text`, and `choose` goes there.
var nearest = null;
function readPointer(event) {
  var at = place(event), near = at && nearest && nearest.find(at);
  byId("plan-pointer").textContent = !at ? "" : floorName(at.f) + "x " + at.x.toFixed(2) + " m, y " + at.y.toFixed(2) + " m" + (near ? ": " + near.text : "");
}
// The nearest of some places, centimetres, within 14 units of the screen; null where there is none.
function nearestOf(at, count, placeAt) {
  var best = null, least = 14 / view.scale / zoom.factor;
  for (var number = 0; number < count; number++) {
    var other = placeAt(number);
    if (!other || view.floors && other.f !== at.f) continue;
    var distance = Math.hypot(other.x / 100 - at.x, other.y / 100 - at.y);
    if (distance <= least) { least = distance; best = number; }
  }
  return best;
}
// In a building, the number of the floor chooses its panel.
function px(x, f) { return ((x / 100 - view.left) * view.scale + (view.floors ? view.floors[f].x : 0)).toFixed(1); }
function py(y, f) { return ((view.top - y / 100) * view.scale + (view.floors ? view.floors[f].y : 0)).toFixed(1); }
function isIn(panel, x, y) { return x >= panel.left && y >= panel.top && x <= panel.right && y <= panel.bottom; }
// Where on the site an event happens, in metres; null between the floors of a building.
function place(event) {
  var at = inPicture(event), x = 0, y = 0, f = 0;
  if (view.floors) {
    f = view.floors.findIndex(function (panel) { return isIn(panel, at.x, at.y); });
    if (f < 0) return null;
    x = view.floors[f].x;
    y = view.floors[f].y;
  }
  return { x: view.left + (at.x - x) / view.scale, y: view.top - (at.y - y) / view.scale, f: f };
}
// What is drawn on a floor ends at the edge of its panel.
function onFloor(parent, f) {
  if (!view.floors) return parent;
  var panel = view.floors[f], size = { x: panel.left, y: panel.top, width: panel.right - panel.left, height: panel.bottom - panel.top };
  size.viewBox = [size.x, size.y, size.width, size.height].join(" ");
  return shape(parent, "svg", size);
}
function floorName(f) { return view.floors ? view.floors[f].name + ": " : ""; }
function floorOf(name) { return view.floors ? Math.max(view.floors.findIndex(function (panel) { return panel.name === name; }), 0) : 0; }
function summed(differences) {
  var sum = 0;
  return differences.map(function (difference) { sum += difference; return sum; });
}
function isShown(place) {
  var all = { left: 0, top: 0, right: whole.width, bottom: whole.height };
  return isIn(view.floors ? view.floors[place.f] : all, Number(px(place.x, place.f)), Number(py(place.y, place.f)));
}
// √(-2 ln 0.05): so many standard deviations of a Gaussian in the plane hold 95 %.
var holding = Math.sqrt(-2 * Math.log(0.05));
// An answer has a place, standard deviations along the axes of its ellipse, and the longer one's direction.
function drawEllipse(parent, answer) {
  if (answer.major === null) return;
  var x = px(answer.x, answer.f), y = py(answer.y, answer.f);
  shape(parent, "ellipse", {
    cx: x, cy: y, rx: (holding * answer.major / 100 * view.scale).toFixed(1),
    ry: (holding * answer.minor / 100 * view.scale).toFixed(1),
    transform: "rotate(" + -answer.degrees + " " + x + " " + y + ")"
  }, "ellipse");
}
function entry(list, term, value, classes) {
  var name = document.createElement("dt"), text = document.createElement("dd");
  name.textContent = term;
  text.textContent = value;
  if (classes) text.className = classes;
  list.append(name, text);
}
function heading(list, text) {
  var name = document.createElement("dt");
  name.className = "who";
  name.textContent = text;
  list.append(name);
}
function entryOfEllipse(list, answer) {
  if (answer.major === null) entry(list, "ellipse", "none: " + answer.reason);
  else entry(list, "95 % half axes", metres(holding * answer.major) + " × " + metres(holding * answer.minor) + " m");
}
// Heat maps under the plan: the one that is chosen, or none.
function chooseHeat(choice) {
  function show() {
    all("[data-layer]").forEach(function (part) { part.classList.toggle("off", part.dataset.layer !== choice.value); });
  }
  choice.addEventListener("change", show);
  return show;
}
function showNames() { picture.classList.toggle("nameless", !byId("plan-names").checked); }

// Steps through a trace, by slider, buttons, timeline or by itself: `count` and `label` are of what is chosen now, and `show`
// shows a step.
function player(count, label, show) {
  var slider = byId("plan-epoch"), timeline = byId("plan-timeline"), timer = null, here = 0;
  function x(step) { return count() > 1 ? 1000 * step / (count() - 1) : 500; }
  function goTo(step) {
    here = Math.min(Math.max(step, 0), Math.max(count() - 1, 0));
    slider.max = Math.max(count() - 1, 0);
    slider.value = here;
    slider.setAttribute("aria-valuetext", label(here));
    show(here);
    var mark = byId("timeline-here");
    if (mark) { mark.setAttribute("x1", x(here)); mark.setAttribute("x2", x(here)); }
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    byId("plan-play").textContent = "Play";
    byId("plan-play").setAttribute("aria-pressed", "false");
    byId("plan-readout").setAttribute("aria-live", "polite");
  }
  function play() {
    if (here >= count() - 1) goTo(0);
    byId("plan-play").textContent = "Pause";
    byId("plan-play").setAttribute("aria-pressed", "true");
    // A reader of the screen would never keep up.
    byId("plan-readout").setAttribute("aria-live", "off");
    timer = setInterval(function () { if (here >= count() - 1) stop(); else goTo(here + 1); }, 200);
  }
  function pick(event) {
    var box = timeline.getBoundingClientRect();
    goTo(Math.round(Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * (count() - 1)));
  }
  timeline.addEventListener("pointerdown", pick);
  timeline.addEventListener("pointermove", function (event) { if (event.buttons) pick(event); });
  slider.addEventListener("input", function () { stop(); goTo(Number(slider.value)); });
  byId("plan-back").addEventListener("click", function () { stop(); goTo(here - 1); });
  byId("plan-forward").addEventListener("click", function () { stop(); goTo(here + 1); });
  byId("plan-play").addEventListener("click", function () { if (timer) stop(); else play(); });
  return { goTo: goTo, stop: stop, x: x, here: function () { return here; } };
}

// Timeline: curves of lengths over the trace; null is a step without an answer, NaN one without a length. Returns the largest that is shown.
function drawTimeline(curves, x) {
  var timeline = byId("plan-timeline");
  timeline.textContent = "";
  var lengths = [];
  curves.forEach(function (curve) {
    curve.values.forEach(function (value) { if (value !== null && !isNaN(value)) lengths.push(value); });
  });
  lengths.sort(function (a, b) { return a - b; });
  // One wild answer would press all others to the ground.
  var top = lengths.length ? Math.min(lengths[lengths.length - 1], 3 * lengths[Math.floor(lengths.length * 0.9)] || 1) : 1;
  top = Math.max(top, 1);
  shape(timeline, "line", { x1: 0, x2: 1000, y1: 80, y2: 80 }, "base-line");
  curves.forEach(function (curve) {
    var path = "", refused = "", pen = "M";
    curve.values.forEach(function (value, step) {
      var at = x(step).toFixed(1);
      if (value === null) refused += "M" + at + " 82v8";
      if (value === null || isNaN(value)) { pen = "M"; return; }
      path += pen + at + " " + (80 - 76 * Math.min(value / top, 1)).toFixed(1) + (pen === "M" ? "h0.1" : "");
      pen = "L";
    });
    shape(timeline, "path", { d: path }, "error " + curve.colour);
    shape(timeline, "path", { d: refused }, "refused");
  });
  shape(timeline, "line", { id: "timeline-here", y1: 0, y2: 90 }, "here");
  return top;
}

// Address: what is chosen, behind "#".
function readAddress() {
  var named = {}, text = location.hash.slice(1);
  if (text.indexOf("=") < 0) return null;
  text.split("&").forEach(function (part) {
    var equals = part.indexOf("=");
    try { named[part.slice(0, equals)] = decodeURIComponent(part.slice(equals + 1)); } catch (error) { /* No text. */ }
  });
  return named;
}
function writeAddress(named) {
  var text = "#" + Object.keys(named).map(function (key) { return key + "=" + encodeURIComponent(named[key]); }).join("&");
  try { history.replaceState(null, "", text); } catch (error) { /* Some viewers have no address. */ }
}
// Sections that are closed open for whom is led to them, and for paper.
function openNamed() {
  var part = location.hash.length > 1 && location.hash.indexOf("=") < 0 && byId(location.hash.slice(1));
  var fold = part && part.querySelector(":scope > details");
  if (fold) fold.open = true;
}
window.addEventListener("hashchange", openNamed);
openNamed();
all("nav a").forEach(function (link) { link.addEventListener("click", function () { setTimeout(openNamed, 0); }); });
window.addEventListener("beforeprint", function () { all("details.section").forEach(function (fold) { fold.open = true; }); });

// A table that goes on to the right fades there.
function markCut(frame) {
  frame.classList.toggle("cut", frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 2);
}
if (window.ResizeObserver) {
  var frames = new ResizeObserver(function (entries) { entries.forEach(function (entry) { markCut(entry.target); }); });
  all(".scroll").forEach(function (frame) {
    frames.observe(frame);
    frame.addEventListener("scroll", function () { markCut(frame); });
  });
}
function placeOf(list, name) { return list.findIndex(function (one) { return one.name === name; }); }

var page = { data: data, byId: byId, all: all, shape: shape, metres: metres, readPlan: readPlan, place: place, px: px, py: py,
  floorName: floorName, floorOf: floorOf, onFloor: onFloor, summed: summed, isShown: isShown, holding: holding, drawEllipse: drawEllipse, entry: entry, heading: heading,
  entryOfEllipse: entryOfEllipse, chooseHeat: chooseHeat, player: player, drawTimeline: drawTimeline, readAddress: readAddress,
  writeAddress: writeAddress, placeOf: placeOf, nearestOf: nearestOf, setNearest: function (one) { nearest = one; } };
if (byId("plan-picture")) readPlan();
return page;
})();
