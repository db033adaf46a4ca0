import Advertising
import Support

/// What was received of each device, and which names were heard, in one or more files.
struct HeardTally: Equatable, Sendable {
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
  mutating func merge(_ other: consuming HeardTally) {
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
