import Support

/// The nodes that were received in a recording, and the span of each trace.
package struct HeardCensus: Sendable {
  /// A Boolean value per beacon and per receiver that is true if it was received.
  private var beacons: [Bool] = []
  private var receivers: [Bool] = []
  /// The first and last sighting of each trace, in nanoseconds since the Unix epoch.
  package private(set) var spans: [UInt16: ClosedRange<Int64>] = [:]

  package init() {}

  package mutating func add(_ rows: borrowing SightingColumns) {
    for beacon in rows.beacon { Self.mark(Int(beacon), in: &beacons) }
    for receiver in rows.receiver { Self.mark(Int(receiver), in: &receivers) }
    var row = 0
    while row < rows.time.count {
      let trace = rows.trace[row]
      var (first, last) = (rows.time[row], rows.time[row])
      while row < rows.time.count, rows.trace[row] == trace {
        first = min(first, rows.time[row])
        last = max(last, rows.time[row])
        row += 1
      }
      let known = spans[trace] ?? first...last
      spans[trace] = min(first, known.lowerBound)...max(last, known.upperBound)
    }
  }

  private static func mark(_ index: Int, in heard: inout [Bool]) {
    if index < heard.count, heard[index] { return }
    while heard.count <= index { heard.append(false) }
    heard[index] = true
  }

  /// Returns the names of the received nodes of a role.
  package func names(_ role: NodeRole, in catalogue: Catalogue) -> [String] {
    role == .beacon
      ? beacons.indices.filter { beacons[$0] }.map { catalogue.beacons[$0].id }
      : receivers.indices.filter { receivers[$0] }.map { catalogue.receivers[$0].id }
  }

  /// Returns one sentence per trace whose truth its sightings do not overlap, with both spans.
  package func truthApart(_ catalogue: Catalogue) -> [String] {
    var truths: [UInt16: ClosedRange<Int64>] = [:]
    for point in catalogue.truth {
      let known = truths[point.trace] ?? point.time...point.time
      truths[point.trace] = min(point.time, known.lowerBound)...max(point.time, known.upperBound)
    }
    return truths.sorted { $0.key < $1.key }.compactMap { trace, truth in
      guard let heard = spans[trace], !heard.overlaps(truth) else { return nil }
      return
        "the truth of \(catalogue.traces[Int(trace)]) is \(Self.words(truth)), its sightings "
        + "\(Self.words(heard)): "
        + Self.difference(truth, heard)
    }
  }

  private static func words(_ span: ClosedRange<Int64>) -> String {
    func whole(_ time: Int64) -> String { Timestamp.iso8601(time - time % Timestamp.second) }
    return "\(whole(span.lowerBound)) to \(whole(span.upperBound))"
  }

  /// Returns the time from the start of one span to that of another, with a remark if it may be a
  /// time zone: whole quarters of an hour, up to 14 h.
  private static func difference(_ a: ClosedRange<Int64>, _ b: ClosedRange<Int64>) -> String {
    let seconds = abs(Double(a.lowerBound) / 1e9 - Double(b.lowerBound) / 1e9).rounded()
    let quarters = (seconds / 900).rounded()
    let isZone = (1...56).contains(quarters) && abs(seconds - quarters * 900) <= 120
    let text =
      seconds < 120
      ? "\(Int(seconds)) s"
      : seconds < 7200 && !isZone
        ? "\(decimal(seconds / 60, 0)) min"
        : seconds < 172_800
          ? "\(plain((seconds / 360).rounded() / 10)) h" : "\(decimal(seconds / 86_400, 0)) days"
    return "\(text) apart" + (isZone ? " (a time zone?)" : "")
  }
}
