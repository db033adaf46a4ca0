public import Sightings
public import Support
import Synchronization
public import TracePipelines

extension SourceRequest {
  /// Returns the sightings of the source as they arrive, until it ends or the task is cancelled.
  ///
  /// ```swift
  /// for try await sighting in try SourceRequest("hci0").sightings() {
  ///   print(sighting.time, sighting.beacon, sighting.rssi ?? .nan)
  /// }
  /// ```
  ///
  /// The source is read on another thread. It waits while 65,536 sightings are not taken, and
  /// losses of a radio in the meantime are noted in the log, as in a recording.
  ///
  /// - Throws: while iterating, `RSSIError` for a source that cannot be used or that failed.
  public func sightings(
    in context: StageContext = StageContext()
  ) -> AsyncThrowingStream<NamedSighting, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: NamedSighting.self, bufferingPolicy: .bufferingOldest(1 << 16))
    let control = TaskControl()
    continuation.onTermination = { _ in control.stop() }
    // The log and the outputs of a context are used on that thread alone.
    nonisolated(unsafe) let context = context
    let source = self
    let listen = { @Sendable in
      do {
        let live = LiveContext(context, control: control)
        var sightings = try LiveSightings(
          YieldedSightings(continuation, control), of: source.name, receiver: nil, live)
        try sightings.listen(to: source, clock: live.clock)
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    do throws(RSSIError) {
      try detachThread(listen)
    } catch {
      continuation.finish(throwing: error)
    }
    return stream
  }

  /// Creates a request for a source by its name: `hci0`, `h4:/dev/ttyACM0`, `mqtt://HOST`,
  /// `replay:FILE` and the other names that `rssi capture` takes.
  ///
  /// - Throws: `.usage` for any other text.
  public init(_ name: String) throws(RSSIError) { self.init(try SourceName(name)) }
}

/// The control of a task: it stops when no task takes sightings any more.
private final class TaskControl: LiveControl {
  private let isStopped = Atomic(false)

  func stop() { isStopped.store(true, ordering: .relaxed) }
  var isStopAsked: Bool { isStopped.load(ordering: .relaxed) }
}

/// A stage that passes the sightings of a source to a task.
private struct YieldedSightings: LiveStage {
  private let continuation: AsyncThrowingStream<NamedSighting, any Error>.Continuation
  private let control: TaskControl
  private var taken: UInt64 = 0

  init(
    _ continuation: AsyncThrowingStream<NamedSighting, any Error>.Continuation,
    _ control: TaskControl
  ) {
    (self.continuation, self.control) = (continuation, control)
  }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count {
      let sighting = NamedSighting(rows, row, in: catalogue)
      while case .dropped = continuation.yield(sighting), !control.isStopAsked {
        MachineClock.system.pause(1)
      }
      taken += 1
    }
  }

  // Every sighting has its names already.
  var rowsInUse: RowsInUse { RowsInUse() }
  mutating func renumber(_ renumbering: Renumbering, in catalogue: Catalogue) {}

  mutating func tick() throws -> Bool { true }
  mutating func finish(isWhole: Bool) throws {}
  func report(to metrics: inout StageMetrics) { metrics.sightings = taken }
}
