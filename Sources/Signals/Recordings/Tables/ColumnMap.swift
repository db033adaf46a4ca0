public import Support

/// A map from the columns of this package to those of a table, as `--columns` takes it.
///
/// ```swift
/// let map = try ColumnMap("time_s=timestamp:ms,rssi_dbm=RSSI,beacon=#3,receiver='phone'")
/// ```
///
/// Each entry is `name=column[:unit]`. A column is a header, a header in double quotes, or `#` and
/// its number, from 1; `2:#1` is the first column of the second of several files. A text in single
/// quotes is the value of every row. A unit is one of ``ColumnUnit``; a time may have a format of
/// strptime in single quotes. A map of a table of nodes or of truth begins with `nodes:` or
/// `truth:`.
public struct ColumnMap: Equatable, Sendable {
  /// The origin of the values of a column.
  public enum Origin: Equatable, Sendable {
    /// The column with a header.
    case header(String)
    /// The column with a number, from 1, of the file with a number, from 1.
    case number(Int, file: Int = 1)
    /// One text for all rows.
    case constant(String)
  }

  /// A kind of table, whose name begins its map; that of sightings has none.
  public enum Kind: String, CaseIterable, Sendable {
    /// Sightings.
    case sightings
    /// Beacons and receivers, with the places of the fixed ones.
    case nodes
    /// True places and levels.
    case truth

    var prefix: String { self == .sightings ? "" : "\(rawValue):" }
  }

  /// One column of this package.
  public struct Entry: Equatable, Sendable {
    /// The name of the column in this package, such as `time_s`.
    public var name: String
    /// The origin of its values.
    public var origin: Origin
    /// The unit of the values; nil = that of the name.
    public var unit: ColumnUnit?

    /// Creates an entry.
    public init(_ name: String, _ origin: Origin, unit: ColumnUnit? = nil) {
      (self.name, self.origin, self.unit) = (name, origin, unit)
    }
  }

  /// The entries, in the order in which they were written.
  public var entries: [Entry]
  /// The zone of times that have none; nil = such times are refused.
  public var timeZone: TimeZoneRules?
  /// The columns that each hold the levels of one beacon; nil = those that are recognised.
  public var levels: LevelColumns?
  /// The numbers that mean "not heard" instead of a level; nil = those that are recognised in the
  /// columns of `levels`.
  public var notHeard: [Double]?

  /// The name of the receiver of tables that name none; nil = `receiver`.
  public var receiver: String?
  /// The kind of the table.
  public var kind: Kind

  /// Creates a map of entries.
  public init(_ entries: [Entry] = [], timeZone: TimeZoneRules? = nil, kind: Kind = .sightings) {
    (self.entries, self.timeZone, self.kind) = (entries, timeZone, kind)
  }

  /// Reads a map as `--columns` takes it.
  ///
  /// - Throws: `RSSIError` of kind `usage` that names the entry.
  public init(_ text: String) throws(RSSIError) {
    let kind = Kind.allCases.last { text.hasPrefix($0.prefix) } ?? .sightings
    var reader = MapReader(String(text.dropFirst(kind.prefix.count)))
    var entries: [Entry] = []
    repeat {
      let entry = try reader.entry()
      guard !entries.contains(where: { $0.name == entry.name }) else {
        throw RSSIError(.usage, "columns \"\(text)\": \(entry.name) is there twice")
      }
      entries.append(entry)
    } while reader.take(",")
    self.init(entries, kind: kind)
  }

  package subscript(name: String) -> Entry? { entries.first { $0.name == name } }

  /// The options that give this map, as a shell takes them.
  var options: String {
    options(entries.isEmpty ? nil : description, zone: timeZone.map(\.name))
  }

  /// The options that give this map with columns and a zone that may be left open.
  func options(_ columns: String?, zone: String?) -> String {
    let numbers = notHeard.map { $0.map { plain($0) }.joined(separator: ",") }
    let parts = [
      columns.map { "`columns` \(shellWord($0))" }, zone.map { "`timeZone` \($0)" },
      levels.map { "`levels` \(shellWord("\($0)"))" },
      numbers.map { "`notHeard` \($0.isEmpty ? "none" : $0)" },
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }
}

/// Returns a text as one word of a shell.
private func shellWord(_ text: String) -> String {
  if text.allSatisfy({ $0.isLetter || $0.isNumber || "_-+.,:/=%@…".contains($0) }) { return text }
  if !text.contains(where: { "\"$`\\!".contains($0) }) { return "\"\(text)\"" }
  return "'\(text.replacing("'", with: "'\\''"))'"
}

extension ColumnMap: CustomStringConvertible {
  /// The text that reads back as this map.
  public var description: String {
    kind.prefix + entries.map(\.description).joined(separator: ",")
  }
}

extension ColumnMap.Entry: CustomStringConvertible {
  public var description: String { "\(name)=\(origin)\(unit.map { ":\($0)" } ?? "")" }
}

extension ColumnMap.Origin: CustomStringConvertible {
  public var description: String {
    switch self {
    case .header(let name):
      let isPlain =
        !name.isEmpty && name.first != "#" && name.first != " " && name.last != " "
        && !name.contains { ",:\"'".contains($0) }
      return isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\""
    case .number(let number, let file): return (file == 1 ? "" : "\(file):") + "#\(number)"
    case .constant(let text): return "'\(text.replacing("'", with: "''"))'"
    }
  }
}

/// A cursor in the text of a map.
private struct MapReader {
  private let text: String
  private var rest: Substring

