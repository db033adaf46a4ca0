internal import CHDF5
import Support

/// A column of a table, with values of one type.
protocol ValueColumn<Element> {
  associatedtype Element

  /// The number of rows in the file, which may differ from the number to read.
  var count: Int { get }

  /// Writes rows from one on, overwriting and extending.
  func write(_ values: [Element], from first: Int) throws(RSSIError)

  /// Reads all rows of the table.
  func readAll() throws(RSSIError) -> [Element]
}

/// One column of a table: an extendible one-dimensional dataset.
final class Column<Element: Scalar>: ValueColumn {
  let dataset: Handle
  private(set) var count: Int
  private let rows: TableRows
  private let missing: Element?
  private let log: WriteAheadLog?
  private let path: String
  private let name: String
  /// The number of rows of a chunk that is compressed and expanded here; 0 if HDF5 handles chunks.
  private let packedRows: Int
  /// The chunk to write next.
  private var packed: [UInt8]?
  /// The last written chunk, unless HDF5 compressed it.
  private var written: [UInt8]?
  /// The last chunk with a single value; most columns repeat the same for hours.
  private var constant: (value: Element, packed: [UInt8])?

  private init(
    _ name: String, of table: Table, dataset: Handle, count: Int, packedRows: Int = 0,
    missing: Element?, log: WriteAheadLog? = nil, path: String
  ) {
    self.dataset = dataset
    self.count = count
    rows = table.rows
    self.packedRows = packedRows
    self.missing = missing
    self.log = log
    self.path = path
    self.name = "/\(table.name)/\(name)"
  }

  /// Creates an empty column in a table.
  static func create(
    _ name: String, in table: Table, layout: ColumnLayout, missing: Element?, path: String
  ) throws(RSSIError) -> Column {
    let dataset = try createDataset(
      name, Element.fileType, in: table.group, layout: layout, path: path
    ) { properties in
      guard var missing else { return 0 }
      return H5Pset_fill_value(properties.id, Element.memoryType, &missing)
    }
    // NaN needs no declaration, and programs should show 0 as a value.
    if let missing, missing == missing, missing != .zero {
      try dataset.setAttribute("_FillValue", missing, in: path)
    }
    return Column(
      name, of: table, dataset: dataset, count: 0,
      packedRows: layout.storage.isPacked ? layout.rows : 0, missing: missing,
      log: layout.storage.log, path: path)
  }

  /// Opens a column of a table.
  static func open(
    _ name: String, in table: Table, missing: Element?, path: String
  ) throws(RSSIError) -> Column {
    let dataset = try openDataset(name, in: table.group, path: path)
    let extent = try StoredRows(of: dataset, "/\(table.name)/\(name)", path)
    try table.rows.add(
      name, declared: extent.declared, stored: extent.stored, isReplaceable: missing != nil)
    let type = Handle(H5Dget_type(dataset.id), close: H5Tclose)
    return Column(
      name, of: table, dataset: dataset, count: min(extent.declared, extent.stored),
      packedRows: H5Tequal(type.id, Element.fileType) > 0 ? extent.packed : 0, missing: missing,
      path: path)
  }

  /// Returns the two steps of appending values to the column.
  ///
  /// - Parameter twin: A column that is appended to before this one, with its values; if they are
  ///   equal, as for beacons that keep their address and content, they are compressed once.
  func appending(
    _ values: [Element], twin: (column: Column, values: [Element])? = nil
  ) -> ColumnAppend {
    guard let twin, twin.column.count == count, twin.values == values else {
      return ColumnAppend(
        pack: { self.pack(values) }, write: { () throws(RSSIError) in try self.append(values) })
    }
    return ColumnAppend(
      pack: {},
      write: { () throws(RSSIError) in
        self.packed = twin.column.written
        try self.append(values)
      })
  }

