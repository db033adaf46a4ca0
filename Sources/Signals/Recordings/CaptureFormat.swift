/// The two file formats of captures, stated by their magic numbers in either byte order.
///
/// Source: pcap-savefile(5); draft-ietf-opsawg-pcapng, sections 3.1 and 4.1.
enum CaptureFormat: Equatable {
  case pcap
  case pcapng(isBigEndian: Bool)

  /// The bytes that show a format.
  static let magicLength = 12
  /// The type of the block that begins a section of pcapng; the same in both byte orders.
  static let sectionHeader: UInt32 = 0x0A0D_0D0A
  /// The type of the block that describes an interface.
  static let interfaceDescription: UInt32 = 1

  /// The format of a file with such a beginning; nil for any other file.
  init?(of head: Span<UInt8>) {
    guard head.count >= Self.magicLength else { return nil }
    let magic = head.bigEndian32(at: 0)
    switch magic {
    case 0xA1B2_C3D4, 0xA1B2_3C4D, 0xA1B2_CD34, 0xD4C3_B2A1, 0x4D3C_B2A1, 0x34CD_B2A1:
      self = .pcap
    case Self.sectionHeader:
      switch head.bigEndian32(at: 8) {
      case 0x1A2B_3C4D: self = .pcapng(isBigEndian: true)
      case 0x4D3C_2B1A: self = .pcapng(isBigEndian: false)
      default: return nil
      }
    default: return nil
    }
  }
}