  init(_ text: String) {
    self.text = text
    rest = text[...]
  }

  mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  mutating func entry() throws(RSSIError) -> ColumnMap.Entry {
    let start = rest
    let name = word(upTo: "=,").trimmingSpaces
    guard !name.isEmpty, take("=") else { throw problem("expected name=column", at: start) }
    let origin: ColumnMap.Origin
    switch rest.first {
    case "'": origin = .constant(try quoted("'"))
    case "\"": origin = .header(try quoted("\""))
    case "#": origin = .number(try number(at: start))
    default:
      let header = word(upTo: ":,").trimmingSpaces
      if let file = Int(header), (1...9).contains(file), rest.starts(with: ":#") {
        rest.removeFirst()
        origin = .number(try number(at: start), file: file)
      } else {
        guard !header.isEmpty else { throw problem("expected a column", at: start) }
        origin = .header(header)
      }
    }
    var unit: ColumnUnit?
    if take(":") {
      let isFormat = rest.first == "'"
      let written = isFormat ? try quoted("'") : word(upTo: ",").trimmingSpaces
      unit = isFormat ? .format(written) : ColumnUnit(written)
      guard unit != nil else {
        throw problem("expected a unit (\(ColumnUnit.names)), found \"\(written)\"", at: start)
      }
    }
    guard rest.isEmpty || rest.first == "," else { throw problem("expected a comma", at: start) }
    return ColumnMap.Entry(name, origin, unit: unit)
  }

  /// The number after `#`.
  private mutating func number(at start: Substring) throws(RSSIError) -> Int {
    rest.removeFirst()
    guard let number = Int(word(upTo: ":,").trimmingSpaces), (1...100_000).contains(number) else {
      throw problem("expected the number of a column from 1 on, as in #3", at: start)
    }
    return number
  }

  private mutating func word(upTo ends: String) -> Substring {
    let word = rest.prefix { !ends.contains($0) }
    rest = rest[word.endIndex...]
    return word
  }

  /// The text in quotes; the quote within it is written twice.
  private mutating func quoted(_ quote: Character) throws(RSSIError) -> String {
    let start = rest
    var found = ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      if character != quote {
        found.append(character)
      } else if take(quote) {
        found.append(quote)
      } else {
        return found
      }
    }
    throw problem("the quote does not end", at: start)
  }

  private func problem(_ words: String, at start: Substring) -> RSSIError {
    let entry = start.prefix(40)
    return RSSIError(
      .usage, "columns \"\(entry)\": \(words)",
      advice: "write name=column[:unit],…, as in time_s=timestamp:ms,rssi_dbm=RSSI,beacon=#3")
  }
}

extension Substring {
  /// The text without spaces at its ends.
  var trimmingSpaces: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// The unit in which a table has a column of times or lengths.
public enum ColumnUnit: Equatable, Sendable {
  /// Time since the Unix epoch, or since any start, in units of 10 to this power of seconds: 0, -3,
  /// -6 or -9.
  case seconds(power: Int)
  /// Dates of ISO 8601; those without a zone are of the map's zone.
  case iso
  /// Days since 1899-12-30, as spreadsheets count them, in UTC or in the map's zone.
  case excel
  /// Seconds since 2001-01-01 in UTC, as iOS counts them.
  case apple
  /// A format of strptime, with `%f` for a fraction of a second; without `%z` in the map's zone.
  case format(String)
  /// Lengths of so many metres.
  case length(metres: Double)

  private static let words: [(name: String, unit: ColumnUnit)] = [
    ("s", .seconds(power: 0)), ("ms", .seconds(power: -3)), ("us", .seconds(power: -6)),
    ("ns", .seconds(power: -9)), ("iso", .iso), ("excel", .excel), ("apple", .apple),
    ("m", .length(metres: 1)), ("cm", .length(metres: 0.01)), ("mm", .length(metres: 0.001)),
    ("ft", .length(metres: 0.3048)), ("in", .length(metres: 0.0254)),
  ]

  static var names: String { words.map(\.name).joined(separator: ", ") }

  /// Reads a unit by its name; nil for a name that is none.
  public init?(_ name: String) {
    guard let unit = Self.words.first(where: { $0.name == name })?.unit else { return nil }
    self = unit
  }

  /// A Boolean value that is true for units of time.
  var isTime: Bool {
    if case .length = self { false } else { true }
  }
}

extension ColumnUnit: CustomStringConvertible {
  public var description: String {
    if case .format(let text) = self { return "'\(text.replacing("'", with: "''"))'" }
    return Self.words.first { $0.unit == self }?.name ?? ""
  }
}
