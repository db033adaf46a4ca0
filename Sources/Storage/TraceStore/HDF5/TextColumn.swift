internal import CHDF5
import Support

/// A column of short texts of one fixed length, UTF-8 padded with zeros.
final class TextColumn {
  let dataset: Handle
  /// The rows that the file has, which may be more than are to be read, or fewer.
  private(set) var count: Int
  private let rows: TableRows
  private let width: Int
  private let type: Handle
  private let log: WriteAheadLog?
  private let path: String
  private let name: String

  private init(
    _ name: String, of table: Table, dataset: Handle, count: Int, width: Int, type: Handle,
    log: WriteAheadLog? = nil, path: String
  ) {
    self.dataset = dataset
    self.count = count
    rows = table.rows
    self.width = width
    self.type = type
    self.log = log
    self.path = path
    self.name = "/\(table.name)/\(name)"
  }

  /// Creates an empty column for texts of up to `width` bytes.
  static func create(
    _ name: String, width: Int, in table: Table, layout: ColumnLayout, path: String
  ) throws(RSSIError) -> TextColumn {
    let type = try stringType(length: width, path)
    let dataset = try createDataset(name, type.id, in: table.group, layout: layout, path: path)
    return TextColumn(
      name, of: table, dataset: dataset, count: 0, width: width, type: type,
      log: layout.storage.log, path: path)
  }

  static func open(
    _ name: String, in table: Table, isOptional: Bool, path: String
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
      name, of: table, dataset: dataset, count: min(extent.declared, extent.stored),
      width: width, type: type, path: path)
  }

  /// Bytes of a text; ours have at most 4,096.
  private static let longest = 1 << 16

  /// - Throws: `.badInput` for a text that does not fit, since a cut name would be another name,
  ///   and for one with a zero byte, at which readers would cut it.
  func append(_ texts: [String]) throws(RSSIError) { try write(texts, from: count) }

  /// Writes texts from a row on, over those that there are and beyond.
  func write(_ texts: [String], from first: Int) throws(RSSIError) {
    guard !texts.isEmpty else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(texts.count * width)
    for text in texts {
      let utf8 = text.utf8
      guard utf8.count <= width else {
        throw RSSIError(
          .badInput,
          "cannot write \(path): the \(name) \"\(text)\" is longer than \(width) bytes; shorten it")
      }
      guard !utf8.contains(0) else {
        throw RSSIError(
          .badInput,
          "cannot write \(path): the \(name) \"\(text)\" has a zero byte in it; rename it")
      }
      bytes.append(contentsOf: utf8)
      for _ in utf8.count..<width { bytes.append(0) }
    }
    try log?.add(name, from: first, bytes, width: width)
    let space = try select(dataset, first, texts.count, of: count, name, path)
    let memory = Handle(H5Screate_simple(1, [hsize_t(texts.count)], nil), close: H5Sclose)
    try check(
      H5Dwrite(dataset.id, type.id, memory.id, space.id, hid_t(H5P_DEFAULT), bytes),
      "write \(name) to", path)
    count = max(count, first + texts.count)
  }

  /// All rows of the table; those that a salvaged file lost are empty.
  func readAll() throws(RSSIError) -> [String] {
    var texts: [String] = []
    // Padding takes most of the room, so it is let go block by block.
    let block = max(1, (1 << 20) / width)
    var bytes = [UInt8](repeating: 0, count: min(block, rows.count) * width)
    while texts.count < min(count, rows.count) {
      let range = texts.count..<min(texts.count + block, count, rows.count)
      try readRows(range, of: dataset, as: type.id, into: &bytes, name, path)
      for row in 0..<range.count {
        let text = bytes[row * width..<(row + 1) * width].prefix { $0 != 0 }
        texts.append(String(decoding: text, as: UTF8.self))
      }
    }
    for _ in texts.count..<max(texts.count, rows.count) { texts.append("") }
    return texts
  }
}
