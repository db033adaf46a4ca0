/// A pcap or pcapng file in memory, made by hand, in either byte order.
struct CaptureBytes {
  var bytes: [UInt8] = []
  private let isBigEndian: Bool

  /// A pcap file.
  ///
  /// - Parameter isNanoseconds: whether fractions of seconds are nanoseconds, not microseconds.
  static func pcap(
    linkType: UInt32, isBigEndian: Bool = false, isNanoseconds: Bool = false,
    snapLength: UInt32 = 65_535
  ) -> CaptureBytes {
    var file = CaptureBytes(isBigEndian: isBigEndian)
    file.add(isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4 as UInt32)
    file.add(2 as UInt16, 4 as UInt16)
    file.add(0 as UInt32, 0 as UInt32, snapLength, linkType)
    return file
  }

  /// A pcapng file without interfaces.
  static func pcapng(isBigEndian: Bool = false) -> CaptureBytes {
    var file = CaptureBytes(isBigEndian: isBigEndian)
    file.addBlock(0x0A0D_0D0A) {
      $0.add(0x1A2B_3C4D as UInt32)
      $0.add(1 as UInt16, 0 as UInt16)
      $0.add(-1 as Int64)
    }
    return file
  }

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// A packet of a pcap file.
  mutating func addRecord(_ packet: [UInt8], seconds: UInt32 = 0, fraction: UInt32 = 0) {
    add(seconds, fraction, UInt32(packet.count), UInt32(packet.count))
    bytes += packet
  }

  /// An interface of a pcapng file.
  ///
  /// - Parameter resolution: the option if_tsresol: 6 or no option microseconds, 9 nanoseconds.
  mutating func addInterface(linkType: UInt16, snapLength: UInt32 = 0, resolution: UInt8? = nil) {
    addBlock(1) {
      $0.add(linkType, 0)
      $0.add(snapLength)
      if let resolution {
        $0.add(9 as UInt16, 1 as UInt16)
        $0.bytes += [resolution, 0, 0, 0, 0, 0, 0, 0]
      }
    }
  }

  /// A packet of a pcapng file.
  ///
  /// - Parameter time: in the units of the interface.
  mutating func addPacket(_ packet: [UInt8], interface: UInt32 = 0, time: UInt64 = 0) {
    addBlock(6) {
      $0.add(interface, UInt32(time >> 32), UInt32(time & 0xFFFF_FFFF))
      $0.add(UInt32(packet.count), UInt32(packet.count))
      $0.bytes += packet + [UInt8](repeating: 0, count: (4 - packet.count % 4) % 4)
    }
  }

  private mutating func addBlock(_ type: UInt32, _ body: (inout CaptureBytes) -> Void) {
    var content = CaptureBytes(isBigEndian: isBigEndian)
    body(&content)
    let length = UInt32(content.bytes.count + 12)
    add(type, length)
    bytes += content.bytes
    add(length)
  }

  private mutating func add<Number: FixedWidthInteger>(_ numbers: Number...) {
    for number in numbers {
      withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { bytes += $0 }
    }
  }
}