  /// Compresses values that start a chunk and end within it.
  private func pack(_ values: [Element]) {
    guard !values.isEmpty, values.count <= packedRows, count % packedRows == 0 else { return }
    guard values.count == packedRows, isConstant(values) else {
      // A chunk is stored as a whole; missing rows are zeros.
      let rest = [Element](repeating: .zero, count: packedRows - values.count)
      packed = packedChunk(rest.isEmpty ? values : values + rest)
      return
    }
    let first = values[0]
    if let constant, isConstant([constant.value, first]) {
      packed = constant.packed
      return
    }
    packed = packedChunk(values)
    constant = packed.map { (first, $0) }
  }

  func append(_ values: [Element]) throws(RSSIError) {
    written = packed.take()
    if let written { return try append(chunk: written, rows: values.count) }
    try write(values, from: count)
  }

  func write(_ values: [Element], from first: Int) throws(RSSIError) {
    try write(values, from: first) { () throws(RSSIError) in }
  }

  /// Writes rows from one on, overwriting and extending.
  ///
  /// - Parameter logged: A closure that is called when they are in the log and not yet in the file.
  func write(
    _ values: [Element], from first: Int, logged: () throws(RSSIError) -> Void
  ) throws(RSSIError) {
    guard !values.isEmpty else { return }
    try log?.add(name, from: first, values)
    try logged()
    try writeRows(
      values, values.count, from: first, of: count, to: dataset, as: Element.memoryType, name, path)
    count = max(count, first + values.count)
  }

  /// Appends a compressed chunk, bypassing HDF5's filters.
  private func append(chunk: [UInt8], rows: Int) throws(RSSIError) {
    try check(H5Dset_extent(dataset.id, [hsize_t(count + rows)]), "extend \(name) of", path)
    try check(
      H5Dwrite_chunk(
        dataset.id, hid_t(H5P_DEFAULT), 0, [hsize_t(count)], chunk.count, chunk),
      "write \(name) to", path)
    count += rows
  }

  /// Appends the first rows of another column, a block at a time.
  func append(_ other: Column, rows: Int) throws(RSSIError) {
    var block: [Element] = []
    var first = 0
    while first < rows {
      let range = first..<min(first + 65_536, rows)
      try other.read(range, into: &block)
      try append(block)
      first = range.upperBound
    }
  }

  /// Reads rows into an array, which keeps its memory between blocks.
  ///
  /// Rows beyond those in the file, in a damaged one that is salvaged, are missing.
  func read(_ range: Range<Int>, into values: inout [Element]) throws(RSSIError) {
    if values.count != range.count {
      values = Array(repeating: missing ?? .zero, count: range.count)
    }
    let rows = range.clamped(to: 0..<count)
    for index in rows.count..<range.count { values[index] = missing ?? .zero }
    let isRead = values.withUnsafeMutableBytes {
      readChunks(
        rows, of: dataset, count: count, chunkRows: packedRows, width: MemoryLayout<Element>.size,
        into: $0)
    }
    guard !rows.isEmpty, !isRead else { return }
    try readRows(rows, of: dataset, as: Element.memoryType, into: &values, name, path)
  }

  func readAll() throws(RSSIError) -> [Element] {
    var values: [Element] = []
    try read(0..<rows.count, into: &values)
    return values
  }
}

extension Column<Double> {
  /// Reads rows as times, in nanoseconds since the Unix epoch.
  ///
  /// - Throws: `.badInput` for values that are not finite, or out of the program's range of times.
  func read(
    _ range: Range<Int>, by clock: Clock, into times: inout [Int64]
  ) throws(RSSIError) {
    var seconds: [Double] = []
    try read(range, into: &seconds)
    if times.count != seconds.count { times = Array(repeating: 0, count: seconds.count) }
    for index in seconds.indices {
      guard let time = clock.time(seconds[index]) else {
        throw RSSIError(
          .badInput,
          "row \(range.lowerBound + index) of \(name) in \(path) is \(seconds[index]), which is not "
            + "a valid time: the file is damaged"
        )
      }
      times[index] = time
    }
  }

  /// Reads all rows of the table as times, in nanoseconds since the Unix epoch.
  func readTimes(by clock: Clock) throws(RSSIError) -> [Int64] {
    var times: [Int64] = []
    try read(0..<rows.count, by: clock, into: &times)
    return times
  }
}

