package import Sightings
import Support
package import TraceStore

/// Takes sightings into a new trace and adds up their figures on another thread.
package struct SummingSink: SightingSink, ~Copyable {
  private var trace: TraceSink
  private var counting = OrderedWorkers(1) { Counts() }

  /// The figures that are added up.
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

  /// Returns the figures of all sightings.
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
