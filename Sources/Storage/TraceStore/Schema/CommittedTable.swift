internal import CHDF5
internal import Sightings
import Support

/// The table `/committed`: the number of complete rows of each table, as declared by the writer of
/// a live trace.
///
/// HDF5 writes the lengths of columns at any time, so a killed writer may leave a column longer
/// than its data. All numbers are written by one write to the file, after everything that they
/// declare: the file never commits a row before the rows that it refers to.
struct CommittedTable {
  private let table: TextColumn
  private let rows: Column<UInt64>
  private let declared: [Table]
  private let log: WriteAheadLog

  /// Creates the table, with no committed rows.
  ///
  /// - Parameter tables: The tables that grow during a capture.
  init(of tables: [Table], log: WriteAheadLog, in file: TraceFile) throws(RSSIError) {
    declared = tables
    self.log = log
    (table, rows) = try Self.columns(in: file)
    try table.write(tables.map(\.name), from: 0)
    try commit()
  }

  private static func columns(
    in file: TraceFile
  ) throws(RSSIError) -> (table: TextColumn, rows: Column<UInt64>) {
    let group = try Table(Self.name, in: file)
    let table = try group.text("table", .words(32), "Group of the table")
    let rows = try group.column(
      "rows", UInt64.self, units: "1", "Rows that are whole in every column of the table")
    try group.alignToFirstColumn()
    return (table, rows)
  }

  /// Declares all written rows complete, first in the log: rows that a reader has seen do not
  /// disappear if the program is killed.
  func commit() throws(RSSIError) {
    try rows.write(declared.map { UInt64($0.written) }, from: 0) { () throws(RSSIError) in
      try log.commit()
    }
  }

  /// Returns the rows by table, or `nil` if the file has no such table.
  fileprivate static func read(in file: TraceFile) throws(RSSIError) -> [String: Int]? {
    guard H5Lexists(file.handle.id, name, hid_t(H5P_DEFAULT)) > 0 else { return nil }
    let (table, rows) = try columns(in: file.opened(.committed([:])))
    return Dictionary(
      zip(try table.readAll(), try rows.readAll().map { Int(clamping: $0) }),
      uniquingKeysWith: min)
  }

  static let name = "committed"
}

extension RowTrust {
  /// Returns the rules for the valid rows of a file, from its own declaration.
  ///
  /// - Parameters:
  ///   - isSalvaging: A Boolean value that is true to read the remains of a damaged closed file.
  ///   - isMended: A Boolean value that is true if the file is also torn.
  init(
    in file: TraceFile, isClean: Bool, isSalvaging: Bool = false, isMended: Bool = false
  ) throws(RSSIError) {
    guard !isClean else {
      self = isSalvaging ? .salvaged([:]) : .closed
      return
    }
    var committed = try CommittedTable.read(in: file)
    if committed == nil {
      // Files of version 0.1.0 have an attribute for the sightings only.
      let rows = file.handle.attribute("rows_committed", as: UInt64.self)
      committed = rows.map { ["sightings": Int(clamping: $0)] }
    }
    self = isMended ? .salvaged(committed ?? [:]) : .committed(committed ?? [:])
  }
}
