import Support

/// The rows of a table, which may be spread over several files whose rows stand side by side.
struct TableLines: ~Copyable {
  private var first: Lines
  private let files: [TableSample.File]
  private let others: [OtherFile]

  private final class OtherFile {
    var lines: Lines

    init(_ lines: consuming Lines) { self.lines = lines }
  }

  /// Opens the files behind their headers.
  init(
    _ files: [TableSample.File], capacity: Int = 1 << 18,
    _ progress: any ActivityProgress = SilentLog()
  ) throws {
    let others = try files.dropFirst().map { OtherFile(try Self.open($0)) }
    let first = try Self.open(files[0], capacity: capacity, progress)
    self.files = files
    self.first = first
    self.others = others
  }

  private static func open(
    _ file: TableSample.File, capacity: Int = 1 << 18,
    _ progress: any ActivityProgress = SilentLog()
  ) throws -> Lines {
    var lines = try Lines(
      path: file.path, capacity: capacity, joinsQuoted: true, separator: file.separator,
      progress: progress)
    for _ in 0..<file.linesBefore { _ = try lines.next { _ in } }
    return lines
  }

  /// The number of the latest line of the first file, from 1.
  var number: Int { first.number }

  /// Takes complete lines of a table in one file, see `Lines.wholeRows`.
  mutating func wholeRows(exchanging bytes: inout [UInt8]) throws(RSSIError) -> Range<Int>? {
    // Several spaces are one separator, which rows that are cut in place do not know.
    others.isEmpty && files[0].separator != UInt8(ascii: " ")
      ? try first.wholeRows(exchanging: &bytes) : nil
  }

  /// Counts the lines of complete rows, and returns the number of the first.
  mutating func number(lines count: Int) -> Int { first.number(lines: count) }

  /// Splits the next row.
  ///
  /// - Returns: the problem of a row that cannot be split, an empty optional for one that can, or
  ///   `nil` behind the last.
  /// - Throws: `RSSIError` for files with different numbers of rows.
  mutating func next(into row: inout TableRow) throws -> RowProblem?? {
    guard var problem = try Self.next(&first, into: &row, isJoined: !others.isEmpty) else {
      for (file, other) in zip(files.dropFirst(), others)
      where try other.lines.next({ $0?.isEmpty == false }) == true {
        throw unequal(file, longer: true)
      }
      return nil
    }
    for (file, other) in zip(files.dropFirst(), others) {
      guard
        let outcome = try Self.next(
          &other.lines, into: &row, isJoined: true, separator: file.separator)
      else { throw unequal(file, longer: false) }
      problem = problem ?? outcome
    }
    return .some(problem)
  }

  private static func next(
    _ lines: inout Lines, into row: inout TableRow, isJoined: Bool, separator: UInt8? = nil
  ) throws -> RowProblem?? {
    while true {
      let outcome = try lines.next { line -> RowProblem? in
        guard let line else { return .lineTooLong }
        guard !line.isEmpty else { return .blank }
        if let separator { return row.append(line, separator) ? nil : .badQuotes }
        return row.split(line) ? nil : .badQuotes
      }
      // A blank line at the end of a file does not shift its rows.
      guard isJoined, case .some(.blank) = outcome else { return outcome }
    }
  }

  private func unequal(_ file: TableSample.File, longer: Bool) -> RSSIError {
    .badTable(
      path: file.path,
      problem:
        "it has \(longer ? "more" : "fewer") rows than \(files[0].path): row \(first.number) "
        + "of one has no partner",
      advice: "give files whose rows belong together one by one")
  }
}
