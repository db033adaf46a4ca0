import NumericalMethods

/// The receiver's alternation between scanning and pauses, in which it hears nothing.
struct DutyCycle: Sendable {
  /// How long it scans, in nanoseconds.
  let on: Int64
  /// From the start of one scan to that of the next, in nanoseconds.
  let period: Int64
  /// How far into a period the receiver is at time 0, in nanoseconds.
  let phase: Int64

  /// Starts somewhere in a period.
  ///
  /// - Parameter stream: one of its own, so that pauses thin a recording and change nothing else.
  init(_ reception: PacketReception, from stream: RandomStream<Xoshiro256>) {
    var stream = stream
    on = nanoseconds(reception.scanOn)
    period = on + nanoseconds(reception.scanOff)
    phase = Int64(stream.uniform() * Double(period))
  }

  /// Whether the receiver scans at so many nanoseconds after the start.
  func isScanning(at elapsed: Int64) -> Bool { (elapsed + phase) % period < on }
}
