import Support

/// A column of a torn file.
struct TornColumn {
  /// The path of the column from the root, such as `sightings/time_s`.
  let name: String
  private var header: ObjectHeader
  private let file: TornFile
  private let chunks: [UInt64]
  private let chunkRows: Int
  private let width: Int
  /// The number of declared rows with chunks.
  private(set) var rows: Int

  /// Corrects the index of a dataset, or returns `nil` if it has none.
  init?(_ name: String, _ header: ObjectHeader, in file: TornFile) throws(RSSIError) {
    var header = header
    guard let layout = header.chunks,
      try header.mendRows(in: file, most: header.isFiltered ? 0 : file.length / layout.width),
      let declared = header.rows
    else { return nil }
    let length = header.isFiltered ? nil : layout.rows * layout.width
    let most = Int(clamping: declared.count) / layout.rows + 1
    let array = try ExtensibleArray(
      at: layout.index, layout.parameters, in: file, chunkLength: length, most: most)
    chunks = array?.chunks ?? []
    (self.name, self.header, self.file) = (name, header, file)
    (chunkRows, width) = (layout.rows, layout.width)
    rows = min(Int(clamping: declared.count), chunks.count * layout.rows)
    try keep(rows)
  }

  /// Ends the column at a row.
  mutating func keep(_ count: Int) throws(RSSIError) {
    rows = min(rows, count)
    try header.write(rows: rows, in: file)
  }

  var isFiltered: Bool { header.isFiltered }

  /// Returns the bytes of a row.
  func row(_ number: Int) -> [UInt8]? {
    file.bytes(
      chunks[number / chunkRows] + UInt64(number % chunkRows * width), width)
  }

  /// A Boolean value that is true if all rows are zeros.
  var isZero: Bool {
    for chunk in chunks.indices {
      let count = min(chunkRows, rows - chunk * chunkRows) * width
      guard count > 0, let bytes = file.bytes(chunks[chunk], count) else { continue }
      if bytes.contains(where: { $0 != 0 }) { return false }
    }
    return true
  }

  /// Returns the first row, from one on, that may be on a missing page.
  ///
  /// Unwritten bytes are zero. Therefore a missing page ends with zeros where it had rows: in its
  /// last rows, or in all of them.
  ///
  /// - Parameter least: The smallest number of zero rows at the end of a page that mark it as
  ///   missing; 0 for a part of a row.
  func firstDoubtful(from start: Int, least: Int) -> Int {
    for chunk in chunks.indices where (chunk + 1) * chunkRows > start {
      let count = min(chunkRows, rows - chunk * chunkRows) * width
      guard count > 0, let bytes = file.bytes(chunks[chunk], count) else { break }
      let first = Int(chunks[chunk])
      var place = 0
      while place < count {
        let end = min(count, (first + place) / Self.page * Self.page + Self.page - first)
        var zeros = end
        while zeros > place, bytes[zeros - 1] == 0 { zeros -= 1 }
        // A row that started on the previous page is incomplete.
        let zero = zeros == place ? zeros / width : (zeros + width - 1) / width
        let row = max(zero, start - chunk * chunkRows)
        // The page before a later chunk may contain only its first row.
        let isShort = chunk > 0 && place == 0 && end < least * width
        let isMissing =
          least > 0
          ? end - zeros >= (isShort ? end - place : least * width)
          : zeros == place || (zero + 1) * width <= end
        if isMissing, row * width < end { return chunk * chunkRows + row }
        place = end
      }
    }
    return rows
  }

  /// The smallest unit that a disk writes at once, in bytes.
  private static let page = 4096
}
