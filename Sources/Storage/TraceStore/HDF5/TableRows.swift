import Support

/// The rows of an open file that can be trusted.
enum RowTrust {
  /// The writer closed the file: all columns of a table have one length, or the file is damaged.
  case closed
  /// The writer was stopped, or is at it: rows up to what it committed, by table. Of a table that
  /// is not named there are as many rows as all its columns have.
  case committed([String: Int])
  /// The file has lost parts: rows up to the shortest column that nothing can replace, and no more
  /// than a writer that was stopped committed, by table.
  case salvaged([String: Int])
}

/// The rows of one table that is read, found while its columns are opened.
final class TableRows {
  private let table: String
  private let trust: RowTrust
  private let limit: Int
  private let path: String
  private var first: (name: String, rows: Int)?
  private var shortest = Int.max
  /// The first row that points to what has been lost.
  private var cut = Int.max
  /// Columns that are shorter than the table, with their rows: the rest is read as missing.
  private(set) var short: [(column: String, rows: Int)] = []

  /// - Parameter limit: the most rows that the format allows.
  init(table: String, trust: RowTrust, limit: Int, path: String) {
    (self.table, self.trust, self.limit, self.path) = (table, trust, limit, path)
  }

  /// The rows to read.
  var count: Int {
    // Where nothing is left but columns in which values can be missing, what one of them has
    // counts.
    let known = min(cut, shortest == .max ? short.map(\.rows).max() ?? 0 : shortest)
    guard case .committed(let committed) = trust, let limit = committed[table] else { return known }
    return min(known, limit)
  }

  /// Leaves rows out from one on.
  func leaveOut(from row: Int) { cut = min(cut, row) }

  /// Takes a column into account.
  ///
  /// - Parameters:
  ///   - declared: the rows that the column declares.
  ///   - stored: the rows of which the file holds bytes.
  ///   - isReplaceable: whether a value can be missing in the column.
  /// - Throws: `.badInput` where a closed file has columns of unequal length, or declares more than
  ///   it stores.
  func add(
    _ column: String, declared: Int, stored: Int, isReplaceable: Bool
  ) throws(RSSIError) {
    switch trust {
    case .closed:
      guard declared <= stored else {
        throw damaged("\(column) declares \(declared) rows and stores \(stored)")
      }
      if let first, first.rows != declared {
        throw damaged("\(column) has \(declared) rows where \(first.name) has \(first.rows)")
      }
      guard declared <= limit else {
        throw damaged("\(column) has \(declared) rows, a trace at most \(limit)")
      }
      first = first ?? (column, declared)
      shortest = declared
    case .committed:
      shortest = min(shortest, declared, stored, limit)
    case .salvaged(let committed):
      let rows = min(declared, stored, limit, committed[table] ?? .max)
      short.append((column, rows))
      // Of rows that were being written, a column may have those that another one has not got.
      if !isReplaceable || !committed.isEmpty { shortest = min(shortest, rows) }
    }
  }

  /// The columns that do not have the rows of the table, after all columns were added.
  var losses: [TableLoss] { losses(of: count) }

  /// The columns that do not have a number of rows.
  func losses(of kept: Int) -> [TableLoss] {
    short.filter { $0.rows != kept }.map {
      TableLoss(table: table, column: $0.column, rows: $0.rows, kept: kept)
    }
  }

  private func damaged(_ what: String) -> RSSIError {
    RSSIError(
      .badInput,
      "/\(table) of \(path) is damaged: \(what); `rssi repair \(path)` keeps the rows that are "
        + "whole"
    )
  }
}

/// A column of a damaged trace that does not have the rows of its table.
package struct TableLoss: Equatable, Sendable {
  package var table: String
  package var column: String
  /// The rows that the column has.
  package var rows: Int
  /// The rows of the table that are kept: what the column lacks is missing there, what it has
  /// beyond is left out.
  package var kept: Int

  package init(table: String, column: String, rows: Int, kept: Int) {
    (self.table, self.column, self.rows, self.kept) = (table, column, rows, kept)
  }
}
