package import Advertising
import Capture
package import Sightings
import Support
import TraceStore

/// What a recording gave: its figures, its files, and what was lost.
package struct RecordResult {
  package struct Losses: Equatable, Sendable {
    package private(set) var times = 0
    /// Events known to be lost.
    package private(set) var dropped: UInt64 = 0

    mutating func add(_ loss: Loss) {
      times += 1
      dropped += loss.dropped
    }
  }

  package var sightings: Int
  /// Reports that were not selected.
  package var leftOut: Int
  package var losses: [Gap.Reason: Losses]
  /// How much input was refused, by reason.
  package var rejected: [String: UInt64]
  package var packets: PacketFigures
  /// All files, in order; none where lines were written.
  package var files: [String]
  /// The only file, where there is one and it is where it was written.
  package var onlyFile: String?
  /// What ended the recording before its time.
  package var failure: (any Error)?

  package var dropped: UInt64 { losses.values.reduce(0) { $0 + $1.dropped } }
}

/// Records from a source until it ends, a limit is reached, or the user stops it.
///
/// - Returns: what was recorded, also where a failure ended it.
/// - Throws: what failed before anything was recorded.
package func record(
  _ request: RecordRequest, stage: String, _ context: LiveContext
) throws -> RecordResult {
  var recorder = try Recorder(request, stage: stage, context)
  do {
    try request.source.listen(
      into: &recorder, clock: context.clock,
      positions: { request.positions(warning: context.log) })
    try recorder.finish()
    var result = recorder.packedResult()
    result.failure = recorder.finishPublishing()
    return result
  } catch {
    // What was received until then is closed as whole; but a disk that is full cannot take the end
    // of the trace either.
    let isEventFailure = recorder.isOfEvents(error)
    if isEventFailure { recorder.abandonBTSnoop() }
    var result: RecordResult
    if recorder.hasBegun, isEventFailure || (error as? RSSIError)?.kind != .inputOutput {
      try recorder.finish()
      if recorder.removeEmptyFile(), recorder.files.paths.isEmpty { throw error }
      result = recorder.packedResult()
    } else {
      // The last file cannot be closed; it keeps what was committed.
      _ = recorder.removeEmptyFile()
      guard !recorder.files.paths.isEmpty else {
        if let waiting = recorder.finishPublishing() { context.log.warn(waiting.description) }
        throw error
      }
      result = recorder.result(isInPlace: false)
    }
    if let waiting = recorder.finishPublishing() { context.log.warn(waiting.description) }
    result.failure = error
    return result
  }
}

extension Recorder {
  /// Waits until everything is published that was received.
  ///
  /// - Returns: what is not; nil where everything is, and where nothing is published.
  mutating func finishPublishing() -> RSSIError? {
    guard let publisher = files.publisher else { return nil }
    let failure = publisher.finish()
    for text in publisher.takeNotes() { note(text) }
    return failure
  }

  /// What was recorded; the last file is compressed first, where that was requested.
  func packedResult() -> RecordResult {
    guard let last else { return result(isInPlace: false) }
    // Another program may have put another file there, which is not this one's.
    guard last.isInPlace else {
      context.log.warn("\(last.path) was moved, replaced or deleted after it was closed")
      return result(isInPlace: false)
    }
    if request.packs { last.pack(noting: context.log) }
    return result(isInPlace: true)
  }

  func result(isInPlace: Bool) -> RecordResult {
    let paths = files.paths
    return RecordResult(
      sightings: rows.taken, leftOut: rows.leftOut, losses: losses, rejected: rejected,
      packets: PacketFigures(counts, sightings: rows.taken, leftOut: rows.leftOut), files: paths,
      onlyFile: isInPlace && paths.count == 1 ? paths[0] : nil)
  }
}
