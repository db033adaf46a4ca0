import Sightings
import Support
import TracePipelines

/// The watch of a live source, in which time goes on while nothing is received.
struct LiveWatch: LiveStage {
  private let watched: WatchedSightings
  /// The time by which a recording is replayed; nil for a live source.
  private let replay: ReplayTime?
  private let context: LiveContext
  /// The time that the kernel and gateways may take to deliver a sighting, in nanoseconds.
  private static let lag: Int64 = 250_000_000
  /// The time between two checks whether a paused replay goes on, in milliseconds.
  private static let pause: Int32 = 50

  init(_ watched: WatchedSightings, replay: ReplayTime?, _ context: LiveContext) {
    (self.watched, self.replay, self.context) = (watched, replay, context)
  }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try watched.append(rows, payloads: payloads, catalogue: catalogue)
  }

  var rowsInUse: RowsInUse { watched.rowsInUse }

  mutating func renumber(_ renumbering: Renumbering, in catalogue: Catalogue) {
    watched.renumber(renumbering, in: catalogue)
  }

  mutating func tick() throws -> Bool {
    guard let replay else {
      try watched.advance(to: context.clock.now() - Self.lag)
      return try watched.tick()
    }
    var goesOn = try watched.tick()
    // A radio goes on while the display is paused; a replay waits.
    guard watched.isPaused else { return goesOn }
    try context.lines?.flush()
    let began = context.clock.monotonic()
    while goesOn, watched.isPaused, !context.control.isStopAsked {
      context.clock.pause(Self.pause)
      goesOn = try watched.tick()
    }
    replay.leaveOut(context.clock.monotonic() - began)
    return goesOn
  }

  mutating func finish(isWhole: Bool) throws { try watched.finish(isWhole: isWhole) }

  func report(to metrics: inout StageMetrics) { watched.report(to: &metrics) }
}
