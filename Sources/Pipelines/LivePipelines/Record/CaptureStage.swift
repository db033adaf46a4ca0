public import Advertising
import Capture
public import Sightings
import Support
public import TracePipelines
import TraceStore

/// The result of a recording: its figures, its files, and its losses.
public struct CaptureResult: Sendable {
  /// The number and extent of the losses with one reason.
  public struct Losses: Equatable, Sendable {
    /// The number of losses.
    public private(set) var times = 0
    /// The number of events known to be lost.
    public private(set) var dropped: UInt64 = 0

    mutating func add(_ loss: Loss) {
      times += 1
      dropped += loss.dropped
    }
  }

  /// The number of recorded sightings.
  public var sightings: Int
  /// The number of reports that were not selected.
  public var leftOut: Int
  /// The losses, by reason.
  public var losses: [Gap.Reason: Losses]
  /// The amount of refused input, by reason.
  public var rejected: [String: UInt64]
  /// The counts of packets by their outcome.
  public var packets: PacketFigures
  /// All files, in order; empty if lines were written.
  public var files: [String]
  /// The only file, if there is exactly one and it was not moved.
  public var onlyFile: String?
  /// The failure that ended the recording early.
  public var failure: (any Error)?

  /// The number of events known to be lost, over all reasons.
  public var dropped: UInt64 { losses.values.reduce(0) { $0 + $1.dropped } }
}

/// Records from a source until it ends, a limit is reached, or the user stops it.
public struct CaptureStage: Stage {
  private let asked: Shared<CaptureRequest>
  private var request: CaptureRequest { asked.value }

  public init(_ request: CaptureRequest) { asked = Shared(request) }

  /// Records until the source ends, a limit is reached, or the user stops it.
  ///
  /// - Returns: the figures of the recording, also if a failure ended it.
  /// - Throws: the failure before anything was recorded.
  public func perform(in context: LiveContext) throws -> CaptureResult {
    var recorder = try Recorder(request, stage: "capture", context)
    do {
      try request.source.listen(
        into: &recorder, clock: context.clock,
        positions: { request.positions(warning: context.log) })
      try recorder.finish()
      var result = recorder.packedResult()
      result.failure = recorder.finishPublishing()
      return result
    } catch {
      // The trace up to then is closed as complete, unless the disk is full and cannot take its
      // end.
      let isEventFailure = recorder.isOfEvents(error)
      if isEventFailure { recorder.abandonBTSnoop() }
      var result: CaptureResult
      if recorder.hasBegun, isEventFailure || (error as? RSSIError)?.kind != .inputOutput {
        try recorder.finish()
        if recorder.removeEmptyFile(), recorder.files.paths.isEmpty { throw error }
        result = recorder.packedResult()
      } else {
        // The last file cannot be closed; it keeps the committed rows.
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
}
