import Evaluation
import Geometry
import Positioning
import Support
package import TracePipelines
package import TraceStore

/// A radio map on the floor plan: a page that needs nothing else.
///
/// Its layers are the expected error, the number of received anchors, and for each anchor the
/// expected level and its uncertainty. Cells without enough survey nearby stay blank. See
/// docs/radio-map.md.
package struct RadioMapPage {
  private let mapped: MappedSite
  private let report: RadioMapSummary
  private let tool: ToolIdentity
  private let view: PlanView
  private let layers: [HeatLayer]

  /// - Parameters:
  ///   - report: on the same map.
  ///   - tool: the program that makes the page.
  package init(_ mapped: MappedSite, _ report: RadioMapReport, by tool: ToolIdentity) {
    (self.mapped, self.report, self.tool) = (mapped, report.summary, tool)
    view = PlanView(mapped.site, around: mapped.surveyed)
    layers = mapped.layers
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

  private var grid: HeatGrid {
    let raster = mapped.raster
    return HeatGrid(
      origin: raster.origin, cell: raster.cell, columns: raster.columns, rows: raster.rows)
  }

  private var plan: PageSection {
    return PageSection(
      name: "plan", heading: "Floor plan", short: "Floor plan",
      introduction:
        "Cells of \(decimal(mapped.raster.cell, 1))\u{2009}m. The expected error is the root mean square error of gaussian-process for simulated scans. Blank: the survey says too little about the shadowing.",
      content: """
        \(unknown)<p class="remark no-script">Without JavaScript the plan shows the first layer.</p>
        <div class="controls script-only">
        <label>Show <select id="map-layer">\(layers.options)</select></label>
        <label><input type="checkbox" id="map-survey" checked> surveyed places</label>
        <label><input type="checkbox" id="map-proposals" checked> where to survey next</label>
        <label><input type="checkbox" id="plan-names"\(mapped.site.anchors.count <= 16 ? " checked" : "" as HTML)> names</label>
        </div>
        <div class="split"><figure>
        \(PlanPicture(site: mapped.site, view: view, underlay: layers.pictures(grid, in: view, shown: 0), answers: marks).html)</figure>
        <div class="readout">\(layers.legends(shown: 0))</div></div>

        """)
  }

  /// The reason why receptions are not shown, or nothing.
  private var unknown: HTML {
    guard !mapped.raster.received.contains(where: \.isFinite) else { return "" }
    return
      "<p class=\"remark\">The number of received anchors is unknown: the survey does not show the sensitivity of the receiver.</p>\n"
  }

  private var marks: HTML {
    let places: [HTML] = Set(mapped.surveyed.map(view.place)).sorted().map { place in
      let words = place.split(separator: ",")
      return "<path d=\"M\(words.joined(separator: " "))h0\"/>"
    }
    let numbered: [HTML] = mapped.proposals.enumerated().map { index, place in
      """
      <g><circle cx="\(view.x(place.x))" cy="\(view.y(place.y))" r="13"/>\
      <text x="\(view.x(place.x))" y="\(view.y(place.y))" dy="0.35em" text-anchor="middle">\(index + 1)</text></g>
      """
    }
    return "<g class=\"surveyed\">\(places)</g><g class=\"proposals\">\(numbered)</g>"
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
    typealias Row = (name: String, share: Double, levels: [Double], deviation: Double?)
    let rows: [Row] = zip(mapped.anchors, mapped.raster.layers).map { name, layer in
      let levels = layer.map { $0.known($0.level).filter(\.isFinite) } ?? []
      let deviations = layer.map { $0.known($0.deviation).filter(\.isFinite) } ?? []
      return (
        name, Double(levels.count) / Double(max(layer?.level.count ?? 1, 1)), levels,
        deviations.isEmpty ? nil : deviations.reduce(0, +) / Double(deviations.count)
      )
    }
    return PageSection(
      name: "anchors", heading: "Anchors", short: "Anchors",
      introduction: "The learned levels of each anchor, over the cells that are not blank.",
      content: ReportTable(
        "Anchors", of: rows,
        [
          .text("anchor") { .name($0.name) }, .number("share of the floor") { .share($0.share) },
          .number("weakest, dBm") { .number($0.levels.min(), 1) },
          .number("strongest, dBm") { .number($0.levels.max(), 1) },
          .number(
            "mean sd, dB", "Standard deviation of an epoch's level about the map"
          ) { .number($0.deviation, 1) },
        ]
      ).html)
  }
}

extension MappedSite {
  /// All layers with numbers, the most useful first.
  fileprivate var layers: [HeatLayer] {
    var layers = [
      HeatLayer(name: "expected error", unit: "m", values: errors, isLowBright: true),
      HeatLayer(name: "anchors received", unit: "anchors", values: raster.received),
    ]
    for (name, layer) in zip(anchors, raster.layers) {
      guard let layer else { continue }
      layers.append(
        HeatLayer(name: "level of \(name)", unit: "dBm", values: layer.known(layer.level)))
      layers.append(
        HeatLayer(
          name: "uncertainty of \(name)", unit: "dB", values: layer.known(layer.deviation),
          isLowBright: true))
    }
    return layers.filter { $0.values.contains(where: \.isFinite) }
  }
}
