internal import CDeflate

/// The form of the Bluetooth log in a bug report of Android, from which a btsnoop file is made.
///
/// All numbers are little endian. The header is followed by zlib data of records:
///
/// | offset | bytes | header |
/// |---|---|---|
/// | 0 | 1 | version, 1 or 2 |
/// | 1 | 8 | time of the last packet, microseconds since 1970 |
///
/// | bytes | record |
/// |---|---|
/// | 2 | what is recorded of the packet, with its type |
/// | 2 | length of the packet, with its type; only in version 2 |
/// | 4 | microseconds since the packet before it |
/// | 1 | type of the packet |
/// | n | the packet |
///
/// Source: AOSP, btif/src/btif_debug_btsnoop.cc and tools/scripts/btsnooz.py of the Bluetooth
/// stack.
package enum BTSnooz {
  private static let headerLength = 9
  /// The limit of decompressed data; Android keeps 256 KiB.
  private static let mostBytes = 1 << 26

  /// Returns a log as a btsnoop file, or `nil` for anything else.
  package static func recording(of log: [UInt8]) -> [UInt8]? {
    guard log.count > headerLength, log[0] == 1 || log[0] == 2,
      let records = inflated(log[headerLength...])
    else { return nil }
    let last = UInt64(littleEndian: log.span, at: 1, count: 8)
    return recording(of: records, version: log[0], last: Int64(truncatingIfNeeded: last))
  }

  /// Returns decompressed records as a btsnoop file; a record that is cut off stays so.
  ///
  /// - Parameter last: The time of the last packet, in microseconds since the Unix epoch.
  package static func recording(of records: [UInt8], version: UInt8, last: Int64) -> [UInt8] {
    let records = records.span
    var time = last &+ BTSnoopFormat.epoch
    forEachRecord(of: records, version) { record, _ in time &-= Int64(record.delay) }
    var file = BTSnoopFormat.magic
    file.append(bigEndian: BTSnoopFormat.version)
    file.append(bigEndian: BTSnoopDatalink.h4.rawValue)
    forEachRecord(of: records, version) { record, packet in
      time &+= Int64(record.delay)
      file.append(bigEndian: UInt32(max(record.original, record.length)))
      file.append(bigEndian: UInt32(record.length))
      // Of direction and kind, readers of this datalink use neither.
      file.append(bigEndian: UInt32(record.type & 0x10 == 0 ? 0 : 1))
      file.append(bigEndian: UInt32(0))
      file.append(bigEndian: UInt64(bitPattern: time))
      file.append(packetType(record.type))
      for index in packet { file.append(records[index]) }
    }
    return file
  }

  private struct Record {
    var length: UInt16
    var original: UInt16
    var delay: UInt32
    var type: UInt8
  }

  /// Calls a closure with each record, and the place of its packet, up to the end or damage.
  private static func forEachRecord(
    of records: Span<UInt8>, _ version: UInt8, _ body: (Record, Range<Int>) -> Void
  ) {
    let header = version == 1 ? 7 : 9
    var start = 0
    while start + header <= records.count {
      let bytes = records.extracting(start..<start + header)
      let length = UInt16(UInt64(littleEndian: bytes, at: 0, count: 2))
      guard length > 0 else { return }
      let record = Record(
        length: length,
        original: version == 1 ? length : UInt16(UInt64(littleEndian: bytes, at: 2, count: 2)),
        delay: UInt32(UInt64(littleEndian: bytes, at: header - 5, count: 4)),
        type: bytes[header - 1])
      start += header
      let end = min(start + Int(length) - 1, records.count)
      body(record, start..<end)
      start = end
    }
  }

  /// Returns the type of H4; 0, which is none, for an unknown one.
  private static func packetType(_ type: UInt8) -> UInt8 {
    switch type {
    case 0x20: 1
    case 0x11, 0x21: 2
    case 0x12, 0x22: 3
    case 0x10: 4
    case 0x17, 0x2D: 5
    default: 0
    }
  }

  private static func inflated(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let inflater = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(inflater) }
    var capacity = 1 << 20
    while capacity <= mostBytes {
      var result = LIBDEFLATE_BAD_DATA
      let inflated = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        result = bytes.withUnsafeBytes {
          libdeflate_zlib_decompress(
            inflater, $0.baseAddress, $0.count, buffer.baseAddress, capacity, &count)
        }
        if result != LIBDEFLATE_SUCCESS { count = 0 }
      }
      if result == LIBDEFLATE_SUCCESS { return inflated }
      guard result == LIBDEFLATE_INSUFFICIENT_SPACE else { return nil }
      capacity *= 4
    }
    return nil
  }
}

extension UInt64 {
  /// Creates a number from its bytes, least significant first.
  fileprivate init(littleEndian bytes: Span<UInt8>, at start: Int, count: Int) {
    self = 0
    for index in (start..<start + count).reversed() { self = self << 8 | UInt64(bytes[index]) }
  }
}
