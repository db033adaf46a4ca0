import Evaluation
import Geometry
import Positioning
import Support
package import TracePipelines
package import TraceStore

/// A radio map on the floor plan: a page that needs nothing else.
///
/// Its layers are the expected error, in a building the share of right floors, the number of received
/// anchors, and for the anchors that reach farthest the expected level and its uncertainty. Cells
/// without enough survey nearby stay blank. See docs/radio-map.md.
package struct RadioMapPage {
  private let shared: Shared<MappedSite>
  private var mapped: MappedSite { shared.value }
  private let report: RadioMapSummary
  private let tool: ToolIdentity
  private let layers: [HeatLayer]
  private let levels: [AnchorLevels]
  private static let mostAnchors = 30

  /// - Parameters:
  ///   - report: on the same map.
  ///   - tool: the program that makes the page.
  package init(_ mapped: MappedSite, _ report: RadioMapReport, by tool: ToolIdentity) {
    (shared, self.report, self.tool) = (Shared(mapped), report.summary, tool)
    levels = mapped.anchors.indices.map { AnchorLevels($0, of: mapped) }
    // All of a large building would be too much for one page.
    let shown = levels.filter { $0.known > 0 }.sorted { $0.known > $1.known }
      .prefix(Self.mostAnchors).map(\.number).sorted()
    layers = mapped.layers + shown.flatMap { mapped.layers(ofAnchor: $0) }
  }

  /// The page; the same map gives the same bytes.
  package var text: String {
    var data = JSONWriter(escapes: .script)
    data.object { json in json.member("layers", layers.map(\.name)) }
    return ReportPage(
      version: tool.version, kicker: "Radio map", title: mapped.name,
      summary:
        "<p class=\"verdict\">A radio map \(report.extent).</p>\n<p class=\"remark\">\(report.lines.map { "\($0.withCapital). " as HTML })</p>",
      sections: [plan, proposals, anchors, PageSection.provenance(tool.commandLine)].compactMap(
        \.self), data: data,
      script: PackageResources.map_js
    ).text
  }

  private var plan: PageSection {
    let cell = mapped.floors.first?.grid.cell ?? 0
    let isOfBuilding = mapped.floors.contains { !$0.rightFloor.isEmpty }
    return PageSection(
      name: "plan", heading: "Floor plan", short: "Floor plan",
      introduction:
        "Cells of \(decimal(cell, 1))\u{2009}m. The expected error is the root mean square error of gaussian-process for simulated scans\(isOfBuilding ? ", of answers on the right floor. Blank: too far from the survey, or closed." : ". Blank: the survey says too little about the shadowing." as HTML)",
      content: """
        \(unknown)\(omitted)<p class="remark no-script">Without JavaScript the plan shows the first layer.</p>
        <div class="controls script-only">
        <label>Show <select id="map-layer">\(layers.options)</select></label>
        <label><input type="checkbox" id="map-survey" checked> surveyed places</label>
        \(mapped.proposals.isEmpty ? "" : "<label><input type=\"checkbox\" id=\"map-proposals\" checked> where to survey next</label>\n" as HTML)\
        <label><input type="checkbox" id="plan-names"\(mapped.site.anchors.count <= 16 ? " checked" : "" as HTML)> names</label>
        </div>
        <div class="split"><figure>
        \(picture.html)</figure>
        <div class="readout">\(layers.legends(shown: 0))</div></div>

        """)
  }

  private var picture: PlanPicture {
    func underlay(_ floor: Int, in view: PlanView) -> HTML {
      let first = mapped.floors[..<floor].reduce(0) { $0 + $1.grid.count }
      return layers.pictures(mapped.floors[floor].grid, from: first, in: view, shown: 0)
    }
    if let panels = FloorPanels(mapped.site, around: mapped.surveyed) {
      var picture = PlanPicture(site: mapped.site, view: panels.view)
      picture.floors = (panels, panels.panels.enumerated().map { underlay($0, in: $1.view) })
      picture.answers = marks { panels.place($0.place, on: $0.floor) }
      return picture
    }
    let view = PlanView(mapped.site, around: mapped.surveyed.map(\.place))
    return PlanPicture(
      site: mapped.site, view: view, underlay: underlay(0, in: view),
      answers: marks { view.place($0.place) })
  }

  /// The reason why receptions are not shown, or nothing.
  private var unknown: HTML {
    guard !mapped.floors.contains(where: { $0.received.contains(where: \.isFinite) }) else {
      return ""
    }
    return
      "<p class=\"remark\">The number of received anchors is unknown: the survey does not show the sensitivity of the receiver.</p>\n"
  }

  /// A remark on the anchors whose levels are not shown, or nothing.
  private var omitted: HTML {
    guard levels.count > Self.mostAnchors else { return "" }
    return
      "<p class=\"remark\">Levels are shown of the \(Self.mostAnchors) anchors that reach farthest. A report that ends in <code>.levels.csv</code> has all.</p>\n"
  }

  private func marks(_ place: ((floor: Int, place: Point)) -> String) -> HTML {
    let places: [HTML] = Set(mapped.surveyed.map(place)).sorted().map { place in
      let words = place.split(separator: ",")
      return "<path d=\"M\(words.joined(separator: " "))h0\"/>"
    }
    let numbered: [HTML] = mapped.proposals.enumerated().map { index, proposal in
      let words = place((0, proposal)).split(separator: ",").map(String.init)
      return """
        <g><circle cx="\(words[0])" cy="\(words[1])" r="13"/>\
        <text x="\(words[0])" y="\(words[1])" dy="0.35em" text-anchor="middle">\(index + 1)</text></g>
        """
    }
    return
      "<g class=\"surveyed\(places.count > 800 ? " dense" : "")\">\(places)</g><g class=\"proposals\">\(numbered)</g>"
  }

  private var proposals: PageSection? {
    guard !mapped.proposals.isEmpty else { return nil }
    return PageSection(
      name: "next", heading: "Where to survey next", short: "Survey next",
      introduction:
        "Places whose survey reduces uncertainty most, each given those before it.",
      content: ReportTable(
        "Places in metres", of: mapped.proposals.enumerated(), isSortable: false,
        [
          .number("no.") { .count($0.offset + 1) }, .number("x") { .number($0.element.x, 1) },
          .number("y") { .number($0.element.y, 1) },
        ]
      ).html)
  }

  private var anchors: PageSection {
    let open = mapped.floors.reduce(0) { sum, floor in
      sum + (floor.rightFloor.isEmpty ? floor.grid.count : floor.received.count(where: \.isFinite))
    }
    return PageSection(
      name: "anchors", heading: "Anchors", short: "Anchors",
      introduction: "The learned levels of each anchor, over the cells that are not blank.",
      content: ReportTable(
        "Anchors", of: levels,
        [
          .text("anchor") { .name($0.name) },
          .number("share of the floor") { .share(Double($0.known) / Double(max(open, 1))) },
          .number("weakest, dBm") { .number($0.weakest, 1) },
          .number("strongest, dBm") { .number($0.strongest, 1) },
          .number(
            "mean sd, dB", "Standard deviation of an epoch's level about the map"
          ) { .number($0.deviation, 1) },
        ]
      ).html)
  }
}

