import Advertising
import Sightings
import TraceStore

/// The figures of a trace that `import` and `info` report.
struct TraceSummary {
  private var sightings = 0
  private var missing = 0
  private var lowest = Float.infinity
  private var highest = -Float.infinity
  private var sum = 0.0
  private var first = Int64.max
  private var last = Int64.min
  private var kinds: [UInt64]
  private let catalogue: Catalogue
  private let filters: [String]
  private let isClean: Bool
  private let isLive: Bool
  private let note: String

  /// Reads the whole trace once.
  init(_ reader: TraceReader) throws {
    catalogue = reader.catalogue
    filters = reader.filterNames()
    isClean = reader.isClean
    isLive = reader.isLive
    note = reader.note
    let payloads = try reader.payloads()
    let payloadKinds = (0..<payloads.count).map { (index: Int) -> UInt8 in
      let frame = BeaconFrame(payload: Array(payloads[UInt32(index)]).span)
      return UInt8(Self.order.firstIndex(of: frame.kind) ?? 0)
    }
    let beaconKinds = catalogue.beacons.map { node -> UInt8 in
      UInt8(Self.order.firstIndex { $0.rawValue == node.kind } ?? Self.order.count - 1)
    }
    var summary = (missing: 0, lowest: lowest, highest: highest, sum: 0.0, first: first, last: last)
    var counts = [UInt64](repeating: 0, count: Self.order.count)
    try reader.forEachBlock([.time, .link, .rssi, .payload]) { rows in
      for row in 0..<rows.count {
        let rssi = rows.rssi[row]
        if rssi.isNaN {
          summary.missing += 1
        } else {
          summary.lowest = min(summary.lowest, rssi)
          summary.highest = max(summary.highest, rssi)
          summary.sum += Double(rssi)
        }
        summary.first = min(summary.first, rows.time[row])
        summary.last = max(summary.last, rows.time[row])
        let payload = rows.payload[row]
        if Int(payload) < payloadKinds.count {
          counts[Int(payloadKinds[Int(payload)])] += 1
        } else if Int(rows.beacon[row]) < beaconKinds.count {
          counts[Int(beaconKinds[Int(rows.beacon[row])])] += 1
        }
      }
    }
    sightings = reader.count
    kinds = counts
    (missing, lowest, highest, sum, first, last) = summary
  }

  private static let order = BeaconKind.allCases

  private var mean: Double { sum / Double(sightings - missing) }

  /// How often something was lost, by reason.
  private var gaps: [String: Int] {
    Dictionary(grouping: catalogue.gaps, by: \.reason.rawValue).mapValues(\.count)
  }

  /// Events known to be lost.
  private var dropped: UInt64 { catalogue.gaps.reduce(0) { $0 &+ $1.dropped } }

  private var addresses: Int { Set(catalogue.advertisers.map(\.bits)).count }

  var json: JSONValue {
    .object([
      "sightings": .integer(sightings),
      "beacons": .integer(catalogue.beacons.count),
      "receivers": .integer(catalogue.receivers.count),
      "traces": .integer(catalogue.traces.count),
      "distinct_addresses": .integer(addresses),
      "start": sightings > 0 ? .string(Timestamp.iso8601(first)) : .null,
      "end": sightings > 0 ? .string(Timestamp.iso8601(last)) : .null,
      "rssi_dbm": .object([
        "min": .optional(Double(lowest)), "max": .optional(Double(highest)),
        "mean": .optional(mean),
      ]),
      "rssi_missing": .integer(missing),
      "kinds": .object(
        Dictionary(
          uniqueKeysWithValues: zip(Self.order, kinds).map {
            ($0.rawValue, JSONValue.integer(Int($1)))
          })),
      "rejected": .object(
        Dictionary(
          uniqueKeysWithValues: catalogue.rejected.map { ($0.reason, .integer(Int($0.count))) })),
      "filters": .array(filters.map(JSONValue.string)),
      "clean": .boolean(isClean),
      "live": .boolean(isLive),
      "note": .string(note),
      "gaps": .object(gaps.mapValues { .integer($0) }),
      "dropped": .unsigned(dropped),
    ])
  }

  func text(of path: String) -> String {
    var lines = ["\(path)\(isLive ? " (being written)" : isClean ? "" : " (not closed by its writer: rssi repair closes it)")"]
    func line(_ label: String, _ value: String) {
      lines.append(label + String(repeating: " ", count: 14 - label.count) + value)
    }
    line("sightings", "\(sightings)" + (missing > 0 ? ", \(missing) without RSSI" : ""))
    line("beacons", "\(catalogue.beacons.count), \(catalogue.beacons.filter(\.isAnchor).count) at known places")
    line("receivers", catalogue.receivers.prefix(4).map(\.id).joined(separator: ", ")
      + (catalogue.receivers.count > 4 ? ", … (\(catalogue.receivers.count))" : ""))
    line("traces", catalogue.traces.prefix(4).joined(separator: ", ")
      + (catalogue.traces.count > 4 ? ", … (\(catalogue.traces.count))" : ""))
    if addresses > 0 { line("addresses", "\(addresses)") }
    if sightings > 0 { line("time", "\(Timestamp.iso8601(first)) to \(Timestamp.iso8601(last))") }
    if sightings > missing {
      line("RSSI", "\(decimal(Double(lowest), 0)) to \(decimal(Double(highest), 0)) dBm, mean \(decimal(mean, 2)) dBm")
    }
    let named = zip(Self.order, kinds).filter { $0.1 > 0 }.map { "\($0.0.rawValue) \($0.1)" }
    if !named.isEmpty { line("kinds", named.joined(separator: ", ")) }
    if !catalogue.truth.isEmpty { line("truth", "\(catalogue.truth.count) positions") }
    if !catalogue.dwells.isEmpty { line("distances", "\(catalogue.dwells.count) stays at a known distance") }
    if !filters.isEmpty { line("filtered by", filters.joined(separator: ", ")) }
    if !gaps.isEmpty {
      line("gaps", gaps.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        + (dropped > 0 ? "; \(dropped) events lost" : ""))
    }
    if !note.isEmpty { line("note", note) }
    for entry in catalogue.rejected { line("refused", "\(entry.count) × \(entry.reason)") }
    return lines.joined(separator: "\n") + "\n"
  }
}
