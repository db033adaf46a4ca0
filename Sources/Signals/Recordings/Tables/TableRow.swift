internal import Advertising
import Sightings
import Support

/// One row of a CSV table, split into fields (RFC 4180).
package struct TableRow: ~Copyable {
  /// The bytes to which the ranges of fields refer: a copy of the row without its quotes, or the
  /// memory with complete rows of a file.
  private(set) var bytes: [UInt8] = []
  private var fields: [Range<Int>] = []
  /// The rows that were taken and not cut yet, with the ends of their fields.
  private var rows = 0..<0
  private var ends = FieldEnds(0, from: 0)
  private let layout: TableLayout
  /// Copies of what each field needs of the layout, without its arrays.
  private let (hasUnits, point, isPadded): (Bool, UInt8, Bool)
  /// The place of the first constant of the layout in the bytes of each part.
  private var constants: [Range<Int>] = []

  /// The number of fields.
  package private(set) var count = 0

  init(_ layout: TableLayout = TableLayout()) {
    self.layout = layout
    (hasUnits, point) = (!layout.units.isEmpty, layout.point)
    isPadded = layout.isPadded
  }

  /// Takes the next complete rows of a table, to be cut in place; see `Lines.wholeRows`.
  ///
  /// - Returns: `false` if the next row must be taken alone.
  mutating func takeRows(of lines: inout TableLines) throws(RSSIError) -> Bool {
    guard let rows = try lines.wholeRows(exchanging: &bytes) else { return false }
    (self.rows, ends) = (rows, FieldEnds(layout.separator, from: rows.lowerBound))
    constants.removeAll(keepingCapacity: true)
    return true
  }

  /// Writes the constants of the layout behind the fields.
  private mutating func appendConstants(behind end: Int) {
    constants.removeAll(keepingCapacity: true)
    bytes.removeSubrange(end...)
    for constant in layout.constants {
      constants.append(bytes.count..<bytes.count + constant.count)
      bytes += constant
    }
  }

  /// Splits the next of the rows that were taken; one field too many is kept, and more are not.
  ///
  /// - Returns: The length of the row, or `nil` behind the last.
  mutating func cut() -> Int? {
    let start = rows.lowerBound
    guard start < rows.upperBound else { return nil }
    if fields.count <= layout.width {
      fields += repeatElement(0..<0, count: layout.width + 1 - fields.count)
    }
    if constants.count < layout.constants.count { appendConstants(behind: bytes.count) }
    let end: Int
    (end, count) = Self.cut(bytes, start, &ends, &fields)
    rows = end + 1..<rows.upperBound
    return end - start
  }

  private static func cut(
    _ bytes: [UInt8], _ start: Int, _ ends: inout FieldEnds, _ fields: inout [Range<Int>]
  ) -> (end: Int, count: Int) {
    let bytes = bytes.span
    var fields = fields.mutableSpan
    var count = 0
    var field = start
    while true {
      let end = ends.next(in: bytes)
      let isLast = bytes[end] == UInt8(ascii: "\n")
      let hasReturn = isLast && end > field && bytes[end - 1] == UInt8(ascii: "\r")
      let range = field..<(hasReturn ? end - 1 : end)
      let isGuarded =
        bytes[field] == UInt8(ascii: "'") && CSV.isGuarded(bytes.extracting(range))
      if count < fields.count {
        fields[count] = isGuarded ? field + 1..<range.upperBound : range
        count += 1
      }
      if isLast { return (end, count) }
      field = end + 1
    }
  }

  /// Splits a row; returns `false` if its quotes do not match. Memory is reused between rows.
  ///
  /// An apostrophe that keeps spreadsheets from reading text as a formula is not part of its field.
  mutating func split(_ line: Span<UInt8>) -> Bool {
    defer { count = fields.count }
    defer { if !layout.constants.isEmpty { appendConstants(behind: fields.last?.upperBound ?? 0) } }
    fields.removeAll(keepingCapacity: true)
    guard Self.split(line, layout.separator, behind: 0, &bytes, &fields) else { return false }
    // Several spaces are one separator.
    if layout.separator == UInt8(ascii: " ") { fields.removeAll(where: \.isEmpty) }
    return true
  }

  /// Adds the fields of a row of another file; returns `false` if its quotes do not match.
  mutating func append(_ line: Span<UInt8>, _ separator: UInt8) -> Bool {
    defer { count = fields.count }
    defer { if !layout.constants.isEmpty { appendConstants(behind: fields.last?.upperBound ?? 0) } }
    let end = fields.last?.upperBound ?? 0
    let known = fields.count
    guard Self.split(line, separator, behind: end, &bytes, &fields) else { return false }
    if separator == UInt8(ascii: " ") {
      fields = fields.prefix(known) + fields[known...].filter { !$0.isEmpty }
    }
    return true
  }

  private static func split(
    _ line: Span<UInt8>, _ separator: UInt8, behind first: Int, _ bytes: inout [UInt8],
    _ fields: inout [Range<Int>]
  ) -> Bool {
    let missing = first + line.count - bytes.count
    if missing > 0 { bytes += repeatElement(0, count: missing) }
    var field = bytes.mutableSpan
    var start = first
    var end = first
    var i = 0
    while true {
      if i < line.count, line[i] == UInt8(ascii: "\"") {
        i += 1
        while true {
          guard i < line.count else { return false }
          if line[i] == UInt8(ascii: "\"") {
            i += 1
            guard i < line.count, line[i] == UInt8(ascii: "\"") else { break }
          }
          field[end] = line[i]
          end += 1
          i += 1
        }
        guard i == line.count || line[i] == separator else { return false }
      } else {
        while i < line.count, line[i] != separator {
          field[end] = line[i]
          end += 1
          i += 1
        }
      }
      let isGuarded = CSV.isGuarded(field.span.extracting(start..<end))
      fields.append((isGuarded ? start + 1 : start)..<end)
      start = end
      if i >= line.count { return true }
      i += 1
    }
  }

  /// Takes the fields of an object instead of those of a line.
  mutating func take(_ keys: ObjectKeys, of document: JSONDocument) {
    keys.write(document, into: &bytes, &fields)
    count = fields.count
    if !layout.constants.isEmpty { appendConstants(behind: bytes.count) }
  }

  /// A Boolean value that is true if the row is empty, without even a comma.
  var isBlank: Bool { count == 1 && fields[0].isEmpty }

  /// Returns the range of a field in `bytes`, empty for a field that the row does not have.
  @inline(__always)
  func range(_ index: Int?) -> Range<Int> {
    guard let index else { return 0..<0 }
    return index < count && !isPadded ? fields[index] : otherRange(index)
  }

  private func otherRange(_ index: Int) -> Range<Int> {
    if index < count { return trimmed(fields[index]) }
    let constant = index - layout.width
    return constants.indices.contains(constant) ? constants[constant] : 0..<0
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] == 0x20 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 { end -= 1 }
    return start..<end
  }

  package func text(_ index: Int?) -> String {
    String(decoding: bytes[range(index)], as: UTF8.self)
  }

  @inline(__always)
  func isEmpty(_ index: Int?) -> Bool { range(index).isEmpty }

  /// Returns a Boolean value that is true for an empty field, or a word for none such as NaN.
  func isMissing(_ index: Int?) -> Bool {
    Self.isMissing(bytes.span.extracting(range(index)))
  }

  static func isMissing(_ text: Span<UInt8>) -> Bool {
    guard text.count <= 4 else { return false }
    guard text.count > 0 else { return true }
    let word = text.indices.map { text[$0] | 0x20 }
    return words.contains(word)
  }

  /// The words for no value; the bit of lower case changes none of their characters.
  private static let words: Set<[UInt8]> = Set(
    ["nan", "null", "none", "na", "n/a", "-", "--"].map { Array($0.utf8) })

  /// Returns a Boolean value that is true if a trace can store a field unchanged, or the row has no
  /// such field.
  func admits(_ index: Int?, _ limit: TextLimit) -> Bool {
    limit.admits(bytes.span.extracting(range(index)))
  }

  /// The number of a field, in the unit of its column; nil for what is not a number.
  func double(_ index: Int?) -> Double? {
    let number = DecimalNumber.double(bytes.span.extracting(range(index)), point: point)
    guard hasUnits, case .length(let metres) = index.flatMap(layout.unit) else { return number }
    return number.map { TableLayout.metres($0, metres) }
  }

  /// The direction in two fields, which may be empty; nil for an impossible one.
  @inline(never)
  func angle(_ azimuth: Int?, _ elevation: Int?) -> Angle? {
    func degrees(_ index: Int?) -> Float? {
      isMissing(index) ? .nan : double(index).map(Float.init)
    }
    guard let azimuth = degrees(azimuth), let elevation = degrees(elevation) else { return nil }
    return Angle.possible(azimuthDeg: azimuth, elevationDeg: elevation)
  }

  /// The level of a field, with or without its unit; nil for what is not a number.
  func level(_ index: Int?) -> Double? {
    double(index) ?? levelWithUnit(index)
  }

  @inline(never)
  private func levelWithUnit(_ index: Int?) -> Double? {
    var field = range(index)
    guard field.count > 3,
      bytes[field.suffix(3)].map({ $0 | 0x20 }) == Array("dbm".utf8)
    else { return nil }
    field.removeLast(3)
    while let last = field.last, bytes[last] == 0x20 { field.removeLast() }
    return DecimalNumber.double(bytes.span.extracting(field), point: point)
  }

  /// The time of a field; nil for what is not a time.
  func nanoseconds(_ index: Int?) -> Int64? {
    let text = bytes.span.extracting(range(index))
    guard hasUnits, let unit = index.flatMap(layout.unit) else {
      return DecimalNumber.nanoseconds(text, point: point)
    }
    guard let (date, time) = layout.timeOfDay, date == index else {
      return layout.nanoseconds(text, unit)
    }
    let joined = bytes[range(date)] + [0x20] + bytes[range(time)]
    return layout.nanoseconds(Array(joined).span, unit)
  }
}

/// The reason why a row of a table or a line of a stream was rejected.
enum RowProblem: String {
  case blank
  case lineTooLong = "line-too-long"
  case badQuotes = "bad-quotes"
  case badJSON = "bad-json"
  case wrongFieldCount = "wrong-field-count"
  case missingName = "missing-name"
  case badName = "bad-name"
  case badTime = "bad-time"
  case timeNotInSeconds = "time-not-in-seconds"
  case badRSSI = "bad-rssi"
  case badChannel = "bad-channel"
  case badDistance = "bad-distance"
  case badPosition = "bad-position"
  case badAngle = "bad-angle"

  /// The advice if all rows have this problem.
  var advice: String? {
    self == .timeNotInSeconds
      ? "write Unix seconds: milliseconds divided by 1e3, microseconds by 1e6, nanoseconds by 1e9; "
        + "for a table, `columns` time_s=time_s:ms, :us or :ns does so"
      : nil
  }
}
