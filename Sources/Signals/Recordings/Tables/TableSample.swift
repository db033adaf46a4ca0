import Glibc
import Sightings
import Support

/// The first lines of a table, from which its written form is inferred.
struct TableSample {
  /// The byte between two fields: the first of tab, semicolon, comma and bar that cuts all lines
  /// into the same number of fields.
  private(set) var separator = UInt8(ascii: ",")
  /// The byte before the decimals: a comma if numbers have one, and none has a point.
  private(set) var point = UInt8(ascii: ".")
  /// The lines before the header or the first row: comments that begin with #, `sep=;`, blank ones.
  private var skippedLines = 0
  /// Those of them that are neither comments nor blank, such as what a program printed first.
  private(set) var preambleLines = 0
  /// A Boolean value that is true if a space follows each separator.
  private(set) var isPadded = false
  /// The fields of the first line; nil for a table without a header.
  private(set) var header: [String]?
  /// The fields of some rows.
  private(set) var rows: [[String]] = []
  /// The files of the table, whose rows stand side by side.
  private(set) var files: [File] = []

  /// One of the files of a table.
  struct File: Sendable {
    var path: String
    var separator: UInt8
    /// The number of fields of its rows.
    var width: Int
    /// The lines before its first row.
    var linesBefore: Int
  }

  private static let length = 1 << 16
  private static let mostRows = 200

  /// Reads the first lines of a table.
  ///
  /// - Parameter path: a file, or several joined by `+`, whose rows belong together.
  /// - Throws: `RSSIError` for a file that cannot be read or holds no line.
  init(path: String) throws(RSSIError) {
    let paths = tableFiles(path)
    try self.init(file: paths[0])
    for path in paths.dropFirst() { join(try TableSample(file: path)) }
  }

  private init(file path: String) throws(RSSIError) {
    var lines: [[UInt8]] = []
    var skipped = 0
    var isStarted = false
    var file = try Lines(path: path, joinsQuoted: true)
    do {
      while lines.count <= Self.mostRows, lines.reduce(0, { $0 + $1.count }) < Self.length {
        let next = try file.next { line -> [UInt8] in
          guard let line else { return Array(repeating: 0x78, count: Lines.maximumLength + 1) }
          return line.indices.map { line[$0] }
        }
        guard let line = next else { break }
        if !isStarted {
          if line.isEmpty || line.first == UInt8(ascii: "#") || take(separatorLine: line) {
            skipped += 1
            continue
          }
          isStarted = true
        }
        if !line.isEmpty { lines.append(line) }
      }
    } catch {
      throw RSSIError(error)
    }
    guard let first = lines.first else { throw RSSIError.empty(path: path) }
    guard first.count <= Lines.maximumLength else {
      throw .badTable(
        path: path, problem: "its first line is longer than \(Lines.maximumLength) bytes")
    }
    skippedLines = skipped
    if !isSeparatorGiven {
      let (found, preamble) = Self.separator(of: lines)
      separator = found
      skippedLines += preamble
      preambleLines = preamble
      lines.removeFirst(preamble)
    }
    let cut = lines.map { Self.fields($0, separator) }
    guard cut[0] != nil else {
      throw .badTable(path: path, problem: "the quotes in its first line do not match")
    }
    let whole = cut.compactMap(\.self)
    isPadded = whole.allSatisfy { $0.count > 1 && $0.dropFirst().allSatisfy { $0.first == " " } }
    rows = isPadded ? whole.map { $0.map { $0[...].trimmingSpaces } } : whole
    let names = rows.removeFirst()
    if Self.isHeader(names, rows) { header = names } else { rows.insert(names, at: 0) }
    // Programs that end each row with a separator often end no header with one, and R names no
    // column of row names.
    if let header, rows.count > 1, rows.allSatisfy({ $0.count == header.count + 1 }) {
      let isAtEnd = rows.allSatisfy { $0.last?.isEmpty == true }
      self.header = isAtEnd ? header + [""] : [""] + header
    }
    if separator != UInt8(ascii: ",") { inferPoint() }
    files = [
      File(
        path: path, separator: separator, width: width,
        linesBefore: skippedLines + (header == nil ? 0 : 1))
    ]
  }

  /// Adds the columns of another file behind those of this one.
  private mutating func join(_ other: TableSample) {
    if header != nil || other.header != nil {
      let none = { (width: Int) in Array(repeating: "", count: width) }
      header = (header ?? none(width)) + (other.header ?? none(other.width))
    }
    rows = zip(rows, other.rows).map { $0 + $1 }
    if other.point == UInt8(ascii: ",") { point = other.point }
    isPadded = isPadded || other.isPadded
    files += other.files
  }

  /// The columns with some numbers, from 1, of the file with a number, from 1; nil if it has fewer.
  func columns(_ numbers: ClosedRange<Int>, ofFile number: Int) -> Range<Int>? {
    guard files.indices.contains(number - 1), numbers.upperBound <= files[number - 1].width else {
      return nil
    }
    let first = files.prefix(number - 1).reduce(0) { $0 + $1.width } + numbers.lowerBound - 1
    return first..<first + numbers.count
  }

  /// A Boolean value that is true if the columns are keys of objects, which have no order.
  private(set) var hasKeys = false

  /// Takes the keys of objects as a header, and their values as rows.
  init(keys: [String], values: [[String]], path: String) {
    (header, rows, hasKeys) = (keys, values, true)
    files = [File(path: path, separator: separator, width: keys.count, linesBefore: 0)]
  }

  private var isSeparatorGiven = false

