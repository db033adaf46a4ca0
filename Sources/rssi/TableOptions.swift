import ArgumentParser
import Recordings

/// The columns of tables that other programs wrote.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Columns of a table: name=column[:unit],…; a column is a header, #3 or 'one text', a unit s, ms, us, ns, iso, excel, apple, m, cm, mm, ft, in or 'a date format'.",
      valueName: "map"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "Zone of times without one in tables, such as Europe/Berlin or UTC.", valueName: "zone"))
  var timeZone: String?

  /// The map, which is empty without options.
  func map() throws -> ColumnMap {
    var map = try columns.map { try ColumnMap($0) } ?? ColumnMap()
    map.timeZone = try timeZone.map { try TimeZoneRules($0) }
    return map
  }
}
