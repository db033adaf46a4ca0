import Filtering
package import Registries
import Sightings
package import Support
package import TracePipelines
import TraceStore

/// What the filters did, for people or as JSON.
package struct FilterReport {
  private let outcome: FilterOutcome
  private let names: BeaconNames

  package init(_ outcome: FilterOutcome, names: BeaconNames) {
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
    if hasWhiteness {
      columns.append(.number("whiteness p", rank: 3) { .number($0.whitenessP, 3) })
    }
    return ReportTable(of: links, columns)
  }

  package var json: JSONValue {
    let list = links.map { link -> JSONValue in
      let beacon = catalogue.beacons[Int(link.beacon)].id
      let members: [String: JSONValue] = [
        "beacon": .string(beacon),
        "receiver": .string(catalogue.receivers[Int(link.receiver)].id),
        "samples": .integer(Int(link.samples)), "q": .optional(link.q), "r": .optional(link.r),
        "log_likelihood": .optional(link.logLikelihood),
        "noise": .string(String(describing: link.origin)),
        "standard_error": .object([
          "q": .optional(link.qStandardError), "r": .optional(link.rStandardError),
        ]),
        "ci95": .object([
          "q": interval(link.qLow, link.qHigh), "r": interval(link.rLow, link.rHigh),
        ]),
        "whiteness": link.whitenessLags == 0
          ? .null
          : .object([
            "statistic": .optional(link.whiteness), "lags": .integer(Int(link.whitenessLags)),
            "p_value": .optional(link.whitenessP), "mean_nis": .optional(link.meanNIS),
          ]),
      ]
      return .object(members.merging(names.member(beacon)) { $1 })
    }
    return .object([
      "name": .string(outcome.name), "links": .array(list), "missing": .integer(counts.missing),
      "out_of_order": .integer(counts.outOfOrder), "late": .integer(counts.late),
      "restarts": .integer(counts.restarts), "clock_steps": .integer(counts.clockSteps),
    ])
  }

  private func interval(_ low: Double, _ high: Double) -> JSONValue {
    low.isNaN ? .null : .array([.optional(low), .optional(high)])
  }
}
