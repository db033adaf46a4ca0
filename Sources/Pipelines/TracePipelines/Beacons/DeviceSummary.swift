import Advertising
import Support

/// What was received of each device, and which names were heard, in one or more files.
struct DeviceSummary: Equatable, Sendable {
  /// By identity.
  private(set) var devices: [String: DeviceFigures] = [:]
  private(set) var names = HeardNames()

  init() {}

  init(_ devices: [DeviceFigures], names: HeardNames) {
    self.devices.reserveCapacity(devices.count)
    for device in devices { self.devices[device.id] = device }
    self.names = names
  }

  /// Adds what other files hold; the order of files does not matter.
  mutating func merge(_ other: consuming DeviceSummary) {
    names.merge(other.names)
    // Of one file nothing is copied.
    guard !devices.isEmpty else {
      devices = other.devices
      return
    }
    for (id, device) in other.devices {
      if devices[id]?.merge(device) == nil { devices[id] = device }
    }
  }

  /// The device that an address is; nil where it sent nothing but beacon frames.
  func device(sentBy address: UInt64) -> DeviceFigures? {
    devices["\(BeaconIdentity.address(address))"]
  }
}

/// What was received of one device.
package struct HeardDevice: Equatable, Sendable {
  /// Its identity, such as `ibeacon:UUID:1:7` or `addr:AA:BB:CC:DD:EE:FF`.
  package var beacon: String
  /// What the registry, else the trace, else the device itself calls it.
  package var name: String?
  /// The company whose data it advertises: its name, else its identifier, such as `0x004C`.
  package var company: String?
  package var kind: String
  /// Advertising reports, those without a level included.
  package var sightings: Int
  /// Sightings per second while it was received: those after the first over the time to the last,
  /// in each trace of each file. Nil below 20 ms, such as for a single one.
  package var rate: Double?
  /// Nil where no report has a level.
  package var levels: LevelFigures?
  /// In dBm, as the newest report states it: RSSI at 1 m of a beacon frame, else the transmitted
  /// power.
  package var statedPower: Double?
  /// First and last sighting, nanoseconds since the Unix epoch.
  package var first: Int64
  package var last: Int64
  /// Radio channels, ascending; empty where they are not known.
  package var channels: [Int]
  /// The addresses that sent it, where it names itself.
  package var addresses: [UInt64] = []
}

/// What was received of all devices.
package struct HeardDevices: Equatable, Sendable {
  package var devices: [HeardDevice]

  package init(_ devices: [HeardDevice]) { self.devices = devices }

  package var sightings: Int { devices.reduce(0) { $0 + $1.sightings } }
}
