package import Advertising
package import Sightings
import Support
package import TraceStore

/// Figures of sightings, added up block by block.
package struct SightingFigures: Sendable {
  package private(set) var missing = 0
  package private(set) var lowest = Float.infinity
  package private(set) var highest = -Float.infinity
  package private(set) var sum = 0.0
  package private(set) var first = Int64.max
  package private(set) var last = Int64.min
  /// Sightings whose payload shows what kind of beacon sent them, in the order of `BeaconKind`.
  private var counts = [UInt64](repeating: 0, count: Self.order.count)
  /// By beacon: its sightings without a payload.
  private var silent: [UInt64] = []
  /// By payload: its kind's place in the order.
  private var payloadKinds: [UInt8] = []

  package init() {}

  package static let order = BeaconKind.allCases

  /// Learns the payload that is numbered next.
  package mutating func add(payload: Span<UInt8>) {
    payloadKinds.append(UInt8(Self.order.firstIndex(of: BeaconFrame(payload: payload).kind) ?? 0))
  }

  package mutating func add(_ rows: borrowing SightingColumns) {
    for rssi in rows.rssi {
      if rssi.isNaN {
        missing += 1
      } else {
        lowest = min(lowest, rssi)
        highest = max(highest, rssi)
        sum += Double(rssi)
      }
    }
    for time in rows.time {
      first = min(first, time)
      last = max(last, time)
    }
    for row in rows.payload.indices {
      let payload = Int(rows.payload[row])
      if payload < payloadKinds.count {
        counts[Int(payloadKinds[payload])] += 1
      } else {
        let beacon = Int(rows.beacon[row])
        while silent.count <= beacon { silent.append(0) }
        silent[beacon] += 1
      }
    }
  }

  /// Sightings of each kind of beacon, in the order of `BeaconKind`.
  package func kinds(of beacons: [Node]) -> [UInt64] {
    var kinds = counts
    for (beacon, count) in zip(beacons, silent) {
      let kind = Self.order.firstIndex { $0.rawValue == beacon.kind }
      kinds[kind ?? Self.order.count - 1] += count
    }
    return kinds
  }
}

/// Takes sightings into a new trace and adds up their figures on the way, on another thread.
package struct SummingSink: SightingSink, ~Copyable {
  private var trace: TraceSink
  private var counting = Turns([Counts()])

  /// What is added up.
  package struct Counts: Sendable {
    package private(set) var figures = SightingFigures()
    package private(set) var heard = HeardCensus()
    package private(set) var repeated = RepeatedSightings()

    fileprivate mutating func add(_ rows: SightingColumns, _ payloads: NewPayloads) {
      var start = 0
      for length in payloads.lengths {
        figures.add(payload: payloads.bytes.span.extracting(start..<start + Int(length)))
        start += Int(length)
      }
      figures.add(rows)
      heard.add(rows)
      repeated.add(rows)
    }
  }

  package init(_ trace: consuming TraceSink) { self.trace = trace }

  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    counting.start({ $0.add(rows, payloads) }, take: { _ in })
    try trace.append(rows, payloads: payloads, catalogue: catalogue)
  }

  /// The figures of all sightings.
  package mutating func counts() -> Counts {
    var counts = Counts()
    counting.finish { counts = $0 }
    return counts
  }

  /// Completes the file.
  package consuming func finish(_ catalogue: Catalogue, inputs: [Provenance.Input]) throws {
    try trace.finish(catalogue, inputs: inputs)
  }
}
