import Geometry

extension PageScript {
  /// The questions and answers as they came, lengths in centimetres.
  static let planData = #"""
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

    """#

  /// The picture of the chosen trace, algorithm and epoch.
  static let planDrawing = #"""
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

    """#
}
