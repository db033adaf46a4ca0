import NumericalMethods

/// The receiver's rotation over the advertising channels: it listens on one at a time.
///
/// A beacon sends each advertising event on 37, 38 and 39, so the receiver hears at most one packet
/// of it, on the channel it is listening on.
struct Scanner: Sendable {
  /// How long one channel lasts, in nanoseconds.
  let interval: Int64
  /// How far into the rotation the receiver is at time 0, in nanoseconds.
  let phase: Int64

  /// Starts somewhere in the rotation.
  init(interval seconds: Double, from stream: inout RandomStream<Xoshiro256>) {
    interval = nanoseconds(seconds)
    phase = Int64(stream.uniform() * Double(3 * interval))
  }

  /// The channel, 37 to 39, at so many nanoseconds after the start.
  func channel(at elapsed: Int64) -> UInt8 {
    37 + UInt8((elapsed + phase) / interval % 3)
  }
}
