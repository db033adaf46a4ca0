import Geometry

extension PageScript {
  /// The errors over the trace, under the slider: where a curve has gaps there was no answer.
  static let planTimeline = #"""
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

    """#
}
