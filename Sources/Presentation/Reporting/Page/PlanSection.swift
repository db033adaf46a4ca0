import Evaluation
import Positioning
import Support

extension PageSections {
  var plan: PageSection {
    let thinned: HTML =
      stride > 1
      ? "<p class=\"remark\">The plan shows one epoch in \(stride) of each \(document.settings.resampled.name), and the worst answers. All figures are from all \(grouped(document.questionCount)) epochs.</p>\n"
      : ""
    let traces: [HTML] = document.traces.enumerated().map { index, trace in
      "<option value=\"\(index)\">\(trace.name)</option>"
    }
    let panels = FloorPanels(document)
    let view = panels?.view ?? PlanView(document)
    let errorMap = ErrorMap(document)
    let heatChoice: HTML =
      errorMap.map {
        "<label>Map of errors <select id=\"plan-heat\"><option value=\"-1\">none</option>\($0.layers.options)</select></label>\n"
      } ?? ""
    var picture = PlanPicture(site: document.site, view: view)
    func underlay(floor: Int, in view: PlanView) -> HTML {
      errorMap.map {
        $0.layers.pictures($0.grid, from: floor * $0.grid.count, in: view, shown: nil)
      } ?? ""
    }
    if let panels {
      let underlays = panels.panels.enumerated().map { underlay(floor: $0, in: $1.view) }
      picture.floors = (panels, underlays)
    } else {
      picture.underlay = underlay(floor: 0, in: view)
    }
    return PageSection(
      name: "plan", heading: "Floor plan", short: "Floor plan",
      introduction:
        "The true path, the answers, and their claimed 95\u{2009}% ellipses.",
      content: """
        \(thinned)<p class="remark no-script">The answers on the plan need JavaScript; everything else on this page does not.</p>
        <div class="controls script-only">
        <label>\(document.settings.resampled.name.withCapital) <select id="plan-trace">\(traces)</select></label>
        <label>Algorithm <select id="plan-algorithm">\(options)</select></label>
        <label>beside <select id="plan-beside"><option value="-1">none</option>\(options)</select></label>
        <label><input type="checkbox" id="plan-all" checked> all answers</label>
        <label><input type="checkbox" id="plan-joined"> joined in time</label>
        <label><input type="checkbox" id="plan-names"\(document.site.anchors.count <= 16 ? " checked" : "" as HTML)> names</label>
        \(heatChoice)</div>
        \(picture.withPlayer(
          key: PlanPicture.key(
            (document.site.anchors.isEmpty ? [] : [.anchor])
              + [.truth, .estimate("answer"), .ellipse]), step: "epoch",
          curve: "Error of the chosen algorithm over the \(document.settings.resampled.name)",
          legend: errorMap?.layers.legends(shown: nil) ?? ""))
        """)
  }
}

extension FloorPanels {
  /// Shows the truth and the answers of an evaluation; returns nil for a single plane.
  init?(_ document: EvaluationDocument) {
    self.init(
      document.site,
      around: document.traces.flatMap { $0.questions.map { ($0.truthFloor ?? 0, $0.truth) } },
      estimates: document.answers.flatMap { $0.outcomes.joined().compactMap(\.estimate) })
  }
}
