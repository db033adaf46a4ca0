import Filtering
package import Registries
import Sightings
package import Support
package import TracePipelines
import TraceStore

/// The results of filters, as text or as JSON.
package struct FilterReport {
  private let outcome: FilterResult
  private let names: BeaconNames

  package init(_ outcome: FilterResult, names: BeaconNames) {
    (self.outcome, self.names) = (outcome, names)
  }

  private var links: [FilteredLink] { outcome.links }
  private var catalogue: Catalogue { outcome.catalogue }
  private var counts: FilterCounts { outcome.counts }

  /// The links that the text lists; the JSON report has all.
  private static let mostLinks = 20

  /// - Parameter output: the trace that was written.
  package func text(of output: String) -> TextReport {
    let listed = links.prefix(Self.mostLinks)
    let hasWhiteness = listed.contains { !$0.whitenessP.isNaN }
    var report = TextReport()
    report.add(heading: "\(output): /filtered/\(outcome.name), \(links.count) links")
    report.add(table: table(of: listed, hasWhiteness: hasWhiteness))
    if links.count > listed.count {
      report.add("… and \(links.count - listed.count) more; the JSON report has all\n")
    }
    if outcome.noise != nil {
      report.add("q: how fast the true level moves; r: noise of a single level; 95 %: intervals\n")
    }
    if listed.contains(where: { $0.floorOrigin == .estimated || $0.lossOrigin == .estimated }) {
      report.add("floor: level of half reception; loss: share of strong packets lost (estimated)\n")
    }
    if hasWhiteness {
      report.add("whiteness p: where it is small, q and r do not describe the link (Ljung–Box)\n")
      let doubtful = links.count { $0.whitenessP < 0.001 }
      if doubtful > 0 {
        report.add(
          "whiteness p below 0.001: \(doubtful) of \(links.count) links, whose variances are too small; "
            + "multiple-model knows fading that lasts\n")
      }
    }
    return report
  }

  private func table(of links: ArraySlice<FilteredLink>, hasWhiteness: Bool) -> ReportTable {
    func interval(_ low: Double, _ high: Double, _ places: Int) -> ReportTable.Cell {
      .text(low.isNaN ? "–" : "\(decimal(low, places)) – \(decimal(high, places))")
    }
    let hasIntervals = links.contains { $0.origin == .link }
    var columns: [ReportTable.Column<FilteredLink>] = [
      .text("beacon", least: 16) { .name(names.short(catalogue.beacons[Int($0.beacon)].id)) },
      .text("receiver", least: 8) { .name(catalogue.receivers[Int($0.receiver)].id) },
      .number("samples", rank: 4) { .count(Int($0.samples)) },
      .number("q \(outcome.noise?.unit ?? "dB²/s")") { .number($0.q, 3) },
    ]
    if hasIntervals {
      columns.append(.number("95 % of q", rank: 1) { interval($0.qLow, $0.qHigh, 3) })
    }
    columns.append(.number("r dB²") { .number($0.r) })
    if hasIntervals {
      columns.append(.number("95 % of r", rank: 2) { interval($0.rLow, $0.rHigh, 2) })
    }
    if links.contains(where: { $0.lossOrigin != .none }) {
      columns.append(.number("floor dBm") { .number($0.floorOrigin == .assumed ? .nan : $0.floor) })
      columns.append(.number("loss") { .number($0.loss) })
    }
    if hasWhiteness {
      columns.append(.number("whiteness p", rank: 3) { .number($0.whitenessP, 3) })
    }
    return ReportTable(of: links, columns)
  }

  package var json: JSONValue {
    let list = links.map { link -> JSONValue in
      let beacon = catalogue.beacons[Int(link.beacon)].id
      let json: JSONValue = [
        "beacon": beacon, "receiver": catalogue.receivers[Int(link.receiver)].id,
        "samples": Int(link.samples), "q": link.q, "r": link.r,
        "log_likelihood": link.logLikelihood, "noise": link.origin.name,
        "standard_error": .object(["q": link.qStandardError, "r": link.rStandardError]),
        "ci95": .object([
          "q": interval(link.qLow, link.qHigh), "r": interval(link.rLow, link.rHigh),
        ]),
        "whiteness": whiteness(of: link), "reception": reception(of: link),
      ]
      return json.adding(names.member(beacon).json)
    }
    return [
      "name": outcome.name, "links": list, "missing": counts.missing,
      "out_of_order": counts.outOfOrder, "late": counts.late,
      "restarts": counts.restarts, "clock_steps": counts.clockSteps,
    ]
  }

  private func interval(_ low: Double, _ high: Double) -> [Double]? {
    low.isNaN ? nil : [low, high]
  }

  private func reception(of link: FilteredLink) -> JSONValue {
    guard link.lossOrigin != .none else { return .null }
    let hasFloor = link.floorOrigin != .assumed
    return [
      "floor_dbm": hasFloor ? link.floor : nil, "edge_db": hasFloor ? link.edge : nil,
      "floor_origin": link.floorOrigin.name, "loss": link.loss,
      "loss_origin": link.lossOrigin.name,
    ]
  }

  private func whiteness(of link: FilteredLink) -> JSONValue {
    guard link.whitenessLags > 0 else { return .null }
    return [
      "statistic": link.whiteness, "lags": Int(link.whitenessLags), "p_value": link.whitenessP,
      "mean_nis": link.meanNIS,
    ]
  }
}
