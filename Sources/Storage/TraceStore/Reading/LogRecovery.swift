internal import CHDF5
import Glibc
import Support

/// Recovers a trace from the log of its writer, into a temporary file without a name.
///
/// - Returns: The open file, with all rows up to the first incomplete record, or `nil` if there is
///   no log of this trace, or its writer is active.
/// - Throws: `.inputOutput` if the folder for temporary files (`TMPDIR`) has no space.
func recoverFromLog(_ path: String) throws(RSSIError) -> Handle? {
  guard !isBeingWritten(path), var log = LogRecords(path + WriteAheadLog.suffix),
    belongs(log, to: path), let image = log.next()
  else { return nil }
  let folder = temporaryFolder
  let name = "the recovery of \(path) in \(folder)"
  let temporary = try TemporaryFile(in: folder, mode: 0o600, for: name)
  try temporary.write(image, for: name)
  var columns = try LoggedColumns(temporary.path, name)
  while let content = log.next(), try columns.write(content) {}
  try columns.close()
  let id = H5Fopen(temporary.path, chdf5_read_only(), hid_t(H5P_DEFAULT))
  return Handle(try check(id, "open", name), close: H5Fclose)
}

/// Returns a Boolean value that is true if the trace has the identity of the log, or is unreadable.
private func belongs(_ log: borrowing LogRecords, to path: String) -> Bool {
  let file = Handle(openOnce(path), close: H5Fclose)
  guard file.id >= 0 else { return true }
  let known = H5Aexists(file.id, "log")
  return known < 0 || known > 0 && file.textAttribute("log") == hexadecimal(log.identity[...])
}

/// The columns of a file to which a log is replayed.
private struct LoggedColumns: ~Copyable {
  private let file: Handle
  private let name: String
  private var columns: [String: Column] = [:]

  private struct Column {
    var dataset: Handle
    var type: Handle
    var width: Int
    var count: Int
  }

  init(_ path: String, _ name: String) throws(RSSIError) {
    self.name = name
    let properties = try writeAccess(name)
    // The image is that of an open file.
    var clears: CBool = true
    try check(H5Pset(properties.id, "clear_status_flags", &clears), "open", name)
    file = Handle(
      try checkRead(H5Fopen(path, chdf5_read_write(), properties.id), "open", name),
      close: H5Fclose)
  }

  /// Replays the entries of a record; returns `false` for entries that no writer makes.
  mutating func write(_ content: [UInt8]) throws(RSSIError) -> Bool {
    var rest = content[...]
    while !rest.isEmpty {
      guard let entry = LogEntry(&rest) else { return false }
      let (name, rows) = (entry.column, entry.rows)
      if columns[name] == nil { columns[name] = try open(name) }
      guard var column = columns[name], column.width == entry.width, rows > 0,
        entry.first <= column.count, rows <= LogRecords.longest / column.width,
        let stored = rest.take((entry.isConstant ? 1 : rows) * entry.width)
      else { return false }
      let values =
        entry.isConstant ? Array(repeatElement(stored, count: rows).joined()) : Array(stored)
      try writeRows(
        values, rows, from: entry.first, of: column.count, to: column.dataset, as: column.type.id,
        name, self.name)
      column.count = max(column.count, entry.first + rows)
      columns[name] = column
    }
    return true
  }

  /// Opens a column of plain values in the file itself, or returns `nil` for anything else, because
  /// a foreign log must not access other files or memory.
  private func open(_ column: String) throws(RSSIError) -> Column? {
    let id = H5Dopen2(file.id, column, hid_t(H5P_DEFAULT))
    guard id >= 0 else { return nil }
    let dataset = Handle(id, close: H5Dclose)
    let stored = try StoredRows(of: dataset, column, name)
    let layout = Handle(H5Dget_create_plist(id), close: H5Pclose)
    let type = Handle(H5Dget_type(id), close: H5Tclose)
    guard H5Pget_layout(layout.id) == H5D_CHUNKED,
      [H5T_INTEGER, H5T_FLOAT, H5T_STRING].contains(H5Tget_class(type.id)),
      H5Tis_variable_str(type.id) == 0
    else { return nil }
    return Column(
      dataset: dataset, type: type, width: H5Tget_size(type.id), count: stored.declared)
  }

  consuming func close() throws(RSSIError) {
    columns.removeAll()
    try closeWhole(file, name)
  }
}
