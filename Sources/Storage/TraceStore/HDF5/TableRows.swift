import Support

/// The rules for the valid rows of an open file.
enum RowTrust {
  /// The writer closed the file: all columns of a table have one length, or the file is damaged.
  case closed
  /// The writer was stopped, or is active: rows up to the committed ones, by table. A table without
  /// an entry has the rows that all its columns have.
  case committed([String: Int])
  /// The file has lost parts: rows up to the shortest irreplaceable column, and at most those that
  /// a stopped writer committed, by table.
  case salvaged([String: Int])
}

/// The rows of one table that is read, determined as its columns are opened.
final class TableRows {
  private let table: String
  private let trust: RowTrust
  private let limit: Int
  private let path: String
  private var first: (name: String, rows: Int)?
  private var shortest = Int.max
  /// The first row with a reference to lost data.
  private var cut = Int.max
  /// The columns that are shorter than the table, with their rows; the rest is read as missing.
  private(set) var short: [(column: String, rows: Int)] = []

  /// - Parameter limit: The largest number of rows in the format.
  init(table: String, trust: RowTrust, limit: Int, path: String) {
    (self.table, self.trust, self.limit, self.path) = (table, trust, limit, path)
  }

  /// The number of rows to read.
  var count: Int {
    // If only columns with replaceable values remain, the rows of the longest count.
    let known = min(cut, shortest == .max ? short.map(\.rows).max() ?? 0 : shortest)
    guard case .committed(let committed) = trust, let limit = committed[table] else { return known }
    return min(known, limit)
  }

  /// Excludes rows from one on.
  func leaveOut(from row: Int) { cut = min(cut, row) }

  /// Adds a column to the determination.
  ///
  /// - Parameters:
  ///   - declared: The declared rows of the column.
  ///   - stored: The rows with stored bytes.
  ///   - isReplaceable: A Boolean value that is true if values can be missing in the column.
  /// - Throws: `.badInput` if a closed file has columns of unequal length, or declares more rows
  ///   than it stores.
  func add(
    _ column: String, declared: Int, stored: Int, isReplaceable: Bool
  ) throws(RSSIError) {
    switch trust {
    case .closed:
      guard declared <= stored else {
        throw damaged("\(column) declares \(declared) rows and stores \(stored)")
      }
      if let first, first.rows != declared {
        throw damaged("\(column) has \(declared) rows, but \(first.name) has \(first.rows)")
      }
      guard declared <= limit else {
        throw damaged("\(column) has \(declared) rows, more than the limit of \(limit)")
      }
      first = first ?? (column, declared)
      shortest = declared
    case .committed:
      shortest = min(shortest, declared, stored, limit)
    case .salvaged(let committed):
      let rows = min(declared, stored, limit, committed[table] ?? .max)
      short.append((column, rows))
      // Of rows that were being written, one column may have those that another lacks.
      if !isReplaceable || !committed.isEmpty { shortest = min(shortest, rows) }
    }
  }

  /// The columns whose length differs from that of the table, after all columns were added.
  var losses: [TableLoss] { losses(of: count) }

  /// Returns the columns whose length differs from a number of rows.
  func losses(of kept: Int) -> [TableLoss] {
    short.filter { $0.rows != kept }.map {
      TableLoss(table: table, column: $0.column, rows: $0.rows, kept: kept)
    }
  }

  private func damaged(_ what: String) -> RSSIError {
    RSSIError(
      .badInput,
      "/\(table) of \(path) is damaged: \(what); `rssi repair \(path)` recovers the rows that are "
        + "whole"
    )
  }
}

/// A column of a damaged trace whose length differs from that of its table.
package struct TableLoss: Equatable, Sendable {
  package var table: String
  package var column: String
  /// The number of rows of the column.
  package var rows: Int
  /// The number of rows of the table that are kept: rows that the column lacks are missing there,
  /// and rows beyond are dropped.
  package var kept: Int

  package init(table: String, column: String, rows: Int, kept: Int) {
    (self.table, self.column, self.rows, self.kept) = (table, column, rows, kept)
  }
}
