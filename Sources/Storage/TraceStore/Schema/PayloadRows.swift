internal import CHDF5
import Support

/// `/payloads`: the advertising data, each distinct one once.
struct PayloadRows {
  let tables: [Table]
  let offset: Column<UInt64>
  let length: Column<UInt16>
  let bytes: Column<UInt8>

  init(in file: Handle, mode: Table.Mode, path: String) throws(RSSIError) {
    let rows = try Table(
      "payloads", in: file, mode: mode, path: path, isLong: true, limit: Int(UInt32.max))
    offset = try rows.column(
      "offset", UInt64.self, units: "byte", "Where the data begin in /payloads/data/bytes")
    length = try rows.column("length", UInt16.self, units: "byte", "How many bytes they are")
    try rows.alignToFirstColumn()
    let data = try Table(
      "payloads/data", in: file, mode: mode, path: path, isLong: true, limit: 1 << 48)
    bytes = try data.column(
      "bytes", UInt8.self, units: "1", "Advertising data of all payloads, one after the other")
    try data.alignToFirstColumn()
    tables = [rows, data]
  }

  func append(bytes new: [UInt8], lengths: [UInt16]) throws(RSSIError) {
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
}
