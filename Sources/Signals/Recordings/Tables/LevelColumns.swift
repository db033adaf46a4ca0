import Glibc
import Sightings
public import Support

/// The columns of a wide table, each with the levels of one beacon, as `--levels` takes them.
///
/// ```swift
/// map.levels = try LevelColumns("b3001-b3013")
/// ```
///
/// A list of terms, of which each is a header, a pattern of headers with `*`, `?` and `[…]`, the
/// first and the last header of a range (`b3001-b3013`), or numbers of columns (`#5`, `#1-#22`,
/// `2:#1-#22` in the second of several files). A term with a comma is in double quotes.
public struct LevelColumns: Equatable, Sendable {
  private enum Term: Equatable, Sendable {
    case header(String)
    case numbers(ClosedRange<Int>, file: Int)
  }

  private let text: String
  private var terms: [Term] = []

  /// A Boolean value that is true if a column is named by its number.
  var isByNumber: Bool {
    terms.contains { if case .numbers = $0 { true } else { false } }
  }

  /// Reads a list of columns.
  ///
  /// - Throws: `RSSIError` of kind `usage` that names the term.
  public init(_ text: String) throws(RSSIError) {
    self.text = text
    for term in Self.terms(of: text) {
      guard term.text.contains("#"), !term.isQuoted else {
        guard !term.text.isEmpty else { throw Self.problem(text) }
        terms.append(.header(term.text))
        continue
      }
      guard let numbers = Self.numbers(term.text) else { throw Self.problem(term.text) }
      terms.append(numbers)
    }
    guard !terms.isEmpty else { throw Self.problem(text) }
  }

  /// Creates the list of columns of a table with a header; adjacent ones are a range.
  init(_ columns: [Int], of sample: TableSample) {
    let isRange = columns.indices.allSatisfy { columns[$0] == columns[0] + $0 }
    let ends = isRange && columns.count > 2 ? [columns[0], columns[columns.count - 1]] : columns
    let names = ends.map { index in
      sample.header.map { names in
        names[index].contains { ",\"#".contains($0) }
          ? "\"\(names[index].replacing("\"", with: "\"\""))\"" : names[index]
      } ?? "#\(index + 1)"
    }
    text = names.joined(separator: ends.count < columns.count ? "-" : ",")
    terms =
      sample.header == nil && isRange
      ? [.numbers(columns[0] + 1...columns[columns.count - 1] + 1, file: 1)]
      : Self.terms(of: text).map { .header($0.text) }
  }

  /// Finds the columns in a table, each once, in the order of the terms.
  ///
  /// - Throws: `RSSIError` for a term without a column.
  func columns(of sample: TableSample, path: String) throws(RSSIError) -> [Int] {
    var found: [Int] = []
    for term in terms {
      let matches: [Int]
      switch term {
      case .numbers(let range, let file):
        guard let columns = sample.columns(range, ofFile: file) else {
          throw .badTable(
            path: path,
            problem: "`levels` \(text): the table has \(sample.width) columns")
        }
        matches = Array(columns)
      case .header(let name):
        matches = Self.matches(name, sample.header ?? [])
        guard !matches.isEmpty else {
          throw .badTable(
            path: path,
            problem: "`levels` \(name): no column matches"
              + didYouMean(name, among: sample.header ?? []),
            advice: "give headers (b*, b3001-b3013), or numbers (#1-#22)")
        }
      }
      found += matches.filter { !found.contains($0) }
    }
    return found
  }

  private static func matches(_ name: String, _ header: [String]) -> [Int] {
    let same = header.indices.filter { header[$0] == name }
    guard same.isEmpty else { return same }
    for dash in name.indices where name[dash] == "-" {
      let (first, last) = (name[..<dash], name[name.index(after: dash)...])
      if let start = header.firstIndex(where: { $0 == first }),
        let end = header.firstIndex(where: { $0 == last }), start <= end
      {
        return Array(start...end)
      }
    }
    return header.indices.filter { fnmatch(name, header[$0], 0) == 0 }
  }

  /// The terms between commas; a comma in double quotes does not count.
  private static func terms(of text: String) -> [(text: String, isQuoted: Bool)] {
    var terms: [(text: String, isQuoted: Bool)] = [("", false)]
    var isQuoted = false
    for character in text {
      switch character {
      case "\"":
        isQuoted.toggle()
        terms[terms.count - 1].isQuoted = true
      case "," where !isQuoted: terms.append(("", false))
      default: terms[terms.count - 1].text.append(character)
      }
    }
    return terms
  }

  /// Reads `#5`, `#1-#22` or `2:#1-#22`.
  private static func numbers(_ text: String) -> Term? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let file = parts.count == 2 ? Int(parts[0]) : 1,
      (1...9).contains(file), let last = parts.last
    else { return nil }
    let ends = last.split(separator: "-", omittingEmptySubsequences: false).map { end in
      end.first == "#" ? Int(end.dropFirst()) : nil
    }
    guard (1...2).contains(ends.count), let first = ends[0], let end = ends[ends.count - 1],
      (1...100_000).contains(first), first <= end, end <= 100_000
    else { return nil }
    return .numbers(first...end, file: file)
  }

  private static func problem(_ term: String) -> RSSIError {
    RSSIError(
      .usage, "levels \"\(term.prefix(40))\": expected columns",
      advice: "give headers (b*, b3001-b3013), or numbers (#1-#22)")
  }
}

