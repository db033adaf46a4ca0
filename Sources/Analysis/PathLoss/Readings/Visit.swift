/// The time that a moving node spent at a place, with the opportunities to receive a packet there.
///
/// The node received packets of some anchor, or was received by one, throughout it, so that silence
/// of another anchor means that its packets were lost.
package struct Visit: Codable, Equatable, Sendable {
  /// The duration without pauses, in seconds.
  package var seconds: Double
  /// The number of stretches between pauses.
  package var stretches: Int
  /// The mean time between scans, in seconds; `nil` if readings do not come in scans, each with at
  /// most one packet per anchor.
  package var scanPeriod: Double?

  private enum CodingKeys: String, CodingKey {
    case seconds = "duration_s"
    case stretches
    case scanPeriod = "scan_period_s"
  }

  package init(seconds: Double, stretches: Int, scanPeriod: Double? = nil) {
    (self.seconds, self.stretches, self.scanPeriod) = (seconds, stretches, scanPeriod)
  }

  /// Returns the number of packets of one anchor that could be received, or `nil` if it is unknown.
  ///
  /// - Parameter interval: The time between packets, in seconds; `nil` for that between scans.
  func opportunities(interval: Double?) -> Double? {
    guard let period = interval ?? scanPeriod else { return nil }
    return (seconds / period).rounded() + Double(stretches)
  }

  /// Returns the sum of two visits.
  static func + (a: Visit, b: Visit) -> Visit {
    var period = a.scanPeriod
    if let first = a.scanPeriod, let second = b.scanPeriod {
      period =
        (first * Double(a.stretches) + second * Double(b.stretches))
        / Double(a.stretches + b.stretches)
    }
    return Visit(
      seconds: a.seconds + b.seconds, stretches: a.stretches + b.stretches,
      scanPeriod: b.scanPeriod == nil ? nil : period)
  }
}
