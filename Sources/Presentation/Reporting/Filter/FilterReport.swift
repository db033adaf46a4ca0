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

  /// - Parameter output: the trace that was written.
  package func text(of output: String) -> String {
    let isEstimated = links.contains { $0.origin == .link }
    var rows = [["beacon", "receiver", "samples", "q", "r dB²"]]
    if isEstimated { rows[0] += ["q from", "to", "r from", "to", "white p"] }
    for link in links.prefix(20) {
      var row = [
        names.short(catalogue.beacons[Int(link.beacon)].id),
        catalogue.receivers[Int(link.receiver)].id,
        String(link.samples), decimal(link.q, 3), decimal(link.r, 2),
      ]
      if isEstimated {
        row += [
          decimal(link.qLow, 3), decimal(link.qHigh, 3), decimal(link.rLow, 2),
          decimal(link.rHigh, 2), decimal(link.whitenessP, 3),
        ]
      }
      rows.append(row)
    }
    let head = "\(output.printable): /filtered/\(outcome.name.printable), \(links.count) links\n"
    let rest = links.count > 20 ? "… and \(links.count - 20) more; the JSON report has all\n" : ""
    return head + aligned(rows) + rest
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
      "restarts": .integer(counts.restarts),
    ])
  }

  private func interval(_ low: Double, _ high: Double) -> JSONValue {
    low.isNaN ? .null : .array([.optional(low), .optional(high)])
  }
}
