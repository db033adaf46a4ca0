/// The time of day in UTC, such as 14:03:22.
///
/// - Parameter time: nanoseconds since the Unix epoch.
package func screenClock(_ time: Int64) -> String {
  let day: Int64 = 86_400_000_000_000
  let seconds = ((time % day + day) % day) / 1_000_000_000
  func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
  return two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60)
}
