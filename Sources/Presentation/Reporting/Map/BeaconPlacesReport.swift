import Evaluation
import Geometry
import Plotting
import Positioning
import Sightings
package import Support
package import TracePipelines

/// The places of beacons that a survey heard, as text, as a document, as a table of nodes and as a
/// picture.
package struct BeaconPlacesReport {
  private let result: BeaconPlacesResult
  private let beacons: [PlacedBeacon]

  private let checksAnchors: Bool

  /// - Parameter checksAnchors: true to compare known places with what the survey heard.
  package init(_ result: BeaconPlacesResult, checksAnchors: Bool = false) {
    (self.result, self.checksAnchors) = (result, checksAnchors)
    beacons = result.places.beacons
  }

  private func node(_ beacon: PlacedBeacon) -> Node { result.nodes[beacon.anchor] }

  /// The half axes of the 95 % ellipse of a place.
  private func ellipse(_ place: PlacedBeacon.Place) -> ErrorEllipse? {
    place.ellipse?.scaled(toHold: 0.95)
  }

  private func floor(_ place: PlacedBeacon.Place?) -> String {
    place.map { result.floors.indices.contains($0.floor) ? result.floors[$0.floor] : "" } ?? ""
  }

  // MARK: Text

  /// The table of places, the most certain first.
  package var text: TextReport {
    let role = result.role
    var report = TextReport()
    report.add(
      "\(result.placed) of \(counted(beacons.count, "\(role)")) placed, from \(grouped(beacons.reduce(0) { $0 + $1.packets })) levels\n"
    )
    report.add("\(model)\n\n")
    report.add(table: table)
    if checksAnchors { addCheck(to: &report) }
    return report
  }

  /// Adds the known places, the most doubtful first.
  private func addCheck(to report: inout TextReport) {
    let checked = beacons.filter { $0.known != nil }
      .sorted { ($0.known?.logRatio ?? 0) > ($1.known?.logRatio ?? 0) }
    let misplaced = checked.filter(result.isMisplaced)
    report.add(
      "\n\(misplaced.isEmpty ? "No known place contradicts" : "\(counted(misplaced.count, "known place")) of \(checked.count) contradict\(misplaced.count == 1 ? "s" : "")") the survey (any false alarm: at most \(percent(result.settings.falseAlarms))).\n\n"
    )
    report.add(
      table: ReportTable(
        "Known places", of: checked,
        [
          .text("\(result.role)", least: 12) { .name(node($0).id) },
          .number("known x", unit: "m") { .number($0.known?.place.x) },
          .number("y", unit: "m") { .number($0.known?.place.y) },
          .number("found x", unit: "m") { .number($0.place?.mean.x) },
          .number("y", unit: "m") { .number($0.place?.mean.y) },
          .number("apart", unit: "m") { .number($0.distanceFromKnown, 1) },
          .number("detectable", "The displacement that is found with 80 % power.", unit: "m") {
            .number($0.known?.detectable, 1)
          },
          .text("verdict") { .text(result.isMisplaced($0) ? "misplaced" : "agrees") },
        ]))
  }

  private var model: String {
    let model = result.places.model
    return
      "power \(decimal(model.power.mean, 1)) ± \(decimal(model.power.deviation, 1)) dBm, exponent "
      + "\(decimal(model.exponent.mean, 2)) ± \(decimal(model.exponent.deviation, 2)), antenna pattern "
      + "\(decimal(model.pattern, 1)) dB, shadowing \(decimal(model.variation.spread, 1)) dB over "
      + "\(decimal(model.variation.length, 1)) m, noise of a place "
      + "\(decimal(model.variation.placeNoise, 1)) dB"
  }

  private var table: ReportTable {
    let sorted = beacons.sorted { a, b in
      (a.place?.ellipse?.semiMajor ?? .infinity, node(a).id)
        < (b.place?.ellipse?.semiMajor ?? .infinity, node(b).id)
    }
    var columns: [ReportTable.Column<PlacedBeacon>] = [
      .text("\(result.role)", least: 12) { .name(node($0).id) }
    ]
    if !result.floors.isEmpty, result.floors != [""] {
      columns.append(.text("floor", rank: 3) { .name(floor($0.place)) })
    }
    columns += [
      .number("x", unit: "m") { .number($0.place?.mean.x) },
      .number("y", unit: "m") { .number($0.place?.mean.y) },
      .text("95 % ellipse, m", onTerminal: "95 %, m") { beacon in
        .text(
          beacon.place.flatMap(ellipse).map {
            "\(decimal($0.semiMajor, 1)) × \(decimal($0.semiMinor, 1))"
          } ?? "–")
      },
      .text("power, dBm") {
        .text(
          $0.place.map { "\(decimal($0.power.mean, 1)) ± \(decimal($0.power.deviation, 1))" } ?? "–"
        )
      },
      .text("exponent", rank: 1) {
        .text(
          $0.place.map { "\(decimal($0.exponent.mean, 2)) ± \(decimal($0.exponent.deviation, 2))" }
            ?? "–")
      },
      .number("levels", rank: 2) { .count($0.packets) },
      .text("verdict") { .text($0.verdict.rawValue) },
    ]
    return ReportTable("Places", of: sorted, columns)
  }

  // MARK: Documents

  package var json: JSONValue {
    let model = result.places.model
    return [
      "role": "\(result.role)", "placed": result.placed, "floors": result.floors,
      "largest_deviation_m": result.settings.largestDeviation,
      "model": .object([
        "measured_power_dbm": model.power.mean, "measured_power_sd_db": model.power.deviation,
        "exponent": model.exponent.mean, "exponent_sd": model.exponent.deviation,
        "pattern_db": model.pattern, "height_m": model.height,
        "spread_db": model.variation.spread, "length_m": model.variation.length,
        "place_noise_db": model.variation.placeNoise,
        "packet_noise_db": model.variation.packetNoise,
      ]),
      "false_alarms": checksAnchors ? result.settings.falseAlarms : nil,
      "beacons": beacons.map { beacon -> JSONValue in
        [
          "id": node(beacon).id, "verdict": beacon.verdict.rawValue, "packets": beacon.packets,
          "place": beacon.place.map(json), "apparent_places": beacon.apparent.map(json),
          "known": checksAnchors ? known(beacon) : .null,
        ]
      },
    ]
  }

  private func known(_ beacon: PlacedBeacon) -> JSONValue {
    guard let known = beacon.known else { return .null }
    return [
      "x_m": known.place.x, "y_m": known.place.y, "misplaced": result.isMisplaced(beacon),
      "log_likelihood_ratio": known.logRatio, "apart_m": beacon.distanceFromKnown,
      "detectable_m": known.detectable,
    ]
  }

  private func json(_ place: PlacedBeacon.Place) -> JSONValue {
    let ellipse = ellipse(place)
    return [
      "floor": floor(place), "x_m": place.mean.x, "y_m": place.mean.y,
      "var_xx_m2": place.covariance.xx, "var_xy_m2": place.covariance.xy,
      "var_yy_m2": place.covariance.yy, "ci95_major_m": ellipse?.semiMajor,
      "ci95_minor_m": ellipse?.semiMinor, "ci95_angle_deg": ellipse.map { $0.angle * 180 / .pi },
      "elsewhere": place.elsewhere, "measured_power_dbm": place.power.mean,
      "measured_power_sd_db": place.power.deviation, "exponent": place.exponent.mean,
      "exponent_sd": place.exponent.deviation,
    ]
  }

  /// The nodes as a table for `rssi import --nodes`; places that were known stay as they are, and
  /// those of beacons that were not placed are empty.
  package var nodesCSV: String {
    let columns: CSVColumns<PlacedBeacon> = [
      "node": { CSV.text(node($0).id) }, "role": { _ in CSV.text("\(result.role)") },
      "x_m": { CSV.number(place($0)?.x, 3) }, "y_m": { CSV.number(place($0)?.y, 3) },
      "z_m": { node($0).isAnchor && node($0).z.isFinite ? plain(node($0).z) : "" },
    ]
    let floors: CSVColumns<PlacedBeacon> =
      result.floors.count > 1 ? ["floor": { CSV.text(floor($0.place)) }] : [:]
    let figures: CSVColumns<PlacedBeacon> = [
      "measured_power_dbm": { CSV.number($0.place?.power.mean, 2) },
      "measured_power_sd_db": { CSV.number($0.place?.power.deviation, 2) },
      "exponent": { CSV.number($0.place?.exponent.mean, 3) },
      "exponent_sd": { CSV.number($0.place?.exponent.deviation, 3) },
      "ci95_major_m": { CSV.number($0.place.flatMap(ellipse)?.semiMajor, 3) },
      "ci95_minor_m": { CSV.number($0.place.flatMap(ellipse)?.semiMinor, 3) },
      "ci95_angle_deg": { CSV.number($0.place.flatMap(ellipse).map { $0.angle * 180 / .pi }, 1) },
      "elsewhere": { CSV.number($0.place?.elsewhere, 4) }, "packets": { "\($0.packets)" },
      "verdict": { CSV.text(node($0).isAnchor ? "known" : $0.verdict.rawValue) },
    ]
    let all = columns + floors + figures
    return all.names + "\n" + beacons.map { all.fields($0) + "\n" }.joined()
  }

  private func place(_ beacon: PlacedBeacon) -> Point? {
    node(beacon).place ?? (beacon.verdict == .placed ? beacon.place?.mean : nil)
  }

  // MARK: Picture

  /// The floor plan with a 95 % ellipse for each place, and the surveyed places.
  package var svg: String {
    let shown = beacons.filter { $0.verdict == .placed }
    let estimates = shown.compactMap { beacon in
      beacon.place.map { place in
        var estimate = Estimate(
          position: place.mean, uncertainty: .covariance(place.covariance))
        estimate.floor = place.floor
        return estimate
      }
    }
    let places =
      result.surveyed
      + shown.flatMap { beacon in
        ([beacon.place].compactMap(\.self) + beacon.apparent).map { ($0.floor, $0.mean) }
      }
    if let panels = FloorPanels(result.site, around: places, estimates: estimates) {
      var picture = panels.picture(of: result.site)
      picture.answers = marks(of: shown, scale: panels.view.scale) { panels.place($0, on: $1) }
      return picture.standalone
    }
    let view = PlanView(
      result.site, around: places.map { $0.place }, ellipses: estimates)
    return PlanPicture(
      site: result.site, view: view,
      answers: marks(of: shown, scale: view.scale) { place, _ in view.place(place) }
    ).standalone
  }

  /// Draws a dot with an ellipse and, where there is room, a name for each place, and a ring for each
  /// apparent place, whose ellipse is wide.
  private func marks(
    of shown: [PlacedBeacon], scale: Double, _ place: (Point, Int) -> String
  ) -> HTML {
    let ways = Set(result.surveyed.map { place($0.place, $0.floor) }).sorted().map {
      "M\($0.replacing(",", with: " "))h0"
    }
    var labels = PictureLabels()
    let marks: [HTML] = shown.enumerated().flatMap { number, beacon in
      ([beacon.place].compactMap(\.self) + beacon.apparent).map { one -> HTML in
        let at = place(one.mean, one.floor).split(separator: ",").compactMap { Double($0) }
        let name = node(beacon).id
        var content: HTML = "<circle r=\"4\"/>"
        let isOwn = one.floor == beacon.place?.floor
        if isOwn, let ellipse = ellipse(one) {
          content = """
            <ellipse rx="\(decimal(ellipse.semiMajor * scale, 1))" ry="\(decimal(ellipse.semiMinor * scale, 1))" transform="rotate(\(decimal(-ellipse.angle * 180 / .pi, 1)))"/>\(content)
            """
          let short = PlanPicture.short(name)
          if !node(beacon).isAnchor, labels.takes(short, atX: at[0], y: at[1]) {
            content = "\(content)<text dx=\"0.6em\" dy=\"-0.35em\">\(short)</text>"
          }
        }
        return """
          <g class="place \(PagePalette.colourClass(number))\(isOwn ? "" : " apparent" as HTML)" transform="translate(\(decimal(at[0], 1)) \(decimal(at[1], 1)))">\(content)<title>\(name)</title></g>

          """
      }
    }
    return "<path class=\"surveyed\" d=\"\(ways.joined())\"/>\n\(marks)"
  }
}

/// The places of names in a picture, which do not overlap.
private struct PictureLabels {
  private var taken: [(x: ClosedRange<Double>, y: ClosedRange<Double>)] = []

  /// Returns true if there is room for a name beside a place, and takes it.
  mutating func takes(_ name: String, atX x: Double, y: Double) -> Bool {
    let box = (x: x...(x + 9 * Double(name.count)), y: (y - 18)...(y + 2))
    guard !taken.contains(where: { $0.x.overlaps(box.x) && $0.y.overlaps(box.y) }) else {
      return false
    }
    taken.append(box)
    return true
  }
}
