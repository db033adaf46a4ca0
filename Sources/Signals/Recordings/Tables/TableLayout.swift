import CGlibc
import Glibc
import Sightings
import Support

/// The written form of a table: how its rows are cut, and what its fields mean.
struct TableLayout: Sendable {
  /// The byte between two fields.
  var separator = UInt8(ascii: ",")
  /// The byte before the decimals of a number.
  var point = UInt8(ascii: ".")
  /// The number of fields of a row.
  var width = 0
  /// A Boolean value that is true if fields have spaces around them that do not belong to them.
  var isPadded = false
  /// The column of times of day that belongs to a column of dates.
  var timeOfDay: (date: Int, time: Int)?
  /// The files whose rows stand side by side.
  var files: [TableSample.File] = []
  /// The unit of each field; nil = that of its column. Empty if no field has another.
  var units: [ColumnUnit?] = []
  /// The zone of local times.
  var timeZone: TimeZoneRules?
  /// The texts that stand for columns which the table does not have. Their numbers follow those of
  /// the fields.
  var constants: [[UInt8]] = []

  func unit(_ index: Int) -> ColumnUnit? { index < units.count ? units[index] : nil }

  /// A length of a field in metres.
  static func metres(_ length: Double, _ unit: Double) -> Double {
    // A division by 100 is exact where a product with 0.01 is not.
    unit < 0.02 ? length / (1 / unit).rounded() : length * unit
  }

  /// The time of a field in nanoseconds since the Unix epoch; nil for what is not one.
  @inline(never)
  func nanoseconds(_ text: Span<UInt8>, _ unit: ColumnUnit) -> Int64? {
    switch unit {
    case .seconds(let power):
      return DecimalNumber.nanoseconds(text, power: power, point: point)
    case .apple:
      return DecimalNumber.nanoseconds(text, point: point).flatMap {
        Timestamp.checked($0, plus: 978_307_200)
      }
    case .excel:
      guard let days = DecimalNumber.double(text, point: point), abs(days) < 1e5 else { return nil }
      // Spreadsheets keep milliseconds at most; a day has more digits than a number.
      let local = (days * 86_400_000).rounded() - 25_569 * 86_400_000
      return instant(Int64(local / 1000), Int64(local) % 1000 * 1_000_000)
    case .iso:
      guard let (seconds, fraction, offset) = Timestamp.local(iso8601: text) else { return nil }
      return offset.map { Timestamp.nanoseconds(seconds - $0, fraction) }
        ?? instant(seconds, fraction)
    case .format(let format):
      guard let (seconds, fraction, offset) = DateText.parse(text, format) else { return nil }
      return offset.map { Timestamp.nanoseconds(seconds - $0, fraction) }
        ?? instant(seconds, fraction)
    case .length: return nil
    }
  }

  private func instant(_ local: Int64, _ fraction: Int64) -> Int64? {
    guard let timeZone else { return Timestamp.nanoseconds(local, fraction) }
    return timeZone.instant(ofLocal: local).flatMap { Timestamp.nanoseconds($0, fraction) }
  }
}

/// Dates and times of day in formats of their own.
enum DateText {
  /// The format of dates without separators.
  static let digits = "%Y%m%d%H%M%S"

  private static let usual: [String] = {
    let dates = ["%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d/%m/%y", "%m/%d/%y"]
    let times = [
      " %H:%M:%S", " %H:%M:%S.%f", " %H:%M", " %I:%M:%S %p", " %I:%M %p", "T%H:%M:%S", "",
    ]
    return dates.flatMap { date in
      ["/", "-", "."].flatMap { mark in times.map { date.replacing("/", with: mark) + $0 } }
    }
  }()

  /// Returns the formats of strptime, by default the usual ones, that read all of some texts as
  /// dates from 1970 to 2096: more than one if the order of day and month is open.
  static func formats(of texts: [String], among formats: [String] = usual) -> [String] {
    guard !texts.isEmpty else { return [] }
    return formats.filter { format in
      texts.allSatisfy { text in
        parse(Array(text.utf8).span, format).map { (0..<4_000_000_000).contains($0.seconds) }
          ?? false
      }
    }
  }

  /// Reads a date by a format of strptime, in which `%f` is a fraction of a second.
  static func parse(_ text: Span<UInt8>, _ format: String) -> Timestamp.Local? {
    var parts = tm()
    parts.tm_mday = 1
    parts.tm_year = 70
    parts.tm_isdst = -1
    var fraction: Int64 = 0
    var bytes = [CChar](repeating: 0, count: text.count + 1)
    for index in text.indices { bytes[index] = CChar(truncatingIfNeeded: text[index]) }
    var place = 0
    for (number, piece) in format.split(separator: "%f", omittingEmptySubsequences: false)
      .enumerated()
    {
      if number > 0 {
        var digits = 0
        while digits < 9, bytes[place] >= 48, bytes[place] <= 57 {
          fraction = fraction * 10 + Int64(bytes[place] - 48)
          (place, digits) = (place + 1, digits + 1)
        }
        guard digits > 0 else { return nil }
        for _ in digits..<9 { fraction *= 10 }
        while bytes[place] >= 48, bytes[place] <= 57 { place += 1 }
      }
      guard !piece.isEmpty else { continue }
      let end = bytes.withUnsafeBufferPointer { buffer -> Int? in
        guard let start = buffer.baseAddress,
          let end = cglibc_strptime(start + place, String(piece), &parts)
        else { return nil }
        return end - start
      }
      guard let end else { return nil }
      place = end
    }
    guard bytes[place] == 0,
      let days = Timestamp.days(
        year: Int64(parts.tm_year) + 1900, month: Int64(parts.tm_mon) + 1,
        day: Int64(parts.tm_mday))
    else { return nil }
    let seconds =
      days * 86_400 + Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
    return (seconds, fraction, format.contains("%z") ? Int64(parts.tm_gmtoff) : nil)
  }
}
