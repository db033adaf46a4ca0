internal import Sightings

/// The times in a text: Unix seconds, dates, or times of the day alone.
struct LogClock {
  /// A Boolean value that is true if a date had no time zone, and was read as UTC.
  private(set) var isLocal = false
  /// A Boolean value that is true if a time had no date.
  private(set) var hasNoDate = false
  private var day: Int64 = 0
  private var latest: Int64?

  private static let dayLength = 86_400 * Timestamp.second

  /// Returns a time in nanoseconds since the Unix epoch, of times of the day since the first
  /// midnight; nil for other texts.
  mutating func time(_ text: ArraySlice<UInt8>) -> Int64? {
    let text = text.trimmed
    if let seconds = DecimalNumber.nanoseconds(text.span) { return seconds }
    // Milliseconds, as many programs write them, have too many digits for seconds.
    if let time = DecimalNumber.nanoseconds(text.span, power: -3) { return time }
    if let local = Timestamp.local(iso8601: text.span) {
      if local.offset == nil { isLocal = true }
      return Timestamp.nanoseconds(local.seconds - (local.offset ?? 0), local.nanoseconds)
    }
    guard text.count >= 8, text.count <= 18, text.dropFirst(2).first == UInt8(ascii: ":") else {
      return nil
    }
    let date = Array("1970-01-01T".utf8) + text
    guard let local = Timestamp.local(iso8601: date.span), local.offset == nil else { return nil }
    hasNoDate = true
    let sinceMidnight = local.seconds * Timestamp.second + local.nanoseconds
    var time = Timestamp.moved(day, by: sinceMidnight)
    if let latest, time < latest - Self.dayLength / 2 {
      day = Timestamp.moved(day, by: Self.dayLength)
      time = Timestamp.moved(day, by: sinceMidnight)
    }
    latest = max(latest ?? time, time)
    return time
  }

  /// A sentence for users; nil if the times were complete.
  var note: String? {
    if hasNoDate { return "its times have no date: they are those of 1970-01-01, as of UTC" }
    return isLocal ? "its times have no time zone: they are read as UTC" : nil
  }
}
