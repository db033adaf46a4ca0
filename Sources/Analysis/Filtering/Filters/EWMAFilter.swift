import RealModule
import Support

/// The exponentially weighted mean of the levels, in real time: a level's weight fades as e^(−t/τ).
///
///     x ← x + (1 − e^(−h/τ)) (z − x)
///
/// h is the time since the last level, so that a gap of 5 s forgets more than one of 0.1 s; levels
/// of the same time count as one, their mean. The start is the first level. Where levels come every
/// h seconds, a Kalman filter of a random walk becomes this filter with τ = √(r h/q). O(1) a
/// sighting.
package struct EWMAFilter: LevelFilter {
  /// Seconds.
  package let tau: Double
  private var newest = Instant()
  private var before = 0.0
  private var gain = 1.0

  /// - Parameter tau: time constant in nanoseconds, above 0.
  package init(tau: Int64) { self.tau = Double(tau) * 1e-9 }

  package mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    let last = between(before, newest.mean, share: gain)
    if newest.add(rssi, at: time) {
      before = last
      gain = -.expMinusOne(-newest.seconds / tau)
    }
    return FilteredLevel(rssi: between(before, newest.mean, share: gain), variance: .nan)
  }
}

extension FilterKind {
  static let ewma = causal(
    "ewma", "exponentially weighted mean in real time",
    [.time("tau", default: "1s", "time in which a level's weight falls to 37 %")]
  ) { values, _ in EWMAFilter(tau: values.nanoseconds("tau")) }
}
