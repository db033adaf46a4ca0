internal import CHDF5
internal import Sightings
import Support

/// `/committed`: how many rows of each table the writer of a live trace declares whole.
///
/// HDF5 writes the lengths of columns when it likes, so that a writer which is killed may leave a
/// column longer than its data. All numbers are written by one write to the file, after everything
/// that they declare: the file never commits a row without what the row points into.
struct CommittedTable {
  private let table: TextColumn
  private let rows: Column<UInt64>
  private let declared: [Table]
  private let log: WriteAheadLog

  /// Creates the table, with no rows of any table committed.
  ///
  /// - Parameter tables: those that grow while the trace is captured.
  init(
    of tables: [Table], log: WriteAheadLog, in file: Handle, path: String
  ) throws(RSSIError) {
    declared = tables
    self.log = log
    let group = try Table(Self.name, in: file, mode: .create(.live(log)), path: path)
    table = try group.text("table", .words(32), "Group of the table")
    rows = try group.column(
      "rows", UInt64.self, units: "1", "Rows that are whole in every column of the table")
    try group.alignToFirstColumn()
    try table.append(tables.map(\.name))
    try commit()
  }

  /// Declares all rows whole that were written, first in the log: what a reader has seen is not
  /// taken back if the program is killed.
  func commit() throws(RSSIError) {
    try rows.write(declared.map { UInt64($0.written) }, from: 0) { () throws(RSSIError) in
      try log.commit()
    }
  }

  /// The rows by table; nil where the file has no such table.
  static func read(in file: Handle, path: String) throws(RSSIError) -> [String: Int]? {
    guard H5Lexists(file.id, name, hid_t(H5P_DEFAULT)) > 0 else { return nil }
    let group = try Table(name, in: file, mode: .open(.committed([:])), path: path)
    let table = try group.text("table", .words(32), "")
    let rows = try group.column("rows", UInt64.self, units: "1", "")
    return Dictionary(
      zip(try table.readAll(), try rows.readAll().map { Int(clamping: $0) }),
      uniquingKeysWith: min)
  }

  static let name = "committed"
}
