/// The name that a device advertises for itself.
///
/// Source: Supplement to the Bluetooth Core Specification 11, part A, section 1.2.
package struct LocalName: Hashable, Sendable {
  /// The name; bytes that are not UTF-8 are U+FFFD, and control characters are kept.
  package var text: String
  /// Whether it is the whole name, rather than its beginning.
  package var isComplete: Bool

  /// Decodes the data of a structure of a type; nil for other types and for an empty name.
  ///
  /// Devices that advertise a field of fixed length fill it with zeros, which end the name.
  init?(type: UInt8, data: Span<UInt8>) {
    switch type {
    case ADStructure.completeLocalName: isComplete = true
    case ADStructure.shortenedLocalName: isComplete = false
    default: return nil
    }
    var bytes: [UInt8] = []
    for index in data.indices {
      guard data[index] != 0 else { break }
      bytes.append(data[index])
    }
    guard !bytes.isEmpty else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
