import Geometry

/// The page's script: plain JavaScript, no library, one function around it all.
enum PageScript {
  static let text =
    "(function () {\n\"use strict\";\n" + base + sorting + distributions + planData + planDrawing
    + planTimeline
    + planControls + address + "})();\n"

  /// What all parts use.
  static let base = #"""
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

    """#

  /// Tables in another order: a button in each heading.
  static let sorting = #"""
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

    """#

  /// Which curves are shown, on which scale, and what they are at a length.
  static let distributions = #"""
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

    """#
}
