import Advertising
import Support

/// The devices and the names that were received in one or more files.
struct DeviceSummary: Equatable, Sendable {
  /// The figures of the devices, by identity.
  private(set) var devices: [String: DeviceFigures] = [:]
  private(set) var names = HeardNames()

  init() {}

  init(_ devices: [DeviceFigures], names: HeardNames) {
    self.devices.reserveCapacity(devices.count)
    for device in devices { self.devices[device.id] = device }
    self.names = names
  }

  /// Adds the devices of other files; the order of files does not matter.
  mutating func merge(_ other: consuming DeviceSummary) {
    names.merge(other.names)
    // A single file needs no copy.
    guard !devices.isEmpty else {
      devices = other.devices
      return
    }
    for (id, device) in other.devices {
      if devices[id]?.merge(device) == nil { devices[id] = device }
    }
  }

  /// Returns the device of an address; nil if the address sent only beacon frames.
  func device(sentBy address: UInt64) -> DeviceFigures? {
    devices["\(BeaconIdentity.address(address))"]
  }
}

/// The figures of one received device.
public struct HeardDevice: Equatable, Sendable {
  /// The identity, such as `ibeacon:UUID:1:7` or `addr:AA:BB:CC:DD:EE:FF`.
  public var beacon: String
  /// The name in the registry, else in the trace, else in the device's own advertisements.
  public var name: String?
  /// The company whose data it advertises: its name, else its identifier, such as `0x004C`.
  public var company: String?
  /// The kind of its identity, such as `ibeacon`.
  public var kind: String
  /// Advertising reports, those without a level included.
  public var sightings: Int
  /// Sightings per second while it was received: those after the first over the time to the last,
  /// in each trace of each file. Nil below 20 ms, such as for a single one.
  public var rate: Double?
  /// The figures of the levels; nil if no report has a level.
  public var levels: LevelFigures?
  /// The power in the newest report, in dBm: RSSI at 1 m of a beacon frame, else the transmitted
  /// power.
  public var statedPower: Double?
  /// The time of the first sighting, in nanoseconds since the Unix epoch.
  public var first: Int64
  /// The time of the last sighting, in nanoseconds since the Unix epoch.
  public var last: Int64
  /// Radio channels, ascending; empty if they are not known.
  public var channels: [Int]
  /// The addresses that sent it; empty if its identity is an address.
  public var addresses: [UInt64] = []
}

/// The figures of all received devices.
public struct HeardDevices: Equatable, Sendable {
  /// The devices, in the requested order.
  public var devices: [HeardDevice]

  /// Creates a list of devices.
  public init(_ devices: [HeardDevice]) { self.devices = devices }

  /// The number of sightings of all devices.
  public var sightings: Int { devices.reduce(0) { $0 + $1.sightings } }
}
