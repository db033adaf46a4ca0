// Script of the live page: it fills the page from the HTTP interface (openapi.json), and follows what happens.
(function () {
"use strict";
var byId = page.byId, shape = page.shape, entry = page.entry;
var colours = 8, tailLength = 40, sparkSeconds = 60, mostEvents = 200, mostRead = 8;
var about = {}, health = null, recording = { marks: [] };
// By trace and node; by region, and by link.
var nodes = new Map(), regions = new Map(), sparks = new Map(), happened = [];
var receivers = new Set(), beacons = new Map();
var hasEnded = false, hasPlan = false, past = null, newest = null;

// What the person who opened the page may do is behind "#" in the address, and in no request's address.
var token = null;
function takeToken() {
  var named = page.readAddress();
  try {
    if (named && named.token) sessionStorage.setItem("token", named.token);
    token = sessionStorage.getItem("token");
  } catch (error) { token = named && named.token; }
  if (named && named.token) { delete named.token; page.writeAddress(named); }
}
function ask(path, content) {
  var request = { headers: {}, cache: "no-store" };
  if (token) request.headers.Authorization = "Bearer " + token;
  if (content) {
    request.method = "POST";
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(content);
  }
  return fetch("api/v1/" + path, request).then(function (response) {
    if (response.ok) return response;
    return response.text().then(function (text) {
      var error = new Error(text.trim() || response.statusText);
      error.status = response.status;
      throw error;
    });
  });
}
function text(element, words) { if (element.textContent !== words) element.textContent = words; }
// Half away from zero on the digits that were sent, as the program itself writes numbers.
function fixed(value, places) {
  if (value === null || value === undefined) return "–";
  var size = Math.abs(value) < 1e-6 ? 0 : Number(Math.round(Math.abs(value) + "e" + places) + "e-" + places);
  return (value < 0 ? -size : size).toFixed(places);
}
function short(name) {
  var parts = name.split(":");
  if (name.length <= 24) return name;
  return parts.length >= 4 ? "…" + parts.slice(-2).join(":") : name.slice(0, 9) + "…" + name.slice(-11);
}
function clock(seconds) { return new Date(seconds * 1000).toISOString().slice(11, 19); }

// Drawing waits for the next frame, however much comes before it.
var due = new Set();
function later(draw) {
  if (!due.size) requestAnimationFrame(function () {
    var all = due;
    due = new Set();
    all.forEach(function (one) { one(); });
  });
  due.add(draw);
}

// What comes, one kind after the other.
var take = {
  position: function (one) {
    var key = one.trace + "\n" + one.node, node = nodes.get(key);
    if (!node) {
      node = { key: key, id: one.node, name: one.name || one.node, colour: "c" + nodes.size % colours, tail: [] };
      nodes.set(key, node);
      later(listNodes);
    }
    node.last = one;
    newest = one.time_s;
    if (one.x_m !== null) {
      node.tail.push(one);
      if (node.tail.length > tailLength) node.tail.shift();
    }
    later(drawPlan);
    later(drawRooms);
  },
  ranging: function (ranging) {
    regions.set(ranging.trace + "\n" + ranging.region, ranging);
    newest = ranging.time_s;
    ranging.beacons.forEach(function (one) {
      if (!receivers.has(one.receiver) || !beacons.has(one.beacon)) later(listNodes);
      receivers.add(one.receiver);
      beacons.set(one.beacon, one.name || one.beacon);
      var key = ranging.trace + "\n" + one.receiver + "\n" + one.beacon, levels = sparks.get(key) || [];
      if (one.rssi_dbm !== null && !(levels.length && levels[levels.length - 1].time === ranging.time_s)) {
        levels.push({ time: ranging.time_s, level: one.rssi_dbm });
      }
      while (levels.length && levels[0].time < ranging.time_s - sparkSeconds) levels.shift();
      sparks.set(key, levels);
    });
    later(drawBeacons);
  },
  event: function (one) {
    happened.push(one);
    if (happened.length > mostEvents) happened.shift();
    later(drawEvents);
  },
  health: function (one) { health = one; later(drawHealth); },
  recording: function (one) { recording = one; later(drawRecording); later(drawPlan); },
  end: function () { hasEnded = true; showConnection("the source has ended", false); },
  reset: function () { throw new Error("the page missed something"); }
};

// The plan.
function answer(one) {
  if (one.x_m === null) return null;
  function deviation(metres) { return metres === null ? null : metres * 100 / page.holding; }
  return { x: one.x_m * 100, y: one.y_m * 100, f: page.floorOf(one.floor), major: deviation(one.semi_major_95_m), minor: deviation(one.semi_minor_95_m),
    degrees: one.angle_deg, reason: one.no_covariance };
}
function shown() {
  var chosen = byId("plan-node").value;
  return Array.from(nodes.values()).filter(function (node) { return !chosen || node.key === chosen; });
}
function drawNode(node, one, tail) {
  var group = shape(page.layer, "g", {}, node.colour), here = one && answer(one);
  if (byId("plan-joined").checked && tail.length > 1) {
    shape(group, "path", { d: tail.map(function (row, index) {
      var f = page.floorOf(row.floor), goesOn = index && tail[index - 1].floor === row.floor;
      return (goesOn ? "L" : "M") + page.px(row.x_m * 100, f) + " " + page.py(row.y_m * 100, f);
    }).join("") }, "joined");
  }
  if (!here) return;
  page.drawEllipse(page.onFloor(group, here.f), here);
  var x = page.px(here.x, here.f), y = page.py(here.y, here.f);
  shape(group, "circle", { cx: x, cy: y, r: 9 }, "now");
  shape(group, "text", { x: x, y: y, dx: 13, dy: "0.35em" }, "label").textContent = short(node.name);
}
function drawMarks() {
  recording.marks.forEach(function (mark) {
    if (mark.x_m === undefined) return;
    var f = page.floorOf(mark.floor), x = page.px(mark.x_m * 100, f), y = page.py(mark.y_m * 100, f);
    shape(shape(page.layer, "circle", { cx: x, cy: y, r: 6 }, "truth-now"), "title", {}).textContent = mark.node + ", " + clock(mark.time_s);
  });
}
function readNode(list, node, one) {
  page.heading(list, node.name);
  if (one.x_m === null) {
    if (!one.rooms) entry(list, "no position", one.reason || "–", "big");
  } else {
    entry(list, "position", (one.floor ? one.floor + ": " : "") + fixed(one.x_m, 2) + ", " + fixed(one.y_m, 2) + " m", "big");
    page.entryOfEllipse(list, answer(one));
    if (one.spot) entry(list, "spot", one.spot);
  }
  if (one.room) entry(list, "room", one.room + (one.rooms ? ", " + fixed(one.room_probability, 2) : ""));
  if (one.anchors !== undefined) entry(list, "anchors heard", one.anchors);
}
function drawPlan() {
  if (!hasPlan || past) return;
  page.layer.textContent = "";
  drawMarks();
  var list = byId("plan-readout"), all = shown();
  list.textContent = "";
  if (newest !== null) entry(list, "time", clock(newest) + " UTC");
  all.forEach(function (node, index) {
    drawNode(node, node.last, node.tail);
    if (index < mostRead) readNode(list, node, node.last);
  });
  if (all.length > mostRead) entry(list, "and", all.length - mostRead + " more: choose one above");
  if (!all.length) entry(list, "positions", about.locating ? "none yet" : "need a calibration");
}
function fill(list, options, first) {
  var chosen = list.value;
  list.textContent = "";
  (first ? [first] : []).concat(options).forEach(function (one) {
    var option = document.createElement("option");
    option.value = one.value;
    option.textContent = one.text;
    list.append(option);
  });
  if (Array.from(list.options).some(function (option) { return option.value === chosen; })) list.value = chosen;
}
// Those that move first.
function listMarked() {
  var moving = new Set(Array.from(nodes.values()).map(function (node) { return node.id; }));
  function option(role, name) { return function (id) { return { value: role + "\n" + id, text: name(id) }; }; }
  var all = Array.from(receivers).map(option("receiver", function (id) { return id; }))
    .concat(Array.from(beacons.keys()).map(option("beacon", function (id) { return beacons.get(id); })));
  all.sort(function (a, b) { return moving.has(b.value.split("\n")[1]) - moving.has(a.value.split("\n")[1]); });
  ["mark-node", "room-node"].forEach(function (list) { if (byId(list)) fill(byId(list), all); });
}
function listNodes() {
  listMarked();
  if (!hasPlan) return;
  fill(byId("plan-node"), Array.from(nodes.values()).map(function (node) { return { value: node.key, text: node.name }; }),
    { value: "", text: "all " + nodes.size });
}

// The history: what was kept so far, step by step.
var steps = null;
function showPast(columns) {
  var times = Array.from(new Set(columns.time_s)), places = new Map(times.map(function (time, index) { return [time, index]; }));
  past = { times: times, at: times.map(function () { return []; }), tails: new Map() };
  columns.time_s.forEach(function (time, row) {
    var name = columns.nodes[columns.node[row]];
    var one = { time_s: time, name: name, x_m: columns.x_m[row], y_m: columns.y_m[row], semi_major_95_m: columns.semi_major_95_m[row],
      semi_minor_95_m: columns.semi_minor_95_m[row], angle_deg: columns.angle_deg[row], room: columns.room[row] === null ? null : columns.rooms[columns.room[row]],
      floor: columns.floor[row] === null ? null : columns.floors[columns.floor[row]] };
    past.at[places.get(time)].push(one);
  });
  steps = steps || page.player(function () { return past.times.length; }, function (step) { return past.times.length ? clock(past.times[step]) : ""; }, drawPast);
  var chosen = byId("plan-node").value, curves = [];
  nodes.forEach(function (node) {
    if (chosen && node.key !== chosen || curves.length >= mostRead) return;
    curves.push({ colour: node.colour, values: past.at.map(function (all) {
      var one = all.find(function (other) { return other.name === node.name; });
      return !one ? NaN : one.x_m === null ? null : one.semi_major_95_m === null ? NaN : one.semi_major_95_m * 100;
    }) });
  });
  var top = page.drawTimeline(curves, steps.x);
  text(byId("plan-timeline-note"), "Longer half axis of the 95 % ellipse over the history, 0 to " + page.metres(top) + " m. Marks below the line: no position.");
  steps.goTo(past.times.length - 1);
}
function drawPast(step) {
  if (!past || !past.times.length) return;
  page.layer.textContent = "";
  var list = byId("plan-readout");
  list.textContent = "";
  entry(list, "time", clock(past.times[step]) + " UTC");
  shown().forEach(function (node, index) {
    var tail = [], now = null;
    for (var at = Math.max(0, step - tailLength); at <= step; at += 1) {
      now = past.at[at].find(function (one) { return one.name === node.name; }) || null;
      if (now && now.x_m !== null) tail.push(now);
    }
    if (!now) return;
    drawNode(node, now, tail);
    if (index < mostRead) readNode(list, node, now);
  });
}
function choosePast() {
  var wants = byId("plan-past").checked;
  byId("past").hidden = !wants;
  byId("plan-timeline").toggleAttribute("hidden", !wants);
  text(byId("plan-timeline-note"), "");
  if (!wants) {
    if (steps) steps.stop();
    past = null;
    drawPlan();
    return;
  }
  ask("history").then(function (response) { return response.json(); }).then(showPast).catch(function (error) {
    text(byId("plan-timeline-note"), "cannot load the history: " + error.message);
  });
}

// Rooms.
function minutes(seconds) {
  return seconds < 60 ? fixed(seconds, 0) + " s" : Math.floor(seconds / 60) + " min " + fixed(seconds % 60, 0) + " s";
}
function drawRooms() {
  if (!byId("room-table")) return;
  var body = byId("room-table").tBodies[0];
  body.textContent = "";
  nodes.forEach(function (node) {
    var one = node.last;
    if (!one || !one.rooms) return;
    var row = body.insertRow(), others = Object.keys(one.rooms).filter(function (name) { return name !== one.room; });
    others.sort(function (a, b) { return one.rooms[b] - one.rooms[a]; });
    cell(row, "text").textContent = short(node.name);
    cell(row, "text").textContent = one.room || "–";
    cell(row, "number").textContent = fixed(one.room_probability, 2);
    cell(row, "number").textContent = one.room_since_s ? minutes(one.time_s - one.room_since_s) : "–";
    cell(row, "text").textContent = others.map(function (name) { return name + " " + fixed(one.rooms[name], 2); }).join(", ") || "–";
  });
  text(byId("room-note"), body.rows.length ? "" : "No node in a room yet.");
}

// Beacons.
var rows = new Map();
function cell(row, classes) {
  var element = document.createElement("td");
  if (classes) element.className = classes;
  row.append(element);
  return element;
}
function beaconRow(key) {
  var row = rows.get(key);
  if (row) return row;
  row = { element: document.createElement("tr"), cells: [] };
  var name = document.createElement("th");
  name.scope = "row";
  name.className = "text";
  row.element.append(name);
  row.cells.push(name.appendChild(document.createElement("bdi")));
  ["number", "number", "text", "number", "text", "number", "text", "text"].forEach(function (classes) { row.cells.push(cell(row.element, classes)); });
  var curve = shape(row.cells[5], "svg", { viewBox: "0 0 120 24", role: "img", "aria-label": "levels of the last minute" }, "spark c0");
  row.line = shape(curve, "polyline", {}, "curve");
  rows.set(key, row);
  return row;
}
function spark(levels, now) {
  // A short history fills the picture, too.
  var span = levels.length ? Math.min(sparkSeconds, Math.max(5, now - levels[0].time)) : sparkSeconds;
  return levels.map(function (one) {
    var x = 120 * (1 - (now - one.time) / span), y = 22 - 20 * Math.min(Math.max((one.level + 100) / 70, 0), 1);
    return x.toFixed(1) + "," + y.toFixed(1);
  }).join(" ");
}
function drawBeacons() {
  var all = [], kept = new Set(), body = byId("beacon-table").tBodies[0];
  regions.forEach(function (ranging) {
    ranging.beacons.forEach(function (one) { all.push({ ranging: ranging, one: one }); });
  });
  all.sort(function (a, b) {
    var x = a.one.distance_m, y = b.one.distance_m;
    return (x === null) - (y === null) || x - y || b.one.rssi_dbm - a.one.rssi_dbm;
  });
  all.forEach(function (both, index) {
    var one = both.one, ranging = both.ranging, link = ranging.trace + "\n" + one.receiver + "\n" + one.beacon, key = link + "\n" + ranging.region;
    var row = beaconRow(key), interval = one.ci95_m;
    kept.add(key);
    [short(one.name || one.beacon), fixed(one.distance_m, 1),
      interval ? fixed(interval[0], 1) + " – " + (interval[1] === null ? "∞" : fixed(interval[1], 1)) : "–", one.zone, fixed(one.rssi_dbm, 1), null, fixed(one.silence_s, 1),
      short(one.receiver), short(ranging.region)
    ].forEach(function (words, place) { if (words !== null) text(row.cells[place], words); });
    row.cells[0].title = one.name || one.beacon;
    row.line.setAttribute("points", spark(sparks.get(link) || [], ranging.time_s));
    if (body.rows[index] !== row.element) body.insertBefore(row.element, body.rows[index] || null);
  });
  rows.forEach(function (row, key) { if (!kept.has(key)) { row.element.remove(); rows.delete(key); } });
  text(byId("beacon-note"), all.length ? "" : "No beacon received yet.");
  drawFacts();
}

// Events, health, recording.
function words(one) {
  var who = one.name || one.beacon || one.node || one.region, rest = [];
  if (one.region && who !== one.region) rest.push(one.region);
  if (one.zone) rest.push(one.previous_zone ? one.previous_zone + " → " + one.zone : one.zone);
  if (one.spot || one.room) rest.push(one.spot || one.room);
  if (one.distance_m !== null && one.distance_m !== undefined) rest.push(fixed(one.distance_m, 1) + " m");
  if (one.reason) rest.push(one.reason);
  return { what: one.event, who: who, rest: rest.join(", ") };
}
function drawEvents() {
  var list = byId("event-list");
  list.textContent = "";
  happened.slice().reverse().forEach(function (one) {
    var item = document.createElement("li"), time = document.createElement("time"), what = document.createElement("b"), who = document.createElement("bdi"), said = words(one);
    time.textContent = clock(one.time_s);
    time.dateTime = new Date(one.time_s * 1000).toISOString();
    what.textContent = said.what;
    who.textContent = short(said.who);
    who.title = said.who;
    item.append(time, " ", what, " ", who, said.rest ? " – " + said.rest : "");
    list.append(item);
  });
}
function facts(list, all) {
  list.textContent = "";
  all.forEach(function (one) {
    var group = document.createElement("div");
    entry(group, one[0], one[1]);
    list.append(group);
  });
}
function drawFacts() {
  var heard = new Set();
  regions.forEach(function (ranging) { ranging.beacons.forEach(function (one) { heard.add(one.beacon); }); });
  facts(byId("facts"), [["source", about.source || "–"], ["beacons", heard.size], ["nodes located", nodes.size],
    ["sightings/s", fixed(health && health.sightings_per_s, 1)], ["time", newest === null ? "–" : clock(newest) + " UTC" + (about.replay ? " of the recording" : "")]]);
}
function drawHealth() {
  facts(byId("health-facts"), [["sightings", health.sightings], ["sightings/s", fixed(health.sightings_per_s, 1)], ["reports", health.reports],
    ["reports/s", fixed(health.reports_per_s, 1)], ["positions", health.located], ["without a position", health.refused]]);
  var list = byId("health-list");
  list.textContent = "";
  function add(words) { list.append(Object.assign(document.createElement("li"), { textContent: words })); }
  Object.keys(health.gaps).forEach(function (reason) {
    add("gap, " + reason + ": " + health.gaps[reason].times + " times, " + health.gaps[reason].events + " events lost");
  });
  Object.keys(health.rejected).forEach(function (reason) { add("refused, " + reason + ": " + health.rejected[reason]); });
  if (!list.children.length) add("no losses, nothing refused");
  drawFacts();
}
function drawRecording() {
  var button = byId("record"), isOn = Boolean(recording.path), said;
  byId("recording").hidden = !about.can_record;
  button.setAttribute("aria-pressed", String(isOn));
  button.disabled = !token;
  text(button, isOn ? "Stop recording" : "Record");
  if (recording.failure) said = recording.failure;
  else if (isOn) said = "recording " + recording.path + (recording.marks.length ? ", places marked: " + recording.marks.length : "");
  else if (recording.last_path) said = "recorded " + recording.last_path + ", " + recording.last_sightings + " sightings";
  else said = token ? "" : "to record, open the address that the program printed at its start";
  text(byId("recording-text"), said);
  ["marking", "room-marking"].forEach(function (part) { if (byId(part)) byId(part).hidden = !isOn || !token; });
  if (byId("room-marked")) {
    var last = recording.marks.filter(function (mark) { return mark.room !== undefined; }).pop();
    text(byId("room-marked"), !last ? "" : last.node + (last.room ? " is in " + last.room + " since " : " left at ") + clock(last.time_s));
  }
}
function change(path, content) {
  ask(path, content).catch(function (error) { text(byId("recording-text"), error.message); });
}
function markRoom(room) {
  var chosen = byId("room-node").value.split("\n");
  if (chosen.length === 2) change("rooms", { node: chosen[1], role: chosen[0], room: room });
}
function mark(x, y) {
  var chosen = byId("mark-node").value.split("\n");
  if (chosen.length !== 2 || isNaN(x) || isNaN(y)) return;
  var floor = byId("mark-floor");
  change("marks", { node: chosen[1], role: chosen[0], x_m: x, y_m: y, floor: floor ? floor.value : undefined });
}

// The connection: the state first, then what happens from there on; from the start again where it breaks.
function showConnection(words, isBroken) {
  var status = byId("connection");
  text(status, words);
  status.classList.toggle("broken", isBroken);
}
function apply(state) {
  about = state.about;
  hasEnded = state.ended;
  [nodes, regions, sparks].forEach(function (map) { map.clear(); });
  happened = state.events;
  recording = state.recording;
  state.positions.forEach(take.position);
  state.rangings.forEach(take.ranging);
  if (state.health) take.health(state.health);
  [listNodes, drawPlan, drawRooms, drawBeacons, drawEvents, drawRecording, drawFacts].forEach(later);
}
function hand(message) {
  var kind = "message", data = "";
  message.split("\n").forEach(function (line) {
    if (line.indexOf("event: ") === 0) kind = line.slice(7);
    if (line.indexOf("data: ") === 0) data += line.slice(6);
  });
  if (data && take[kind]) take[kind](JSON.parse(data));
}
function follow(number) {
  var control = new AbortController(), request = { headers: {}, cache: "no-store", signal: control.signal }, alive;
  if (token) request.headers.Authorization = "Bearer " + token;
  // The server shows every ten seconds that it is there.
  function expect() { clearTimeout(alive); alive = setTimeout(function () { control.abort(); }, 25000); }
  expect();
  return fetch("api/v1/events?after=" + number, request).then(function (response) {
    if (!response.ok) throw new Error(response.statusText);
    showConnection(hasEnded ? "the source has ended" : about.replay ? "connected to a replay" : "connected", false);
    var reader = response.body.getReader(), decoder = new TextDecoder(), rest = "";
    function next() {
      return reader.read().then(function (part) {
        if (part.done) throw new Error("the server ended the connection");
        expect();
        rest += decoder.decode(part.value, { stream: true });
        var messages = rest.split("\n\n");
        rest = messages.pop();
        messages.forEach(hand);
        return next();
      });
    }
    return next();
  }).finally(function () { clearTimeout(alive); control.abort(); });
}
function connect() {
  ask("state").then(function (response) { return response.json(); }).then(function (state) {
    return loadPlan().then(function () { apply(state); return follow(state.number); });
  }).catch(function (error) {
    if (error.status === 401) {
      showConnection("Open the address that the program printed when it started: it has the token.", true);
      return;
    }
    showConnection("not connected (" + error.message + "): trying again", true);
    setTimeout(connect, 1000);
  });
}
function loadPlan() {
  if (hasPlan || !byId("plan-place")) return Promise.resolve();
  return ask("plan").then(function (response) { return response.text(); }).then(function (source) {
    var picture = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
    byId("plan-place").replaceChildren(document.importNode(picture, true));
    page.readPlan();
    hasPlan = true;
    byId("plan-picture").addEventListener("click", function (event) {
      if (!recording.path || !token || past) return;
      var at = page.place(event);
      if (!at) return;
      if (byId("mark-floor")) byId("mark-floor").selectedIndex = at.f;
      byId("mark-x").value = at.x.toFixed(2);
      byId("mark-y").value = at.y.toFixed(2);
      mark(Number(byId("mark-x").value), Number(byId("mark-y").value));
    });
  });
}
takeToken();
byId("record").addEventListener("click", function () { change("recording", { recording: !recording.path }); });
if (byId("plan-place")) {
  byId("mark").addEventListener("click", function () { mark(parseFloat(byId("mark-x").value), parseFloat(byId("mark-y").value)); });
  byId("plan-past").addEventListener("change", choosePast);
  byId("plan-node").addEventListener("change", function () { if (past) choosePast(); else drawPlan(); });
  byId("plan-joined").addEventListener("change", function () { if (past) steps.goTo(steps.here()); else drawPlan(); });
}
if (byId("room-node")) {
  byId("room-enter").addEventListener("click", function () { if (byId("room-name").value.trim()) markRoom(byId("room-name").value.trim()); });
  byId("room-leave").addEventListener("click", function () { markRoom(""); });
}
connect();
})();