/// The levels of an anchor over the cells of all floors in which they are known.
private struct AnchorLevels {
  let number: Int
  let name: String
  /// The number of these cells.
  let known: Int
  let weakest: Double?
  let strongest: Double?
  /// The mean standard deviation in dB; nil without a cell.
  let deviation: Double?

  init(_ number: Int, of mapped: MappedSite) {
    (self.number, name) = (number, mapped.anchors[number])
    let levels = mapped.values(ofAnchor: number, \.level).filter(\.isFinite)
    let deviations = mapped.values(ofAnchor: number, \.deviation).filter(\.isFinite)
    (known, weakest, strongest) = (levels.count, levels.min(), levels.max())
    deviation =
      deviations.isEmpty ? nil : deviations.reduce(0, +) / Double(deviations.count)
  }
}

extension MappedSite {
  /// The layers of all anchors together, the most useful first.
  fileprivate var layers: [HeatLayer] {
    [
      HeatLayer(
        name: "expected error", unit: "m", values: floors.flatMap(\.errors), isLowBright: true),
      HeatLayer(
        name: "right floor", unit: "%", values: floors.flatMap(\.rightFloor).map { 100 * $0 }),
      HeatLayer(name: "anchors received", unit: "anchors", values: floors.flatMap(\.received)),
    ].filter { $0.values.contains(where: \.isFinite) }
  }

  fileprivate func layers(ofAnchor number: Int) -> [HeatLayer] {
    [
      HeatLayer(
        name: "level of \(anchors[number])", unit: "dBm",
        values: values(ofAnchor: number, \.level)),
      HeatLayer(
        name: "uncertainty of \(anchors[number])", unit: "dB",
        values: values(ofAnchor: number, \.deviation), isLowBright: true),
    ]
  }

  /// Returns values of an anchor in the cells of all floors, NaN where it is not known.
  fileprivate func values(
    ofAnchor number: Int, _ values: (RadioMapRaster.Layer) -> [Double]
  ) -> [Double] {
    floors.enumerated().flatMap { floor, content in
      layer(ofAnchor: number, on: floor).map { $0.known(values($0)) }
        ?? [Double](repeating: .nan, count: content.grid.count)
    }
  }
}
