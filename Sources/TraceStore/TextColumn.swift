internal import CHDF5

/// A column of short texts of one fixed length, UTF-8 padded with zeros.
final class TextColumn {
  let dataset: Handle
  private(set) var count: Int
  private let width: Int
  private let type: Handle
  private let path: String
  private let name: String

  private init(
    dataset: Handle, count: Int, width: Int, type: Handle, path: String, name: String
  ) {
    self.dataset = dataset
    self.count = count
    self.width = width
    self.type = type
    self.path = path
    self.name = name
  }

  /// Creates an empty column for texts of up to `width` bytes.
  static func create(
    _ name: String, width: Int, in group: Handle, layout: ColumnLayout, path: String
  ) throws(TraceError) -> TextColumn {
    let type = try stringType(length: width, path)
    let dataset = try createDataset(name, type.id, in: group, layout: layout, path: path)
    return TextColumn(
      dataset: dataset, count: 0, width: width, type: type, path: path, name: name)
  }

  static func open(_ name: String, in group: Handle, path: String) throws(TraceError) -> TextColumn {
    let (dataset, count) = try openDataset(name, in: group, path: path)
    let type = Handle(H5Dget_type(dataset.id), close: H5Tclose)
    guard H5Tget_class(type.id) == H5T_STRING, H5Tis_variable_str(type.id) == 0 else {
      throw TraceError(.badInput, "\(name) of \(path) is not fixed-length text: the file is damaged")
    }
    return TextColumn(
      dataset: dataset, count: count, width: H5Tget_size(type.id), type: type, path: path,
      name: name)
  }

  /// - Throws: `.badInput` for a text that does not fit, since a cut name would be another name, and
  ///   for one with a zero byte, at which readers would cut it.
  func append(_ texts: [String]) throws(TraceError) { try write(texts, from: count) }

  /// Writes texts from a row on, over those that there are and beyond.
  func write(_ texts: [String], from first: Int) throws(TraceError) {
    guard !texts.isEmpty else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(texts.count * width)
    for text in texts {
      let utf8 = text.utf8
      guard utf8.count <= width else {
        throw TraceError(
          .badInput,
          "cannot write \(path): the \(name) \"\(text)\" is longer than \(width) bytes; shorten it")
      }
      guard !utf8.contains(0) else {
        throw TraceError(
          .badInput, "cannot write \(path): the \(name) \"\(text)\" has a zero byte in it; rename it")
      }
      bytes.append(contentsOf: utf8)
      for _ in utf8.count..<width { bytes.append(0) }
    }
    let space = try select(dataset, first, texts.count, of: count, name, path)
    let memory = Handle(H5Screate_simple(1, [hsize_t(texts.count)], nil), close: H5Sclose)
    try check(
      H5Dwrite(dataset.id, type.id, memory.id, space.id, hid_t(H5P_DEFAULT), bytes),
      "write \(name) to", path)
    count = max(count, first + texts.count)
  }

  func readAll() throws(TraceError) -> [String] {
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count * width)
    try checkRead(
      H5Dread(
        dataset.id, type.id, hid_t(H5S_ALL), hid_t(H5S_ALL), hid_t(H5P_DEFAULT), &bytes),
      "read \(name) of", path)
    return (0..<count).map { (row: Int) -> String in
      String(decoding: bytes[row * width..<(row + 1) * width].prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
