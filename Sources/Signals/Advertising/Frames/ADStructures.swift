/// An iterator over the AD structures of advertising data, without allocation.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | length of what follows; 0 ends the data early |
/// | 1 | 1 | type |
/// | 2 | length - 1 | data |
///
/// ```swift
/// var structures = ADStructures()
/// while let structure = structures.next(in: payload) { … }
/// ```
///
/// Source: Bluetooth Core Specification 5.4, volume 3, part C, section 11.
package struct ADStructures: Sendable {
  /// The offset of the next structure.
  package private(set) var offset = 0
  /// A Boolean value that is true if the iteration ended at a structure that is longer than the
  /// data.
  package private(set) var isDamaged = false

  package init() {}

  /// Returns the next structure of the data, or `nil` after the last complete one.
  package mutating func next(in payload: Span<UInt8>) -> ADStructure? {
    guard !isDamaged, offset < payload.count, payload[offset] > 0 else { return nil }
    let end = offset + 1 + Int(payload[offset])
    guard end <= payload.count else {
      isDamaged = true
      return nil
    }
    defer { offset = end }
    return ADStructure(type: payload[offset + 1], data: (offset + 2)..<end)
  }
}

/// One AD structure: its type and the range of its data.
package struct ADStructure: Equatable, Sendable {
  /// The type of the data, from Bluetooth Assigned Numbers, section 2.3.
  package var type: UInt8
  /// The range of the data in the advertising data.
  package var data: Range<Int>

  package static let flags: UInt8 = 0x01
  package static let completeServiceUUIDs16: UInt8 = 0x03
  package static let shortenedLocalName: UInt8 = 0x08
  package static let completeLocalName: UInt8 = 0x09
  package static let txPowerLevel: UInt8 = 0x0A
  package static let serviceData16: UInt8 = 0x16
  package static let manufacturerData: UInt8 = 0xFF

  /// Returns the bytes of a structure.
  static func encode(type: UInt8, data: [UInt8]) -> [UInt8] {
    [UInt8(data.count + 1), type] + data
  }
}
