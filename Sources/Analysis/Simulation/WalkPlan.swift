/// How the receiver is carried through the room.
public struct WalkPlan: Hashable, Sendable {
  /// How many walks are recorded, each a trace of its own.
  public var count = 3
  /// Length of each walk, in seconds.
  public var duration = 60.0
  /// Speed, in metres per second; 0 stands still.
  public var speed = 1.0
  /// Silence between one walk and the next, in seconds.
  public var pause = 10.0

  /// Three walks of a minute.
  public init() {}

  /// When a walk starts, in nanoseconds since the Unix epoch.
  func start(ofTrace trace: Int) -> Int64 {
    Scenario.start + Int64(trace) * (nanoseconds(duration) + nanoseconds(pause))
  }
}
