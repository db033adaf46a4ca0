/// Everything that determines a simulated recording: equal scenarios give equal recordings.
package struct Scenario: Hashable, Sendable {
  /// Picks one of 2^64 rooms of the same description.
  package var seed: UInt64
  package var room = Room()
  package var walks = WalkPlan()
  package var propagation = Propagation()
  package var reception = PacketReception()

  /// The default room, walks and radio.
  package init(seed: UInt64 = 1) { self.seed = seed }

  /// When every recording starts: 2024-01-01T00:00:00Z, in nanoseconds since the Unix epoch.
  package static let start: Int64 = 1_704_067_200_000_000_000
}

/// A time in seconds as whole nanoseconds.
func nanoseconds(_ seconds: Double) -> Int64 {
  Int64((seconds * 1e9).rounded(.toNearestOrAwayFromZero))
}
