internal import CHDF5

/// `/payloads`: the advertising data, each distinct one once.
struct PayloadRows {
  let offset: Column<UInt64>
  let length: Column<UInt16>
  let bytes: Column<UInt8>

  init(in file: Handle, mode: Table.Mode, path: String) throws(TraceError) {
    let rows = try Table("payloads", in: file, mode: mode, path: path, isLong: true)
    offset = try rows.column(
      "offset", UInt64.self, units: "byte", "Where the data begin in /payloads/data/bytes")
    length = try rows.column("length", UInt16.self, units: "byte", "How many bytes they are")
    try rows.alignToFirstColumn()
    let data = try Table("payloads/data", in: file, mode: mode, path: path, isLong: true)
    bytes = try data.column(
      "bytes", UInt8.self, units: "1", "Advertising data of all payloads, one after the other")
    try data.alignToFirstColumn()
  }

  func append(bytes new: [UInt8], lengths: [UInt16]) throws(TraceError) {
    var next = UInt64(bytes.count)
    var offsets: [UInt64] = []
    for length in lengths {
      offsets.append(next)
      next += UInt64(length)
    }
    try TraceStore.append([
      bytes.appending(new), offset.appending(offsets), length.appending(lengths),
    ])
  }

  /// - Throws: `.badInput` where a payload lies outside the bytes.
  func read(path: String) throws(TraceError) -> Payloads {
    let offsets = try offset.readAll()
    let lengths = try length.readAll()
    let all = try bytes.readAll()
    let count = min(offsets.count, lengths.count)
    for row in 0..<count {
      guard offsets[row] <= UInt64(all.count),
        UInt64(lengths[row]) <= UInt64(all.count) - offsets[row]
      else { throw TraceError(.badInput, "payload \(row) of \(path) lies outside the file's bytes") }
    }
    return Payloads(offsets: offsets, lengths: lengths, bytes: all, count: count)
  }
}

/// The advertising data of a trace, in memory.
public struct Payloads: Sendable {
  private let offsets: [UInt64]
  private let lengths: [UInt16]
  private let bytes: [UInt8]
  public let count: Int

  init(offsets: [UInt64], lengths: [UInt16], bytes: [UInt8], count: Int) {
    self.offsets = offsets
    self.lengths = lengths
    self.bytes = bytes
    self.count = count
  }

  /// The bytes of one payload; empty for an index that there is not.
  public subscript(index: UInt32) -> ArraySlice<UInt8> {
    guard Int(index) < count else { return [] }
    let start = Int(offsets[Int(index)])
    return bytes[start..<start + Int(lengths[Int(index)])]
  }
}
