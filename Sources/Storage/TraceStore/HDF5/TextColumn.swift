internal import CHDF5
internal import Sightings
import Support

/// A column of short texts of one fixed length, UTF-8 padded with zeros.
///
/// All reads and writes obey the limit of the column, for any file.
final class TextColumn: ValueColumn {
  let dataset: Handle
  private(set) var count: Int
  private let rows: TableRows
  private let width: Int
  private let limit: TextLimit
  private let type: Handle
  private let log: WriteAheadLog?
  private let path: String
  private let name: String

  private init(
    _ name: String, _ limit: TextLimit, of table: Table, dataset: Handle, count: Int, width: Int,
    type: Handle, log: WriteAheadLog? = nil, path: String
  ) {
    self.dataset = dataset
    self.count = count
    rows = table.rows
    self.width = width
    self.limit = limit
    self.type = type
    self.log = log
    self.path = path
    self.name = "/\(table.name)/\(name)"
  }

  /// Creates an empty column for texts up to a limit.
  static func create(
    _ name: String, _ limit: TextLimit, in table: Table, layout: ColumnLayout, path: String
  ) throws(RSSIError) -> TextColumn {
    let type = try stringType(length: limit.bytes, path)
    let dataset = try createDataset(name, type.id, in: table.group, layout: layout, path: path)
    return TextColumn(
      name, limit, of: table, dataset: dataset, count: 0, width: limit.bytes, type: type,
      log: layout.storage.log, path: path)
  }

  static func open(
    _ name: String, _ limit: TextLimit, in table: Table, isOptional: Bool, path: String
  ) throws(RSSIError) -> TextColumn {
    let dataset = try openDataset(name, in: table.group, path: path)
    let type = Handle(H5Dget_type(dataset.id), close: H5Tclose)
    let width = H5Tget_size(type.id)
    guard H5Tget_class(type.id) == H5T_STRING, H5Tis_variable_str(type.id) == 0,
      1...longest ~= width
    else {
      throw RSSIError(
        .badInput, "/\(table.name)/\(name) of \(path) is not fixed-length text: the file is damaged"
      )
    }
    let extent = try StoredRows(of: dataset, "/\(table.name)/\(name)", path)
    try table.rows.add(
      name, declared: extent.declared, stored: extent.stored, isReplaceable: isOptional)
    return TextColumn(
      name, limit, of: table, dataset: dataset, count: min(extent.declared, extent.stored),
      width: width, type: type, path: path)
  }

  /// The largest size of a text in bytes; ours have at most 4,096.
  private static let longest = 1 << 16

  /// - Throws: `.badInput` for an identity that does not fit; readers of external data reject it
  ///   earlier.
  func write(_ texts: [String], from first: Int) throws(RSSIError) {
    guard !texts.isEmpty else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(texts.count * width)
    // Another program may have made the column narrower.
    let limit = limit.narrowed(to: width)
    for text in texts {
      if limit.isIdentity {
        do throws(RSSIError) { try limit.require(text, name) } catch {
          throw RSSIError(error.kind, "cannot write \(path): \(error.problem)")
        }
      }
      let utf8 = limit.isIdentity ? text.utf8 : limit.fitted(text).utf8
      bytes.append(contentsOf: utf8)
      for _ in utf8.count..<width { bytes.append(0) }
    }
    try log?.add(name, from: first, bytes, width: width)
    try writeRows(
      bytes, texts.count, from: first, of: count, to: dataset, as: type.id, name, path)
    count = max(count, first + texts.count)
  }

  /// Reads all rows of the table; those that a salvaged file lost are empty.
  ///
  /// - Throws: `.badInput` for an identity beyond the limit, which another program wrote.
  func readAll() throws(RSSIError) -> [String] {
    var texts: [String] = []
    // Padding takes most of the memory, so it is released block by block.
    let block = max(1, (1 << 20) / width)
    var bytes = [UInt8](repeating: 0, count: min(block, rows.count) * width)
    while texts.count < min(count, rows.count) {
      let range = texts.count..<min(texts.count + block, count, rows.count)
      try readRows(range, of: dataset, as: type.id, into: &bytes, name, path)
      for row in 0..<range.count {
        let text = bytes[row * width..<(row + 1) * width].prefix { $0 != 0 }
        let whole = String(decoding: text, as: UTF8.self)
        guard text.count <= limit.bytes || !limit.isIdentity else {
          throw RSSIError(
            .badInput,
            "row \(range.lowerBound + row) of \(name) has \(text.count) bytes "
              + "(at most \(limit.bytes))",
            in: path, advice: "shorten the name in the program that wrote it")
        }
        texts.append(limit.fitted(whole))
      }
    }
    for _ in texts.count..<max(texts.count, rows.count) { texts.append("") }
    return texts
  }
}
