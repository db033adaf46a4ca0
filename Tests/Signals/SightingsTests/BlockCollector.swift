import Advertising
import Sightings

/// Keeps every block that a trace builder hands on.
struct BlockCollector: SightingSink {
  var blocks: [SightingColumns] = []
  var payloads: [[UInt8]] = []

  mutating func append(
    _ rows: SightingColumns, payloads new: NewPayloads, catalogue: Catalogue
  ) {
    blocks.append(rows)
    var rest = new.bytes[...]
    for length in new.lengths {
      payloads.append(Array(rest.prefix(Int(length))))
      rest.removeFirst(Int(length))
    }
  }

  /// One column over all blocks.
  func all<Element>(_ column: (SightingColumns) -> [Element]) -> [Element] {
    blocks.flatMap(column)
  }
}

extension TraceBuilder where Sink: ~Copyable {
  mutating func receive(_ report: AdvertisingReport, _ payload: [UInt8]) throws {
    try receive(report, payload: payload.span)
  }
}
