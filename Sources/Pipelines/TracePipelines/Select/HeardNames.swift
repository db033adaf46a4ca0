import Advertising
import Sightings
import Support

/// The names that sightings of several files have, to explain a selection that means none of them.
struct HeardNames {
  var taken = 0
  private var beacons: [String: Int] = [:]
  private var receivers: [String: Int] = [:]
  private var traces: [String: Int] = [:]
  private var kinds: [String: Int] = [:]
  private var senders: Set<UInt64> = []
  private var times: ClosedRange<Int64>?

  mutating func add(_ file: FileSelection, _ catalogue: Catalogue) {
    for (node, count) in zip(catalogue.beacons, file.beacons) where count > 0 {
      beacons[node.id, default: 0] += count
      kinds[node.kind, default: 0] += count
    }
    for (node, count) in zip(catalogue.receivers, file.receivers) where count > 0 {
      receivers[node.id, default: 0] += count
    }
    for (name, count) in zip(catalogue.traces, file.traces) where count > 0 {
      traces[name, default: 0] += count
    }
    senders.formUnion(file.senders)
    guard let span = file.times else { return }
    times =
      min(
        times?.lowerBound ?? .max, span.lowerBound)...max(
        times?.upperBound ?? .min, span.upperBound)
  }

  func require(_ selection: SightingSelection) throws(RSSIError) {
    for choice in selection.beacons
    where !beacons.keys.contains(where: choice.matches)
      && !(choice.address.map(senders.contains) ?? false)
    {
      throw Self.missing(choice.text, "was not heard; heard were", beacons)
    }
    for kind in selection.kinds.map(\.rawValue).sorted() where kinds[kind] == nil {
      throw Self.missing(kind, "is the kind of no beacon that was heard; heard were", kinds)
    }
    for name in selection.receivers where receivers[name] == nil {
      throw Self.missing(name, "received nothing; receivers were", receivers)
    }
    for name in selection.traces where traces[name] == nil {
      throw Self.missing(name, "is not a trace with sightings; those are", traces)
    }
    guard taken == 0 else { return }
    let span = times.map {
      "they are from \(Timestamp.iso8601($0.lowerBound)) to \(Timestamp.iso8601($0.upperBound))"
    }
    throw RSSIError(
      .badInput, "no sighting has all that was selected; \(span ?? "there are none at all")")
  }

  /// - Parameter heard: names with their sightings; those with most are listed first.
  private static func missing(
    _ name: String, _ problem: String, _ heard: [String: Int]
  ) -> RSSIError {
    let names = heard.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return RSSIError(
      .badInput,
      "\(name) \(problem) \(listed(names.map { "\($0.key) (\(counted($0.value, "sighting")))" }, 5))"
        + didYouMean(name, among: names.map(\.key)))
  }
}
