/// The two file formats of captures, identified by their magic numbers in either byte order.
///
/// Source: pcap-savefile(5); draft-ietf-opsawg-pcapng, sections 3.1 and 4.1.
enum CaptureFormat: Equatable {
  case pcap(isBigEndian: Bool, headerLength: Int)
  case pcapng(isBigEndian: Bool)

  /// The number of bytes that identify a format.
  static let magicLength = 12
  /// The type of the block that begins a section of pcapng; the same in both byte orders.
  static let sectionHeader: UInt32 = 0x0A0D_0D0A
  /// The type of the block that describes an interface.
  static let interfaceDescription: UInt32 = 1

  /// Returns a Boolean value that is true if a big-endian number is the start of a file of either
  /// format.
  @inline(__always)
  static func isMagic(_ number: UInt32) -> Bool {
    switch number {
    case 0xA1B2_C3D4, 0xA1B2_3C4D, 0xA1B2_CD34, 0xD4C3_B2A1, 0x4D3C_B2A1, 0x34CD_B2A1,
      sectionHeader:
      true
    default: false
    }
  }

  /// Creates the format of a file from its first bytes, or returns `nil` for any other file.
  init?(of head: Span<UInt8>) {
    guard head.count >= Self.magicLength else { return nil }
    let magic = head.bigEndian32(at: 0)
    switch magic {
    case 0xA1B2_C3D4, 0xA1B2_3C4D: self = .pcap(isBigEndian: true, headerLength: 16)
    case 0xD4C3_B2A1, 0x4D3C_B2A1: self = .pcap(isBigEndian: false, headerLength: 16)
    // The format of a modified libpcap of 1998.
    case 0xA1B2_CD34: self = .pcap(isBigEndian: true, headerLength: 24)
    case 0x34CD_B2A1: self = .pcap(isBigEndian: false, headerLength: 24)
    case Self.sectionHeader:
      switch head.bigEndian32(at: 8) {
      case 0x1A2B_3C4D: self = .pcapng(isBigEndian: true)
      case 0x4D3C_2B1A: self = .pcapng(isBigEndian: false)
      default: return nil
      }
    default: return nil
    }
  }

  /// The length of the header of a pcap file.
  static let pcapHeaderLength = 24
  /// The longest packet that libpcap reads.
  static let longestPacket = 262_144

  /// The range of the constant bytes by which files of the format are recognised.
  var mark: Range<Int> {
    switch self {
    case .pcap: 0..<8
    case .pcapng: 8..<12
    }
  }
}

extension Span where Element == UInt8 {
  /// A 32-bit number of either byte order.
  @inline(__always)
  func number(at offset: Int, isBigEndian: Bool) -> UInt32 {
    let number = bigEndian32(at: offset)
    return isBigEndian ? number : number.byteSwapped
  }
}
