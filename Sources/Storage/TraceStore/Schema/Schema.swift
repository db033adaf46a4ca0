internal import Sightings
import Support

/// The description of a table whose rows are values of one type.
///
/// It creates, writes and reads the table, so that each column is declared once.
struct Schema<Row> {
  /// The path of its group from the root, such as `truth/positions`.
  let name: String
  /// A row to fill from the columns of the file.
  let empty: Row
  var isLong = false
  var limit = 1 << 22
  let columns: [SchemaColumn<Row>]

  /// - Parameters:
  ///   - isLong: A Boolean value that is true for a table that may have as many rows as the
  ///     sightings.
  ///   - limit: The largest number of rows in a file.
  ///   - columns: The columns, of which the first is the dimension scale.
  init(
    _ name: String, empty: Row, isLong: Bool = false, limit: Int = 1 << 22,
    _ columns: [SchemaColumn<Row>]
  ) {
    (self.name, self.empty, self.columns) = (name, empty, columns)
    (self.isLong, self.limit) = (isLong, limit)
  }
}

/// A table of an open file whose rows are values of one type.
struct RowTable<Row> {
  let table: Table
  private let empty: Row
  private let columns: [RowColumn<Row>]

  /// Creates or opens the table.
  init(_ schema: Schema<Row>, in file: TraceFile) throws(RSSIError) {
    table = try Table(schema.name, in: file, isLong: schema.isLong, limit: schema.limit)
    empty = schema.empty
    var columns: [RowColumn<Row>] = []
    for column in schema.columns {
      if let column = try column.open(table) { columns.append(column) }
    }
    self.columns = columns
    try table.alignToFirstColumn()
  }

  /// Opens a table that an existing file may have, or creates that of a live one; returns `nil` if
  /// there is none.
  static func occasional(
    _ schema: Schema<Row>, in file: TraceFile, _ table: OccasionalTables
  ) throws(RSSIError) -> RowTable? {
    let isThere =
      switch file.mode {
      case .open: !groupNames(schema.name, in: file.handle).isEmpty
      case .create(.live(_, let tables)): tables.contains(table)
      case .create: false
      }
    return isThere ? try RowTable(schema, in: file) : nil
  }

  /// The number of rows in the file.
  var count: Int { columns.first?.count() ?? 0 }

  /// Writes rows from one on, overwriting and extending.
  func write(_ rows: ArraySlice<Row>, from first: Int) throws(RSSIError) {
    guard !rows.isEmpty else { return }
    for column in columns { try column.write(rows, first) }
  }

  func append(_ rows: [Row]) throws(RSSIError) { try write(rows[...], from: count) }

  /// Reads all rows except those with a value that their column does not admit.
  func read() throws(RSSIError) -> [Row] {
    var rows = Array(repeating: empty, count: table.rows.count)
    var refused: Set<Int> = []
    for column in columns { refused.formUnion(try column.read(&rows)) }
    guard !refused.isEmpty else { return rows }
    return rows.indices.filter { !refused.contains($0) }.map { rows[$0] }
  }
}

/// A column of a schema: a property of the rows, with its form in the file.
struct SchemaColumn<Row> {
  /// Creates or opens the column of a table; returns `nil` for a file of an earlier program, which
  /// lacks it.
  fileprivate let open: (Table) throws(RSSIError) -> RowColumn<Row>?
}

/// A column of an open table.
private struct RowColumn<Row> {
  let count: () -> Int
  let write: (ArraySlice<Row>, Int) throws(RSSIError) -> Void
  /// Sets the property of all rows, and returns the rows with inadmissible values.
  let read: (inout [Row]) throws(RSSIError) -> [Int]
}

extension SchemaColumn {
  /// - Parameters:
  ///   - encode: Returns the stored form of values of the property.
  ///   - decode: Returns the values of the property.
  ///   - admits: Returns `false` for values that invalidate a row.
  private init<Stored: ValueColumn, Value>(
    _ place: WritableKeyPath<Row, Value>,
    encode: @escaping ([Value]) -> [Stored.Element],
    decode: @escaping ([Stored.Element]) -> [Value],
    admits: ((Stored.Element) -> Bool)? = nil,
    open: @escaping (Table) throws(RSSIError) -> Stored?
  ) {
    self.init { table throws(RSSIError) -> RowColumn<Row>? in
      guard let column = try open(table) else { return nil }
      return RowColumn(
        count: { column.count },
        write: { rows, first throws(RSSIError) in
          try column.write(encode(rows.values(at: place)), from: first)
        },
        read: { rows throws(RSSIError) in
          let stored = try column.readAll()
          rows.set(place, to: decode(stored))
          return admits.map { admits in stored.indices.filter { !admits(stored[$0]) } } ?? []
        })
    }
  }

  /// Returns a column of numbers.
  ///
  /// - Parameters:
  ///   - missing: The value of rows without one.
  ///   - isLater: A Boolean value that is true for a column that files of earlier programs lack.
  static func number<Value: Scalar>(
    _ place: WritableKeyPath<Row, Value>, _ name: String, units: String = "1",
    missing: Value? = nil, isLater: Bool = false, _ description: String
  ) -> Self {
    Self(
      place, encode: { $0 }, decode: { $0 },
      open: numbers(name, units: units, missing: missing, isLater: isLater, description))
  }

