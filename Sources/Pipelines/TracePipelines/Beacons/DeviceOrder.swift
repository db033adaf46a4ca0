/// The order of devices; equal devices, and those without the value, are sorted by identity at the
/// end.
public enum DeviceOrder: String, CaseIterable, Sendable {
  /// The order by number of sightings, descending.
  case sightings
  /// The order by median level, descending.
  case rssi
  /// The order by rate, descending.
  case rate
  /// The order by name, ascending.
  case name
  /// The earliest first sighting first.
  case first
  /// The latest last sighting first.
  case last
  /// The identity alone.
  case beacon

  /// Returns the devices in this order.
  public func sorted(_ devices: [HeardDevice]) -> [HeardDevice] {
    func sorted<Key: Comparable>(
      by key: (HeardDevice) -> Key?, _ precedes: (Key, Key) -> Bool
    ) -> [HeardDevice] {
      // Places are sorted, as devices are long.
      let keys = devices.map(key)
      return devices.indices.sorted { a, b in
        switch (keys[a], keys[b]) {
        case (let x?, let y?) where x != y: precedes(x, y)
        case (_?, nil): true
        case (nil, _?): false
        default: devices[a].beacon < devices[b].beacon
        }
      }.map { devices[$0] }
    }
    return switch self {
    case .sightings: sorted(by: \.sightings, >)
    case .rssi: sorted(by: \.levels?.median, >)
    case .rate: sorted(by: \.rate, >)
    case .name: sorted(by: \.name, <)
    case .first: sorted(by: \.first, <)
    case .last: sorted(by: \.last, >)
    case .beacon: sorted(by: \.beacon, <)
    }
  }
}
