import Geometry
import Positioning
package import Support
package import TracePipelines

/// The calibration of receivers and beacons that hear each other, and the check of their places.
package struct LinkFitReport {
  private let shared: Shared<LinkFitResult>
  private var result: LinkFitResult { shared.value }
  private var found: LinkCalibration { result.constants }

  package init(_ result: LinkFitResult) { shared = Shared(result) }

  private func text(_ value: LinkCalibration.Value, _ places: Int = 1) -> String {
    "\(decimal(value.mean, places)) ± \(decimal(1.96 * value.deviation, places))"
  }

  package var text: TextReport {
    let links = result.links.links
    let heard = links.count { $0.level != nil }
    var report = TextReport()
    report.add(
      "\(heard) of \(counted(links.count, "link")) heard, between \(counted(result.beacons.count, "beacon")) and \(counted(result.receivers.count, "receiver")) at \(counted(result.names.count, "place"))\n"
    )
    report.add(
      "exponent \(text(found.exponent, 2)), shadowing \(decimal(found.deviations.shadowing, 1)) dB, of a direction \(decimal(found.deviations.direction, 1)) dB (± of 95 %)\n"
    )
    for (kind, loss) in zip(result.links.kinds, found.wallLosses) {
      report.add("loss by a wall of kind \(kind) \(text(loss)) dB\n")
    }
    report.add("\n")
    report.add(
      table: ReportTable(
        "Beacons", of: result.beacons.indices,
        [
          .text("beacon", least: 12) { .name(result.beacons[$0]) },
          .text("power, dBm") { .text(text(found.powers[$0])) },
        ]))
    report.add("\n")
    report.add(
      table: ReportTable(
        "Receivers", of: result.receivers.indices,
        [
          .text("receiver", least: 12) { .name(result.receivers[$0]) },
          .text("offset, dB") { .text(text(found.offsets[$0])) },
        ]))
    addPlaces(to: &report)
    return report
  }

  /// Adds the place of each anchor without its known one.
  private func addPlaces(to report: inout TextReport) {
    let places = result.places
    let named = places.misplaced.map { "\(result.names[$0]) is misplaced" }
    report.add(
      "\n\(named ?? "No place contradicts the links") (any false alarm: at most 5 %).\n\n")
    let sorted = places.anchors.sorted { $0.logRatio > $1.logRatio }
    report.add(
      table: ReportTable(
        "Places without the known one", of: sorted,
        [
          .text("anchor", least: 12) { .name(result.names[$0.anchor]) },
          .number("links", rank: 2) { .count($0.heard) },
          .number("x", unit: "m") { .number($0.mean.x, 1) },
          .number("y", unit: "m") { .number($0.mean.y, 1) },
          .number("sd", unit: "m") { .number(ErrorEllipse($0.covariance)?.semiMajor, 1) },
          .number("apart", unit: "m") {
            .number($0.mean.distance(to: result.links.places[$0.anchor]), 1)
          },
          .number("log ratio", rank: 1) { .number($0.logRatio, 1) },
          .number("detectable", "The displacement that is found with 80 % power.", unit: "m") {
            .number($0.detectable, 1)
          },
        ]))
  }

  /// - Parameters:
  ///   - name: the name of what has the value, under its key.
  ///   - key: the key of the mean.
  private func json(
    _ value: LinkCalibration.Value, _ key: String, of name: (key: String, text: String)
  ) -> JSONValue {
    [
      name.key: name.text, key: value.mean, "standard_error": value.deviation,
      "ci95": value.interval,
    ]
  }

  package var json: JSONValue {
    let links = result.links
    let places = result.places
    return [
      "links": links.links.count, "heard_links": links.links.count { $0.level != nil },
      "exponent": found.exponent.mean, "exponent_standard_error": found.exponent.deviation,
      "exponent_ci95": found.exponent.interval,
      "shadowing_sd_db": found.deviations.shadowing,
      "direction_sd_db": found.deviations.direction,
      "power_sd_db": found.deviations.power, "offset_sd_db": found.deviations.offset,
      "beacons": zip(found.powers, result.beacons).map {
        json($0, "measured_power_dbm", of: ("id", $1))
      },
      "receivers": zip(found.offsets, result.receivers).map {
        json($0, "offset_db", of: ("id", $1))
      },
      "walls": zip(found.wallLosses, links.kinds).map { json($0, "loss_db", of: ("kind", $1)) },
      "false_alarms": 0.05, "threshold": places.threshold,
      "misplaced": places.misplaced.map { result.names[$0] },
      "anchors": places.anchors.map { one -> JSONValue in
        [
          "id": result.names[one.anchor], "heard_links": one.heard,
          "log_likelihood_ratio": one.logRatio, "x_m": one.mean.x, "y_m": one.mean.y,
          "var_xx_m2": one.covariance.xx, "var_xy_m2": one.covariance.xy,
          "var_yy_m2": one.covariance.yy, "detectable_m": one.detectable,
        ]
      },
    ]
  }
}
