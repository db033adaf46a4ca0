/// The 40 radio channels of Bluetooth LE: 37, 38 and 39 are those of advertising, 0 to 36 the others.
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 1.4.1.
package enum RadioChannel {
  /// The channel of a frequency; nil for a frequency that has none.
  package static func index(megahertz: Double) -> UInt8? {
    UInt8(exactly: (megahertz - 2402) / 2).map(index(ofRF:)).flatMap { $0 == 255 ? nil : $0 }
  }

  /// The channel of an RF channel, 0 to 39 in order of frequency; 255 where there is none.
  static func index(ofRF number: UInt8) -> UInt8 {
    switch number {
    case 0: 37
    case 1...11: number - 1
    case 12: 38
    case 13...38: number - 2
    case 39: 39
    default: 255
    }
  }
}
