import Support

/// The table `/payloads`: the distinct advertising data.
struct PayloadRows {
  let tables: [Table]
  let offset: Column<UInt64>
  let length: Column<UInt16>
  let bytes: Column<UInt8>

  init(in file: TraceFile) throws(RSSIError) {
    let rows = try Table("payloads", in: file, isLong: true, limit: Int(UInt32.max))
    offset = try rows.column(
      "offset", UInt64.self, units: "byte", "Where the data begin in /payloads/data/bytes")
    length = try rows.column("length", UInt16.self, units: "byte", "How many bytes they are")
    try rows.alignToFirstColumn()
    let data = try Table("payloads/data", in: file, isLong: true, limit: 1 << 48)
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

  /// Appends all complete payloads of another table.
  func append(_ other: PayloadRows) throws(RSSIError) {
    let (rows, data) = (other.tables[0].rows.count, other.tables[1].rows.count)
    try offset.append(other.offset, rows: rows)
    try length.append(other.length, rows: rows)
    try bytes.append(other.bytes, rows: data)
  }

  /// Excludes, in a damaged trace, payloads from the first on whose bytes are lost.
  func leaveOutUnknown() throws(RSSIError) {
    let total = UInt64(tables[1].rows.count)
    var (offsets, lengths): ([UInt64], [UInt16]) = ([], [])
    for first in stride(from: 0, to: tables[0].rows.count, by: 65_536) {
      let rows = first..<min(first + 65_536, tables[0].rows.count)
      try offset.read(rows, into: &offsets)
      try length.read(rows, into: &lengths)
      let lost = zip(offsets, lengths).enumerated().first { _, payload in
        payload.0 > total || UInt64(payload.1) > total - payload.0
      }
      if let lost { return tables[0].rows.leaveOut(from: first + lost.offset) }
    }
  }
}