  /// Returns a column of numbers that encode other values.
  ///
  /// - Parameter admits: Returns `false` for a number that invalidates a row.
  static func coded<Value, Code: Scalar>(
    _ place: WritableKeyPath<Row, Value>, _ name: String, units: String = "1",
    missing: Code? = nil, isLater: Bool = false, _ description: String,
    code: @escaping (Value) -> Code, value: @escaping (Code) -> Value,
    admits: ((Code) -> Bool)? = nil
  ) -> Self {
    Self(
      place, encode: { $0.map(code) }, decode: { $0.map(value) }, admits: admits,
      open: numbers(name, units: units, missing: missing, isLater: isLater, description))
  }

  /// Returns a column of encoded values that a file has only if a row has a value.
  ///
  /// - Parameter missing: The number of rows without a value.
  static func occasional<Value, Code: Scalar>(
    _ place: WritableKeyPath<Row, Value>, _ name: String, missing: Code, _ description: String,
    code: @escaping (Value) -> Code, value: @escaping (Code) -> Value
  ) -> Self {
    Self(
      place, encode: { $0.map(code) }, decode: { $0.map(value) },
      open: { table throws(RSSIError) in
        try table.occasionalColumn(name, missing: missing, description)
      })
  }

  /// Returns the function that creates or opens the numbers of a column.
  private static func numbers<Number: Scalar>(
    _ name: String, units: String, missing: Number?, isLater: Bool, _ description: String
  ) -> (Table) throws(RSSIError) -> Column<Number>? {
    { table throws(RSSIError) in
      isLater
        ? try table.laterColumn(name, Number.self, units: units, missing: missing, description)
        : try table.column(name, Number.self, units: units, missing: missing, description)
    }
  }

  /// Returns a column of codes; `other` represents those of later programs.
  static func code<Value: RawRepresentable>(
    _ place: WritableKeyPath<Row, Value>, _ name: String, other: Value, isLater: Bool = false,
    _ description: String
  ) -> Self where Value.RawValue: Scalar {
    coded(
      place, name, isLater: isLater, description, code: { $0.rawValue },
      value: { Value(rawValue: $0) ?? other })
  }

  /// Returns a column of 1 for true and 0 for false.
  static func flag(
    _ place: WritableKeyPath<Row, Bool>, _ name: String, _ description: String
  ) -> Self {
    coded(place, name, description, code: { UInt8($0 ? 1 : 0) }, value: { $0 != 0 })
  }

  /// Returns a column of times.
  static func time(
    _ place: WritableKeyPath<Row, Int64>, _ name: String, _ description: String
  ) -> Self {
    Self(
      place, encode: { $0 }, decode: { $0 },
      open: { table throws(RSSIError) in
        TimeColumn(
          column: try table.column(name, Double.self, units: table.clock.units, description),
          clock: table.clock)
      })
  }

  /// Returns a column of texts.
  ///
  /// - Parameters:
  ///   - isOptional: A Boolean value that is true if a row may have no text.
  ///   - admits: Returns `false` for a text that invalidates a row.
  static func text(
    _ place: WritableKeyPath<Row, String>, _ name: String, _ limit: TextLimit,
    isOptional: Bool = false, _ description: String, admits: ((String) -> Bool)? = nil
  ) -> Self {
    Self(
      place, encode: { $0 }, decode: { $0 }, admits: admits,
      open: { table throws(RSSIError) in
        try table.text(name, limit, isOptional: isOptional, description)
      })
  }

  /// Returns a column of words; `other` represents those of later programs.
  ///
  /// - Parameter isOptional: A Boolean value that is true if a row may have no word.
  static func word<Value: RawRepresentable<String>>(
    _ place: WritableKeyPath<Row, Value>, _ name: String, _ limit: TextLimit, other: Value,
    isOptional: Bool = false, _ description: String, admits: ((String) -> Bool)? = nil
  ) -> Self {
    Self(
      place, encode: { $0.map(\.rawValue) }, decode: { $0.map { Value(rawValue: $0) ?? other } },
      admits: admits,
      open: { table throws(RSSIError) in
        try table.text(name, limit, isOptional: isOptional, description)
      })
  }
}

/// A column of seconds since the start of the file, as nanoseconds since the Unix epoch.
private struct TimeColumn: ValueColumn {
  let column: Column<Double>
  let clock: Clock

  var count: Int { column.count }

  func write(_ times: [Int64], from first: Int) throws(RSSIError) {
    try column.write(times.map(clock.seconds), from: first)
  }

  func readAll() throws(RSSIError) -> [Int64] { try column.readTimes(by: clock) }
}

// Stored properties are read and set directly: a key path takes ten times as long per row.
extension ArraySlice {
  fileprivate func values<Value>(at place: KeyPath<Element, Value>) -> [Value] {
    guard let offset = MemoryLayout<Element>.offset(of: place) else {
      return map { $0[keyPath: place] }
    }
    return withUnsafeBufferPointer { rows in
      guard let start = UnsafeRawPointer(rows.baseAddress) else { return [] }
      return rows.indices.map { row in
        (start + row * MemoryLayout<Element>.stride + offset)
          .assumingMemoryBound(to: Value.self).pointee
      }
    }
  }
}

extension Array {
  fileprivate mutating func set<Value>(
    _ place: WritableKeyPath<Element, Value>, to values: [Value]
  ) {
    guard let offset = MemoryLayout<Element>.offset(of: place) else {
      for row in indices { self[row][keyPath: place] = values[row] }
      return
    }
    withUnsafeMutableBufferPointer { rows in
      guard let start = UnsafeMutableRawPointer(rows.baseAddress) else { return }
      for row in rows.indices {
        (start + row * MemoryLayout<Element>.stride + offset)
          .assumingMemoryBound(to: Value.self).pointee = values[row]
      }
    }
  }
}