  /// Takes the line `sep=;` with which spreadsheets begin a table.
  private mutating func take(separatorLine line: [UInt8]) -> Bool {
    guard line.count == 5, line.starts(with: Array("sep=".utf8)) else { return false }
    (separator, isSeparatorGiven) = (line[4], true)
    return true
  }

  private static func fields(_ line: [UInt8], _ separator: UInt8) -> [String]? {
    var layout = TableLayout()
    layout.separator = separator
    var row = TableRow(layout)
    return row.split(line.span) ? (0..<row.count).map { row.text($0) } : nil
  }

  /// The most lines before a table that are passed over.
  private static let mostPreambleLines = 10

  /// Finds the byte that cuts all lines into the same number of fields, and how many lines precede
  /// the table: those have no number, and another number of fields.
  private static func separator(of lines: [[UInt8]]) -> (byte: UInt8, preamble: Int) {
    for preamble in 0...min(mostPreambleLines, max(0, lines.count - 2)) {
      for separator in "\t;,|".utf8 {
        let rows = lines.dropFirst(preamble).prefix(20).map { fields($0, separator) ?? [] }
        guard let first = rows.first, first.count > 1, rows.allSatisfy({ $0.count == first.count })
        else { continue }
        let isTable =
          preamble == 0
          || isHeader(first, Array(rows.dropFirst()))
            && lines.prefix(preamble).allSatisfy { line in
              let words = fields(line, separator) ?? []
              return words.count != first.count && !words.contains(where: isValue)
            }
        if isTable { return (separator, preamble) }
      }
    }
    // Spaces only between numbers and quoted texts: others have some, too.
    let space = UInt8(ascii: " ")
    let rows = lines.prefix(20).map { fields($0, space) ?? [] }
    let isSpaced = lines.prefix(20).dropFirst(lines.count > 1 ? 1 : 0).allSatisfy { line in
      unquoted(line).split(separator: space).allSatisfy { word in
        DecimalNumber.double(Array(word).span) != nil || TableRow.isMissing(Array(word).span)
      }
    }
    let widths = Set(rows.dropFirst().map(\.count))
    let isUniform = widths.count < 2 && (rows.last?.count ?? 0) > 1
    return (isSpaced && isUniform ? space : UInt8(ascii: ","), 0)
  }

  /// Returns a line with a number in place of each quoted text.
  private static func unquoted(_ line: [UInt8]) -> [UInt8] {
    var isQuoted = false
    return line.compactMap { byte in
      guard byte == UInt8(ascii: "\"") else { return isQuoted ? nil : byte }
      isQuoted.toggle()
      return isQuoted ? UInt8(ascii: "0") : nil
    }
  }

  /// Returns true if the first line names columns: it has no number and no date, or a text where rows
  /// have those.
  private static func isHeader(_ names: [String], _ rows: [[String]]) -> Bool {
    // A word such as NaN is a value that is missing.
    let texts = names.indices.filter {
      !isValue(names[$0]) && !TableRow.isMissing(Array(names[$0].utf8).span)
    }
    if !texts.isEmpty, names.allSatisfy({ !isValue($0) }) { return true }
    return texts.contains { index in
      rows.contains { index < $0.count && isValue($0[index]) }
    }
  }

  /// Returns true for numbers, also with a decimal comma, and dates.
  private static func isValue(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return DecimalNumber.double(bytes.span) != nil
      || DecimalNumber.double(bytes.span, point: UInt8(ascii: ",")) != nil
      || (bytes.count >= 8 && bytes[0] >= 48 && bytes[0] <= 57
        && bytes.allSatisfy { (48...57).contains($0) || "-/.: TZ+".utf8.contains($0) })
  }

  private mutating func inferPoint() {
    var (commas, points) = (false, false)
    for row in rows {
      for field in row {
        let bytes = Array(field.utf8)
        if bytes.contains(UInt8(ascii: ",")),
          DecimalNumber.double(bytes.span, point: UInt8(ascii: ",")) != nil
        {
          commas = true
        } else if bytes.contains(UInt8(ascii: ".")), DecimalNumber.double(bytes.span) != nil {
          points = true
        }
      }
    }
    if commas, !points { point = UInt8(ascii: ",") }
  }

  /// The values of a column of times, without a few texts such as those of a repeated header.
  func times(_ index: Int) -> [String] {
    let values = values(index)
    let times = values.filter { text in text.first.map { $0.isNumber || $0 == "-" } ?? false }
    return times.count * 10 > values.count * 9 ? times : values
  }

  /// Returns true if all values of a column are dates of ISO 8601, or of one usual format.
  func hasDates(_ index: Int) -> Bool {
    let values = times(index)
    return !values.isEmpty
      && (values.allSatisfy { Timestamp.local(iso8601: Array($0.utf8).span) != nil }
        || !DateText.formats(of: values).isEmpty)
  }

  /// The number of fields of the first line.
  var width: Int { header?.count ?? rows.first?.count ?? 0 }

  /// The number of a field; nil for what is not a number.
  func number(_ text: String) -> Double? {
    DecimalNumber.double(Array(text.utf8).span, point: point)
  }

  /// The values of a column in the rows, without empty ones and words for none.
  func values(_ index: Int) -> [String] {
    rows.compactMap { row in
      index < row.count && !TableRow.isMissing(Array(row[index].utf8).span) ? row[index] : nil
    }
  }

  /// The values of a column of dates with those of a column of times of day.
  func values(_ date: Int, _ time: Int) -> [String] {
    rows.filter { max(date, time) < $0.count }.map { "\($0[date]) \($0[time])" }
  }
}
