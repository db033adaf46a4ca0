public import Geometry

/// A beacon of the simulated room, with its ground truth.
public struct SimulatedBeacon: Hashable, Sendable {
  /// The number of the beacon, from 0.
  public let index: Int
  /// The place in the plane, in metres.
  public let position: Point
  /// The height above the floor, in metres.
  public let height: Double
  /// The true RSSI at 1 m, in dBm.
  public let measuredPower: Double
  /// The number of the floor, from 0.
  public internal(set) var floor = 0

  /// The UUID that all simulated beacons advertise: 5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365.
  package static let proximityUUID: [UInt8] = [
    0x5E, 0x1F, 0x0A, 0x3C, 0x7B, 0x42, 0x4D, 0x96, 0xA8, 0xE1, 0x2C, 0x90, 0xD4, 0xB7, 0xF3, 0x65,
  ]
  /// The iBeacon major of all simulated beacons.
  package static let major: UInt16 = 1
  /// The iBeacon minor: one more than the index.
  package var minor: UInt16 { UInt16(index + 1) }
}

/// A layout of places on the walls of a room, evenly spread for any number of them.
///
/// The k-th is at the fraction (u + k φ) mod 1 of the perimeter, φ = (√5 - 1) / 2: each new one
/// divides one of the widest gaps, the first N are the same for every N, and no three successive
/// ones share a wall, because they span 0.618 of the perimeter and a wall is less than half of it.
/// Source: Knuth, "The Art of Computer Programming", volume 3, section 6.4, theorem S.
struct BeaconLayout {
  let width: Double
  let depth: Double
  /// The fraction u of the perimeter for the first place.
  let offset: Double

  /// Returns the k-th place, in metres, counted from 0.
  func position(of index: Int) -> Point {
    let golden = (5.0.squareRoot() - 1) / 2
    let turn = offset + Double(index) * golden
    return position(along: (turn - turn.rounded(.down)) * 2 * (width + depth))
  }

  /// Returns the place at a distance in metres along the walls, anticlockwise from the origin.
  func position(along length: Double) -> Point {
    switch length {
    case ..<width: Point(x: length, y: 0)
    case ..<(width + depth): Point(x: width, y: length - width)
    case ..<(2 * width + depth): Point(x: 2 * width + depth - length, y: depth)
    default: Point(x: 0, y: max(0, 2 * (width + depth) - length))
    }
  }
}
