/// Returns the nanoseconds of a duration: `500ms`, `2s`, `1.5m`, `1h`, `7d`; a bare number is in
/// seconds.
package func duration(_ text: String) -> Int64? {
  let units: [(suffix: String, scale: Double)] = [
    ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
  ]
  let unit = units.first { text.hasSuffix($0.suffix) }
  guard let value = Double(text.dropLast(unit?.suffix.count ?? 0)), value.isFinite,
    abs(value) * (unit?.scale ?? 1e9) < 9e18
  else { return nil }
  return Int64((value * (unit?.scale ?? 1e9)).rounded())
}

extension Duration {
  /// One day of 24 hours.
  public static let day = Duration.seconds(86_400)

  /// Whole nanoseconds, as sightings have their times; at the end of their range where it is longer.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let scaled = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let sum = scaled.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
    return scaled.overflow || sum.overflow ? (seconds < 0 ? .min : .max) : sum.partialValue
  }
}

/// The allowed durations of an option or a request, declared once for checks, messages and help.
public struct DurationRange: CustomStringConvertible, Sendable {
  /// The shortest and the longest duration.
  public let bounds: ClosedRange<Duration>
  private let examples: String

  /// A century: longer than any use, and short enough to be added to the clock.
  public static let longest = Duration.day * 36_500

  /// Every duration above 0.
  public static let any = DurationRange(
    .nanoseconds(1)...longest, such: "500ms, 10s, 5m or 1h")

  /// Creates a range of durations with examples for messages.
  public init(_ bounds: ClosedRange<Duration>, such examples: String) {
    (self.bounds, self.examples) = (bounds, examples)
  }

  /// The range in words, such as `from 10ms to 1d`, as ``duration(_:)`` reads its ends.
  public var description: String {
    let upper = written(duration: bounds.upperBound)
    return bounds.lowerBound == .nanoseconds(1)
      ? "above 0, at most \(upper)" : "from \(written(duration: bounds.lowerBound)) to \(upper)"
  }

  /// Throws an error of kind `usage` unless a duration is in the range.
  ///
  /// - Parameter subject: the option or the property that has the duration.
  public func require(_ time: Duration, _ subject: String) throws(RSSIError) {
    guard bounds.contains(time) else { throw refusal(of: written(duration: time), subject) }
  }

  /// Returns a written duration in the range.
  public func duration(_ text: String, _ subject: String) throws(RSSIError) -> Duration {
    guard let time = Support.duration(text).map(Duration.nanoseconds), bounds.contains(time) else {
      throw refusal(of: text, subject)
    }
    return time
  }

  private func refusal(of text: String, _ subject: String) -> RSSIError {
    RSSIError(
      .usage,
      "\(subject): invalid duration \"\(text)\"; expected \(self) (examples: \(examples))")
  }
}

/// A duration as `duration(_:)` reads it: whole days or hours, else seconds, or milliseconds below
/// one.
package func written(duration: Duration) -> String { written(duration: duration.nanoseconds) }

/// Nanoseconds as `duration(_:)` reads them.
package func written(duration nanoseconds: Int64) -> String {
  let second = 1e9
  let value = Double(nanoseconds)
  guard nanoseconds != 0 else { return "0s" }
  for (unit, scale) in [("d", 86_400 * second), ("h", 3600 * second)]
  where value.truncatingRemainder(dividingBy: scale) == 0 {
    return plain(value / scale) + unit
  }
  return abs(value) < second ? plain(value / 1e6) + "ms" : plain(value / second) + "s"
}

/// Formats a duration approximately, in suitable units, such as `90 s`, `5 h 30 min`, `3 days` or
/// `56 years`.
package func roughDuration(_ nanoseconds: Int64) -> String {
  let seconds = (nanoseconds.magnitude + 500_000_000) / 1_000_000_000
  switch seconds {
  case ..<120: return "\(seconds) s"
  case ..<3570: return "\((seconds + 30) / 60) min"
  case ..<172_800:
    let minutes = (seconds + 30) / 60
    return "\(minutes / 60) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "")
  case ..<63_113_904: return "\((seconds + 43_200) / 86_400) days"
  // The mean year of the Gregorian calendar.
  default: return "\((seconds + 15_778_476) / 31_556_952) years"
  }
}
