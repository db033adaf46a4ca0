import Recordings
import Sightings
import Support
import TraceStore

/// Where a capture goes: a live trace, or lines for the next stage.
struct CaptureOutput: SightingSink, ~Copyable {
  private var trace: LiveTraceSink?
  private let isSelected: Bool
  private let labels: Labels

  /// - Parameter trace: nil writes NDJSON to standard output.
  init(_ trace: consuming LiveTraceSink?, labels: Labels) {
    isSelected = trace != nil
    self.trace = trace
    self.labels = labels
  }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    guard !isSelected else {
      try trace?.append(rows, payloads: payloads, catalogue: catalogue)
      return
    }
    for row in 0..<rows.count {
      let place = labels.receiver.map { place in
        TruthPoint(
          time: rows.time[row], role: .receiver, node: UInt32(rows.receiver[row]),
          trace: rows.trace[row], x: place.x, y: place.y, z: place.z)
      }
      let line = SightingLine(
        rows, row, catalogue, level: rows.rssi[row], place: place)
      try StandardOutput.write(line.text)
    }
    try StandardOutput.flush()
  }

  /// Writes what changed in the tables although there are no rows.
  mutating func update(_ catalogue: Catalogue) throws { try trace?.update(catalogue) }

  func synchronise() { trace?.synchronise() }

  /// Where the trace is now; nil where lines are written.
  var place: LivePlace? {
    switch trace {
    case .some(let trace): trace.place
    case .none: nil
    }
  }

  /// Closes the trace as whole.
  ///
  /// - Parameter paths: where a copy may be of a trace that was deleted.
  /// - Returns: the file; nil where lines were written.
  consuming func finish(
    _ catalogue: Catalogue, orCopyTo paths: [String]
  ) throws -> RecordedFile? {
    guard let trace = trace.take() else { return nil }
    return try trace.finish(catalogue, orCopyTo: paths)
  }
}
