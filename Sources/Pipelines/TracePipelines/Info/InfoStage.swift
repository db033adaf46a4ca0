package import Sightings
package import TraceStore

/// A trace to describe.
package struct InfoRequest: Sendable {
  package var input: String

  package init(_ input: String) { self.input = input }
}

/// A trace, and the figures of its sightings.
package struct InfoResult {
  package var reader: TraceReader
  package var figures: SightingFigures
}

/// Reads a whole trace once, for its figures.
package struct InfoStage: Stage {
  private let request: InfoRequest

  package init(_ request: InfoRequest) { self.request = request }

  /// - Throws: `RSSIError` for a trace that cannot be read.
  package func run(in context: StageContext) throws -> InfoResult {
    let reader = try TraceReader(path: request.input)
    return InfoResult(reader: reader, figures: try SightingFigures(of: reader))
  }
}

extension SightingFigures {
  /// Adds up the figures of a whole trace.
  package init(of reader: TraceReader) throws {
    self.init()
    let payloads = reader.payloads()
    for index in 0..<payloads.count {
      let payload = Array(try payloads[UInt32(index)])
      add(payload: payload.span)
    }
    try reader.forEachBlock([.time, .link, .rssi, .payload]) { add($0) }
  }
}