/// A column that a table has only if a row has a value in it, so that tables without such values
/// are those of earlier programs.
final class OccasionalColumn<Element: Scalar>: ValueColumn {
  private var column: Column<Element>?
  private let missing: Element
  private let create: () throws(RSSIError) -> Column<Element>?

  /// - Parameters:
  ///   - column: The column of an existing file.
  ///   - create: Creates the column in a new file; returns `nil` where that is impossible.
  init(
    _ column: Column<Element>? = nil, missing: Element,
    create: @escaping () throws(RSSIError) -> Column<Element>?
  ) {
    (self.column, self.missing, self.create) = (column, missing, create)
  }

  var count: Int { column?.count ?? 0 }

  func write(_ values: [Element], from first: Int) throws(RSSIError) {
    // NaN differs from itself.
    if column == nil, values.contains(where: { $0 != missing && $0 == $0 }) {
      column = try create()
      try column?.write(Array(repeating: missing, count: first), from: 0)
    }
    try column?.write(values, from: first)
  }

  func readAll() throws(RSSIError) -> [Element] { try column?.readAll() ?? [] }

  /// Reads rows into an array, which is empty for a table without the column.
  func read(_ range: Range<Int>, into values: inout [Element]) throws(RSSIError) {
    if let column { try column.read(range, into: &values) } else { values = [] }
  }

  /// Writes rows that have no values if the array is empty.
  func write(_ values: [Element], rows: Int, from first: Int) throws(RSSIError) {
    guard column != nil || !values.isEmpty else { return }
    try write(
      values.isEmpty ? Array(repeating: missing, count: rows) : values, from: first)
  }
}

/// Rows on their way into a column: compressed on any thread, then written by the caller's.
struct ColumnAppend {
  let pack: () -> Void
  let write: () throws(RSSIError) -> Void
}

/// Appends to several columns, which are compressed in parallel and written in order.
///
/// The last are compressed first, so put those that take longest last.
func append(_ appends: [ColumnAppend]) throws(RSSIError) {
  // Each is accessed by one thread only, and all threads have finished when the call returns.
  nonisolated(unsafe) let appends = appends
  concurrently(appends.count) { index in
    appends[appends.count - 1 - index].pack()
  }
  for append in appends { try append.write() }
}

/// A number that a column can store, with its little-endian type in the file and its type in
/// memory.
protocol Scalar: BitwiseCopyable, Equatable, Sendable {
  static var fileType: hid_t { get }
  static var memoryType: hid_t { get }
  static var zero: Self { get }
}

extension UInt8: Scalar {
  static var fileType: hid_t { chdf5_file_u8() }
  static var memoryType: hid_t { chdf5_native_u8() }
}
extension UInt16: Scalar {
  static var fileType: hid_t { chdf5_file_u16() }
  static var memoryType: hid_t { chdf5_native_u16() }
}
extension UInt32: Scalar {
  static var fileType: hid_t { chdf5_file_u32() }
  static var memoryType: hid_t { chdf5_native_u32() }
}
extension UInt64: Scalar {
  static var fileType: hid_t { chdf5_file_u64() }
  static var memoryType: hid_t { chdf5_native_u64() }
}
extension Int8: Scalar {
  static var fileType: hid_t { chdf5_file_i8() }
  static var memoryType: hid_t { chdf5_native_i8() }
}
extension Int16: Scalar {
  static var fileType: hid_t { chdf5_file_i16() }
  static var memoryType: hid_t { chdf5_native_i16() }
}
extension Int64: Scalar {
  static var fileType: hid_t { chdf5_file_i64() }
  static var memoryType: hid_t { chdf5_native_i64() }
}
extension Float: Scalar {
  static var fileType: hid_t { chdf5_file_f32() }
  static var memoryType: hid_t { chdf5_native_f32() }
}
extension Double: Scalar {
  static var fileType: hid_t { chdf5_file_f64() }
  static var memoryType: hid_t { chdf5_native_f64() }
}

/// Returns a Boolean value that is true if all values are the same, bit by bit, or there are none.
func isConstant<Element: Scalar>(_ values: [Element]) -> Bool {
  values.withUnsafeBytes { isConstant($0, width: MemoryLayout<Element>.size) }
}
