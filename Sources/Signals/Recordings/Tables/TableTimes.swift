import Sightings
import Support

/// The check that the times of a table are Unix seconds.
///
/// Times since the start of a recording, such as 0, 1, 2 …, are accepted. These ranges are
/// rejected:
///
/// | range | meaning |
/// |---|---|
/// | 10¹¹ and more (row by row) | milliseconds, microseconds or nanoseconds |
/// | 36,526 to 73,050, all of it in less than 32 | days since 1899-12-30 of the years 2000 to 2100: a spreadsheet |
/// | 730,486 to 767,011, all of it in less than 32 | days since the year 0 of the same years: MATLAB |
/// | 3 · 10⁸ to 946,684,799 | seconds since 2001 of the years 2010 to 2030: iOS; as Unix times they are before 2000 |
///
/// Seconds since the start of a machine are in the second range for some hours, so they count as
/// days only if all are within a second, or there are more than 500 rows per second.
struct TableTimes {
  private var first = Int64.max
  private var last = Int64.min
  private var count = 0

  mutating func add(_ time: Int64) {
    first = min(first, time)
    last = max(last, time)
    count += 1
  }

  mutating func merge(_ other: TableTimes) {
    first = min(first, other.first)
    last = max(last, other.last)
    count += other.count
  }

  /// Returns the problem of a time that is not in Unix seconds.
  static func problem(_ seconds: Double?) -> RowProblem {
    seconds.map { 1e11...1e19 ~= abs($0) } == true ? .timeNotInSeconds : .badTime
  }

  /// Throws if times are days, or seconds since another year.
  func require(_ path: String) throws(RSSIError) {
    guard count > 0 else { return }
    let (start, end) = (Double(first) / 1e9, Double(last) / 1e9)
    func refusal(
      _ words: String, as seconds: Double, _ conversion: String, _ unit: String? = nil
    ) -> RSSIError {
      let date = Timestamp.iso8601(Int64(seconds) * Timestamp.second)
      return RSSIError(
        .badInput, "time_s \(first == last ? "is" : "begins with") \(plain(start)): \(words)?",
        in: path,
        advice: "write Unix seconds: \(conversion), here \(date) (UTC)"
          + (unit.map { "; for a table, `columns` time_s=time_s:\($0) does so" } ?? ""))
    }
    if 3e8 <= start, end < 946_684_800 {
      throw refusal(
        "seconds since 2001, as iOS counts them", as: start + 978_307_200, "add 978307200",
        "apple")
    }
    guard end - start < 32, end - start < 1 || Double(count) > 500 * (end - start) else { return }
    for (range, epoch, name, unit) in [
      (36_526.0...73_050.0, 25_569.0, "1899-12-30, as spreadsheets count them", "excel"),
      (730_486...767_011, 719_529, "the year 0, as MATLAB counts them", nil),
    ] as [(ClosedRange<Double>, Double, String, String?)]
    where range.contains(start) && range.contains(end) {
      throw refusal(
        "days since \(name)", as: (start - epoch) * 86_400, "(time_s - \(Int(epoch))) × 86400",
        unit)
    }
  }
}
