package import Geometry

/// A beacon of the simulated room, with the truth about it.
package struct SimulatedBeacon: Hashable, Sendable {
  /// Its number, from 0.
  package let index: Int
  /// Where it hangs, in metres.
  package let position: Point
  /// How far it hangs above the floor, in metres.
  package let height: Double
  /// Its true RSSI at 1 m, in dBm.
  package let measuredPower: Double

  /// The UUID that all simulated beacons advertise: 5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365.
  package static let proximityUUID: [UInt8] = [
    0x5E, 0x1F, 0x0A, 0x3C, 0x7B, 0x42, 0x4D, 0x96, 0xA8, 0xE1, 0x2C, 0x90, 0xD4, 0xB7, 0xF3, 0x65,
  ]
  /// The iBeacon major of all simulated beacons.
  package static let major: UInt16 = 1
  /// The iBeacon minor: one more than the index.
  package var minor: UInt16 { UInt16(index + 1) }
}
