/// A time in nanoseconds since the Unix epoch (UTC), with its text forms.
public struct Timestamp: Hashable, Sendable {
  /// The time, in nanoseconds since the Unix epoch (UTC).
  public var nanoseconds: Int64

  /// Creates a time.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates a time from seconds since the Unix epoch, rounded to a nanosecond, or returns `nil`
  /// outside the years 1678 to 2262.
  public init?(seconds: Double) {
    guard abs(seconds) <= Double(Self.limit) else { return nil }
    // In nanoseconds, present times have more digits than a double.
    let whole = seconds.rounded(.down)
    self.init(
      nanoseconds: Int64(whole) * Self.second + Int64(((seconds - whole) * 1e9).rounded()))
  }

  /// The seconds since the Unix epoch.
  public var seconds: Double {
    let (whole, rest) = Self.split(nanoseconds)
    return Double(whole) + Double(rest) / 1e9
  }

  /// The number of nanoseconds in a second.
  public static let second: Int64 = 1_000_000_000

  /// Returns a time as ISO 8601 in UTC: `2021-05-10T12:00:00Z`, with a fraction of 6 or 9 digits if
  /// it has one.
  ///
  /// Source of the calendar: Hinnant, "chrono-compatible low-level date algorithms",
  /// civil_from_days.
  public static func iso8601(_ time: Int64, separator: String = "T", suffix: String = "Z") -> String
  {
    let (seconds, fraction) = split(time)
    let days = floorDivide(seconds, 86_400)
    let clock = seconds - days * 86_400
    let (year, month, day) = civil(fromDays: days)
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))\(separator)"
    text += "\(padded(clock / 3600, 2)):\(padded(clock / 60 % 60, 2)):\(padded(clock % 60, 2))"
    if fraction != 0 {
      text += fraction % 1000 == 0 ? ".\(padded(fraction / 1000, 6))" : ".\(padded(fraction, 9))"
    }
    return text + suffix
  }

  /// Returns the time that `iso8601` wrote, or `nil` for anything else.
  public static func parse(iso8601 text: String) -> Int64? {
    let bytes = Array(text.utf8)
    // Seconds and the zone have to be there, a `T`, and at most nine decimals behind a point.
    guard (20...30).contains(bytes.count), !bytes.contains(UInt8(ascii: ",")),
      bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
      bytes[16] == UInt8(ascii: ":"), let (seconds, fraction, _) = local(iso8601: bytes.span)
    else { return nil }
    return nanoseconds(seconds, fraction)
  }

  /// The reading of a clock in seconds since the Unix epoch, the fraction of a second, and the
  /// offset of the clock from UTC in seconds; nil without a zone.
  package typealias Local = (seconds: Int64, nanoseconds: Int64, offset: Int64?)

  /// Reads a date of ISO 8601 such as `2024-05-01T12:00:00.25+02:00`; a space may stand for the
  /// `T`, and seconds and the zone may be missing.
  package static func local(iso8601 text: Span<UInt8>) -> Local? {
    var place = 0
    func take(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
      guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }
    func digits(_ count: Int, _ text: Span<UInt8>) -> Int64? {
      guard place + count <= text.count else { return nil }
      var value: Int64 = 0
      for _ in 0..<count {
        guard text[place] >= 48, text[place] <= 57 else { return nil }
        value = value * 10 + Int64(text[place] - 48)
        place += 1
      }
      return value
    }
    guard let year = digits(4, text), take("-", text), let month = digits(2, text),
      take("-", text), let day = digits(2, text), take("T", text) || take(" ", text),
      let hour = digits(2, text), take(":", text), let minute = digits(2, text),
      hour < 24, minute < 60, let days = days(year: year, month: month, day: day)
    else { return nil }
    var seconds: Int64 = 0
    if take(":", text) {
      guard let value = digits(2, text), value < 60 else { return nil }
      seconds = value
    }
    var fraction: Int64 = 0
    if take(".", text) || take(",", text) {
      guard let first = digits(1, text) else { return nil }
      fraction = first
      var count = 1
      while let digit = digits(1, text) {
        count += 1
        if count <= 9 { fraction = fraction * 10 + digit }
      }
      for _ in min(count, 9)..<9 { fraction *= 10 }
    }
    seconds += ((days * 24 + hour) * 60 + minute) * 60
    if place == text.count { return (seconds, fraction, nil) }
    if take("Z", text) { return place == text.count ? (seconds, fraction, 0) : nil }
    let isWest = take("-", text)
    guard isWest || take("+", text), let hours = digits(2, text) else { return nil }
    _ = take(":", text)
    let minutes = place == text.count ? 0 : digits(2, text)
    guard let minutes, place == text.count, hours < 24, minutes < 60 else { return nil }
    return (seconds, fraction, (isWest ? -1 : 1) * (hours * 3600 + minutes * 60))
  }

  /// Returns a time as decimal Unix seconds, as in tables and NDJSON: exact, with at least
  /// microseconds.
  public static func decimalSeconds(_ time: Int64) -> String {
    let magnitude = time.magnitude
    let seconds = magnitude / UInt64(second)
    let fraction = Int64(magnitude % UInt64(second))
    let digits = fraction % 1000 == 0 ? padded(fraction / 1000, 6) : padded(fraction, 9)
    return "\(time < 0 ? "-" : "")\(seconds).\(digits)"
  }

  /// Returns the whole seconds, rounded down, with the remaining nanoseconds.
  public static func split(_ time: Int64) -> (seconds: Int64, nanoseconds: Int64) {
    let seconds = floorDivide(time, second)
    let remainder = time % second
    return (seconds, remainder < 0 ? remainder + second : remainder)
  }

  /// Returns the time of whole seconds and remaining nanoseconds, or `nil` outside the years 1678
  /// to 2262.
  public static func nanoseconds(_ seconds: Int64, _ nanoseconds: Int64) -> Int64? {
    guard abs(seconds) <= limit else { return nil }
    return seconds * second + nanoseconds
  }

  /// Returns a time moved by some nanoseconds, clamped to the representable range.
  package static func moved(_ time: Int64, by nanoseconds: Int64) -> Int64 {
    let (later, isBeyond) = time.addingReportingOverflow(nanoseconds)
    return isBeyond ? (nanoseconds > 0 ? .max : .min) : later
  }

  /// The largest number of seconds from the epoch that the program handles: slightly less than an
  /// Int64 of nanoseconds, so that rounding to a second cannot overflow.
  public static let limit: Int64 = 9_223_372_000

  /// Division rounded towards minus infinity, so that times before 1970 keep their order.
  static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
    let quotient = a / b
    return a % b < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The days from the Unix epoch to a date; nil for a date that no calendar has.
  package static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    let days = daysFromCivil(year: year, month: month, day: day)
    return civil(fromDays: days) == (year, month, day) ? days : nil
  }

  /// A time that is whole seconds later; nil beyond the years 1678 to 2262.
  package static func checked(_ time: Int64, plus seconds: Int64) -> Int64? {
    let (sum, isBeyond) = time.addingReportingOverflow(seconds * second)
    return isBeyond || abs(sum / second) > limit ? nil : sum
  }

  private static func daysFromCivil(year: Int64, month: Int64, day: Int64) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = floorDivide(y, 400)
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Timestamp: Comparable, CustomStringConvertible {
  /// ISO 8601 in UTC.
  public var description: String { Self.iso8601(nanoseconds) }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Returns a time later by a duration, clamped to the representable range.
  public static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    let whole = seconds.multipliedReportingOverflow(by: second)
    let sum = whole.partialValue.addingReportingOverflow(attoseconds / second)
    let isBeyond = whole.overflow || sum.overflow
    return Timestamp(
      nanoseconds: moved(
        time.nanoseconds, by: isBeyond ? (seconds > 0 ? .max : .min) : sum.partialValue))
  }

  /// Returns the time from the second to the first.
  public static func - (a: Timestamp, b: Timestamp) -> Duration {
    .nanoseconds(a.nanoseconds) - .nanoseconds(b.nanoseconds)
  }
}
