public import Sightings
public import TraceStore

/// A trace to describe.
public struct InfoRequest: Sendable {
  /// The path of the trace.
  public var input: String

  /// Creates a request to describe a trace.
  public init(_ input: String) { self.input = input }
}

/// A trace, and the figures of its sightings.
public struct InfoResult {
  /// The reader of the trace.
  public var reader: TraceReader
  /// The figures of the sightings.
  public var figures: SightingFigures
}

/// Reads a whole trace once, for its figures.
public struct InfoStage: Stage {
  private let request: InfoRequest

  public init(_ request: InfoRequest) { self.request = request }

  /// Reads the trace and returns its figures.
  ///
  /// - Throws: `RSSIError` for a trace that cannot be read.
  public func perform(in context: StageContext) throws -> InfoResult {
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
