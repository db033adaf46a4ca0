import Geometry

extension PageScript {
  /// Choosing, stepping and playing.
  static let planControls = #"""
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

    """#

  /// The place on the plan as the part of the address behind `#`, both ways.
  static let address = #"""
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

    """#
}
