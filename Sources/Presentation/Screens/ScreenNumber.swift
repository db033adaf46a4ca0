import NumericalMethods
import Support

/// Returns a number with a given count of decimals, or the bound beyond which a screen has no room
/// for it.
func bounded(_ value: Double?, _ places: Int) -> String {
  guard let value, value.isFinite, abs(value) >= 1e6 else { return decimal(value, places) }
  return value < 0 ? "< -999999" : "> 999999"
}

/// Returns metres with as many digits as the accuracy of distances from levels justifies.
func metres(_ value: Double?) -> String {
  guard let value, value.isFinite else { return value == .infinity ? "> 9999" : "–" }
  if value >= 9_999.5 { return "> 9999" }
  return bounded(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
}

/// Returns the bounds of an interval in metres.
func metres(_ interval: Interval?) -> String {
  guard let interval else { return "–" }
  return metres(interval.lower) + "–" + metres(interval.upper)
}

/// Returns the time of day in UTC, such as 14:03:22.
///
/// - Parameter time: nanoseconds since the Unix epoch.
package func screenClock(_ time: Int64) -> String {
  let day: Int64 = 86_400_000_000_000
  let seconds = ((time % day + day) % day) / 1_000_000_000
  func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
  return two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60)
}
