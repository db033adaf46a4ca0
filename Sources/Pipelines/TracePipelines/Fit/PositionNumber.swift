package import Geometry

/// The number of a position: a hash (FNV-1a, 64 bits) of names and places alone, the same in every
/// run, so that the same readings given twice are at the same positions.
package struct PositionNumber {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init(beacon: String, receiver: String) {
    add(beacon)
    add(receiver)
  }

  /// Creates the position of a link whose moving node stands at a place.
  ///
  /// - Parameter z: the height, metres; nil = unknown.
  package init(beacon: String, receiver: String, at place: Point, z: Double?) {
    self.init(beacon: beacon, receiver: receiver)
    add(place, z: z)
  }

  mutating func add(_ place: Point, z: Double?) {
    add(place.x.bitPattern)
    add(place.y.bitPattern)
    add((z ?? .nan).bitPattern)
  }

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    // A separator, so that "ab", "c" differs from "a", "bc".
    add(UInt8(0xFF))
  }

  mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
