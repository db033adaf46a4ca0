/// Everything that determines a simulated recording: equal scenarios give equal recordings.
public struct Scenario: Hashable, Sendable {
  /// Picks one of 2^64 rooms of the same description.
  public var seed: UInt64
  public var room = Room()
  public var walks = WalkPlan()
  public var propagation = Propagation()
  public var reception = PacketReception()

  /// The default room, walks and radio.
  public init(seed: UInt64 = 1) { self.seed = seed }

  /// When every recording starts: 2024-01-01T00:00:00Z, in nanoseconds since the Unix epoch.
  public static let start: Int64 = 1_704_067_200_000_000_000
}

/// A time in seconds as whole nanoseconds.
func nanoseconds(_ seconds: Double) -> Int64 {
  Int64((seconds * 1e9).rounded(.toNearestOrAwayFromZero))
}
