/// A btsnoop file in memory, made by hand so that the reader is not judged by the writer.
struct BTSnoopBytes {
  var bytes: [UInt8]

  init(datalink: UInt32, version: UInt32 = 1) {
    bytes = Array("btsnoop\0".utf8) + big(version) + big(datalink)
  }

  /// Appends a record; the lengths are the packet's unless given.
  mutating func append(
    _ packet: [UInt8], flags: UInt32 = 3, drops: UInt32 = 0, microseconds: Int64 = 0,
    length: UInt32? = nil
  ) {
    let length = length ?? UInt32(packet.count)
    bytes += big(length) + big(length) + big(flags) + big(drops)
    bytes += big(microseconds &+ 0x00DC_DDB3_0F2F_8000) + packet
  }
}

private func big(_ number: some FixedWidthInteger) -> [UInt8] {
  stride(from: number.bitWidth - 8, through: 0, by: -8).map {
    UInt8(truncatingIfNeeded: number >> $0)
  }
}

/// An LE Advertising Report event of one report.
func advertisement(rssi: Int8) -> [UInt8] {
  [0x3E, 15, 2, 1, 3, 1, 6, 5, 4, 3, 2, 1, 3, 2, 1, 6, UInt8(bitPattern: rssi)]
}
