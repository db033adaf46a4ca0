/// How the receiver is carried through the room.
package struct WalkPlan: Hashable, Sendable {
  /// How many walks are recorded, each a trace of its own.
  package var count = 3
  /// Length of each walk, in seconds.
  package var duration = 60.0
  /// Speed, in metres per second; 0 stands still.
  package var speed = 1.0
  /// Silence between one walk and the next, in seconds.
  package var pause = 10.0

  /// Three walks of a minute.
  package init() {}

  /// When a walk starts, in nanoseconds since the Unix epoch.
  func start(ofTrace trace: Int) -> Int64 {
    Scenario.start + Int64(trace) * (nanoseconds(duration) + nanoseconds(pause))
  }
}
