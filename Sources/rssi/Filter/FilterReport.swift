import Filtering
import Sightings
import TraceStore

/// What the filters did, for people or as JSON.
struct FilterReport {
  let links: [FilteredLink]
  let catalogue: Catalogue
  let name: String
  let counts: FilterCounts

  func write(to output: String, asJSON: Bool) throws {
    if asJSON { return try StandardOutput.write(jsonText(json())) }
    try StandardOutput.write("\(output): /filtered/\(name), \(links.count) links\n")
    var rows = [["beacon", "receiver", "samples", "q dB²/s", "r dB²"]]
    for link in links.prefix(20) {
      rows.append([
        catalogue.beacons[Int(link.beacon)].id, catalogue.receivers[Int(link.receiver)].id,
        String(link.samples), decimal(link.q, 3), decimal(link.r, 2),
      ])
    }
    try StandardOutput.write(aligned(rows))
    if links.count > 20 { try StandardOutput.write("… and \(links.count - 20) more; --json has all\n") }
  }

  private func json() -> JSONValue {
    let list = links.map { link -> JSONValue in
      .object([
        "beacon": .string(catalogue.beacons[Int(link.beacon)].id),
        "receiver": .string(catalogue.receivers[Int(link.receiver)].id),
        "samples": .integer(Int(link.samples)), "q": .optional(link.q), "r": .optional(link.r),
        "log_likelihood": .optional(link.logLikelihood),
      ])
    }
    return .object([
      "name": .string(name), "links": .array(list), "missing": .integer(counts.missing),
      "out_of_order": .integer(counts.outOfOrder), "late": .integer(counts.late),
      "restarts": .integer(counts.restarts),
    ])
  }
}

/// One result a link, over its traces: a filter starts anew in each trace, its link does not.
func linkResults(of filters: FilterChain, _ keys: [LinkKey], _ noise: LinkNoise) -> [FilteredLink] {
  var results: [FilteredLink] = []
  var places: [LinkKey: Int] = [:]
  for (link, key) in keys.enumerated() {
    let samples = filters.samples(ofLink: link)
    let likelihood = filters.likelihood(ofLink: link)
    if let place = places[key] {
      results[place].samples += samples
      results[place].logLikelihood += likelihood?.logLikelihood ?? 0
    } else {
      places[key] = results.count
      results.append(
        FilteredLink(
          beacon: key.beacon, receiver: key.receiver, samples: samples,
          q: likelihood?.noise.q ?? .nan, r: likelihood?.noise.r ?? .nan,
          logLikelihood: likelihood?.logLikelihood ?? .nan))
    }
  }
  return results
}
