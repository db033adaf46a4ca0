internal import Sightings

/// An open file, as its tables use it.
struct TraceFile {
  let handle: Handle
  /// The mode of the tables: create or open.
  var mode: Table.Mode
  let clock: Clock
  /// The name of the file in messages.
  let path: String

  /// Returns the same file for opening its tables.
  func opened(_ trust: RowTrust) -> TraceFile {
    var file = self
    file.mode = .open(trust)
    return file
  }
}

/// The time coordinate of a file: seconds since its start, stored as a double.
struct Clock {
  /// The start in nanoseconds since the Unix epoch, a whole second.
  let start: Int64

  /// The CF convention's units, which xarray, pandas, R and MATLAB decode.
  var units: String {
    "seconds since " + Timestamp.iso8601(start, separator: " ", suffix: "")
  }

  /// Returns the seconds of a time; times at the very ends of an Int64 are clamped to the program's
  /// range.
  func seconds(_ time: Int64) -> Double {
    let end = Timestamp.limit * Timestamp.second
    let time = max(-end, min(end, time))
    let (seconds, nanoseconds) = Timestamp.split(time)
    // Whole seconds and the rest separately: the sum is rounded once, and no difference overflows.
    return Double(seconds - start / Timestamp.second) + Double(nanoseconds) / 1e9
  }

  /// Returns a time, or `nil` for values that are not finite or out of the program's range.
  func time(_ seconds: Double) -> Int64? {
    guard seconds.isFinite, abs(seconds) < 2e10 else { return nil }
    let truncated = Int64(seconds)
    let whole = seconds < Double(truncated) ? truncated - 1 : truncated
    let fraction = seconds - Double(whole)
    // Beyond 2^22 s (48 days) a double is coarser than a nanosecond; microseconds stay exact for
    // years.
    let nanoseconds =
      abs(seconds) < 4_194_304
      ? Self.rounded(fraction * 1e9) : Self.rounded(fraction * 1e6) * 1000
    return Timestamp.nanoseconds(start / Timestamp.second + whole, nanoseconds)
  }

  /// Returns the nearest whole number to one of at least 0, without a call of the C library.
  private static func rounded(_ number: Double) -> Int64 {
    let truncated = Int64(number)
    return number - Double(truncated) < 0.5 ? truncated : truncated + 1
  }
}