extension LevelColumns: CustomStringConvertible {
  public var description: String { text }
}

extension LevelColumns {
  /// Recognises the columns of levels of a table that has no column of that name: whole columns of
  /// numbers from -127 to 20 or of a mark such as 100 and -200, with levels of -20 dBm and below.
  static func recognized(in sample: TableSample, apartFrom map: ColumnMap) -> [Int] {
    let names = sample.header ?? []
    let isNarrow =
      map["rssi_dbm"] != nil || names.contains { ColumnHint.rank($0, as: "rssi_dbm") != nil }
    guard !isNarrow else { return [] }
    let found = (0..<sample.width).filter { column in
      let numbers = sample.values(column).map(sample.number)
      let isMapped = map.entries.contains { entry in
        switch entry.origin {
        case .header(let name): column < names.count && names[column] == name
        case .number(let number, let file):
          sample.columns(number...number, ofFile: file)?.first == column
        case .constant: false
        }
      }
      let isOther =
        isMapped
        || column < names.count && (ColumnHint.isPlace(names[column]) || isQuantity(names[column]))
      return !isOther && !numbers.isEmpty
        && numbers.allSatisfy { $0.map { mayBeLevel($0) } ?? false }
        && numbers.contains { $0.map { (-127...(-20)).contains($0) } ?? false }
    }
    return found.count > 1 ? found : []
  }

  /// Returns true for the names of other quantities, and of statistics of levels.
  private static func isQuantity(_ name: String) -> Bool {
    name.lowercased().split { !$0.isLetter }.contains { quantities.contains($0) }
  }

  private static let quantities: Set<Substring> = [
    "heading", "azimuth", "angle", "bearing", "yaw", "pitch", "roll", "noise", "snr", "temp",
    "temperature", "mean", "median", "avg", "average", "min", "max", "std", "var", "error", "wifi",
    "tx", "txpower", "power", "battery", "humidity", "index",
  ]

  private static func mayBeLevel(_ number: Double) -> Bool {
    (-127...0).contains(number) || marks.contains(number)
  }

  /// The numbers beyond the range of levels that programs write for "not heard".
  private static let marks: Set<Double> = [
    99, 100, 110, 120, 127, 128, 200, 255, -128, -150, -200, -255, -999, -1000, 999, 1000,
  ]

  /// Returns the lowest level in columns if it is so frequent that it may stand for "not heard",
  /// but too near others to be taken for it.
  static func doubtful(in sample: TableSample, columns: [Int]) -> Double? {
    let levels = counts(in: sample, columns).filter { isLevel($0.key) }.mapValues(\.values)
    guard let lowest = levels.keys.min(), let count = levels[lowest], levels.count > 3 else {
      return nil
    }
    let total = levels.values.reduce(0, +)
    let near = levels.filter { $0.key > lowest && $0.key <= lowest + 10 }.values.max() ?? 0
    return count * 10 > total && count > 4 * near ? lowest : nil
  }

  private static func isLevel(_ number: Double) -> Bool {
    (-127...20).contains(number) && number != 0
  }

  /// The number of times that each number occurs in columns, and in how many of them.
  private static func counts(
    in sample: TableSample, _ columns: [Int]
  ) -> [Double: (values: Int, columns: Int)] {
    var counts: [Double: (values: Int, columns: Int)] = [:]
    for column in columns {
      let numbers = Dictionary(
        sample.values(column).compactMap(sample.number).map { ($0, 1) }, uniquingKeysWith: +)
      for (number, count) in numbers {
        let known = counts[number] ?? (0, 0)
        counts[number] = (known.values + count, known.columns + 1)
      }
    }
    return counts
  }

  /// Recognises the numbers that stand for "not heard" in columns of levels: more than a tenth of
  /// the values, and beyond the range of levels or far below all others of several columns.
  static func notHeard(in sample: TableSample, columns: [Int]) -> [Double] {
    let counts = counts(in: sample, columns)
    let total = counts.values.reduce(0) { $0 + $1.values }
    let levels = counts.keys.filter(isLevel).sorted()
    return counts.filter { number, count in
      guard count.values * 10 > total else { return false }
      if !isLevel(number) { return true }
      return number == levels.first && levels.count > 3 && levels[1] - number >= 10
        && count.columns > 1
    }.keys.sorted()
  }
}
