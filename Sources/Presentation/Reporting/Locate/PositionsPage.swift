package import Evaluation
package import Geometry
package import Plotting
import Positioning
package import Registries
import Sightings
package import Support
package import TracePipelines
package import TraceStore

/// Located positions on the floor plan: a page that needs nothing else, or a picture.
///
/// The page shows paths, 95 % ellipses, rooms and spots, and steps through time. A part can be
/// named in the address: `#trace=walk-1&node=phone&step=12`, steps counted from 1. See
/// docs/locate.md.
package struct PositionsPage {
  private let report: LocateReport
  private let embedded: EmbeddedPositions
  private let files: [[LocatedPosition]]
  private let reference: EarthReference?
  private let site: ReportedSite
  private let names: BeaconNames
  private let title: String
  private let tool: ToolIdentity

  /// - Parameters:
  ///   - report: on the same positions.
  ///   - files: the positions, file by file.
  ///   - reference: the place of the site on Earth.
  ///   - tool: the program that made the positions.
  package init(
    _ report: LocateReport, _ files: [LocatedTrace], on site: ReportedSite,
    at reference: EarthReference?, _ names: BeaconNames, by tool: ToolIdentity
  ) {
    self.init(
      report, files.map(\.positions), on: site, at: reference, names,
      title: files.map(\.name).joined(separator: ", "), by: tool)
  }

  /// - Parameter mostPositions: the maximum number on the floor plan.
  init(
    _ report: LocateReport, _ files: [[LocatedPosition]], on site: ReportedSite,
    at reference: EarthReference? = nil, _ names: BeaconNames, title: String, by tool: ToolIdentity,
    mostPositions: Int = EmbeddedPositions.most
  ) {
    embedded = EmbeddedPositions(files, names, most: mostPositions)
    (self.files, self.reference) = (files, reference)
    (self.report, self.site, self.names) = (report, site, names)
    (self.title, self.tool) = (title, tool)
  }

  /// The page; the same positions give the same bytes.
  package var text: String {
    ReportPage(
      version: tool.version, kicker: "Located positions", title: title,
      summary: "<p class=\"verdict\">\(report.verdict)</p>\n\(ReportPage.facts(report.facts))",
      sections: [plan, nodes, rooms, PageSection.provenance(tool.commandLine)].compactMap(\.self),
      data: embedded.json, script: PackageResources.positions_js
    ).text
  }

  /// The floor plan with all paths, as a picture (SVG).
  package var svg: String { picture(of: embedded.traces).standalone }

  /// The positions as GeoJSON; nil if the place of the site on Earth is unknown.
  package var geoJSON: String? {
    reference.map { PositionsGeoJSON(reference: $0, names: names).text(files) }
  }

  private var positions: [LocatedPosition] { files.flatMap(\.self) }

  /// Returns the plan with the positions inside the site and near it.
  private func picture(of traces: [EmbeddedPositions.Trace]) -> PlanPicture {
    let all = positions.compactMap { $0.estimate?.position }
    let drawn =
      site.anchors.map(\.place) + site.rooms.flatMap(\.corners)
      + site.walls.flatMap(\.points)
    if let panels = FloorPanels(
      site,
      around: positions.compactMap { one in one.estimate.map { ($0.floor ?? 0, $0.position) } })
    {
      var picture = panels.picture(of: site)
      picture.answers =
        "\(traces.flatMap { paths(of: $0) { panels.place($0.position, on: $0.floor ?? 0) } })"
      return picture
    }
    let near = Bounds(around: drawn).map { box in
      all.filter { place in
        let reach = 0.25 * max(box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
        return place.x > box.minimum.x - reach && place.x < box.maximum.x + reach
          && place.y > box.minimum.y - reach && place.y < box.maximum.y + reach
      }
    }
    let view = PlanView(
      site, around: near ?? all, ellipses: positions.compactMap(\.estimate))
    return PlanPicture(
      site: site, view: view,
      answers: "\(traces.flatMap { paths(of: $0) { view.place($0.position) } })")
  }

  /// The path of each node, in its colour.
  private func paths(
    of trace: EmbeddedPositions.Trace, _ place: (Estimate) -> String
  ) -> [HTML] {
    trace.nodes.enumerated().map { number, node in
      let estimates = node.positions.compactMap(\.estimate)
      let places = estimates.map { place($0).replacing(",", with: " ") }
      // A path ends where the floor changes.
      let path = zip(places, estimates.indices).map { place, index in
        index > 0 && estimates[index - 1].floor == estimates[index].floor
          ? "L" + place : "M" + place
      }
      let colour = PagePalette.colourClass(number)
      return """
        <path class="joined \(colour)" d="\(path.joined())"/>\
        <path class="cloud \(colour)\(node.positions.count > 800 ? " dense" : "")" d="\(places.map { "M\($0)h0" }.joined())"/>
        """
    }
  }

  private var plan: PageSection {
    let traces: [HTML] = embedded.traces.enumerated().map { index, trace in
      "<option value=\"\(index)\">\(trace.name)</option>"
    }
    let thinned: HTML =
      embedded.stride > 1
      ? "<p class=\"remark\">The plan shows one epoch in \(embedded.stride).</p>\n"
      : ""
    return PageSection(
      name: "plan", heading: "Floor plan", short: "Floor plan",
      introduction:
        "Position of each node with its claimed 95\u{2009}% ellipse. <code>rssi eval</code> compares claims with truth.",
      content: """
        \(thinned)<p class="remark no-script">The plan shows the paths of the first trace; choosing and stepping need JavaScript.</p>
        <div class="controls script-only">
        <label>Trace <select id="plan-trace">\(traces)</select></label>
        <label>Node <select id="plan-node"></select></label>
        <label><input type="checkbox" id="plan-joined" checked> paths</label>
        <label><input type="checkbox" id="plan-all" checked> all positions</label>
        <label><input type="checkbox" id="plan-names"\(site.anchors.count <= 16 ? " checked" : "" as HTML)> names</label>
        </div>
        \(picture(of: Array(embedded.traces.prefix(1))).withPlayer(
          key: PlanPicture.key(
            (site.anchors.isEmpty ? [] : [.anchor]) + [.estimate("position"), .ellipse]), step: "position",
          curve: "Longer half axis of the 95 % ellipse over the trace"))
        """)
  }

  private var nodes: PageSection {
    PageSection(
      name: "nodes", heading: "Nodes", short: "Nodes",
      introduction:
        "Answered epochs, and the claimed accuracy of positions.",
      content: report.nodeTable.html)
  }

  private var rooms: PageSection? {
    var counts: [String: [String: Int]] = [:]
    for position in positions {
      guard let room = position.room else { continue }
      counts[names.short(position.node.id), default: [:]][room, default: 0] += 1
    }
    guard !counts.isEmpty else { return nil }
    typealias Row = (node: String, room: String, count: Int, share: Double)
    let rows = counts.sorted { $0.key < $1.key }.flatMap { node, rooms -> [Row] in
      let all = Double(rooms.values.reduce(0, +))
      return rooms.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { (node, $0.key, $0.value, Double($0.value) / all) }
    }
    return PageSection(
      name: "rooms", heading: "Rooms", short: "Rooms",
      introduction: "Positions per room; of nested rooms the smallest counts.",
      content: ReportTable(
        "Positions in rooms", of: rows,
        [
          .text("node") { .name($0.node) }, .text("room") { .name($0.room) },
          .number("positions") { .count($0.count) }, .number("share") { .share($0.share) },
        ]
      ).html)
  }
}

/// A file for located positions on a plan or a map, in the form that its name ends in.
package enum PlanForm {
  case page(String)
  case picture(String, PictureFormat)
  case geoJSON(String)

  /// - Throws: `RSSIError` for a name that ends in no known form.
  package init(path: String) throws(RSSIError) {
    let name = path.lowercased()
    switch true {
    case name.hasSuffix(".html"), name.hasSuffix(".htm"): self = .page(path)
    case name.hasSuffix(".geojson"): self = .geoJSON(path)
    default:
      guard let format = try? PictureFormat(path: path) else {
        throw RSSIError(
          .usage,
          "`report` \(path): name a file that ends in .html (a page), .svg, .png or .pdf (a picture), "
            + "or .geojson")
      }
      self = .picture(path, format)
    }
  }

  /// - Throws: `RSSIError` for coordinates of a site whose place on Earth is not known.
  package func check(_ reference: EarthReference?) throws(RSSIError) {
    guard case .geoJSON(let path) = self, reference == nil else { return }
    throw RSSIError(
      .badInput,
      "`report` \(path) needs the place of the site on Earth: give `site` with [[wgs84]], latitude_deg "
        + "and longitude_deg of its origin")
  }

  /// Writes the positions; the file appears under its name only when it is whole.
  package func write(_ page: PositionsPage) throws {
    switch self {
    case .page(let path): try writeWhole(Array(page.text.utf8), to: path)
    case .picture(let path, let format):
      try writeWhole(try format.bytes(of: page.svg), to: path)
    case .geoJSON(let path): try writeWhole(Array((page.geoJSON ?? "").utf8), to: path)
    }
  }
}
