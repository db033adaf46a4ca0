import Sightings
import Support

/// An end of a span of time, as a user writes it.
public enum TimeBound: Equatable, Sendable {
  /// An instant, in nanoseconds since the Unix epoch.
  case instant(Int64)
  /// A time after the first sighting of each trace, in nanoseconds.
  case offset(Int64)

  /// Creates a bound from ISO 8601 in UTC (`2026-01-31T12:00:00Z`), Unix seconds (`1769860800.5`)
  /// or an offset (`+30s`, `+1.5m`); returns nil for other texts.
  public init?(_ text: String) {
    if text.hasPrefix("+") {
      guard let offset = duration(String(text.dropFirst())), offset >= 0 else { return nil }
      self = .offset(offset)
    } else if let time = Timestamp.parse(iso8601: text) ?? Self.nanoseconds(text) {
      self = .instant(time)
    } else {
      return nil
    }
  }

  /// Returns the instant in a trace that begins at a time.
  func time(from start: Int64) -> Int64 {
    switch self {
    case .instant(let time): return time
    case .offset(let offset):
      let (time, overflow) = start.addingReportingOverflow(offset)
      return overflow ? .max : time
    }
  }

  /// Reads decimal seconds exactly: a binary fraction would miss a nanosecond.
  private static func nanoseconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(parts[0]) else { return nil }
    let digits = parts.count == 2 ? parts[1] : "0"
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ 48...57 ~= $0 }),
      let fraction = Int64(digits + String(repeating: "0", count: 9 - digits.utf8.count))
    else { return nil }
    return Timestamp.nanoseconds(seconds, parts[0].hasPrefix("-") ? -fraction : fraction)
  }
}
