/// The appearance of the bytes at an offset of an H4 stream.
///
/// | type | packet | header after the type |
/// |---|---|---|
/// | 0x02 | ACL data | handle and flags(2) length(2) |
/// | 0x03 | SCO data | handle(2) length(1) |
/// | 0x04 | event | code(1) length(1) |
/// | 0x05 | ISO data | handle and flags(2) length(2, 14 bits) |
///
/// H4 has no checksum and no delimiter between packets, so after line noise the next packet can
/// only be recognised by its form. An event whose contents confirm its length is sound: the data
/// lengths of an advertising report have to add up to it, and a command's answer needs a valid
/// opcode and status.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part A, section 2; part E, section 5.4.
enum H4Shape: Equatable {
  /// No packet starts here.
  case impossible
  /// A packet may start here and extend beyond the available bytes; whether it is sound so far.
  case unfinished(isSound: Bool)
  /// A packet of this length may start here, without confirmation by its contents.
  case doubtful(length: Int)
  /// A packet of this length starts here, except for a rare coincidence.
  case sound(length: Int)

  /// The maximum length of data packets; longer ones count as noise, since a scanner receives none.
  static let longestData = 1024

  /// The maximum number of commands that a controller accepts at once, with a margin.
  private static let mostCommands: UInt8 = 0x20

  /// Examines the bytes from an offset on, of which there is at least one.
  init(_ bytes: Span<UInt8>, at offset: Int) {
    switch bytes[offset] {
    case 0x04: self = Self.event(bytes, at: offset)
    case 0x02, 0x05: self = Self.data(bytes, at: offset, headerLength: 5)
    case 0x03: self = Self.data(bytes, at: offset, headerLength: 4)
    default: self = .impossible
    }
  }

  /// A Boolean value that is true if such a packet after another one confirms the end of the other.
  var confirms: Bool {
    switch self {
    case .sound, .unfinished(isSound: true): true
    case .impossible, .doubtful, .unfinished(isSound: false): false
    }
  }

  private static func data(
    _ bytes: Span<UInt8>, at offset: Int, headerLength: Int
  ) -> H4Shape {
    guard bytes.count - offset >= headerLength else { return .unfinished(isSound: false) }
    let handle = Int(bytes[offset + 1]) | Int(bytes[offset + 2] & 0x0F) << 8
    var length = Int(bytes[offset + 3])
    if headerLength == 5 { length |= Int(bytes[offset + 4]) << 8 }
    guard handle <= 0x0EFF, length > 0, length <= longestData else { return .impossible }
    let end = headerLength + length
    return end > bytes.count - offset ? .unfinished(isSound: false) : .doubtful(length: end)
  }

  private static func event(_ bytes: Span<UInt8>, at offset: Int) -> H4Shape {
    let available = bytes.count - offset
    guard available >= 3 else {
      return .unfinished(isSound: available == 1 || isFamiliar(bytes[offset + 1]))
    }
    let length = 3 + Int(bytes[offset + 2])
    let isSound = confirms(
      bytes, code: bytes[offset + 1], parameters: offset + 3, end: offset + length)
    if length > available { return .unfinished(isSound: isSound) }
    return isSound ? .sound(length: length) : .doubtful(length: length)
  }

  /// Returns a Boolean value that is true for events that a scanner regularly receives.
  private static func isFamiliar(_ code: UInt8) -> Bool {
    code == 0x3E || code == 0x0E || code == 0x0F || code == 0x10
  }

  /// Returns a Boolean value that is true if an event's parameters, as far as they are available,
  /// agree with its length.
  private static func confirms(
    _ bytes: Span<UInt8>, code: UInt8, parameters: Int, end: Int
  ) -> Bool {
    let length = end - parameters
    let available = min(end, bytes.count) - parameters
    switch code {
    case 0x3E:
      guard length > 1 else { return false }
      guard available > 0 else { return true }
      return confirmsReports(bytes, parameters: parameters, end: end)
    case 0x0E:
      guard length >= 4, available < 1 || bytes[parameters] <= mostCommands else { return false }
      if available >= 3, !isOpcode(bytes[parameters + 1], bytes[parameters + 2]) { return false }
      return available < 4 || isStatus(bytes[parameters + 3])
    case 0x0F:
      guard length == 4 else { return false }
      if available >= 1, !isStatus(bytes[parameters]) { return false }
      return available < 4 || isOpcode(bytes[parameters + 2], bytes[parameters + 3])
    case 0x05, 0x08: return length == 4
    case 0x10, 0x1A: return length == 1
    case 0x13: return available < 1 || length == 1 + 4 * Int(bytes[parameters])
    default: return false
    }
  }

  /// Returns a Boolean value that is true if the reports of an LE event, as far as they are
  /// available, fill its length exactly.
  private static func confirmsReports(
    _ bytes: Span<UInt8>, parameters: Int, end: Int
  ) -> Bool {
    let isExtended = bytes[parameters] == 0x0D
    guard isExtended || bytes[parameters] == 0x02 else { return false }
    let fixedLength = isExtended ? 24 : 10
    let lengthOffset = isExtended ? 23 : 8
    guard parameters + 1 < bytes.count else { return true }
    let count = Int(bytes[parameters + 1])
    guard count > 0, parameters + 2 + count * fixedLength <= end else { return false }
    var report = parameters + 2
    for _ in 0..<count {
      guard report + lengthOffset < bytes.count else { return true }
      let areTypesKnown =
        isExtended
        ? bytes[report + 1] == 0 && (bytes[report + 2] <= 3 || bytes[report + 2] == 0xFF)
        : bytes[report] <= 4 && bytes[report + 1] <= 3
      guard areTypesKnown else { return false }
      report += fixedLength + Int(bytes[report + lengthOffset])
      guard report <= end else { return false }
    }
    return report == end
  }

  private static func isStatus(_ byte: UInt8) -> Bool { byte <= 0x47 }

  /// Returns a Boolean value that is true if two bytes are an opcode of a valid group, or zero.
  private static func isOpcode(_ low: UInt8, _ high: UInt8) -> Bool {
    switch high >> 2 {
    case 0: low == 0 && high == 0
    case 1...6, 8, 0x3F: true
    default: false
    }
  }
}
