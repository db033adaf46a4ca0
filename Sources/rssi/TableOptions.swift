import ArgumentParser
import Recordings
import Support

/// The columns of tables that other programs wrote.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Columns of a table: name=column[:unit],…; a column is a header, a key of JSON, #3 or 'one text', a unit s, ms, \
      us, ns, iso, excel, apple, m, cm, mm, ft, in or 'a date format' (docs/tables.md).
      """,
      valueName: "map"))
  var columns: [String] = []

  @Option(
    help: ArgumentHelp(
      "Columns that each hold the levels of one beacon: headers (b*, b1-b9) or numbers (#1-#22).",
      valueName: "columns"))
  var levels: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Numbers that mean \"not heard\" in a table, such as -200,100; none = no number.",
      valueName: "numbers"))
  var notHeard: String?

  @Option(
    help: ArgumentHelp(
      "Zone of times without one in tables, such as Europe/Berlin or UTC.", valueName: "zone"))
  var timeZone: String?

  /// The map of a kind of table, which is empty without options.
  ///
  /// - Throws: `RSSIError` for a map that cannot be read, and for two of one kind.
  func map(of kind: ColumnMap.Kind) throws -> ColumnMap {
    let maps = try columns.map { try ColumnMap($0) }.filter { $0.kind == kind }
    guard maps.count < 2 else {
      throw RSSIError(
        .usage, "--columns is given twice for a table of \(kind.rawValue): join them by a comma")
    }
    var map = maps.first ?? ColumnMap(kind: kind)
    map.timeZone = try timeZone.map { try TimeZoneRules($0) }
    guard kind == .sightings else { return map }
    map.levels = try levels.map { try LevelColumns($0) }
    map.notHeard = try notHeard.map { text in
      try text == "none" ? [] : text.split(separator: ",").map { try decibels($0) }
    }
    return map
  }

  /// The map of tables of sightings, for a stage that reads no others.
  func sightings() throws -> ColumnMap {
    for other in [ColumnMap.Kind.nodes, .truth] where try !map(of: other).entries.isEmpty {
      throw RSSIError(
        .usage,
        "--columns \(other.rawValue): …: only `rssi import` reads tables of \(other.rawValue)")
    }
    return try map(of: .sightings)
  }

  private func decibels(_ text: Substring) throws -> Double {
    guard let number = Double(text), number.isFinite else {
      throw RSSIError(
        .usage, "--not-heard \"\(text)\": expected numbers, such as -200,100, or none")
    }
    return number
  }
}
