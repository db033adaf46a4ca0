import Advertising
package import Registries
import Sightings
import Support
import TraceStore

/// The names in the sightings of several files, to explain a selection that matches none of them.
struct HeardNames: Codable, Equatable, Sendable {
  var taken = 0
  private var beacons: [String: Int] = [:]
  private var receivers: [String: Int] = [:]
  private var traces: [String: Int] = [:]
  private var kinds: [String: Int] = [:]
  /// The addresses of senders, each once, sorted so that equal sets are equal bytes in a part.
  private var senders: [UInt64] = []
  private var first = Int64.max
  private var last = Int64.min

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
    unite(senders: file.senders)
    guard let span = file.times else { return }
    first = min(first, span.lowerBound)
    last = max(last, span.upperBound)
  }

  /// Adds the names of other files.
  mutating func merge(_ other: HeardNames) {
    taken += other.taken
    beacons.merge(other.beacons, uniquingKeysWith: +)
    receivers.merge(other.receivers, uniquingKeysWith: +)
    traces.merge(other.traces, uniquingKeysWith: +)
    kinds.merge(other.kinds, uniquingKeysWith: +)
    unite(senders: Set(other.senders))
    first = min(first, other.first)
    last = max(last, other.last)
  }

  private mutating func unite(senders others: Set<UInt64>) {
    if !others.isSubset(of: senders) { senders = others.union(senders).sorted() }
  }

  /// A Boolean value that is true if no sum of such counts overflows: a file of names may have any
  /// numbers.
  var isSound: Bool {
    let counts = [taken] + [beacons, receivers, traces, kinds].flatMap(\.values)
    return counts.allSatisfy { (0..<1 << 48).contains($0) }
  }

  func require(_ selection: SightingSelection) throws(RSSIError) {
    for choice in selection.beacons
    where !beacons.keys.contains(where: choice.matches)
      && !(choice.address.map(senders.contains) ?? false)
    {
      throw Self.missing(choice.text, "was not heard\(choice.hint); heard:", beacons)
    }
    for choice in selection.beacons where choice.isShortened {
      let meant = beacons.keys.filter(choice.matches)
      guard meant.count < 2 else { throw ambiguous(choice.text, meant.sorted()) }
    }
    for kind in selection.kinds.map(\.rawValue).sorted() where kinds[kind] == nil {
      throw Self.missing(kind, "is a kind that was not heard; heard:", kinds)
    }
    for name in selection.receivers where receivers[name] == nil {
      throw Self.missing(name, "received nothing; receivers:", receivers)
    }
    for name in selection.traces where traces[name] == nil {
      throw Self.missing(name, "is not a trace with sightings; traces with sightings:", traces)
    }
    guard taken == 0 else { return }
    let span = "sightings are from \(Timestamp.iso8601(first)) to \(Timestamp.iso8601(last))"
    throw RSSIError(
      .badInput,
      "no sighting matches the whole selection; "
        + (first <= last ? span : "there are no sightings at all"))
  }

  /// - Parameter names: names with their sightings; those with most are listed first.
  private static func missing(
    _ name: String, _ problem: String, _ heard: [String: Int]
  ) -> RSSIError {
    let names = heard.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let short = shortIdentities(names.map(\.key), besides: [name])
    let shown = zip(names, short).map { "\($1) (\(counted($0.value, "sighting")))" }
    return RSSIError(
      .badInput,
      "\(name) \(problem) \(listed(shown, 5))"
        + didYouMean(name, among: names.map(\.key)))
  }
}

extension Registry {
  /// Learns the names that traces among some inputs have for their beacons, so that users may name
  /// beacons by them.
  ///
  /// - Throws: `RSSIError` for an input that cannot be read.
  package func learnNames(from inputs: [String]) throws {
    for path in inputs where try path != "-" && InputKind(path: path) == .trace {
      learnNames(of: try TraceReader(path: path).catalogue)
    }
  }

  /// Learns the identities that were sent from its addresses in traces and recordings.
  ///
  /// At most two columns of a trace are read. Recordings are read once more, if the registry has
  /// addresses.
  ///
  /// - Returns: a note if no entry of a registry that a user named was heard; nil if one was, or if
  ///   inputs were not read.
  /// - Throws: `RSSIError` for an input that cannot be read.
  package func learn(from inputs: [String]) throws -> String? {
    guard !inputs.isEmpty, origin != nil || !addresses.isEmpty else { return nil }
    var heard: [String] = []
    var senders: Set<UInt64> = []
    var isWhole = true
    for path in inputs {
      if path != "-", try InputKind(path: path) == .trace {
        let catalogue = try TraceReader(path: path).catalogue(withSendersAmong: addresses)
        learn(catalogue)
        heard += catalogue.beacons.map(\.id)
        senders.formUnion(catalogue.advertisers.lazy.map(\.bits))
      } else {
        isWhole = false
        guard path != "-", !addresses.isEmpty else { continue }
        try forEachBlock(
          of: path, [], filtered: nil, note: { _ in }, { learn($1) })
      }
    }
    return isWhole ? doubt(heard: heard, senders: senders.sorted()) : nil
  }
}
